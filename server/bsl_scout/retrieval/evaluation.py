"""Measures search on questions with relevance judgements."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bsl_scout.bsl.text import fold

from .metrics import METRICS, Interval, interval, judge
from .search import Answer

LEVELS = ("file", "symbol")
DEPTH = 50

Ask = Callable[[str], Answer]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its graded answers: (path, symbol or None for a whole file) -> grade 1 or 2."""

    id: str
    query: str
    lang: str
    kind: str
    relevant: Mapping[tuple[str, str | None], int]


def load_questions(path: Path) -> list[Question]:
    """Return the questions of a JSONL file; raises ValueError that names the line which cannot be read."""
    questions = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            relevant = {
                (item["path"], fold(item["symbol"]) if item.get("symbol") else None): int(item["grade"])
                for item in row["relevant"]
            }
            questions.append(Question(row["id"], row["query"], row.get("lang", ""), row.get("kind", ""), relevant))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path.name}, line {number}: not a question ({error})") from error
    return questions


def rankings(answer: Answer) -> dict[str, list[Hashable]]:
    """Return the ranking at file level (each file at its best rank) and at symbol level."""
    symbols = dict.fromkeys((hit.path, fold(hit.symbol)) for hit in answer.hits)
    return {"file": list(dict.fromkeys(hit.path for hit in answer.hits)), "symbol": list(symbols)}


def _grades(question: Question, level: str) -> dict[Hashable, int]:
    grades: dict[Hashable, int] = {}
    for (path, symbol), grade in question.relevant.items():
        item = path if level == "file" else (path, symbol)
        grades[item] = max(grade, grades.get(item, 0))
    return grades


def evaluate(modes: Mapping[str, Ask], questions: Sequence[Question]) -> dict[str, Any]:
    """Return the report of all modes: means with intervals, paired differences, per-question values.

    Questions without an answer in the corpus (kind `none`) stay out of the means; for them `flagged`
    tells how many the search itself called not convincing.
    """
    answerable = [question for question in questions if question.relevant]
    values: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    report: dict[str, Any] = {"modes": {}, "paired": [], "per_question": []}
    for mode, ask in modes.items():
        latencies: list[float] = []
        values[mode] = {level: {} for level in LEVELS}
        for question in answerable:
            started = time.perf_counter()
            answer = ask(question.query)
            latencies.append((time.perf_counter() - started) * 1000)
            for level, ranking in rankings(answer).items():
                values[mode][level][question.id] = judge(ranking, _grades(question, level))
            for level in LEVELS:
                measured = values[mode][level][question.id]
                report["per_question"].append(
                    {"mode": mode, "level": level, "id": question.id, "kind": question.kind, **measured}
                )
        unanswerable = [ask(question.query) for question in questions if not question.relevant]
        report["modes"][mode] = {level: _level(values[mode][level], answerable) for level in LEVELS}
        report["modes"][mode]["none"] = {
            "flagged": sum(not answer.convincing for answer in unanswerable),
            "total": len(unanswerable),
        }
        p50, p95 = np.percentile(latencies, [50, 95]) if latencies else (0.0, 0.0)
        report["modes"][mode]["latency_ms"] = {"p50": round(float(p50), 2), "p95": round(float(p95), 2)}
    report["paired"] = _paired(values, answerable)
    return report


def _level(values: Mapping[str, Mapping[str, float]], questions: Sequence[Question]) -> dict[str, Any]:
    def summary(chosen: Sequence[Question]) -> dict[str, Any]:
        means: dict[str, Any] = {
            metric: _rounded(interval([values[question.id][metric] for question in chosen])) for metric in METRICS
        }
        return {**means, "questions": len(chosen)}

    def groups(key: Callable[[Question], str]) -> dict[str, Any]:
        names = sorted({key(question) for question in questions})
        return {name: summary([q for q in questions if key(q) == name]) for name in names}

    return {
        "all": summary(questions),
        "by_kind": groups(lambda question: question.kind),
        "by_lang": groups(lambda question: question.lang),
    }


def _paired(
    values: Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]], questions: Sequence[Question]
) -> list[dict[str, Any]]:
    modes = list(values)
    rows = []
    for i, a in enumerate(modes):
        for b in modes[i + 1 :]:
            for level in LEVELS:
                for metric in METRICS:
                    differences = [
                        values[a][level][question.id][metric] - values[b][level][question.id][metric]
                        for question in questions
                    ]
                    rows.append({"a": a, "b": b, "level": level, "metric": metric, **_rounded(interval(differences))})
    return rows


def _rounded(value: Interval) -> dict[str, float | None]:
    # NaN is no JSON: without questions there is no mean
    numbers = {"mean": value.mean, "low": value.low, "high": value.high}
    return {name: None if number != number else round(number, 4) for name, number in numbers.items()}
