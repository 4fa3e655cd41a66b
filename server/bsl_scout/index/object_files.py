"""Updates the metadata objects of a catalog, and those whose types another object names.

In some formats a type is only a uuid, and the object that bears it names it. So each object's row keeps the
names it lends (`names`) and the uuids it borrows (`refs`). An object that borrows waits until all changed files
are read; one that borrows a name which has changed or gone is written anew. Until it is, its row has no hash:
an interrupted refresh leaves it to the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bsl_scout.configuration.kinds import KIND_BY_NAME
from bsl_scout.configuration.layout import Layout, SourceFile
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.configuration.objects import object_digest, object_file, read_object
from bsl_scout.configuration.types import names_by_uuid, resolved, unresolved

from .catalog import Catalog
from .lent import Lent, read_lent, write_lent
from .metadata import Entry, metadata_entries
from .object_store import put_object
from .schema import FileRow

Write = Callable[[int, list[list[Entry]]], None]


@dataclass(frozen=True, slots=True)
class _Waiting:
    item: MetadataObject
    digest: bytes | None


class ObjectFiles:
    """The object files of one refresh; `write` brings the chunks of a file up to date.

    A refresh that is not `whole` has in its layout only what was named; others are looked for when they borrow.
    """

    def __init__(self, top: Path, layout: Layout, catalog: Catalog, write: Write, whole: bool) -> None:
        self._top = top
        self._layout = layout
        self._catalog = catalog
        self._write = write
        self._whole = whole
        self._waiting: dict[int, _Waiting] = {}
        self._stale: dict[int, SourceFile] = {}
        self._files: dict[str, SourceFile] | None = None
        self._lent: dict[int, Lent] | None = None
        self._borrowers: dict[tuple[str, str], set[int]] = {}
        self._names: dict[str, dict[str, str]] = {}

    @property
    def waiting(self) -> int:
        """How many objects are still to be written."""
        return len(self._waiting) + len(self._stale)

    def update(self, file: SourceFile, row: FileRow | None) -> None:
        """Read an object's file and write its chunks, or let it wait when it borrows names."""
        root = self._layout.root_of(file.path)
        digest = object_digest(self._top, file.path, root)
        found, problems = read_object(self._top, file.path, root, file.prefix)
        problem = "; ".join(
            problem.message if problem.path == file.path else f"{problem.path}: {problem.message}"
            for problem in problems
        )
        if digest and row and row.hash == digest and row.root == root.id:
            self._catalog.touch_file(row.id, file.size, file.mtime_ns, problem or None)
            return
        lent = Lent(
            file.path, root.id, names_by_uuid(found) if found else {}, unresolved(found) if found else frozenset()
        )
        words = KIND_BY_NAME[found.kind].russian if found and found.kind in KIND_BY_NAME else ""
        new = FileRow(
            row.id if row else 0, file.path, root.id, file.size, file.mtime_ns, None if lent.refs else digest,
            found.russian_name if found else None, "", words, "object",
            found.full_name if found else None, found.uuid if found else None, _extends(found),
        )  # fmt: skip
        number = self._catalog.put_file(new, problem or None)
        self._change(number, lent)
        self._stale.pop(number, None)
        self._waiting.pop(number, None)
        if found and lent.refs:
            self._waiting[number] = _Waiting(found, digest)
        else:
            self._store(number, found)

    def forget(self, number: int) -> None:
        """Take back the names that a file lends: it is going to be removed."""
        self._change(number, None)

    def step(self) -> bool:
        """Write one of the objects that wait; return whether there was one. All changed files must be read."""
        if self._stale:
            _, file = self._stale.popitem()
            self.update(file, self._catalog.file(file.path))
            return True
        if not self._waiting:
            return False
        number, waiting = self._waiting.popitem()
        item = resolved(waiting.item, self._names_of(waiting.item.root))
        self._store(number, item)
        self._catalog.set_hash(number, waiting.digest)
        return True

    def _store(self, number: int, item: MetadataObject | None) -> None:
        put_object(self._catalog, number, item)
        self._write(number, list(metadata_entries(item)) if item else [])

    def _change(self, number: int, lent: Lent | None) -> None:
        """Note what a file lends and borrows now, and mark those that borrow what is different from before."""
        known = self._known()
        before = known.pop(number, None)
        changed: set[tuple[str, str]] = set()
        for one, other in ((before, lent), (lent, before)):
            if one:
                same = other.names if other and other.root == one.root else {}
                changed |= {(one.root, uuid) for uuid, name in one.names.items() if same.get(uuid) != name}
        if before:
            for uuid in before.refs:
                self._borrowers[before.root, uuid].discard(number)
        if lent:
            known[number] = lent
            for uuid in lent.refs:
                self._borrowers.setdefault((lent.root, uuid), set()).add(number)
            write_lent(self._catalog, number, lent)
        if changed:
            self._names.clear()
        stale = {user for key in changed for user in self._borrowers.get(key, ())} - {number} - self._waiting.keys()
        for user in stale:
            self._catalog.set_hash(user, None)
            file = self._file(known[user].path)
            if file:
                self._stale[user] = file

    def _known(self) -> dict[int, Lent]:
        if self._lent is None:
            self._lent = read_lent(self._catalog)
            for number, lent in self._lent.items():
                for uuid in lent.refs:
                    self._borrowers.setdefault((lent.root, uuid), set()).add(number)
        return self._lent

    def _file(self, path: str) -> SourceFile | None:
        """Return an object's file, None when it is going to be removed."""
        if self._files is None:
            self._files = {file.path: file for file in self._layout.files if file.kind == "object"}
        found = self._files.get(path)
        return found or (None if self._whole else object_file(self._top, path, self._layout.root_of(path)))

    def _names_of(self, root: str) -> dict[str, str]:
        if root not in self._names:
            lenders = sorted((lent for lent in self._known().values() if lent.root == root), key=lambda lent: lent.path)
            self._names[root] = {uuid: name for lent in lenders for uuid, name in lent.names.items()}
        return self._names[root]


def _extends(found: MetadataObject | None) -> str | None:
    return (found.extends or "") if found and found.adopted else None
