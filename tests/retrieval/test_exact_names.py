"""What code calls by its whole name comes first; words around a name do not hide it."""

from __future__ import annotations

import pytest

from bsl_scout.retrieval.search import Searcher


@pytest.mark.parametrize(
    ("query", "symbol"),
    [
        ("СправочникСсылка.Контрагенты", "Справочник.Контрагенты"),
        ('Тип("СправочникСсылка.Контрагенты")', "Справочник.Контрагенты"),
        ("документобъект.заказпокупателя", "Документ.ЗаказПокупателя"),
        ("РегистрыСведений.КурсыВалют.СоздатьНаборЗаписей()", "РегистрСведений.КурсыВалют"),
        ("InformationRegisters.КурсыВалют.CreateRecordSet()", "РегистрСведений.КурсыВалют"),
        ("Набор = РегистрыСведений.КурсыВалют.СоздатьНаборЗаписей();", "РегистрСведений.КурсыВалют"),
        ("РегистрСведений.КурсыВалют.Курс", "РегистрСведений.КурсыВалют.Ресурс.Курс"),
        ("РассылкиСервер.ОтправитьПисьмо(", "ОтправитьПисьмо"),
        ("Возврат курсывалютсервер.КурсНаДату(Валюта, Дата);", "КурсНаДату"),
        ("где функция РассылкиСервер.ОтправитьПисьмо", "ОтправитьПисьмо"),
    ],
)
@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_a_whole_name_comes_first(searcher: Searcher, query: str, symbol: str, mode: str) -> None:
    answer = searcher.search(query, mode=mode)
    assert answer.hits[0].symbol == symbol
    assert answer.hits[0].ranks["name"] == 1
    assert answer.convincing


@pytest.mark.parametrize(
    "query",
    [
        # beside other words it is a word among words
        "РегистрСведений.КурсыВалют загрузка с сайта",
        "РассылкиСервер.ОтправитьПисьмо(КурсыВалютСервер.КурсНаДату())",
        "Справочник.Контрагенты.Форма.ФормаСписка",
        "Справочник.ТакогоНет",
        "www.example.com",
    ],
)
def test_other_queries_call_nothing_by_its_name(searcher: Searcher, query: str) -> None:
    assert "name" not in searcher.search(query).legs


def test_a_collection_holds_for_names_too(searcher: Searcher) -> None:
    assert "name" not in searcher.search("СправочникСсылка.Контрагенты", collection="code").legs
    assert "name" not in searcher.search("РассылкиСервер.ОтправитьПисьмо(", collection="metadata").legs


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
@pytest.mark.parametrize(
    "query",
    [
        "где функция отправить письмо в 1с",
        "подскажите как сумма словами",
        "найти код который сумма словами",
        "процедура сумма словами",
    ],
)
def test_words_around_a_name_do_not_hide_it(searcher: Searcher, query: str, mode: str) -> None:
    wanted = "ОтправитьПисьмо" if "письмо" in query else "СуммаСловами"
    assert searcher.search(query, mode=mode).hits[0].symbol == wanted


def test_a_setting_is_found_by_what_is_read_on_the_screen(searcher: Searcher) -> None:
    first = searcher.search("Дата запрета изменений", mode="hybrid").hits[0]
    assert first.symbol == "Константа.ДатаЗапретаИзменений"
