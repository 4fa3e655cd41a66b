"""Folds the delta and the removed chunks into the base postings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from .catalog import Catalog
from .lexical import FIELD_BITS, FIELD_MASK, FIELDS
from .schema import split_block

# id, terms, lengths and collection of a chunk
ForwardRow = tuple[int, bytes, bytes, int]


def merge(catalog: Catalog) -> None:
    """Fold delta and dead into the base, in one transaction of the caller's."""
    base_max = catalog.number("base_max")
    delta = catalog.forward_above(base_max)
    dead = catalog.dead()
    last_chunk, last_term = catalog.last_ids()
    terms, packed, counts = gather(delta)
    gone = np.array([chunk for chunk, _ in dead], dtype=np.uint32)
    touched = _terms_of(dead)
    catalog.put_blocks(_blocks(catalog, terms, packed, counts, gone, touched, fresh=base_max == 0))
    _store_documents(catalog, delta, gone)
    frequencies = adjusted(base_frequencies(catalog), last_term, (terms, packed), dead)
    catalog.set_meta("base_frequencies", frequencies.astype("<u4").tobytes())
    catalog.clear_dead()
    catalog.set_meta("base_max", last_chunk)
    catalog.set_meta("base_generation", catalog.number("base_generation") + 1)


def gather(
    rows: list[ForwardRow],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
    """Return the postings of forward rows as terms, packed documents and counts, by term, then document."""
    terms, packed, counts = _joined([(row[0], row[1]) for row in rows])
    # documents ascend and one document's codes do too, so a stable sort by term keeps both orders
    order = np.argsort(terms, kind="stable")
    return terms[order], packed[order], counts[order]


def _joined(
    rows: Sequence[tuple[int, bytes]],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
    """Return terms, packed documents and counts of forward blocks, one after the other."""
    if not rows:
        return np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.zeros(0, np.uint16)
    parts = [split_block(block) for _, block in rows]
    codes = np.concatenate([part[0] for part in parts])
    counts = np.concatenate([part[1] for part in parts])
    documents = np.repeat(np.array([chunk for chunk, _ in rows], np.uint32), [len(part[0]) for part in parts])
    return codes >> np.uint32(FIELD_BITS), documents << np.uint32(FIELD_BITS) | (codes & np.uint32(FIELD_MASK)), counts


def _terms_of(dead: list[tuple[int, bytes]]) -> set[int]:
    terms: set[int] = set()
    for _, block in dead:
        terms.update((split_block(block)[0] >> FIELD_BITS).tolist())
    return terms


def _blocks(
    catalog: Catalog,
    terms: npt.NDArray[np.uint32],
    packed: npt.NDArray[np.uint32],
    counts: npt.NDArray[np.uint16],
    gone: npt.NDArray[np.uint32],
    touched: set[int],
    fresh: bool,
) -> Iterator[tuple[int, bytes]]:
    unique, first = np.unique(terms, return_index=True)
    bounds = [*first.tolist(), len(terms)]
    slices = {term: (bounds[i], bounds[i + 1]) for i, term in enumerate(unique.tolist())}
    for term in sorted(touched.union(slices)):
        start, end = slices.get(term, (0, 0))
        old = None if fresh else catalog.block(term)
        documents, numbers = packed[start:end], counts[start:end]
        if old:
            keep = ~np.isin(old[0] >> FIELD_BITS, gone)
            documents = np.concatenate([old[0][keep], documents])
            numbers = np.concatenate([old[1][keep], numbers])
        yield term, documents.astype("<u4").tobytes() + numbers.astype("<u2").tobytes()


def base_documents(
    catalog: Catalog,
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
    """Return of the base chunks the ids as (n,), the lengths in words as (n, fields), the collections as (n,)."""
    ids, lengths, collections = (catalog.meta(f"base_{name}") for name in ("ids", "lengths", "collections"))
    if not isinstance(ids, bytes) or not isinstance(lengths, bytes) or not isinstance(collections, bytes):
        return np.zeros(0, np.uint32), np.zeros((0, len(FIELDS)), np.uint32), np.zeros(0, np.uint8)
    rows = np.frombuffer(lengths, "<u4").reshape(-1, len(FIELDS))
    return np.frombuffer(ids, "<u4"), rows, np.frombuffer(collections, np.uint8)


def _store_documents(catalog: Catalog, delta: list[ForwardRow], gone: npt.NDArray[np.uint32]) -> None:
    ids, lengths, collections = base_documents(catalog)
    keep = ~np.isin(ids, gone)
    new_ids = np.array([row[0] for row in delta], dtype=np.uint32)
    new_lengths = np.frombuffer(b"".join(row[2] for row in delta), "<u4").reshape(-1, len(FIELDS))
    new_collections = np.array([row[3] for row in delta], dtype=np.uint8)
    catalog.set_meta("base_collections", np.concatenate([collections[keep], new_collections]).tobytes())
    catalog.set_meta("base_ids", np.concatenate([ids[keep], new_ids]).astype("<u4").tobytes())
    catalog.set_meta("base_lengths", np.concatenate([lengths[keep], new_lengths]).astype("<u4").tobytes())


def base_frequencies(catalog: Catalog) -> npt.NDArray[np.int64]:
    """Return the document frequency of each term in the base, by term number."""
    stored = catalog.meta("base_frequencies")
    return np.frombuffer(stored, "<u4").astype(np.int64) if isinstance(stored, bytes) else np.zeros(1, np.int64)


def adjusted(
    base: npt.NDArray[np.int64],
    last_term: int,
    added: tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]],
    dead: Sequence[tuple[int, bytes]],
) -> npt.NDArray[np.int64]:
    """Return the document frequencies after adding postings (terms and packed documents) and removing dead chunks."""
    frequencies = np.zeros(max(last_term + 1, len(base)), np.int64)
    frequencies[: len(base)] = base
    frequencies += _documents_of_terms(*added, len(frequencies))
    return frequencies - _documents_of_terms(*_joined(dead)[:2], len(frequencies))


def _documents_of_terms(
    terms: npt.NDArray[np.uint32], packed: npt.NDArray[np.uint32], size: int
) -> npt.NDArray[np.int64]:
    """Return in how many documents each term is; postings for several fields of a document follow each other."""
    documents = packed >> FIELD_BITS
    first = np.ones(len(terms), np.bool_)
    first[1:] = (terms[1:] != terms[:-1]) | (documents[1:] != documents[:-1])
    return np.bincount(terms[first], minlength=size)
