"""Turns metadata objects into chunks: one per object and one per field, with the words people know them by.

What a field holds (queries, access restrictions) makes further chunks. They and the items that are data rather
than structure have collections of their own, so that they are found by their words but change neither what a
usual length of metadata is nor how common a word is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bsl_scout.bsl import names
from bsl_scout.bsl.chunks import PART_CHARS, Chunk
from bsl_scout.bsl.text import content_hash, fold
from bsl_scout.configuration.kinds import KIND_BY_NAME, russian_part
from bsl_scout.configuration.model import MetadataField, MetadataObject, field_word, shown

from .schema import CAPTIONS, CODE, ITEMS, METADATA, TEXTS

# A change of what these functions return must change this number: it is part of the index options
METADATA_VERSION = 4
# links that say in words what an object is about; types of sources would only repeat other objects' names
_TOLD = frozenset({"handler", "method", "event", "location", "root_url"})

TITLE_SEPARATOR = " · "

# how many rows a text chunk has before the text itself
HEAD_ROWS = 4
RESTRICTION = "restriction"
# the kind of the objects that are forms, as the keys of chunks have it
COMMON_FORM = fold(KIND_BY_NAME["CommonForm"].russian)
_ITEM_KINDS = frozenset({"predefined", "standard_attribute"})

FieldWords = tuple[Sequence[str], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk as it goes into the catalog, its words in the order of the lexical fields.

    `path` is the file that its lines are of, when that is another than the file it is read with.
    """

    chunk: Chunk
    words: FieldWords
    collection: int = CODE
    path: str | None = None


def metadata_entries(item: MetadataObject) -> list[list[Entry]]:
    """Return the chunks of an object and of each of its fields: a head, then the parts of the text it holds.

    An access restriction has no head beside its text, and only its beginning is searchable: what follows in a
    long one is the template that all roles repeat.
    """
    found = [_entries(item, None, item.russian_name)]
    seen = {item.russian_name}
    standard = [(item.field_name(part), part) for part in item.standard_attributes]
    for name, part in (*item.named_fields(), *standard):
        if name not in seen:
            # a broken dump may name two fields alike; the first stands
            seen.add(name)
            found.append(_entries(item, part, name))
    return found


def _entries(item: MetadataObject, part: MetadataField | None, full_name: str) -> list[Entry]:
    chunk, words = _chunk(item, part, full_name)
    path = part.path if part else None
    holder = part or item
    rows = [*chunk.text.split("\n"), *[""] * HEAD_ROWS][:HEAD_ROWS]
    texts = []
    held = [*((TEXTS, *one) for one in _pieces(holder.text)), *((CAPTIONS, *one) for one in _pieces(holder.captions))]
    for number, (collection, offset, piece) in enumerate(held, start=1):
        further = replace(
            chunk,
            key=f"{chunk.key}/{number}",
            part=number,
            text_line=chunk.line + offset,
            text="\n".join([*rows, piece]),
        )
        texts.append(Entry(further, (*words[:4], (), names.text_words(piece)), collection, path))
    if texts and part and part.kind == RESTRICTION:
        return [replace(texts[0], chunk=replace(texts[0].chunk, key=chunk.key, part=0))]
    return [Entry(chunk, words, ITEMS if chunk.kind in _ITEM_KINDS else METADATA, path), *texts]


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text, cut at lines, each with the number of lines before it."""
    start = 0
    while start < len(text):
        end = len(text)
        if end - start > PART_CHARS:
            end = text.rfind("\n", start + 1, start + PART_CHARS) + 1 or start + PART_CHARS
        yield text.count("\n", 0, start), text[start:end].rstrip("\n")
        start = end


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
    holder = part or item
    content, path = holder.text + holder.captions, (part.path or "") if part else ""
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
        content_hash(text, content, path, *(word for group in words for word in (*group, ""))),
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
    # a standard attribute is asked for in either language
    known = list(dict.fromkeys([part.name, russian_part(part.kind, part.name)]))
    if part.kind == RESTRICTION:
        known = names.text_words(" ".join(known))
    return (known, path, part.types, own, names.text_words(part.comment), [part.handler or ""])
