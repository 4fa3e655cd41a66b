"""Reads from the catalog which procedures of extensions change which procedures of their base."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from bsl_scout.bsl.text import fold
from bsl_scout.configuration.extensions import (
    Base,
    Change,
    ModuleProcedure,
    ObjectFacts,
    ObjectLink,
    bases,
    changes_in,
    link_changes,
    link_objects,
)

from .catalog import Catalog
from .schema import ChunkRow

# as the catalog writes them: `НаСервере,Вместо(Имя)`; what a broken string holds is no annotation of its own
_ANNOTATION = re.compile(r"(\w+)(?:\((.*?)\))?(?:,|$)")


@dataclass(frozen=True, slots=True)
class ExtensionLinks:
    """The bases of the extensions (by the id of the extension's root) and all their links of objects and procedures."""

    bases: Mapping[str, Base]
    objects: tuple[ObjectLink, ...]
    changes: tuple[Change, ...]

    def made_by(self, path: str, name: str) -> list[Change]:
        """Return what a procedure of an extension changes."""
        return [c for c in self.changes if c.procedure.path == path and fold(c.procedure.name) == fold(name)]

    def made_to(self, path: str, name: str) -> list[Change]:
        """Return the changes that extensions make to a procedure."""
        return [c for c in self.changes if c.base and c.base.path == path and fold(c.base.name) == fold(name)]


def extension_links(catalog: Catalog) -> ExtensionLinks:
    """Return all links of the extensions of a catalog, read in one go; none without an extension."""
    roots = catalog.roots()
    if not any(root.kind == "extension" for root in roots):
        return ExtensionLinks({}, (), ())
    files = catalog.files().values()
    objects = [
        ObjectFacts(row.root, row.path, row.full_name, row.owner or row.full_name, row.uuid, row.extends)
        for row in files
        # EDT keeps languages inside Configuration.mdo, and the catalog has none of them
        if row.full_name and not row.full_name.startswith("Language.")
    ]
    modules: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for row in files:
        if row.kind == "module" and row.owner:
            modules[row.root, fold(row.owner), row.module].append(row.path)

    def module(root: str, owner: str, name: str) -> Mapping[str, ModuleProcedure] | None:
        paths = modules.get((root, fold(owner), name), [])
        # a second file for one module is a broken copy: the first one stands
        return {fold(row.name): _procedure(row, "") for row in catalog.procedures(paths[0])} if paths else None

    known = bases(roots, objects)
    links = link_objects(objects, known)
    changing = [_procedure(row, annotations) for row, annotations in catalog.annotated()]
    return ExtensionLinks(known, tuple(links), tuple(link_changes(changing, known, links, module)))


def _procedure(row: ChunkRow, annotations: str) -> ModuleProcedure:
    changes = changes_in((name, argument or None) for name, argument in _ANNOTATION.findall(annotations))
    return ModuleProcedure(row.root, row.path, row.owner, row.module, row.name, row.line, changes)
