"""What is told about an index, in whatever state that is."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections import Counter
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

import pytest

from bsl_scout.features.diagnostics import index_facts, moment, versions
from bsl_scout.index.catalog import FILE_NAME, Catalog
from bsl_scout.index.indexer import refresh
from support import DEMO, Write, copy_demo, run_cli

ORDER = "Documents/ЗаказПокупателя.xml"
RATES = "CommonModules/КурсыВалютСервер/Ext/Module.bsl"


def broken_demo(folder: Path) -> Path:
    """Copy the demo with an object whose XML ends in the middle and an empty module."""
    top = copy_demo(folder)
    path = top / ORDER
    path.write_text("\n".join(path.read_text(encoding="utf-8").split("\n")[:12]), encoding="utf-8")
    (top / RATES).write_text("")
    return top


def test_a_whole_index_tells_its_content_age_and_size(tmp_path: Path) -> None:
    before = datetime.now(timezone.utc).replace(microsecond=0)
    report = refresh(DEMO, tmp_path)
    facts = index_facts(tmp_path)
    content = facts.content
    assert (facts.state, facts.problem) == ("ready", "")
    assert content is not None
    assert (content.files, content.procedures, content.objects, content.forms, content.problems, content.pending) == (
        report.files, report.procedures, report.objects, report.forms, [], 0
    )  # fmt: skip
    assert [(root.name, root.format) for root in content.roots] == [("ДемоТорговля", "designer")]
    vectors = content.vectors
    assert (vectors.count, vectors.missing, vectors.dimensions) == (report.chunks, 0, 128)
    assert (vectors.model, vectors.wanted, vectors.adapted) == ("", "", False)
    for told in (content.created, content.refreshed, content.walked):
        assert told is not None
        assert before <= datetime.fromisoformat(told) <= datetime.now(timezone.utc)
    files = [path for path in tmp_path.iterdir() if path.name.startswith(FILE_NAME)]
    assert facts.bytes["catalog"] == sum(path.stat().st_size for path in files) > 100_000


def test_words_alone_have_no_vectors(tmp_path: Path) -> None:
    report = refresh(DEMO, tmp_path, vectors=False)
    content = index_facts(tmp_path).content
    assert content is not None
    assert (content.vectors.count, content.vectors.missing, content.vectors.dimensions) == (0, report.chunks, 0)


def test_a_refresh_of_some_files_is_no_look_at_all_of_them(tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    refresh(top, tmp_path / "index")
    with closing(Catalog(tmp_path / "index")) as catalog, catalog.transaction():
        for key in ("refreshed", "walked"):
            catalog.set_meta(key, 1_000)
    refresh(top, tmp_path / "index", paths=[RATES])
    content = index_facts(tmp_path / "index").content
    assert content is not None
    assert content.walked == "1970-01-01T00:00:01+00:00"
    assert content.refreshed is not None
    assert content.refreshed > "2020"


def test_all_problems_of_the_last_passes_are_told(tmp_path: Path) -> None:
    top = broken_demo(tmp_path / "demo")
    report = refresh(top, tmp_path / "index")
    content = index_facts(tmp_path / "index").content
    assert content is not None
    assert [(one.path, one.kind, one.line) for one in content.problems] == [
        (ORDER, "broken", 12),
        ("Configuration.xml", "absent", None),
        (RATES, "empty", None),
    ]
    assert Counter((one.path, one.message) for one in content.problems) == Counter(
        (one.path, one.message) for one in report.problems
    )
    # a save does not lose what only a look at all sources tells
    (top / RATES).write_text("Процедура А()\nКонецПроцедуры\n")
    refresh(top, tmp_path / "index", paths=[RATES])
    content = index_facts(tmp_path / "index").content
    assert content is not None
    assert [one.kind for one in content.problems] == ["broken", "absent"]
    # and a pass over all of them forgets what is mended
    shutil.copy(DEMO / ORDER, top / ORDER)
    refresh(top, tmp_path / "index")
    content = index_facts(tmp_path / "index").content
    assert content is not None
    assert content.problems == []


def test_an_index_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    assert index_facts(tmp_path / "nothing").state == "none"
    assert not (tmp_path / "nothing").exists()
    refresh(DEMO, tmp_path / "index", vectors=False)
    file = tmp_path / "index" / FILE_NAME
    with closing(Catalog(tmp_path / "index")) as catalog:
        catalog.set_meta("version", "schema 1")
    other = index_facts(tmp_path / "index")
    assert (other.state, other.problem, other.content) == ("other-version", "schema 1", None)
    file.write_bytes(b"no database at all" * 1_000)
    damaged = index_facts(tmp_path / "index")
    assert (damaged.state, damaged.content) == ("damaged", None)
    assert damaged.problem
    assert damaged.bytes["catalog"] == file.stat().st_size
    file.write_bytes(b"")
    assert index_facts(tmp_path / "index").state == "none"


def test_damage_inside_what_is_stored_is_told(tmp_path: Path) -> None:
    refresh(DEMO, tmp_path, vectors=False)
    file = tmp_path / FILE_NAME
    with closing(Catalog(tmp_path)) as catalog:
        catalog.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(file.read_bytes())
    data[8192:] = os.urandom(len(data) - 8192)
    file.write_bytes(data)
    facts = index_facts(tmp_path)
    assert (facts.state, facts.content) == ("damaged", None)


def test_an_index_that_is_being_written_is_read(tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo", copies=4)
    states: list[str] = []

    def look(stage: str, done: int, total: int) -> None:
        # a writer in the middle of its pass
        thread = threading.Thread(target=lambda: states.append(index_facts(tmp_path / "index").state))
        thread.start()
        thread.join()

    refresh(top, tmp_path / "index", look, vectors=False)
    assert set(states) == {"ready"}


def test_old_indexes_say_that_their_age_is_not_known(tmp_path: Path) -> None:
    refresh(DEMO, tmp_path, vectors=False)
    with closing(Catalog(tmp_path)) as catalog:
        for key in ("created", "refreshed", "walked", "walk_problems", "vector_problems"):
            catalog.write("DELETE FROM meta WHERE key = ?", [(key,)])
    content = index_facts(tmp_path).content
    assert content is not None
    assert (content.created, content.refreshed, content.walked, content.problems) == (None, None, None, [])


def test_a_problem_of_the_vectors_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    report = refresh(DEMO, tmp_path, encoder=str(tmp_path / "no" / "such" / "model"))
    content = index_facts(tmp_path).content
    assert content is not None
    assert [(one.path, one.kind, one.message) for one in content.problems] == [
        (one.path, "model", one.message) for one in report.problems
    ]
    assert content.problems
    assert content.vectors.wanted == "model"
    assert str(tmp_path) not in str(content)


def test_moments_and_versions() -> None:
    assert moment(None) is None
    assert moment(0.5) == "1970-01-01T00:00:00+00:00"
    told = versions()
    assert told.sqlite.startswith("3.")
    assert os.uname().nodename not in str(told)


def test_the_command_line_tells_the_same_facts(tmp_path: Path, write: Write) -> None:
    top = broken_demo(tmp_path / "домашняя" / "demo")
    where = ("--index-dir", tmp_path / "index", "--json")
    nothing = json.loads(run_cli("index", top, "--no-refresh", *where).stdout)
    assert (nothing["index"]["state"], nothing["changed"], "roots" in nothing) == ("none", None, False)
    told = json.loads(run_cli("index", top, *where).stdout)
    again = json.loads(run_cli("index", top, "--no-refresh", *where).stdout)
    assert {**again, "changed": told["changed"], "seconds": told["seconds"]} == told
    (folder,) = (tmp_path / "index").iterdir()
    facts = index_facts(folder)
    assert facts.content is not None
    assert [one["path"] for one in told["problems"]] == [one.path for one in facts.content.problems]
    assert told["index"]["refreshed"] == facts.content.refreshed
    assert told["versions"]["server"]
    assert str(tmp_path) not in json.dumps(told, ensure_ascii=False)
    text = run_cli("index", top, "--no-refresh", "--index-dir", tmp_path / "index")
    assert text.stdout.startswith("index: ready, ")
    assert "ДемоТорговля, designer" in text.stdout
    assert "problems: 1 broken, 1 absent, 1 empty" in text.stderr
    absent = run_cli("index", tmp_path / "нет", "--no-refresh", check=False)
    assert (absent.returncode, absent.stderr) == (2, "bsl-scout: cannot read нет: No such file or directory\n")
