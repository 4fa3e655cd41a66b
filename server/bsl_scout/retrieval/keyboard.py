"""Finds what was meant by a word typed on the wrong keyboard layout, or with letters of the other alphabet in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bsl_scout.bsl.names import text_terms

# the letter of the Russian layout on the key of each sign of the English one
_KEYS = dict(
    zip(
        "`qwertyuiop[]asdfghjkl;'zxcvbnm,.~QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>",
        "ёйцукенгшщзхъфывапролджэячсмитьбюЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ",
        strict=True,
    )
)
# and the reverse
SIGNS = {letter: sign for sign, letter in _KEYS.items()}
# letters that look alike in both alphabets
_CYRILLIC = dict(zip("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ", strict=True))
_LATIN = {letter: like for like, letter in _CYRILLIC.items()}
# shorter words of the other layout are words of this one too often
_LEAST_LETTERS = 3
_PUNCTUATION = ".,;:!?\"'<>[]{}()"


def retyped(query: str, known: Callable[[str], bool]) -> str:
    """Return a query with its words as they were meant, as it is when nothing better is known.

    `ghbdtn` is `привет` where the index has that word and not the other; `known` tells whether it has a term.
    """
    words = query.split()
    meant = {place: better for place, word in enumerate(words) if (better := _meant(word, known))}
    if not meant:
        return query
    for place, word in enumerate(words):
        if place not in meant and len(word) < _LEAST_LETTERS and word.isascii() and word.islower():
            # a preposition between words of the other layout
            meant[place] = replaced(word, _KEYS)
    return " ".join(meant.get(place, word) for place, word in enumerate(words))


def _meant(word: str, known: Callable[[str], bool]) -> str | None:
    """Return what is known in place of a word that is not, None when there is nothing better."""
    if len(word) < _LEAST_LETTERS or all(map(known, text_terms(word))):
        return None
    for better in _candidates(word):
        terms = text_terms(better)
        if better != word and terms and all(map(known, terms)):
            return better
    return None


def _candidates(word: str) -> Iterator[str]:
    bare = word.strip(_PUNCTUATION)
    for layout in (_KEYS, SIGNS):
        # what ends a sentence is a letter of the other layout
        yield from (replaced(one, layout) for one in (word, bare) if all(sign in layout for sign in one))
    yield from (replaced(bare, likes) for likes in (_CYRILLIC, _LATIN))


def replaced(word: str, signs: dict[str, str]) -> str:
    """Return a text with some of its signs replaced."""
    return "".join(signs.get(sign, sign) for sign in word)
