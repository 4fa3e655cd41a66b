"""Prints what ADR 0017 says: questions with a slip of the finger, searched with and without their correction.

`python3 server/dev.py measure typos`  on all judged questions about SSL 3.1, and on the same as they are
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any
from unittest import mock

from bsl_scout.bsl.text import fold
from bsl_scout.retrieval import search
from bsl_scout.retrieval.evaluation import DEPTH, Ask, Question, evaluate
from bsl_scout.retrieval.search import Answer, Searcher
from bsl_scout.retrieval.spelling import CONFUSED

# slips for each question, each a question of its own
_SLIPS = 4
_LONG_WORD = re.compile(r"[а-яё]{6,}", re.IGNORECASE)


def measure(
    searcher: Searcher, groups: dict[str, Sequence[Question]], show: Callable[[dict[str, Any], str], None]
) -> None:
    """Print each group of questions with slips, then as it is; in both modes, with and without the correction."""
    for group, questions in groups.items():
        chance = random.Random(1)
        slipped = [slip for question in questions for slip in _slips(question, chance)]
        for name, asked in (("with slips", slipped), ("as they are", questions)):
            for mode in ("hybrid", "lexical"):
                print(f"\n{group} {name}, {sum(bool(one.relevant) for one in asked)} questions, {mode}")
                typed = asking_with(searcher, mode, "spelled", lambda *_: {})
                show(evaluate({"as typed": typed, "corrected": asking_with(searcher, mode)}, asked), "as typed")


def _slips(question: Question, chance: random.Random) -> Iterable[Question]:
    """Yield a question with one letter of a long word wrong, in the ways that people get it wrong."""
    words = list(_LONG_WORD.finditer(question.query))
    for number in range(_SLIPS if words else 0):
        found = chance.choice(words)
        word = found[0]
        at = chance.randrange(1, len(word) - 1)
        head, letter, tail = word[:at], word[at], word[at + 1 :]
        other = chance.choice(sorted(CONFUSED[fold(letter)]))
        wrong = chance.choice(
            (head + tail, head + tail[0] + letter + tail[1:], head + other + tail, head + other + letter + tail)
        )
        query = question.query[: found.start()] + wrong + question.query[found.end() :]
        yield replace(question, id=f"{question.id}/{number}", query=query)


def asking_with(searcher: Searcher, mode: str, name: str = "", other: Callable[..., Any] | None = None) -> Ask:
    """Return how questions are asked in a mode; with another function in place of one of the search, by its name."""

    def ask(query: str) -> Answer:
        with mock.patch.object(search, name, other) if other else nullcontext():
            return searcher.search(query, DEPTH, mode=mode)

    return ask
