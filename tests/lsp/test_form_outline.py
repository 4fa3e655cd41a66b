"""The outline of a form's source: from the text in the editor, for both formats, empty for what is no form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from form_samples import DESIGNER, EDT, SOURCE, dump
from support import DEMO, Write

pytestmark = pytest.mark.asyncio

TREE = ["Панель", "Шапка", "Товары", "Список", "Надпись", "Картинка", "Печать", "Кнопки"]


async def outline(editor: Any, path: Path) -> list[types.DocumentSymbol]:
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(path.as_uri()))
    found = await editor.client.text_document_document_symbol_async(params)
    return list(found)


def all_of(entries: Any) -> Iterator[types.DocumentSymbol]:
    for entry in entries:
        yield entry
        yield from all_of(entry.children or ())


@pytest.mark.parametrize(
    ("locale", "groups"),
    [
        ("ru", ["Элементы", "Реквизиты", "Команды", "Параметры"]),
        ("en", ["Elements", "Attributes", "Commands", "Parameters"]),
    ],
)
async def test_the_panes_of_a_form(start: Callable[..., Any], write: Write, locale: str, groups: list[str]) -> None:
    top = write(dump())
    editor = await start(top, locale=locale)
    await editor.until("ready")
    found = await outline(editor, top / SOURCE)
    assert [entry.name for entry in found] == groups
    elements, attributes, commands, parameters = found
    # an empty command bar is not shown, one with a button is, above its button
    assert [entry.name for entry in elements.children] == TREE
    by_name = {entry.name: entry for entry in all_of(elements.children)}
    assert [entry.name for entry in by_name["Шапка"].children] == ["Покупатель", "Дата"]
    assert [entry.name for entry in by_name["Товары"].children] == [
        "ТоварыПанель", "ТоварыНомер", "ТоварыЦена", "ТоварыФлаг",
    ]  # fmt: skip
    assert [entry.name for entry in by_name["ТоварыПанель"].children] == ["Подбор", "Поиск"]
    buyer = by_name["Покупатель"]
    assert (buyer.detail, buyer.kind) == ("Кому · Объект.Покупатель", types.SymbolKind.Field)
    assert by_name["Товары"].kind == types.SymbolKind.Array
    assert by_name["Подбор"].detail == "Подбор"
    # the tooltip has a handler, so somebody made it
    assert "ПокупательПодсказка" in by_name and "ПокупательМеню" not in by_name
    assert [(entry.name, entry.detail) for entry in attributes.children] == [
        ("Объект", "ДокументОбъект.Заказ"),
        ("Список", "ДинамическийСписок"),
        ("Виды", "Виды цен · СписокЗначений"),
        ("Таблица", "ТаблицаЗначений"),
        ("Печать", None),
    ]
    assert [entry.name for entry in attributes.children[3].children] == ["Сумма"]
    assert [(entry.name, entry.detail) for entry in commands.children] == [("Подбор", "Подобрать"), ("Пустая", None)]
    assert [(entry.name, entry.detail) for entry in parameters.children] == [("Ключ", "ЛюбаяСсылка")]
    lines = DESIGNER.split("\n")
    for entry in all_of(group for one in found for group in one.children):
        assert f'name="{entry.name}"' in lines[entry.selection_range.start.line], entry.name
    for entry in all_of(found):
        for inner in entry.children or ():
            assert entry.range.start.line <= inner.range.start.line <= inner.range.end.line <= entry.range.end.line


async def test_both_formats_give_the_same_outline(start: Callable[..., Any], write: Write) -> None:
    edt = "src/Documents/Заказ/Forms/Форма/Form.form"
    top = write({**dump(), edt: EDT})
    editor = await start(top)
    await editor.until("ready")
    one, other = await outline(editor, top / SOURCE), await outline(editor, top / edt)
    assert [(e.name, e.kind) for e in all_of(one)] != []
    # EDT has the form's command bar at the end of the file; the tree is that of the form all the same
    assert [(e.name, e.detail, e.kind) for e in all_of(other)] == [(e.name, e.detail, e.kind) for e in all_of(one)]


async def test_the_text_of_the_editor_counts_not_the_file(start: Callable[..., Any], write: Write) -> None:
    top = write(dump())
    editor = await start(top)
    await editor.until("ready")
    uri = (top / SOURCE).as_uri()
    changed = DESIGNER.replace('name="Покупатель"', 'name="Получатель"')
    item = types.TextDocumentItem(uri, "xml", 1, f'\ufeff<?xml version="1.0" encoding="UTF-16"?>\n{changed}')
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    names = [entry.name for entry in all_of(await outline(editor, top / SOURCE))]
    assert "Получатель" in names and "Покупатель" not in names
    for version, text in enumerate((changed[:2000], "", "<a/>", "<!DOCTYPE a><a/>", "<a>" * 5000), 2):
        editor.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=version, uri=uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        assert await outline(editor, top / SOURCE) == [], text[:20]


async def test_forms_of_the_demo_have_all_their_elements(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    forms = sorted(DEMO.rglob("Form.xml"))
    assert len(forms) == 9
    for path in forms:
        groups = await outline(editor, path)
        elements, attributes = groups[0], groups[1]
        text = path.read_text(encoding="utf-8-sig")
        assert len(list(all_of(elements.children))) > 3, path
        assert len(attributes.children) == text.count("<Attribute name="), path


async def test_the_outline_follows_the_script_and_puts_the_name_of_a_command_first(
    start: Callable[..., Any], write: Write
) -> None:
    form = DESIGNER.replace("<CommandName>Form.Command.Подбор<", "<CommandName>Document.Заказ.Command.Печать<")
    assert form != DESIGNER
    top = write(dump(form, "English"))
    editor = await start(top)
    await editor.until("ready")
    found = {(entry.name, entry.detail) for entry in all_of(await outline(editor, top / SOURCE))}
    types_told = {("Объект", "DocumentObject.Заказ"), ("Таблица", "ValueTable")}
    assert types_told | {("Записать", "Write"), ("Подбор", "Печать · Document.Заказ.Command")} <= found
