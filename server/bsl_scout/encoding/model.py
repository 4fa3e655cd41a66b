"""The BSL model at run time: texts to vectors with numpy and tokenizers alone.

A model is a folder that `SentenceTransformer(path)` opens too (modules.json, one StaticEmbedding module): the vector
of a text is the mean of the rows of its pieces. The rows are float16 because StaticEmbedding takes its weights as
they are and cannot scale int8 ones.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bsl_scout.bsl.names import words
from bsl_scout.bsl.text import bytes_hash

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Floats = npt.NDArray[np.float32]

SHIPPED = Path(__file__).with_name("bsl_model")
# the names of sentence-transformers' StaticEmbedding
_MODULE_TYPE = "sentence_transformers.models.StaticEmbedding"
_MODULE = "0_StaticEmbedding"
_WEIGHTS, _TOKENIZER, _TENSOR = "model.safetensors", "tokenizer.json", "embedding.weight"
_MAX_PIECES = 256
_FEW_PIECES, _LETTERS_PER_PIECE = 2, 1.6
_HEADER = struct.Struct("<Q")


class ModelError(Exception):
    """A model's folder cannot be read; the text is one line for the user and names no path."""


class BslModel:
    """A static embedding; `digest` tells two models apart."""

    def __init__(self, tokenizer: Tokenizer, rows: Floats, digest: bytes = b"") -> None:
        self._tokenizer = tokenizer
        self._rows = rows
        self.digest = digest
        self._known: dict[str, tuple[int, ...]] = {}

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._rows.shape[1])

    @property
    def rows(self) -> Floats:
        """The row of each piece."""
        return self._rows

    def with_rows(self, rows: Floats) -> BslModel:
        """Return a model of the same pieces with other rows; its digest is empty."""
        return BslModel(self._tokenizer, rows)

    def save(self, folder: Path) -> bytes:
        """Write the model as a folder and return its digest; raises OSError."""
        return save_model(folder, self._tokenizer, self._rows)

    def pieces(self, of_words: Sequence[str]) -> list[int]:
        """Return the pieces of words in order, at most 256. Learned word by word: code repeats its words."""
        known = self._known
        try:
            found = list(chain.from_iterable([known[word] for word in of_words]))
        except KeyError:
            new = [word for word in dict.fromkeys(of_words) if word not in known]
            for word, encoding in zip(
                new, self._tokenizer.encode_batch_fast(new, add_special_tokens=False), strict=True
            ):
                known[word] = tuple(encoding.ids)
            found = list(chain.from_iterable([known[word] for word in of_words]))
        return found[:_MAX_PIECES]

    def forget(self) -> None:
        """Drop what was learned of words; after many chunks it takes tens of megabytes."""
        self._known.clear()

    def vectors(self, texts: Iterable[Sequence[int]]) -> Floats:
        """Return the unit vectors of texts given as their pieces, zeros for a text without any."""
        bags = list(texts)
        sums = np.zeros((len(bags), self.dimensions), np.float32)
        for text, pieces in enumerate(bags):
            if pieces:
                # text by text: one reduceat over all of them takes several times as long
                sums[text] = self._rows[pieces].sum(axis=0)
        return unit(sums)

    def query(self, text: str) -> Floats:
        """Return the unit vector of a query, zeros when the model knows none of its words."""
        found: Floats = self.vectors([self.pieces([word for word in words(text) if self.knows(word)])])[0]
        return found

    def knows(self, word: str) -> bool:
        """Return whether a word of a query takes part in its vector.

        One that falls apart into letters was never seen in training: the mean of its letters says nothing.
        """
        own = self.pieces([word])
        return len(own) <= _FEW_PIECES or len(word) >= len(own) * _LETTERS_PER_PIECE


def unit(vectors: Floats) -> Floats:
    """Return the vectors at length 1; zeros stay zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    found: Floats = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)
    return found


def model_stamp(folder: Path | None = None) -> str:
    """Return what changes whenever a model's folder is written, without reading it; raises ModelError."""
    path = (folder or SHIPPED) / _MODULE
    try:
        stats = [(path / name).stat() for name in (_WEIGHTS, _TOKENIZER)]
    except OSError as error:
        raise ModelError(f"the BSL model cannot be read: {error.strerror or type(error).__name__}") from error
    return " ".join(f"{stat.st_size} {stat.st_mtime_ns}" for stat in stats)


def load_model(folder: Path | None = None) -> BslModel:
    """Return the model of a folder, the shipped one without it, loaded once per process; raises ModelError."""
    return _load(folder or SHIPPED, model_stamp(folder))


@lru_cache(maxsize=2)
def _load(folder: Path, stamp: str) -> BslModel:
    # a server answers `initialize` before it needs this library
    from tokenizers import Tokenizer

    try:
        modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
        path = folder / str(modules[0]["path"])
        weights = (path / _WEIGHTS).read_bytes()
        tokenizer_bytes = (path / _TOKENIZER).read_bytes()
        tokenizer = Tokenizer.from_buffer(tokenizer_bytes)
        rows = _tensor(weights)
    except OSError as error:
        raise ModelError(f"the BSL model cannot be read: {error.strerror or type(error).__name__}") from error
    except (ValueError, KeyError, IndexError, TypeError, struct.error) as error:
        raise ModelError(f"the BSL model is damaged ({type(error).__name__})") from error
    if tokenizer.get_vocab_size() != len(rows):
        raise ModelError("the BSL model is damaged: its rows do not fit its tokenizer")
    return BslModel(tokenizer, rows, bytes_hash(weights, tokenizer_bytes))


def _tensor(data: bytes) -> Floats:
    """Return the one tensor of a safetensors file (length of the header, header as JSON, values)."""
    (size,) = _HEADER.unpack_from(data)
    told = json.loads(data[_HEADER.size : _HEADER.size + size])[_TENSOR]
    kind = {"F16": "<f2", "F32": "<f4"}[told["dtype"]]
    first, end = told["data_offsets"]
    start = _HEADER.size + size
    rows: Floats = np.frombuffer(data[start + first : start + end], kind).reshape(told["shape"]).astype(np.float32)
    return rows


def save_model(folder: Path, tokenizer: Tokenizer, rows: Floats) -> bytes:
    """Write a model's folder and return the digest that it will have when loaded; raises OSError."""
    path = folder / _MODULE
    path.mkdir(parents=True, exist_ok=True)
    modules = [{"idx": 0, "name": "0", "path": _MODULE, "type": _MODULE_TYPE}]
    (folder / "modules.json").write_text(json.dumps(modules, indent=1), encoding="utf-8")
    settings: dict[str, object] = {"prompts": {}, "default_prompt_name": None, "similarity_fn_name": "cosine"}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(settings, indent=1), encoding="utf-8")
    pieces = tokenizer.to_str().encode()
    (path / _TOKENIZER).write_bytes(pieces)
    values = rows.astype("<f2").tobytes()
    told = {_TENSOR: {"dtype": "F16", "shape": list(rows.shape), "data_offsets": [0, len(values)]}}
    header = json.dumps(told, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    weights = _HEADER.pack(len(header)) + header + values
    (path / _WEIGHTS).write_bytes(weights)
    return bytes_hash(weights, pieces)
