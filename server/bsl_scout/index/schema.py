"""The tables of the catalog and its rows.

Layout of the lexical part. `forward` has the terms, calls and text of every chunk. `postings` has, per
term, the chunks up to `base_max` (the base); chunks above it (the delta) are few and read from `forward`.
A removed base chunk leaves its terms in `dead` until `merge` folds delta and dead into the base. A save
therefore writes some rows and never touches a posting. Blocks are little-endian: n uint32 (document << 3 |
field), n uint16 counts; in `forward` n uint32 (term << 3 | field), n uint16 counts.

Vectors are found by chunk, and by `source`, a digest of what they were made from. Those of removed chunks wait in
`gone_vectors` for the same text to come back: a file that is renamed is one that goes and one that comes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SCHEMA_VERSION = 8
FILE_NAME = "catalog.sqlite"

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE roots (id TEXT PRIMARY KEY, kind TEXT, format TEXT, path TEXT, name TEXT, object_kind TEXT)
WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, root TEXT NOT NULL, size INTEGER, mtime_ns INTEGER,
    hash BLOB, owner TEXT, module TEXT, words TEXT, problem TEXT, kind TEXT NOT NULL, full_name TEXT,
    uuid TEXT, extends TEXT, names TEXT, refs TEXT, context TEXT
);
CREATE INDEX files_owner ON files (owner);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL, key TEXT NOT NULL, part INTEGER NOT NULL,
    kind TEXT NOT NULL, name TEXT NOT NULL, parameters TEXT, export INTEGER,
    is_async INTEGER, annotations TEXT, regions TEXT, line INTEGER, end_line INTEGER, text_line INTEGER,
    hash BLOB NOT NULL, title TEXT, path TEXT
);
CREATE INDEX chunks_file ON chunks (file);
CREATE INDEX chunks_counted ON chunks (title IS NULL, part, kind);
CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT UNIQUE NOT NULL);
CREATE TABLE forward (
    chunk INTEGER PRIMARY KEY, lengths BLOB NOT NULL, terms BLOB NOT NULL, collection INTEGER NOT NULL,
    calls TEXT NOT NULL, text BLOB NOT NULL
);
CREATE TABLE postings (term INTEGER PRIMARY KEY, block BLOB NOT NULL);
CREATE TABLE vectors (chunk INTEGER PRIMARY KEY, vector BLOB NOT NULL, source INTEGER);
CREATE INDEX vectors_source ON vectors (source);
CREATE TABLE next_vectors (chunk INTEGER PRIMARY KEY, vector BLOB NOT NULL, source INTEGER);
CREATE INDEX next_vectors_source ON next_vectors (source);
CREATE TABLE IF NOT EXISTS gone_vectors (id INTEGER PRIMARY KEY, source INTEGER UNIQUE NOT NULL, vector BLOB NOT NULL);
CREATE TABLE call_counts (target TEXT PRIMARY KEY, chunks INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE dead (chunk INTEGER PRIMARY KEY, terms BLOB NOT NULL);
CREATE TABLE objects (
    file INTEGER PRIMARY KEY, root TEXT NOT NULL, name TEXT NOT NULL, uuid TEXT, extends TEXT, model BLOB NOT NULL
);
CREATE INDEX objects_name ON objects (name);
CREATE INDEX objects_uuid ON objects (uuid);
CREATE INDEX objects_extends ON objects (extends);
CREATE TABLE links (file INTEGER NOT NULL, relation TEXT NOT NULL, target TEXT NOT NULL);
CREATE INDEX links_target ON links (target, relation);
CREATE INDEX links_file ON links (file);
"""

# indexes that catalogs of this version did not always have
LATER_INDEXES = (
    "CREATE INDEX IF NOT EXISTS files_problem ON files (path, problem) WHERE problem IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS files_counted ON files (kind, full_name)",
)

# the collections of chunks as they are stored; items are predefined ones and redefined standard attributes,
# texts are what metadata holds (queries, access restrictions), captions what people read on forms
CODE, METADATA, ITEMS, TEXTS, CAPTIONS = 0, 1, 2, 3, 4
COLLECTIONS = (CODE, METADATA, ITEMS, TEXTS, CAPTIONS)
# they don't count for how common a word is: roles repeat their restrictions by the hundred
UNCOUNTED = (ITEMS, TEXTS, CAPTIONS)


def only(*wanted: int) -> tuple[float, ...]:
    """Return what the scores of each collection count for when only these may answer."""
    return tuple(float(one in wanted) for one in COLLECTIONS)


Block = tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16]]


@dataclass(frozen=True, slots=True)
class FileRow:
    """A module or object as the catalog knows it; `hash` is None when it could not be read.

    `uuid` is that of an object, `extends` the uuid of the base's object that it adopts, `""` when it adopts
    one without telling which, None when it is the root's own. `context` are the synonyms of what a module
    belongs to.
    """

    id: int
    path: str
    root: str
    size: int
    mtime_ns: int
    hash: bytes | None
    owner: str | None
    module: str
    words: str
    kind: str = "module"
    full_name: str | None = None
    uuid: str | None = None
    extends: str | None = None
    context: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk without its text, joined with its module; `title` are the synonyms of a metadata chunk.

    `path` is the file to land in: that of a field may be another than its object's.
    """

    id: int
    path: str
    root: str
    owner: str | None
    module: str
    words: str
    key: str
    part: int
    kind: str
    name: str
    parameters: tuple[str, ...]
    export: bool
    is_async: bool
    regions: tuple[str, ...]
    line: int
    end_line: int
    text_line: int
    title: str | None
    hash: bytes


@dataclass(frozen=True, slots=True)
class Overlay:
    """What unsaved documents change of a catalog: their texts by path, and the chunks that they replace.

    Their own have numbers above `last`, the last one of the catalog itself.
    """

    texts: Mapping[str, str]
    replaced: frozenset[int]
    last: int


FILE_COLUMNS = "id, path, root, size, mtime_ns, hash, owner, module, words, kind, full_name, uuid, extends, context"
CHUNK_COLUMNS = (
    "c.id, coalesce(c.path, f.path), f.root, f.owner, f.module, f.words, c.key, c.part, c.kind, c.name, "
    "c.parameters, c.export, c.is_async, c.regions, c.line, c.end_line, c.text_line, c.title, c.hash "
    "FROM chunks c JOIN files f ON f.id = c.file"
)


def _split(names: str) -> tuple[str, ...]:
    return tuple(names.split(",")) if names else ()


def chunk_row(row: tuple[object, ...]) -> ChunkRow:
    """Return the chunk of a row with CHUNK_COLUMNS."""
    values = list(row)
    values[10], values[13] = _split(str(values[10])), _split(str(values[13]))
    values[11], values[12] = bool(values[11]), bool(values[12])
    return ChunkRow(*values)  # type: ignore[arg-type]


def split_block(block: bytes) -> Block:
    """Return the two arrays of a stored block."""
    size = len(block) // 6
    return np.frombuffer(block, "<u4", size), np.frombuffer(block, "<u2", size, offset=4 * size)
