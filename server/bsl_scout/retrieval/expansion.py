"""Scores a query together with what means the same: translations and synonyms of its terms."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from bsl_scout.index.lexical import DEFAULT, Ints, Scheme, Scorer
from bsl_scout.index.snapshot import Scored, Snapshot

from .dictionary import Dictionary
from .synonyms import Synonyms

# what a synonym counts for beside a term of the query: `measure crosslingual`
SYNONYM = 0.6
# a query of everyday length has far fewer groups
_MOST_GROUPS = 32

# a term and others that stand for it, each with a weight 0 to 1; the first is of the query or a synonym
Group = tuple[tuple[str, float], ...]

_scorers: WeakKeyDictionary[Snapshot, Scorer] = WeakKeyDictionary()


def expansions(query_terms: Sequence[str], dictionary: Dictionary | None, synonyms: Synonyms | None) -> list[Group]:
    """Return a group for each term of a query with its translations, then one for each synonym with its own."""
    same = synonyms.same(query_terms) if synonyms else []
    own = set(query_terms)
    groups = []
    for terms, share in ((query_terms, 1.0), (same, SYNONYM)):
        translations = dictionary.expand(terms) if dictionary else {}
        for term in terms:
            # the square root keeps a word with two translations from losing half of its weight on each
            others = [(other, share * weight**0.5) for other, weight in translations.get(term, ()) if other not in own]
            groups.append(((term, share), *others))
    return groups[:_MOST_GROUPS]


def expanded_scores(
    snapshot: Snapshot, groups: Sequence[Group], scheme: Scheme = DEFAULT, among: Ints | None = None
) -> Scored:
    """Return the scores of chunks that hold a term of any group; `scheme` is the snapshot's own.

    A group scores as one term (Pirkola 1998): its idf is that of all its terms together, so that a rare
    translation does not outweigh the words beside it, and a chunk gets the best of its terms, not their sum.
    `matched` counts the groups that a chunk holds a term of.
    """
    scorer = _scorers.get(snapshot)
    if scorer is None:
        scorer = _scorers[snapshot] = Scorer(snapshot.collection, scheme)
    size = len(snapshot.collection.alive)
    count = int(snapshot.collection.alive.sum())
    total = np.zeros(size)
    matched = np.zeros(size, dtype=np.int64)
    for group in groups:
        share = group[0][1]
        parts = [(snapshot.score([term]), weight) for term, weight in group]
        frequency = min(sum(weight / share * len(part.documents) for part, weight in parts), count)
        best = np.zeros(size)
        held = np.zeros(size, dtype=np.bool_)
        for part, weight in parts:
            held[part.documents] = True
            # a word in just half of the chunks scores nothing
            if own := scorer.idf(len(part.documents)):
                scores = part.scores * (weight * scorer.idf(int(frequency)) / own)
                best[part.documents] = np.maximum(best[part.documents], scores)
        total += best
        matched += held
    hits = np.flatnonzero(matched)
    if among is not None:
        hits = hits[np.isin(hits, among)]
    return Scored(hits, total[hits], matched[hits])
