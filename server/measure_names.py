"""Prints what ADR 0018 says: words of a name in its order, searched with and without the whole name as a term.

`python3 server/dev.py measure names`  from the words of procedures' names to them, and the judged questions
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bsl_scout.bsl.names import split_identifier
from bsl_scout.index.symbol_names import procedure_names
from bsl_scout.retrieval.evaluation import Question, evaluate
from bsl_scout.retrieval.search import Searcher
from measure_typos import asking_with

_NAMES, _WORDS = 300, range(2, 6)
_MODES = ("hybrid", "lexical")


def measure(
    searcher: Searcher, groups: dict[str, Sequence[Question]], show: Callable[[dict[str, Any], str], None]
) -> None:
    """Print how often a name comes first and among three when its words are asked for, then the judged questions."""
    distinct = sorted({name for _, name in procedure_names(searcher.catalog)})
    named = list(_in_words(distinct))
    random.Random(1).shuffle(named)
    for mode in _MODES:
        without = asking_with(searcher, mode, "with_whole_name", lambda _, __, groups: groups)
        asks = {"without": without, "whole name": asking_with(searcher, mode)}
        for variant, ask in asks.items():
            found = [([hit.symbol for hit in ask(query).hits[:3]], name) for query, name in named[:_NAMES]]
            first = sum(symbols[:1] == [name] for symbols, name in found) / len(found)
            three = sum(name in symbols for symbols, name in found) / len(found)
            print(f"{len(found)} names in words, {mode}, {variant}: {first:.1%} first, {three:.1%} among three")
        for group, questions in groups.items():
            print(f"\n{group}, {sum(bool(one.relevant) for one in questions)} questions, {mode}")
            show(evaluate(asks, questions), "without")


def _in_words(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the names of two to five words with these words as one types them: abbreviations stay as they are."""
    for name in names:
        parts = split_identifier(name)
        if len(parts) in _WORDS and "".join(parts) == name and name.isalpha():
            words = (part if part.isupper() and len(part) > 1 else part.lower() for part in parts)
            yield " ".join(words), name
