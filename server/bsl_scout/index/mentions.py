"""Which chunks of code hold a name: the postings of search are an index of every word of the code."""

from __future__ import annotations

import json

from bsl_scout.bsl.names import stem
from bsl_scout.bsl.parser import Call
from bsl_scout.bsl.text import fold

from .catalog import Catalog
from .lexical import FIELD_BITS
from .schema import CODE, ChunkRow

_OF_MODULE = "SELECT c.id FROM chunks c JOIN files f ON f.id = c.file WHERE f.path = ?"
_CALLS = "SELECT chunk, calls FROM forward WHERE collection = ? AND chunk IN (SELECT value FROM json_each(?))"
_LATER_PARTS = "SELECT id FROM chunks WHERE part > 0 AND id IN (SELECT value FROM json_each(?))"
Mentions = list[tuple[ChunkRow, list[Call]]]


def chunks_with(catalog: Catalog, name: str, path: str, beside: str | None, most: int) -> tuple[Mentions, int]:
    """Return the chunks of code that hold a name, with the calls of it, and how many chunks above `most` are left out.

    Those of the module at `path` come first, then those that also hold the name `beside`, then all others; with None
    only the module itself is looked at. Lines of the calls are relative to the chunk's `line`. Case does not matter,
    and a name in a string is found too.
    """
    # what was written since the last merge is in no posting yet
    base_max = catalog.number("base_max")
    fresh = {chunk for (chunk,) in catalog.chunk_rows("SELECT chunk FROM forward WHERE chunk > ?", base_max)}
    ids = _holding(catalog, name) | fresh
    own = ids & {chunk for (chunk,) in catalog.chunk_rows(_OF_MODULE, path)}
    ordered = sorted(own)
    if beside is not None:
        likely = (ids - own) & (_holding(catalog, beside) | fresh)
        ordered += [*sorted(likely), *sorted(ids - own - likely)]
    calls_of = dict(catalog.chunk_rows(_CALLS, CODE, json.dumps(ordered)))
    rows = [(chunk, calls_of[chunk]) for chunk in ordered if chunk in calls_of]
    chunks = catalog.chunks([chunk for chunk, _ in rows[:most]])
    found: Mentions = []
    spellings = {name}
    others: set[str] = set()
    for chunk, calls in rows[:most]:
        if chunk in chunks:
            parsed = json.loads(calls)
            for called in {call[0] for call in parsed} - spellings - others:
                (spellings if fold(called) == fold(name) else others).add(called)
            found.append((chunks[chunk], [Call(*call) for call in parsed if call[0] in spellings]))
    return found, max(len(rows) - most, 0)


def _holding(catalog: Catalog, name: str) -> set[int]:
    """Return the chunks of the base that hold a name, as it is or in small letters or capitals alone."""
    found: set[int] = set()
    # of several words the whole is a term, of one its stem
    for term in {fold(name), stem(fold(name))}:
        number = catalog.term_id(term)
        block = None if number is None else catalog.block(number)
        if block:
            found.update((block[0] >> FIELD_BITS).tolist())
    # a call on the line where a long procedure is cut is kept with the part before the one whose text holds it
    later = catalog.chunk_rows(_LATER_PARTS, json.dumps(sorted(found)))
    return found.union(chunk - 1 for (chunk,) in later)
