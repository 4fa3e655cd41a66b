"""Hover, definition, references and outline on names of metadata, in code and in XML sources."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from lsp_cursor import Cursor
from support import DEMO, copy_demo

pytestmark = pytest.mark.asyncio

SUBSCRIPTION = "EventSubscriptions/ЗапретИзмененияДокументов.xml"
SERVICE = "HTTPServices/СайтAPI.xml"


def module(top: Path, code: str) -> str:
    path = top / "CommonModules/ПробаКурсора/Ext/Module.bsl"
    path.parent.mkdir(parents=True)
    path.write_text(f"Процедура Проба()\n{code}\nКонецПроцедуры\n", encoding="utf-8")
    return path.relative_to(top).as_posix()


NAMES = [
    ("А = Справочники.Контрагенты.ПустаяСсылка();", "Контрагенты", "Справочник.Контрагенты", "<Catalog uuid"),
    ("А = Catalogs.Контрагенты.EmptyRef();", "Catalogs", "Справочник.Контрагенты", "<Catalog uuid"),
    ('А = Тип("СправочникСсылка.Контрагенты");', "СправочникСсылка", "Справочник.Контрагенты", "<Catalog uuid"),
    ('А = Type("CatalogRef.Контрагенты");', "Контрагенты", "Справочник.Контрагенты", "<Catalog uuid"),
    ("А = Метаданные.Документы.ЗаказПокупателя;", "ЗаказПокупателя", "Документ.ЗаказПокупателя", "<Document uuid"),
    (
        'А = "Документ.ЗаказПокупателя.Товары КАК Т";',
        "Товары",
        "Документ.ЗаказПокупателя.ТабличнаяЧасть.Товары",
        "<Tab",
    ),
    ("Б = ДОКУМЕНТЫ.заказпокупателя;", "заказ", "Документ.ЗаказПокупателя", "<Document uuid"),
    ("Х = РегистрыСведений.КурсыВалют.СоздатьНаборЗаписей();", "Курсы", "РегистрСведений.КурсыВалют", "<Inform"),
    ("ОбщегоНазначения.Нечто();", "ОбщегоНазначения", "ОбщийМодуль.ОбщегоНазначения", "<CommonModule uuid"),
    ("А = Перечисления.СтатусыЗаказов.ПустаяСсылка();", "Статусы", "Перечисление.СтатусыЗаказов", "<Enum uuid"),
    ("А = Справочники.НетТакого.ПустаяСсылка();", "НетТакого", None, None),
    ("А = Контрагенты.Имя;", "Контрагенты", None, None),
    ("А = Справочники;", "Справочники", None, None),
]


async def test_names_in_code(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    path = module(top, "\n".join(code for code, *_ in NAMES))
    editor = await start(top)
    await editor.until("ready")
    for code, at, name, place in NAMES:
        cursor = Cursor(editor, top, path, code, at)
        hover, places = await cursor.hover(), await cursor.definition()
        if name is None:
            assert (hover, places) == (None, []), code
            continue
        assert hover is not None and hover.startswith(f"**{name}**"), (code, hover)
        ((_, line),) = places
        assert line.startswith(str(place)), code


async def test_the_card_of_an_object_tells_fields_forms_modules_and_users(
    start: Callable[..., Any], tmp_path: Path
) -> None:
    top = copy_demo(tmp_path / "demo")
    path = module(top, "А = Документы.ЗаказПокупателя;")
    editor = await start(top)
    await editor.until("ready")
    card = await Cursor(editor, top, path, "ЗаказПокупателя").hover()
    assert card is not None
    for expected in (
        "«Заказ покупателя»",
        "Реквизит Контрагент: СправочникСсылка.Контрагенты",
        "ТабличнаяЧасть Товары",
        "Реквизит Товары.",
        "ФормаДокумента",
        "- модуль объекта",
        "- модуль формы: Форма.ФормаДокумента",
        "ПодпискаНаСобытие.ЗапретИзмененияДокументов «Запрет изменения документов закрытого периода»",
        "- Подсистема.Продажи",
    ):
        assert expected in card, card


async def test_a_card_leads_to_the_procedures_that_an_object_names(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    codes = {
        "Метаданные.ПодпискиНаСобытия.ЗапретИзмененияДокументов": (
            "ОбщийМодуль.ОбщегоНазначения.ПроверитьЗапретИзменения",
            "CommonModules/ОбщегоНазначения/Ext/Module.bsl",
            "Процедура ПроверитьЗапретИзменения(",
        ),
        "Метаданные.РегламентныеЗадания.СнятиеРезервов": (
            "ОбщийМодуль.СкладскойУчет.СнятьПросроченныеРезервы",
            "CommonModules/СкладскойУчет/Ext/Module.bsl",
            "Процедура СнятьПросроченныеРезервы(",
        ),
    }
    path = module(top, "\n".join(f"А = {code};" for code in codes))
    editor = await start(top)
    await editor.until("ready")
    for code, (name, target, heading) in codes.items():
        cursor = Cursor(editor, top, path, code, code.rpartition(".")[2])
        ((text, where, line),) = await cursor.links()
        assert (text, where) == (name, target) and line.startswith(heading)


async def test_types_are_written_in_the_script_of_the_configuration(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    path = module(top, "А = Документы.ЗаказПокупателя;")
    file = top / "Configuration.xml"
    text = file.read_text(encoding="utf-8-sig")
    assert "<ScriptVariant>Russian<" in text
    file.write_text(text.replace("<ScriptVariant>Russian<", "<ScriptVariant>English<"), encoding="utf-8")
    editor = await start(top)
    await editor.until("ready")
    card = await Cursor(editor, top, path, "ЗаказПокупателя").hover()
    assert card is not None and "Реквизит Контрагент: CatalogRef.Контрагенты" in card


async def test_from_a_subscription_to_its_handler_and_back(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    handler = Cursor(editor, DEMO, SUBSCRIPTION, "ОбщегоНазначения.ПроверитьЗапретИзменения", "Проверить")
    ((path, line),) = await handler.definition()
    assert path == "CommonModules/ОбщегоНазначения/Ext/Module.bsl"
    assert line.startswith("Процедура ПроверитьЗапретИзменения(")
    hover = await handler.hover()
    assert hover and "ПроверитьЗапретИзменения" in hover
    assert "**Вызывается из:** ПодпискаНаСобытие.ЗапретИзмененияДокументов" in hover
    back = Cursor(editor, DEMO, path, "Процедура ПроверитьЗапретИзменения(", "Проверить")
    expected = "<Handler>CommonModule.ОбщегоНазначения.ПроверитьЗапретИзменения</Handler>"
    assert await back.references() == [(SUBSCRIPTION, expected)]
    ((path, line),) = await Cursor(
        editor, DEMO, SUBSCRIPTION, "cfg:DocumentObject.РеализацияТоваров", "Реализация"
    ).definition()
    assert (path, line[:9]) == ("Documents/РеализацияТоваров.xml", "<Document")


async def test_a_service_names_procedures_of_its_own_module(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    text = (DEMO / SERVICE).read_text(encoding="utf-8-sig")
    name = text.split("<Handler>")[1].split("<")[0]
    ((path, line),) = await Cursor(editor, DEMO, SERVICE, f"<Handler>{name}<", name).definition()
    assert path == "HTTPServices/СайтAPI/Ext/Module.bsl"
    assert line.startswith(f"Функция {name}(")
    assert await Cursor(editor, DEMO, path, f"Функция {name}(", name).references() == [
        (SERVICE, f"<Handler>{name}</Handler>")
    ]


async def test_a_scheduled_job_leads_to_its_method(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    job = "ScheduledJobs/СнятиеРезервов.xml"
    method = (DEMO / job).read_text(encoding="utf-8-sig").split("<MethodName>")[1].split("<")[0]
    ((path, line),) = await Cursor(editor, DEMO, job, method, method.rpartition(".")[2]).definition()
    assert path == f"CommonModules/{method.split('.')[1]}/Ext/Module.bsl"
    assert method.rpartition(".")[2] in line


async def test_outline_of_an_object(start: Callable[..., Any]) -> None:
    editor = await start(DEMO)
    await editor.until("ready")
    path = DEMO / "Documents/ЗаказПокупателя.xml"
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(path.as_uri()))
    (root,) = await editor.client.text_document_document_symbol_async(params)
    assert (root.name, root.detail, root.kind) == ("ЗаказПокупателя", "Заказ покупателя", types.SymbolKind.Class)
    by_name = {entry.name: entry for entry in root.children}
    goods = by_name["Товары"]
    assert goods.kind == types.SymbolKind.Array and goods.children
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    for entry in [*root.children, *goods.children]:
        assert lines[entry.selection_range.start.line].strip().startswith("<"), entry.name
    other = types.DocumentSymbolParams(types.TextDocumentIdentifier((DEMO / "Configuration.xml").as_uri()))
    assert await editor.client.text_document_document_symbol_async(other) == []


async def test_outline_of_a_module(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    path = module(top, "")
    editor = await start(top)
    await editor.until("ready")
    # as an editor holds it: not saved, with the line ends of its file
    code = "#Область Служебная\r\nФункция Новая()\r\nКонецФункции\r\n#КонецОбласти\r\n"
    uri = (top / path).as_uri()
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "bsl", 1, code)))
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
    (region,) = await editor.client.text_document_document_symbol_async(params)
    assert (region.name, region.kind) == ("Служебная", types.SymbolKind.Namespace)
    assert (region.range.start.line, region.range.end.line) == (0, 4)
    (function,) = region.children
    assert (function.name, function.kind) == ("Новая", types.SymbolKind.Function)
    assert (function.range.start.line, function.range.end.line, function.selection_range.start.line) == (1, 3, 1)


async def test_odd_places_and_documents(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    separators = 'А = "а\fб\u2028в\x85г\v"; // 😋\r\nБ = 1; /* 😋😋 */ В = Справочники.Контрагенты;'
    path = module(top, separators)
    gone = "CommonModules/Нет/Ext/Module.bsl"
    western = top / "CommonModules/Старый/Ext/Module.bsl"
    western.parent.mkdir(parents=True)
    western.write_bytes("А = Справочники.Контрагенты;\n".encode("cp1251"))
    editor = await start(top)
    await editor.until("ready")
    client = editor.client

    async def hover(place: str, line: int, column: int) -> str | None:
        document = types.TextDocumentIdentifier((top / place).as_uri())
        params = types.HoverParams(document, types.Position(line, column))
        found = await client.text_document_hover_async(params)
        symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert [one.name for one in symbols] == (["Проба"] if place == path else []), place
        return found.contents.value if found else None

    text = "Б = 1; /* 😋😋 */ В = Справочники.Контрагенты;"
    units = len(text[: text.index("Контр")].encode("utf-16-le")) // 2
    for opened in (False, True):
        if opened:
            content = (top / path).read_bytes().decode()
            item = types.TextDocumentItem((top / path).as_uri(), "bsl", 1, content)
            client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        for column in (units, units + len("Контрагенты")):
            card = await hover(path, 2, column)
            assert card and card.startswith("**Справочник.Контрагенты**"), column
        for line, column in ((2, 2**31 - 1), (2, 11), (0, 10**6), (4, 0), (5, 0), (10**6, 10**6)):
            assert await hover(path, line, column) is None, (line, column)
    card = await hover("CommonModules/Старый/Ext/Module.bsl", 0, 20)
    assert card and card.startswith("**Справочник.Контрагенты**")
    assert await hover(gone, 0, 0) is None
