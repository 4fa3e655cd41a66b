"""What the command line calls a place of the sources by: a form, a module, a line of one."""

from __future__ import annotations

import os
from pathlib import Path

from bsl_scout.arguments import CommandError
from bsl_scout.forms.model import FormPlace
from bsl_scout.forms.places import find_form


def top_of(root: Path) -> Path:
    """Return the folder that the paths of the index are relative to: the root, or that of a single module."""
    return root if root.is_dir() else root.parent


def named_form(places: list[FormPlace], root: Path, name: str) -> FormPlace | None:
    """Return the form of an id, a path below the root, or a path as the shell completes it."""
    found = find_form(places, name)
    below = None if found else _below(root, name)
    return find_form(places, below) if below else found


def named_line(top: Path, name: str) -> tuple[str, int]:
    """Return the path below `top` and the 0-based line that PATH:LINE means; raises CommandError."""
    path, _, line = name.rpartition(":")
    if not path or not line.isdecimal() or int(line) < 1:
        raise CommandError("--similar takes PATH:LINE, a module and a line of it from 1 on")
    return _below(top, path) or path.replace("\\", "/"), int(line) - 1


def _below(root: Path, name: str) -> str | None:
    """Return a path as the shell completes it relative to the root, None for one that is not below it."""
    top, path = Path(os.path.realpath(root)), Path(os.path.realpath(name))
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else None
