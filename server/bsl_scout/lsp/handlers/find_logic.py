"""bslScout/findLogic and the names that a query can be narrowed to."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bsl_scout.features.find_logic import MODES, find_logic
from bsl_scout.features.form_sources import at_own_sources
from bsl_scout.features.narrowing import object_names
from bsl_scout.features.place_hits import common_route
from bsl_scout.features.similar import similar_to
from bsl_scout.retrieval.hits import Hit
from bsl_scout.retrieval.rerank import Score, is_exact
from bsl_scout.retrieval.router import Route
from bsl_scout.retrieval.search import COLLECTIONS, Answer, Searcher

from ..call_texts import no_folder_text
from ..convert import uri_of, utf16_spans
from ..folder import Folder
from ..params import checked
from ..protocol import (
    FIND_LOGIC,
    OBJECT_NAMES,
    FindLogicParams,
    FindLogicResult,
    Freshness,
    ObjectNamesParams,
    ObjectNamesResult,
    WireCopy,
    WireHit,
    WireObjectName,
    WireRoute,
)
from ..reranking import remote_score
from ..server import ScoutServer, invalid

_MAX_TOP = 200
_LACKING = ("unknown-name", "no-module")


def register(server: ScoutServer) -> None:
    """Register the handlers of this module."""
    server.answer(FIND_LOGIC, on_find_logic)
    server.answer(OBJECT_NAMES, on_object_names)


async def on_find_logic(ls: ScoutServer, given: Any) -> FindLogicResult:
    """Answer a query from all folders; a cancelled request leaves no work behind."""
    params = checked(given, FindLogicParams)
    if params.mode not in MODES:
        raise invalid(f"unknown mode: one of {', '.join(MODES)}")
    if params.collection not in COLLECTIONS:
        raise invalid(f"unknown collection: one of {', '.join(COLLECTIONS)}")
    folders = ls.folders.current()
    if params.uri:
        work = _similar_to(ls, params)
    else:
        model = ls.rerank_model
        score = remote_score(ls.worker, asyncio.get_running_loop(), model) if model else None
        work = partial(_ask, folders, params, score)
    found = await ls.in_background(ls.searching, work)
    for folder in folders:
        if folder.searcher and folder.searcher.postponed:
            # not before the first answer: it takes a fraction of a second
            ls.learn(folder)
    return _encode(ls, params, found)


async def on_object_names(ls: ScoutServer, given: Any) -> ObjectNamesResult:
    """Return the objects that a query can be narrowed to."""
    params = checked(given, ObjectNamesParams)
    limit = max(1, min(params.limit, _MAX_TOP))
    folders = ls.folders.current()
    return await ls.in_background(ls.navigating, lambda cancelled: _names(folders, params.query, limit, cancelled))


def _names(folders: list[Folder], query: str, limit: int, cancelled: threading.Event) -> ObjectNamesResult:
    found: dict[str, str] = {}
    for folder in folders:
        with folder.symbols_lock:
            if folder.symbols and not cancelled.is_set():
                with folder.reading(folder.symbols.catalog):
                    found |= {one.name: one.title for one in object_names(folder.symbols.catalog, query, limit)}
    return ObjectNamesResult([WireObjectName(name, title) for name, title in found.items()][:limit])


@dataclass(frozen=True, slots=True)
class _Found:
    folder: Folder
    answer: Answer
    route: Route


def _ask(
    folders: list[Folder], params: FindLogicParams, score: Score | None, cancelled: threading.Event
) -> list[_Found]:
    """Return the answers of the folders, but for those whose index turns out to be damaged."""
    found: list[_Found] = []
    top = max(1, min(params.top, _MAX_TOP))
    for folder in folders:
        if cancelled.is_set():
            break
        with folder.lock:
            if folder.searcher:
                found += _found(folder, partial(_answer, folder.base, params, top, score))
    return found


def _answer(
    base: Path, params: FindLogicParams, top: int, score: Score | None, searcher: Searcher
) -> tuple[Answer, Route]:
    answer, found_by = find_logic(searcher, params.query, params.mode, top, params.collection, score, base)
    return at_own_sources(base, answer), found_by


def _found(folder: Folder, find: Callable[[Searcher], tuple[Answer, Route]]) -> list[_Found]:
    """Return what is found in a folder that has an index, nothing when that turns out to be damaged."""
    assert folder.searcher is not None
    with folder.reading(folder.searcher.catalog):
        return [_Found(folder, *find(folder.searcher))]
    return []


def _similar_to(ls: ScoutServer, params: FindLogicParams) -> Callable[[threading.Event], list[_Found]]:
    """Return the work that finds what is similar to a procedure in the folder that holds it."""
    place = ls.place_of(params.uri)
    if place is None:
        raise invalid(no_folder_text(ls.locale))
    folder, relative = place
    text = ls.text_of(params.uri) or ""
    top = max(1, min(params.top, _MAX_TOP))

    def work(cancelled: threading.Event) -> list[_Found]:
        with folder.lock:
            if cancelled.is_set() or folder.searcher is None:
                return []
            return _found(folder, lambda searcher: similar_to(searcher, relative, text, params.line - 1, top))

    return work


def _encode(ls: ScoutServer, params: FindLogicParams, found: list[_Found]) -> FindLogicResult:
    status = ls.status()
    fresh = Freshness(status.indexed, status.pending)
    if not found:
        nothing = WireRoute("lexical", "nothing is indexed yet", 0.0, "no-index", [])
        return FindLogicResult(params.query, "lexical", nothing, [], False, fresh, 0.0, [])
    # a folder that knows the exact place goes first, one that guesses what the query names behind, one that lacks it
    # last; scores of one formula can stand side by side
    found.sort(key=lambda item: (item.route.mode != "place", item.route.code in _LACKING, bool(item.route.names)))
    first, route = found[0], found[0].route
    if route.mode == "place":
        found = [item for item in found if item.route.mode == "place"]
        route = common_route([item.route for item in found])
    pairs = [(item.folder, hit) for item in found for hit in item.answer.hits]
    if route.mode != "place":
        pairs.sort(key=lambda pair: _order(pair[1]))
    # nested workspace folders hold the same module twice
    places = {(folder.base / hit.path, hit.symbol, hit.line): (folder, hit) for folder, hit in reversed(pairs)}
    pairs = list(reversed(places.values()))[: max(1, params.top)]
    hits = [_hit(folder, hit, rank) for rank, (folder, hit) in enumerate(pairs, start=1)]
    return FindLogicResult(
        params.query or first.answer.query,
        first.answer.mode,
        WireRoute(route.mode, route.reason, route.confidence, route.code, list(route.names)),
        list(first.answer.legs),
        any(item.answer.convincing for item in found),
        fresh,
        round(sum(item.answer.elapsed_ms for item in found), 3),
        hits,
    )


def _order(hit: Hit) -> tuple[int, float]:
    """Return where a hit of one folder stands among those of the others: exact answers first, in their own order."""
    return (0, hit.rank) if is_exact(hit) else (1, -hit.score)


def _hit(folder: Folder, hit: Hit, rank: int) -> WireHit:
    return WireHit(
        rank=rank,
        root=hit.root,
        path=hit.path,
        uri=uri_of(folder.base / hit.path),
        symbol=hit.symbol,
        kind=hit.kind,
        line=hit.line + 1,
        end_line=hit.end_line + 1,
        column=hit.column + 1,
        score=hit.score,
        ranks=hit.ranks,
        owner=hit.owner,
        module=hit.module,
        words=hit.words,
        synonym=hit.synonym,
        snippet=hit.snippet,
        snippet_line=hit.snippet_line + 1,
        matches=utf16_spans(hit.snippet, hit.matches),
        also=[WireCopy(copy.path, copy.symbol, copy.line + 1) for copy in hit.also],
        translated=hit.translated,
    )
