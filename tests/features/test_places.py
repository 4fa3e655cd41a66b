"""Error and call-stack lines of the platform."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bsl_scout.features.find_logic import find_logic
from bsl_scout.features.places import Place, find_places, module_key
from bsl_scout.index.indexer import refresh
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


def test_a_place_beyond_the_code_is_told_and_lands_at_its_end(searcher: Searcher) -> None:
    far = "{ОбщийМодуль.Склад.Модуль(999)}: Деление на 0"
    answer, route = find_logic(searcher, far)
    assert [(hit.symbol, hit.line, hit.snippet) for hit in answer.hits] == [("Первая", 3, "КонецПроцедуры")]
    assert (route.code, route.names, answer.convincing) == ("no-line", ("ОбщийМодуль.Склад", "4"), False)
    assert route.reason == "the code of ОбщийМодуль.Склад ends at line 4: another version?"
    # another place of the stack is there
    both, route = find_logic(searcher, far + "{МодульСеанса(3)}")
    assert ([hit.line for hit in both.hits], both.convincing, route.code) == ([3, 2], True, "no-line")


def test_of_two_configurations_the_one_whose_code_reaches_so_far_is_meant(write: Write, tmp_path: Path) -> None:
    name = "CommonModules/Склад/Ext/Module.bsl"
    files: dict[str, str | bytes] = {f"{top}/Configuration.xml": "<Configuration/>" for top in "ab"}
    refresh(write({**files, f"a/{name}": MODULE, f"b/{name}": MODULE * 2}), tmp_path / "index")
    searcher = Searcher(tmp_path / "index")
    answer, route = find_logic(searcher, "{ОбщийМодуль.Склад.Модуль(7)}")
    assert ([(hit.path, hit.line) for hit in answer.hits], route.code) == ([(f"b/{name}", 6)], "place")
    assert len(find_logic(searcher, "{ОбщийМодуль.Склад.Модуль(3)}")[0].hits) == 2
    searcher.close()


def test_a_place_in_a_module_without_code(write: Write, tmp_path: Path) -> None:
    top = write({"Configuration.xml": "<Configuration/>", "CommonModules/Пусто/Ext/Module.bsl": ""})
    refresh(top, tmp_path / "index")
    searcher = Searcher(tmp_path / "index")
    answer, route = find_logic(searcher, "{ОбщийМодуль.Пусто.Модуль(5)}")
    assert ([hit.line for hit in answer.hits], route.names) == ([0], ("ОбщийМодуль.Пусто", "0"))
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
