"""How managed forms write data paths and handlers, the same in Form.xml and Form.form."""

from __future__ import annotations

import re

from .model import FormWarning, Handler
from .v8_events import managed_event

_NAMES = re.compile(r"[^\W\d]\w*(?:\[\d+\])?(?:\.[^\W\d]\w*(?:\[\d+\])?)*")
_IDENTIFIERS = re.compile(r"\d+(?:/-?\d+(?::[0-9a-fA-F-]{36})?)*")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
EMPTY_PATH = "the source holds an empty data path"


def written_path(text: str | None, present: bool) -> tuple[str | None, str | None, str | None]:
    """Return a data path as names or as identifiers, what is wrong with it, and its proof.

    A path of identifiers (`1/0:<uuid>`) has no proof before it is decoded. A leading `~`, which only tells how
    a list is read, is left off.
    """
    if not present:
        return None, None, None
    path = (text or "").strip().removeprefix("~")
    if not path:
        return None, EMPTY_PATH, None
    if _NAMES.fullmatch(path):
        return path, None, "xml"
    if is_identifiers(path):
        return path, None, None
    return None, f"the source holds no data path: {path[:80]}", None


def unnamed_warnings(count: int) -> tuple[FormWarning, ...]:
    """Return what is told of elements, attributes, commands and parameters that have no name."""
    return (FormWarning("unnamed", f"parts of the form without a name are left out: {count}"),) if count else ()


def is_identifiers(path: str) -> bool:
    """Return whether a path is written by identifiers of attributes, columns and metadata."""
    return bool(_IDENTIFIERS.fullmatch(path))


def handler(event: str | None, procedure: str, call_type: str | None, line: int | None) -> Handler | None:
    """Return a handler as it is written, None without a procedure; an event by uuid is named where that is known."""
    if not procedure:
        return None
    by_id = event if event and _UUID.fullmatch(event) else None
    known = managed_event(by_id) if by_id else event
    return Handler(known, procedure, call_type=call_type, event_id=by_id, source_line=line)
