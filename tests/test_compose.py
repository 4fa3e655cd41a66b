"""The configurations of the benchmarks are made alike each time, and are whole."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import compose
from bsl_scout.index.indexer import refresh

DEMO = Path(__file__).resolve().parent / "fixtures" / "demo"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_copies_differ_and_are_the_same_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # in a demo of a few modules hardly a word is rare
    monkeypatch.setattr(compose, "COMMON", 1.0)
    for source in compose.SOURCES:
        shutil.copytree(DEMO, tmp_path / "corpora" / source)
    for name in ("one", "two"):
        compose.compose(tmp_path / "corpora", tmp_path / name, 100_000)
    one = contents(tmp_path / "one")
    assert one == contents(tmp_path / "two")
    once = refresh(DEMO, tmp_path / "index of one copy", vectors=False)
    report = refresh(tmp_path / "one", tmp_path / "index", vectors=False)
    listed = re.findall(r"^\t\t\t<(\w+)>", one["Configuration.xml"].decode().partition("<ChildObjects>")[2], re.M)
    # four copies under names of their own, languages and what is called as the platform calls something once
    assert 3.5 * once.objects < report.objects < 4 * once.objects
    assert 3.5 * once.procedures < report.procedures <= 4 * once.procedures
    assert len(listed) <= report.objects
    # nothing listed is absent, no name or uuid is there twice
    assert report.problems == []
    modules = [data for path, data in one.items() if path.endswith(".bsl") and b"\n" in data]
    assert len(set(modules)) > 0.9 * len(modules)
