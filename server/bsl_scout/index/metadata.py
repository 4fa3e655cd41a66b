"""Turns metadata objects into chunks: one per object and one per field, with the words people know them by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bsl_scout.bsl import names
from bsl_scout.bsl.chunks import Chunk
from bsl_scout.bsl.text import content_hash, fold
from bsl_scout.configuration.kinds import KIND_BY_NAME
from bsl_scout.configuration.model import MetadataField, MetadataObject, field_word, shown

# A change of what these functions return must change this number: it is part of the index options
METADATA_VERSION = 2
# links that say in words what an object is about; types of sources would only repeat other objects' names
_TOLD = frozenset({"handler", "method", "event", "location", "root_url"})

TITLE_SEPARATOR = " · "

FieldWords = tuple[Sequence[str], ...]


def metadata_chunks(item: MetadataObject) -> list[tuple[Chunk, FieldWords]]:
    """Return the chunks of an object and its fields, each with its words in the order of the lexical fields."""
    found = [_chunk(item, None, item.russian_name)]
    seen = {item.russian_name}
    for name, part in item.named_fields():
        if name not in seen:
            # a broken dump may name two fields alike; the first stands
            seen.add(name)
            found.append(_chunk(item, part, name))
    return found


def _chunk(item: MetadataObject, part: MetadataField | None, full_name: str) -> tuple[Chunk, FieldWords]:
    words = _words(item, part)
    line = item.line if part is None or part.line is None else part.line
    types = part.types if part else item.types
    kind = KIND_BY_NAME.get(item.kind)
    kinds = [kind.russian, kind.english] if kind else [item.kind]
    own = _titles(part.name if part else item.name, part.synonym if part else item.synonym)
    owner = [*kinds, *(_titles(item.name, item.synonym) if part else ())]
    # what a person reads of it; the first three rows are its title (retrieval/titles)
    rows = [full_name, TITLE_SEPARATOR.join(own), TITLE_SEPARATOR.join(owner), ", ".join(types)]
    text = "\n".join([*rows, part.comment if part else item.comment]).rstrip()
    chunk = Chunk(
        fold(full_name),
        part.kind if part else "object",
        part.name if part else item.name,
        (),
        False,
        False,
        (),
        (),
        TITLE_SEPARATOR.join(own),
        line,
        line,
        line,
        line,
        0,
        content_hash(text, *(word for group in words for word in (*group, ""))),
        text,
    )
    return chunk, words


def _titles(name: str, synonym: Mapping[str, str]) -> list[str]:
    """Return what something is called: its synonyms, the one to show first, or its name when it has none."""
    first = shown(synonym)
    return list(dict.fromkeys([first, *(text for text in synonym.values() if text)])) if first else [name]


def _words(item: MetadataObject, part: MetadataField | None) -> FieldWords:
    kind = KIND_BY_NAME.get(item.kind)
    kinds = [kind.russian, kind.english] if kind else [item.kind]
    synonyms = [word for text in item.synonym.values() for word in names.text_words(text)]
    if part is None:
        links = [
            word for relation, target in item.links if relation in _TOLD for word in target.split(".")[1:] or [target]
        ]
        return ([item.name], kinds, item.types, synonyms, names.text_words(item.comment), links)
    own = [word for text in part.synonym.values() for word in names.text_words(text)]
    parent = [part.parent] if part.parent else []
    path = [*kinds, item.name, *parent, field_word(part.kind, True), *synonyms]
    return ([part.name], path, part.types, own, names.text_words(part.comment), [part.handler or ""])
