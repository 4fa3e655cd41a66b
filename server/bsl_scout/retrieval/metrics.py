"""Ranking metrics per question and their means with bootstrap intervals.

nDCG@10 uses gains 3 and 1 for grades 2 and 1 (gain 2^grade - 1, discount log2(rank + 1); Järvelin and
Kekäläinen 2002); MRR@10, Recall@10 and Hit@1 count grade >= 1. Intervals are 95 % percentile bootstrap
over questions (Efron 1979), with a fixed seed so that a report can be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

METRICS = ("ndcg@10", "mrr@10", "recall@10", "hit@1")
_DEPTH = 10
_SAMPLES = 10_000
_SEED = 20_240_601


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def judge(ranking: Sequence[Hashable], grades: Mapping[Hashable, int]) -> dict[str, float]:
    """Return the METRICS of one ranking (best first, no item twice) against the graded relevant items."""
    top = ranking[:_DEPTH]
    gains = [2 ** grades.get(item, 0) - 1 for item in top]
    ideal = sorted((2**grade - 1 for grade in grades.values()), reverse=True)[:_DEPTH]
    first = next((rank for rank, item in enumerate(top, start=1) if grades.get(item, 0) >= 1), None)
    relevant = sum(grade >= 1 for grade in grades.values())
    found = sum(grades.get(item, 0) >= 1 for item in top)
    return {
        "ndcg@10": _discounted(gains) / _discounted(ideal) if ideal else 0.0,
        "mrr@10": 1 / first if first else 0.0,
        "recall@10": found / relevant if relevant else 0.0,
        "hit@1": float(first == 1),
    }


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def interval(values: Sequence[float]) -> Interval:
    """Return the mean of per-question values with its interval; a NaN mean for no values."""
    if not values:
        return Interval(math.nan, math.nan, math.nan)
    array = np.asarray(values, dtype=np.float64)
    samples = np.random.default_rng(_SEED).integers(0, len(array), (_SAMPLES, len(array)))
    low, high = np.percentile(array[samples].mean(axis=1), [2.5, 97.5])
    return Interval(float(array.mean()), float(low), float(high))
