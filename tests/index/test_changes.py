"""What a refresh takes for a change: the content, not times, line ends, names of folders or the order of events."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from bsl_scout.index.indexer import Changes, refresh
from support import DEMO, index_state, index_vectors
from v8_samples import configuration

TEXTS = (".bsl", ".os", ".xml", ".mdo", ".form", ".json", ".dcs", ".rights")
V8UNPACK = "v8unpack"
NAMES = ("demo", "demo_edt", "demo_extension", V8UNPACK)
PRINTING = "CommonModules/ПечатьДокументов/Ext/Module.bsl"


def rewritten(changes: Changes) -> tuple[int, int, int]:
    return changes.added, changes.updated, changes.removed


def copy(tmp_path: Path, name: str = "demo") -> Path:
    top = tmp_path / "sources"
    if name != V8UNPACK:
        shutil.copytree(DEMO.parent / name, top)
        return top
    for path, content in configuration().items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return top


@pytest.mark.parametrize("name", NAMES)
def test_touched_and_converted_files_rewrite_nothing(tmp_path: Path, name: str) -> None:
    top = copy(tmp_path, name)
    refresh(top, tmp_path / "index")
    before = index_state(tmp_path / "index"), index_vectors(tmp_path / "index").keys()
    files = [path for path in top.rglob("*") if path.is_file()]
    assert len(files) > 10
    for path in files:
        os.utime(path, (1_700_000_000, 1_700_000_000))
    assert rewritten(refresh(top, tmp_path / "index").changes) == (0, 0, 0)
    converted = 0
    for path in files:
        data = path.read_bytes()
        if path.suffix in TEXTS:
            plain = data.replace(b"\r\n", b"\n")
            other = plain if plain != data else data.replace(b"\n", b"\r\n")
            path.write_bytes(other)
            converted += other != data
    assert converted > 10
    assert rewritten(refresh(top, tmp_path / "index").changes) == (0, 0, 0)
    assert (index_state(tmp_path / "index"), index_vectors(tmp_path / "index").keys()) == before


def test_another_branch_and_back(tmp_path: Path) -> None:
    top = copy(tmp_path)
    refresh(top, tmp_path / "index")
    before = index_state(tmp_path / "index")
    shutil.copytree(top, tmp_path / "branch")
    changed = tmp_path / "branch" / PRINTING
    changed.write_text(changed.read_text("utf-8-sig") + "\nПроцедура ИзВетки()\nКонецПроцедуры\n", "utf-8")
    gone = next((tmp_path / "branch" / "Documents").rglob("*.bsl"))
    held = len(gone.read_text("utf-8-sig").split("КонецПроцедуры")) - 1
    gone.unlink()

    def switch(source: Path) -> None:
        # as git does: what differs is written, what is absent is removed, and times are new
        shutil.rmtree(top)
        shutil.copytree(source, top, copy_function=shutil.copyfile)

    shutil.copytree(top, tmp_path / "main")
    # there and back before the index is asked again
    switch(tmp_path / "branch")
    switch(tmp_path / "main")
    assert rewritten(refresh(top, tmp_path / "index").changes) == (0, 0, 0)
    # with a refresh in between only what differs is written
    switch(tmp_path / "branch")
    there = refresh(top, tmp_path / "index").changes
    assert (there.added, there.updated) == (1, 0) and there.removed >= held > 0
    switch(tmp_path / "main")
    back = refresh(top, tmp_path / "index").changes
    assert (back.added, back.updated, back.removed) == (there.removed, 0, 1)
    assert index_state(tmp_path / "index") == before


def test_a_saved_synonym_reaches_the_vectors_of_the_modules(tmp_path: Path) -> None:
    """Also by a refresh of the one saved file, and of the file of a subsystem that holds the object."""
    top = copy(tmp_path)
    refresh(top, tmp_path / "index")
    for path in ("Catalogs/Контрагенты.xml", "Subsystems/Продажи.xml"):
        text = (top / path).read_text("utf-8-sig")
        (top / path).write_text(text.replace("<v8:content>", "<v8:content>Разведка месторождений ", 1), "utf-8")
        modules_changed = refresh(top, tmp_path / "index", paths=[path]).changes.updated
        assert modules_changed > 1
        shutil.rmtree(tmp_path / "fresh", ignore_errors=True)
        refresh(top, tmp_path / "fresh")
        found, expected = index_vectors(tmp_path / "index"), index_vectors(tmp_path / "fresh")
        assert found.keys() == expected.keys()
        assert all(abs(found[place] - expected[place]).max() <= 1 for place in expected)
        # nothing is left for a whole pass
        assert rewritten(refresh(top, tmp_path / "index").changes) == (0, 0, 0)


def test_a_kill_between_an_object_and_its_modules_is_made_good(tmp_path: Path) -> None:
    top = copy(tmp_path)
    refresh(top, tmp_path / "index")
    path = top / "Catalogs/Контрагенты.xml"
    path.write_text(path.read_text("utf-8-sig").replace("<v8:content>", "<v8:content>Артель ", 1), "utf-8")
    asked = iter(range(1_000))
    # stopped after the object, as a kill would
    stopped = refresh(top, tmp_path / "index", cancelled=lambda: next(asked) > 1)
    assert stopped.changes.updated and not stopped.complete
    refresh(top, tmp_path / "index")
    refresh(top, tmp_path / "fresh")
    found, expected = index_vectors(tmp_path / "index"), index_vectors(tmp_path / "fresh")
    assert all(abs(found[place] - expected[place]).max() <= 1 for place in expected)
