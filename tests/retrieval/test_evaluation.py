"""Evaluation on invented answers, where the report can be worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bsl_scout.retrieval.evaluation import evaluate, load_questions
from bsl_scout.retrieval.hits import Hit
from bsl_scout.retrieval.search import Answer

ROWS = [
    {
        "id": "1",
        "query": "один",
        "lang": "ru",
        "kind": "exact",
        "relevant": [
            {"path": "a.bsl", "symbol": "Первая", "grade": 2},
            {"path": "a.bsl", "symbol": "Вторая", "grade": 1},
        ],
    },
    {
        "id": "2",
        "query": "two",
        "lang": "en",
        "kind": "semantic",
        "relevant": [{"path": "b.bsl", "symbol": None, "grade": 2}],
    },
    {"id": "3", "query": "пусто", "lang": "ru", "kind": "none", "relevant": []},
]


def write_questions(folder: Path) -> Path:
    path = folder / "gold.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), encoding="utf-8")
    return path


def answer(query: str, *places: tuple[str, str], convincing: bool = True) -> Answer:
    hits = [
        Hit(i, ".", path, symbol, "procedure", 0, 0, 1.0, {}, None, "", "", "", 0)
        for i, (path, symbol) in enumerate(places, start=1)
    ]
    return Answer(query, "lexical", ("lexical",), convincing, 0.0, hits)


def good(query: str) -> Answer:
    found = {"один": [("a.bsl", "ПЕРВАЯ"), ("a.bsl", "Вторая")], "two": [("b.bsl", "Любая")]}
    return answer(query, *found.get(query, []), convincing=query != "пусто")


def bad(query: str) -> Answer:
    return answer(query, ("c.bsl", "Иная"))


def test_report(tmp_path: Path) -> None:
    report = evaluate({"good": good, "bad": bad}, load_questions(write_questions(tmp_path)))
    modes = report["modes"]
    assert modes["good"]["file"]["all"]["ndcg@10"] == {"mean": 1.0, "low": 1.0, "high": 1.0}
    # a whole file (symbol null) is no hit of a procedure at symbol level
    assert modes["good"]["symbol"]["by_kind"]["exact"]["hit@1"]["mean"] == 1.0
    assert modes["good"]["symbol"]["by_kind"]["semantic"]["hit@1"]["mean"] == 0.0
    assert modes["good"]["none"] == {"flagged": 1, "total": 1}
    assert modes["bad"]["none"] == {"flagged": 0, "total": 1}
    assert modes["bad"]["file"]["by_lang"]["en"]["recall@10"]["mean"] == 0.0
    paired = {(row["level"], row["metric"]): row["mean"] for row in report["paired"]}
    assert paired[("file", "mrr@10")] == 1.0
    assert paired[("symbol", "mrr@10")] == 0.5
    assert len(report["per_question"]) == 2 * 2 * 2


@pytest.mark.parametrize("line", ["{", '{"id": 1}', "[]", '{"id":"1","query":"a","relevant":[{}]}'])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(ROWS[0], ensure_ascii=False) + "\n" + line, encoding="utf-8")
    with pytest.raises(ValueError, match=r"gold\.jsonl, line 2"):
        load_questions(path)
