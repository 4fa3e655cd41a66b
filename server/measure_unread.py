"""Prints what ADR 0019 says: names with a word unknown to the model, with and without a lesser weight of meaning.

`python3 server/dev.py measure unread`  from words of procedures' names to them, and the judged questions
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any
from unittest import mock

from bsl_scout.bsl.names import split_identifier
from bsl_scout.encoding.model import load_model
from bsl_scout.index.symbol_names import procedure_names
from bsl_scout.retrieval import fusion
from bsl_scout.retrieval.evaluation import DEPTH, Question, evaluate
from bsl_scout.retrieval.search import Answer, Searcher
from measure_names import in_words, print_places

_NAMES = 300
# the power of the share read: 0 is the usual weight whatever was read
_POWERS = (0, 1, 2, 3)


def measure(
    searcher: Searcher, groups: dict[str, Sequence[Question]], show: Callable[[dict[str, Any], str], None]
) -> None:
    """Print how often a name comes first and among three, asked for in two of its words and in all of them; then the
    judged questions."""
    names = list(_with_unknown_word(sorted({name for _, name in procedure_names(searcher.catalog)})))
    chance = random.Random(1)
    chance.shuffle(names)
    asked = names[:_NAMES]
    two = [(f"{chance.choice(known)} {chance.choice(unknown)}", name) for known, unknown, name in asked]
    whole = [(in_words(name), name) for _, _, name in asked]
    asks = {f"power {power}": partial(_ask, searcher, power) for power in _POWERS}
    variants: dict[str, Callable[[str], Answer]] = {**asks, "lexical": partial(searcher.search, top=DEPTH)}
    for title, queries in (("a known and an unknown word", two), ("all words", whole)):
        for variant, ask in variants.items():
            print_places(f"{len(queries)} names, {title}, {variant}", [(ask(query), name) for query, name in queries])
    for group, questions in groups.items():
        print(f"\n{group}, {sum(bool(one.relevant) for one in questions)} questions")
        show(evaluate(asks, questions), "power 0")


def _ask(searcher: Searcher, power: int, query: str) -> Answer:
    with mock.patch.object(fusion, "UNREAD_POWER", power):
        return searcher.search(query, DEPTH, mode="hybrid")


def _with_unknown_word(names: Sequence[str]) -> Iterator[tuple[list[str], list[str], str]]:
    """Yield names of two to six words, their words that the shipped model knows and those that it does not."""
    model = load_model()
    for name in names:
        parts = split_identifier(name)
        known = [in_words(part) for part in parts if model.knows(part)]
        unknown = [in_words(part) for part in parts if not model.knows(part)]
        if 2 <= len(parts) <= 6 and known and unknown and "".join(parts) == name and name.isalpha():
            yield known, unknown, name
