"""What makes the vectors of an index: the shipped BSL model, or any model of sentence-transformers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bsl_scout.bsl import names
from bsl_scout.encoding.model import BslModel, load_model, model_stamp, unit
from bsl_scout.encoding.pairs import description
from bsl_scout.encoding.sentence_encoder import (
    MAX_TOKENS,
    SentenceEncoder,
    load_sentence_encoder,
    model_key,
    shown_name,
)

from .metadata import TITLE_SEPARATOR

# A change of what these functions make must change this number: the vectors are then made anew
VECTORS_VERSION = 1
PASSAGES_VERSION = 1
# the name of the shipped model where a model is chosen by name
SHIPPED = ""
# how much the vector of each text counts in that of its chunk: docs/adr/0007-fusion.md
TEXT, NAME, DOC, CONTEXT, NOTES = 1.0, 1.0, 0.5, 0.4, 0.2
WEIGHTS = (TEXT, NAME, DOC, CONTEXT, NOTES)
# a token has rarely more letters; what is longer is cut by the tokenizer, at the cost of reading it
_TOKEN_CHARS = 8
_IDENTIFIER = re.compile(r"\w+")

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Source:
    """A chunk as its vector is made from it; `above` is the number of lines above its header."""

    name: str
    text: str
    part: int = 0
    above: int = 0
    context: str = ""
    metadata: bool = False

    @property
    def doc(self) -> str:
        """What the comment above a procedure says of it as a whole."""
        lines = self.text.split("\n", self.above)[: self.above] if self.part == 0 and self.above > 0 else []
        return description("\n".join(line.strip().lstrip("/").strip() for line in lines if "//" in line))

    @property
    def code(self) -> str:
        """The text from the header on."""
        if self.part or self.above <= 0:
            return self.text
        lines = self.text.split("\n", self.above)
        return lines[-1] if len(lines) > self.above else ""


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

    @property
    def least_cosine(self) -> float | None:
        """The cosine below which a chunk has nothing to do with a query; None when cosines tell only an order."""

    def chunk_vectors(self, chunks: Sequence[Source]) -> Floats:
        """Return the unit vectors of chunks."""

    def query(self, text: str) -> Floats:
        """Return the unit vector of a query, zeros when the model knows none of its words."""


class BslEncoder:
    """The BSL model: the weighted sum of the vectors of what a chunk is called, says and belongs to."""

    batch = 500
    least_cosine = 0.2

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
        model = self._model
        texts = [metadata_words(one.text) if one.metadata else code_words(one) for one in chunks]
        parts = model.vectors(model.pieces(words) for each in texts for words in each)
        shaped = parts.reshape(len(chunks), len(WEIGHTS), model.dimensions)
        return unit(np.einsum("cpd,p->cd", shaped, np.array(WEIGHTS, np.float32)))

    def query(self, text: str) -> Floats:
        """Return the unit vector of a query."""
        return self._model.query(text)


class OtherEncoder:
    """A model of sentence-transformers: the sum of the vectors of a passage and of what the chunk is called."""

    batch = 32
    # general models give two unrelated texts .7 or -.1, each its own
    least_cosine = None

    def __init__(self, name: str, model: SentenceEncoder) -> None:
        self.identity = encoder_stamp(name)
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


def open_encoder(name: str) -> Encoder:
    """Return the encoder of a name: SHIPPED, a published model or a folder; raises ModelError."""
    return OtherEncoder(name, load_sentence_encoder(name)) if name else BslEncoder(load_model())


def encoder_stamp(name: str) -> str:
    """Return what changes with the vectors that an encoder makes, without loading it; raises ModelError."""
    return f"{PASSAGES_VERSION} {model_key(name)}" if name else f"{VECTORS_VERSION} {model_stamp()}"


def encoder_title(name: str) -> str:
    """Return what an encoder is called in an answer: never a path."""
    return f"the model {shown_name(name)}" if name else "the shipped model"


def code_words(chunk: Source) -> tuple[Sequence[str], ...]:
    """Return the words of a chunk of code that each have a vector of their own, in the order of WEIGHTS."""
    words, notes = names.code_and_notes(chunk.code)
    body = [word for word in words if word != chunk.name and not names.is_keyword(word)]
    called = [chunk.name] if chunk.name else []
    return body, called, names.words(chunk.doc), names.words(chunk.context), names.words(notes)


def metadata_words(text: str) -> tuple[Sequence[str], ...]:
    """Return the same of a metadata chunk: its rows are full name, own titles, titles of its object, types, comment."""
    full_name, own, owner, _, comment = _rows(text)
    name = full_name.rpartition(".")[2]
    return names.words(name), names.words(own[0]), names.words(comment), names.words(owner), ()


def title(chunk: Source) -> str:
    """Return what a chunk is called, in words."""
    return _rows(chunk.text)[1][0] if chunk.metadata else _in_words(chunk.name)


def passage(chunk: Source) -> str:
    """Return a chunk as a text for general models: what tells most of it first, because the end may be cut off.

    That is its name, the comment above it and what it belongs to, then its signature and body; identifiers are
    taken apart, because such models know the words of a language but not our names.
    """
    if chunk.metadata:
        full_name, own, owner, types, comment = _rows(chunk.text)
        parts = [TITLE_SEPARATOR.join(own), owner, _in_words(full_name), comment, types]
    else:
        parts = [_in_words(chunk.name), chunk.doc, ", ".join(filter(None, chunk.context.split("\n"))), _code(chunk)]
    return "\n".join(filter(None, parts))[: MAX_TOKENS * _TOKEN_CHARS]


def _rows(text: str) -> tuple[str, list[str], str, str, str]:
    full_name, own, owner, types, *comment = [*text.split("\n"), "", "", ""]
    return full_name, own.split(TITLE_SEPARATOR), owner, types, " ".join(comment).strip()


def _code(chunk: Source) -> str:
    return _in_words(" ".join(chunk.code[: MAX_TOKENS * _TOKEN_CHARS].split()))


def _in_words(text: str) -> str:
    return _IDENTIFIER.sub(lambda match: " ".join(names.split_identifier(match[0])), text)
