"""Finds procedures and metadata by name: exact, prefix, CamelHumps or substring, Russian and English alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bsl_scout.bsl.names import split_identifier
from bsl_scout.bsl.text import fold
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.metadata import TITLE_SEPARATOR
from bsl_scout.index.schema import ChunkRow
from bsl_scout.index.symbol_names import named_chunks, names_above, procedure_names

from .changes import ExtensionTable
from .freshness import Freshness

# every capital of a query begins a hump: `ПВВ` asks for three words
_HUMP = re.compile(r"[^\W\d_a-zа-яё]?[a-zа-яё]+|[^\W\d_a-zа-яё]|\d+")
# one-letter words of Russian run into an abbreviation: ТекстВHTML, ПараметрыВИБ
_ONE_LETTER_WORDS = frozenset("виксоу")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A query to compare with names: folded without spaces, and its humps when it has several."""

    text: str
    humps: tuple[str, ...]


def _wanted(query: str) -> _Wanted:
    humps = tuple(fold(hump) for hump in _HUMP.findall(query))
    return _Wanted(fold(query.replace(" ", "")), humps if len(humps) > 1 else ())


def match_quality(query: str, name: str) -> int | None:
    """Return how well a name answers a query, less is better, None when it does not.

    0 the same name, 1 prefix, 2 CamelHumps (`ЗапКИ`, `зап конт` -> ЗаполнитьКонтактнуюИнформацию; `ОтпрSMS` ->
    ОтправитьSMS), 3 substring.
    """
    return _quality(_wanted(query), name)


def _quality(wanted: _Wanted, name: str) -> int | None:
    have = fold(name.replace(" ", "") if " " in name else name)
    if not wanted.text or wanted.text == have:
        return 0
    if have.startswith(wanted.text):
        return 1
    if wanted.humps and _holds(wanted.humps, have) and _humps_match(wanted.humps, name):
        return 2
    return 3 if wanted.text in have else None


def _holds(humps: Sequence[str], have: str) -> bool:
    """Return whether a folded name holds the humps in order at all: most names do not, and need not be split."""
    at = 0
    for hump in humps:
        at = have.find(hump, at)
        if at < 0:
            return False
        at += len(hump)
    return True


def _humps_match(humps: Sequence[str], name: str) -> bool:
    """Return whether the humps begin parts of the name, in order; letters in a row may begin one abbreviation."""
    # how many humps can be used up so far; each way counts: in `СИ ИБ` the query СИБ is С + ИБ, not СИ + Б
    reached = {0}
    for part in split_identifier(name):
        own, is_abbreviation = fold(part), part.isupper()
        for done in tuple(reached):
            if done < len(humps) and own.startswith(humps[done]):
                reached.add(done + 1)
            if is_abbreviation:
                reached.update(_spelled(humps, done, own))
                if own[0] in _ONE_LETTER_WORDS:
                    reached.update(_spelled(humps, done, own[1:]))
        if len(humps) in reached:
            return True
    return False


def _spelled(humps: Sequence[str], done: int, abbreviation: str) -> Iterator[int]:
    """Yield how many humps are used up when two or more of one letter behind the first `done` begin an abbreviation."""
    for upto, letter in enumerate(abbreviation, start=done):
        if upto == len(humps) or humps[upto] != letter:
            return
        if upto > done:
            yield upto + 1


KINDS = ("procedure", "function", "object", "field", "form")


def symbol_kind(row: ChunkRow) -> str:
    """Return the kind of a symbol: procedure, function, object, form, and field for every other part of an object."""
    return row.kind if row.kind in KINDS else "field"


def find_symbols(
    catalog: Catalog, query: str = "", kind: str | None = None, limit: int | None = None
) -> list[ChunkRow]:
    """Return what answers the query by name or synonym, the best matches first, then in path and line order.

    Without query and kind all procedures and functions.
    """
    code = kind in (None, "procedure", "function")
    metadata = bool(query) if kind is None else not code
    rows = [*(catalog.procedures() if code else ()), *(catalog.metadata() if metadata else ())]
    chosen = [row for row in rows if not kind or symbol_kind(row) == kind]
    return [chosen[i] for i in best_names(query, [names_of(row.name, row.title) for row in chosen], limit)]


