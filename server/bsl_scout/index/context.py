"""What a module belongs to, in the words of people: synonyms of its object, its form and its subsystems."""

from __future__ import annotations

from bsl_scout.bsl.text import fold

from .catalog import Catalog


class Contexts:
    """The contexts of owners, read from the objects in the catalog; holds for one state of them."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[tuple[str, str], str] = {}

    def of(self, root: str, owner: str | None) -> str:
        """Return the synonyms that tell what a module with this owner is about, one a line, empty without any."""
        if not owner:
            return ""
        key = (root, owner)
        if key not in self._known:
            self._known[key] = "\n".join(dict.fromkeys(self._read(root, owner)))
        return self._known[key]

    def _read(self, root: str, owner: str) -> list[str]:
        own = ".".join(owner.split(".")[:2])
        rows = self._catalog.rows(
            "SELECT c.key, c.title, f.full_name FROM files f JOIN chunks c ON c.file = f.id "
            "WHERE f.owner = ? AND f.root = ? AND f.kind = 'object' AND c.key IN (?, ?) ORDER BY c.id",
            own,
            root,
            fold(own),
            fold(owner),
        )
        found = [title for _, title, _ in rows if title]
        for name in dict.fromkeys(full_name for *_, full_name in rows):
            found += [
                title
                for (title,) in self._catalog.rows(
                    "SELECT c.title FROM links l JOIN files f ON f.id = l.file JOIN chunks c ON c.file = f.id "
                    "WHERE l.target = ? AND l.relation = 'content' AND f.full_name LIKE 'Subsystem.%' AND f.root = ? "
                    "AND c.kind = 'object' ORDER BY c.id",
                    fold(name),
                    root,
                )
                if title
            ]
        return found
