"""Whether what a catalog holds can be what was written: asked when reading it fails in a way code does not explain.

SQLite keeps no checksums. It finds damaged pages, not wrong bytes inside a stored value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from .catalog import Catalog, CatalogUnavailableError, DamagedCatalogError
from .catalog_file import damage_told
from .lexical import FIELD_BITS, FIELDS
from .merge import base_documents
from .packing import unpack
from .schema import split_block

_STRIDE = np.dtype("<u4").itemsize + np.dtype("<u2").itemsize
# what reading wrong values ends in
_TELLING = (ArithmeticError, AssertionError, LookupError, MemoryError, TypeError, ValueError)


@contextmanager
def damage_found(catalog: Catalog) -> Iterator[None]:
    """Run the block; an error in it that damage may explain becomes DamagedCatalogError when there is damage."""
    try:
        yield
    except _TELLING as error:
        reason = damage_of(catalog)
        if reason is None:
            raise
        raise DamagedCatalogError(reason) from error


def damage_of(catalog: Catalog) -> str | None:
    """Return what is wrong with the stored values in words, None when nothing is; reads all of them."""
    try:
        with damage_told():
            (told,) = catalog.rows("PRAGMA integrity_check(1)")[0]
            if told != "ok":
                return str(told).split("\n")[0]
            return _wrong_values(catalog)
    except DamagedCatalogError as error:
        return str(error)
    except CatalogUnavailableError:
        # nothing is known about it
        return None
    except (ValueError, TypeError, IndexError) as error:
        return f"a stored value is damaged ({type(error).__name__})"


def _wrong_values(catalog: Catalog) -> str | None:
    last_chunk, last_term = catalog.last_ids()
    if catalog.overgrown(times=4):
        return "the last number of a chunk is damaged"
    for terms, calls, text, lengths in catalog.rows("SELECT terms, calls, text, lengths FROM forward"):
        if len(terms) % _STRIDE or len(lengths) != 4 * len(FIELDS) or _highest(terms) >> FIELD_BITS > last_term:
            return "the words of a chunk are damaged"
        json.loads(calls)
        unpack(text)
    for (block,) in catalog.rows("SELECT block FROM postings"):
        if len(block) % _STRIDE or _highest(block) >> FIELD_BITS > last_chunk:
            return "the places of a word are damaged"
    ids, lengths, collections = base_documents(catalog)
    if not len(ids) == len(lengths) == len(collections) or (len(ids) and int(ids.max()) > last_chunk):
        return "the list of chunks is damaged"
    sizes = catalog.rows("SELECT length(vector) FROM vectors UNION SELECT length(vector) FROM gone_vectors")
    return "vectors are damaged" if len(sizes) > 1 else None


def _highest(block: bytes) -> int:
    return int(split_block(block)[0].max(initial=0))
