"""Unusual sizes take bounded time and space; `bench bounds` measures them whole."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bsl_scout.bsl.chunks import MAX_PARTS
from bsl_scout.index.catalog import Catalog, DamagedCatalogError
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from giant_sources import giant_module, giant_procedure, long_query, object_with_forms
from support import Write

# CPU seconds; ten times what it takes, so that only what grows faster than the sources is seen
MODULE_SECONDS, FORMS_SECONDS, QUERY_SECONDS = 20, 20, 5
FORMS = 2_000


def test_a_module_of_five_megabytes_and_a_procedure_of_135_000_characters(write: Write, tmp_path: Path) -> None:
    top = write({"М.bsl": giant_module(5_000_000), "П.bsl": giant_procedure(135_000)})
    begun = time.process_time()
    report = refresh(top, tmp_path / "index")
    assert time.process_time() - begun < MODULE_SECONDS
    assert report.complete and not report.problems
    searcher = Searcher(tmp_path / "index")
    (hit,) = [hit for hit in searcher.search("Гигант").hits if hit.symbol == "Гигант"]
    rows = searcher.catalog.rows("SELECT count(*) FROM chunks c JOIN files f ON f.id = c.file WHERE f.path = 'П.bsl'")
    assert hit.line == 0 and 1 < rows[0][0] <= MAX_PARTS + 1
    searcher.close()
    # one letter changed in it rewrites one chunk
    text = (top / "М.bsl").read_text(encoding="utf-8")
    (top / "М.bsl").write_text(text.replace("Считает остаток 300.", "Считает остатки 300."), encoding="utf-8")
    assert refresh(top, tmp_path / "index", paths=["М.bsl"]).changes.updated == 1


def test_an_object_of_two_thousand_forms(tmp_path: Path) -> None:
    (tmp_path / "top").mkdir()
    object_with_forms(tmp_path / "top", FORMS)
    begun = time.process_time()
    report = refresh(tmp_path / "top", tmp_path / "index", vectors=False)
    assert time.process_time() - begun < FORMS_SECONDS
    assert (report.forms, report.files, report.problems) == (FORMS, FORMS, [])


def test_long_queries_and_two_hundred_in_a_row(searcher: Searcher) -> None:
    begun = time.process_time()
    assert searcher.search(long_query(), mode="hybrid").hits
    typed = "пересчитать сумму документа по курсу валюты на дату отгрузки товара"
    for number in range(200):
        searcher.search(typed[: number % len(typed) + 1], mode="hybrid")
    assert time.process_time() - begun < QUERY_SECONDS
    snapshot = searcher.snapshot()
    # what is kept of them has an end
    assert snapshot._kept == sum(len(term.postings.documents) for term in snapshot._terms.values())


def test_numbers_of_chunks_that_ran_away_make_the_index_anew(write: Write, tmp_path: Path) -> None:
    """A search has tables as long as the numbers: years of changes, or a damaged number, must not fill the memory."""
    top = write({"a.bsl": "Процедура А()\nКонецПроцедуры\n"})
    refresh(top, tmp_path / "index")
    catalog = Catalog(tmp_path / "index")
    catalog.write("UPDATE sqlite_sequence SET seq = ? WHERE name = 'chunks'", [(1_500_000,)])
    catalog.close()
    assert "replaced" in str(refresh(top, tmp_path / "index").rebuilt)
    assert refresh(top, tmp_path / "index").rebuilt is None
    catalog = Catalog(tmp_path / "index")
    catalog.write("UPDATE sqlite_sequence SET seq = ? WHERE name = 'chunks'", [(4_000_000_000,)])
    catalog.close()
    searcher = Searcher(tmp_path / "index")
    with pytest.raises(DamagedCatalogError):
        searcher.search("а")
    searcher.close()
