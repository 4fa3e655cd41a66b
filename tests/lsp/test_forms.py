"""Forms in the editor: context for a chat, the list of forms, lenses, facts as diagnostics."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from support import DEMO, copy_demo

pytestmark = pytest.mark.asyncio

FORM = "Documents/ЗаказПокупателя/Forms/ФормаДокумента/Ext/Form.xml"
MODULE = "Documents/ЗаказПокупателя/Forms/ФормаДокумента/Ext/Form/Module.bsl"
ID = "Документ.ЗаказПокупателя.Форма.ФормаДокумента"


async def ask(editor: Any, method: str, **params: Any) -> Any:
    return await editor.client.protocol.send_request_async(f"bslScout/{method}", params)


@pytest.mark.parametrize("path", [FORM, MODULE])
async def test_the_context_of_a_document(start: Callable[..., Any], path: str) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    found = await ask(editor, "formContext", uri=(DEMO / path).as_uri())
    module = (DEMO / MODULE).read_text(encoding="utf-8-sig")
    assert found.text.startswith("# FORM Document/ЗаказПокупателя/DocumentForm/ФормаДокумента\n## SUMMARY\n{")
    assert found.text.endswith(f"\n## BSL\n{module}")
    assert (found.forms, found.characters, found.warnings) == ([ID], len(found.text), [])
    assert str(DEMO) not in found.text
    cut = await ask(editor, "formContext", forms=[ID], maxChars=5000)
    assert len(cut.text) <= 5000 and cut.leftOutRows > 0 and cut.leftOutProcedures > 0
    assert "## SUMMARY" in cut.text and f"… {cut.leftOutProcedures} of 34 procedures left out: " in cut.text
    structure = await ask(editor, "formContext", forms=[ID], sections=["form", "summary"])
    assert "## BSL" not in structure.text and found.text.startswith(structure.text)


async def test_several_forms_share_a_budget_and_say_what_is_missing(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    other = "Документ.ЗаказПокупателя.Форма.ФормаСписка"
    whole = await ask(editor, "formContext", forms=[ID, other])
    assert whole.text.count("# FORM ") == 2 and "left out" not in whole.text
    budget = len(whole.text) - 3000
    found = await ask(editor, "formContext", forms=[ID, other], maxChars=budget)
    assert len(found.text) <= budget
    assert found.leftOutProcedures > 0 and "procedures left out" in found.text
    small = await ask(editor, "formContext", forms=[ID, other], maxChars=700)
    assert len(small.text) <= 700
    assert small.leftOutForms == [other] and f"… 1 form left out: {other}" in small.text


@pytest.mark.parametrize(
    "params",
    [{}, {"forms": ["Документ.Нет.Форма.Нет"]}, {"forms": [ID], "sections": ["x"]}, {"forms": "x"}, {"forms": [1]}],
)
async def test_wrong_parameters_are_a_clean_error(start: Callable[..., Any], params: dict[str, Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    with pytest.raises(Exception, match=r"form|section|list") as told:
        await ask(editor, "formContext", **params)
    assert "Traceback" not in str(told.value)


async def test_forms_are_found_by_name_and_synonym(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    every = (await ask(editor, "forms")).forms
    assert len(every) == 9
    for query in ("ФормаДокумента", "Заказ покупателя", "документ.зак"):
        found = (await ask(editor, "forms", query=query)).forms
        assert ID in [one.id for one in found], query
        assert found[0].uri.startswith("file:")
    titles = {one.id: one.title for one in every}
    assert titles[ID] == "Заказ покупателя · Форма документа"
    assert titles["ОбщаяФорма.МоиЗадачи"] == "Мои задачи"
    found = (await ask(editor, "forms", query="Мои задачи")).forms
    assert found[0].id == "ОбщаяФорма.МоиЗадачи"


@pytest.mark.parametrize("path", [FORM, MODULE])
async def test_the_form_in_front_goes_first(start: Callable[..., Any], path: str) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    found = await ask(editor, "forms", uri=(DEMO / path).as_uri())
    assert (found.current, found.forms[0].id, len({one.id for one in found.forms})) == (ID, ID, 9)
    assert found.forms[0].title == "Заказ покупателя · Форма документа"
    other = await ask(editor, "forms", uri=(DEMO / "CommonModules/ОбщегоНазначения/Ext/Module.bsl").as_uri())
    assert (other.current, len(other.forms)) == ("", 9)


async def test_lenses_stand_over_handlers(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    document = types.TextDocumentIdentifier((DEMO / MODULE).as_uri())
    found = await editor.client.text_document_code_lens_async(types.CodeLensParams(document))
    titles = {lens.command.title: lens for lens in found}
    lines = (DEMO / MODULE).read_text(encoding="utf-8-sig").split("\n")
    lens = titles["ПриИзменении · Контрагент"]
    assert lines[lens.range.start.line].startswith("Процедура КонтрагентПриИзменении(")
    assert lens.command.command == "bslScout.openHit"
    source = (DEMO / FORM).read_text(encoding="utf-8-sig").split("\n")
    assert "КонтрагентПриИзменении" in source[lens.command.arguments[0]["line"] - 1]
    assert any(title.startswith("Команда · ") for title in titles)
    plain = types.TextDocumentIdentifier((DEMO / "CommonModules/ОбщегоНазначения/Ext/Module.bsl").as_uri())
    assert not await editor.client.text_document_code_lens_async(types.CodeLensParams(plain))


async def test_facts_about_bindings(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    module = top / MODULE
    text = module.read_text(encoding="utf-8-sig")
    module.write_text(text.replace("Процедура КонтрагентПриИзменении(", "Процедура Другая("), encoding="utf-8-sig")
    form = top / FORM
    source = form.read_text(encoding="utf-8-sig")
    form.write_text(source.replace("<DataPath>Объект.Склад<", "<DataPath>НетТакого.Склад<"), encoding="utf-8-sig")
    editor = await start(top)
    await editor.until("ready")
    uri = form.as_uri()
    opened = types.TextDocumentItem(uri, "xml", 1, form.read_text(encoding="utf-8-sig"))
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
    while uri not in editor.client.diagnostics:
        await asyncio.sleep(0.02)
    found = editor.client.diagnostics[uri]
    assert {one.severity for one in found} == {types.DiagnosticSeverity.Information}
    lines = opened.text.split("\n")
    by_code = {one.code: lines[one.range.start.line].strip() for one in found}
    assert "КонтрагентПриИзменении" in by_code["missing"]
    assert by_code["binding"] == "<DataPath>НетТакого.Склад</DataPath>"
    assert len(found) == 2
