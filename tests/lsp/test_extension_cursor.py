"""From an extension to its base configuration and back, in the editor."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from bsl_scout.configuration import extensions
from bsl_scout.configuration.layout import walk
from bsl_scout.features.changes import Made
from bsl_scout.features.hover import Card
from bsl_scout.lsp.cards import procedure_markdown
from lsp_cursor import Cursor
from support import DEMO

pytestmark = pytest.mark.asyncio

FORMATS = [("demo", "demo_extension", "Ext/"), ("demo_edt", "demo_extension_edt", "")]
BOTH = pytest.mark.parametrize(("base", "extension", "inner"), FORMATS, ids=["designer", "edt"])


def together(tmp_path: Path, *names: str) -> Path:
    top = tmp_path / "sources"
    for name in names:
        shutil.copytree(DEMO.parent / name, top / name)
    return top


def module(root: str, path: str, inner: str, name: str = "Module.bsl") -> str:
    return f"{root}/{'' if inner else 'src/'}{path}/{inner}{name}"


@BOTH
async def test_from_an_extension_to_what_it_changes_and_back(
    start: Callable[..., Any], tmp_path: Path, base: str, extension: str, inner: str
) -> None:
    top = together(tmp_path, base, extension)
    editor = await start(top)
    await editor.until("ready")
    of_base = module(base, "CommonModules/ПродажиСервер", inner)
    of_extension = module(extension, "CommonModules/ПродажиСервер", inner)

    changing = Cursor(editor, top, of_extension, "Функция кс_СкидкаПоОбъему", "кс_Скидка")
    hover = await changing.hover()
    names = roots(top)
    expected = (
        f"**Изменяет:** &Вместо СкидкаПоОбъему — ОбщийМодуль.ПродажиСервер · {names[base]} (объект найден по uuid)"
    )
    assert hover and expected in hover, hover

    annotation = Cursor(editor, top, of_extension, '&Вместо("СкидкаПоОбъему")', "СкидкаПоОбъему")
    ((path, line),) = await annotation.definition()
    assert (path, line[:22]) == (of_base, "Функция СкидкаПоОбъему")
    hover = await annotation.hover()
    assert hover and f"**Изменена расширением:** {names[extension]}: &Вместо кс_СкидкаПоОбъему" in hover, hover

    changed = Cursor(editor, top, of_base, "Функция СкидкаПоОбъему", "СкидкаПоОбъему")
    hover = await changed.hover()
    assert hover and f"**Изменена расширением:** {names[extension]}: &Вместо кс_СкидкаПоОбъему" in hover, hover
    assert (of_extension, "Функция кс_СкидкаПоОбъему(Контрагент, СуммаЗаказа) Экспорт") in await changed.references()

    gone = Cursor(editor, top, of_extension, '&После("ПересчитатьБонусы")', "ПересчитатьБонусы")
    assert await gone.definition() == []
    hover = await gone.hover()
    assert hover and "&После ПересчитатьБонусы — неизвестно, что именно: в модуле основной" in hover, hover


def roots(top: Path) -> dict[str, str]:
    return {root.id: root.name for root in walk(top).roots}


@BOTH
@pytest.mark.parametrize(
    ("path", "name", "annotation", "changing"),
    [
        ("Documents/ЗаказПокупателя", "ObjectModule.bsl", "ОбработкаПроведения", "&Перед кс_ОбработкаПроведения"),
        ("Documents/ЗаказПокупателя", "ObjectModule.bsl", "ДобавитьЭтап", "&ИзменениеИКонтроль кс_ДобавитьЭтап"),
        ("Catalogs/Контрагенты", "ObjectModule.bsl", "ПередЗаписью", "&После кс_ПередЗаписью"),
    ],
)
async def test_every_kind_of_change(
    start: Callable[..., Any],
    tmp_path: Path,
    base: str,
    extension: str,
    inner: str,
    path: str,
    name: str,
    annotation: str,
    changing: str,
) -> None:
    top = together(tmp_path, base, extension)
    editor = await start(top)
    await editor.until("ready")
    own = module(extension, path, inner, name)
    cursor = Cursor(editor, top, own, f'("{annotation}")', annotation)
    ((place, line),) = await cursor.definition()
    assert place == module(base, path, inner, name)
    assert annotation in line
    hover = await cursor.hover()
    assert hover and changing in hover, hover


@BOTH
async def test_cards_of_adopted_objects_and_of_their_bases(
    start: Callable[..., Any], tmp_path: Path, base: str, extension: str, inner: str
) -> None:
    top = together(tmp_path, base, extension)
    names = roots(top)
    editor = await start(top)
    await editor.until("ready")
    place = "Catalogs/Контрагенты.xml" if inner else "src/Catalogs/Контрагенты/Контрагенты.mdo"
    tag = "<Name>Контрагенты<" if inner else "<name>Контрагенты<"
    of_base = await Cursor(editor, top, f"{base}/{place}", tag, "Контрагенты").hover()
    assert of_base and f"**Расширен в:** {names[extension]}" in of_base, of_base
    adopted = await Cursor(editor, top, f"{extension}/{place}", tag, "Контрагенты").hover()
    assert adopted and f"**Расширяет:** Справочник.Контрагенты · {names[base]}" in adopted, adopted


async def test_an_extension_without_a_base_tells_why(start: Callable[..., Any], tmp_path: Path) -> None:
    top = together(tmp_path, "demo_extension")
    editor = await start(top, locale="en")
    await editor.until("ready")
    path = module("demo_extension", "CommonModules/ПродажиСервер", "Ext/")
    hover = await Cursor(editor, top, path, '&Вместо("СкидкаПоОбъему")', "СкидкаПоОбъему").hover()
    assert hover and "**Changes:** &Around СкидкаПоОбъему — what exactly is not known: no base" in hover, hover
    card = await Cursor(editor, top, "demo_extension/Catalogs/Контрагенты.xml", "<Name>Контрагенты<", "Контр").hover()
    assert card and "**Adopted, but what from is not known:** no base configuration is opened" in card, card


async def test_an_edit_of_the_base_is_followed(start: Callable[..., Any], tmp_path: Path) -> None:
    top = together(tmp_path, "demo", "demo_extension")
    editor = await start(top)
    await editor.until("ready")
    of_base = top / module("demo", "CommonModules/ПродажиСервер", "Ext/")
    text = of_base.read_text(encoding="utf-8-sig")
    of_base.write_text(text + "\nПроцедура ПересчитатьБонусы(Заказ)\nКонецПроцедуры\n", encoding="utf-8-sig")
    changes = [types.FileEvent(of_base.as_uri(), types.FileChangeType.Changed)]
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
    await editor.found("ПересчитатьБонусы", "ПересчитатьБонусы")
    path = module("demo_extension", "CommonModules/ПродажиСервер", "Ext/")
    cursor = Cursor(editor, top, path, '&После("ПересчитатьБонусы")', "ПересчитатьБонусы")
    ((place, _),) = await cursor.definition()
    assert place == of_base.relative_to(top).as_posix()


async def test_every_reason_has_a_text_in_both_languages() -> None:
    named = ((name, value) for name, value in vars(extensions).items() if name.isupper() and name[0] != "_")
    reasons = [value for _, value in named if isinstance(value, str)]
    for reason in reasons:
        made = Made("around", "В", reason=reason)
        texts = [procedure_markdown(Card("А", "", "Б", (), (made,)), locale) for locale in ("ru", "en")]
        assert reason in texts[1] and reason not in texts[0]
    assert len(reasons) == 10
