"""Hits that are forms land in the sources of the forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.features.find_logic import find_logic
from bsl_scout.features.form_choice import forms_about
from bsl_scout.features.form_sources import at_own_sources
from bsl_scout.forms.places import find_forms, own_source
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from support import DEMO, Write

DEMO_EDT = DEMO.with_name("demo_edt")


@pytest.mark.parametrize(
    ("top", "query", "symbol", "path"),
    [
        (DEMO, "мои задачи", "ОбщаяФорма.МоиЗадачи", "CommonForms/МоиЗадачи/Ext/Form.xml"),
        (
            DEMO,
            "форма элемента контрагента",
            "Справочник.Контрагенты.Форма.ФормаЭлемента",
            "Catalogs/Контрагенты/Forms/ФормаЭлемента/Ext/Form.xml",
        ),
        (DEMO_EDT, "мои задачи", "ОбщаяФорма.МоиЗадачи", "src/CommonForms/МоиЗадачи/Form.form"),
        (
            DEMO_EDT,
            "форма элемента контрагента",
            "Справочник.Контрагенты.Форма.ФормаЭлемента",
            "src/Catalogs/Контрагенты/Forms/ФормаЭлемента/Form.form",
        ),
    ],
)
def test_a_form_is_opened_at_its_own_source(tmp_path: Path, top: Path, query: str, symbol: str, path: str) -> None:
    refresh(top, tmp_path, vectors=False)
    searcher = Searcher(tmp_path)
    answer = at_own_sources(top, find_logic(searcher, query, collection="form")[0])
    searcher.close()
    assert answer.hits and all(hit.is_form for hit in answer.hits)
    assert (answer.hits[0].symbol, answer.hits[0].path, answer.hits[0].line) == (symbol, path, 0)


def test_what_is_no_form_stays_where_it_is(searcher: Searcher) -> None:
    answer = find_logic(searcher, "заказ покупателя", top=50)[0]
    moved = at_own_sources(DEMO, answer)
    assert [hit.path for hit in moved.hits if not hit.is_form] == [hit.path for hit in answer.hits if not hit.is_form]


def test_a_common_form_is_among_the_forms_about_a_question(searcher: Searcher) -> None:
    places = find_forms(DEMO, searcher.catalog.roots())
    assert "ОбщаяФорма.МоиЗадачи" in [place.id for place in forms_about(searcher, places, "My tasks")]


@pytest.mark.parametrize(
    ("files", "path", "name", "expected"),
    [
        (["Catalog/А/CatalogForm/Ф/CatalogForm.elem.json"], "Catalog/А/Catalog.json", "Справочник.А.Форма.Ф", 0),
        (["CommonForm/Ф/CommonForm.elem.json"], "CommonForm/Ф/CommonForm.json", "ОбщаяФорма.Ф", 0),
        # what an ordinary form is in is no text
        (["Catalogs/А/Forms/Ф/Ext/Form.bin"], "Catalogs/А.xml", "Справочник.А.Форма.Ф", None),
        (
            ["Catalogs/А/Forms/Ф/Ext/Form.bin", "Catalogs/А/Forms/Ф/Ext/Form/Module.bsl"],
            "Catalogs/А.xml",
            "Справочник.А.Форма.Ф",
            1,
        ),
        ([], "Catalogs/А.xml", "Справочник.А.Форма.Ф", None),
        # a form of a table of an external source is not looked for
        (
            ["ExternalDataSources/И/Tables/Т/Forms/Ф/Ext/Form.xml"],
            "ExternalDataSources/И.xml",
            "ВнешнийИсточникДанных.И.Таблица.Т.Форма.Ф",
            None,
        ),
    ],
)
def test_the_source_by_format(write: Write, files: list[str], path: str, name: str, expected: int | None) -> None:
    top = write({path: "", **dict.fromkeys(files, "")})
    assert own_source(top, path, name) == (None if expected is None else files[expected])
