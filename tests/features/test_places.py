"""Error and call-stack lines of the platform."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bsl_scout.features.find_logic import find_logic
from bsl_scout.features.place_hits import common_route
from bsl_scout.features.places import Place, find_places, module_key
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.router import Route
from bsl_scout.retrieval.search import Searcher
from support import Write


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("{ОбщийМодуль.Склад.Модуль(45)}: Деление на 0", [Place("общиймодуль.склад.модуль", 45, 1, None)]),
        ("{CommonModule.Склад.Module(45)}", [Place("общиймодуль.склад.модуль", 45, 1, None)]),
        ("{Документ.Заказ.МодульОбъекта(12,5)}:", [Place("документ.заказ.модульобъекта", 12, 5, None)]),
        ("{ Document.Form.Form.Form.Form(3, 7) }", [Place("документ.form.форма.form.форма", 3, 7, None)]),
        ("{Патчи ОбщийМодуль.Склад.Модуль(3)}", [Place("общиймодуль.склад.модуль", 3, 1, "Патчи")]),
        ("{МодульСеанса(9)}", [Place("модульсеанса", 9, 1, None)]),
        (
            "по причине:\n{Справочник.Учёт.Форма.Список.Форма(1)}\n{Справочник.Учёт.Форма.Список.Форма(1)}",
            [Place("справочник.учет.форма.список.форма", 1, 1, None)],
        ),
        ("как заполнить {таблицу}", []),
        ("{ОбщийМодуль.Склад.Модуль(99999999999999999999)}", []),
        ("{ОбщийМодуль.Склад.Модуль(0)}", [Place("общиймодуль.склад.модуль", 1, 1, None)]),
        ("обычный запрос", []),
    ],
)
def test_places(text: str, places: list[Place]) -> None:
    assert find_places(text) == places


def test_names_of_the_user_are_not_translated() -> None:
    assert module_key("Catalog.Catalog.Form.Command.Form") == "справочник.catalog.форма.command.форма"


MODULE = "// Первая\nПроцедура Первая()\n\tА = 1 / 0;\nКонецПроцедуры\n"


@pytest.fixture
def searcher(write: Write, tmp_path: Path) -> Iterator[Searcher]:
    purpose = "<ConfigurationExtensionPurpose>AddOn</ConfigurationExtensionPurpose>"
    extension = f"<Configuration><Name>Патчи</Name>{purpose}</Configuration>"
    top = write(
        {
            "cf/Configuration.xml": "<Configuration><Name>База</Name></Configuration>",
            "cf/CommonModules/Склад/Ext/Module.bsl": MODULE,
            "cf/Ext/SessionModule.bsl": MODULE,
            "cfe/Configuration.xml": extension,
            "cfe/CommonModules/Склад/Ext/Module.bsl": MODULE,
        }
    )
    refresh(top, tmp_path / "index")
    found = Searcher(tmp_path / "index")
    yield found
    found.close()


@pytest.mark.parametrize(
    ("query", "path", "symbol", "line"),
    [
        ("{ОбщийМодуль.Склад.Модуль(3)}: Деление на 0", "cf/CommonModules/Склад/Ext/Module.bsl", "Первая", 2),
        ("{Патчи ОбщийМодуль.Склад.Модуль(3)}", "cfe/CommonModules/Склад/Ext/Module.bsl", "Первая", 2),
        ("{МодульСеанса(1,1)}", "cf/Ext/SessionModule.bsl", "МодульСеанса", 0),
        ("{ОбщийМодуль.Склад.Модуль(4)}", "cf/CommonModules/Склад/Ext/Module.bsl", "Первая", 3),
    ],
)
def test_landing(searcher: Searcher, query: str, path: str, symbol: str, line: int) -> None:
    answer, route = find_logic(searcher, query)
    (hit,) = answer.hits
    assert (route.mode, hit.kind, hit.path, hit.symbol, hit.line) == ("place", "place", path, symbol, line)
    assert (route.code, answer.convincing) == ("place", True)


def test_a_place_beyond_the_module_is_told_and_lands_at_its_end(searcher: Searcher) -> None:
    far = "{ОбщийМодуль.Склад.Модуль(999)}: Деление на 0"
    answer, route = find_logic(searcher, far)
    assert [(hit.symbol, hit.line, hit.snippet) for hit in answer.hits] == [("Первая", 3, "КонецПроцедуры")]
    # just this module was named: there is nothing nearer
    assert (route.code, route.names, answer.convincing) == ("no-line", ("ОбщийМодуль.Склад", "4"), True)
    assert route.reason == "ОбщийМодуль.Склад ends at line 4: another version?"
    # another place of the stack is there
    both, route = find_logic(searcher, far + "{МодульСеанса(3)}")
    assert ([hit.line for hit in both.hits], both.convincing, route.code) == ([3, 2], True, "no-line")


def test_each_place_that_is_not_here_is_told_beside_those_that_are(searcher: Searcher) -> None:
    here, away = "{МодульСеанса(3)}: а\n", "{ОбщийМодуль.НетТакого.Модуль(4)}: Деление на 0\n"
    answer, route = find_logic(searcher, here + away + away)
    assert ([hit.line for hit in answer.hits], answer.convincing, route.mode) == ([2], True, "place")
    told = "not here: ОбщийМодуль.НетТакого (another configuration or an extension?)"
    assert (route.code, route.names, route.reason) == ("no-module", ("ОбщийМодуль.НетТакого",), told)
    # also one below those that are shown
    assert find_logic(searcher, here + away, top=1)[1] == route
    every = away + "{Отчет.Нет.МодульОбъекта(1)}{ОбщийМодуль.Склад.Модуль(70)}" + here + "{МодульСеанса(80)}"
    answer, route = find_logic(searcher, every)
    assert [(hit.symbol, hit.line) for hit in answer.hits] == [("Первая", 3), ("Первая", 2), ("Первая", 3)]
    assert (route.code, route.names) == (
        "no-line",
        ("ОбщийМодуль.Склад", "4", "МодульСеанса", "4", "ОбщийМодуль.НетТакого", "", "Отчет.Нет.МодульОбъекта", ""),
    )
    ends = "ОбщийМодуль.Склад ends at line 4: another version?; МодульСеанса ends at line 4: another version?"
    absent = "not here: ОбщийМодуль.НетТакого, Отчет.Нет.МодульОбъекта (another configuration or an extension?)"
    assert route.reason == f"{ends}; {absent}"


def test_what_one_of_several_folders_has_is_not_lacking() -> None:
    first = Route("place", "", 1.0, "no-line", ("А", "4", "Б", "0", "В", "", "Г", ""))
    second = Route("place", "", 1.0, "no-line", ("А", "9", "Г", "7", "Б", ""))
    assert common_route([first]).names == first.names
    assert common_route([first, second]).names == ("А", "4", "Б", "0", "Г", "7")
    assert common_route([first, Route("place", "", 1.0, "no-module", ("В", "Д"))]).names == ("В",)
    assert common_route([first, Route("place", "", 1.0, "place")]).code == "place"


def test_of_two_configurations_the_one_whose_code_reaches_so_far_is_meant(write: Write, tmp_path: Path) -> None:
    name = "CommonModules/Склад/Ext/Module.bsl"
    files: dict[str, str | bytes] = {f"{top}/Configuration.xml": "<Configuration/>" for top in "ab"}
    refresh(write({**files, f"a/{name}": MODULE, f"b/{name}": MODULE * 2}), tmp_path / "index")
    searcher = Searcher(tmp_path / "index")
    answer, route = find_logic(searcher, "{ОбщийМодуль.Склад.Модуль(7)}")
    assert ([(hit.path, hit.line) for hit in answer.hits], route.code) == ([(f"b/{name}", 6)], "place")
    assert len(find_logic(searcher, "{ОбщийМодуль.Склад.Модуль(3)}")[0].hits) == 2
    searcher.close()


COMMENTS = "// Первая строка\n//\n// Третья\n"


@pytest.mark.parametrize(
    ("text", "line", "hit", "names", "reason"),
    [
        (COMMENTS, 3, (2, "// Третья"), (), "the query holds places of an error or a call stack"),
        (COMMENTS, 5, (2, "// Третья"), ("3",), "ОбщийМодуль.Особый ends at line 3: another version?"),
        # behind the last procedure, with carriage returns and without a last one
        (f"{MODULE}\n{COMMENTS}".replace("\n", "\r\n"), 8, (7, "// Третья"), (), None),
        (MODULE + COMMENTS.rstrip(), 9, (6, "// Третья"), ("7",), None),
        ("", 5, (0, ""), ("0",), "ОбщийМодуль.Особый is empty"),
        (" \n", 1, (0, ""), ("0",), "ОбщийМодуль.Особый is empty"),
        (bytes(200), 5, (0, ""), ("-",), "ОбщийМодуль.Особый is no text (protected by a password?)"),
    ],
)
def test_a_place_where_no_code_is(
    write: Write,
    tmp_path: Path,
    text: str | bytes,
    line: int,
    hit: tuple[int, str],
    names: tuple[str, ...],
    reason: str | None,
) -> None:
    name = "CommonModules/Особый/Ext/Module.bsl"
    top = write({"Configuration.xml": "<Configuration/>", name: text})
    refresh(top, tmp_path / "index")
    searcher = Searcher(tmp_path / "index")
    answer, route = find_logic(searcher, f"{{ОбщийМодуль.Особый.Модуль({line})}}", base=top)
    assert [(one.line, one.snippet) for one in answer.hits] == [hit]
    assert (route.names, answer.convincing) == (("ОбщийМодуль.Особый", *names) if names else (), True)
    assert route.code == ("no-line" if names else "place")
    assert reason is None or route.reason == reason
    # the module went away meanwhile: what the index knows of it answers
    (top / name).unlink()
    assert len(find_logic(searcher, f"{{ОбщийМодуль.Особый.Модуль({line})}}", base=top)[0].hits) == 1
    searcher.close()


@pytest.mark.parametrize(
    ("query", "name", "found"),
    [
        ("{ОбщийМодуль.Нет.Модуль(3)}: Первая", "ОбщийМодуль.Нет", ["Первая"]),
        ("{Другое CommonModule.Нет.Module(3)}", "Другое CommonModule.Нет", []),
        ("{Документ.Нет.МодульОбъекта(3)}: Поле объекта не обнаружено", "Документ.Нет.МодульОбъекта", []),
    ],
)
def test_a_module_that_is_not_here_is_told(searcher: Searcher, query: str, name: str, found: list[str]) -> None:
    answer, route = find_logic(searcher, query)
    assert (route.code, route.names, answer.query) == ("no-module", (name,), query)
    assert route.reason == f"not here: {name} (another configuration or an extension?)"
    assert [hit.symbol for hit in answer.hits][:1] == found


def test_each_module_is_told_when_none_is_here(searcher: Searcher) -> None:
    stack = "".join(f"{{ОбщийМодуль.Нет{number}.Модуль(1)}}\n" for number in range(5))
    answer, route = find_logic(searcher, stack)
    assert (route.code, route.names) == ("no-module", tuple(f"ОбщийМодуль.Нет{number}" for number in range(5)))
    assert (answer.hits, route.reason.count("ОбщийМодуль.Нет")) == ([], 5)
