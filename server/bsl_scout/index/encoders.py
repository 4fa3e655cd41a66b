"""What makes the vectors of an index: the shipped BSL model, or any model of sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bsl_scout.encoding.model import BslModel, load_model, model_stamp, unit
from bsl_scout.encoding.sentence_encoder import SentenceEncoder, load_sentence_encoder, model_key, shown_name

from .chunk_texts import ChunkTexts, Source, passage, title, words_of

# A change of what these classes make must change this number: the vectors are then made anew
VECTORS_VERSION = 1
PASSAGES_VERSION = 1
# how much the vector of each text counts in that of its chunk: docs/adr/0007-fusion.md
TEXT, NAME, DOC, CONTEXT, NOTES = 1.0, 1.0, 0.5, 0.4, 0.2
WEIGHTS = (TEXT, NAME, DOC, CONTEXT, NOTES)

Floats = npt.NDArray[np.float32]


class Encoder(Protocol):
    """Makes vectors of chunks and of queries."""

    @property
    def identity(self) -> str:
        """What the vectors of a catalog are kept under: those of two identities cannot be compared."""

    @property
    def dimensions(self) -> int:
        """The length of a vector."""

    @property
    def batch(self) -> int:
        """How many chunks are made and stored at a time."""

    def chunk_vectors(self, chunks: Sequence[Source]) -> Floats:
        """Return the unit vectors of chunks."""

    def query(self, text: str) -> Floats:
        """Return the unit vector of a query, zeros when the model knows none of its words."""

    def knows(self, word: str) -> bool:
        """Return whether a word of a query takes part in its vector."""


class BslEncoder:
    """The BSL model: the weighted sum of the vectors of what a chunk is called, says and belongs to."""

    batch = 500

    def __init__(self, model: BslModel) -> None:
        self._model = model

    @property
    def identity(self) -> str:
        """The version of the texts, the size and the digest of the model."""
        return f"{VECTORS_VERSION} {self._model.dimensions} {self._model.digest.hex()}"

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self._model.dimensions

    def chunk_vectors(self, chunks: Sequence[Source]) -> Floats:
        """Return the unit vectors of chunks."""
        return chunk_vectors(self._model, [words_of(chunk) for chunk in chunks])

    def query(self, text: str) -> Floats:
        """Return the unit vector of a query."""
        return self._model.query(text)

    def knows(self, word: str) -> bool:
        """Return whether the model has seen the word or parts of it."""
        return self._model.knows(word)


class OtherEncoder:
    """A model of sentence-transformers: the sum of the vectors of a passage and of what the chunk is called."""

    batch = 32

    def __init__(self, name: str, model: SentenceEncoder) -> None:
        self.identity = other_identity(name)
        self.model = model

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self.model.dimensions

    def chunk_vectors(self, chunks: Sequence[Source]) -> Floats:
        """Return the unit vectors of chunks."""
        titles = [title(one) for one in chunks]
        called = list(dict.fromkeys(filter(None, titles)))
        vectors = self.model.passages([*map(passage, chunks), *called])
        places = {text: len(chunks) + place for place, text in enumerate(called)}
        whole = vectors[: len(chunks)].copy()
        for place, text in enumerate(titles):
            if text:
                whole[place] += NAME * vectors[places[text]]
        return unit(whole)

    def query(self, text: str) -> Floats:
        """Return the unit vector of a query."""
        return self.model.query(text)

    def knows(self, word: str) -> bool:
        """Return True: these models are trained on so much that letters say something too."""
        return True


def chunk_vectors(model: BslModel, chunks: Sequence[ChunkTexts]) -> Floats:
    """Return the unit vectors of chunks: the weighted sum of the unit vectors of their texts."""
    parts = model.vectors(model.pieces(words) for texts in chunks for words in texts.each())
    shaped = parts.reshape(len(chunks), len(WEIGHTS), model.dimensions)
    return unit(np.einsum("cpd,p->cd", shaped, np.array(WEIGHTS, np.float32)))


def open_other(name: str) -> OtherEncoder:
    """Return the encoder of a published model or a folder; raises ModelError."""
    return OtherEncoder(name, load_sentence_encoder(name))


def open_bsl(folder: Path | None = None) -> BslEncoder:
    """Return the encoder of the BSL model in a folder, the shipped one without it; raises ModelError."""
    return BslEncoder(load_model(folder))


def other_identity(name: str) -> str:
    """Return what the vectors of another model are kept under, without loading that."""
    return f"{PASSAGES_VERSION} {model_key(name)}"


def bsl_stamp(folder: Path | None = None) -> str:
    """Return what changes with the vectors of a BSL model, without loading that; raises ModelError."""
    return f"{VECTORS_VERSION} {model_stamp(folder)}"


def encoder_title(name: str) -> str:
    """Return what an encoder is called in an answer, never by a path: a model by its name, empty the BSL model."""
    return f"the model {shown_name(name)}" if name else "the shipped model"
