"""Finds the procedures nearest in meaning to one of the index, by the vectors that both have already."""

from __future__ import annotations

import time

import numpy as np

from bsl_scout.bsl import names
from bsl_scout.index.candidates import read_candidates
from bsl_scout.index.schema import ChunkRow
from bsl_scout.index.vectors import VectorsUnavailableError

from .hits import CODE_KINDS, build_hits, by_score, leg_ranks
from .search import Answer, Searcher

# parts and copies of one procedure fold into one hit, and metadata among the nearest is left out
_CANDIDATES = 20
# of 20,000 pairs of chunks of SSL taken by chance one in a thousand is nearer than this
_CONVINCING = 0.65


def find_similar(searcher: Searcher, row: ChunkRow, top: int = 10) -> Answer:
    """Return the procedures nearest to one, itself and its exact copies left out; raises VectorsUnavailableError."""
    started = time.perf_counter()
    catalog = searcher.catalog
    with catalog.reading():
        # a long procedure has a vector for each of its parts
        parts = catalog.chunk_rows(
            "SELECT c.id, c.part FROM chunks c JOIN files f ON f.id = c.file "
            "WHERE f.path = ? AND (c.key = ? OR c.key LIKE ?)",
            row.path, row.key, f"{row.key}/%",
        )  # fmt: skip
        vectors = searcher.vectors_of([chunk for chunk, _ in sorted(parts, key=lambda part: part[1])])
        if not vectors:
            raise VectorsUnavailableError("no vectors yet")
        vector = np.stack(vectors).mean(axis=0)
        chunks, near = searcher.nearest(vector / (np.linalg.norm(vector) or 1.0), top * _CANDIDATES)
        cosines = near.astype(np.float64)
        candidates = {
            chunk: one
            for chunk, one in read_candidates(catalog, chunks.tolist()).items()
            if one.kind in CODE_KINDS and one.name and one.hash != row.hash and one.whole != (row.path, row.key)
        }
        order = by_score(chunks, cosines, candidates)
        scores = dict(zip(chunks.tolist(), cosines.tolist(), strict=True))
        ranks = leg_ranks({"vector": order}, candidates)
        # the line to show is the one that shares most words with the procedure's name
        hits = build_hits(catalog, candidates, order, scores, ranks, names.text_terms(row.name), top, {})
    elapsed = (time.perf_counter() - started) * 1000
    convincing = bool(hits) and hits[0].score >= _CONVINCING
    return Answer(row.name, "vector", ("vector",), convincing, round(elapsed, 3), hits)
