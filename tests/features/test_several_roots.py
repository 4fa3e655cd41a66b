"""Names that several roots have, and names that no configuration should have."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bsl_scout.features.definition import definitions, hovered_procedure, references
from bsl_scout.features.find_logic import find_logic
from bsl_scout.features.hover import procedure_card
from bsl_scout.features.narrowing import object_names
from bsl_scout.features.object_card import object_card
from bsl_scout.features.objects import named_at
from bsl_scout.features.symbols import SymbolTable
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import Report, refresh
from bsl_scout.retrieval.search import Searcher
from support import DEMO, Write

HEAD = '<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:v8="http://v8.1c.ru/8.1/data/core">'
CONFIGURATION = f"{HEAD}<Configuration><Properties><Name>К</Name></Properties></Configuration></MetaDataObject>"

Opened = Callable[[Path], tuple[SymbolTable, Report]]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    catalogs = []

    def open_index(top: Path) -> tuple[SymbolTable, Report]:
        report = refresh(top, tmp_path / "index")
        catalogs.append(Catalog(tmp_path / "index"))
        symbols = SymbolTable(catalogs[-1])
        return symbols, report

    yield open_index
    for catalog in catalogs:
        catalog.close()


def catalog_xml(name: str, uuid: str = "1") -> str:
    return f'{HEAD}<Catalog uuid="{uuid}"><Properties><Name>{name}</Name></Properties></Catalog></MetaDataObject>'


def test_a_name_stands_for_what_its_own_root_has(tmp_path: Path, opened: Opened) -> None:
    top = tmp_path / "sources"
    for name, place in (("demo", "a"), ("demo", "b"), ("demo_extension", "cfe")):
        shutil.copytree(DEMO.parent / name, top / place)
    # b has an object that the extension does not adopt from it: only a is the whole base
    shutil.rmtree(top / "b/Documents")
    (top / "b/Catalogs/Контрагенты.xml").write_text(catalog_xml("Контрагенты", "other"), encoding="utf-8")
    symbols, _ = opened(top)
    code = ["А = Справочники.Контрагенты;", "А = ПродажиСервер.СкидкаПоОбъему(1);", "Б = ОбщегоНазначения;"]
    roots = {"a": ["a"], "b": ["b"], "cfe": ["a", "cfe"]}
    for root, expected in roots.items():
        path = f"{root}/CommonModules/ПродажиСервер/Ext/Module.bsl"
        found = named_at(symbols, path, code, 0, 20)
        assert [named.item.root for named in found] == expected
        row = hovered_procedure(symbols, path, code, 1, 20)
        assert row is not None and row.root == expected[0]
        assert [target.path.split("/")[0] for target in definitions(symbols, path, code, 1, 20)] == [expected[0]]
        (common,) = named_at(symbols, path, code, 2, 6)
        assert common.item.root == expected[0]
    # outside of all roots each may be meant
    assert {named.item.root for named in named_at(symbols, None, code, 0, 20)} == {"a", "b", "cfe"}
    (own,) = named_at(symbols, "a/CommonModules/ПродажиСервер/Ext/Module.bsl", code, 0, 20)
    sections = {one.key: one.rows for one in object_card(symbols, own).sections}
    assert sections["extended_by"] == ("КонтрольСкидок",)
    assert len(set(sections["used_by"])) == len(sections["used_by"])
    assert len({one.name for one in object_names(symbols.catalog, "", 10_000)}) == len(
        object_names(symbols.catalog, "", 10_000)
    )


def test_subscriptions_of_another_configuration_do_not_call(tmp_path: Path, opened: Opened) -> None:
    top = tmp_path / "sources"
    for place in ("a", "b"):
        shutil.copytree(DEMO, top / place)
    shutil.rmtree(top / "b/EventSubscriptions")
    symbols, _ = opened(top)
    cards = {row.root: procedure_card(symbols, row).called_by for row in symbols.named("ПроверитьЗапретИзменения")}
    assert cards == {"a": ("ПодпискаНаСобытие.ЗапретИзмененияДокументов",), "b": ()}


def test_a_configuration_inside_a_configuration(write: Write, opened: Opened) -> None:
    top = write(
        {
            "Configuration.xml": CONFIGURATION,
            "Catalogs/Товары.xml": catalog_xml("Товары", "1"),
            "Catalogs/Товары/внутри/Configuration.xml": CONFIGURATION,
            "Catalogs/Товары/внутри/Catalogs/Товары.xml": catalog_xml("Товары", "2"),
            "Catalogs/Товары/внутри/Catalogs/Товары/Ext/ObjectModule.bsl": "Процедура Внутри()\nКонецПроцедуры\n",
            "Catalogs/Товары/Ext/ObjectModule.bsl": "Процедура Снаружи()\nКонецПроцедуры\n",
            "вложенная/Configuration.xml": CONFIGURATION,
            "вложенная/Catalogs/Товары.xml": catalog_xml("Товары", "3"),
        }
    )
    symbols, report = opened(top)
    rows = symbols.catalog.files().values()
    assert {row.path: row.root for row in rows if row.full_name} == {
        "Catalogs/Товары.xml": ".",
        "Catalogs/Товары/внутри/Catalogs/Товары.xml": "Catalogs/Товары/внутри",
        "вложенная/Catalogs/Товары.xml": "вложенная",
    }
    assert report.problems == []
    for name, root in (("Снаружи", "."), ("Внутри", "Catalogs/Товары/внутри")):
        (row,) = symbols.named(name)
        assert (row.root, row.owner) == (root, "Справочник.Товары")


@pytest.mark.parametrize(
    "name", ["А.Б", 'А"Б', "А@Б", "А Б", "А'Б", "@", ".", "А..Б", "Ё&amp;Ж", "Форма", "Реквизит.Форма"]
)
def test_names_that_the_platform_would_refuse(write: Write, opened: Opened, tmp_path: Path, name: str) -> None:
    module = "Процедура Проба() Экспорт\nКонецПроцедуры\n"
    top = write(
        {
            "Configuration.xml": CONFIGURATION,
            "Catalogs/Х.xml": catalog_xml(name),
            "Catalogs/Х/Ext/ObjectModule.bsl": module,
        }
    )
    symbols, report = opened(top)
    assert report.objects == 1
    plain = name.replace("&amp;", "&")
    (row,) = [row for row in symbols.find(plain, 10) if row.kind == "object"]
    assert row.name == plain
    lines = [
        f'А = Справочники.{plain}.Имя; Б = "Справочник.{plain}"; // @{plain} &Вместо("{plain}")',
        f'&Вместо("{plain}")',
    ]
    path = "Catalogs/Х/Ext/ObjectModule.bsl"
    for number, line in enumerate(lines):
        for column in range(len(line) + 1):
            for named in named_at(symbols, path, lines, number, column):
                object_card(symbols, named)
            definitions(symbols, path, lines, number, column)
            hovered_procedure(symbols, path, lines, number, column)
            references(symbols, top, path, lines, number, column)
    searcher = Searcher(tmp_path / "index")
    for query in (
        f"@{plain}",
        f"@Справочник.{plain} проба",
        f"{plain}@",
        f"@@{plain}",
        f'"{plain}"',
        f"@.{plain}.",
        "@" * 999,
    ):
        find_logic(searcher, query)
    searcher.close()


@pytest.mark.parametrize(
    "annotation",
    [
        '&Вместо("Перед(А)")',
        '&Вместо("А,После(Б)")',
        "&Вместо()",
        "&Вместо",
        '&Вместо("',
        '&Вместо("А"',
        '&НаСервере &Вместо("А")',
    ],
)
def test_broken_annotations(tmp_path: Path, opened: Opened, annotation: str) -> None:
    top = tmp_path / "sources"
    for name in ("demo", "demo_extension"):
        shutil.copytree(DEMO.parent / name, top / name)
    path = "demo_extension/CommonModules/ПродажиСервер/Ext/Module.bsl"
    text = f"{annotation}\nПроцедура кс_Проба()\nКонецПроцедуры\n"
    (top / path).write_text(text, encoding="utf-8")
    symbols, _ = opened(top)
    made = [change for change in symbols.extensions.links().changes if change.procedure.path == path]
    assert {change.how for change in made} <= {"around"}
    assert all(change.base is None for change in made)
    for column in range(len(annotation) + 1):
        definitions(symbols, path, text.split("\n"), 0, column)
        row = hovered_procedure(symbols, path, text.split("\n"), 0, column)
        if row:
            procedure_card(symbols, row)
