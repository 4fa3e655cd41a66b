"""The words of a chunk of code, per field of the lexical index."""

from __future__ import annotations

from bsl_scout.bsl import chunks as bsl_chunks
from bsl_scout.bsl import names
from bsl_scout.bsl.chunks import Chunk
from bsl_scout.configuration.layout import ModuleAddress

from .metadata import Entry, FieldWords


def code_entries(chunk: Chunk, address: ModuleAddress) -> list[Entry]:
    """Return what a whole chunk of a module is stored as: its parts with their words."""
    return [Entry(part, field_words(part, address)) for part in bsl_chunks.parse(chunk)]


def field_words(chunk: Chunk, address: ModuleAddress) -> FieldWords:
    """Return the words of a chunk per field in the order of FIELDS."""
    words, notes = names.code_and_notes(bsl_chunks.uncommented(chunk))
    owner = [part for part in (address.owner or "").split(".") if part not in _CHILD_WORDS]
    return (
        [chunk.name],
        [*owner, *chunk.regions],
        [parameter.name for parameter in chunk.parameters],
        names.text_words(chunk.doc),
        names.text_words(notes),
        words,
    )


_CHILD_WORDS = frozenset({"Форма", "Команда"})
