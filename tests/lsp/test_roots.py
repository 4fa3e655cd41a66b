"""The setting that names the folders to look for sources in."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lsp_cursor import Cursor
from support import DEMO

pytestmark = pytest.mark.asyncio


def together(tmp_path: Path) -> Path:
    top = tmp_path / "sources"
    for name in ("demo", "demo_extension"):
        shutil.copytree(DEMO.parent / name, top / name)
    (top / "docs").mkdir()
    return top


WRONG = "; ".join(
    [
        "bslScout.roots: «нет»: нет такой папки",
        "bslScout.roots: «../demo»: это вне папки рабочей области",
        "bslScout.roots: «docs»: там нет исходников 1С",
    ]
)


@pytest.mark.parametrize("by_folder", [False, True])
async def test_only_named_folders_are_indexed_and_wrong_ones_named(
    start: Callable[..., Any], tmp_path: Path, by_folder: bool
) -> None:
    top = together(tmp_path)
    names = ["demo_extension", "нет", "../demo", "docs"]
    other = {"folder": (tmp_path / "other").as_uri(), "paths": ["чужая"]}
    roots: list[Any] = [{"folder": top.as_uri(), "paths": names}, other] if by_folder else names
    editor = await start(top, roots=roots)
    status = await editor.until("ready")
    assert status.message == WRONG
    hits = (await editor.find("скидка")).hits
    assert hits and {hit.root for hit in hits} == {"demo_extension"}
    # the refresh of a part keeps what is said of the whole
    cursor = Cursor(editor, top, "demo_extension/Catalogs/Контрагенты.xml", "<Name>Контрагенты<", "Контр")
    assert await cursor.hover()
    assert editor.statuses[-1].message == WRONG


@pytest.mark.parametrize("roots", ["demo", {"a": 1}, [5], [["demo"]]])
async def test_a_setting_of_another_type_is_told(start: Callable[..., Any], tmp_path: Path, roots: Any) -> None:
    editor = await start(together(tmp_path), roots=roots, locale="en")
    status = await editor.until("ready")
    assert status.indexed > 5
    if roots != "demo":
        assert status.message.endswith("it is no list of names of folders")
