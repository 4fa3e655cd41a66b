"""What is asked of all folders at once: the places of a call stack."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio

MODULE = "Процедура Первая()\n\tА = 1 / 0;\nКонецПроцедуры\n// Последняя\n"


def configuration(top: Path, name: str, text: str = MODULE) -> Path:
    """Write a configuration of one common module and return its module."""
    module = top / "CommonModules" / name / "Ext" / "Module.bsl"
    module.parent.mkdir(parents=True)
    module.write_text(text, encoding="utf-8")
    (top / "Configuration.xml").write_text(f"<Configuration><Name>{top.name}</Name></Configuration>", encoding="utf-8")
    return module


async def test_only_what_no_folder_has_is_told_to_be_lacking(start: Callable[..., Any], tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    configuration(one, "Склад")
    configuration(other, "Касса")
    editor = await start(one, other)
    await editor.until("ready")
    stack = "{ОбщийМодуль.Склад.Модуль(2)}: а\n{ОбщийМодуль.Касса.Модуль(3)}: б\n"
    answer = await editor.find(stack)
    assert {(hit.owner, hit.line) for hit in answer.hits} == {("ОбщийМодуль.Склад", 2), ("ОбщийМодуль.Касса", 3)}
    assert (answer.route.code, answer.route.names, answer.convincing) == ("place", [], True)
    answer = await editor.find(stack + "{ОбщийМодуль.Касса.Модуль(9)}{ОбщийМодуль.Нет.Модуль(1)}")
    assert (answer.route.code, answer.route.names) == ("no-line", ["ОбщийМодуль.Касса", "4", "ОбщийМодуль.Нет", ""])


async def test_lines_behind_the_code_are_those_of_the_editor(start: Callable[..., Any], tmp_path: Path) -> None:
    module = configuration(tmp_path / "one", "Склад")
    editor = await start(tmp_path / "one")
    await editor.until("ready")
    (hit,) = (await editor.find("{ОбщийМодуль.Склад.Модуль(4)}")).hits
    assert (hit.line, hit.snippet) == (4, "// Последняя")
    beyond = "{ОбщийМодуль.Склад.Модуль(6)}"
    assert (await editor.find(beyond)).route.names == ["ОбщийМодуль.Склад", "4"]
    document = types.TextDocumentItem(module.as_uri(), "bsl", 1, f"{MODULE}//\n// Новая")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    deadline = time.monotonic() + 20
    while (answer := await editor.find(beyond)).route.names:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
    assert [(one.line, one.snippet) for one in answer.hits] == [(6, "// Новая")]
