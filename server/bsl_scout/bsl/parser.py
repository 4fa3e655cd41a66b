"""Calls, statement borders and syntax captures of BSL code, by tree-sitter-bsl.

Offsets are str indexes of the given text. A text is parsed as it is; only when that leaves errors (or it
has deleted code of an extension) its mask is parsed, and names are still read from the given text.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import tree_sitter_bsl
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from bsl_scout.bsl.grammars import grammar_file
from bsl_scout.bsl.mask import has_deleted_code, mask

__all__ = ["Call", "Query", "SliceFacts", "analyse", "compile_query", "syntax_captures"]

_NOT_BMP = re.compile("[\ud800-\udfff\U00010000-\U0010ffff]")
_DOTTED_NAME = re.compile(r"[\w.]+")
_RECEIVER_TOKEN = re.compile(r'"[^"]*"?|//[^\n]*|\s+|[()\[\]]|[^"/\s()\[\]]+|/')
_COMMENTS_ABOVE = re.compile(r"(?:[ \t]*(?://[^\n]*)?\n)+")
_LONGEST_RECEIVER = 2000
# far more than any real procedure needs; a chain of 20,000 calls would take minutes
_QUERY_MICROSECONDS = 2_000_000
# the grammar recovers from errors in time that grows with the square of a text that is no code: 40,000 quotes take
# 4 s, a million would take an hour. Code takes a microsecond a character.
_PARSE_MICROSECONDS, _PARSE_MICROSECONDS_EACH = 2_000_000, 20
_CREATES = frozenset({"новый", "new"})


class Call(NamedTuple):
    """A call: the method's name, the text left of the dot (None when there is none), 0-based line."""

    name: str
    receiver: str | None
    line: int


@dataclass(frozen=True, slots=True)
class SliceFacts:
    """What one procedure or module body holds: calls in text order and sorted offsets of statements.

    `errors` counts the nodes the grammar could not read, `masked` tells that the mask's tree was used.
    """

    calls: tuple[Call, ...]
    statements: tuple[int, ...]
    errors: int
    masked: bool


