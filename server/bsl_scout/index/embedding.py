"""Gives the chunks of a catalog their vectors: the stage after the words.

Vectors come in generations, each of one model. The present one answers; the next one (of another encoder, or of the
model adapted to the configuration) is made beside it, goes on where a pass was stopped or killed, and takes its
place in one transaction once every chunk has a vector.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bsl_scout.encoding.model import ModelError

from .catalog import Catalog
from .chunk_texts import ChunkTexts, Source, words_of
from .encoders import Encoder, bsl_stamp, encoder_title, open_bsl, open_other, other_identity
from .known_vectors import GONE_MODEL, begin_model, forget_oldest, known_vectors, make_anew, source_digest, take_back
from .packing import to_json, unpack
from .vectors import EPOCH, LAST, WEIGHT, packed

_ROWS = """
SELECT c.id, f.context, c.name, c.part, c.line - c.text_line, c.title, w.text
FROM chunks c JOIN files f ON f.id = c.file JOIN forward w ON w.chunk = c.id
"""
# the encoder that was last asked for, by name; nothing for the BSL model
WANTED = "wanted_encoder"
# the encoder of the vectors that answer: until those of the wanted one are whole it may be another
ENCODER = "vector_encoder"
# the folder of the adapted model beside the catalog; nothing while the shipped one serves
ADAPTED = "vector_model_folder"
# what came of adapting, as JSON
ADAPTATION = "adaptation"
_STAMP = "vector_stamp"

Progress = Callable[[int, int], None]
Cancelled = Callable[[], bool]
# entered for each write; the lock of the writer, where the caller does not hold it all the time
Hold = Callable[[], AbstractContextManager[None]]
Values = Mapping[str, int | str]
_NOTHING: Values = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Generation:
    """The vectors of one model in a catalog: their table, and what model and last embedded chunk are kept under."""

    table: str
    model: str
    last: str


SERVING = Generation("vectors", "vector_model", LAST)
# of the model that is to serve next; until every chunk has one the others serve
NEXT = Generation("next_vectors", "next_vector_model", "next_vector_last")


def texts_of(catalog: Catalog, chunks: Sequence[int]) -> list[ChunkTexts]:
    """Return the texts of chunks in ascending order of their numbers."""
    rows = catalog.rows(f"{_ROWS} WHERE c.id IN (SELECT value FROM json_each(?)) ORDER BY c.id", to_json(list(chunks)))
    return [words_of(_source(row)) for row in rows]


def _source(row: tuple[Any, ...]) -> Source:
    _, context, name, part, above, title, packed_text = row
    return Source(name, unpack(packed_text), part, above, context or "", title is not None)


def adapted_folder(catalog: Catalog, folder: Path) -> Path | None:
    """Return where the model of an index's vectors is, None when it is the shipped one."""
    name = catalog.meta(ADAPTED)
    return folder / str(name) if name else None


def wanted_encoder(catalog: Catalog) -> str:
    """Return the name of the encoder that was last asked for, empty for the BSL model."""
    return str(catalog.meta(WANTED) or "")


def present_encoder(catalog: Catalog) -> str:
    """Return the name of the encoder of the vectors that answer, empty for the BSL model."""
    return str(catalog.meta(ENCODER) or "")


def embed(
    catalog: Catalog,
    folder: Path,
    cancelled: Cancelled = lambda: False,
    encoder: str | None = None,
    progress: Progress | None = None,
    later: bool = False,
) -> str | None:
    """Make the vectors that are missing or of another model than the one that is to serve.

    That is the `encoder` asked for, without a wish the one asked for last; of the BSL model the adapted one of the
    index, else the shipped one. Vectors that can still answer do so until those of another encoder are whole. With
    `later` such are not made here: `embed_next` does. Returns what was wrong with the adapted one, which then serves
    no more; raises ModelError for any other.
    """
    if encoder is not None and encoder != wanted_encoder(catalog):
        _want(catalog, encoder)
    wanted, present = wanted_encoder(catalog), present_encoder(catalog)
    problem = None
    if not present and (not wanted or can_answer(catalog, folder)):
        # while another encoder is on its way too: what changed is then found by the vectors that answer. Where these
        # are of another large model they are left as they are, to hold two of those would cost too much
        problem = _embed_bsl(catalog, folder, cancelled)
    if (wanted or present) and not (wanted and later):
        embed_next(catalog, folder, cancelled, progress)
    return problem


def _want(catalog: Catalog, encoder: str) -> None:
    with catalog.transaction():
        catalog.set_meta(WANTED, encoder)
        # what was begun for another wish
        catalog.write(f"DELETE FROM {NEXT.table} WHERE chunk > ?", [(-1,)])
        catalog.set_meta(NEXT.model, "")
        catalog.set_meta(NEXT.last, 0)


def embed_next(
    catalog: Catalog,
    folder: Path,
    cancelled: Cancelled = lambda: False,
    progress: Progress | None = None,
    hold: Hold = nullcontext,
) -> bool:
    """Make vectors of the wanted encoder as far as they are missing, and let them serve once they are whole.

    Returns whether they serve, all of them; raises ModelError.
    """
    wanted = wanted_encoder(catalog)
    stamp = other_identity(wanted) if wanted else bsl_stamp()
    if catalog.meta(_STAMP) == stamp and not waiting(catalog):
        return True
    encoder = open_other(wanted) if wanted else open_bsl()
    also = {_STAMP: stamp, ENCODER: wanted, ADAPTED: "", ADAPTATION: "", WEIGHT: ""}
    if catalog.meta(SERVING.model) == encoder.identity or not can_answer(catalog, folder):
        # the first ones answer as far as they are made
        with hold():
            use_model(catalog, encoder, also=also)
        embed_missing(catalog, encoder, progress, cancelled, hold=hold)
        return not waiting(catalog)
    embed_missing(catalog, encoder, progress, cancelled, NEXT, hold)
    with hold():
        return take_over(catalog, **also)


