"""Writes the chunks of one file into a catalog: what is the same stays, with its number and its vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bsl_scout.bsl.chunks import Chunk

from .catalog import Catalog
from .metadata import Entry
from .report import Changes
from .vocabulary import Vocabulary

# id, key, hash and lines of a chunk in the catalog
_Version = tuple[int, str, bytes, tuple[int, int, int]]


def write_chunks(
    catalog: Catalog,
    vocabulary: Vocabulary,
    file: int,
    chunks: Sequence[Chunk],
    parts_of: Callable[[Chunk], list[Entry]],
    every: bool = False,
) -> Changes:
    """Bring the chunks of a file up to date and return what changed: those with the same hash are moved, others
    rewritten; with `every` all are. `parts_of` gives what a whole chunk is stored as.
    """
    changes = Changes()
    old: dict[str, list[_Version]] = {}
    for version in catalog.chunk_versions(file):
        old.setdefault(version[1].split("/")[0], []).append(version)
    for chunk in chunks:
        before = old.pop(chunk.key, [])
        if before and before[0][2] == chunk.hash and not every:
            _move(catalog, before, chunk)
            continue
        catalog.remove_chunks(version[0] for version in before)
        parts = parts_of(chunk)
        for part in parts:
            encoded = vocabulary.encode(part.words)
            catalog.add_chunk(file, part.chunk, *encoded, part.collection, part.path)
        updated = min(len(before), len(parts))
        changes.updated += updated
        changes.added += len(parts) - updated
        changes.removed += len(before) - updated
    gone = [version[0] for versions in old.values() for version in versions]
    catalog.remove_chunks(gone)
    changes.removed += len(gone)
    return changes


def _move(catalog: Catalog, before: list[_Version], chunk: Chunk) -> None:
    shift = chunk.line - before[0][3][0]
    if shift or before[0][3][1] != chunk.end_line:
        for number, _, _, (line, end_line, text_line) in before:
            catalog.move_chunk(number, line + shift, end_line + shift, text_line + shift)
