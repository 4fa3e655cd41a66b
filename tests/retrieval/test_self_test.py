"""The test that chooses the weight of the vectors: doc comments do not count, the better weight wins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bsl_scout.encoding.model import unit
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import refresh
from bsl_scout.index.lexical import DEFAULT
from bsl_scout.index.snapshot import Snapshot
from bsl_scout.retrieval.fusion import Fusion, Ranking
from bsl_scout.retrieval.self_test import WEIGHTS, Question, best_trial, by_meaning, by_words
from support import Write

GOOD, BAD = Ranking(np.array([1, 2]), np.array([1.0, 0.5])), Ranking(np.array([2, 1]), np.array([1.0, 0.5]))
QUESTIONS = [Question("а", frozenset({1}))]


def test_the_leg_that_is_right_gets_the_weight() -> None:
    by_vectors = best_trial(QUESTIONS, [BAD], [GOOD])
    by_terms = best_trial(QUESTIONS, [GOOD], [BAD])
    assert by_terms.weight <= 0.5 < by_vectors.weight
    assert (by_vectors.mean, by_terms.mean) == (1.0, 1.0)
    # when it makes no difference the default stands
    assert best_trial(QUESTIONS, [GOOD], [GOOD]).weight == Fusion().vector
    assert Fusion().vector in WEIGHTS


def test_gains_fall_with_the_place() -> None:
    far = Ranking(np.arange(2, 14), np.linspace(1, 0.1, 12))
    assert best_trial(QUESTIONS, [far], [far]).mean == 0.0
    assert best_trial(QUESTIONS, [BAD], [BAD]).mean == pytest.approx(1 / np.log2(3))
    assert best_trial([Question("а", frozenset({1, 2}))], [BAD], [BAD]).mean == 1.0
    assert best_trial([], [], []).mean == 0.0


def test_doc_comments_do_not_answer(write: Write, tmp_path: Path) -> None:
    module = "// Пересчитывает сумму\nПроцедура А()\n\tБ();\nКонецПроцедуры\n"
    module += "\nПроцедура СуммаЗаказа()\n\tВ();\nКонецПроцедуры\n"
    refresh(write({"М.bsl": module}), tmp_path / "index")
    catalog = Catalog(tmp_path / "index")
    ids = {row.name: row.id for row in catalog.procedures()}
    question = Question("пересчитать сумму", frozenset({ids["А"]}))
    with catalog.reading():
        (found,) = by_words(Snapshot(catalog, DEFAULT), [question], np.array(sorted(ids.values())))
        (alone,) = by_words(Snapshot(catalog, DEFAULT), [question], np.array([ids["А"]]))
    catalog.close()
    assert found.chunks.tolist() == [ids["СуммаЗаказа"]]
    assert alone.chunks.tolist() == []


def test_the_nearest_of_the_pool() -> None:
    vectors = unit(np.eye(3, 4, dtype=np.float32) + 0.1)
    first, second = by_meaning(np.array([7, 9, 12]), vectors, vectors[[1, 2]])
    assert (first.chunks[0], second.chunks[0]) == (9, 12)
    assert first.scores[0] == pytest.approx(1.0, abs=1e-5)
