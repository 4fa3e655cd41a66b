"""What a procedure is: its signature, its place and its comment."""

from __future__ import annotations

from dataclasses import dataclass

from bsl_scout.bsl.text import fold
from bsl_scout.index.schema import ChunkRow

from .symbols import SymbolTable


@dataclass(frozen=True, slots=True)
class Card:
    """A procedure to show: its header line as written, its comment, the object and module it belongs to."""

    header: str
    doc: str
    place: str


def procedure_card(symbols: SymbolTable, path: str | None, receiver: str | None, name: str) -> Card | None:
    """Return the card of the procedure that a name in a module stands for, None when that is not certain.

    An unqualified name is a procedure of the same module; `Модуль.Имя` an exported one of that common module.
    """
    rows = symbols.named(name)
    if receiver:
        owners = {f"общиймодуль.{fold(receiver)}", f"commonmodule.{fold(receiver)}"}
        rows = [row for row in rows if row.export and row.owner and fold(row.owner) in owners]
    else:
        rows = [row for row in rows if row.path == path]
    return _card(symbols, rows[0]) if rows else None


def _card(symbols: SymbolTable, row: ChunkRow) -> Card:
    lines = symbols.catalog.text(row.id).split("\n")
    above = row.line - row.text_line
    doc = [line.strip().lstrip("/").strip() for line in lines[:above] if line.strip().startswith("//")]
    header = lines[above].strip() if above < len(lines) else row.name
    place = f"{row.owner} · {row.words}" if row.owner else row.path
    return Card(header, "\n".join(doc), place)
