"""Gives the chunks of a catalog their vectors: the stage after the words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bsl_scout.bsl import names
from bsl_scout.encoding.model import BslModel, ModelError, load_model, model_stamp, unit
from bsl_scout.encoding.pairs import description

from .catalog import Catalog
from .metadata import TITLE_SEPARATOR
from .packing import to_json, unpack
from .vectors import EPOCH, LAST, WEIGHT, packed

# A change of what these functions make must change this number: the vectors are then made anew
VECTORS_VERSION = 1
# how much the vector of each text counts in that of its chunk: docs/adr/0007-fusion.md
TEXT, NAME, DOC, CONTEXT, NOTES = 1.0, 1.0, 0.5, 0.4, 0.2
WEIGHTS = (TEXT, NAME, DOC, CONTEXT, NOTES)
_BATCH = 500
_ROWS = """
SELECT c.id, f.context, c.name, c.part, c.line - c.text_line, c.title, w.text
FROM chunks c JOIN files f ON f.id = c.file JOIN forward w ON w.chunk = c.id
"""
# the folder of the adapted model beside the catalog; nothing while the shipped one serves
ADAPTED = "vector_model_folder"
# what came of adapting, as JSON
ADAPTATION = "adaptation"
_STAMP = "vector_stamp"

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Generation:
    """The vectors of one model in a catalog: their table, and what model and last embedded chunk are kept under."""

    table: str
    model: str
    last: str


SERVING = Generation("vectors", "vector_model", LAST)
# of the model that is to serve next; until every chunk has one the others serve
NEXT = Generation("next_vectors", "next_vector_model", "next_vector_last")


@dataclass(frozen=True, slots=True)
class ChunkTexts:
    """The words of a chunk that each have a vector of their own: text, name, doc, context, notes."""

    text: Sequence[str]
    name: Sequence[str]
    doc: Sequence[str] = ()
    context: Sequence[str] = ()
    notes: Sequence[str] = ()

    def each(self) -> Iterator[Sequence[str]]:
        """Yield them in the order of their weights."""
        yield from (self.text, self.name, self.doc, self.context, self.notes)


def code_texts(name: str, text: str, part: int, above: int, context: str) -> ChunkTexts:
    """Return the texts of a chunk of code; `above` is the number of lines above its header."""
    doc = ""
    if part == 0 and above > 0:
        head, _, text = _split_lines(text, above)
        doc = description("\n".join(line.strip().lstrip("/").strip() for line in head if "//" in line))
    words, notes = names.code_and_notes(text)
    body = [word for word in words if word != name and not names.is_keyword(word)]
    return ChunkTexts(body, [name] if name else [], names.words(doc), names.words(context), names.words(notes))


def _split_lines(text: str, count: int) -> tuple[list[str], str, str]:
    lines = text.split("\n", count)
    return lines[:count], "\n", lines[-1] if len(lines) > count else ""


def metadata_texts(text: str) -> ChunkTexts:
    """Return the texts of a metadata chunk: its rows are full name, own titles, titles of its object, types."""
    full_name, own, owner, *rest = [*text.split("\n"), "", ""]
    titles = own.split(TITLE_SEPARATOR)
    comment = " ".join(rest[1:])
    return ChunkTexts(
        names.words(full_name.rpartition(".")[2]), names.words(titles[0]), names.words(comment), names.words(owner)
    )


def chunk_vectors(model: BslModel, chunks: Sequence[ChunkTexts]) -> Floats:
    """Return the unit vectors of chunks: the weighted sum of the unit vectors of their texts."""
    parts = model.vectors(model.pieces(words) for texts in chunks for words in texts.each())
    shaped = parts.reshape(len(chunks), len(WEIGHTS), model.dimensions)
    return unit(np.einsum("cpd,p->cd", shaped, np.array(WEIGHTS, np.float32)))


def texts_of(catalog: Catalog, chunks: Sequence[int]) -> list[ChunkTexts]:
    """Return the texts of chunks in ascending order of their numbers."""
    rows = catalog.rows(f"{_ROWS} WHERE c.id IN (SELECT value FROM json_each(?)) ORDER BY c.id", to_json(list(chunks)))
    return [_texts(row) for row in rows]


def _texts(row: tuple[Any, ...]) -> ChunkTexts:
    _, context, name, part, above, title, packed_text = row
    text = unpack(packed_text)
    return metadata_texts(text) if title is not None else code_texts(name, text, part, above, context or "")


def adapted_folder(catalog: Catalog, folder: Path) -> Path | None:
    """Return where the model of an index's vectors is, None when it is the shipped one."""
    name = catalog.meta(ADAPTED)
    return folder / str(name) if name else None


