"""The words of a chunk of code, per field of the lexical index."""

from __future__ import annotations

from bsl_scout.bsl import chunks as bsl_chunks
from bsl_scout.bsl import names
from bsl_scout.bsl.chunks import Chunk
from bsl_scout.configuration.layout import ModuleAddress

from .metadata import FieldWords


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
