"""Joins the rankings of several legs into one: by rank (RRF) or by score (convex)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bsl_scout.index.lexical import Ints

Scores = npt.NDArray[np.float64]

# the power of the share that a leg read of a query, in its weight; and the least, so that a leg alone keeps its order
UNREAD_POWER, _LEAST_READ = 3, 0.001


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chunks, best first, with their scores in one leg; `share` is how much of the query the leg was able to read."""

    chunks: Ints
    scores: Scores
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Fusion:
    """How legs are joined; chosen on gold/ssl_dev, docs/adr/0007-fusion.md.

    `method` is `convex` (each leg's scores from 0 to 1 over its own candidates, weighted sum) or `rrf` (weight
    divided by k + rank, Cormack et al. 2009). `prior` multiplies what the prior of a procedure adds to a fused
    score of 0 to 1, `file` what the other good chunks of its file add.
    """

    method: str = "convex"
    k: float = 60.0
    lexical: float = 0.4
    vector: float = 0.6
    candidates: int = 200
    prior: float = 1.0
    file: float = 0.4

    def weights(self, legs: Mapping[str, Ranking]) -> dict[str, float]:
        """Return the weight of each leg, less when it read the query in part only: docs/adr/0019-unread-words.md."""
        usual = {"lexical": self.lexical, "vector": self.vector}
        return {leg: usual[leg] * max(ranking.share**UNREAD_POWER, _LEAST_READ) for leg, ranking in legs.items()}


def fuse(legs: Mapping[str, Ranking], how: Fusion) -> Ranking:
    """Return one ranking of all chunks that any leg found, scores from 0 to 1, equal ones by number."""
    present = {leg: ranking for leg, ranking in legs.items() if len(ranking.chunks)}
    weights = how.weights(present)
    if not present:
        return Ranking(np.zeros(0, np.int64), np.zeros(0))
    chunks = np.unique(np.concatenate([ranking.chunks for ranking in present.values()]))
    total = np.zeros(len(chunks))
    whole = sum(weights.values()) or 1.0
    for leg, ranking in present.items():
        own = _by_rank(len(ranking.chunks), how.k) if how.method == "rrf" else _by_score(ranking.scores)
        total[np.searchsorted(chunks, ranking.chunks)] += own * (weights[leg] / whole)
    order = np.argsort(-total, kind="stable")
    return Ranking(chunks[order], total[order])


def _by_rank(count: int, k: float) -> Scores:
    # at 1 for the first place, so that the prior adds to the same scale
    found: Scores = (k + 1) / (k + np.arange(1, count + 1, dtype=np.float64))
    return found


def _by_score(scores: Scores) -> Scores:
    low, high = float(scores[-1]), float(scores[0])
    if high <= low:
        return np.ones(len(scores))
    found: Scores = (scores - low) / (high - low)
    return found
