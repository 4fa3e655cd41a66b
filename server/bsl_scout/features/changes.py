"""What extensions change in their base configuration: of procedures and objects, from either side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bsl_scout.bsl.text import fold
from bsl_scout.configuration.extensions import CHANGES, Change
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.extensions import ExtensionLinks, extension_links

from .freshness import Freshness

_ANNOTATION = re.compile(r'&\s*(\w+)\s*\(\s*"([^"]*)')


@dataclass(frozen=True, slots=True)
class Made:
    """What a procedure of an extension changes in the way `how` (a value of CHANGES).

    `place` is the base's module and `root` its configuration, with the `proof` (`uuid` or `name`) of the link; or
    both are empty and `reason` tells why the procedure `name` is not known.
    """

    how: str
    name: str
    place: str = ""
    root: str = ""
    proof: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Suffered:
    """A change made to a procedure: by the procedure `name` of the extension `root` in the way `how`."""

    how: str
    name: str
    root: str


class ExtensionTable:
    """The links of the extensions of one index, made when they are first asked for and then as `Freshness` says."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._fresh = Freshness(catalog, unsaved=True)
        self._links = ExtensionLinks({}, (), ())
        self._names: dict[str, str] = {}

    def links(self) -> ExtensionLinks:
        """Return the links as the index has them now."""
        if self._fresh.due():
            with self._fresh.making():
                self._links = extension_links(self._catalog)
                self._names = {root.id: root.name for root in self._catalog.roots()}
        return self._links

    def made_by(self, path: str, name: str) -> tuple[Made, ...]:
        """Return what a procedure changes."""
        return tuple(self._made(change) for change in self.links().made_by(path, name))

    def made_to(self, path: str, name: str) -> tuple[Suffered, ...]:
        """Return what extensions change of a procedure."""
        found = self.links().made_to(path, name)
        return tuple(
            Suffered(change.how, change.procedure.name, self.root_name(change.procedure.root)) for change in found
        )

    def root_name(self, root: str) -> str:
        """Return the name of a root, which is what people call an extension or configuration."""
        return self._names.get(root, root)

    def base_of(self, root: str) -> str | None:
        """Return the root that an extension extends, None when that is not known or the root is no extension."""
        base = self.links().bases.get(root)
        return base.root if base else None

    def related(self, one: str, other: str) -> bool:
        """Return whether two roots are one, or an extension and its base: names of one may stand in the other."""
        return one == other or self.base_of(one) == other or self.base_of(other) == one

    def annotated(self, path: str | None, text: str, line: int, column: int) -> Change | None:
        """Return the change that an annotation names whose string a column of its line (0-based both) is in.

        Lines of a document that is being edited may have moved: of several alike the nearest one counts.
        """
        if not text.lstrip().startswith("&"):
            return None
        for match in _ANNOTATION.finditer(text):
            how = CHANGES.get(match[1].casefold())
            if how and match.start(2) <= column <= match.end(2):
                same = [
                    change
                    for change in self.links().changes
                    if (change.procedure.path, change.how) == (path, how) and fold(change.name or "") == fold(match[2])
                ]
                return min(same, key=lambda change: abs(change.procedure.line - line), default=None)
        return None

    def _made(self, change: Change) -> Made:
        name, base = change.name or "", change.base
        if base is None:
            return Made(change.how, name, reason=change.reason or "")
        place = base.owner or base.path
        return Made(change.how, base.name, place, self.root_name(base.root), change.proof or "")


def nearest_roots(table: ExtensionTable, root: str | None, having: Sequence[str]) -> set[str]:
    """Return the roots of `having` that a name in a source of `root` stands for.

    Those are the root itself and, for an extension, its base; all of them when neither has the name.
    """
    own = {root, table.base_of(root)} & set(having) if root else set()
    return {one for one in own if one} or set(having)
