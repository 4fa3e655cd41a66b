"""Queries narrowed to objects, and the names that can be chosen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bsl_scout.features.find_logic import find_logic
from bsl_scout.features.narrowing import narrow, object_names
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from form_samples import MD_HEAD
from support import REPOSITORY, Write


@pytest.mark.parametrize(
    "mark", ["Документ.ЗаказПокупателя", "Document.ЗаказПокупателя", "документы.заказпокупателя", "ЗаказПокупателя"]
)
def test_an_object_in_any_spelling(searcher: Searcher, mark: str) -> None:
    found = narrow(searcher.catalog, f"@{mark} заполнить цены")
    assert (found.query, found.owners, found.unknown) == ("заполнить цены", ("Документ.ЗаказПокупателя",), ())
    answer, route = find_logic(searcher, f"@{mark} заполнить цены", top=50)
    assert answer.hits[0].symbol == "ЗаполнитьЦены"
    assert {hit.path.startswith("Documents/ЗаказПокупателя") for hit in answer.hits} == {True}
    assert route.reason == "only in Документ.ЗаказПокупателя"


def test_a_message_and_a_title_are_looked_for_in_the_object_only(searcher: Searcher) -> None:
    message = "Отгруженный заказ нельзя распровести."
    assert find_logic(searcher, message)[0].hits[0].path.startswith("Documents/ЗаказПокупателя")
    narrowed = find_logic(searcher, f"@Справочник.Валюты {message}")[0]
    assert all(hit.path.startswith("Catalogs/Валюты") for hit in narrowed.hits)


def test_without_words_the_object_is_listed_from_itself_on(searcher: Searcher) -> None:
    answer = find_logic(searcher, "@Документ.ЗаказПокупателя", top=200)[0]
    hits = answer.hits
    assert answer.convincing
    assert not find_logic(searcher, "@Документ.ЗаказПокупателя инопланетный звездолёт")[0].convincing
    assert hits[0].symbol == "Документ.ЗаказПокупателя"
    assert {hit.symbol for hit in hits} > {"Документ.ЗаказПокупателя.Реквизит.Склад", "ОбработкаПроведения"}
    assert {hit.path.startswith("Documents/ЗаказПокупателя") for hit in hits} == {True}


def test_a_kind_and_a_subsystem(searcher: Searcher) -> None:
    catalogs = find_logic(searcher, "@Справочник наименование", top=50)[0].hits
    assert {hit.path.split("/")[0] for hit in catalogs} == {"Catalogs"}
    owners = narrow(searcher.catalog, "@Подсистема.Администрирование загрузка").owners
    assert owners is not None
    # of the subsystem itself and of the one nested in it
    assert {"Подсистема.Администрирование", "Подсистема.Администрирование.Подсистема.ОбменССайтом"} <= set(owners)
    assert "HTTPСервис.СайтAPI" in owners


@pytest.mark.parametrize(
    ("mark", "owner"),
    [
        # the beginning of one name only
        ("Документ.Заказ", "Документ.ЗаказПокупателя"),
        ("Documents.заказ", "Документ.ЗаказПокупателя"),
        ("ЗаказПок", "Документ.ЗаказПокупателя"),
        ("Документ.Заказ.Форма.ФормаДокумента", "Документ.ЗаказПокупателя.Форма.ФормаДокумента"),
        # the last parts of a nested name
        ("Подсистема.ОбменССайтом", "Подсистема.Администрирование.Подсистема.ОбменССайтом"),
        ("Подсистема.Администрирование.ОбменССайтом", "Подсистема.Администрирование.Подсистема.ОбменССайтом"),
        ("Subsystem.ОбменССай", "Подсистема.Администрирование.Подсистема.ОбменССайтом"),
    ],
)
def test_a_name_may_be_the_last_part_or_the_only_beginning(searcher: Searcher, mark: str, owner: str) -> None:
    found = narrow(searcher.catalog, f"@{mark} заполнить")
    assert (found.owners or ("",))[0] == owner and found.unknown == ()
    route = find_logic(searcher, f"@{mark} заказ")[1]
    assert route.code == "narrowed"
    # a beginning is a guess, and told
    begins = any(mark.endswith(end) for end in ("аказ", "Пок", "Сай")) or ".Форма" in mark
    assert route.names == (tuple(owner.partition(".Форма")[:1]) if begins else ())
    assert (f"no object is called exactly {mark}" in route.reason) == begins
    # with all that the whole name stands for
    assert found.owners == narrow(searcher.catalog, f"@{owner} заполнить").owners


def test_a_beginning_does_not_hide_a_name_with_another_ending(write: Write, tmp_path: Path) -> None:
    names = ("Пользователи", "ПользовательскиеНастройки", "Организации")
    children = "".join(f"<Catalog>{name}</Catalog>" for name in names)
    files: dict[str, str | bytes] = {
        f"Catalogs/{name}.xml": f'{MD_HEAD}<Catalog uuid="{number}"><Properties><Name>{name}</Name></Properties>'
        "</Catalog></MetaDataObject>"
        for number, name in enumerate(names)
    }
    files["Configuration.xml"] = (
        f"{MD_HEAD}<Configuration uuid='u'><Properties><Name>К</Name></Properties><ChildObjects>{children}"
        "</ChildObjects></Configuration></MetaDataObject>"
    )
    refresh(write(files), tmp_path / "index")
    searcher = Searcher(tmp_path / "index")
    route = find_logic(searcher, "@Справочник.Пользователь организация")[1]
    assert route.names == ("Справочник.Пользователи", "Справочник.ПользовательскиеНастройки")
    assert route.reason == f"only in {', '.join(route.names)}; no object is called exactly Справочник.Пользователь"
    assert find_logic(searcher, "@Справочник.Пользователи")[1].names == ()
    searcher.close()


def test_of_several_names_that_begin_so_none_is_taken(searcher: Searcher) -> None:
    found = narrow(searcher.catalog, "@Документ.Р заполнить")
    assert found.owners == ()
    assert set(found.unknown[0].similar) == {"Документ.Рассылка", "Документ.РеализацияТоваров"}


@pytest.mark.parametrize(
    ("mark", "similar"),
    [
        ("Документы.Зказ", "Документ.ЗаказПокупателя"),
        ("Справочник.Контргенты", "Справочник.Контрагенты"),
        ("Справочник.ЗаказПокупателя", "Документ.ЗаказПокупателя"),
        ("Справочник.Агент", "Справочник.Контрагенты"),
    ],
)
def test_the_names_nearest_to_an_unknown_one(searcher: Searcher, mark: str, similar: str) -> None:
    answer, route = find_logic(searcher, f"@{mark} заполнить")
    assert (answer.hits, route.code, route.names[0]) == ([], "unknown-name", mark)
    assert route.names[1] == similar
    assert route.reason.startswith(f"no object is called {mark} (similar: {similar}")


def test_an_unknown_name_finds_nothing_and_is_told(searcher: Searcher) -> None:
    answer, route = find_logic(searcher, "@НетТакого резерв")
    assert (answer.hits, answer.convincing, answer.query) == ([], False, "@НетТакого резерв")
    assert (route.reason, route.names) == ("no object is called НетТакого", ("НетТакого",))
    both = find_logic(searcher, "@НетТакого @Документ.ЗаказПокупателя резерв")
    assert both[0].hits and "no object is called НетТакого" in both[1].reason


# the pages that people read first and what they narrow to: each example has to work on the demo configuration
_PAGES = ("README.md", "README.en.md", "docs/search.md", "docs/search.en.md", "docs/protocol.md", "CHANGELOG.md")


@pytest.mark.parametrize("page", _PAGES)
def test_the_examples_of_the_pages_find_something(searcher: Searcher, page: str) -> None:
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    examples = re.findall(r"`(@[\w.]+[^`\n]*)`", text)
    examples = [one for one in examples if one.split()[0] not in ("@Имя", "@Name", "@Объект", "@Object")]
    assert examples
    for example in examples:
        narrowed = narrow(searcher.catalog, example)
        assert narrowed.owners and not narrowed.unknown, example
        assert find_logic(searcher, example.replace("…", ""))[0].hits, example


@pytest.mark.parametrize("query", ["письмо на a@b.ru", "цена @ склад", "@", "@.", "@@ заказ"])
def test_other_signs_are_no_marks(searcher: Searcher, query: str) -> None:
    assert narrow(searcher.catalog, query).query == query or query == "@."
    find_logic(searcher, query)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("Заказ", "Документ.ЗаказПокупателя"),
        ("документ.зак", "Документ.ЗаказПокупателя"),
        ("Sales order", "Документ.ЗаказПокупателя"),
        ("ЗакПок", "Документ.ЗаказПокупателя"),
        ("курсы валют", "РегистрСведений.КурсыВалют"),
    ],
)
def test_names_to_choose(searcher: Searcher, typed: str, first: str) -> None:
    assert first in [one.name for one in object_names(searcher.catalog, typed, 3)]


def test_all_names_without_a_beginning(searcher: Searcher, tmp_path: Path) -> None:
    names = object_names(searcher.catalog, "", 1000)
    assert len({one.name for one in names}) == len(names) == searcher.catalog.counts()["objects"]
