"""Sources that are out of reach are not taken for deleted ones."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from bsl_scout.index.indexer import refresh
from support import copy_demo, index_state

MODULE = "CommonModules/ПечатьДокументов/Ext/Module.bsl"


def drop(top: Path, how: str) -> None:
    """Put a folder out of reach: it is gone, bare, or holds only what is no source."""
    top.rename(top.with_name("away"))
    if how != "gone":
        top.mkdir()
    if how == "other files":
        (top / ".git").mkdir()
        (top / "README.md").write_text("x", encoding="utf-8")


@pytest.mark.parametrize("paths", [None, [MODULE]], ids=["everything", "a part"])
@pytest.mark.parametrize("how", ["gone", "bare"])
def test_what_cannot_be_reached_is_kept(tmp_path: Path, how: str, paths: list[str] | None) -> None:
    top = copy_demo(tmp_path / "sources")
    refresh(top, tmp_path / "index")
    before = index_state(tmp_path / "index")
    drop(top, how)
    with pytest.raises(OSError) as told:
        refresh(top, tmp_path / "index", paths=paths)
    assert str(tmp_path) not in (told.value.strerror or "")
    assert index_state(tmp_path / "index") == before


def test_a_folder_without_any_source_is_emptied_by_a_rebuild_only(tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "sources")
    refresh(top, tmp_path / "index")
    before = index_state(tmp_path / "index")
    drop(top, "other files")
    with pytest.raises(OSError, match="kept until it is made anew"):
        refresh(top, tmp_path / "index")
    assert index_state(tmp_path / "index") == before
    report = refresh(top, tmp_path / "index", rebuild=True)
    assert (report.files, report.objects) == (0, 0)
    # once that is so, it is nothing to tell of
    assert refresh(top, tmp_path / "index").files == 0


def test_a_choice_of_other_folders_is_no_loss(tmp_path: Path) -> None:
    top = tmp_path / "sources"
    copy_demo(top / "demo")
    refresh(top, tmp_path / "index")
    report = refresh(top, tmp_path / "index", chosen=["нет такой"])
    assert (report.files, [one.reason for one in report.wrong_roots]) == (0, ["absent"])


def test_a_chosen_folder_that_drops_is_kept(tmp_path: Path) -> None:
    top = tmp_path / "sources"
    copy_demo(top / "demo")
    refresh(top, tmp_path / "index", chosen=["demo"])
    before = index_state(tmp_path / "index")
    (top / "demo").rename(tmp_path / "away")
    with pytest.raises(OSError, match="gone"):
        refresh(top, tmp_path / "index", chosen=["demo"])
    assert index_state(tmp_path / "index") == before


def test_a_folder_that_cannot_be_listed_keeps_what_is_known_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = copy_demo(tmp_path / "sources")
    before = refresh(top, tmp_path / "index")
    real = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "CommonModules":
            raise OSError(5, "Input/output error", str(path))
        return real(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refuse)
        report = refresh(top, tmp_path / "index")
    assert ("CommonModules", "folder not read: Input/output error") in {(p.path, p.message) for p in report.problems}
    assert (report.files, report.changes.removed) == (before.files, 0)
    # one that is gone is another matter
    shutil.rmtree(top / "CommonModules")
    assert refresh(top, tmp_path / "index").changes.removed > 0


def test_sources_that_drop_during_a_pass_end_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = copy_demo(tmp_path / "sources")
    refresh(top, tmp_path / "index")
    before = index_state(tmp_path / "index")
    for path in top.rglob("*.bsl"):
        path.write_text(path.read_text(encoding="utf-8-sig") + "// конец\n", encoding="utf-8")
    read = Path.read_bytes

    def drop_at_first(path: Path) -> bytes:
        if not top.with_name("away").exists():
            drop(top, "bare")
        return read(path)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", drop_at_first)
        with pytest.raises(OSError, match="gone"):
            refresh(top, tmp_path / "index")
    assert index_state(tmp_path / "index") == before
