"""Find Logic: from a query in words, a pasted error or a message to the procedures it is about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bsl_scout.retrieval.hits import Hit
from bsl_scout.retrieval.meaning import NO_MEANING
from bsl_scout.retrieval.rerank import CANDIDATES, LEG, RerankUnavailableError, Score, rerank
from bsl_scout.retrieval.router import Route, route
from bsl_scout.retrieval.search import Answer, Searcher

from .narrowing import Narrowed, Unknown, narrow
from .place_hits import absent_text, at_places, place_route
from .places import Place, find_places, without_places

_TOLD_NAMES = 3
MODES = ("auto", "hybrid", "lexical", "vector", "rerank")


def find_logic(
    searcher: Searcher,
    query: str,
    mode: str = "auto",
    top: int = 10,
    collection: str = "all",
    score: Score | None = None,
    base: Path | None = None,
) -> tuple[Answer, Route]:
    """Return the answer to a query and the route it took. Raises ValueError for an unknown mode.

    In mode rerank `score` orders the best hits of both legs anew; without it that mode says so. `base` is the
    folder of the sources, in which places of an error behind the code of a module are looked at.
    """
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}: one of {', '.join(MODES)}")
    places = find_places(query)
    if places:
        answer, lacks = at_places(searcher.catalog, base, query, places, top)
        if answer.hits:
            return answer, place_route(lacks)
        return _without_places(searcher, query, places, top, collection, mode)
    narrowed = narrow(searcher.catalog, query)
    routed = route(narrowed.query) if mode == "auto" else Route(mode, "asked for", 1.0, "asked")
    # both legs answer better than the one that the router would choose, also names and codes: ADR 0008
    asked = mode if mode in ("lexical", "vector") else "hybrid"
    reranks = mode == "rerank" and score is not None
    answer = searcher.search(
        narrowed.query, max(top, CANDIDATES) if reranks else top, collection, narrowed.owners, asked
    )
    reasons = [_told(narrowed)] if narrowed.owners is not None else []
    reranked = None
    if mode == "rerank":
        reranked, reason = _reranked(searcher, narrowed.query, answer.hits, score)
        reasons.append(reason)
    if answer.mode != asked:
        reasons.append(f"by words: {answer.note or 'nothing was asked in words'}")
    elif answer.note or not reasons:
        reasons.append(answer.note or routed.reason)
    code = "vectors-note" if answer.note else routed.code
    names: tuple[str, ...] = ()
    if answer.meant:
        code, names = "retyped", (answer.meant,)
        reasons.append(f"read as {answer.meant}")
    if answer.mode != asked:
        code = "no-meaning" if answer.note == NO_MEANING else "words"
    if mode == "rerank":
        code = "reranked" if reranked is not None else "no-reranker" if score is None else "rerank-failed"
    if narrowed.owners is not None:
        code, names = "narrowed", tuple(name for guess in narrowed.guesses for name in guess.taken)
    if narrowed.unknown:
        code, names = "unknown-name", (narrowed.unknown[0].name, *narrowed.unknown[0].similar)
    shown = routed.mode if mode == "auto" and answer.mode == asked else answer.mode
    if reranked is not None:
        shown = mode
        answer = replace(answer, mode=mode, legs=(*answer.legs, LEG), hits=reranked[:top])
    return replace(answer, query=query, hits=answer.hits[:top]), Route(
        shown, "; ".join(reasons), routed.confidence, code, names
    )


def _without_places(
    searcher: Searcher, query: str, places: list[Place], top: int, collection: str, mode: str
) -> tuple[Answer, Route]:
    """Return that the modules of an error are not here, with what its message alone is convincingly found by."""
    names = tuple(dict.fromkeys(place.name for place in places))
    asked = mode if mode in ("lexical", "vector") else "hybrid"
    answer = searcher.search(without_places(query), top, collection, mode=asked)
    hits = answer.hits if answer.convincing else []
    return replace(answer, query=query, hits=hits), Route(answer.mode, absent_text(names), 1.0, "no-module", names)


def _reranked(searcher: Searcher, query: str, hits: list[Hit], score: Score | None) -> tuple[list[Hit] | None, str]:
    """Return the hits in the order of a cross-encoder and what is to be said of that; None when they are as before."""
    if score is None:
        return None, "no model that reranks is configured"
    try:
        with searcher.catalog.reading():
            return rerank(searcher.catalog, query, hits, score), "the best hits were read by the model that reranks"
    except RerankUnavailableError as error:
        return None, f"not reranked: {error}"


def _told(narrowed: Narrowed) -> str:
    """Return what a query was narrowed to, in words."""
    owners = [name.rstrip(".") for name in narrowed.owners or ()]
    names = ", ".join(owners[:_TOLD_NAMES]) + (
        f" and {len(owners) - _TOLD_NAMES} more" if len(owners) > _TOLD_NAMES else ""
    )
    guessed = [f"no object is called exactly {one.name}" for one in narrowed.guesses]
    absent = [_absent(one) for one in narrowed.unknown]
    return "; ".join([*([f"only in {names}"] if names else []), *guessed, *absent])


def _absent(unknown: Unknown) -> str:
    similar = f" (similar: {', '.join(unknown.similar)})" if unknown.similar else ""
    return f"no object is called {unknown.name}{similar}"
