"""Models of sentence-transformers, by name or folder: texts to vectors, and pairs of texts to scores.

The only home of sentence-transformers and torch. To import them takes seconds and hundreds of megabytes, so it is
done when a model is loaded, in the worker or on the command line, never in the language server.
"""

from __future__ import annotations

import logging
import os
import re
import threading
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import numpy.typing as npt

from bsl_scout.bsl.text import bytes_hash

from .extras import not_installed
from .model import ModelError, unit

Floats = npt.NDArray[np.float32]
log = logging.getLogger(__name__)

# longer texts cost in proportion, and what tells a procedure stands first
MAX_TOKENS = 256
# between two of these a query may be answered while an index is embedded
_BATCH = 16
_TURN_SECONDS = 0.005
# the models of this family want to be told which text asks and which answers, mostly without a prompt in their
# configuration; those trained on instructions want other words, which only their configuration knows
_E5 = re.compile(r"(?:^|[-_/])e5(?:[-_.]|$)", re.IGNORECASE)
_INSTRUCTED = re.compile(r"instruct", re.IGNORECASE)
_E5_PROMPTS = ("query: ", "passage: ")
_PASSAGE_PROMPTS = ("document", "passage", "corpus")
# to learn that there is no network must not take minutes
_HUB_SECONDS = 10.0


def shown_name(name: str) -> str:
    """Return a model's name as it may be told to anyone: of a folder only its own name."""
    return PurePath(name.replace("\\", "/")).name if _is_path(name) else name


def model_key(name: str) -> str:
    """Return what changes with the files of a local model, and with the name of any other; nothing is loaded."""
    if not _is_path(name):
        return name
    folder = Path(name).expanduser()
    stats = []
    for path in sorted(folder.rglob("*")):
        try:
            stat = path.stat()
        except OSError:
            # gone meanwhile: the next look finds another key
            continue
        if path.is_file():
            stats.append(f"{path.relative_to(folder).as_posix()} {stat.st_size} {stat.st_mtime_ns}")
    return f"{folder.name} {bytes_hash(chr(10).join(stats).encode()).hex()}"


class SentenceEncoder:
    """A bi-encoder: the nearer two texts are in meaning, the larger the product of their vectors.

    Threads may share one; a query goes before the texts of an index.
    """

    def __init__(self, model: Any, prompts: tuple[str, str]) -> None:
        self.model = model
        self.prompts = prompts
        # the tokenizers library cannot be used by two threads at once
        self._lock = threading.Lock()
        self._queries = 0

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self.model.get_embedding_dimension())

    def passages(self, texts: Sequence[str]) -> Floats:
        """Return the unit vectors of texts to be found; each is cut at the model's limit of tokens."""
        found = np.zeros((len(texts), self.dimensions), np.float32)
        # texts of one length together: the shorter ones of a batch cost as much as its longest
        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        for start in range(0, len(order), _BATCH):
            while self._queries:
                time.sleep(_TURN_SECONDS)
            places = order[start : start + _BATCH]
            found[places] = self._vectors([texts[place] for place in places], self.prompts[1])
        return found

    def query(self, text: str) -> Floats:
        """Return the unit vector of a question."""
        self._queries += 1
        try:
            found: Floats = self._vectors([text], self.prompts[0])[0]
        finally:
            self._queries -= 1
        return found

    def _vectors(self, texts: Sequence[str], prompt: str) -> Floats:
        with self._lock:
            found = self.model.encode(
                list(texts), prompt=prompt, batch_size=_BATCH, show_progress_bar=False, convert_to_numpy=True
            )
        return unit(np.asarray(found, dtype=np.float32))


class Reranker:
    """A cross-encoder: how well a text answers a query, read together."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the score of each text, the higher the better; each pair is cut at the model's limit of tokens."""
        if not texts:
            return []
        pairs = [(query, text) for text in texts]
        found = self._model.predict(pairs, batch_size=_BATCH, show_progress_bar=False, convert_to_numpy=True)
        return [float(score) for score in np.asarray(found, dtype=np.float64)]


