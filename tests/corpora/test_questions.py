"""The judged questions of tests/gold: they name what exists, and Russian ones find English code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bsl_scout.bsl.names import text_terms
from bsl_scout.bsl.text import fold
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.dictionary import dictionary_of
from bsl_scout.retrieval.evaluation import load_questions
from bsl_scout.retrieval.expansion import expanded_scores, expansions
from bsl_scout.retrieval.search import Searcher
from bsl_scout.retrieval.synonyms import load_synonyms
from support import REPOSITORY

GOLD = REPOSITORY / "tests" / "gold"
FILES = ("crosslingual", "everyday", "none")
ENGLISH = "testdata/edt_tester_eng"


def roots(name: str) -> dict[str, str]:
    rows = [json.loads(line) for line in (GOLD / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len({row["id"] for row in rows}) == len(rows)
    return {row["id"]: row["root"] for row in rows}


@pytest.mark.corpora
@pytest.mark.parametrize("name", FILES)
def test_the_answers_exist(corpora: Path, name: str) -> None:
    where = roots(name)
    for question in load_questions(GOLD / f"{name}.jsonl"):
        assert bool(question.relevant) == (name != "none")
        for path, symbol in question.relevant:
            text = fold((corpora / where[question.id] / path).read_text(encoding="utf-8-sig"))
            assert symbol is None or symbol in text, f"{question.id}: {symbol}"


@pytest.mark.corpora
def test_russian_questions_find_english_code(corpora: Path, tmp_path: Path) -> None:
    where = roots("crosslingual")
    refresh(corpora / ENGLISH, tmp_path)
    searcher = Searcher(tmp_path)
    dictionary, (synonyms, _) = dictionary_of(searcher.catalog), load_synonyms()
    recalls = {True: 0.0, False: 0.0}
    questions = [q for q in load_questions(GOLD / "crosslingual.jsonl") if where[q.id] == ENGLISH]
    with searcher.catalog.reading():
        snapshot = searcher.snapshot()
        for question in questions:
            wanted = {path for path, _ in question.relevant}
            for tables in ((None, None), (dictionary, synonyms)):
                scored = expanded_scores(snapshot, expansions(text_terms(question.query), *tables))
                rows = searcher.catalog.chunks([hit.chunk for hit in snapshot.best(scored, 100)])
                order = [rows[hit.chunk].path for hit in snapshot.best(scored, 100)]
                found = set(list(dict.fromkeys(order))[:10]) & wanted
                recalls[tables[0] is not None] += len(found) / len(wanted) / len(questions)
    searcher.close()
    assert recalls[False] < 0.2
    assert recalls[True] >= 0.6, recalls
