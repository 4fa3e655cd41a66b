"""What a call calls, and what proves it; a receiver that is not known stays unknown."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bsl_scout.bsl.parser import Call
from bsl_scout.bsl.text import fold
from bsl_scout.configuration.full_names import is_collection, object_name
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.index.object_store import objects_named
from bsl_scout.index.schema import ChunkRow

from .changes import nearest_roots
from .symbols import SymbolTable

CERTAIN = frozenset({"same-module", "this-object", "global-module", "common-module", "manager"})
_THIS = frozenset({"этотобъект", "thisobject"})
# a variable and the common module that it is given by its name, if it is one
_ASSIGNED = re.compile(
    r"(?:^|;)\s*(\w+)\s*=(?:\s*(?:[\w.]+\.)?(?:ОбщийМодуль|CommonModule)\(\s*\"(\w+)\"\s*\)\s*;)?",
    re.IGNORECASE | re.MULTILINE,
)
_MANAGER = "МодульМенеджера"


@dataclass(frozen=True, slots=True)
class CallTarget:
    """The procedure that a call calls, with the proof: one of CERTAIN, or `module-variable`, which is likely only.

    Without a procedure `proof` tells why: `unknown` when the receiver may be anything, `variable` when a variable may
    hide the module of this name, `elsewhere` when it is known and the procedure is none of the index (or the
    platform's own).
    """

    procedure: ChunkRow | None
    proof: str


class CallTargets:
    """Resolves calls within one state of the index; keeps what it has looked up."""

    def __init__(self, symbols: SymbolTable) -> None:
        self._symbols = symbols
        self._named: dict[str, list[ChunkRow]] = {}
        self._objects: dict[str, list[MetadataObject]] = {}
        # of the last chunk that was asked for
        self._last = (0, "")
        self._assigned: tuple[int, dict[str, set[str]]] = (0, {})

    def of(self, caller: ChunkRow, call: Call) -> CallTarget:
        """Return what a call in a chunk calls."""
        receiver = call.receiver
        rows = self._rows(call.name)
        if receiver is None or fold(receiver) in _THIS:
            own = next((row for row in rows if row.path == caller.path), None)
            if own:
                return CallTarget(own, "this-object" if receiver else "same-module")
            found = None if receiver else self._global(caller, rows)
            return CallTarget(found, "global-module" if found else "elsewhere")
        if not any(row.export for row in rows):
            # a method of the platform, or one that nothing outside of its module may call
            return CallTarget(None, "elsewhere")
        parts = receiver.split(".")
        if not all(part.isidentifier() for part in parts):
            return CallTarget(None, "unknown")
        name = object_name(parts) if len(parts) == 2 and is_collection(parts[0]) else None
        module = f"CommonModule.{receiver}" if len(parts) == 1 else ""
        wanted, proof = (name.full_name, "manager") if name else (module, "common-module")
        if not wanted or not self._having(wanted):
            return CallTarget(None, "elsewhere") if name else self._through_variable(caller, receiver, rows)
        if self._is_hidden(caller, parts[0]):
            return CallTarget(None, "variable")
        return self._exported(caller, rows, wanted, proof)

    def _exported(self, caller: ChunkRow, rows: list[ChunkRow], wanted: str, proof: str) -> CallTarget:
        """Return the exported procedure of a common module or a manager, in the caller's root or its base."""
        owners = {fold(item.russian_name) for item in self._having(wanted)}
        exported = [
            row
            for row in rows
            if row.export and row.owner and fold(row.owner) in owners and (proof != "manager" or row.module == _MANAGER)
        ]
        near = nearest_roots(self._symbols.extensions, caller.root, [row.root for row in exported])
        found = sorted((row for row in exported if row.root in near), key=lambda row: row.root != caller.root)
        if not found:
            return CallTarget(None, "elsewhere")
        certain = len(found) == 1 or self._symbols.extensions.related(found[0].root, caller.root)
        # several alike in configurations that have nothing to do with the caller's prove nothing
        return CallTarget(found[0], proof) if certain else CallTarget(None, "unknown")

    def _through_variable(self, caller: ChunkRow, name: str, rows: list[ChunkRow]) -> CallTarget:
        """Return the procedure of the module that a variable is given by its name: `М = ОбщийМодуль("Почта")`.

        That is how libraries call what may be absent, but it proves nothing: a function may return anything.
        """
        modules = self._given(caller).get(fold(name), set())
        if len(modules) != 1 or "" in modules:
            return CallTarget(None, "unknown")
        wanted = f"CommonModule.{next(iter(modules))}"
        if not self._having(wanted):
            return CallTarget(None, "elsewhere")
        return self._exported(caller, rows, wanted, "module-variable")

    def _global(self, caller: ChunkRow, rows: list[ChunkRow]) -> ChunkRow | None:
        """Return the exported procedure of a global common module."""
        exported = [row for row in rows if row.export and row.owner and row.owner.startswith("ОбщийМодуль.")]
        found = [
            row
            for row in exported
            if self._symbols.extensions.related(row.root, caller.root)
            and any("Global" in item.flags and item.root == row.root for item in self._having_russian(row.owner))
        ]
        return found[0] if len(found) == 1 else None

    def _is_hidden(self, caller: ChunkRow, name: str) -> bool:
        """Return whether a parameter, a variable or the object's own attribute has the name of a module."""
        if fold(name) in map(fold, caller.parameters):
            return True
        if caller.module in ("МодульОбъекта", "МодульНабораЗаписей"):
            fields = (part for item in self._having_russian(caller.owner) for part in item.fields if not part.parent)
            if any(
                fold(part.name) == fold(name) for part in fields if part.kind not in ("form", "command", "template")
            ):
                return True
        assigned = rf"(?:^|;)\s*{re.escape(name)}\s*=|\b(?:каждого|each|для|for|перем|var)\s+{re.escape(name)}\b"
        return re.search(assigned, self._text(caller), re.IGNORECASE | re.MULTILINE) is not None

    def _given(self, caller: ChunkRow) -> dict[str, set[str]]:
        """Return for each variable of a chunk the names of the modules that it is given, empty for anything else."""
        if self._assigned[0] != caller.id:
            found: dict[str, set[str]] = {}
            # most chunks ask for no module by its name, and their texts need no reading
            query = (
                "SELECT chunk FROM forward WHERE chunk = ? "
                "AND (instr(calls, 'ОбщийМодуль') OR instr(calls, 'CommonModule'))"
            )
            if self._symbols.catalog.chunk_rows(query, caller.id):
                for match in _ASSIGNED.finditer(self._text(caller)):
                    found.setdefault(fold(match[1]), set()).add(match[2] or "")
            self._assigned = caller.id, found
        return self._assigned[1]

    def _text(self, caller: ChunkRow) -> str:
        if self._last[0] != caller.id:
            self._last = caller.id, self._symbols.catalog.text(caller.id)
        return self._last[1]

    def _having_russian(self, owner: str | None) -> list[MetadataObject]:
        name = object_name(owner.split(".")) if owner else None
        return self._having(name.full_name) if name and not name.rest else []

    def _having(self, full_name: str) -> list[MetadataObject]:
        key = fold(full_name)
        if key not in self._objects:
            self._objects[key] = objects_named(self._symbols.catalog, full_name)
        return self._objects[key]

    def _rows(self, name: str) -> list[ChunkRow]:
        key = fold(name)
        if key not in self._named:
            self._named[key] = self._symbols.named(name)
        return self._named[key]
