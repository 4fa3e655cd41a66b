"""The names nearest to one that there is not: what a misspelled name may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

from .text import fold

# how many names are told in place of an unknown one
MOST = 5
# and how like it they are at least, 0 to 1
_LIKENESS = 0.7
# what stands before: words such as the kind are the same in all
_OWNER_LIKENESS = 0.8


def nearest(wanted: str, names: Iterable[str], most: int = MOST) -> list[str]:
    """Return the dotted names nearest to one, the nearest first: the last part is or begins nearly so.

    What stands before the last part has to be like too, unless `wanted` has nothing there.
    """
    owner, _, typed = fold(wanted).rpartition(".")
    by_last: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        last = fold(name).rpartition(".")[2]
        for one in {last, last[: len(typed)]}:
            by_last.setdefault(one, []).append(name)
    found: dict[str, float] = {}
    for near in get_close_matches(typed, by_last, max(len(by_last), 1), _LIKENESS):
        for name in by_last[near]:
            like = _likeness(owner, fold(name).rpartition(".")[0]) if owner else 1.0
            if like >= _OWNER_LIKENESS:
                found.setdefault(name, like + _likeness(typed, near))
    return sorted(found, key=lambda name: -found[name])[:most]


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()
