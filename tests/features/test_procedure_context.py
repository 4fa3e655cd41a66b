"""A procedure as context: what is told of it, and that a budget never hides what it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bsl_scout.features.procedure_context import ProcedureContext, named_context, procedures_named
from bsl_scout.features.procedure_fragment import procedure_fragment
from bsl_scout.features.symbols import SymbolTable
from bsl_scout.forms.fragment import estimated_tokens
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import refresh
from support import DEMO


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    folder = tmp_path_factory.mktemp("index")
    refresh(DEMO, folder, vectors=False)
    found = Catalog(folder)
    yield found
    found.close()


def context(catalog: Catalog, name: str) -> ProcedureContext:
    found = named_context(DEMO, catalog, name)[1]
    assert found, name
    return found


def section(text: str, heading: str) -> list[str]:
    return text.partition(f"\n## {heading}")[2].partition("\n## ")[0].split("\n")[1:]


def test_what_is_told(catalog: Catalog) -> None:
    text = procedure_fragment(context(catalog, "КурсыВалютСервер.Пересчитать")).text
    assert text.startswith("# PROCEDURE ОбщийМодуль.КурсыВалютСервер · модуль · Пересчитать\n")
    assert "// Переводит деньги между валютами" in text and text.count("КонецФункции") == 1
    (called,) = section(text, "CALLS")
    assert called == (
        "- ОбщийМодуль.КурсыВалютСервер · модуль: Функция КурсНаДату(Валюта, Знач НаДату = Неопределено) Экспорт"
        " — Возвращает курс и кратность валюты, действующие на дату."
    )
    callers = section(text, "CALLED BY")
    assert "- ОбщийМодуль.КурсыВалютСервер · модуль: ПересчитатьВВалютуУчета (line 45)" in callers
    assert "## OBJECT ОбщийМодуль.КурсыВалютСервер «Курсы валют сервер»" in text


def test_a_handler_of_a_form_and_the_fields_of_its_object(catalog: Catalog) -> None:
    found = context(catalog, "Документ.ЗаказПокупателя.Форма.ФормаДокумента.ПриСозданииНаСервере")
    assert found.bindings == ("ПриСозданииНаСервере",)
    text = procedure_fragment(found).text
    assert "handles: ПриСозданииНаСервере\n" in text
    assert "## OBJECT Документ.ЗаказПокупателя" in text and "реквизит Контрагент" in text.replace(
        "Реквизит", "реквизит"
    )


def test_what_names_it(catalog: Catalog) -> None:
    text = procedure_fragment(context(catalog, "СкладскойУчет.СнятьПросроченныеРезервы")).text
    assert "\nnamed by: РегламентноеЗадание.СнятиеРезервов\n## BSL\n" in text


def test_names_and_places(catalog: Catalog) -> None:
    symbols = SymbolTable(catalog)
    (row,) = procedures_named(symbols, "общиймодуль.курсывалютсервер.курснадату")
    for name in ("КурсыВалютСервер.КурсНаДату", f"{row.path}:{row.line + 1}", f"{row.path}:{row.text_line + 1}"):
        assert procedures_named(symbols, name) == [row], name
    assert procedures_named(symbols, "Почта.КурсНаДату") == []
    assert procedures_named(symbols, f"{row.path}:100000") == []
    rows, found = named_context(DEMO, catalog, "ПриСозданииНаСервере")
    assert len(rows) > 1 and found is None


NAMES = ["КурсыВалютСервер.Пересчитать", "ОбщегоНазначения.ЗначенияРеквизитовОбъекта", "РассылкиСервер.ОтправитьПисьмо"]


@pytest.mark.parametrize("name", NAMES)
def test_a_budget_is_kept_and_what_is_missing_is_counted(catalog: Catalog, name: str) -> None:
    found = context(catalog, name)
    whole = procedure_fragment(found)
    assert not whole.lines and not whole.calls and not whole.object_rows
    for most in [*range(1, 400, 23), *range(400, len(whole.text) + 400, 151)]:
        cut = procedure_fragment(found, most)
        assert len(cut.text) <= most
        if len(whole.text) + 300 <= most:
            assert cut.text == whole.text
        told = {what: int(gone) for gone, what in re.findall(r"… (\d+) of \d+ (lines|rows|callers) left out", cut.text)}
        if cut.text.endswith("…"):
            # nothing but a beginning fits: everything else is counted as missing
            assert cut.lines and cut.callers == len(found.callers.found)
        else:
            assert told.get("lines", 0) == cut.lines
            assert told.get("callers", 0) == cut.callers
            missing = set(whole.text.split("\n")) - set(cut.text.split("\n"))
            assert not missing or cut.is_cut
    assert procedure_fragment(found, 0).text == "" and procedure_fragment(found, 0).is_cut


def test_tokens_may_be_what_is_limited(catalog: Catalog) -> None:
    found = context(catalog, "КурсыВалютСервер.Пересчитать")
    cut = procedure_fragment(found, 300, estimated_tokens)
    assert estimated_tokens(cut.text) <= 300 and cut.is_cut


def test_no_path_of_the_machine_is_told(catalog: Catalog, tmp_path: Path) -> None:
    for row in list(catalog.procedures())[::25]:
        found = named_context(DEMO, catalog, f"{row.path}:{row.line + 1}")[1]
        assert found and str(DEMO) not in procedure_fragment(found).text
