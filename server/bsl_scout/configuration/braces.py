"""The brace tree: 1C's own notation of nested lists, as v8unpack writes it into JSON (lists of strings).

Facts: string literals keep their quotes, with `""` for a quote inside; a named thing is
`[version, [n, n, uuid], "Name", [count, language, text, …], "comment", …]`; a type description is
`["Pattern", type, …]` (v8unpack.md 1.2 and 1.6).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .model import sized_type
from .types import PLATFORM_TYPES

Node = list[object]

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
NIL = "00000000-0000-0000-0000-000000000000"
_PRIMITIVES = {"B": "Boolean", "D": "Date", "U": "Undefined"}
# a metadata object named inside a value
_REFERENCE = "157fa490-4ce9-11d4-9415-008048da11f9"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a named thing is; `adopted` and `extends` tell of an object borrowed into an extension."""

    name: str
    uuid: str | None
    synonym: dict[str, str] = field(default_factory=dict)
    comment: str = ""
    adopted: bool = False
    extends: str | None = None


def at(node: object, *path: int) -> object:
    """Return what lies at a path of positions, None when there is nothing."""
    for step in path:
        if not isinstance(node, list) or not 0 <= step < len(node):
            return None
        node = node[step]
    return node


def is_uuid(node: object) -> bool:
    """Return whether a node is a uuid."""
    return isinstance(node, str) and _UUID.fullmatch(node) is not None


def literal(node: object) -> str | None:
    """Return the text of a string literal, None when the node is none."""
    if not isinstance(node, str) or len(node) < 2 or node[0] != '"' or node[-1] != '"':
        return None
    return carried(node[1:-1].replace('""', '"'))


def carried(text: str) -> str:
    """Return a text that SQLite and JSON can carry, whatever escapes the file had."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


def number(node: object) -> int | None:
    """Return a whole number without a sign, None when the node is none."""
    return int(node) if isinstance(node, str) and node.isascii() and node.isdigit() and len(node) < 10 else None


def identity(node: object) -> Identity | None:
    """Return who a node names, None when it names nothing.

    Behind the comment of version 2 and later: whether it is adopted, a count of controlled properties with
    (uuid, mode) each, the uuid of the object it extends (compared with a Designer dump of the same extension).
    """
    name = literal(at(node, 2))
    uuid = at(node, 1, 2)
    synonym = localized(at(node, 3))
    comment = literal(at(node, 4))
    known = at(node, 0) in ("0", "1", "2", "3", "4") and isinstance(at(node, 1), list)
    if not known or name is None or synonym is None or comment is None or not isinstance(uuid, str):
        return None
    controlled = number(at(node, 6)) or 0
    extends = at(node, 7 + 2 * controlled) if at(node, 0) not in ("0", "1") else None
    return Identity(
        name,
        uuid if is_uuid(uuid) else None,
        synonym,
        comment,
        at(node, 5) == "1" and is_uuid(extends) and extends != NIL,
        extends if isinstance(extends, str) and is_uuid(extends) and extends != NIL else None,
    )


def localized(node: object) -> dict[str, str] | None:
    """Return the texts of `[count, language, text, …]` by language, None when the node is something else."""
    count = number(at(node, 0))
    if not isinstance(node, list) or count is None or len(node) != 1 + 2 * count:
        return None
    texts = [literal(item) for item in node[1:]]
    if any(text is None for text in texts):
        return None
    pairs = zip(texts[::2], texts[1::2], strict=True)
    return {language: text.strip() for language, text in pairs if language is not None and text and text.strip()}


def is_pattern(node: object) -> bool:
    """Return whether a node describes types."""
    return at(node, 0) == '"Pattern"'


def pattern(node: object) -> tuple[tuple[str, ...], list[str]]:
    """Return the types of a description, spelled as those of a Designer dump, and the parts not recognised.

    A type of the configuration is `Ref#<uuid>` until it is resolved over the whole root.
    """
    types: list[str] = []
    unknown: list[str] = []
    for item in node[1:] if isinstance(node, list) and is_pattern(node) else []:
        name = _type(item)
        if name:
            types.append(name)
        else:
            letter = at(item, 0)
            unknown.append(letter[:20] if isinstance(letter, str) else "?")
    return tuple(types), unknown


def _type(item: object) -> str | None:
    letter = literal(at(item, 0))
    if letter is None or not isinstance(item, list) or not all(isinstance(part, str) for part in item):
        return None
    parts = [str(part) for part in item[1:]]
    if letter == "#":
        return (PLATFORM_TYPES.get(parts[0]) or f"Ref#{parts[0]}") if len(parts) == 1 and is_uuid(parts[0]) else None
    if letter == "S":
        return sized_type("String", parts[0] if parts else "", "", "")
    if letter == "N":
        return sized_type("Number", "", parts[0] if parts else "", parts[1] if len(parts) > 1 else "")
    return _PRIMITIVES.get(letter)


def references(node: object) -> list[str] | None:
    """Return the uuids of `[0, count, reference, …]` to metadata objects, None when the node is something else."""
    count = number(at(node, 1))
    if not isinstance(node, list) or at(node, 0) != "0" or count is None or len(node) != 2 + count:
        return None
    found = [at(item, 2, 1) for item in node[2:] if at(item, 0) == '"#"' and at(item, 1) == _REFERENCE]
    uuids = [uuid for uuid in found if isinstance(uuid, str) and is_uuid(uuid)]
    return uuids if len(uuids) == count else None


def collection(node: object) -> tuple[str, Sequence[object]] | None:
    """Return the class uuid and the items of `[class, count, item, …]`, None when the node is something else."""
    kind = at(node, 0)
    count = number(at(node, 1))
    if not isinstance(node, list) or not isinstance(kind, str) or not is_uuid(kind) or count != len(node) - 2:
        return None
    return kind, node[2:]
