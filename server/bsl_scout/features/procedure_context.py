"""What there is to tell of a procedure: its text, what it calls, who calls it, the object that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bsl_scout.bsl.chunks import Chunk, outline
from bsl_scout.bsl.nearest import MOST, nearest
from bsl_scout.bsl.scanner import Parameter, scan
from bsl_scout.bsl.text import LineIndex, decode, fold, unix
from bsl_scout.configuration.full_names import object_name
from bsl_scout.encoding.pairs import description
from bsl_scout.forms.model import Form
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.object_store import objects_named
from bsl_scout.index.schema import ChunkRow
from bsl_scout.index.symbol_names import procedure_names

from .call_targets import CERTAIN, CallTargets
from .callers import Callers, callers_of, parts_of
from .changes import Made, Suffered
from .form_lenses import handled_by
from .form_store import FormStore
from .hover import callers_by_metadata
from .object_card import ObjectCard, object_card
from .objects import Named
from .symbols import SymbolTable

_MOST_DOC = 160


@dataclass(frozen=True, slots=True)
class Signature:
    """A called procedure: where it is, its signature, what its comment says first, the proof of the call."""

    place: str
    signature: str
    doc: str
    proof: str


@dataclass(frozen=True, slots=True)
class ProcedureContext:
    """All that is told of a procedure; `unresolved` are calls of which it is not known what they call.

    `bindings` are the events and commands of its form that it handles, `metadata` the subscriptions, jobs and
    services that name it, `card` that of its object.
    """

    name: str
    place: str
    path: str
    text: str
    calls: tuple[Signature, ...]
    unresolved: tuple[str, ...]
    callers: Callers
    bindings: tuple[str, ...]
    metadata: tuple[str, ...]
    changes: tuple[Made, ...]
    changed_by: tuple[Suffered, ...]
    card: ObjectCard | None


def procedure_context(symbols: SymbolTable, row: ChunkRow, module: str, form: Form | None) -> ProcedureContext:
    """Return the context of a procedure; `module` is the text of its module, `form` the form that the module is of."""
    chunk = next((one for one in outline(module) if one.key == row.key), None)
    table = symbols.extensions
    calls, unresolved = _calls(symbols, row)
    return ProcedureContext(
        row.name,
        place_of(row),
        row.path,
        _text(symbols.catalog, row, chunk),
        calls,
        unresolved,
        callers_of(symbols, row),
        tuple(handled_by(form, row.name)) if form else (),
        tuple(item.russian_name for item in callers_by_metadata(symbols, row)),
        table.made_by(row.path, row.name),
        table.made_to(row.path, row.name),
        _card(symbols, row),
    )


def named_context(top: Path, catalog: Catalog, name: str) -> tuple[list[ChunkRow], ProcedureContext | None]:
    """Return the procedures below `top` that a name may mean and, when it is one, its context; raises OSError."""
    symbols = SymbolTable(catalog)
    rows = procedures_named(symbols, name)
    if len(rows) != 1:
        return rows, None
    store = FormStore(top, catalog)
    place = store.place(rows[0].path)
    module = decode((top / rows[0].path).read_bytes()).text
    return rows, procedure_context(symbols, rows[0], module, store.form(place) if place else None)


def procedures_named(symbols: SymbolTable, name: str) -> list[ChunkRow]:
    """Return the procedures that a name may mean: `Имя`, `Модуль.Имя`, `ОбщийМодуль.Модуль.Имя`, or `path:line`."""
    path, _, line = name.rpartition(":")
    if path and line.isdecimal():
        number = int(line) - 1
        rows = symbols.catalog.procedures(path.replace("\\", "/"))
        return [row for row in rows if row.text_line <= number <= row.end_line]
    owner, _, own = name.rpartition(".")
    return [row for row in symbols.named(own) if not owner or _belongs(row, owner)]


def similar_procedures(symbols: SymbolTable, name: str) -> list[ChunkRow]:
    """Return the procedures that are nearest to a name of none: of that name in other modules, else called nearly so,
    those of the named module first. Of a place there are none.
    """
    path, _, line = name.rpartition(":")
    if path and line.isdecimal():
        return []
    owner, _, own = name.rpartition(".")
    near = nearest(own, (one for _, one in procedure_names(symbols.catalog)))
    rows = symbols.named(own) or [row for one in near for row in symbols.named(one)]
    return sorted(rows, key=lambda row: not (owner and _belongs(row, owner)))[:MOST]


def module_problem(catalog: Catalog, name: str) -> str:
    """Return what is wrong with the module of a `path:line`, as that it is empty; empty when there is nothing."""
    path = name.rpartition(":")[0].replace("\\", "/")
    return next((problem.message for problem in catalog.problems() if problem.path == path), "")


def _belongs(row: ChunkRow, owner: str) -> bool:
    """Return whether a procedure is of the module that is written so: the last names of its owner, in any case."""
    written, own = fold(owner).split("."), fold(f"{row.owner}.{row.module}" if row.owner else row.path).split(".")
    return any(own[start : start + len(written)] == written for start in range(len(own)))


def place_of(row: ChunkRow) -> str:
    """Return what a procedure belongs to, in one row."""
    return f"{row.owner} · {row.words}" if row.owner else row.path


def _text(catalog: Catalog, row: ChunkRow, chunk: Chunk | None) -> str:
    """Return the procedure with its comment and annotations as the module has it, else as the index does."""
    if chunk:
        # what an editor holds has the line ends of its file
        return unix(chunk.text).strip("\n")
    return catalog.text(row.id).strip("\n")


def _calls(symbols: SymbolTable, row: ChunkRow) -> tuple[tuple[Signature, ...], tuple[str, ...]]:
    """Return what a procedure calls, the first call first, and the calls of receivers that are not known."""
    catalog, targets = symbols.catalog, CallTargets(symbols)
    found: dict[int, Signature] = {}
    unresolved: dict[str, None] = {}
    for part in parts_of(catalog, row):
        for call in catalog.calls(part.id):
            target = targets.of(part, call)
            called = target.procedure
            if called and called.id != row.id and called.id not in found:
                found[called.id] = _signature(catalog, called, target.proof)
            elif called is None and target.proof != "elsewhere":
                unresolved[f"{call.receiver}.{call.name}" if call.receiver else call.name] = None
    ordered = sorted(found.values(), key=lambda one: one.proof not in CERTAIN)
    return tuple(ordered), tuple(unresolved)


def _signature(catalog: Catalog, row: ChunkRow, proof: str) -> Signature:
    text = catalog.text(row.id)
    procedure = next(iter(scan(text, LineIndex(text))), None)
    doc = description(procedure.doc) if procedure else ""
    short = doc if len(doc) <= _MOST_DOC else f"{doc[: _MOST_DOC - 1]}…"
    if procedure is None:
        return Signature(place_of(row), row.name, "", proof)
    keyword = text[procedure.start :].split(procedure.name, 1)[0].split()[-1]
    parameters = ", ".join(_parameter(one, keyword) for one in procedure.parameters)
    export = (" Экспорт" if _is_russian(keyword) else " Export") if procedure.export else ""
    return Signature(place_of(row), f"{keyword} {procedure.name}({parameters}){export}", short, proof)


def _parameter(one: Parameter, keyword: str) -> str:
    value = ("Знач " if _is_russian(keyword) else "Val ") if one.by_value else ""
    return f"{value}{one.name} = {one.default}" if one.default else f"{value}{one.name}"


def _is_russian(keyword: str) -> bool:
    return keyword[0] in "ПпФф"


def _card(symbols: SymbolTable, row: ChunkRow) -> ObjectCard | None:
    name = object_name(row.owner.split(".")) if row.owner else None
    items = objects_named(symbols.catalog, name.full_name) if name else []
    own = next((item for item in items if item.root == row.root), None)
    return object_card(symbols, Named(own)) if own else None
