"""Prints what ADRs 0018, 0020 and 0021 say: names as people type, paste and read them, and what finds them.

`python3 server/dev.py measure names`  from the words of procedures' names to them, and the judged questions
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest import mock

from bsl_scout.bsl.names import split_identifier, words
from bsl_scout.configuration.contents import CAPTION_SEPARATOR
from bsl_scout.index.metadata import HEAD_ROWS
from bsl_scout.index.object_store import all_objects
from bsl_scout.index.schema import CAPTIONS
from bsl_scout.index.symbol_names import procedure_names
from bsl_scout.retrieval import expansion
from bsl_scout.retrieval.evaluation import Ask, Question, evaluate
from bsl_scout.retrieval.keyboard import SIGNS, replaced
from bsl_scout.retrieval.search import Answer, Searcher
from measure_typos import asking_with

_NAMES, _WORDS = 300, range(2, 6)
_MODES = ("hybrid", "lexical")
_AROUND = (
    "функция {}",
    "процедура {}",
    "как {}",
    "где {}",
    "код {}",
    "{} в 1с",
    "подскажите как {}",
    "найти код который {}",
)
_MEMBERS = """SELECT DISTINCT f.owner, c.name FROM chunks c JOIN files f ON f.id = c.file
WHERE c.export AND c.part = 0 AND f.owner GLOB 'ОбщийМодуль.*' ORDER BY f.owner, c.name"""
_PASTED = {
    "Catalog": "СправочникСсылка.{}",
    "Document": "ДокументОбъект.{}",
    "InformationRegister": "РегистрыСведений.{}.СоздатьНаборЗаписей()",
}
# a query and the full name of what it means, of a procedure without its module where any will do
Pair = tuple[str, str]


def measure(
    searcher: Searcher, groups: dict[str, Sequence[Question]], show: Callable[[dict[str, Any], str], None]
) -> None:
    """Print how often what is meant comes first and among three, then the judged questions."""
    chance = random.Random(1)
    named = list(_in_words(sorted({name for _, name in procedure_names(searcher.catalog)})))
    chance.shuffle(named)
    named = named[:_NAMES]
    around = [(chance.choice(_AROUND).format(query), name) for query, name in named]
    typed = [(replaced(query, SIGNS), name) for query, name in named if query.islower() and not query.isascii()]
    members = [
        (f"{owner.partition('.')[2]}.{name}(", f"{owner}.{name}") for owner, name in searcher.catalog.rows(_MEMBERS)
    ]
    objects = [
        (_PASTED[item.kind].format(item.russian_name.partition(".")[2]), item.russian_name)
        for item in all_objects(searcher.catalog)
        if item.kind in _PASTED
    ]
    captions = chance.sample(_captions(searcher), _NAMES)
    for mode in _MODES:
        now = asking_with(searcher, mode)
        words_only = asking_with(searcher, mode, "with_whole_name", lambda _, __, groups: groups)
        as_typed = asking_with(searcher, mode, "retyped", lambda query, _: query)
        unnamed = asking_with(searcher, mode, "called", lambda *_: {})
        uncaptioned = asking_with(searcher, mode, "captioned", lambda *_: {})
        for title, pairs, without in (
            ("names in words", named, words_only),
            ("names with words around them", around, _with_fillers(now)),
            ("names on the other layout", typed, as_typed),
            ("members of common modules", chance.sample(members, _NAMES), unnamed),
            ("captions of forms", captions, uncaptioned),
            ("objects as code calls them", chance.sample(objects, min(_NAMES, len(objects))), unnamed),
        ):
            for variant, ask in (("without", without), ("with", now)):
                print_places(f"{len(pairs)} {title}, {mode}, {variant}", [(ask(query), name) for query, name in pairs])
        for group, questions in groups.items():
            print(f"\n{group}, {sum(bool(one.relevant) for one in questions)} questions, {mode}")
            show(evaluate({"without": words_only, "whole name": now}, questions), "without")


def _captions(searcher: Searcher) -> list[Pair]:
    """Return the captions of two to eight words that one form alone has, with its name."""
    chunks = [chunk for (chunk,) in searcher.catalog.rows("SELECT chunk FROM forward WHERE collection = ?", CAPTIONS)]
    forms: dict[str, set[str]] = {}
    for _, text in sorted(searcher.catalog.texts(chunks).items()):
        form, *rows = text.split("\n")
        for row in rows[HEAD_ROWS - 1 :]:
            # the last is the name of what has the caption
            for caption in row.split(CAPTION_SEPARATOR)[:-1]:
                forms.setdefault(caption, set()).add(form)
    return [(one, form) for one, (form, *others) in forms.items() if not others and len(words(one)) in range(2, 9)]


def print_places(title: str, found: Sequence[tuple[Answer, str]]) -> None:
    """Print how many answers have what was meant, by its name, first and among three."""
    places = [
        next((hit.rank for hit in answer.hits[:3] if name in (hit.symbol, f"{hit.owner}.{hit.symbol}")), 0)
        for answer, name in found
    ]
    first, three = (sum(0 < place <= most for place in places) / len(places) for most in (1, 3))
    print(f"{title}: {first:.1%} first, {three:.1%} among three")


def _with_fillers(ask: Ask) -> Ask:
    def asked(query: str) -> Answer:
        with mock.patch.object(expansion, "_without_fillers", lambda own: own):
            return ask(query)

    return asked


def _in_words(names: Sequence[str]) -> Iterator[Pair]:
    """Yield the names of two to five words in words, and themselves."""
    for name in names:
        parts = split_identifier(name)
        if len(parts) in _WORDS and "".join(parts) == name and name.isalpha():
            yield in_words(name), name


def in_words(name: str) -> str:
    """Return a name in words as one types them: abbreviations stay as they are."""
    return " ".join(part if part.isupper() and len(part) > 1 else part.lower() for part in split_identifier(name))
