"""Gives the chunks of a catalog their vectors: the stage after the words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bsl_scout.bsl import names
from bsl_scout.encoding.model import BslModel, load_model, model_stamp, unit
from bsl_scout.encoding.pairs import description

from .catalog import Catalog
from .metadata import TITLE_SEPARATOR
from .packing import unpack
from .vectors import EPOCH, LAST, packed

# A change of what these functions make must change this number: the vectors are then made anew
VECTORS_VERSION = 1
# how much the vector of each text counts in that of its chunk: docs/adr/0007-fusion.md
TEXT, NAME, DOC, CONTEXT, NOTES = 1.0, 1.0, 0.5, 0.4, 0.2
WEIGHTS = (TEXT, NAME, DOC, CONTEXT, NOTES)
_BATCH = 500
_QUERY = """
SELECT c.id, f.context, c.name, c.part, c.line - c.text_line, c.title, w.text
FROM chunks c JOIN files f ON f.id = c.file JOIN forward w ON w.chunk = c.id
WHERE c.id > ? ORDER BY c.id LIMIT ?
"""

Floats = npt.NDArray[np.float32]


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


def embed(catalog: Catalog, cancelled: Callable[[], bool] = lambda: False) -> None:
    """Make the vectors that are missing or of another model than the shipped one; raises ModelError."""
    if up_to_date(catalog):
        return
    embed_missing(catalog, load_model(), None, cancelled)
    catalog.set_meta("vector_stamp", f"{VECTORS_VERSION} {model_stamp()}")


def identity_of(model: BslModel) -> str:
    """Return what the vectors of a catalog are kept under: vectors of two models cannot be compared."""
    return f"{VECTORS_VERSION} {model.dimensions} {model.digest.hex()}"


def use_model(catalog: Catalog, model: BslModel) -> None:
    """Throw away vectors of another model or version."""
    identity = identity_of(model)
    if catalog.meta("vector_model") == identity:
        return
    with catalog.transaction():
        catalog.write("DELETE FROM vectors WHERE chunk > ?", [(-1,)])
        catalog.set_meta("vector_model", identity)
        # never again the number of vectors that were thrown away, also when the catalog was made anew since
        catalog.set_meta(EPOCH, max(time.time_ns(), catalog.number(EPOCH) + 1))
        catalog.set_meta(LAST, 0)


def embed_missing(
    catalog: Catalog,
    model: BslModel,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> int:
    """Give each chunk without a vector its own and return how many there were; what was done until a cancel is kept."""
    use_model(catalog, model)
    total, done, last = waiting(catalog), 0, catalog.number(LAST)
    while done < total and not cancelled():
        rows = catalog.rows(_QUERY, last, _BATCH)
        if not rows:
            break
        texts = [
            metadata_texts(unpack(packed_text))
            if title is not None
            else code_texts(name, unpack(packed_text), part, above, context or "")
            for _, context, name, part, above, title, packed_text in rows
        ]
        vectors = packed(chunk_vectors(model, texts))
        last = rows[-1][0]
        with catalog.transaction():
            catalog.write(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                [(row[0], vector) for row, vector in zip(rows, vectors, strict=True)],
            )
            catalog.set_meta(LAST, last)
        done += len(rows)
        if progress:
            progress(done, total)
    return done


def waiting(catalog: Catalog) -> int:
    """Return how many chunks have no vector: numbers only grow and vectors are made in their order."""
    return int(catalog.rows("SELECT count(*) FROM chunks WHERE id > ?", catalog.number(LAST))[0][0])


def up_to_date(catalog: Catalog) -> bool:
    """Return whether every chunk has a vector of the shipped model, without loading that; raises ModelError."""
    return catalog.meta("vector_stamp") == f"{VECTORS_VERSION} {model_stamp()}" and not waiting(catalog)
