"""The line that is shown with a hit, and the words in it that answer."""

from __future__ import annotations

import pytest

from bsl_scout.bsl import names
from bsl_scout.retrieval.snippets import Snippets

CHECK = """// Сверяет остаток
//
&НаКлиенте
Процедура ПроверитьДолг(Клиент)
\tЕсли Как = Клиент Тогда
\tКонецЕсли;
КонецПроцедуры"""


def matched(query: str, snippet: str) -> list[str]:
    return [snippet[begin:end] for begin, end in Snippets(names.text_terms(query)).matched(snippet)[0]]


@pytest.mark.parametrize(
    ("query", "text", "line"),
    [
        ("проверка долга клиента", CHECK, 3),
        ("на сервере у клиента", CHECK, 3),
        ("как долг", CHECK, 3),
        ("пеня", CHECK, 0),
        ("пеня", "\n&НаСервереБезКонтекста\nФункция Счет()", 2),
        ("пеня", "&AtClientAtServerNoContext\nFunction Bill()", 1),
        ("пеня", '&Вместо("Счет")\nФункция Расш_Счет()', 1),
        ("пеня", "&НаКлиенте Процедура А()\nБ = 1;", 0),
        ("счет", '&Вместо("Счет")\nФункция Расш()', 0),
        ("вместо", '&Вместо("Счет")\nФункция Расш()', 1),
        ("клиент", "&НаКлиенте Процедура А()\nКлиент = 1;", 1),
        # of small words alone the line is chosen by them
        ("как", CHECK, 4),
    ],
)
def test_the_line_is_of_code_or_of_its_comment(query: str, text: str, line: int) -> None:
    assert Snippets(names.text_terms(query)).best_line(text) == line


@pytest.mark.parametrize(
    ("query", "snippet", "words"),
    [
        ("сменить почту с паролем", "СменитьПочтуПослеЗапросаПароля(С)", ["СменитьПочту", "Пароля"]),
        ("ЗаказПокупателя", "Документ.ЗаказПокупателя", ["ЗаказПокупателя"]),
        ("the code of a client", "// the code of a client", ["code", "client"]),
        ("клиент", "&НаКлиенте Процедура Клиенту()", ["Клиенту"]),
        ("как", "Код КАК Код", ["КАК"]),
    ],
)
def test_matched_are_words_that_mean_something_and_parts_of_names(query: str, snippet: str, words: list[str]) -> None:
    assert matched(query, snippet) == words


def test_translations_choose_the_line_only_without_the_query_s_own_words_and_are_told() -> None:
    translations = {names.stem("клиент"): "customer", names.stem("долг"): "debt"}
    foreign = Snippets(names.text_terms("customer debt"), translations)
    assert foreign.best_line(CHECK) == 3
    spans, told = foreign.matched("Процедура ПроверитьДолг(Клиент)")
    assert (spans, told) == ([(19, 23), (24, 30)], {"Долг": "debt", "Клиент": "customer"})
    assert foreign.matched("ДолгКлиента") == ([(0, 11)], {"ДолгКлиента": "debt customer"})
    assert foreign.best_line("ДолгКлиента = 1;\nDebt = 2;") == 1
    assert foreign.matched("Debt = 2;") == ([(0, 4)], {})
