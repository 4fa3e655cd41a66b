"""What stands at the places of an error or a call stack, and which of them the sources do not have."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bsl_scout.bsl.text import Decoded, decode, fold
from bsl_scout.configuration.layout import Root
from bsl_scout.index.catalog import Catalog
from bsl_scout.retrieval.hits import Hit
from bsl_scout.retrieval.router import Route
from bsl_scout.retrieval.search import Answer

from .places import Place, module_key
from .problems import PROTECTED, kind_of

# path, root, owner, module and words of a module
_Row = tuple[str, str, str | None, str, str]
_ABSENT, _NO_TEXT = "", "-"


@dataclass(frozen=True, slots=True)
class Lack:
    """A place that is not in the sources, by what its module is called in the text.

    `end` is the number of lines that the module has, 0 when it is empty, `-` when it is no text (protected by a
    password), and nothing when there is no such module.
    """

    name: str
    end: str

    def __str__(self) -> str:
        if self.end == _NO_TEXT:
            return f"{self.name} is no text (protected by a password?)"
        return f"{self.name} is empty" if self.end == "0" else f"{self.name} ends at line {self.end}: another version?"


def at_places(
    catalog: Catalog, base: Path | None, query: str, places: Sequence[Place], top: int
) -> tuple[Answer, list[Lack]]:
    """Return at most `top` hits, one per place whose module is here, in the order of the query; and what is not here.

    The hit of a place beyond the end of its module is its last line. Lines behind the last procedure are counted in
    the sources below `base`; without it or when they are gone, a module ends where its code does.
    """
    started = time.perf_counter()
    hits: list[Hit] = []
    lacks: list[Lack] = []
    with catalog.reading():
        roots = {root.id: root for root in catalog.roots()}
        modules: dict[str, list[_Row]] = {}
        for row in catalog.modules():
            # the platform writes the modules of the configuration itself without an owner
            address = row[3] if row[2] in (None, "Конфигурация") else f"{row[2]}.{row[3]}"
            modules.setdefault(module_key(address), []).append(row)
        for place in places:
            rows = _of_extension(modules.get(place.address, []), place, roots)
            if not rows:
                lacks.append(Lack(place.name, _ABSENT))
            elif len(hits) < top:
                extents = {row[0]: _extent(catalog, base, row[0], place.line) for row in rows}
                # of several configurations that have the module those that reach so far are meant
                reaching = [row for row in rows if extents[row[0]][0] >= place.line]
                if not reaching:
                    lacks.append(Lack(place.name, _end_of(*extents[rows[0][0]])))
                for row in reaching or rows:
                    lines, own = extents[row[0]]
                    line = max(min(place.line, lines), 1) - 1
                    hits.append(_hit(catalog, row, line, place.column - 1, len(hits) + 1, own))
    elapsed = (time.perf_counter() - started) * 1000
    # places are exact: the module is the right one also when the line is beyond its end
    return Answer(query, "place", ("place",), bool(hits), round(elapsed, 3), hits[:top]), list(dict.fromkeys(lacks))


def place_route(lacks: Sequence[Lack]) -> Route:
    """Return the route of an answer that has some of the places of an error, and what to tell of the others."""
    absent = tuple(lack.name for lack in lacks if lack.end == _ABSENT)
    present = [lack for lack in lacks if lack.end != _ABSENT]
    told = "; ".join([*map(str, present), *([absent_text(absent)] if absent else [])])
    if present:
        pairs = [*((lack.name, lack.end) for lack in present), *((name, _ABSENT) for name in absent)]
        return Route("place", told, 1.0, "no-line", tuple(part for pair in pairs for part in pair))
    if absent:
        return Route("place", told, 1.0, "no-module", absent)
    return Route("place", "the query holds places of an error or a call stack", 1.0, "place")


def common_route(routes: Sequence[Route]) -> Route:
    """Return the route of answers from several folders: what one of them has is not lacking."""
    every = [{lack.name: lack for lack in _lacks(route)} for route in routes]
    common = [lack for name, lack in every[0].items() if all(name in lacks for lacks in every)]
    return place_route([next((one[lack.name] for one in every if one[lack.name].end), lack) for lack in common])


def absent_text(names: Iterable[str]) -> str:
    """Return that there are no such modules."""
    return f"not here: {', '.join(names)} (another configuration or an extension?)"


def _lacks(route: Route) -> list[Lack]:
    if route.code == "no-module":
        return [Lack(name, _ABSENT) for name in route.names]
    return [Lack(name, end) for name, end in zip(route.names[::2], route.names[1::2], strict=True)]


def _extent(catalog: Catalog, base: Path | None, path: str, line: int) -> tuple[int, Decoded | None]:
    """Return how many lines a module has, and its own text when it has no code at a 1-based line or behind it.

    Of a module that is gone and of one that has code so far these are the lines up to the end of its code.
    """
    query = "SELECT c.id, c.end_line FROM chunks c JOIN files f ON f.id = c.file WHERE f.path = ?"
    code_end = max((end + 1 for _, end in catalog.chunk_rows(query, path)), default=0)
    if code_end >= line:
        return code_end, None
    own = None
    unsaved = catalog.overlay.texts.get(path) if catalog.overlay else None
    if unsaved is not None:
        own = Decoded(unsaved)
    elif base is not None:
        try:
            own = decode((base / path).read_bytes())
        except OSError:
            # removed since it was indexed: what the index knows of it still answers
            own = None
    if own is None:
        return code_end, None
    return len(own.text.removesuffix("\n").split("\n")) if own.text else 0, own


def _end_of(lines: int, own: Decoded | None) -> str:
    return _NO_TEXT if own and own.problem and kind_of(own.problem) == PROTECTED else str(lines)


def _hit(catalog: Catalog, row: _Row, line: int, column: int, rank: int, own: Decoded | None) -> Hit:
    """Return the hit at a 0-based line of a module; `own` is its text when that line may stand behind the code."""
    path, root, owner, module, words = row
    chunk = catalog.at_line(path, line)
    text, begin = (own.text, 0) if own else (catalog.text(chunk.id), chunk.text_line) if chunk else ("", 0)
    lines, offset = text.split("\n"), line - begin
    snippet = lines[offset].strip() if 0 <= offset < len(lines) else ""
    symbol = (chunk.name or chunk.key) if chunk else module
    end = chunk.end_line if chunk else line
    return Hit(
        rank, root, path, symbol, "place", line, end, 1.0, {"place": rank}, owner, module, words, snippet, line, [],
        column,
    )  # fmt: skip


def _of_extension(rows: list[_Row], place: Place, roots: dict[str, Root]) -> list[_Row]:
    """Return the modules of the extension that the place names, else those outside extensions, else all."""
    if place.extension:
        named = [row for row in rows if row[1] in roots and fold(roots[row[1]].name) == fold(place.extension)]
        return named or rows
    return [row for row in rows if row[1] not in roots or roots[row[1]].kind != "extension"] or rows
