"""Metrics against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from bsl_scout.retrieval.metrics import interval, judge


def test_a_perfect_ranking() -> None:
    assert judge(["a", "b"], {"a": 2, "b": 1}) == {
        "ndcg@10": 1.0,
        "mrr@10": 1.0,
        "recall@10": 1.0,
        "hit@1": 1.0,
    }


def test_a_known_ranking() -> None:
    found = judge(["x", "b", "a"], {"a": 2, "b": 1, "c": 1})
    dcg = 1 / math.log2(3) + 3 / math.log2(4)
    ideal = 3 + 1 / math.log2(3) + 1 / math.log2(4)
    assert found["ndcg@10"] == pytest.approx(dcg / ideal)
    assert found["mrr@10"] == 0.5
    assert found["recall@10"] == pytest.approx(2 / 3)
    assert found["hit@1"] == 0.0


def test_only_ten_count() -> None:
    ranking = [f"x{i}" for i in range(10)] + ["a"]
    assert judge(ranking, {"a": 2}) == {"ndcg@10": 0.0, "mrr@10": 0.0, "recall@10": 0.0, "hit@1": 0.0}


def test_an_interval_holds_its_mean_and_can_be_repeated() -> None:
    values = [0.0, 0.2, 0.4, 1.0, 0.9, 0.1, 0.3]
    first = interval(values)
    assert first == interval(values)
    assert first.low < first.mean < first.high
    assert interval([0.5] * 8) == type(first)(0.5, 0.5, 0.5)
    assert math.isnan(interval([]).mean)
