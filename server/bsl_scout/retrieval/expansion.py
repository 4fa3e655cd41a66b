"""Scores a query together with what means the same: translations and synonyms of its terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bsl_scout.bsl.names import split_identifier, stem, text_words, words
from bsl_scout.bsl.text import fold
from bsl_scout.index.lexical import Contribution, Ints, Scheme, Scorer
from bsl_scout.index.snapshot import Scored, Snapshot

from .dictionary import Dictionary
from .synonyms import Synonyms

# what a synonym counts for beside a term of the query: `measure crosslingual`
SYNONYM = 0.6
# a query of everyday length has far fewer groups
_MOST_GROUPS = 32

# what people type around the words of a name: `где функция отправить письмо в 1с`
_AROUND_WORDS = """функция функцию процедура процедуру метод код кода коде 1с бсп найти нужно нужна нужен надо можно
где как каким образом сделать скажите подскажите пожалуйста есть мне нам который которая которое узнать понять покажи
показать из в что чтобы это конфигурации программе программы function procedure method code find how need please to
where what does the a i"""
AROUND = frozenset(map(fold, _AROUND_WORDS.split()))

# a term and others that stand for it, each with a weight 0 to 1; the first is of the query or a synonym
Group = tuple[tuple[str, float], ...]


def expansions(query_terms: Sequence[str], dictionary: Dictionary | None, synonyms: Synonyms | None) -> list[Group]:
    """Return a group for each term of a query with its translations and the single terms that mean the same, then
    one for each term of longer synonyms.
    """
    alone = synonyms.alone(query_terms) if synonyms else {}
    beside = {other for others in alone.values() for other in others}
    longer = [term for term in synonyms.same(query_terms) if term not in beside] if synonyms else []
    translations = dictionary.expand([*query_terms, *longer, *beside]) if dictionary else {}
    own = set(query_terms)
    groups = []
    for terms, share in ((query_terms, 1.0), (longer, SYNONYM)):
        for term in terms:
            weights = {term: share}
            # a chunk that has the word and its synonym says it once, not twice
            for same, part in ((term, share), *((other, SYNONYM) for other in alone.get(term, ()) if share == 1.0)):
                weights.setdefault(same, part)
                for other, weight in translations.get(same, ()):
                    if other not in own:
                        # the square root keeps a word with two translations from losing half of its weight on each
                        weights.setdefault(other, part * weight**0.5)
            groups.append(tuple(weights.items()))
    return groups[:_MOST_GROUPS]


def with_whole_name(snapshot: Snapshot, query: str, groups: Sequence[Group]) -> list[Group]:
    """Return the groups, and one for the name that the words of a query make in their order, when there is such a name.

    `отправить письмо` finds ОтправитьПисьмо before ОтправитьПисьма, which has the same stems: ADR 0018. That is all
    words, else those between what people type around a name.
    """
    own = words(query)
    for asked in (own, _without_fillers(own)):
        name = fold("".join(asked))
        if len(asked) > 1 and len(snapshot.contribution(name)[0]):
            return [*groups, ((name, 1.0),)]
    return list(groups)


def _without_fillers(own: Sequence[str]) -> Sequence[str]:
    kept = [place for place, word in enumerate(own) if fold(word) not in AROUND]
    return own[kept[0] : kept[-1] + 1] if kept else ()


def translated(query: str, groups: Sequence[Group]) -> dict[str, str]:
    """Return the terms that translate words of a query, each with the first such word as it was typed."""
    typed: dict[str, str] = {}
    for word in text_words(query):
        for part in split_identifier(word):
            typed.setdefault(stem(fold(part)), part)
    found: dict[str, str] = {}
    for (first, _), *others in groups:
        for term, _ in others if first in typed else ():
            found.setdefault(term, typed[first])
    return found


def expanded_scores(
    snapshot: Snapshot, groups: Sequence[Group], scheme: Scheme | None = None, among: Ints | None = None
) -> Scored:
    """Return the scores of chunks that hold a term of any group, under the snapshot's own scheme by default.

    A group scores as one term (Pirkola 1998): its idf is that of all its terms together, so that a rare
    translation does not outweigh the words beside it, and a chunk gets the best of its terms, not their sum.
    `matched` counts the groups that a chunk holds a term of.
    """
    scorer = snapshot.scorer(scheme)
    count = int(np.count_nonzero(snapshot.collection.alive))
    parts = [_as_one(snapshot, group, scheme, scorer, count) for group in groups]
    scored = Scored(*scorer.scores(parts))
    if among is None:
        return scored
    kept = np.isin(scored.documents, among)
    return Scored(scored.documents[kept], scored.scores[kept], scored.matched[kept])


def _as_one(snapshot: Snapshot, group: Group, scheme: Scheme | None, scorer: Scorer, count: int) -> Contribution:
    """Return what a group adds to the scores: that of its best term, by an idf of all of them together."""
    share = group[0][1]
    held = [(snapshot.contribution(term, scheme), weight) for term, weight in group]
    if len(held) == 1 and share == 1.0:
        return held[0][0]
    frequency = min(sum(weight / share * len(documents) for (documents, _), weight in held), count)
    whole = scorer.idf(int(frequency))
    best = np.full(len(snapshot.collection.alive), -np.inf)
    for (documents, added), weight in held:
        own = scorer.idf(len(documents))
        scaled = added * (weight * whole / own if own else 0.0)
        # a term has each chunk once
        best[documents] = np.maximum(best[documents], scaled)
    found = np.flatnonzero(best > -np.inf)
    return found, best[found]
