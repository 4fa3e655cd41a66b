"""The catalog: one SQLite file (WAL) that holds files, chunks, their texts and the postings; see schema."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from bsl_scout.bsl.chunks import Chunk
from bsl_scout.bsl.parser import Call
from bsl_scout.configuration.layout import Problem, Root

from .catalog_file import CatalogUnavailableError as CatalogUnavailableError
from .catalog_file import connect, damage_told
from .counts import ChunkCounts
from .lexical import FIELD_BITS
from .packing import DamagedCatalogError as DamagedCatalogError
from .packing import pack, to_json, unpack
from .schema import (
    CHUNK_COLUMNS,
    CODE,
    FILE_COLUMNS,
    LATER_INDEXES,
    SCHEMA,
    Block,
    ChunkRow,
    FileRow,
    Overlay,
    chunk_row,
    split_block,
)
from .schema import FILE_NAME as FILE_NAME

# how many numbers there may be for each chunk, and how many anyway: a search has tables as long as the numbers go
_SPARSE, _SPARSE_FROM = 8, 1_000_000
# vectors whose chunks go, for texts that come back
KEEP_GONE = """INSERT OR REPLACE INTO gone_vectors (source, vector)
SELECT source, vector FROM vectors WHERE source IS NOT NULL"""


class Catalog:
    """An open catalog file. One process writes (the indexer sees to it), any number read.

    Opening raises DamagedCatalogError for a file that is no database and CatalogUnavailableError for one that
    cannot be used now. A reader waits for a lock for `patience` seconds only. Without a folder it is one in memory.
    """

    # what is laid over it, when it is one that takes in unsaved documents
    overlay: Overlay | None = None

    def __init__(self, folder: Path | None, patience: float = 30.0) -> None:
        with damage_told():
            self._connection = connect(folder, patience)
        self._counted = ChunkCounts(self._connection.execute)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
        """Run the block in one transaction: all of it or, on an exception, nothing of it is kept.

        Inside another one it is a part of that.
        """
        if self._connection.in_transaction:
            yield
            return
        with damage_told():
            self._connection.execute(begin)
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._counted.forget()
                # SQLite may have rolled back itself (a full disk); its first error is the one to tell
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def reading(self) -> AbstractContextManager[None]:
        """Return a context in which all reads see one state of the file."""
        return self.transaction("BEGIN")

    def version(self) -> str | None:
        """Return the version and options the file was made with, None for a new file; raises sqlite3.DatabaseError."""
        tables = self._connection.execute("SELECT name FROM sqlite_master WHERE name = 'meta'").fetchall()
        if not tables:
            return None
        value = self.meta("version")
        return str(value) if value is not None else "unknown"

    def create(self, version: str, kept: Sequence[str] = ()) -> None:
        """Drop everything but the `kept` tables and make an empty catalog of this version."""
        with self.transaction():
            names = self.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            for (name,) in names:
                if name not in kept:
                    self._connection.execute(f'DROP TABLE "{name}"')
            for statement in SCHEMA.split(";"):
                self._connection.execute(statement)
            self.set_meta("version", version)
            # a reader that is open while the index is made anew must not take one for the other
            now = time.time_ns()
            for key in ("created", "generation", "base_generation"):
                self.set_meta(key, now)
            self.set_meta("base_max", 0)

    def add_indexes(self) -> None:
        """Make the indexes that catalogs of this version did not always have."""
        for statement in LATER_INDEXES:
            self._connection.execute(statement)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query; for the modules of this folder that keep tables of their own."""
        return self._connection.execute(query, values).fetchall()

    def chunk_rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query whose first column is a chunk; the order is the caller's to make."""
        return self.rows(query, *values)

    def write(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each row of values."""
        self._connection.executemany(statement, rows)

    # --- small values

    def meta(self, key: str) -> int | str | bytes | None:
        """Return a stored value or None."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def number(self, key: str) -> int:
        """Return a stored whole number, 0 when there is none."""
        value = self.meta(key)
        return value if isinstance(value, int) else 0

    def state(self) -> tuple[int, int]:
        """Return what is another whenever the catalog answers otherwise: the generation, and what is laid over it."""
        return self.number("generation"), 0

    def set_meta(self, key: str, value: int | str | bytes) -> None:
        """Store a value."""
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    # --- roots and files

    def set_roots(self, roots: Iterable[Root]) -> None:
        """Store the roots in place of the old ones."""
        self._connection.execute("DELETE FROM roots")
        rows = [(root.id, root.kind, root.format, root.path, root.name, root.object_kind) for root in roots]
        self._connection.executemany("INSERT INTO roots VALUES (?, ?, ?, ?, ?, ?)", rows)

    def roots(self) -> list[Root]:
        """Return the roots in path order."""
        rows = self._connection.execute("SELECT id, kind, format, path, name, object_kind FROM roots ORDER BY path")
        return [Root(*row) for row in rows]

    def files(self) -> dict[str, FileRow]:
        """Return all files by path."""
        return {row[1]: FileRow(*row) for row in self._connection.execute(f"SELECT {FILE_COLUMNS} FROM files")}

    def files_at(self, paths: Iterable[str]) -> dict[str, FileRow]:
        """Return the files at some paths and below them, by path."""
        query = f"SELECT {FILE_COLUMNS} FROM files WHERE path = ? OR (path > ? AND path < ?)"
        # "0" is the character after "/"
        rows = (self._connection.execute(query, (path, f"{path}/", f"{path}0")) for path in paths)
        return {row[1]: FileRow(*row) for found in rows for row in found}

    def has_files(self) -> bool:
        """Return whether anything is indexed."""
        return self._connection.execute("SELECT 1 FROM files LIMIT 1").fetchone() is not None

    def file(self, path: str) -> FileRow | None:
        """Return the file at a path."""
        row = self._connection.execute(f"SELECT {FILE_COLUMNS} FROM files WHERE path = ?", (path,)).fetchone()
        return FileRow(*row) if row else None

    def problems(self) -> list[Problem]:
        """Return what was wrong with the files, in path order."""
        query = "SELECT path, problem FROM files WHERE problem IS NOT NULL ORDER BY path"
        return [Problem(*row) for row in self.rows(query)]

    def put_file(self, row: FileRow, problem: str | None) -> int:
        """Insert or update a file (id 0 = new) and return its id."""
        values = (
            row.path, row.root, row.size, row.mtime_ns, row.hash, row.owner, row.module, row.words, row.kind,
            row.full_name, row.uuid, row.extends, row.context, problem,
        )  # fmt: skip
        if row.id:
            self._connection.execute(
                "UPDATE files SET path = ?, root = ?, size = ?, mtime_ns = ?, hash = ?, owner = ?, module = ?, "
                "words = ?, kind = ?, full_name = ?, uuid = ?, extends = ?, context = ?, problem = ? WHERE id = ?",
                (*values, row.id),
            )
            return row.id
        cursor = self._connection.execute(
            "INSERT INTO files (path, root, size, mtime_ns, hash, owner, module, words, kind, full_name, uuid, "
            "extends, context, problem) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        return int(cursor.lastrowid or 0)

    def touch_file(self, file: int, size: int, mtime_ns: int, problem: str | None) -> None:
        """Store a new size, time and problem for a file whose text is the same."""
        values = (size, mtime_ns, problem, file)
        self._connection.execute("UPDATE files SET size = ?, mtime_ns = ?, problem = ? WHERE id = ?", values)

    def set_hash(self, file: int, digest: bytes | None) -> None:
        """Store the hash of a file whose chunks are written, None to have it read again."""
        self._connection.execute("UPDATE files SET hash = ? WHERE id = ?", (digest, file))

    def delete_file(self, file: int) -> None:
        """Remove a file with its object; its chunks are removed by `remove_chunks`."""
        for table, column in (("files", "id"), ("objects", "file"), ("links", "file")):
            self._connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (file,))

    def object_names(self, root: str) -> set[str]:
        """Return the full English names of the metadata objects of a root."""
        rows = self._connection.execute("SELECT full_name FROM files WHERE root = ? AND full_name IS NOT NULL", (root,))
        return {row[0] for row in rows}

    def modules(self) -> list[tuple[str, str, str | None, str, str]]:
        """Return path, root, owner, module and words of all files in path order."""
        return self.rows("SELECT path, root, owner, module, words FROM files WHERE kind = 'module' ORDER BY path")

    # --- chunks

    def chunk_versions(self, file: int) -> list[tuple[int, str, bytes, tuple[int, int, int]]]:
        """Return id, key, hash and lines (line, end_line, text_line) of a file's chunks."""
        query = "SELECT id, key, hash, line, end_line, text_line FROM chunks WHERE file = ?"
        return [(row[0], row[1], row[2], row[3:6]) for row in self.rows(query, file)]

    def move_chunk(self, chunk: int, line: int, end_line: int, text_line: int) -> None:
        """Store new lines for a chunk whose content is the same."""
        values = (line, end_line, text_line, chunk)
        self._connection.execute("UPDATE chunks SET line = ?, end_line = ?, text_line = ? WHERE id = ?", values)

    def add_chunk(
        self, file: int, chunk: Chunk, terms: bytes, lengths: bytes, collection: int = CODE, path: str | None = None
    ) -> int:
        """Insert a chunk with its forward block and the lengths of its fields; return its id.

        `path` is the file that its lines are of, when that is another.
        """
        cursor = self._connection.execute(
            "INSERT INTO chunks (file, key, part, kind, name, parameters, export, is_async, annotations, "
            "regions, line, end_line, text_line, hash, title, path) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                file, chunk.key, chunk.part, chunk.kind, chunk.name,
                ",".join(parameter.name for parameter in chunk.parameters), chunk.export, chunk.is_async,
                ",".join(f"{a.name}({a.argument})" if a.argument else a.name for a in chunk.annotations),
                ",".join(chunk.regions), chunk.line, chunk.end_line, chunk.text_line, chunk.hash,
                None if collection == CODE else chunk.doc, path,
            ),
        )  # fmt: skip
        number = int(cursor.lastrowid or 0)
        self._counted.add(collection == CODE, chunk.part, chunk.kind, chunk.calls)
        # relative to the procedure's own line, so that they stay true when it moves
        above = chunk.top_line - chunk.line
        calls = to_json([[call.name, call.receiver, call.line + above] for call in chunk.calls])
        text = pack(chunk.text)
        row = (number, lengths, terms, collection, calls, text)
        self._connection.execute("INSERT INTO forward VALUES (?, ?, ?, ?, ?, ?)", row)
        return number

    def remove_chunks(self, chunks: Iterable[int]) -> None:
        """Remove chunks; the terms of those in the base are kept in `dead` until the next merge.

        Their vectors are kept in `gone_vectors`: the same text may come back, or stand elsewhere already.
        """
        chunks = list(chunks)
        base_max = self.number("base_max") if chunks else 0
        for chunk in chunks:
            if chunk <= base_max:
                query = "INSERT OR REPLACE INTO dead SELECT chunk, terms FROM forward WHERE chunk = ?"
                self._connection.execute(query, (chunk,))
            self._counted.remove(chunk)
            self._connection.execute(f"{KEEP_GONE} AND chunk = ?", (chunk,))
            for table in ("forward", "vectors", "next_vectors"):
                self._connection.execute(f"DELETE FROM {table} WHERE chunk = ?", (chunk,))
            self._connection.execute("DELETE FROM chunks WHERE id = ?", (chunk,))

    def chunks(self, ids: Sequence[int]) -> dict[int, ChunkRow]:
        """Return the chunks with these ids, by id."""
        rows = self.rows(f"SELECT {CHUNK_COLUMNS} WHERE c.id IN (SELECT value FROM json_each(?))", to_json(list(ids)))
        return {row[0]: chunk_row(row) for row in rows}

    def at_line(self, path: str, line: int) -> ChunkRow | None:
        """Return the innermost chunk that holds a 0-based line of a file."""
        at = min(line, 2**31)
        where = "f.path = ? AND c.part = 0 AND c.line <= ? AND c.end_line >= ? ORDER BY c.line DESC LIMIT 1"
        rows = self.rows(f"SELECT {CHUNK_COLUMNS} WHERE {where}", path, at, at)
        return chunk_row(rows[0]) if rows else None

    def procedures(self, path: str | None = None) -> Iterator[ChunkRow]:
        """Yield all procedures and functions, or those of one file, in path and line order."""
        kinds = "c.kind IN ('procedure', 'function')"
        return self._symbols(f"f.path = ? AND {kinds}", path) if path else self._symbols(kinds)

    def metadata(self) -> Iterator[ChunkRow]:
        """Yield all metadata objects and fields in path and line order."""
        return self._symbols("c.title IS NOT NULL")

    def _symbols(self, condition: str, *values: object) -> Iterator[ChunkRow]:
        query = f"SELECT {CHUNK_COLUMNS} WHERE c.part = 0 AND {condition} ORDER BY f.path, c.line"
        return map(chunk_row, self._connection.execute(query, values))

    def annotated(self) -> Iterator[tuple[ChunkRow, str]]:
        """Yield the procedures of extensions that have annotations, with them, in path and line order."""
        rows = self._connection.execute(
            f"SELECT c.annotations, {CHUNK_COLUMNS} JOIN roots r ON r.id = f.root "
            "WHERE r.kind = 'extension' AND c.part = 0 AND c.annotations != '' ORDER BY f.path, c.line"
        )
        return ((chunk_row(row[1:]), row[0]) for row in rows)

    def texts(self, chunks: Sequence[int]) -> dict[int, str]:
        """Return the texts of chunks by chunk, without those that are gone."""
        query = "SELECT chunk, text FROM forward WHERE chunk IN (SELECT value FROM json_each(?))"
        return {chunk: unpack(text) for chunk, text in self.chunk_rows(query, to_json(list(chunks)))}

    def text(self, chunk: int) -> str:
        """Return a chunk's text, empty when the chunk is gone."""
        return self.texts([chunk]).get(chunk, "")

    def calls(self, chunk: int) -> list[Call]:
        """Return a chunk's calls, their lines relative to the chunk's `line`."""
        row = self._connection.execute("SELECT calls FROM forward WHERE chunk = ?", (chunk,)).fetchone()
        return [Call(*call) for call in json.loads(row[0])] if row else []

    def counts(self) -> dict[str, int]:
        """Return how many files (modules), procedures, objects, forms and chunks of code and metadata there are."""
        return self._counted.totals()

    def store_counts(self) -> None:
        """Store how many chunks and calls there are; belongs into the transaction that has written them."""
        self._counted.store()

    # --- postings

    def term_id(self, term: str) -> int | None:
        """Return the number of a term, None when no chunk ever held it."""
        row = self._connection.execute("SELECT id FROM terms WHERE term = ?", (term,)).fetchone()
        return int(row[0]) if row else None

    def terms(self) -> dict[str, int]:
        """Return the numbers of all terms."""
        return {term: number for number, term in self._connection.execute("SELECT id, term FROM terms")}

    def add_terms(self, terms: Iterable[tuple[int, str]]) -> None:
        """Store new terms with their numbers."""
        self._connection.executemany("INSERT INTO terms VALUES (?, ?)", terms)

    def overgrown(self, times: int = 1) -> bool:
        """Return whether the numbers of chunks, which only grow, have outgrown the chunks, or so many times that."""
        last = self.last_ids()[0]
        count = self.rows("SELECT count(*) FROM chunks")[0][0] if last > _SPARSE_FROM * times else last
        return last > (_SPARSE * int(count) + _SPARSE_FROM) * times

    def documents(self) -> Iterator[tuple[int, list[str]]]:
        """Yield each chunk's id and all its terms, each as often as it occurs in any field."""
        words = dict(self._connection.execute("SELECT id, term FROM terms"))
        for chunk, block in self._connection.execute("SELECT chunk, terms FROM forward ORDER BY chunk"):
            codes, counts = split_block(block)
            pairs = zip((codes >> FIELD_BITS).tolist(), counts.tolist(), strict=True)
            yield chunk, [words[term] for term, count in pairs for _ in range(count)]

    def block(self, term: int) -> Block | None:
        """Return the base postings of a term."""
        row = self._connection.execute("SELECT block FROM postings WHERE term = ?", (term,)).fetchone()
        return split_block(row[0]) if row else None

    def put_blocks(self, blocks: Iterable[tuple[int, bytes]]) -> None:
        """Insert or replace base postings."""
        self._connection.executemany("INSERT OR REPLACE INTO postings VALUES (?, ?)", blocks)

    def forward_above(self, chunk: int) -> list[tuple[int, bytes, bytes, int]]:
        """Return id, terms, lengths and collection of the chunks above an id."""
        query = "SELECT chunk, terms, lengths, collection FROM forward WHERE chunk > ? ORDER BY chunk"
        return self.rows(query, chunk)

    def unmerged(self) -> int:
        """Return how many chunks were added or removed since the last merge."""
        query = "SELECT (SELECT count(*) FROM forward WHERE chunk > ?) + (SELECT count(*) FROM dead)"
        return int(self.rows(query, self.number("base_max"))[0][0])

    def dead(self) -> list[tuple[int, bytes]]:
        """Return id and terms of the removed chunks that the base still holds."""
        return self._connection.execute("SELECT chunk, terms FROM dead").fetchall()

    def clear_dead(self) -> None:
        """Forget the removed chunks: the base does not hold them any more."""
        self._connection.execute("DELETE FROM dead")

    def last_ids(self) -> tuple[int, int]:
        """Return the highest chunk and term numbers ever given."""
        row = self._connection.execute("SELECT max(id) FROM terms").fetchone()
        last = self._connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'").fetchone()
        return (int(last[0]) if last else 0), int(row[0] or 0)
