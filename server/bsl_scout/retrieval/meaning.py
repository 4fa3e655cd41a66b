"""The leg by meaning: which encoder the vectors of an index are of, and the chunks nearest to a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from bsl_scout.bsl.names import word_terms, words
from bsl_scout.encoding.model import ModelError, unit
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.embedding import SERVING, adapted_folder, present_encoder, waiting, wanted_encoder
from bsl_scout.index.encoders import Encoder, encoder_title, open_bsl, open_other, other_identity
from bsl_scout.index.lexical import Ints
from bsl_scout.index.packing import to_json
from bsl_scout.index.snapshot import Snapshot
from bsl_scout.index.vectors import (
    EPOCH,
    LAST,
    Floats,
    StoredVectors,
    VectorQuery,
    VectorSource,
    VectorsUnavailableError,
    living,
    unpacked,
)

from .unsaved_vectors import UnsavedVectors

# below it a chunk has nothing to do with a query, says the BSL model
_LEAST_COSINE = 0.2
# the name of another encoder than the BSL model; else the folder of the adapted one, None for the shipped one
Place = tuple[str, Path | None]
# of the stored chunks that unsaved documents replace so many at most may stand before what is asked for
_MOST_REPLACED = 500

# the note of an answer by words to a query that the model knows no word of
NO_MEANING = "nothing here means anything to the model"


class Meaning:
    """The vectors of one index with their encoder.

    They are those of `source`, without one those of the catalog itself. Those of another encoder than the BSL model
    are asked for `elsewhere`, in a process that may hold such a model; without that it is loaded here.
    """

    def __init__(
        self, catalog: Catalog, folder: Path, source: VectorSource | None, elsewhere: VectorSource | None
    ) -> None:
        self._catalog = catalog
        self._folder = folder
        self._source = source
        self._elsewhere = elsewhere
        # the encoder that was loaded last with its place, or why it could not be, and its vectors
        self._loaded: tuple[Place, Encoder | str] | None = None
        self._vectors: tuple[Encoder, StoredVectors] | None = None
        self._unsaved = UnsavedVectors(catalog)
        # the scan of all vectors leaves the interpreter to the words, which are scored meanwhile
        self._beside = ThreadPoolExecutor(1, "meaning")
        # whether words answer alone until `learn` is called
        self.postponed = False

    def loader(self) -> Callable[[], object]:
        """Return what loads the model where it is held here; that reads no catalog, which may be closed meanwhile."""
        return (lambda: None) if self._away else partial(self._load, self._place())

    def learn(self, snapshot: Snapshot) -> None:
        """Answer from now on, and take in the vectors where they are held here.

        Call it inside `catalog.reading()`.
        """
        self.postponed = False
        if self._source is None and not self._away and self.ready():
            encoder = self._encoder()
            if encoder:
                self._stored(encoder).follow(snapshot.stored)

    def learn_unsaved(self) -> bool:
        """Make some of the vectors that unsaved documents lack, and return whether there is more to make.

        Call it inside `catalog.reading()`. There are none while words answer alone, and none of another encoder, which
        is not held here.
        """
        if self.postponed or self._away or self._catalog.overlay is None or not self.ready():
            return False
        encoder = self._encoder()
        return encoder is not None and self._unsaved.make(encoder)

    def ready(self) -> bool:
        """Return whether there are vectors, of some chunks at least, and they are of the encoder that is here."""
        name, _ = self._place()
        if not self._catalog.number(LAST):
            return False
        if name:
            return self._catalog.meta(SERVING.model) == other_identity(name)
        encoder = self._encoder()
        return encoder is not None and self._catalog.meta(SERVING.model) == encoder.identity

    @property
    def general(self) -> bool:
        """Whether the vectors are those of a general model, whose scores tell an order and nothing else."""
        return bool(self._place()[0])

    def ask(
        self, query: str, top: int, among: Ints | None, snapshot: Snapshot, reworded: str | None = None
    ) -> Callable[[], tuple[Ints, Floats, str]]:
        """Ask for the nearest chunks in a thread beside this one, and return how to take the answer.

        That is scores up to 1, best first, and what is to be said of their encoder. Both raise
        VectorsUnavailableError; call this inside `catalog.reading()`, the catalog is not read by the other thread.
        `reworded` is the query in the words of the index: the BSL model, which knows no slang, takes the mean of both.
        """
        name, _ = self._place()
        source = self._elsewhere if self._away else None
        if not self._catalog.number(LAST):
            raise VectorsUnavailableError("no vectors yet")
        if self.postponed and source is None:
            raise VectorsUnavailableError("the vectors are being read")
        if not self.ready():
            raise VectorsUnavailableError(self._why_not() or "no vectors yet")
        asked = VectorQuery(None, top + self._replaced, among, self._catalog.number(EPOCH), query)
        work: Callable[[], tuple[Ints, Floats]]
        unsaved = None
        if source is None:
            encoder = self._encoder()
            if encoder is None:
                raise VectorsUnavailableError(self._why_not())
            vector = encoder.query(query)
            if reworded and not name:
                vector = unit(np.stack([vector + encoder.query(reworded)]))[0]
            if not vector.any():
                raise VectorsUnavailableError(NO_MEANING)
            asked, source = replace(asked, vector=vector), self._source
            if source is None:
                stored = self._stored(encoder)
                stored.follow(snapshot.stored)
                work = partial(stored.store.query, vector, asked.top, among)
            unsaved = self._unsaved.nearest(encoder, vector, among) if self._catalog.overlay else None
        if source is not None:
            work = partial(source.nearest, asked, snapshot.stored)
        answer, note = self._beside.submit(work), self._note(name)
        alive = snapshot.collection.alive if self._catalog.overlay else None

        def take() -> tuple[Ints, Floats, str]:
            chunks, scores = answer.result()
            if alive is not None:
                chunks, scores = _joined(living(chunks, scores, alive), unsaved, top)
            if name and len(scores):
                # cosines of a general model crowd in a narrow band: what is above the last candidate tells
                low = float(scores.min())
                scores = (scores - low) / max(1 - low, 1e-6)
            elif not name:
                chunks, scores = chunks[scores >= _LEAST_COSINE], scores[scores >= _LEAST_COSINE]
            return chunks, scores, note

        return take

    def share_read(self, query: str, snapshot: Snapshot) -> float:
        """Return how much of a query is in its vector, 0 to 1: of its words that the index has, each by its idf.

        Call it inside `catalog.reading()`. Of an encoder that is elsewhere it is 1.
        """
        encoder = None if self._away else self._encoder()
        if encoder is None:
            return 1.0
        read = whole = 0.0
        idf = snapshot.scorer().idf
        for word in dict.fromkeys(words(query)):
            frequencies = [len(snapshot.contribution(term)[0]) for term in word_terms(word)]
            weight = sum(idf(frequency) for frequency in frequencies if frequency)
            whole += weight
            read += weight if encoder.knows(word) else 0.0
        return read / whole if whole else 1.0

    def close(self) -> None:
        """End the thread that asks."""
        self._beside.shutdown()

    def vectors_of(self, chunks: Sequence[int]) -> list[Floats]:
        """Return the vectors of those of the chunks that have one; call it inside `catalog.reading()`."""
        query = "SELECT chunk, vector FROM vectors WHERE chunk IN (SELECT value FROM json_each(?))"
        stored = dict(self._catalog.rows(query, to_json(list(chunks))))
        found = [unpacked([stored[chunk]], len(stored[chunk]))[0] for chunk in chunks if chunk in stored]
        encoder = self._encoder() if self._catalog.overlay and not self._away else None
        return found + (self._unsaved.of(encoder, chunks) if encoder else [])

    def nearest_to(self, vector: Floats, top: int, snapshot: Snapshot) -> tuple[Ints, Floats]:
        """Return the chunks nearest to a vector of a chunk with their cosines, best first.

        Raises VectorsUnavailableError; call it inside `catalog.reading()`.
        """
        source = self._elsewhere if self._away else self._source
        if not self._catalog.number(LAST):
            raise VectorsUnavailableError("no vectors yet")
        if self.postponed and not self._away:
            raise VectorsUnavailableError("the vectors are being read")
        encoder = self._encoder() if self.ready() and not self._away else None
        if source is None and encoder is None:
            raise VectorsUnavailableError(self._why_not() or "no vectors yet")
        if source is None and encoder is not None:
            source = self._stored(encoder)
        assert source is not None
        query = VectorQuery(vector, top + self._replaced, None, self._catalog.number(EPOCH))
        chunks, scores = source.nearest(query, snapshot.stored)
        if self._catalog.overlay is None:
            return chunks, scores
        unsaved = self._unsaved.nearest(encoder, vector, None) if encoder else None
        return _joined(living(chunks, scores, snapshot.collection.alive), unsaved, top)

    def _note(self, name: str) -> str:
        """Return what is to be said of the vectors that answered, empty when they are all that is wanted."""
        wanted = wanted_encoder(self._catalog)
        if self._catalog.overlay and self._away and self._catalog.last_ids()[0] > self._catalog.overlay.last:
            return "what is not saved yet is found by words only"
        if wanted != name:
            return f"with the vectors of {encoder_title(name)}: those of {encoder_title(wanted)} are not ready"
        # the shipped model makes them within seconds
        missing = waiting(self._catalog) if name else 0
        return f"{missing} pieces of the index have no vector yet" if missing else ""

    @property
    def _replaced(self) -> int:
        overlay = self._catalog.overlay
        return min(len(overlay.replaced), _MOST_REPLACED) if overlay else 0

    @property
    def _away(self) -> bool:
        return self._elsewhere is not None and self.general

    def _stored(self, encoder: Encoder) -> StoredVectors:
        if self._vectors is None or self._vectors[0] is not encoder:
            self._vectors = encoder, StoredVectors(self._catalog, encoder.dimensions)
        return self._vectors[1]

    def _place(self) -> Place:
        return present_encoder(self._catalog), adapted_folder(self._catalog, self._folder)

    def _load(self, place: Place) -> Encoder | str:
        """Return the encoder of the vectors, or why it cannot be loaded."""
        if self._loaded and self._loaded[0] == place:
            return self._loaded[1]
        name, folder = place
        loaded: Encoder | str
        try:
            loaded = open_other(name) if name else open_bsl(folder)
        except ModelError as error:
            # the writer tells it as a problem of the index; words answer
            loaded = str(error)
        self._loaded = place, loaded
        return loaded

    def _encoder(self) -> Encoder | None:
        loaded = self._load(self._place())
        return None if isinstance(loaded, str) else loaded

    def _why_not(self) -> str:
        """Return why the encoder could not be loaded, empty when it was not tried or could."""
        loaded = self._loaded[1] if self._loaded else ""
        return loaded if isinstance(loaded, str) else ""


def _joined(stored: tuple[Ints, Floats], unsaved: tuple[Ints, Floats] | None, top: int) -> tuple[Ints, Floats]:
    """Return the best of two answers, best first, equal ones by number."""
    chunks, scores = stored
    if unsaved:
        chunks, scores = np.concatenate((chunks, unsaved[0])), np.concatenate((scores, unsaved[1]))
    order = np.lexsort((chunks, -scores))[:top]
    return chunks[order], scores[order]
