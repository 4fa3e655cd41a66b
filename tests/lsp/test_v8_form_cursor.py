"""Hover, definition and references on forms whose sources are no XML: v8unpack exports and Form.bin."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from form_samples import SOURCE, dump
from lsp_cursor import Cursor
from support import Write
from v8_samples import EXPORT, export, form_bin, managed, ordinary

pytestmark = pytest.mark.asyncio

ELEM, FORM, BSL = (f"{EXPORT}/DocumentForm.{ending}" for ending in ("elem.json", "json", "obj.bsl"))
MODULE = """Процедура ПриОткрытии(Отказ)
\tЭлементы.Один.Видимость = Ложь;
КонецПроцедуры

Процедура ОдинПриИзменении(Элемент)
\tВыбор = Неопределено; // Элементы.Один
КонецПроцедуры

Процедура ЗаполнитьТовары(Выбор)
\tСообщить(Выбор);
КонецПроцедуры
"""


async def test_a_managed_form_of_an_export(start: Callable[..., Any], write: Write) -> None:
    top = write(export(managed(), MODULE))
    editor = await start(top)
    await editor.until("ready")

    element = Cursor(editor, top, ELEM, '"name": "Один"', "Один")
    card = await element.hover()
    assert card is not None and card.startswith("**Один: Field**")
    assert "**Связан с:** Выбор (attribute-id)" in card
    assert "ПриИзменении (OnChange) → ОдинПриИзменении:5" in card
    assert await element.definition() == [(ELEM, '"name": "Выбор",')]
    places = await element.references()
    assert places == [(ELEM, '"Группа/Один": {'), (BSL, "Элементы.Один.Видимость = Ложь;")]

    handler = Cursor(editor, top, ELEM, '"\\"ОдинПриИзменении\\""', "ОдинПриИзменении")
    card = await handler.hover()
    assert card is not None and "**Обрабатывает:** ПриИзменении (OnChange) · Один (Field)" in card
    assert await handler.definition() == [(BSL, "Процедура ОдинПриИзменении(Элемент)")]
    event = Cursor(editor, top, ELEM, '"fe115cc8-9e33-4684-a166-bd5136fe7a9f"', "9e33")
    assert await event.hover() == card
    opened = Cursor(editor, top, FORM, '"\\"ПриОткрытии\\""', "ПриОткрытии")
    assert await opened.definition() == [(BSL, "Процедура ПриОткрытии(Отказ)")]

    command = Cursor(editor, top, ELEM, '"name": "Заполнить"', "Заполнить")
    card = await command.hover()
    assert card is not None and "ЗаполнитьТовары:9" in card
    assert await command.definition() == [(BSL, "Процедура ЗаполнитьТовары(Выбор)")]

    declared = Cursor(editor, top, BSL, "Процедура ОдинПриИзменении", "Один")
    card = await declared.hover()
    assert card is not None and "**Обрабатывает:** ПриИзменении (OnChange) · Один (Field)" in card
    assert await declared.references() == [(ELEM, '"\\"ОдинПриИзменении\\"",')]
    assert await Cursor(editor, top, BSL, "Процедура ПриОткрытии", "При").references() == [
        (FORM, '"\\"ПриОткрытии\\"",')
    ]
    assert await Cursor(editor, top, BSL, "Процедура ЗаполнитьТовары", "Зап").references() == [
        (ELEM, '"name": "Заполнить",')
    ]
    used = Cursor(editor, top, BSL, "Элементы.Один.", "Один")
    card = await used.hover()
    assert card is not None and card.startswith("**Один: Field**")
    assert await used.definition() == [(ELEM, '"Группа/Один": {')]
    assert await used.references() == places

    attribute = Cursor(editor, top, BSL, "Выбор = Неопределено", "Выбор")
    card = await attribute.hover()
    assert card is not None and "**Элементы:** Один: Выбор" in card
    assert await attribute.references() == [
        (ELEM, '"name": "Выбор",'), (ELEM, '"Группа/Один": {'), (BSL, "Выбор = Неопределено; // Элементы.Один"),
    ]  # fmt: skip
    # a parameter of the same name is not the attribute
    own = Cursor(editor, top, BSL, "Сообщить(Выбор)", "Выбор")
    assert (await own.hover(), await own.definition(), await own.references()) == (None, [], [])


async def test_an_ordinary_form_of_an_export(start: Callable[..., Any], write: Write) -> None:
    module = (
        "Процедура КлиентПриИзменении(Элемент)\n\tЭлементыФормы.ПолеКлиента.Видимость = Ложь;\n"
        "\tЭлементы.ПолеКлиента.Видимость = Ложь;\nКонецПроцедуры\n"
    )
    top = write(export(ordinary(), module))
    editor = await start(top)
    await editor.until("ready")
    used = Cursor(editor, top, BSL, "ЭлементыФормы.ПолеКлиента", "ПолеКлиента")
    card = await used.hover()
    assert card is not None and "**Связан с:** ДокументОбъект.Клиент" not in card
    assert "КлиентПриИзменении:1" in card and "связан с полем 00000000-0000-4000-8000-000000000003" in card
    ((path, line),) = await used.definition()
    assert (path, line) == (ELEM, '"Страница1/Панель/Внутри/ПолеКлиента": {')
    assert (BSL, "ЭлементыФормы.ПолеКлиента.Видимость = Ложь;") in await used.references()
    assert await Cursor(editor, top, BSL, "\tЭлементы.ПолеКлиента", "ПолеКлиента").hover() is None
    declared = Cursor(editor, top, BSL, "Процедура КлиентПриИзменении", "Клиент")
    assert (ELEM, '"\\"КлиентПриИзменении\\"",') in await declared.references()


async def test_a_form_bin_with_its_module_inside(start: Callable[..., Any], write: Write) -> None:
    binary = SOURCE.replace("Form.xml", "Form.bin")
    files = {name: data for name, data in dump().items() if name != SOURCE and not name.endswith(".bsl")}
    top = write({**files, binary: form_bin("Процедура КлиентПриИзменении(Элемент)\nКонецПроцедуры\n")})
    editor = await start(top)
    await editor.until("ready")
    uri = (top / binary).as_uri()
    document, at = types.TextDocumentIdentifier(uri), types.Position(0, 0)
    client = editor.client
    # what nobody has opened is bytes that are no text
    assert await client.text_document_hover_async(types.HoverParams(document, at)) is None
    assert not await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    text = (top / binary).read_bytes().decode("utf-8", errors="replace")
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "binary", 1, text)))
    lines = text.splitlines()
    line = next(i for i, one in enumerate(lines) if "КлиентПриИзменении" in one)
    at = types.Position(line, lines[line].index("КлиентПриИзменении") + 2)
    card = await client.text_document_hover_async(types.HoverParams(document, at))
    assert "**Обрабатывает:** ПриИзменении (OnChange) · ПолеКлиента" in card.contents.value.replace("\\", "")
    assert not await client.text_document_definition_async(types.DefinitionParams(document, at))
    context = types.ReferenceContext(False)
    assert not await client.text_document_references_async(types.ReferenceParams(context, document, at))


async def test_a_form_bin_with_its_module_beside(start: Callable[..., Any], write: Write) -> None:
    binary, bsl = SOURCE.replace("Form.xml", "Form.bin"), SOURCE.replace("Form.xml", "Form/Module.bsl")
    files = {name: data for name, data in dump().items() if name != SOURCE}
    code = "Процедура КлиентПриИзменении(Элемент)\n\tСвободное = ЭлементыФормы.Номер.Значение;\nКонецПроцедуры\n"
    top = write({**files, binary: form_bin(None), bsl: code})
    editor = await start(top)
    await editor.until("ready")
    declared = Cursor(editor, top, bsl, "Процедура КлиентПриИзменении", "Клиент")
    card = await declared.hover()
    assert card is not None and "**Обрабатывает:** ПриИзменении (OnChange) · ПолеКлиента" in card
    used = Cursor(editor, top, bsl, "ЭлементыФормы.Номер", "Номер")
    card = await used.hover()
    assert card is not None and card.startswith("**Номер: ")
    # a Form.bin has no lines to lead to
    assert await used.definition() == []
    assert await used.references() == [(bsl, "Свободное = ЭлементыФормы.Номер.Значение;")]
    document = types.TextDocumentIdentifier((top / bsl).as_uri())
    (lens,) = await editor.client.text_document_code_lens_async(types.CodeLensParams(document))
    assert (lens.command.title, lens.command.command) == ("ПриИзменении · ПолеКлиента", "")


@pytest.mark.corpora
async def test_a_form_of_a_real_export(start: Callable[..., Any], corpora: Path, tmp_path: Path) -> None:
    source = corpora / "v8unpack_samples" / "Quvgard+1C_BreweryCRM" / "b75b25e4_1Cv8.cf"
    top = tmp_path / "export"
    for folder in ("Document/Заказы", "Catalog/МаршрутыДоставок", "Enum"):
        shutil.copytree(source / folder, top / folder)
    shutil.copy(source / "Configuration.json", top)
    editor = await start(top)
    await editor.until("ready")
    folder = "Document/Заказы/DocumentForm/ФормаДокумента/DocumentForm"
    element = Cursor(editor, top, f"{folder}.elem.json", '"name": "СпособДоставки"', "Способ")
    card = await element.hover()
    assert card is not None and "**Связан с:** Объект.СпособДоставки (metadata-uuid)" in card
    assert "**Тип:** ПеречислениеСсылка.СпособыДоставки" in card
    ((path, _),) = await element.definition()
    assert path == "Document/Заказы/Document.json"
    used = Cursor(editor, top, f"{folder}.obj.bsl", "Элементы.Маршрут.", "Маршрут")
    card = await used.hover()
    assert card is not None and card.startswith("**Маршрут: Field**")
    ((path, line),) = await used.definition()
    assert path == f"{folder}.elem.json" and line.endswith('Маршрут": {')
    assert len(await used.references()) == 3
    both = Cursor(editor, top, f"{folder}.obj.bsl", "Процедура СоставЗаказаКоличествоЦена", "Состав")
    card = await both.hover()
    assert card is not None and card.count("OnChange") == 3
    assert [path for path, _ in await both.references()] == [f"{folder}.elem.json"] * 3
    opened = Cursor(editor, top, f"{folder}.obj.bsl", "Процедура ПриОткрытии", "При")
    assert await opened.references() == [(f"{folder}.json", '"\\"ПриОткрытии\\"",')]
