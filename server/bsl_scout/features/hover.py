"""What a procedure is: its signature, its place, its comment, and who calls it by metadata."""

from __future__ import annotations

from dataclasses import dataclass

from bsl_scout.bsl.text import fold
from bsl_scout.configuration.full_names import object_name
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.index.object_store import objects_linked_to
from bsl_scout.index.schema import ChunkRow

from .changes import Made, Suffered, nearest_roots
from .symbols import SymbolTable


@dataclass(frozen=True, slots=True)
class Card:
    """A procedure to show: its header line as written, its comment, the object and module it belongs to.

    `called_by` are the subscriptions, jobs and services that name it, in Russian; `changes` is what it changes as
    a procedure of an extension, `changed_by` what extensions change of it.
    """

    header: str
    doc: str
    place: str
    called_by: tuple[str, ...] = ()
    changes: tuple[Made, ...] = ()
    changed_by: tuple[Suffered, ...] = ()


def find_procedure(symbols: SymbolTable, path: str | None, receiver: str | None, name: str) -> ChunkRow | None:
    """Return the procedure that a name in a module stands for, None when that is not certain.

    An unqualified name is a procedure of the same module; `Модуль.Имя` an exported one of that common module, in
    the root of the module or in its base when these have one.
    """
    rows = symbols.named(name)
    if receiver:
        owners = {f"общиймодуль.{fold(receiver)}", f"commonmodule.{fold(receiver)}"}
        rows = [row for row in rows if row.export and row.owner and fold(row.owner) in owners]
        if len({row.root for row in rows}) > 1:
            file = symbols.catalog.file(path) if path else None
            own = file.root if file else None
            near = nearest_roots(symbols.extensions, own, [row.root for row in rows])
            rows = sorted((row for row in rows if row.root in near), key=lambda row: row.root != own)
    else:
        rows = [row for row in rows if row.path == path]
    return rows[0] if rows else None


def procedures_of(symbols: SymbolTable, item: MetadataObject, name: str) -> list[ChunkRow]:
    """Return the procedures of this name in the own modules of an object (a service, a common module)."""
    owner = fold(item.russian_name)
    return [row for row in symbols.named(name) if row.root == item.root and row.owner and fold(row.owner) == owner]


def callers_by_metadata(symbols: SymbolTable, row: ChunkRow) -> list[MetadataObject]:
    """Return the subscriptions, scheduled jobs and services that name a procedure, in path order."""
    found = object_name(row.owner.split(".")) if row.owner else None
    if found is None or found.rest:
        return []
    target = f"{found.full_name}.{row.name}"
    linked = objects_linked_to(symbols.catalog, target, ("handler", "method"))
    related = (item for item in linked if symbols.extensions.related(item.root, row.root))
    return [item for item in related if item.root == row.root or item.kind in ("EventSubscription", "ScheduledJob")]


def procedure_card(symbols: SymbolTable, row: ChunkRow) -> Card:
    """Return the card of a procedure."""
    lines = symbols.catalog.text(row.id).split("\n")
    above = row.line - row.text_line
    doc = [line.strip().lstrip("/").strip() for line in lines[:above] if line.strip().startswith("//")]
    header = lines[above].strip() if above < len(lines) else row.name
    place = f"{row.owner} · {row.words}" if row.owner else row.path
    callers = tuple(item.russian_name for item in callers_by_metadata(symbols, row))
    table = symbols.extensions
    return Card(
        header,
        "\n".join(doc),
        place,
        callers,
        table.made_by(row.path, row.name),
        table.made_to(row.path, row.name),
    )
