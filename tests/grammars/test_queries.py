"""The grammar files compile and mean what the README of the folder says."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from bsl_scout.bsl.grammars import grammar_file
from bsl_scout.bsl.parser import Query, compile_query, syntax_captures

QUERIES = sorted(grammar_file("queries").glob("*.scm"))
SNIPPET = """#Область Продажи
&НаСервере
Асинх Функция Итог(Знач Дата, Вид = "все") Экспорт
\t// считает итог
\tСумма = Таблица.Итог("Сумма") + 1.5;
\tЕсли Дата < '20240101' И Не Пусто Тогда
\t\tВозврат Новый Структура;
\tКонецЕсли;
КонецФункции
#КонецОбласти
"""


def captured(query: str, text: str) -> dict[str, list[str]]:
    source = grammar_file(f"queries/{query}.scm").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for name, start, end in syntax_captures(text, compile_query(source)):
        found.setdefault(name, []).append(text[start:end])
    return found


def configuration() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(grammar_file("language-configuration.json").read_text(encoding="utf-8"))
    return loaded


def pattern(value: str | dict[str, str]) -> re.Pattern[str]:
    if isinstance(value, str):
        return re.compile(value)
    return re.compile(value["pattern"], re.IGNORECASE if value["flags"] == "i" else 0)


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_query_compiles(path: Any) -> None:
    source = path.read_text(encoding="utf-8")
    assert isinstance(compile_query(source), Query)
    # on UTF-16 text predicates match nothing, and `#set!` crashes tree-sitter 0.26.1
    assert "(#" not in source


def test_expected_queries_exist() -> None:
    assert {path.stem for path in QUERIES} == {"calls", "highlights", "procedures", "statements"}


def test_highlights() -> None:
    assert captured("highlights", SNIPPET) == {
        "preproc": ["#Область", "#КонецОбласти"],
        "attribute": ["&НаСервере"],
        "keyword.coroutine": ["Асинх"],
        "keyword.function": ["Функция", "КонецФункции"],
        "function": ["Итог"],
        "keyword": ["Знач", "Экспорт", "Возврат", "Новый"],
        "variable.parameter": ["Дата", "Вид"],
        "string": ['"все"', '"Сумма"'],
        "comment": ["// считает итог"],
        "function.call": ["Итог"],
        "operator": ["+", "<", "И", "Не"],
        "number": ["1.5"],
        "keyword.conditional": ["Если", "Тогда", "КонецЕсли"],
        "string.special": ["'20240101'"],
        "type": ["Структура"],
    }


def test_highlights_of_masked_code_keep_offsets() -> None:
    found = captured("highlights", 'Если (Учёт.Счёт("😀") = "а") Тогда Учёт.Остаток = 1 КонецЕсли')
    assert found["function.call"] == ["Счёт"]
    assert found["string"] == ['"😀"', '"а"']
    assert found["property"] == ["Остаток"]


def test_procedures() -> None:
    found = captured("procedures", SNIPPET + "Перем А;\nПроцедура Б() КонецПроцедуры")
    assert found["name"] == ["Итог", "Б"]
    assert found["export"] == ["Экспорт"]
    assert found["parameters"] == ['(Знач Дата, Вид = "все")', "()"]
    assert found["annotation"] == ["&НаСервере"]
    assert found["region"] == ["Продажи"]
    assert found["variable"] == ["А"]


def test_calls_and_statements() -> None:
    assert captured("calls", "А.Б().В();") == {
        "call.receiver": ["А.Б()", "А"],
        "call.name": ["Б", "В"],
    }
    assert captured("statements", "Если А Тогда Б(); КонецЕсли;")["statement"][1] == "Б();"


def test_words() -> None:
    word = pattern(configuration()["wordPattern"])
    assert word.findall("Учёт_1.Найти(Їжак, x2)") == ["Учёт_1", "Найти", "Їжак", "x2"]


def test_folding_markers() -> None:
    markers = configuration()["folding"]["markers"]
    start, end = pattern(markers["start"]), pattern(markers["end"])
    assert all(start.search(line) for line in ("#Область А", "\t# область Б", "#REGION c"))
    assert all(end.search(line) for line in ("#КонецОбласти", " # EndRegion", "#конецобласти // А"))
    assert not any(rule.search(line) for rule in (start, end) for line in ("// #Область", "#Областью", "#Если"))
    assert not start.search("#КонецОбласти")


def test_indentation_rules() -> None:
    rules = configuration()["indentationRules"]
    increase, decrease = pattern(rules["increaseIndentPattern"]), pattern(rules["decreaseIndentPattern"])
    for line in (
        "Процедура А()",
        "асинх функция Б() Экспорт",
        "\tЕсли А Тогда",
        "ИНАЧЕ",
        "Для Каждого А Из Б Цикл",
    ):
        assert increase.search(line)
    for line in ("Function A()", "While x Do", "Try", "Except", "Исключение", "Попытка // к"):
        assert increase.search(line)
    for line in (
        "Если А Тогда Б(); КонецЕсли;",
        "Процедурный = 1;",
        "ЕслиТак()",
        "А = 1; // Если",
        "Формат()",
    ):
        assert not increase.search(line)
    for line in (
        "КонецПроцедуры",
        "\tКонецЕсли;",
        "Иначе",
        "ИначеЕсли А Тогда",
        "endif;",
        "Except",
        "КонецЦикла",
    ):
        assert decrease.search(line)
    for line in ("КонецДня = 1;", "Если А Тогда", "ИначеТак();", "А.КонецЕсли"):
        assert not decrease.search(line)


def test_continued_string_rule() -> None:
    before = pattern(configuration()["onEnterRules"][0]["beforeText"])
    assert before.search("\t|ВЫБРАТЬ")
    assert not before.search('\t|КОНЕЦ";')
    assert not before.search("А = 1;")


def test_pairs_and_comments() -> None:
    loaded = configuration()
    assert loaded["comments"] == {"lineComment": "//"}
    assert ["(", ")"] in loaded["brackets"]
    assert {pair["open"] for pair in loaded["autoClosingPairs"]} >= {"(", "[", '"'}
    assert ['"', '"'] in loaded["surroundingPairs"]
