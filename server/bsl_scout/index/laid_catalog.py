"""A catalog with unsaved documents laid over it: it answers as it will when they are saved.

What is laid over lives in memory, in a small catalog of this reader alone, written by the code that writes the real
one. The chunks of an unsaved document that are the same keep their numbers, so their postings and vectors serve; new
ones get numbers above all others and count as what was written since the last merge, replaced ones as removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bsl_scout.bsl.parser import Call

from .catalog import Catalog
from .file_chunks import write_chunks
from .packing import to_json
from .schema import ChunkRow, FileRow, Overlay
from .unsaved import Unsaved
from .vocabulary import Vocabulary

_CHUNKS = (
    "key, part, kind, name, parameters, export, is_async, annotations, regions, line, end_line, text_line, hash, "
    "title, path"
)
_FORWARD = "chunk, lengths, terms, collection, calls, text"
# kilobytes of pages that a reader keeps for as long as an editor is open: looking through all names fills them. With
# four times as many no query is faster (docs/benchmarks.md): the system has the file in memory anyway
_CACHE = 8_000
Documents = Mapping[str, Unsaved]
NO_DOCUMENTS: Documents = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Laid:
    """The documents whole, in a catalog of their own, and the chunks of theirs that the real one has."""

    over: Catalog
    hidden: frozenset[int]


class LaidCatalog(Catalog):
    """A catalog for reading; `unsaved` are documents by path, which count from the next `reading()` on."""

    def __init__(self, folder: Path, patience: float = 30.0) -> None:
        super().__init__(folder, patience)
        self.rows(f"PRAGMA cache_size = -{_CACHE}")
        self.unsaved = NO_DOCUMENTS
        self._laid: _Laid | None = None
        # the documents and the generation that this was made of
        self._made_of: tuple[Documents, int] = (NO_DOCUMENTS, 0)
        self._number = 0
        # what was looked up since `reading()` began: a search asks for some values twenty times
        self._meta: dict[str, int | str | bytes | None] | None = None

    def close(self) -> None:
        """Close the file and what is laid over it."""
        self._take_away()
        super().close()

    def reading(self) -> AbstractContextManager[None]:
        """Return a context in which all reads see one state of the file, and of the documents over it."""
        return nullcontext() if self._connection.in_transaction else self._reading()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self.transaction("BEGIN"):
            self._meta = {}
            try:
                self._follow()
                yield
            finally:
                self._meta = None

    def meta(self, key: str) -> int | str | bytes | None:
        """Return a stored value, None when there is none."""
        known = self._meta
        if known is None:
            return super().meta(key)
        if key not in known:
            known[key] = super().meta(key)
        return known[key]

    def _follow(self) -> None:
        documents = self.unsaved
        generation = self.number("generation") if documents else 0
        if documents is self._made_of[0] and generation == self._made_of[1]:
            return
        self._take_away()
        # one that was saved is as the file is once that is indexed
        known = {path: Catalog.file(self, path) for path in documents}
        differing = {
            path: one for path, one in documents.items() if (row := known[path]) is None or row.hash != one.digest
        }
        if differing:
            self._laid, self.overlay = self._lay(differing, known)
            self._number += 1
        self._made_of = documents, generation

    def _take_away(self) -> None:
        if self._laid:
            self._laid.over.close()
            self._laid, self.overlay = None, None
            self._number += 1
        self._made_of = NO_DOCUMENTS, 0

    def _lay(self, documents: Documents, known: Mapping[str, FileRow | None]) -> tuple[_Laid, Overlay]:
        last = self.last_ids()[0]
        over = Catalog(None)
        try:
            over.create("unsaved documents")
            hidden: set[int] = set()
            with over.transaction():
                over.write("INSERT INTO sqlite_sequence VALUES ('chunks', ?)", [(last,)])
                over.set_roots(self.roots())
                vocabulary = Vocabulary(self)
                for path, document in documents.items():
                    row = known[path]
                    file = over.put_file(
                        replace(row, id=0, hash=document.digest) if row else _new_file(path, document), None
                    )
                    hidden.update(self._copy(row.id, over, file) if row else ())
                    write_chunks(over, vocabulary, file, document.chunks, document.entries_of)
                vocabulary.flush(over)
            kept = {chunk for (chunk,) in over.rows("SELECT id FROM chunks WHERE id <= ?", last)}
        except BaseException:
            over.close()
            raise
        texts = {path: one.text for path, one in documents.items()}
        return _Laid(over, frozenset(hidden)), Overlay(texts, frozenset(hidden - kept), last)

    def _copy(self, file: int, over: Catalog, own: int) -> list[int]:
        """Copy the chunks of a file and return their numbers."""
        rows = self.rows(f"SELECT id, {_CHUNKS} FROM chunks WHERE file = ?", file)
        ids = [row[0] for row in rows]
        marks = ", ".join("?" * (len(rows[0]) + 1)) if rows else ""
        over.write(f"INSERT INTO chunks (file, id, {_CHUNKS}) VALUES ({marks})", ((own, *row) for row in rows))
        forward = self.rows(
            f"SELECT {_FORWARD} FROM forward WHERE chunk IN (SELECT value FROM json_each(?))", to_json(ids)
        )
        over.write(f"INSERT INTO forward ({_FORWARD}) VALUES (?, ?, ?, ?, ?, ?)", forward)
        return ids

    # --- what is laid over, in place of what it hides

    def state(self) -> tuple[int, int]:
        """Return the generation and the number of what is laid over, 0 when nothing is."""
        return self.number("generation"), self._number if self._laid else 0

    def chunk_rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query whose first column is a chunk."""
        rows, laid = super().chunk_rows(query, *values), self._laid
        if laid is None:
            return rows
        return [*(row for row in rows if row[0] not in laid.hidden), *laid.over.rows(query, *values)]

    def file(self, path: str) -> FileRow | None:
        """Return the file at a path; one that was never saved too."""
        return super().file(path) or (self._laid.over.file(path) if self._laid else None)

    def modules(self) -> list[tuple[str, str, str | None, str, str]]:
        """Return path, root, owner, module and words of all files in path order."""
        rows = super().modules()
        if self._laid is None:
            return rows
        return sorted((row for row in {*rows, *self._laid.over.modules()}), key=lambda row: row[0])

    def chunks(self, ids: Sequence[int]) -> dict[int, ChunkRow]:
        """Return the chunks with these ids, by id."""
        rows, laid = super().chunks(ids), self._laid
        if laid is None:
            return rows
        return {chunk: row for chunk, row in rows.items() if chunk not in laid.hidden} | laid.over.chunks(ids)

    def at_line(self, path: str, line: int) -> ChunkRow | None:
        """Return the innermost chunk that holds a 0-based line of a file."""
        over = self._over(path)
        return over.at_line(path, line) if over else super().at_line(path, line)

    def procedures(self, path: str | None = None) -> Iterator[ChunkRow]:
        """Yield all procedures and functions, or those of one file, in path and line order."""
        over = self._over(path) if path else None
        if over or self._laid is None:
            return over.procedures(path) if over else super().procedures(path)
        rows = (row for row in super().procedures(path) if row.id not in self._laid.hidden)
        return iter(sorted(chain(rows, self._laid.over.procedures(path)), key=lambda row: (row.path, row.line)))

    def annotated(self) -> Iterator[tuple[ChunkRow, str]]:
        """Yield the procedures of extensions that have annotations, with them, in path and line order."""
        if self._laid is None:
            return super().annotated()
        rows = (pair for pair in super().annotated() if pair[0].id not in self._laid.hidden)
        return iter(sorted(chain(rows, self._laid.over.annotated()), key=lambda pair: (pair[0].path, pair[0].line)))

    def calls(self, chunk: int) -> list[Call]:
        """Return a chunk's calls, their lines relative to the chunk's `line`."""
        over = self._holding(chunk)
        return over.calls(chunk) if over else super().calls(chunk)

    def call_counts(self, targets: Sequence[str]) -> dict[str, int]:
        """Return in how many chunks procedures of common modules are called, those of `call_targets` that ever were."""
        counts = self._counted.calls.of(targets)
        # what is laid over has never stored its counts, so these are the differences that the documents make
        for target, change in self._laid.over._counted.calls.of(targets).items() if self._laid else ():
            counts[target] = counts.get(target, 0) + change
        return counts

    def term_id(self, term: str) -> int | None:
        """Return the number of a term, None when no chunk ever held it."""
        number = super().term_id(term)
        return self._laid.over.term_id(term) if number is None and self._laid else number

    def forward_above(self, chunk: int) -> list[tuple[int, bytes, bytes, int]]:
        """Return id, terms, lengths and collection of the chunks above an id."""
        rows, laid = super().forward_above(chunk), self._laid
        if laid is None:
            return rows
        return sorted([*(row for row in rows if row[0] not in laid.hidden), *laid.over.forward_above(chunk)])

    def dead(self) -> list[tuple[int, bytes]]:
        """Return id and terms of the removed chunks that the base still holds."""
        dead = super().dead()
        if self.overlay is None:
            return dead
        replaced = to_json([chunk for chunk in self.overlay.replaced if chunk <= self.number("base_max")])
        query = "SELECT chunk, terms FROM forward WHERE chunk IN (SELECT value FROM json_each(?))"
        return dead + self.rows(query, replaced)

    def last_ids(self) -> tuple[int, int]:
        """Return the highest chunk and term numbers ever given."""
        chunk, term = super().last_ids()
        if self._laid is None:
            return chunk, term
        over = self._laid.over.last_ids()
        return over[0], max(term, over[1])

    def _holding(self, chunk: int) -> Catalog | None:
        """Return what is laid over when the chunk is in it."""
        if self._laid is None or self.overlay is None:
            return None
        return self._laid.over if chunk > self.overlay.last or chunk in self._laid.hidden else None

    def _over(self, path: str) -> Catalog | None:
        return self._laid.over if self._laid and self.overlay and path in self.overlay.texts else None


def _new_file(path: str, document: Unsaved) -> FileRow:
    home, address = document.home, document.home.address
    return FileRow(
        0, path, home.root, 0, 0, document.digest, address.owner, address.module, address.words, context=home.context
    )
