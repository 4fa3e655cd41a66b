"""Hover, definition and references between a form's source, its module and the metadata."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lsp_cursor import Cursor
from support import DEMO, REPOSITORY

pytestmark = pytest.mark.asyncio

FORM = "Documents/ЗаказПокупателя/Forms/ФормаДокумента/Ext/Form.xml"
MODULE = "Documents/ЗаказПокупателя/Forms/ФормаДокумента/Ext/Form/Module.bsl"
EDT = REPOSITORY / "tests" / "fixtures" / "demo_edt"
EDT_FORM = "src/Documents/ЗаказПокупателя/Forms/ФормаДокумента/Form.form"
EDT_MODULE = "src/Documents/ЗаказПокупателя/Forms/ФормаДокумента/Module.bsl"


@pytest.mark.parametrize(
    ("top", "form", "module", "path", "event"),
    [
        (DEMO, FORM, MODULE, "<DataPath>Объект.Контрагент</DataPath>", ">КонтрагентПриИзменении<"),
        (EDT, EDT_FORM, EDT_MODULE, "<segments>Объект.Контрагент</segments>", "<name>КонтрагентПриИзменении<"),
    ],
    ids=["designer", "edt"],
)
async def test_from_an_element_to_metadata_and_handler_and_back(
    start: Callable[..., Any], top: Path, form: str, module: str, path: str, event: str
) -> None:
    editor = await start(top)
    await editor.until("ready")
    bound = Cursor(editor, top, form, path, "Контрагент")
    card = await bound.hover()
    assert card is not None
    assert "Контрагент: ПолеВвода" in card
    assert "**Связан с:** Объект.Контрагент (путь написан в исходнике)" in card
    assert "**Тип:** СправочникСсылка.Контрагенты" in card
    assert "ПриИзменении (OnChange) → КонтрагентПриИзменении" in card
    assert "Документ.ЗаказПокупателя.Реквизит.Контрагент" in card
    links = {text.partition(":")[0]: (target, line) for text, target, line in await bound.links()}
    assert links["КонтрагентПриИзменении"] == (module, "Процедура КонтрагентПриИзменении(Элемент)")
    ((target, line),) = await bound.definition()
    assert Path(target).stem == "ЗаказПокупателя"
    assert line.lower().startswith("<attribute")

    handler = Cursor(editor, top, form, event, "КонтрагентПриИзменении")
    ((target, line),) = await handler.definition()
    assert (target, line) == (module, "Процедура КонтрагентПриИзменении(Элемент)")
    declared = Cursor(editor, top, module, "Процедура КонтрагентПриИзменении(", "Контрагент")
    card = await declared.hover()
    assert card is not None and "**Обрабатывает:** ПриИзменении (OnChange) · Контрагент (ПолеВвода)" in card
    ((target, line),) = await declared.references()
    assert target == form
    assert "КонтрагентПриИзменении" in line or "OnChange" in line or "<handlers>" in line


CATALOG_FORM = "Catalogs/Контрагенты/Forms/ФормаЭлемента/Ext/Form.xml"
CATALOG_MODULE = "Catalogs/Контрагенты/Forms/ФормаЭлемента/Ext/Form/Module.bsl"


async def test_paths_are_told_in_the_language_of_the_configuration(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    attribute = await Cursor(editor, DEMO, CATALOG_MODULE, "Объект.Ссылка", "Объект").hover()
    element = await Cursor(editor, DEMO, CATALOG_FORM, "<DataPath>Объект.Code</DataPath>").hover()
    assert attribute is not None and element is not None
    assert "- Наименование: Объект.Наименование\n" in attribute and "- Код: Объект.Код\n" in attribute
    assert "Объект.Code" not in attribute and "Объект.Description" not in attribute
    assert "**Связан с:** Объект.Код (" in element


async def test_names_in_the_module(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    text = (DEMO / MODULE).read_text(encoding="utf-8-sig")
    at = next(part for part in text.split() if part.startswith("Элементы."))
    name = at.split(".")[1].strip(";()")
    element = Cursor(editor, DEMO, MODULE, f"Элементы.{name}", name)
    card = await element.hover()
    assert card is not None and card.startswith(f"**{name}: ")
    ((target, line),) = await element.definition()
    assert target == FORM and f'name="{name}"' in line
    places = await element.references()
    assert (FORM, line) in places
    assert any(path == MODULE and f"Элементы.{name}" in code for path, code in places)

    field = Cursor(editor, DEMO, MODULE, "Объект.ВидЦены", "ВидЦены")
    card = await field.hover()
    assert card is not None and "Документ.ЗаказПокупателя.Реквизит.ВидЦены" in card
    assert "**Элементы:** ВидЦены (ПолеВвода)" in card
    ((target, _),) = await field.definition()
    assert target == "Documents/ЗаказПокупателя.xml"


async def test_a_command_leads_to_its_procedure(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    button = Cursor(editor, DEMO, FORM, "<CommandName>Form.Command.Зарезервировать</CommandName>", "Зарезервировать")
    card = await button.hover()
    assert card is not None and "**Команда:** Form.Command.Зарезервировать" in card
    ((target, line),) = await button.definition()
    assert target == MODULE and line.startswith("Процедура Зарезервировать")
