"""Chroma as a vector store: the only module that knows chromadb, which is imported when a collection is opened."""

from __future__ import annotations

import http.client
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from bsl_scout.encoding.extras import not_installed

from .lexical import Ints
from .vectors import Floats, VectorsUnavailableError

# vectors of unit length: 1 - inner product, without the normalising that `cosine` would repeat for each.
# ef_search: at the default of 100 some 7 % of the nearest 50 are missed, to save a millisecond (docs/adr/0010)
# sync_threshold stays at its default: a large one never writes the graph to disk and builds it anew at each start
_CONFIGURATION: dict[str, Any] = {"hnsw": {"space": "ip", "ef_search": 800}}
_BATCH = 2_000
_CONNECT_SECONDS, _ANSWER_SECONDS = 3.0, 30.0
# what a server answers when a collection is gone, and when it cannot load the graph of one (chroma#7090)
_LOST = ("NotFoundError", "InternalError")
_SERVER = "the Chroma server of bslScout.vectors.chromaUrl"


class DamagedChromaError(Exception):
    """A collection is gone or cannot be used; it is made anew from the catalog."""


class ChromaVectors:
    """The vectors of one collection by chunk number; scores are cosines, found in an HNSW graph: nearly exact.

    Methods raise VectorsUnavailableError when a server cannot be asked, DamagedChromaError when it or the embedded
    store has lost the collection or cannot read it.
    """

    def __init__(self, client: Any, collection: Any, remote: bool) -> None:
        self._client = client
        self._collection = collection
        self._remote = remote

    def __len__(self) -> int:
        with _told(self._remote):
            return int(self._collection.count())

    @property
    def chunks(self) -> Ints:
        """The chunks that have a vector, ascending."""
        with _told(self._remote):
            ids = self._collection.get(include=[])["ids"]
        return np.sort(np.array(ids, dtype=np.int64))

    def upsert(self, chunks: Sequence[int], vectors: Floats) -> None:
        """Insert vectors, or replace those of chunks that have one."""
        for start in range(0, len(chunks), _BATCH):
            ids = [str(chunk) for chunk in chunks[start : start + _BATCH]]
            with _told(self._remote):
                self._collection.upsert(ids=ids, embeddings=vectors[start : start + _BATCH])

    def delete(self, chunks: Iterable[int]) -> None:
        """Remove the vectors of chunks; those without one are left aside."""
        ids = [str(chunk) for chunk in chunks]
        for start in range(0, len(ids), _BATCH):
            with _told(self._remote):
                self._collection.delete(ids=ids[start : start + _BATCH])

    def query(self, vector: Floats, top: int, among: Ints | None = None) -> tuple[Ints, Floats]:
        """Return the nearest chunks with their cosines, best first, equal ones by number."""
        chosen: dict[str, Any] = {}
        with _told(self._remote):
            if among is not None:
                # a question among ids that the collection does not hold fails
                listed = [str(chunk) for chunk in among.tolist()]
                chosen["ids"] = self._collection.get(ids=listed, include=[])["ids"] if listed else []
                if not chosen["ids"]:
                    return np.zeros(0, np.int64), np.zeros(0, np.float32)
            found = self._collection.query(
                query_embeddings=vector[None, :], n_results=top, include=["distances"], **chosen
            )
        chunks = np.array(found["ids"][0], dtype=np.int64)
        scores = 1 - np.array(found["distances"][0], dtype=np.float32)
        order = np.lexsort((chunks, -scores))
        return chunks[order], scores[order]

    def drop(self) -> None:
        """Remove the collection with all its vectors."""
        with _told(self._remote):
            self._client.delete_collection(self._collection.name)

    def close(self) -> None:
        """Release the files or the connection."""
        with _told(self._remote):
            self._client.close()


def open_embedded(folder: Path, name: str) -> ChromaVectors:
    """Return the collection of a folder, made when it is not there; one process may have a folder open at a time.

    Raises VectorsUnavailableError without chromadb, DamagedChromaError for a folder that cannot be used.
    """
    chromadb = _library()
    with _told(remote=False):
        client = chromadb.PersistentClient(str(folder), settings=_settings(chromadb))
        collection = client.get_or_create_collection(name, configuration=_CONFIGURATION, embedding_function=None)
    return ChromaVectors(client, collection, remote=False)


def open_remote(url: str, name: str, create: bool) -> ChromaVectors | None:
    """Return a collection of a Chroma server, None when it is not there and not to be created.

    Raises VectorsUnavailableError: no chromadb, no such server, or one that does not answer.
    """
    chromadb = _library()
    host, port, ssl = _address(url)
    _knock(host, port, ssl)
    with _told(remote=True):
        client = chromadb.HttpClient(host, port, ssl, settings=_settings(chromadb))
        # chromadb waits for an answer for ever
        client._server._session.timeout = _ANSWER_SECONDS
        if not create:
            try:
                return ChromaVectors(client, client.get_collection(name, embedding_function=None), remote=True)
            except chromadb.errors.NotFoundError:
                client.close()
                return None
        collection = client.get_or_create_collection(name, configuration=_CONFIGURATION, embedding_function=None)
    return ChromaVectors(client, collection, remote=True)


def _library() -> Any:
    try:
        import chromadb
    except ImportError as error:
        raise VectorsUnavailableError(not_installed("chromadb", "chroma")) from error
    return chromadb


def _settings(chromadb: Any) -> Any:
    return chromadb.config.Settings(anonymized_telemetry=False)


def _address(url: str) -> tuple[str, int, bool]:
    wrong = VectorsUnavailableError("bslScout.vectors.chromaUrl is no address such as http://host:8000")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise wrong from error
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise wrong
    return parts.hostname, port or (443 if parts.scheme == "https" else 8000), parts.scheme == "https"


def _knock(host: str, port: int, ssl: bool) -> None:
    """Ask a server whether it is there; the client of chromadb itself would wait without end."""
    kind = http.client.HTTPSConnection if ssl else http.client.HTTPConnection
    connection = kind(host, port, timeout=_CONNECT_SECONDS)
    try:
        connection.request("GET", "/api/v2/heartbeat")
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise VectorsUnavailableError(f"{_SERVER} does not answer ({type(error).__name__})") from error
    finally:
        connection.close()
    if status != http.client.OK:
        raise VectorsUnavailableError(f"{_SERVER} answers {status}: it is no Chroma server, or wants a login")


@contextmanager
def _told(remote: bool) -> Iterator[None]:
    """Turn what chromadb raises into our errors; its texts may name paths and hosts."""
    try:
        yield
    except BaseException as error:
        # errors of all kinds come out of chromadb, and a panic of its Rust side is not even an Exception
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        if remote and type(error).__name__ not in _LOST:
            raise VectorsUnavailableError(f"{_SERVER} failed ({type(error).__name__})") from error
        raise DamagedChromaError(f"Chroma failed ({type(error).__name__})") from error
