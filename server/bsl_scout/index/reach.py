"""Tells sources that are out of reach, such as a network drive that drops, from sources that were deleted."""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Sequence
from pathlib import Path

from bsl_scout.configuration.chosen_roots import is_chosen, is_within
from bsl_scout.configuration.layout import Layout


def check_reach(top: Path, indexed: bool) -> None:
    """Raise OSError when a folder cannot be read, or is bare though its sources are `indexed`.

    A drive that is not mounted leaves its folder behind, with nothing in it.
    """
    if top.is_file():
        return
    with os.scandir(top) as entries:
        if next(entries, None) is None and indexed:
            raise _gone()


def check_found(top: Path, layout: Layout, known: Collection[str], chosen: Sequence[str]) -> None:
    """Raise OSError when a walk has found nothing at all of the known files, or the folder has gone in its middle.

    Files of folders that the setting does not choose any more do not count.
    """
    folders = [name.replace("\\", "/").strip("/") for name in chosen]
    if not layout.files and any(is_chosen(path, folders) for path in known):
        raise _gone()
    check_reach(top, bool(known))


def is_unread(path: str, layout: Layout) -> bool:
    """Return whether a path is that of something that could not be looked at, or lies below it."""
    return any(unread == "." or is_within(path, unread) for unread in layout.unread)


def _gone() -> OSError:
    return OSError(errno.ENOENT, "its sources are gone; the index made of them is kept until it is made anew")
