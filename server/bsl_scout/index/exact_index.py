"""Answers by meaning from the vectors in the catalog itself, in the index worker: those of large encoders."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .catalog import FILE_NAME, Catalog, CatalogUnavailableError, DamagedCatalogError
from .lexical import Ints
from .vectors import EPOCH, Floats, StoredVectors, VectorQuery, VectorsUnavailableError

_PATIENCE_SECONDS = 1.0


class ExactIndex:
    """The vectors of one index, held in memory as long as they are asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._catalog: Catalog | None = None
        self._stored: StoredVectors | None = None
        self._epoch = self._generation = -1

    def nearest(self, query: VectorQuery) -> tuple[Ints, Floats]:
        """Return the nearest chunks with their cosines, best first, equal ones by number.

        Raises VectorsUnavailableError.
        """
        assert query.vector is not None
        try:
            catalog = self._open()
            with catalog.reading():
                same = catalog.number(EPOCH) == query.epoch
                stored = self._followed(catalog, query.epoch, len(query.vector)) if same else None
        except (CatalogUnavailableError, DamagedCatalogError) as error:
            self.close()
            raise VectorsUnavailableError(f"the index cannot be read now: {error}") from error
        if stored is None:
            # others answer since, or the file was made anew
            self.close()
            raise VectorsUnavailableError("the vectors are being exchanged")
        return stored.store.query(query.vector, query.top, query.among)

    def close(self) -> None:
        """Let go of the file and of the vectors."""
        if self._catalog:
            self._catalog.close()
        self._catalog = self._stored = None

    def _open(self) -> Catalog:
        if self._catalog is None:
            if not (self._folder / FILE_NAME).is_file():
                raise VectorsUnavailableError("no vectors yet")
            self._catalog = Catalog(self._folder, _PATIENCE_SECONDS)
        return self._catalog

    def _followed(self, catalog: Catalog, epoch: int, dimensions: int) -> StoredVectors:
        generation = catalog.number("generation")
        if self._stored is None or self._epoch != epoch:
            self._stored, self._epoch, self._generation = StoredVectors(catalog, dimensions), epoch, -1
        alive = np.ones(catalog.last_ids()[0] + 1, np.bool_)
        if generation != self._generation:
            # chunks may have gone since
            alive[:] = False
            alive[[row[0] for row in catalog.rows("SELECT id FROM chunks")]] = True
            self._generation = generation
        self._stored.follow(alive)
        return self._stored
