"""The queries that the page of the search shows find in the demo configuration what the page promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bsl_scout.features.find_logic import find_logic
from bsl_scout.retrieval.search import Searcher

DOCS = Path(__file__).parents[1] / "docs"
FOUND = {
    "снять просроченный резерв": "СнятьПросроченныеРезервы",
    "amount in words": "СуммаСловами",
    "ЗаписатьКурс": "ЗаписатьКурс",
    "запкурс": "ЗаписатьКурс",
    "ПрЛимЗад": "ПроверитьЛимитЗадолженности",
    "прлимзад": "ПроверитьЛимитЗадолженности",
    "Накладная 123 этого поставщика уже введена": "ОбработкаПроверкиЗаполнения",
    "@Документ.ЗаказПокупателя заполнить": "ЗаполнитьЦены",
    "СправочникСсылка.Контрагенты": "Справочник.Контрагенты",
    "РассылкиСервер.ОтправитьПисьмо(": "ОтправитьПисьмо",
    "РегистрыСведений.КурсыВалют.СоздатьНаборЗаписей()": "РегистрСведений.КурсыВалют",
    "Превышен лимит задолженности клиента": "Документ.ЗаказПокупателя.Форма.ФормаДокумента",
    "реквизит ИНН контрагента": "Справочник.Контрагенты.Реквизит.ИНН",
}
# patterns of queries, not queries
PATTERNS = {"{ОбщийМодуль.Имя.Модуль(45)}: …"}


@pytest.mark.parametrize("page", ["search.md", "search.en.md"])
def test_the_page_shows_the_queries_that_are_tested(page: str) -> None:
    table = (DOCS / page).read_text(encoding="utf-8").split("\n\n| ", 1)[1].split("\n\n", 1)[0]
    shown = {query for row in table.split("\n")[2:] for query in re.findall(r"`([^`]+)`", row.split(" | ")[0])}
    assert shown == FOUND.keys() | PATTERNS


@pytest.mark.parametrize("query", FOUND)
def test_a_query_of_the_page_finds_what_it_is_for(searcher: Searcher, query: str) -> None:
    answer, _ = find_logic(searcher, query)
    assert answer.hits[0].symbol == FOUND[query]
    assert answer.convincing
