"""The vectors of one index in Chroma: a copy of those in the catalog, never the only one."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .catalog import FILE_NAME, Catalog, CatalogUnavailableError, DamagedCatalogError
from .chroma import ChromaVectors, DamagedChromaError, open_embedded, open_remote
from .chroma_folder import ChromaFolder, Record
from .lexical import Ints
from .vectors import (
    EPOCH,
    LAST,
    ExactVectors,
    Floats,
    VectorQuery,
    VectorStore,
    VectorsUnavailableError,
    living,
    unpacked,
)

# what is newer than the collection is scanned beside it, up to this share of it; then the collection is brought up
_SHARE, _FEW = 0.1, 2_000
_BATCH = 2_000
# vectors that an opened collection is asked for, and the share of them that it has to find among its nearest
_PROBES, _NEAREST, _FOUND = 40, 5, 0.8
_PATIENCE_SECONDS = 1.0
_NAME = "bsl-scout"
_NO_VECTORS = "no vectors yet"

Progress = Callable[[int, int], None]
Rows = list[tuple[int, bytes]]


class _NoVectorsError(VectorsUnavailableError):
    """There is no catalog to copy from yet."""


@dataclass(slots=True)
class _Base:
    """A filled collection with what it was filled with, how many of its chunks are gone since, and what is newer.

    `newest` is the number up to which the newer ones are taken in.
    """

    store: ChromaVectors
    record: Record
    newer: ExactVectors
    newest: int
    gone: int = 0


class ChromaIndex:
    """Answers by meaning from a collection, and for what is newer than that from the catalog itself.

    Numbers of chunks only grow and a chunk keeps its vector, so a collection that was filled up to a number stays
    true: chunks that are gone are left out of answers, newer ones are scanned. So a save costs nothing here, and a
    collection on a server is never changed once it is filled: it is called after its content, and all whose
    catalogs hold the same share it. A collection that is damaged, of another epoch, or that the process died over
    is deleted and filled anew.

    `follow` and `nearest` may run in two threads.
    """

    def __init__(self, folder: Path, url: str = "") -> None:
        self._folder = folder
        self._url = url
        self._files = ChromaFolder(folder / "chroma", embedded=not url)
        self._base: _Base | None = None
        self._guard = threading.RLock()
        self.why_not = "the vectors are not in Chroma yet"

    # --- bringing the collection up

    def follow(self, progress: Progress | None = None, cancelled: Callable[[], bool] = lambda: False) -> bool:
        """Bring the collection up to the catalog when too much has changed; return whether it can be asked.

        What was copied until a cancel is kept. Raises VectorsUnavailableError.
        """
        try:
            self._files.take()
            try:
                return self._follow(progress, cancelled)
            except DamagedChromaError:
                self._wipe()
                # once more from nothing: what fails then is not the fault of what was there
                return self._follow(progress, cancelled)
        except _NoVectorsError:
            self.why_not = _NO_VECTORS
            return False
        except (DamagedChromaError, VectorsUnavailableError) as error:
            raise self._unavailable(str(error)) from error
        except OSError as error:
            raise self._unavailable(_unwritable(error)) from error

    def _follow(self, progress: Progress | None, cancelled: Callable[[], bool]) -> bool:
        with self._catalog() as catalog:
            epoch, last = catalog.number(EPOCH), catalog.number(LAST)
            rows = catalog.rows("SELECT length(vector) FROM vectors LIMIT 1")
            if not rows:
                self.why_not = _NO_VECTORS
                return False
            dimensions = int(rows[0][0])
            base = self._present(catalog, epoch, dimensions)
            if base:
                base.gone = base.record.count - _count(catalog, "chunk <= ?", base.record.last)
                changed = base.gone + _count(catalog, "chunk > ?", base.record.last)
                if changed <= max(_FEW, _SHARE * base.record.count):
                    return True
            vectors: Rows = catalog.rows("SELECT chunk, vector FROM vectors WHERE chunk <= ? ORDER BY chunk", last)
        self._fill(Record(epoch, self._url, self._name(epoch, vectors)), last, vectors, progress, cancelled)
        return self._base is not None

    def _present(self, catalog: Catalog, epoch: int, dimensions: int) -> _Base | None:
        """Return the collection at hand or that of an earlier process, None when it is not of this epoch or whole."""
        if self._base and self._base.record.epoch == epoch:
            return self._base
        record = self._files.read()
        if record is None or record.epoch != epoch or record.url != self._url:
            self._forget()
            return None
        if not record.last:
            return None
        with self._files.used():
            store = open_remote(self._url, record.name, False) if self._url else self._open(record.name)
            if store is None:
                return None
            whole = len(store) == record.count
            # this also reads the graph, which would take its time in front of a user
            right = whole and _finds_its_own(catalog, store, record)
            if not right:
                store.close()
        if not right:
            if whole:
                raise DamagedChromaError("the vectors in Chroma are not those of the index")
            # copying was interrupted, or vectors were lost: what is missing is copied
            return None
        with self._guard:
            self._base = _Base(store, record, ExactVectors(dimensions), record.last)
        return self._base

    def _fill(
        self, record: Record, last: int, rows: Rows, progress: Progress | None, cancelled: Callable[[], bool]
    ) -> None:
        """Make a collection hold these vectors; one of the same name holds some of them already, or others too."""
        before = self._base
        if before is None:
            self.why_not = "the vectors are being copied to Chroma"
            self._files.write(record)
        with self._files.used():
            store = before.store if before and not self._url else self._open(record.name)
            present = store.chunks
        wanted = np.array([row[0] for row in rows], dtype=np.int64)
        if not self._url:
            with self._files.used():
                store.delete(np.setdiff1d(present, wanted).tolist())
        missing = np.flatnonzero(~np.isin(wanted, present))
        dimensions = len(rows[0][1])
        for start in range(0, len(missing), _BATCH):
            if cancelled():
                return
            batch = [rows[i] for i in missing[start : start + _BATCH]]
            with self._files.used():
                _add(store, batch)
            if progress:
                progress(start + len(batch), len(missing))
        with self._files.used():
            record = replace(record, last=last, count=len(store))
        self._files.write(record)
        with self._guard:
            self._base = _Base(store, record, ExactVectors(dimensions), last)
        if before and before.store is not store:
            before.store.close()

    def _name(self, epoch: int, rows: Rows) -> str:
        """Return what the collection is called: on a server after its content, whose it is stands nowhere.

        An embedded one is a folder, each time another: chromadb keeps files open that were deleted.
        """
        if not self._url:
            record = self._files.read()
            return record.name if record and record.epoch == epoch else self._files.new_store()
        digest = blake2b(np.array([row[0] for row in rows], "<i8").tobytes(), digest_size=16)
        for _, vector in rows:
            digest.update(vector)
        return f"{_NAME}-{digest.hexdigest()}"

    def _open(self, name: str) -> ChromaVectors:
        if not self._url:
            return open_embedded(self._files.store(name), _NAME)
        store = open_remote(self._url, name, True)
        assert store is not None
        return store

    # --- answering

    @property
    def ready(self) -> bool:
        """Whether there is a collection to ask, also while it is being brought up."""
        return self._base is not None

    def nearest(self, query: VectorQuery, alive: npt.NDArray[np.bool_] | None = None) -> tuple[Ints, Floats]:
        """Return the nearest chunks that the catalog holds with their cosines, best first, equal ones by number.

        With `alive` only those that are alive there too. Raises VectorsUnavailableError: then `follow` is to be called.
        """
        assert query.vector is not None
        with self._guard:
            base = self._base
            if base is None:
                raise VectorsUnavailableError(self.why_not)
            try:
                with self._catalog() as catalog:
                    if not query.epoch == base.record.epoch == catalog.number(EPOCH):
                        raise self._unavailable("vectors of another generation are being copied to Chroma")
                    found = self._merged(catalog, base, query, query.vector)
                    return found if alive is None else living(*found, alive)
            except DamagedChromaError as error:
                # it is opened again and, when that does not help, filled anew
                self._close_store()
                raise self._unavailable("the Chroma store failed and is being checked") from error
            except VectorsUnavailableError as error:
                raise self._unavailable(str(error)) from error
            except OSError as error:
                raise self._unavailable(_unwritable(error)) from error

    def _merged(self, catalog: Catalog, base: _Base, query: VectorQuery, vector: Floats) -> tuple[Ints, Floats]:
        candidates = query.among
        if candidates is None:
            with self._files.used():
                found, _ = base.store.query(vector, query.top + min(base.gone, query.top))
            _take_newer(catalog, base)
            # while an embedded collection is being brought up it holds more than the record says
            old = found[found <= base.record.last]
            candidates = np.concatenate((old, base.newer.query(vector, query.top)[0]))
        # what is answered is what the catalog holds, with its scores: Chroma only chooses
        rows = catalog.rows(
            "SELECT chunk, vector FROM vectors WHERE chunk IN (SELECT value FROM json_each(?))",
            json.dumps(candidates.tolist()),
        )
        chosen = ExactVectors(len(vector))
        _add(chosen, rows)
        return chosen.query(vector, query.top)

    @contextmanager
    def _catalog(self) -> Iterator[Catalog]:
        """Open the catalog for one question: it may have been made anew since the last one."""
        if not (self._folder / FILE_NAME).is_file():
            raise _NoVectorsError(_NO_VECTORS)
        try:
            with closing(Catalog(self._folder, _PATIENCE_SECONDS)) as catalog, catalog.reading():
                if catalog.version() is None:
                    raise _NoVectorsError(_NO_VECTORS)
                yield catalog
        except (CatalogUnavailableError, DamagedCatalogError) as error:
            raise VectorsUnavailableError(f"the index cannot be read now: {error}") from error

    def leave(self) -> None:
        """Note that the process ends now of its own accord, whatever is under way."""
        self._files.leave()

    def close(self) -> None:
        """Release the store."""
        with self._guard:
            self._close_store()
            self._files.release()

    def _close_store(self) -> None:
        base, self._base = self._base, None
        if base:
            # a damaged one may not even close
            with suppress(DamagedChromaError, VectorsUnavailableError):
                base.store.close()

    def _wipe(self) -> None:
        """Delete the collection: the files of an embedded store, or what a server cannot read any more."""
        record = self._files.read()
        self._forget()
        if self._url and record:
            store = open_remote(self._url, record.name, False)
            if store:
                store.drop()
                store.close()

    def _forget(self) -> None:
        """Let go of the collection: embedded files are deleted, on a server others may use it."""
        with self._guard:
            self._close_store()
            self._files.clear()

    def _unavailable(self, why: str) -> VectorsUnavailableError:
        self.why_not = why
        return VectorsUnavailableError(why)


def _finds_its_own(catalog: Catalog, store: ChromaVectors, record: Record) -> bool:
    """Return whether vectors of the catalog find themselves: a graph file cut in half opens and answers anything."""
    asked = found = 0
    for number in range(1, record.last + 1, max(1, record.last // _PROBES)):
        ((chunk, vector),) = catalog.rows(
            "SELECT chunk, vector FROM vectors WHERE chunk >= ? ORDER BY chunk LIMIT 1", number
        ) or [(0, b"")]
        if chunk <= record.last and any(vector):
            asked += 1
            nearest, _ = store.query(unpacked([vector], len(vector))[0], _NEAREST)
            # a copy of the procedure does as well
            same = "SELECT 1 FROM vectors WHERE vector = ? AND chunk IN (SELECT value FROM json_each(?)) LIMIT 1"
            found += len(catalog.rows(same, vector, json.dumps(nearest.tolist())))
    return found >= _FOUND * asked


def _add(store: VectorStore, rows: Sequence[tuple[Any, ...]]) -> None:
    """Put rows of the catalog into a store."""
    if rows:
        store.upsert([row[0] for row in rows], unpacked([row[1] for row in rows], len(rows[0][1])))


def _take_newer(catalog: Catalog, base: _Base) -> None:
    """Take in the vectors above those of the collection, and leave out those that are gone again."""
    last = catalog.number(LAST)
    if last > base.newest:
        rows = catalog.rows("SELECT chunk, vector FROM vectors WHERE chunk > ? ORDER BY chunk", base.newest)
        _add(base.newer, rows)
        living = catalog.rows("SELECT chunk FROM vectors WHERE chunk > ?", base.record.last)
        base.newer.delete(np.setdiff1d(base.newer.chunks, [row[0] for row in living]).tolist())
        base.newest = last


def _unwritable(error: OSError) -> str:
    return f"the Chroma store cannot be written: {error.strerror or type(error).__name__}"


def _count(catalog: Catalog, condition: str, chunk: int) -> int:
    return int(catalog.rows(f"SELECT count(*) FROM vectors WHERE {condition}", chunk)[0][0])
