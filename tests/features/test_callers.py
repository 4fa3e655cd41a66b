"""Who calls a procedure: what is proven, what is possible only, and what is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bsl_scout.features import callers as callers_module
from bsl_scout.features.callers import Callers, callees_of, callers_of
from bsl_scout.features.symbols import SymbolTable
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import refresh
from support import copy_demo

Index = Callable[[dict[str, str]], SymbolTable]
MAIL = "CommonModules/Почта/Ext/Module.bsl"
OBJECT = """<?xml version="1.0" encoding="UTF-8"?>
<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses"><{kind} uuid="00000000-0000-4000-8000-00000000000{number}">
<Properties><Name>{name}</Name>{more}</Properties></{kind}></MetaDataObject>
"""
SEND = "Процедура Отправить(Кому) Экспорт\n\tПроверить();\nКонецПроцедуры\n\nПроцедура Проверить()\nКонецПроцедуры\n"


def module_object(name: str, number: int, is_global: bool = False) -> str:
    return OBJECT.format(
        kind="CommonModule", name=name, number=number, more=f"<Global>{str(is_global).lower()}</Global>"
    )


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    """Return a function that indexes the demo configuration with files added to it."""
    opened: list[SymbolTable] = []

    def make(files: dict[str, str]) -> SymbolTable:
        top = copy_demo(tmp_path / "demo")
        common = {"CommonModules/Почта.xml": module_object("Почта", 1), MAIL: SEND}
        for name, text in (common | files).items():
            path = top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        refresh(top, tmp_path / "index", vectors=False)
        opened.append(SymbolTable(Catalog(tmp_path / "index")))
        return opened[-1]

    yield make
    for symbols in opened:
        symbols.catalog.close()


def caller(body: str, more: str = "") -> str:
    return f"Процедура Зовущая({more})\n{body}\nКонецПроцедуры\n"


def of(symbols: SymbolTable, path: str, name: str) -> Callers:
    row = symbols.procedure(path, name)
    assert row
    return callers_of(symbols, row)


def test_a_name_in_a_string_of_its_own_makes_no_caller(index: Index) -> None:
    waiting = '\tПодключитьОбработчикОжидания("Повторить", 1);'
    body = f"Процедура Повторить() Экспорт\n{waiting}\nКонецПроцедуры\n\n"
    path = "CommonModules/Ожидание/Ext/Module.bsl"
    symbols = index({path: body + caller(waiting), "CommonModules/Ожидание.xml": module_object("Ожидание", 2)})
    assert [(one.row.name, one.proof) for one in of(symbols, path, "Повторить").found] == [("Зовущая", "text")]


def test_a_procedure_that_calls_itself_is_a_caller(index: Index) -> None:
    path = "CommonModules/Ожидание/Ext/Module.bsl"
    again = "Процедура Повторить() Экспорт\n\tПовторить();\nКонецПроцедуры\n"
    symbols = index({path: again, "CommonModules/Ожидание.xml": module_object("Ожидание", 2)})
    assert [(one.row.name, one.certain) for one in of(symbols, path, "Повторить").found] == [("Повторить", True)]


def told(found: Callers) -> list[tuple[str, str]]:
    return [(one.row.name or one.row.kind, one.proof) for one in found.found]


CASES = [
    ("\tПочта.Отправить(1);", "", "common-module"),
    ("\tПОЧТА.ОТПРАВИТЬ(1);", "", "common-module"),
    ("\tЕсли А Тогда\n\t\tПочта . Отправить(\n\t\t1);\n\tКонецЕсли;", "", "common-module"),
    ("\tПочта.Отправить(1);", "Почта", "variable"),
    ("\tПочта = Новый Структура;\n\tПочта.Отправить(1);", "", "variable"),
    ("\tДля Каждого Почта Из Все Цикл\n\t\tПочта.Отправить(1);\n\tКонецЦикла;", "", "variable"),
    ("\tСлужба.Отправить(1);", "Служба", "unknown"),
    ("\tЗапрос.Выполнить().Отправить(1);", "", "unknown"),
    ('\tМ = ОбщегоНазначения.ОбщийМодуль("Почта");\n\tМ.Отправить(1);', "", "module-variable"),
    ('\tМ = ОбщегоНазначения.ОбщийМодуль("Почта");\n\tМ = Иное();\n\tМ.Отправить(1);', "", "unknown"),
    ('\tМ = ОбщегоНазначения.ОбщийМодуль("ОбщегоНазначения");\n\tМ.Отправить(1);', "", None),
    ('\tВФоне("Почта.Отправить");', "", "text"),
    ('\tСообщить("Отправить");', "", None),
    ("\t// Почта.Отправить(1);", "", None),
    ("\tОтправить(1);", "", None),
    ("\tОбщегоНазначения.Отправить(1);", "", None),
    ("\tДокументы.ЗаказПокупателя.Отправить(1);", "", None),
    ("\tСправочники.НетТакого.Отправить(1);", "", None),
]


def test_calls_from_other_modules(index: Index) -> None:
    paths = [f"CommonModules/Зовущий{number}/Ext/Module.bsl" for number in range(len(CASES))]
    symbols = index({path: caller(case[0], case[1]) for path, case in zip(paths, CASES, strict=True)})
    found = {one.row.path: one.proof for one in of(symbols, MAIL, "Отправить").found}
    for path, (body, _, proof) in zip(paths, CASES, strict=True):
        assert found.get(path) == proof, body


def test_calls_within_a_module_and_its_places(index: Index) -> None:
    text = "Процедура А()\n\tБ();\n\tЭтотОбъект.Б();\n\tБ(); Б();\nКонецПроцедуры\n\n"
    text += "Процедура Б()\nКонецПроцедуры\n\nБ();\n"
    symbols = index({"Catalogs/Контрагенты/Ext/ObjectModule.bsl": text})
    found = of(symbols, "Catalogs/Контрагенты/Ext/ObjectModule.bsl", "Б").found
    assert [(one.row.name or one.row.kind, one.proof, [place.line for place in one.places]) for one in found] == [
        ("А", "same-module", [1, 3]),
        ("А", "this-object", [2]),
        ("body", "same-module", [9]),
    ]
    assert (found[0].places[0].start, found[0].places[0].end) == (1, 2)


def test_managers_and_global_modules(index: Index) -> None:
    manager = "Catalogs/Контрагенты/Ext/ManagerModule.bsl"
    files = {
        manager: "Процедура Сверить() Экспорт\nКонецПроцедуры\n",
        "CommonModules/Везде.xml": module_object("Везде", 2, is_global=True),
        "CommonModules/Везде/Ext/Module.bsl": "Процедура ОповеститьВсех() Экспорт\nКонецПроцедуры\n",
        "CommonModules/Зовущий/Ext/Module.bsl": caller(
            "\tСправочники.Контрагенты.Сверить();\n\tCatalogs.Контрагенты.Сверить();\n\tСправочники.Номенклатура.Сверить();\n"
            "\tСправочник.Контрагенты.Сверить();\n\tОповеститьВсех();"
        ),
        "CommonModules/Свой/Ext/Module.bsl": "Процедура ОповеститьВсех()\nКонецПроцедуры\n"
        "Процедура Х()\n\tОповеститьВсех();\nКонецПроцедуры\n",
    }
    symbols = index(files)
    found = of(symbols, manager, "Сверить")
    assert told(found) == [("Зовущая", "manager"), ("Зовущая", "unknown")]
    assert [place.line for place in found.found[0].places] == [1, 2]
    assert told(of(symbols, "CommonModules/Везде/Ext/Module.bsl", "ОповеститьВсех")) == [("Зовущая", "global-module")]
    zov = symbols.procedure("CommonModules/Зовущий/Ext/Module.bsl", "Зовущая")
    assert zov and [(one.row.name, one.proof) for one in callees_of(symbols, zov)] == [
        ("Сверить", "manager"),
        ("ОповеститьВсех", "global-module"),
    ]


def test_a_long_caller_is_one_and_a_procedure_without_export_has_no_outside_callers(index: Index) -> None:
    long = caller(
        "\tПочта.Отправить(1);\n" + "\tСделать(Что, Угодно);\n" * 400 + "\tПочта.Отправить(2);\n\tПочта.Проверить();"
    )
    symbols = index({"CommonModules/Зовущий/Ext/Module.bsl": long})
    found = of(symbols, MAIL, "Отправить").found
    assert [(one.row.name, one.row.part, [place.line for place in one.places]) for one in found] == [
        ("Зовущая", 0, [1, 402])
    ]
    assert all(place.end - place.start == len("Отправить") for place in found[0].places)
    assert told(of(symbols, MAIL, "Проверить")) == [("Отправить", "same-module")]


def test_what_is_left_out_is_counted(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    many = "".join(f"Процедура П{n}(Х)\n\tХ.Отправить(1);\nКонецПроцедуры\n" for n in range(5))
    symbols = index({"CommonModules/Зовущий/Ext/Module.bsl": many + caller("\tПочта.Отправить(1);")})
    monkeypatch.setattr(callers_module, "MOST_POSSIBLE", 2)
    found = of(symbols, MAIL, "Отправить")
    assert (told(found), found.more_possible) == (
        [("Зовущая", "common-module"), ("П0", "unknown"), ("П1", "unknown")], 3
    )  # fmt: skip
    monkeypatch.setattr(callers_module, "MOST_CHUNKS", 3)
    assert of(symbols, MAIL, "Отправить").unread > 0


def test_what_was_saved_a_moment_ago_counts(index: Index, tmp_path: Path) -> None:
    symbols = index({"CommonModules/Зовущий/Ext/Module.bsl": caller("\tИное();")})
    assert told(of(symbols, MAIL, "Отправить")) == []
    path = "CommonModules/Зовущий/Ext/Module.bsl"
    (tmp_path / "demo" / path).write_text(caller("\tПочта.Отправить(1);"), encoding="utf-8")
    refresh(tmp_path / "demo", tmp_path / "index", paths=[path], vectors=False)
    assert told(of(symbols, MAIL, "Отправить")) == [("Зовущая", "common-module")]


def test_a_call_where_a_long_procedure_is_cut(index: Index) -> None:
    lines = [f'\tПочта.Отправить({number}); Сделать("{"х" * 30}");' for number in range(400)]
    symbols = index({"CommonModules/Зовущий/Ext/Module.bsl": caller("\n".join(lines))})
    (found,) = of(symbols, MAIL, "Отправить").found
    assert [place.line for place in found.places] == list(range(1, 401))
