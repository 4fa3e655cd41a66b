"""What people read on a form finds the form; it neither hides procedures nor changes what words weigh."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.index.indexer import refresh
from bsl_scout.index.schema import CAPTIONS
from bsl_scout.retrieval.search import Searcher
from support import REPOSITORY

ORDER = "Документ.ЗаказПокупателя.Форма.ФормаДокумента"


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
@pytest.mark.parametrize("query", ["Превышен лимит задолженности клиента", "customer credit limit EXCEEDED"])
def test_a_caption_finds_its_form(searcher: Searcher, query: str, mode: str) -> None:
    first = searcher.search(query, mode=mode).hits[0]
    assert (first.symbol, first.ranks["caption"]) == (ORDER, 1)
    assert "Превышен лимит задолженности клиента" in first.snippet
    assert "ПредупреждениеОЛимите" in first.snippet


def test_a_name_in_words_is_the_procedure_beside_code_and_a_caption_among_forms(searcher: Searcher) -> None:
    assert searcher.search("заполнить цены", mode="hybrid").hits[0].symbol == "ЗаполнитьЦены"
    found = searcher.search("заполнить цены", mode="hybrid", collection="form")
    assert ORDER in [hit.symbol for hit in found.hits if "caption" in hit.ranks]


@pytest.mark.parametrize("query", ["Товары", "лимит задолженности клиента", "клиента задолженности лимит превышен"])
def test_one_word_a_part_and_another_order_are_no_captions(searcher: Searcher, query: str) -> None:
    assert "caption" not in searcher.search(query).legs


def test_captions_have_no_part_in_meaning_and_in_code(searcher: Searcher) -> None:
    query = "Превышен лимит задолженности клиента"
    assert "caption" not in searcher.search(query, collection="code").legs
    catalog = searcher.catalog
    captions = {chunk for (chunk,) in catalog.rows("SELECT chunk FROM forward WHERE collection = ?", CAPTIONS)}
    assert captions
    by_meaning = searcher.search(query, 50, mode="vector")
    shown = {hit.symbol for hit in by_meaning.hits if "vector" in hit.ranks and hit.snippet.startswith("Превышен")}
    assert not shown


def test_the_same_captions_in_an_edt_project(tmp_path: Path) -> None:
    refresh(REPOSITORY / "tests" / "fixtures" / "demo_edt", tmp_path)
    searcher = Searcher(tmp_path)
    assert searcher.search("Превышен лимит задолженности клиента").hits[0].symbol == ORDER
    searcher.close()
