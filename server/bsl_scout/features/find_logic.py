"""Find Logic: from a query in words, a pasted error or a message to the procedures it is about."""

from __future__ import annotations

import time
from dataclasses import replace

from bsl_scout.bsl.text import fold
from bsl_scout.configuration.layout import Root
from bsl_scout.index.catalog import Catalog
from bsl_scout.retrieval.hits import Hit
from bsl_scout.retrieval.rerank import CANDIDATES, LEG, RerankUnavailableError, Score, rerank
from bsl_scout.retrieval.router import Route, route
from bsl_scout.retrieval.search import Answer, Searcher

from .narrowing import Narrowed, Unknown, narrow
from .places import Place, find_places, module_key, without_places

_TOLD_NAMES = 3
MODES = ("auto", "hybrid", "lexical", "vector", "rerank")


def find_logic(
    searcher: Searcher,
    query: str,
    mode: str = "auto",
    top: int = 10,
    collection: str = "all",
    score: Score | None = None,
) -> tuple[Answer, Route]:
    """Return the answer to a query and the route it took. Raises ValueError for an unknown mode.

    In mode rerank `score` orders the best hits of both legs anew; without it that mode says so.
    """
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}: one of {', '.join(MODES)}")
    places = find_places(query)
    if places:
        answer, beyond = _at_places(searcher.catalog, query, places[:top])
        if beyond:
            told = f"the code of {beyond[0]} ends at line {beyond[1]}: another version?"
            return answer, Route("place", told, 1.0, "no-line", beyond)
        if answer.hits:
            return answer, Route("place", "the query holds places of an error or a call stack", 1.0, "place")
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
    code = "words" if answer.mode != asked else "vectors-note" if answer.note else routed.code
    if mode == "rerank":
        code = "reranked" if reranked is not None else "no-reranker" if score is None else "rerank-failed"
    names: tuple[str, ...] = ()
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
    told = f"not here: {', '.join(names[:_TOLD_NAMES])} (another configuration or an extension?)"
    hits = answer.hits if answer.convincing else []
    return replace(answer, query=query, hits=hits), Route(answer.mode, told, 1.0, "no-module", names[:_TOLD_NAMES])


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


def _at_places(catalog: Catalog, query: str, places: list[Place]) -> tuple[Answer, tuple[str, ...]]:
    """Return one hit per place that is in the sources, in the order of the query; of the first place that is beyond
    the code of its module what that is called and the 1-based line that its code ends at. Its hit is that line.
    """
    started = time.perf_counter()
    hits: list[Hit] = []
    beyond: tuple[str, ...] = ()
    convincing = False
    with catalog.reading():
        roots = {root.id: root for root in catalog.roots()}
        modules: dict[str, list[tuple[str, str, str | None, str, str]]] = {}
        for row in catalog.modules():
            # the platform writes the modules of the configuration itself without an owner
            address = row[3] if row[2] in (None, "Конфигурация") else f"{row[2]}.{row[3]}"
            modules.setdefault(module_key(address), []).append(row)
        for place in places:
            rows = _of_extension(modules.get(place.address, []), place, roots)
            last_lines = {row[0]: _last_line(catalog, row[0]) for row in rows}
            # of several configurations that have the module those whose code reaches so far are meant
            reaching = [row for row in rows if last_lines[row[0]] >= place.line - 1]
            convincing = convincing or bool(reaching)
            if rows and not reaching:
                beyond = beyond or (place.name, str(last_lines[rows[0][0]] + 1))
            for path, root, owner, module, words in reaching or rows:
                line = max(min(place.line - 1, last_lines[path]), 0)
                chunk = catalog.at_line(path, line)
                lines = catalog.text(chunk.id).split("\n") if chunk else []
                offset = line - chunk.text_line if chunk else 0
                snippet = lines[offset].strip() if 0 <= offset < len(lines) else ""
                symbol = (chunk.name or chunk.key) if chunk else module
                end = chunk.end_line if chunk else line
                hits.append(
                    Hit(
                        len(hits) + 1, root, path, symbol, "place", line, end, 1.0, {"place": len(hits) + 1},
                        owner, module, words, snippet, line, [], place.column - 1,
                    )
                )  # fmt: skip
    elapsed = (time.perf_counter() - started) * 1000
    return Answer(query, "place", ("place",), convincing, round(elapsed, 3), hits), beyond


def _last_line(catalog: Catalog, path: str) -> int:
    """Return the 0-based line that the code of a module ends at, -1 when it has none."""
    query = "SELECT c.id, c.end_line FROM chunks c JOIN files f ON f.id = c.file WHERE f.path = ?"
    return max((end for _, end in catalog.chunk_rows(query, path)), default=-1)


def _of_extension(
    rows: list[tuple[str, str, str | None, str, str]], place: Place, roots: dict[str, Root]
) -> list[tuple[str, str, str | None, str, str]]:
    """Return the modules of the extension that the place names, else those outside extensions, else all."""
    if place.extension:
        named = [row for row in rows if row[1] in roots and fold(roots[row[1]].name) == fold(place.extension)]
        return named or rows
    return [row for row in rows if row[1] not in roots or roots[row[1]].kind != "extension"] or rows
