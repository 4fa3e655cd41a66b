"""The developer's commands: what they keep between runs stays what it was."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

import dev

MODULE = "corpus/CommonModules/Общий/Ext/Module.bsl"


def archive_of(folder: Path) -> Path:
    """Return a corpus archive with one module."""
    source = folder / "source" / MODULE
    source.parent.mkdir(parents=True)
    source.write_text("Процедура Первая()\nКонецПроцедуры\n", encoding="utf-8")
    archive = folder / "corpus.tar.xz"
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder / "source" / "corpus", "corpus")
    return archive


def tree(folder: Path) -> dict[str, bytes]:
    """Return the bytes of the files below `folder` by their relative paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def edit(cache: Path) -> None:
    """Append to the module, as a benchmark of saves does."""
    with (cache / MODULE).open("a", encoding="utf-8") as file:
        file.write("Процедура Вторая()\nКонецПроцедуры\n")


def add(cache: Path) -> None:
    """Leave a file that the archive does not have."""
    (cache / MODULE).with_name("Other.bsl").write_text("", encoding="utf-8")


def remove(cache: Path) -> None:
    """Delete the module."""
    (cache / MODULE).unlink()


def break_off(cache: Path) -> None:
    """Leave what an unpacking that was killed leaves: a part of the files and no stamp."""
    remove(cache)
    for stamp in cache.glob(".corpus*"):
        stamp.unlink()


@pytest.mark.parametrize("change", [edit, add, remove, break_off])
def test_a_changed_corpus_is_unpacked_again(tmp_path: Path, change: Callable[[Path], None]) -> None:
    archive, cache = archive_of(tmp_path), tmp_path / "cache"
    cache.mkdir()
    dev.unpack(archive, cache)
    unpacked = tree(cache)
    assert list(unpacked) == [MODULE]
    change(cache)
    dev.unpack(archive, cache)
    assert tree(cache) == unpacked


def test_an_unchanged_corpus_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive, cache = archive_of(tmp_path), tmp_path / "cache"
    cache.mkdir()
    dev.unpack(archive, cache)
    dev.unpack(archive, cache)
    assert capsys.readouterr().err.count("unpacking") == 1