def stamp_of(where: Path | None) -> str:
    """Return what vectors made with the model in a folder (None: the shipped one) stay good for; raises ModelError."""
    return f"{VECTORS_VERSION} {model_stamp(where)}"


def embed(catalog: Catalog, folder: Path, cancelled: Callable[[], bool] = lambda: False) -> str | None:
    """Make the vectors that are missing or of another model than the one that serves.

    That is the adapted one of the index, else the shipped one. Returns what was wrong with the adapted one, which
    then serves no more; raises ModelError for the shipped one.
    """
    where = adapted_folder(catalog, folder)
    problem = None
    try:
        _embed_with(catalog, where, cancelled)
    except ModelError as error:
        if where is None:
            raise
        problem = f"the model adapted to this configuration is given up: {error}"
        with catalog.transaction():
            for key in (ADAPTED, ADAPTATION, WEIGHT):
                catalog.set_meta(key, "")
        _embed_with(catalog, None, cancelled)
    return problem


def _embed_with(catalog: Catalog, where: Path | None, cancelled: Callable[[], bool]) -> None:
    stamp = stamp_of(where)
    if catalog.meta(_STAMP) != stamp or waiting(catalog):
        embed_missing(catalog, load_model(where), None, cancelled)
        catalog.set_meta(_STAMP, stamp)


def identity_of(model: BslModel) -> str:
    """Return what the vectors of a catalog are kept under: vectors of two models cannot be compared."""
    return f"{VECTORS_VERSION} {model.dimensions} {model.digest.hex()}"


def use_model(catalog: Catalog, model: BslModel, generation: Generation = SERVING) -> None:
    """Throw away the vectors of a generation when they are of another model or version."""
    identity = identity_of(model)
    if catalog.meta(generation.model) == identity:
        return
    with catalog.transaction():
        catalog.write(f"DELETE FROM {generation.table} WHERE chunk > ?", [(-1,)])
        catalog.set_meta(generation.model, identity)
        catalog.set_meta(generation.last, 0)
        if generation is SERVING:
            catalog.set_meta(EPOCH, catalog.number(EPOCH) + 1)


def embed_missing(
    catalog: Catalog,
    model: BslModel,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    generation: Generation = SERVING,
) -> int:
    """Give each chunk without a vector its own and return how many there were; what was done until a cancel is kept."""
    use_model(catalog, model, generation)
    total, done, last = waiting(catalog, generation), 0, catalog.number(generation.last)
    while done < total and not cancelled():
        rows = catalog.rows(f"{_ROWS} WHERE c.id > ? ORDER BY c.id LIMIT ?", last, _BATCH)
        if not rows:
            break
        vectors = packed(chunk_vectors(model, [_texts(row) for row in rows]))
        last = rows[-1][0]
        with catalog.transaction():
            catalog.write(
                f"INSERT OR REPLACE INTO {generation.table} VALUES (?, ?)",
                [(row[0], vector) for row, vector in zip(rows, vectors, strict=True)],
            )
            catalog.set_meta(generation.last, last)
        done += len(rows)
        if progress:
            progress(done, total)
    return done


def waiting(catalog: Catalog, generation: Generation = SERVING) -> int:
    """Return how many chunks have no vector: numbers only grow and vectors are made in their order."""
    return int(catalog.rows("SELECT count(*) FROM chunks WHERE id > ?", catalog.number(generation.last))[0][0])


def take_over(catalog: Catalog, **also: int | str) -> bool:
    """Let the next vectors serve if every chunk has one, and return whether they do.

    All in one transaction: a reader sees the old vectors with their model or the new ones with theirs. `also` are
    further values of `meta` that belong to them.
    """
    with catalog.transaction():
        if not catalog.meta(NEXT.model) or waiting(catalog, NEXT):
            return False
        catalog.write("DELETE FROM vectors WHERE chunk > ?", [(-1,)])
        catalog.write("INSERT INTO vectors SELECT chunk, vector FROM next_vectors WHERE chunk > ?", [(-1,)])
        catalog.write("DELETE FROM next_vectors WHERE chunk > ?", [(-1,)])
        catalog.set_meta(SERVING.model, str(catalog.meta(NEXT.model)))
        catalog.set_meta(SERVING.last, catalog.number(NEXT.last))
        catalog.set_meta(EPOCH, catalog.number(EPOCH) + 1)
        for key, value in {NEXT.model: "", NEXT.last: 0, **also}.items():
            catalog.set_meta(key, value)
    return True
