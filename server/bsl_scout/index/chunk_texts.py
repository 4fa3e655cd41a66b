"""What the vector of a chunk is made from: words by kind for the BSL model, one passage for general models."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bsl_scout.bsl import names
from bsl_scout.encoding.pairs import description
from bsl_scout.encoding.sentence_encoder import MAX_TOKENS

from .metadata import TITLE_SEPARATOR

# a token has rarely more letters; what is longer is cut by the tokenizer, at the cost of reading it
_MOST_CHARS = MAX_TOKENS * 8
_IDENTIFIER = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Source:
    """A chunk as its vector is made from it; `above` is the number of lines above its header."""

    name: str
    text: str
    part: int = 0
    above: int = 0
    context: str = ""
    metadata: bool = False

    @property
    def doc(self) -> str:
        """What the comment above a procedure says of it as a whole."""
        lines = self.text.split("\n", self.above)[: self.above] if self.part == 0 and self.above > 0 else []
        return description("\n".join(line.strip().lstrip("/").strip() for line in lines if "//" in line))

    @property
    def code(self) -> str:
        """The text from the header on."""
        if self.part or self.above <= 0:
            return self.text
        lines = self.text.split("\n", self.above)
        return lines[-1] if len(lines) > self.above else ""


@dataclass(frozen=True, slots=True)
class ChunkTexts:
    """The words of a chunk that each have a vector of their own: text, name, doc, context, notes."""

    text: Sequence[str]
    name: Sequence[str]
    doc: Sequence[str] = ()
    context: Sequence[str] = ()
    notes: Sequence[str] = ()

    def each(self) -> Iterator[Sequence[str]]:
        """Yield them in the order of their weights."""
        yield from (self.text, self.name, self.doc, self.context, self.notes)


def words_of(chunk: Source) -> ChunkTexts:
    """Return the texts of a chunk, those of metadata from its rows: full name, own titles, of its object, types."""
    if chunk.metadata:
        full_name, own, owner, _, comment = _rows(chunk.text)
        name = names.words(full_name.rpartition(".")[2])
        return ChunkTexts(name, names.words(own[0]), names.words(comment), names.words(owner))
    words, notes = names.code_and_notes(chunk.code)
    body = [word for word in words if word != chunk.name and not names.is_keyword(word)]
    called = [chunk.name] if chunk.name else []
    return ChunkTexts(body, called, names.words(chunk.doc), names.words(chunk.context), names.words(notes))


def title(chunk: Source) -> str:
    """Return what a chunk is called, in words."""
    return _rows(chunk.text)[1][0] if chunk.metadata else _in_words(chunk.name)


def passage(chunk: Source) -> str:
    """Return a chunk as a text for general models: what tells most of it first, because the end may be cut off.

    That is its name, the comment above it and what it belongs to, then its signature and body; identifiers are
    taken apart, because such models know the words of a language but not our names.
    """
    if chunk.metadata:
        full_name, own, owner, types, comment = _rows(chunk.text)
        parts = [TITLE_SEPARATOR.join(own), owner, _in_words(full_name), comment, types]
    else:
        parts = [_in_words(chunk.name), chunk.doc, ", ".join(filter(None, chunk.context.split("\n"))), _code(chunk)]
    return "\n".join(filter(None, parts))[:_MOST_CHARS]


def _rows(text: str) -> tuple[str, list[str], str, str, str]:
    full_name, own, owner, types, *comment = [*text.split("\n"), "", "", ""]
    return full_name, own.split(TITLE_SEPARATOR), owner, types, " ".join(comment).strip()


def _code(chunk: Source) -> str:
    return _in_words(" ".join(chunk.code[:_MOST_CHARS].split()))


def _in_words(text: str) -> str:
    return _IDENTIFIER.sub(lambda match: " ".join(names.split_identifier(match[0])), text)
