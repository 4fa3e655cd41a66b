"""Which mode a query is answered in, on questions with the expected mode and on odd texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bsl_scout.retrieval.router import route
from support import REPOSITORY

LEAST = 0.9
# every third question of a file is for judging the rules only: nobody reads it while writing them
UNTOUCHED = 3


def check_accuracy(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    right = {row["id"]: route(row["query"]).mode == row["expected"] for row in rows}
    untouched = [row["id"] for number, row in enumerate(rows, start=1) if number % UNTOUCHED == 0]
    seen = [identifier for identifier in right if identifier not in untouched]
    for part in (untouched, seen):
        share = sum(right[identifier] for identifier in part) / len(part)
        assert share >= LEAST, [identifier for identifier in part if not right[identifier]]


def test_own_questions() -> None:
    check_accuracy(REPOSITORY / "tests" / "gold" / "router.jsonl")


def test_given_questions(gold: Path) -> None:
    check_accuracy(gold / "router_dev.jsonl")


@pytest.mark.parametrize(
    ("query", "mode", "code"),
    [
        ("почему не срабатывает", "vector", "question"),
        ("best practice", "vector", "advice"),
        ("инструкциями", "vector", "advice"),
        ("отчет не открывался", "vector", "symptom"),
        ("эсэмэской", "vector", "everyday"),
        ("Справочник.Контрагенты", "lexical", "full-name"),
        ("Catalogs.Products", "lexical", "full-name"),
        ("НФ-001", "lexical", "code"),
        ("ЗаполнитьТаблицу", "lexical", "identifier"),
        ("Если А <> Б Тогда", "lexical", "fragment"),
        ("«Документ не проведен»", "lexical", "quoted"),
        ("регламентом", "hybrid", "documents"),
        ("почему ЗаполнитьТаблицу", "hybrid", "mixed"),
        ("реквизит как строка", "hybrid", "no-signs"),
        ("сервер 1С:Предприятие и PostgreSQL", "hybrid", "no-signs"),
        ("ИНН и КПП", "hybrid", "no-signs"),
        ("загрузка из файла data.json", "hybrid", "no-signs"),
        ("", "hybrid", "no-signs"),
        ("🙂 \ud800 \0", "hybrid", "no-signs"),
    ],
)
def test_signs(query: str, mode: str, code: str) -> None:
    found = route(query)
    assert (found.mode, found.code) == (mode, code)
    assert 0 < found.confidence <= 1
    assert found.reason


def test_names_of_the_index() -> None:
    def known(word: str) -> bool:
        return word.casefold() in {"заполнитьтаблицу", "номенклатура"}

    assert route("заполнитьтаблицу").mode == "hybrid"
    assert route("заполнитьтаблицу", known).code == "known-name"
    assert route("цены справочника Номенклатура", known).code == "known-name"
    # in lower case inside other words it is an ordinary word
    assert route("номенклатура без цены", known).mode == "hybrid"


@pytest.mark.parametrize("text", ["не ", "как ", "а.", "«", "_", "(", "a-"])
def test_long_texts_cost_nothing(text: str) -> None:
    assert route(text * 50_000).mode in {"lexical", "vector", "hybrid"}