def analyse(text: str, *, want_statements: bool = False) -> SliceFacts:
    """The facts of a procedure's or a module body's text; offsets of statements only when wanted.

    Never raises, whatever the text is.
    """
    # comments above a procedure are a third of all code and hold no facts
    above = _COMMENTS_ABOVE.match(text)
    skipped = above.end() if above else 0
    lines = text.count("\n", 0, skipped)
    text = text[skipped:]
    tree, errors, masked = _parse_best(text)
    if tree is None:
        return SliceFacts((), (), errors, masked)
    query = _facts_query(want_statements)
    captures = QueryCursor(query, timeout_micros=_QUERY_MICROSECONDS).captures(tree.root_node)
    names = captures.get("call.name", ())
    calls = _calls(text, names, captures.get("call.receiver", ()), masked, lines) if names else ()
    statements: tuple[int, ...] = ()
    if want_statements:
        starts = {node.start_byte // 2 + skipped for node in captures.get("statement", ())}
        statements = tuple(sorted(starts))
    return SliceFacts(calls, statements, errors, masked)


@cache
def compile_query(source: str) -> Query:
    """The compiled query, one per process for the same source; raises on a query that is wrong.

    Text predicates must not be used: on UTF-16 input they silently match nothing.
    """
    query: Query = Query(_language(), source)
    return query


def syntax_captures(text: str, query: Query) -> list[tuple[str, int, int]]:
    """Capture names with start and end offsets, in text order, outer nodes before inner ones."""
    tree = _parse_best(text)[0]
    if tree is None:
        return []
    found = [
        (name, node.start_byte // 2, node.end_byte // 2)
        for name, nodes in QueryCursor(query).captures(tree.root_node).items()
        for node in nodes
    ]
    return sorted(found, key=lambda capture: (capture[1], -capture[2], capture[0]))


@cache
def _language() -> Language:
    return tree_sitter_bsl.Language()


@cache
def _parser(doublings: int) -> Parser:
    """The parser of texts of at most so many doublings of a character; it gives up on what takes too long."""
    limit = _PARSE_MICROSECONDS + (_PARSE_MICROSECONDS_EACH << doublings)
    with warnings.catch_warnings():
        # what is to replace it in 0.26 crashes in 0.25
        warnings.simplefilter("ignore", DeprecationWarning)
        return Parser(_language(), timeout_micros=limit)


@cache
def _facts_query(with_statements: bool) -> Query:
    files = ["queries/calls.scm", "queries/statements.scm"] if with_statements else ["queries/calls.scm"]
    return compile_query("\n".join(grammar_file(name).read_text(encoding="utf-8") for name in files))


def _parse(text: str) -> Tree | None:
    """The tree of a text, None when it takes too long; half of a byte offset in it is a str index."""
    try:
        data = text.encode("utf-16-le")
    except UnicodeEncodeError:
        data = b""
    if len(data) != 2 * len(text):
        # one code unit per character keeps offsets simple; the stand-in is as foreign to the grammar
        data = _NOT_BMP.sub("\ufffd", text).encode("utf-16-le")
    parser = _parser(len(text).bit_length())
    try:
        return parser.parse(data, encoding="utf16le")
    except ValueError:
        # else the next text would be taken for the rest of this one
        parser.reset()
        return None


def _parse_best(text: str) -> tuple[Tree | None, int, bool]:
    """The better tree of the text and its mask, the errors in it, whether it is the mask's; None when it is no code."""
    tree = _parse(text)
    if tree is None:
        return None, 1, False
    broken = tree.root_node.has_error
    if not broken and not has_deleted_code(text):
        return tree, 0, False
    masked = mask(text)
    if masked == text:
        return tree, _count_errors(tree.root_node), False
    masked_tree = _parse(masked)
    if masked_tree is None:
        return tree, _count_errors(tree.root_node), False
    masked_errors = _count_errors(masked_tree.root_node)
    if broken and masked_errors:
        errors = _count_errors(tree.root_node)
        if errors < masked_errors:
            return tree, errors, False
    return masked_tree, masked_errors, True


def _count_errors(root: Node) -> int:
    count, pending = 0, [root] if root.has_error else []
    while pending:
        node = pending.pop()
        count += node.is_error or node.is_missing
        pending.extend(child for child in node.children if child.has_error)
    return count


def _calls(text: str, names: Sequence[Node], receivers: Sequence[Node], masked: bool, line: int) -> tuple[Call, ...]:
    """Calls in text order, `line` being that of the text's begin; a receiver belongs to the first name after it."""
    spans = sorted([(node.start_byte // 2, node.end_byte // 2) for node in names])
    ends = sorted([(node.end_byte // 2, node.start_byte // 2) for node in receivers], reverse=True)
    calls = []
    position = 0
    for start, end in spans:
        receiver = None
        if ends and ends[-1][0] <= start:
            receiver_end, receiver_start = ends.pop()
            receiver = _receiver(text, receiver_start, receiver_end)
        name = text[start:end]
        # a mask makes calls of `Новый (...)` and `?(...)`
        if masked and receiver is None and (not _DOTTED_NAME.match(name) or name.lower() in _CREATES):
            continue
        line += text.count("\n", position, start)
        position = start
        calls.append(Call(name, receiver, line))
    return tuple(calls)


def _receiver(text: str, start: int, end: int) -> str:
    """A receiver on one line, without its arguments, indexes and comments, no blanks around dots."""
    plain = _DOTTED_NAME.match(text, start, end)
    if plain and plain.end() == end:
        return plain[0]
    if end - start > _LONGEST_RECEIVER:
        # a chain of n calls has receivers of n * n characters in all
        return (plain[0] if plain else "") + "…"
    parts: list[str] = []
    depth = 0
    for token in _RECEIVER_TOKEN.findall(text, start, end):
        if token in "([":
            parts.append(token if depth == 0 else "")
            depth += 1
        elif token in ")]":
            depth -= 1
            parts.append(token if depth == 0 else "")
        elif depth == 0 and not token.startswith("//"):
            parts.append(" " if token.isspace() else token)
    return re.sub(r" ?([.()\[\]]) ?", r"\1", " ".join("".join(parts).split()))