def load_sentence_encoder(name: str) -> SentenceEncoder:
    """Return a bi-encoder by name or folder, loaded once; raises ModelError."""
    return _load_encoder(name, model_key(name))


def load_reranker(name: str) -> Reranker:
    """Return a cross-encoder by name or folder, loaded once; raises ModelError."""
    return _load_reranker(name, model_key(name))


@lru_cache(maxsize=1)
def _load_encoder(name: str, key: str) -> SentenceEncoder:
    model = _load(name, "SentenceTransformer")
    _limit(model)
    return SentenceEncoder(model, _prompts(name, model))


@lru_cache(maxsize=1)
def _load_reranker(name: str, key: str) -> Reranker:
    model = _load(name, "CrossEncoder")
    if model.num_labels != 1:
        raise _unavailable(name, f"it gives {model.num_labels} scores for a pair of texts, not one")
    _limit(model)
    return Reranker(model)


def _limit(model: Any) -> None:
    # a model without a transformer has no limit and takes none
    if model.transformers_model is not None and (model.max_seq_length or MAX_TOKENS + 1) > MAX_TOKENS:
        model.max_seq_length = MAX_TOKENS


def _prompts(name: str, model: Any) -> tuple[str, str]:
    """Return what the model wants before a query and before a passage: its own prompts, or those of its family."""
    own = dict(model.prompts)
    query = own.get("query") or ""
    passage = next((own[kind] for kind in _PASSAGE_PROMPTS if own.get(kind)), "")
    if query or passage:
        return query, passage
    own_name = shown_name(name)
    return _E5_PROMPTS if _E5.search(own_name) and not _INSTRUCTED.search(own_name) else ("", "")


def _load(name: str, kind: str) -> Any:
    """Return a model of the library, from the disk when it is there; raises ModelError, which names no path."""
    if _is_path(name) and not Path(name).expanduser().is_dir():
        raise _unavailable(name, "there is no such folder")
    try:
        import huggingface_hub
        import sentence_transformers
        import transformers
    except ImportError as error:
        raise _unavailable(name, not_installed(str(error.name), "models")) from error
    # progress and advice of the libraries is not for the user
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    huggingface_hub.logging.set_verbosity_error()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    make = getattr(sentence_transformers, kind)
    if _is_path(name):
        try:
            model = make(str(Path(name).expanduser()), device="cpu", local_files_only=True)
        except Exception as error:  # the libraries raise whatever they please, with the path in the text
            reason = f"the folder holds no model that can be read ({type(error).__name__})"
            raise _unavailable(name, reason) from error
    else:
        model = _published(name, make, huggingface_hub)
    # half precision is slower on a processor
    return model.float().eval()


def _published(name: str, make: Any, hub: Any) -> Any:
    """Return a published model: what was downloaded once needs no network, and asks for none."""
    try:
        return make(name, device="cpu", local_files_only=True)
    except Exception as error:  # noqa: BLE001 - whatever an absent or damaged copy raises, to download it is the answer
        log.info("a model is not in the cache: %s", type(error).__name__)
    try:
        hub.HfApi().model_info(name, timeout=_HUB_SECONDS)
    except hub.errors.RepositoryNotFoundError as error:
        raise _unavailable(name, "there is no folder and no published model of this name") from error
    except Exception as error:  # the name is wrong, or any kind of network trouble
        reason = f"it was not downloaded before and cannot be now ({type(error).__name__})"
        raise _unavailable(name, reason) from error
    try:
        return make(name, device="cpu")
    except Exception as error:  # the libraries raise whatever they please, with paths of the cache in the text
        raise _unavailable(name, f"it cannot be downloaded or read ({type(error).__name__})") from error


def _unavailable(name: str, reason: str) -> ModelError:
    return ModelError(f"the model {shown_name(name)} cannot be used: {reason}")


def _is_path(name: str) -> bool:
    """Return whether a name means a folder: it is one, or cannot be the name of a published model."""
    return name.startswith(("~", ".", "/")) or "\\" in name or name.count("/") > 1 or Path(name).is_dir()
