"""Cuts a module into chunks: one per procedure (long ones in parts), one for the header, one for the body."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from . import parser
from .scanner import Annotation, Parameter, Procedure, scan
from .text import LineIndex, content_hash, fold

# A change of what these functions return must change this number: it is part of the index options
CHUNKS_VERSION = 1
PART_CHARS = 4000
MAX_PARTS = 16

# only from the beginning of blanks on: tried from each of them a long row of blanks would take hours
_DIRECTIVE = re.compile(r"(?<![^\S\n])[^\S\n]*#[^\n]*")
_LICENCE = re.compile(r"copyright|©|\(c\)", re.IGNORECASE)


@dataclass(slots=True)
class Chunk:
    """A searchable piece of a module; not frozen, because making frozen ones by the thousand takes seconds.

    `key` is unique in its module: the folded name, `#2` for a second definition under another `#Если`,
    `/1` and on for the further parts of a long procedure. Lines are 0-based and inclusive: `line` to
    `end_line` of the whole procedure, `top_line` where its comments and annotations begin (the lines of
    calls are relative to it), `text_line` where `text` itself begins (in a further part behind the
    repeated signature). `hash` covers the whole
    procedure with its doc comment, annotations and regions, without carriage returns.
    """

    key: str
    kind: str
    name: str
    parameters: tuple[Parameter, ...]
    export: bool
    is_async: bool
    annotations: tuple[Annotation, ...]
    regions: tuple[str, ...]
    doc: str
    line: int
    end_line: int
    top_line: int
    text_line: int
    part: int
    hash: bytes
    text: str
    calls: tuple[parser.Call, ...] = ()


def outline(text: str) -> list[Chunk]:
    """Return the whole chunks of a module in order, not yet parsed: without calls and parts."""
    lines = LineIndex(text)
    procedures = scan(text, lines)
    seen: dict[str, int] = {}
    chunks: list[Chunk] = []
    for procedure in procedures:
        key = fold(procedure.name)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > 1:
            key = f"{key}#{seen[key]}"
        chunks.append(_procedure_chunk(text, lines, procedure, key))
    first = procedures[0].top if procedures else len(text)
    header = _outside(text[:first], "header") if procedures else None
    if header:
        chunks.insert(0, header)
    body = _body(text, procedures)
    if body:
        chunks.append(body)
    return chunks


def _procedure_chunk(text: str, lines: LineIndex, procedure: Procedure, key: str) -> Chunk:
    piece = text[procedure.top : procedure.end]
    return Chunk(
        key,
        procedure.kind,
        procedure.name,
        procedure.parameters,
        procedure.export,
        procedure.is_async,
        procedure.annotations,
        procedure.regions,
        procedure.doc,
        procedure.line,
        procedure.end_line,
        lines.line(procedure.top),
        lines.line(procedure.top),
        0,
        content_hash(piece, *procedure.regions),
        piece,
    )


def _body(text: str, procedures: list[Procedure]) -> Chunk | None:
    """Return what stands after or between the procedures and is more than comments, as one chunk."""
    starts = [procedure.end for procedure in procedures] or [0]
    ends = [procedure.top for procedure in procedures[1:]] + [len(text)]
    rest = []
    position = 0
    for start, end in zip(starts, ends, strict=True):
        # the procedures become blank lines, so that the chunk's lines are the module's
        gap = text[start:end].lstrip("; \t")
        rest += ["\n" * text.count("\n", position, start), gap]
        position = end
    outside = "".join(rest)
    return _outside(outside, "body") if re.sub(r"//[^\n]*", "", _DIRECTIVE.sub("", outside)).strip() else None


def _outside(text: str, kind: str) -> Chunk | None:
    """Return the chunk of a module's text from its first line, directives and licences made blank."""
    bare = _DIRECTIVE.sub("", text)
    if _LICENCE.search(bare):
        # a licence stands in thousands of modules and says nothing about any of them
        blocks = re.split(r"(\n[^\S\n]*\n)", bare)
        bare = "".join("\n" * block.count("\n") if _LICENCE.search(block) else block for block in blocks)
    rows = bare.split("\n")
    shown = [number for number, row in enumerate(rows) if re.search(r"\w", row)]
    if not shown:
        return None
    first, last = shown[0], shown[-1]
    piece = "\n".join(rows[first : last + 1])
    return Chunk(
        f"<{kind}>", kind, "", (), False, False, (), (), "", first, last, first, first, 0, content_hash(piece), piece
    )  # fmt: skip


def parse(chunk: Chunk) -> list[Chunk]:
    """Return the chunk, its calls filled in, or several parts cut at statement borders when it is long."""
    long = len(chunk.text) > PART_CHARS
    facts = parser.analyse(chunk.text, want_statements=long)
    if long:
        return list(_parts(chunk, facts))
    chunk.calls = facts.calls
    return [chunk]


def _parts(chunk: Chunk, facts: parser.SliceFacts) -> Iterator[Chunk]:
    text, lines = chunk.text, LineIndex(chunk.text)
    borders = _borders(text, facts.statements)
    signature = _signature_line(text) if chunk.name else ""
    short_doc = chunk.doc.split("\n", 1)[0]
    for part, (start, end) in enumerate(zip([0, *borders], [*borders, len(text)], strict=True)):
        piece = text[start:end]
        yield replace(
            chunk,
            key=f"{chunk.key}/{part}" if part else chunk.key,
            part=part,
            text_line=chunk.text_line + lines.line(start),
            text=f"{signature}\n{piece}" if part and signature else piece,
            doc=short_doc if part else chunk.doc,
            # a border in the middle of a line leaves that line's calls to the part where it begins
            calls=tuple(call for call in facts.calls if start <= lines.starts[call.line] < end),
        )


def _borders(text: str, statements: tuple[int, ...]) -> list[int]:
    size = max(PART_CHARS, -(-len(text) // MAX_PARTS))
    borders: list[int] = []
    start = 0
    while len(text) - start > size:
        index = bisect_right(statements, start + size) - 1
        if index >= 0 and statements[index] > start:
            border = statements[index]
        else:
            # one statement longer than a part (a query text, a dictionary): cut at a line
            border = text.rfind("\n", start + 1, start + size) + 1 or start + size
        borders.append(border)
        start = border
    return borders


def uncommented(chunk: Chunk) -> str:
    """Return the chunk's text without the doc comment and annotations above its header."""
    lines = chunk.text.split("\n", max(chunk.line - chunk.text_line, 0)) if chunk.part == 0 else [chunk.text]
    return lines[-1]


def _signature_line(text: str) -> str:
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped and not stripped.startswith(("//", "&")):
            return stripped
    return ""
