"""Tells whether an answer is to be trusted, or whether nothing in the index is about the question.

What a configuration is about stands in the names of its procedures, objects and fields. Words in bodies and
comments prove little: nearly every word of business occurs somewhere in a large configuration.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bsl_scout.bsl.names import text_words, word_terms
from bsl_scout.bsl.text import fold
from bsl_scout.index.lexical import Floats, Ints, Scheme
from bsl_scout.index.snapshot import Snapshot

from .dictionary import Dictionary
from .expansion import Group, expansions
from .name_match import NAMES
from .synonyms import Synonyms

# all values here: `measure none`, on gold/ssl_dev and the tuning part of tests/gold/none.jsonl
# a word that is in this share of the names is fully one of the configuration's own
_AT_HOME = 0.02
# words rarer than this share of the chunks all weigh the same: a typo weighs no more than a rare word
_RAREST = 0.0007
# what the words for actions weigh: each action has many names, its object few
_ACTION = 0.3

_SMALL_WORDS = """и в во на по с со к ко о об от из за для при до у не или а но как что это его их ее то же ли без
через под над между если чтобы так тех те тот кто какие какой какая который которые когда где уже еще все всех всех
каждый один одного одной два двух двумя несколько сам сами свой свою своего другой другие другим другими мой мои давно
сейчас сразу только можно нельзя должен должна пора раз следующий там тут вместо
a an the of in on at to by for from with and or not is are be as it its this that if do does which what how why when
where all any can i we you my your into over out"""
_SMALL = frozenset(_SMALL_WORDS.split())
_VERB = re.compile(
    r"(?:(?<!нос)(?<!част)ть|ться|тся|лся|лись|лась|лось|чь|йти|сти"
    r"|(?<=\w{3})(?:ает|яет|ует|ивает|ит|еет|ют|ят|али|яли|или|ала|яла))$"
)


@dataclass(frozen=True, slots=True)
class Features:
    """What is known of an answer.

    `named`: the share of the query's weight, each word by how firmly names of the configuration hold it.
    `together`: the largest share of the query's weight that one name holds. `exact`: whether a title or a
    message of the configuration is what the query says. `similarity`: the cosine of the nearest vector, and
    `agreement`: the share of the best ten that both legs found; None without vectors.
    """

    named: float
    together: float
    exact: bool = False
    similarity: float | None = None
    agreement: float | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """The least trust that convinces, and what a near vector and legs that agree add to it."""

    least: float
    similarity: float = 0.0
    agreement: float = 0.0


WORDS_ONLY = Rule(0.265)
WITH_VECTORS = Rule(0.32, similarity=0.1)


def trust(features: Features, rule: Rule = WORDS_ONLY) -> float:
    """Return how much an answer is to be trusted, for comparison with the rule's least."""
    from_words = (features.named + features.together) / 2
    from_vectors = rule.similarity * (features.similarity or 0.0) + rule.agreement * (features.agreement or 0.0)
    return from_words + from_vectors


def is_convincing(features: Features, rule: Rule = WORDS_ONLY) -> bool:
    """Return whether the answer is convincing; what answers exactly always is."""
    return features.exact or trust(features, rule) >= rule.least


def query_features(
    snapshot: Snapshot, query: str, dictionary: Dictionary | None, synonyms: Synonyms | None, exact: bool = False
) -> Features:
    """Return what the names of the index tell about a query; call it inside `catalog.reading()`."""
    weights = _word_weights(query)
    terms = list(weights)
    groups = [_with_synonyms(group, dictionary, synonyms) for group in expansions(terms, dictionary, None)]
    count = max(int(np.count_nonzero(snapshot.collection.alive)), 1)
    held = [_holding(snapshot, group) for group in groups]
    named = [_holding(snapshot, group, NAMES) for group in groups]
    rarity = np.array([np.log(count / max(len(documents), _RAREST * count, 1)) for documents in held])
    weight = rarity * np.array([weights[group[0]] for group in groups])
    whole = float(weight.sum())
    if whole <= 0:
        # only words that are everywhere, or none
        return Features(float(bool(terms)), float(bool(terms)), exact)
    often = np.array([len(documents) for documents in named], dtype=np.float64)
    firm = np.minimum(1.0, np.log1p(often) / np.log1p(max(_AT_HOME * count, 1.0)))
    together: Floats = np.zeros(len(snapshot.collection.alive))
    for share, documents in zip(weight, named, strict=True):
        together[documents] += share
    return Features(float(weight @ firm) / whole, float(together.max(initial=0.0)) / whole, exact)


def _holding(snapshot: Snapshot, terms: Sequence[str], scheme: Scheme | None = None) -> Ints:
    """Return the chunks that hold any of the terms, ascending."""
    found = [snapshot.contribution(term, scheme)[0] for term in terms]
    if len(found) == 1:
        return found[0]
    # many times faster than to sort them
    held = np.zeros(len(snapshot.collection.alive), dtype=bool)
    for documents in found:
        held[documents] = True
    return np.flatnonzero(held)


def _word_weights(query: str) -> dict[str, float]:
    """Return the terms of a query that say what it is about, with what they weigh."""
    weights: dict[str, float] = {}
    for word in text_words(query):
        folded = fold(word)
        if folded in _SMALL:
            continue
        for term in word_terms(word):
            weights[term] = max(weights.get(term, 0.0), _ACTION if _VERB.search(folded) else 1.0)
    return weights


def _with_synonyms(group: Group, dictionary: Dictionary | None, synonyms: Synonyms | None) -> tuple[str, ...]:
    """Return the terms of a group, the first one's synonyms and their translations."""
    same = synonyms.same([group[0][0]]) if synonyms else []
    translated = dictionary.expand(same) if dictionary else {}
    others = (term for translations in translated.values() for term, _ in translations)
    return tuple(dict.fromkeys([*(term for term, _ in group), *same, *others]))
