"""Finds what is called as one typed word abbreviates: a beginning, beginnings of the parts, or a piece of a name."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from io import StringIO

from bsl_scout.bsl.names import identifier_terms, split_identifier
from bsl_scout.bsl.text import fold
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.lexical import FIELDS, Scheme
from bsl_scout.index.schema import CODE, METADATA
from bsl_scout.index.snapshot import Snapshot
from bsl_scout.index.symbol_names import names_between

from .expansion import Group
from .hits import Exact

# only whether a name holds a term, not how often or in how long a name
NAMES = Scheme(tuple(float(name == "name") for name in FIELDS), k1=1e-9, b=(0.0,) * len(FIELDS), joint=True)
# the best matches come before what is found in other ways, so there are no more than a screen of them
_MOST = 20
_LEAST_LETTERS = 4
# so many names are read at once
_PIECE_ROWS = 10_000
# qualities: they order the matches; from SURE on a match is what was meant
_SAME, _PREFIX, _HUMPS = 1.0, 0.95, 0.9
SURE = 0.8
_LATER_HUMPS, _PIECE = 0.7, 0.5
# what each part of a name that the word skips, and each letter of a long name, takes away
_SKIPPED, _LETTER = 0.005, 0.0001
_MOST_COUNTED = 10
# without capitals the borders are guessed; beginnings of two letters are too many to be sure of
_GUESSED_FIRST, _GUESSED = 2, 3
_WORD = re.compile(r"[^\W\d_]\w*")


def is_name(snapshot: Snapshot, words: Sequence[str]) -> bool:
    """Return whether something is called as these folded words together."""
    return len(snapshot.contribution("".join(words), NAMES)[0]) > 0


def is_unknown(snapshot: Snapshot, query: str, groups: Sequence[Group]) -> bool:
    """Return whether a query is one word that the index does not have, and that stands for no other word."""
    word = query.strip()
    if not _WORD.fullmatch(word) or len(word) < _LEAST_LETTERS:
        return False
    # the last term of a name is the whole of it
    terms = identifier_terms(word)
    if not terms or len(snapshot.contribution(terms[-1])[0]):
        return False
    return len(terms) > 1 or (len(groups) == 1 and len(groups[0]) == 1)


def name_quality(word: str, name: str) -> float | None:
    """Return how well a name is what the word abbreviates, 0 to 1, None when it is not."""
    own = name.rpartition(".")[2]
    wanted, folded = fold(word), fold(own)
    loss = _LETTER * min(len(own), 100)
    if folded == wanted:
        return _SAME
    if folded.startswith(wanted):
        return _PREFIX - loss
    parts = [fold(part) for part in split_identifier(own)]
    humps = [fold(hump) for hump in split_identifier(word)]
    if len(humps) > 1:
        places = _places(humps, parts)
    elif len(parts) > 1:
        places = _guessed(wanted, parts)
    else:
        places = None
    if places:
        skipped = places[-1] + 1 - len(places)
        base = _HUMPS if places[0] == 0 else _LATER_HUMPS
        return base - _SKIPPED * min(skipped, _MOST_COUNTED) - loss
    return _PIECE - loss if wanted in folded else None


def _places(humps: Sequence[str], parts: Sequence[str]) -> list[int] | None:
    """Return which part of a name each hump begins, in order, None when one begins none."""
    places: list[int] = []
    start = 0
    for hump in humps:
        place = next((at for at in range(start, len(parts)) if parts[at].startswith(hump)), None)
        if place is None:
            return None
        places.append(place)
        start = place + 1
    return places


def _guessed(word: str, parts: Sequence[str]) -> list[int] | None:
    """Return the parts of a name whose beginnings make the word up: `запсрок` of ЗаполнитьСрокПлатежа."""
    return _rest(word, parts, 0, set())


def _rest(word: str, parts: Sequence[str], start: int, dead: set[tuple[int, int]]) -> list[int] | None:
    """Return the parts from one on that make the word up; `dead` are the ends of words that none from there do."""
    if (len(word), start) in dead:
        return None
    least = _GUESSED if start else _GUESSED_FIRST
    for at in range(start, len(parts)):
        common = 0
        for mine, its in zip(word, parts[at], strict=False):
            if mine != its:
                break
            common += 1
        if common == len(word) >= _GUESSED and start:
            return [at]
        for length in range(common, least - 1, -1):
            rest = _rest(word[length:], parts, at + 1, dead) if len(word) - length >= _GUESSED else None
            if rest:
                return [at, *rest]
    dead.add((len(word), start))
    return None


def candidates(word: str) -> tuple[re.Pattern[str], Callable[[str], bool]]:
    """Return where all names are that a word abbreviates, because looking at each takes long: a pattern of the places,
    and what of the folded rest of the name behind one tells whether it may be such a name.
    """
    wanted = fold(word)
    humps = [fold(hump) for hump in split_identifier(word)]
    first = humps[0] if len(humps) > 1 else wanted[:_GUESSED_FIRST]
    others = "".join(rf"[^\n]*{_part(hump)}" for hump in humps[1:])
    # or the word is a piece of the name; both begin with the same letter, by which the text is looked through fast
    pattern = rf"{_folded(wanted[0])}(?:{_BEGUN}{_folded(first[1:])}{others}|{_folded(wanted[1:])})"

    def goes_on(name: str) -> bool:
        common = next((at for at, (a, b) in enumerate(zip(wanted, name, strict=False)) if a != b), len(wanted))
        # of a guess some letters behind the first ones begin another part
        starts = range(_GUESSED_FIRST, min(common, len(wanted) - _GUESSED) + 1)
        return common == len(wanted) or any(wanted[at : at + _GUESSED] in name[at:] for at in starts)

    return re.compile(pattern), goes_on if len(humps) < 2 else lambda name: True


# behind the first letter of a part of a name: it is a capital, or there is no letter before it
_BEGUN = r"(?:(?<=[^\W\d_a-zа-яё])|(?<![^\W\d_].)|(?<=\d))"


def _part(begin: str) -> str:
    """Return a pattern of how a part of a name begins."""
    return f"{_folded(begin[0])}{_BEGUN}{_folded(begin[1:])}"


def _folded(text: str) -> str:
    """Return a pattern of what is folded to a text."""
    return "".join("[ЕеЁё]" if letter == "е" else _cases(letter) for letter in text)


def _cases(letter: str) -> str:
    return f"[{letter}{letter.upper()}]" if letter.isalpha() and len(letter.upper()) == 1 else re.escape(letter)


class Names:
    """The names of all procedures, objects and fields of an index, read before a word asks for them or when it does.

    They are held as one text and read in pieces: as many small objects take ten times the memory.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        # what their numbers hold good for, and the last number that was read
        self._numbered: tuple[int, int] | None = None
        self._last = 0
        # a line for each chunk; where the lines begin, the chunks, and which of them are of code
        self._text = ""
        self._begins, self._chunks, self._code = array("I"), array("Q"), bytearray()

    def find(
        self, snapshot: Snapshot, query: str, groups: Sequence[Group], shares: Sequence[float]
    ) -> dict[int, Exact]:
        """Return the chunks whose names a query abbreviates best, none when it is more or other than an unknown word.

        `groups` are its terms with what else they may be called, `shares` what each collection counts for.
        """
        if not is_unknown(snapshot, query, groups):
            return {}
        self.read(snapshot)
        word = query.strip()
        known: dict[str, float | None] = {}
        alive = snapshot.collection.alive
        found = []
        for line, name in self._lines(*candidates(word)):
            if shares[CODE if self._code[line] else METADATA] > 0 and alive[self._chunks[line]]:
                if name not in known:
                    known[name] = name_quality(word, name)
                if (quality := known[name]) is not None:
                    found.append((-quality, name, self._code[line], self._chunks[line]))
        return {chunk: Exact(-worse, 0) for worse, _, _, chunk in sorted(found)[:_MOST]}

    def read(self, snapshot: Snapshot) -> None:
        """Take in the names of new chunks, and all of them when numbers may have gone to other chunks."""
        numbered = snapshot.base_generation, snapshot.state[1]
        if self._numbered != numbered:
            self._text, self._last, self._numbered = "", 0, numbered
            self._begins, self._chunks, self._code = array("I"), array("Q"), bytearray()
        text, begin = StringIO(newline=""), len(self._text)
        # the catalog may be ahead of a snapshot that is costly to make
        last = len(snapshot.collection.alive) - 1
        for first in range(self._last, last, _PIECE_ROWS):
            for chunk, name, code in names_between(self._catalog, first, min(first + _PIECE_ROWS, last)):
                self._begins.append(begin + text.tell())
                self._chunks.append(chunk)
                self._code.append(code)
                # what is written in XML may hold a border of lines
                text.write(name.replace("\n", " ") + "\n")
        self._text += text.getvalue()
        self._last = last

    def _lines(self, pattern: re.Pattern[str], fits: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
        """Yield the lines that a pattern is found in and whose folded rest from there on fits, with their numbers."""
        start = 0
        while found := pattern.search(self._text, start):
            end = self._text.index("\n", found.start())
            start = found.start() + 1
            if fits(fold(self._text[found.start() : end])):
                line = bisect_right(self._begins, found.start()) - 1
                start = end + 1
                yield line, self._text[self._begins[line] : end]