def names_of(name: str, title: str | None) -> list[str]:
    """Return all that a symbol is called: its name, and its synonyms when it is of metadata."""
    return [name, *title.split(TITLE_SEPARATOR)] if title else [name]


def best_names(query: str, names: Sequence[Sequence[str]], limit: int | None = None) -> list[int]:
    """Return the indexes of what answers a query by one of its names, the best first, shorter names before longer."""
    found = []
    wanted = _wanted(query)
    for index, own in enumerate(names):
        qualities = [quality for name in own if (quality := _quality(wanted, name)) is not None]
        if qualities:
            found.append((min(qualities), len(own[0]) if query else 0, index))
    return [index for _, _, index in sorted(found)[:limit]]


class SymbolTable:
    """The names of all procedures, objects and fields of one index.

    It follows the index, lagging a little while that is being written; what is newer than the table, or stands in
    an unsaved document, is looked at beside it.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.extensions = ExtensionTable(catalog)
        self._fresh = Freshness(catalog)
        self._chunks: list[int] = []
        self._names: list[list[str]] = []
        self._is_code: list[bool] = []
        self._last = 0
        # hovers ask for this one only, and while the index is written it is made in a third of the other's time
        self._fresh_procedures = Freshness(catalog)
        self._procedures: dict[str, list[int]] = {}
        self._last_procedure = 0

    def find(self, query: str, limit: int, code: bool = True) -> list[ChunkRow]:
        """Return what answers a query by name or synonym, the best matches first; without `code` metadata only."""
        if self._fresh.due():
            with self._fresh.making():
                rows = named_chunks(self.catalog)
                self._chunks = [chunk for chunk, _, _ in rows]
                self._names = [names_of(name, title) for _, name, title in rows]
                self._is_code = [title is None for _, _, title in rows]
                self._last = self._newest()
        newer = [row for row in names_above(self.catalog, self._last) if code or row[2] is not None]
        # of the table's chunks some may be gone
        room = limit + len(newer) + (len(self.catalog.overlay.replaced) if self.catalog.overlay else 0)
        best = best_names(query, self._names, room if code else None)
        chosen = [self._chunks[index] for index in best if code or not self._is_code[index]]
        found = self._rows(chosen[:room])[:limit]
        if not newer:
            return found
        names = [names_of(name, title) for _, name, title in newer]
        found += self._rows([newer[index][0] for index in best_names(query, names, limit)])
        found.sort(key=lambda row: (row.path, row.line))
        return [found[index] for index in best_names(query, [names_of(row.name, row.title) for row in found], limit)]

    def named(self, name: str) -> list[ChunkRow]:
        """Return the procedures with this name, case and ё aside, in path and line order."""
        if self._fresh_procedures.due():
            with self._fresh_procedures.making():
                self._procedures = {}
                for chunk, own in procedure_names(self.catalog):
                    self._procedures.setdefault(fold(own), []).append(chunk)
                self._last_procedure = self._newest()
        wanted = fold(name)
        chunks = list(self._procedures.get(wanted, []))
        for chunk, own, title in names_above(self.catalog, self._last_procedure):
            if title is None and fold(own) == wanted:
                chunks.append(chunk)
        return sorted(self._rows(chunks), key=lambda row: (row.path, row.line))

    def procedure(self, path: str, name: str) -> ChunkRow | None:
        """Return the procedure of a module with this name."""
        return next((row for row in self.named(name) if row.path == path), None)

    def _newest(self) -> int:
        return int(self.catalog.rows("SELECT coalesce(max(id), 0) FROM chunks")[0][0])

    def _rows(self, chunks: list[int]) -> list[ChunkRow]:
        rows = self.catalog.chunks(chunks)
        return [rows[chunk] for chunk in chunks if chunk in rows]