def can_answer(catalog: Catalog, folder: Path) -> bool:
    """Return whether there are vectors, and the model that they are of is still what it was."""
    name = present_encoder(catalog)
    try:
        identity = other_identity(name) if name else open_bsl(adapted_folder(catalog, folder)).identity
    except ModelError:
        return False
    return bool(catalog.number(LAST)) and catalog.meta(SERVING.model) == identity


def without_encoder(catalog: Catalog, folder: Path) -> str:
    """Return in words how search goes on when the wanted encoder cannot be used."""
    if can_answer(catalog, folder):
        return f"with the vectors of {encoder_title(present_encoder(catalog))}"
    return "by words only"


def _embed_bsl(catalog: Catalog, folder: Path, cancelled: Cancelled) -> str | None:
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


def _embed_with(catalog: Catalog, where: Path | None, cancelled: Cancelled) -> None:
    stamp = bsl_stamp(where)
    if catalog.meta(_STAMP) != stamp or waiting(catalog):
        encoder = open_bsl(where)
        use_model(catalog, encoder, also={ENCODER: ""})
        embed_missing(catalog, encoder, None, cancelled)
        catalog.set_meta(_STAMP, stamp)


def use_model(catalog: Catalog, encoder: Encoder, generation: Generation = SERVING, also: Values = _NOTHING) -> None:
    """Throw away the vectors of a generation when they are of another model or version.

    `also` are further values of `meta` that belong to the new ones.
    """
    if catalog.meta(generation.model) == encoder.identity:
        return
    with catalog.transaction():
        catalog.write(f"DELETE FROM {generation.table} WHERE chunk > ?", [(-1,)])
        for key, value in {generation.model: encoder.identity, generation.last: 0, **also}.items():
            catalog.set_meta(key, value)
        if generation is SERVING:
            begin_model(catalog, encoder.identity)
            _begin_epoch(catalog)


def empty_catalog(catalog: Catalog, version: str, keep: bool = True) -> None:
    """Empty a catalog; with `keep` the wanted encoder stays and, for texts that come again, the vectors it has."""
    if keep:
        make_anew(catalog, version, {WANTED: WANTED, SERVING.model: GONE_MODEL})
    else:
        catalog.create(version)


def _begin_epoch(catalog: Catalog) -> None:
    # never again the number of vectors that were thrown away, also when the catalog was made anew since
    catalog.set_meta(EPOCH, max(time.time_ns(), catalog.number(EPOCH) + 1))


def embed_missing(
    catalog: Catalog,
    encoder: Encoder,
    progress: Progress | None = None,
    cancelled: Cancelled = lambda: False,
    generation: Generation = SERVING,
    hold: Hold = nullcontext,
) -> int:
    """Give each chunk without a vector its own and return how many there were; what was done until a cancel is kept.

    The encoder is asked for texts only that no chunk of this generation has, or had when it was removed lately.
    """
    with hold():
        use_model(catalog, encoder, generation)
    total, done, last = waiting(catalog, generation), 0, catalog.number(generation.last)
    while done < total and not cancelled():
        rows = catalog.rows(f"{_ROWS} WHERE c.id > ? ORDER BY c.id LIMIT ?", last, encoder.batch)
        if not rows:
            break
        sources = {row[0]: _source(row) for row in rows}
        digests = {chunk: source_digest(source) for chunk, source in sources.items()}
        vectors = known_vectors(catalog, generation.table, digests.values(), gone=generation is SERVING)
        new = {digest: sources[chunk] for chunk, digest in digests.items() if digest not in vectors}
        if new:
            vectors |= zip(new, packed(encoder.chunk_vectors(list(new.values()))), strict=True)
        last = rows[-1][0]
        with hold(), catalog.transaction():
            if catalog.meta(generation.model) != encoder.identity:
                # without the lock the catalog may have been made anew meanwhile: these chunks are gone
                break
            catalog.write(
                f"INSERT OR REPLACE INTO {generation.table} SELECT id, ?, ? FROM chunks WHERE id = ?",
                [(vectors[digest], digest, chunk) for chunk, digest in digests.items()],
            )
            if generation is SERVING:
                take_back(catalog, digests.values())
            catalog.set_meta(generation.last, last)
        done += len(rows)
        if progress:
            progress(done, total)
    if generation is SERVING and done and not waiting(catalog):
        with hold(), catalog.transaction():
            forget_oldest(catalog)
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
        catalog.write("INSERT INTO vectors SELECT * FROM next_vectors WHERE chunk > ?", [(-1,)])
        catalog.write("DELETE FROM next_vectors WHERE chunk > ?", [(-1,)])
        catalog.set_meta(SERVING.model, str(catalog.meta(NEXT.model)))
        begin_model(catalog, str(catalog.meta(NEXT.model)))
        catalog.set_meta(SERVING.last, catalog.number(NEXT.last))
        _begin_epoch(catalog)
        for key, value in {NEXT.model: "", NEXT.last: 0, **also}.items():
            catalog.set_meta(key, value)
    return True
