"""Finds what a word with a slip of the finger was meant to be: a term of the index that is one letter away."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bsl_scout.bsl.names import stem, words
from bsl_scout.bsl.text import fold
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.snapshot import Snapshot

from .expansion import Group

# what a corrected word counts for beside the words that were found as they were typed: ADR 0017
SHARE = 0.6
# shorter words are near too many others; a term of fewer chunks may be a slip itself
_LEAST_LETTERS, _LEAST_CHUNKS = 6, 3
# a word longer than any name would ask for thousands of neighbours
_MOST_LETTERS = 40
_WORD = re.compile(r"[^\W\d_]+")
_KEYBOARDS = (("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"), ("qwertyuiop", "asdfghjkl", "zxcvbnm"))
# letters that sound alike where the stress is not on them, or at the end of a syllable
_ALIKE = ("оа", "еи", "ея", "иы", "эе", "бп", "вф", "гк", "дт", "жш", "зс", "щш", "ie", "ae", "oa", "sc", "ck", "sz")


def _confusions() -> dict[str, frozenset[str]]:
    """Return for each letter those that are typed in its place: on the keys beside it, and those that sound alike."""
    found: dict[str, set[str]] = {}
    for rows in _KEYBOARDS:
        keys = {letter: (x + 0.5 * y, y) for y, row in enumerate(rows) for x, letter in enumerate(row)}
        for letter, (x, y) in keys.items():
            near = {one for one, (a, b) in keys.items() if abs(a - x) <= 1 and abs(b - y) <= 1 and one != letter}
            found.setdefault(letter, set()).update(near)
    for pair in _ALIKE:
        found[pair[0]].add(pair[1])
        found[pair[1]].add(pair[0])
    return {letter: frozenset(others) for letter, others in found.items()}


CONFUSED = _confusions()
_LETTERS = tuple("".join(rows) for rows in _KEYBOARDS)


def spelled(catalog: Catalog, snapshot: Snapshot, groups: Sequence[Group]) -> dict[str, str]:
    """Return for the terms that the index does not have, and that mean nothing else, the commonest near one.

    `groups` are the terms of a query with what else they may be called.
    """
    found = {}
    for (term, _), *others in groups:
        fits = _LEAST_LETTERS <= len(term) <= _MOST_LETTERS and _WORD.fullmatch(term)
        if fits and not others and not len(snapshot.contribution(term)[0]):
            near = sorted(neighbours(term))
            marks = ",".join("?" * len(near))
            known = [row[0] for row in catalog.rows(f"SELECT term FROM terms WHERE term IN ({marks})", *near)]
            count, best = max(((len(snapshot.contribution(one)[0]), one) for one in known), default=(0, ""))
            if count >= _LEAST_CHUNKS:
                found[term] = best
    return found


def neighbours(term: str) -> set[str]:
    """Return what a term may have been meant to be: a letter is left out or too many, two are exchanged, or one is
    another that stands beside it on the keyboard or sounds alike. The first letter is seldom wrong.
    """
    letters = next((one for one in _LETTERS if term[-1] in one), _LETTERS[0])
    parts = [(term[:at], term[at:]) for at in range(1, len(term) + 1)]
    found = {head + letter + tail for head, tail in parts for letter in letters}
    for head, tail in parts[:-1]:
        found.add(head + tail[1:])
        found.add(head + tail[1:2] + tail[0] + tail[2:])
        found.update(head + letter + tail[1:] for letter in CONFUSED.get(tail[0], ()))
    return found - {term}


def with_spelled(groups: Sequence[Group], corrections: dict[str, str]) -> list[Group]:
    """Return the groups, those of a misspelled term with what it was meant to be."""
    return [
        (*group, (corrections[group[0][0]], group[0][1] * SHARE)) if group[0][0] in corrections else group
        for group in groups
    ]


def respelled(query: str, corrections: dict[str, str]) -> str:
    """Return a query with its misspelled words corrected, for a model; as it is when there are none."""
    if not corrections:
        return query
    return " ".join(corrections.get(stem(fold(word)), word) for word in words(query))
