"""Chooses the weight of the vectors by questions that the configuration itself answers: doc comments, taken away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bsl_scout.bsl import names
from bsl_scout.index.lexical import DEFAULT, FIELDS, Floats, Ints
from bsl_scout.index.snapshot import Snapshot
from bsl_scout.index.vectors import ExactVectors
from bsl_scout.index.vectors import Floats as Vectors

from .fusion import Fusion, Ranking, fuse

# doc sentences are nearer to code than what people ask: they would choose more than the usual weight, which
# loses on judged questions (docs/adr/0011-adaptation.md)
WEIGHTS = (0.3, 0.4, 0.5, Fusion().vector)
_DEPTH = 10
_UNDOCUMENTED = replace(
    DEFAULT, weights=tuple(0.0 if name == "doc" else w for name, w in zip(FIELDS, DEFAULT.weights, strict=True))
)


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence that tells what chunks do; any of them answers it."""

    text: str
    right: frozenset[int]


@dataclass(frozen=True, slots=True)
class Trial:
    """How well questions were answered at the best weight of the vectors: the gain of each, 0 to 1."""

    weight: float
    gains: Floats

    @property
    def mean(self) -> float:
        """The mean gain."""
        return float(self.gains.mean()) if len(self.gains) else 0.0


def by_words(snapshot: Snapshot, questions: Sequence[Question], pool: Ints) -> list[Ranking]:
    """Return for each question the chunks of the pool that hold its words outside of doc comments.

    Call it inside `catalog.reading()`.
    """
    found = []
    for question in questions:
        terms = list(dict.fromkeys(names.text_terms(question.text)))
        hits = snapshot.best(snapshot.score(terms, _UNDOCUMENTED, pool), Fusion().candidates)
        chunks = np.fromiter((hit.chunk for hit in hits), np.int64, len(hits))
        found.append(Ranking(chunks, np.fromiter((hit.score for hit in hits), np.float64, len(hits))))
    return found


def by_meaning(pool: Ints, vectors: Vectors, asked: Vectors) -> list[Ranking]:
    """Return for each question, given as its vector, the nearest chunks of the pool."""
    store = ExactVectors(vectors.shape[1])
    store.upsert(pool.tolist(), vectors)
    found = []
    for vector in asked:
        chunks, scores = store.query(vector, Fusion().candidates)
        found.append(Ranking(chunks, scores.astype(np.float64)))
    return found


def best_trial(questions: Sequence[Question], words: Sequence[Ranking], meaning: Sequence[Ranking]) -> Trial:
    """Return the best of the weights with its gains; of equal ones that nearest to the default."""
    usual = Fusion().vector
    trials = [
        Trial(weight, _gains(questions, words, meaning, weight))
        for weight in sorted(WEIGHTS, key=lambda weight: abs(weight - usual))
    ]
    return max(trials, key=lambda trial: round(trial.mean, 6))


def _gains(
    questions: Sequence[Question], words: Sequence[Ranking], meaning: Sequence[Ranking], weight: float
) -> Floats:
    how = replace(Fusion(), lexical=1 - weight, vector=weight)
    gains = np.zeros(len(questions))
    for number, question in enumerate(questions):
        ranked = fuse({"lexical": words[number], "vector": meaning[number]}, how).chunks[:_DEPTH].tolist()
        place = next((rank for rank, chunk in enumerate(ranked) if chunk in question.right), None)
        gains[number] = 0.0 if place is None else 1 / np.log2(place + 2)
    return gains
