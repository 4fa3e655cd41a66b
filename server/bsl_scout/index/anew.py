"""Why a catalog is made anew, and that while the old one answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from .catalog import Catalog
from .embedding import empty_catalog
from .verify import damage_of

DAMAGED = "the index file was damaged"


class Work(Protocol):
    """What fills a catalog."""

    def run(self) -> bool:
        """Fill it and return whether that came to its end."""


W = TypeVar("W", bound=Work)


class _CancelledError(Exception):
    pass


def why_anew(catalog: Catalog, version: str, asked: bool) -> str | None:
    """Return why a catalog is to be made anew, None when it can go on or is new; `asked` is whether the user wants it.

    Who asks may have seen damage: all that is stored is looked at then.
    """
    found = catalog.version()
    if found not in (version, None):
        return f"the index was made by another version ({found})"
    if found and catalog.overgrown():
        return "so much was replaced since it was made that it takes too much memory"
    if asked:
        return DAMAGED if found and damage_of(catalog) else "asked for"
    return None


def made_anew(
    catalog: Catalog, version: str, begin: Callable[[], W], finish: Callable[[], object], cancelled: Callable[[], bool]
) -> W | None:
    """Return the work that made a catalog of this version anew; None when it was cancelled: nothing has changed then.

    All is one transaction: a reader sees the old index until the new one is whole, and after a kill so does everybody.
    The work begins with the empty catalog; `finish` comes after it when it came to its end.
    """
    try:
        with catalog.transaction():
            empty_catalog(catalog, version)
            work = begin()
            complete = work.run()
            if complete:
                finish()
            if cancelled() or not complete:
                raise _CancelledError
    except _CancelledError:
        return None
    return work
