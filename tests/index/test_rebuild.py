"""An index that is made anew: what is there answers until the new one is whole, and the reason is named."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bsl_scout.index import catalog, indexer
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import Report, refresh
from bsl_scout.retrieval.search import Searcher
from support import DEMO, check_postings, copy_demo, index_state, index_vectors

KILLED = """
import os, sys
from pathlib import Path
from bsl_scout.index.indexer import refresh
def show(stage, done, total):
    if done > 20:
        os._exit(9)
refresh(Path(sys.argv[1]), Path(sys.argv[2]), show, rebuild=True)
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A copy of the demo and its index; batches are small."""
    monkeypatch.setattr(indexer, "_BATCH_SECONDS", 0)
    top = copy_demo(tmp_path / "demo")
    refresh(top, tmp_path / "index")
    return top, tmp_path / "index"


def answers(searcher: Searcher) -> list[tuple[str, list[str]]]:
    found = []
    for query in ("сумма словами", "новая процедура", "остатки на складе"):
        searcher.follow(searcher.catalog.number("generation"))
        answer = searcher.search(query, top=10)
        found.append((",".join(answer.legs), [hit.symbol for hit in answer.hits]))
    return found


def asked_meanwhile(top: Path, index: Path, rebuild: bool) -> tuple[Report, list[list[tuple[str, list[str]]]]]:
    """Refresh and return what a reader found after each batch."""
    found = []
    with closing(Searcher(index)) as searcher:
        report = refresh(top, index, lambda stage, done, total: found.append(answers(searcher)), rebuild=rebuild)
        found.append(answers(searcher))
    return report, found


@pytest.mark.parametrize("reason", ["asked for", "so much was replaced"])
def test_the_old_index_answers_until_the_new_one_is_whole(
    made: tuple[Path, Path], tmp_path: Path, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    top, index = made
    with closing(Searcher(index)) as searcher:
        before = answers(searcher)
    (top / "Новая.bsl").write_text("Процедура НоваяПроцедура()\nКонецПроцедуры\n", "utf-8")
    if reason != "asked for":
        # the numbers of chunks have grown that far
        monkeypatch.setattr(catalog, "_SPARSE_FROM", 0)
        monkeypatch.setattr(catalog, "_SPARSE", 8)
        with closing(Catalog(index)) as opened:
            opened.rows("UPDATE sqlite_sequence SET seq = seq * 20 WHERE name = 'chunks'")
    report, found = asked_meanwhile(top, index, reason == "asked for")
    assert report.rebuilt and report.rebuilt.startswith(reason)
    assert report.complete and report.vectors
    assert len(found) > 20
    assert all(one == before for one in found[:-1])
    assert found[-1] != before and "НоваяПроцедура" in found[-1][1][1]
    refresh(top, tmp_path / "fresh")
    assert index_state(index) == index_state(tmp_path / "fresh")
    check_postings(index)


def test_of_another_version_what_is_done_answers(made: tuple[Path, Path]) -> None:
    top, index = made
    with closing(Catalog(index)) as opened:
        opened.set_meta("version", "older")
    assert Searcher.open(index) is None
    report, found = asked_meanwhile(top, index, rebuild=False)
    assert report.rebuilt == "the index was made by another version (older)"
    counts = [len(one[2][1]) for one in found]
    assert counts[0] < counts[len(counts) // 2] <= counts[-1]


def test_a_cancelled_rebuild_leaves_the_old_index(made: tuple[Path, Path], tmp_path: Path) -> None:
    top, index = made
    before = index_state(index), index_vectors(index).keys()
    told: list[int] = []
    report = refresh(top, index, lambda stage, done, _: told.append(done), lambda: len(told) > 20, rebuild=True)
    assert not report.complete and report.rebuilt is None
    assert (report.changes.added, report.changes.removed) == (0, 0)
    assert (index_state(index), index_vectors(index).keys()) == before
    again = refresh(top, index)
    assert again.complete and again.vectors and again.changes.added == 0


def test_a_killed_rebuild_leaves_the_old_index(made: tuple[Path, Path]) -> None:
    top, index = made
    before = index_state(index), index_vectors(index).keys()
    code = f"from bsl_scout.index import indexer; indexer._BATCH_SECONDS = 0\n{KILLED}"
    assert subprocess.run([sys.executable, "-c", code, top, index]).returncode == 9
    assert (index_state(index), index_vectors(index).keys()) == before
    assert refresh(top, index).changes.added == 0
    report = refresh(top, index, rebuild=True)
    assert report.complete and report.vectors
    assert (index_state(index), index_vectors(index).keys()) == before


@pytest.mark.parametrize("table", ["vectors", "gone_vectors"])
def test_a_rebuild_keeps_no_damage(made: tuple[Path, Path], tmp_path: Path, table: str) -> None:
    top, index = made
    if table == "gone_vectors":
        shutil.rmtree(top / "Documents")
        refresh(top, index)
    with closing(Catalog(index)) as opened:
        opened.rows(f"UPDATE {table} SET vector = x'00' WHERE rowid = (SELECT max(rowid) FROM {table})")
    searcher = Searcher(index)
    told: list[int] = []
    # what is damaged serves no longer than it has to
    report = refresh(top, index, lambda stage, done, _: told.append(searcher.freshness()[0]), rebuild=True)
    searcher.close()
    assert report.rebuilt == "the index file was damaged" and report.vectors
    assert told[5] < report.files
    refresh(top, tmp_path / "fresh")
    assert index_state(index) == index_state(tmp_path / "fresh")
    found, expected = index_vectors(index), index_vectors(tmp_path / "fresh")
    assert all((found[place] == expected[place]).all() for place in expected)


def test_a_rebuild_of_an_index_that_was_never_finished(tmp_path: Path) -> None:
    told: list[int] = []
    shutil.copytree(DEMO, tmp_path / "demo")
    refresh(tmp_path / "demo", tmp_path / "index", lambda stage, done, _: told.append(done), lambda: bool(told))
    assert refresh(tmp_path / "demo", tmp_path / "index", rebuild=True).complete
    refresh(tmp_path / "demo", tmp_path / "fresh")
    assert index_state(tmp_path / "index") == index_state(tmp_path / "fresh")
