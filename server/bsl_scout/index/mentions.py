"""Which chunks of code hold a name: the postings of search are an index of every word of the code."""

from __future__ import annotations

import json

from bsl_scout.bsl.names import stem
from bsl_scout.bsl.parser import Call
from bsl_scout.bsl.text import fold

from .catalog import Catalog
from .lexical import FIELD_BITS
from .schema import CODE, ChunkRow


def chunks_with(catalog: Catalog, name: str, most: int) -> tuple[list[tuple[ChunkRow, list[Call]]], int]:
    """Return the chunks of code that hold a name, with the calls of it, and how many chunks above `most` are left out.

    Lines of the calls are relative to the chunk's `line`. A name in a text or in another spelling is found too; one
    in capitals or in small letters alone is known by its stem.
    """
    wanted = fold(name)
    ids: set[int] = set()
    for term in {wanted, stem(wanted)}:
        number = catalog.term_id(term)
        block = None if number is None else catalog.block(number)
        if block:
            ids.update((block[0] >> FIELD_BITS).tolist())
    # what was written since the last merge is in no posting yet
    fresh = catalog.rows("SELECT chunk FROM forward WHERE chunk > ?", catalog.number("base_max"))
    ids.update(chunk for (chunk,) in fresh)
    rows = catalog.rows(
        "SELECT chunk, calls FROM forward WHERE collection = ? AND chunk IN (SELECT value FROM json_each(?)) "
        "ORDER BY chunk",
        CODE,
        json.dumps(sorted(ids)),
    )
    kept = rows[:most]
    chunks = catalog.chunks([chunk for chunk, _ in kept])
    found = []
    spellings = {name}
    others: set[str] = set()
    for chunk, calls in kept:
        if chunk in chunks:
            parsed = json.loads(calls)
            for called in {call[0] for call in parsed} - spellings - others:
                (spellings if fold(called) == wanted else others).add(called)
            found.append((chunks[chunk], [Call(*call) for call in parsed if call[0] in spellings]))
    return found, len(rows) - len(kept)
