"""Binds a form that was read: handlers to procedures of its own module, elements to what their data paths name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bsl_scout.bsl.scanner import scan
from bsl_scout.bsl.text import LineIndex

from .event_order import in_order
from .model import Element, FindObject, Form, FormAttribute, FormWarning, Handler
from .queries import query_field
from .types import (
    Member,
    field_by_uuid,
    members,
    object_member,
    object_of_type,
    section_of_type,
    standard_by_number,
)
from .written import is_identifiers

_INDEX = re.compile(r"\[\d+\]$")
_CURRENT = {"currentdata": ("CurrentData", "ТекущиеДанные")}
_ITEMS = ("Items", "Элементы")
_ROWS_COUNT = Member(("Number",), "RowsCount", "КоличествоСтрок")
_TABLES = frozenset({"ValueTable", "ValueTree"})
# virtual tables whose fields are those of the table itself
_SAME_FIELDS = frozenset({"slicelast", "slicefirst", "tasksbyexecutive", "tasksbyperformer"})
_FORM_COMMAND = "Form.Command."
_JUNK_COMMAND = re.compile(r"\d+(?::[0-9a-fA-F-]{36})?")

Procedures = Mapping[str, int]


def module_procedures(text: str) -> dict[str, int]:
    """Return the 0-based lines of a module's procedures by their names without case; of equal names the first."""
    found: dict[str, int] = {}
    for procedure in scan(text, LineIndex(text)):
        found.setdefault(procedure.name.casefold(), procedure.line)
    return found


def bind(
    form: Form,
    procedures: Procedures,
    find_object: FindObject,
    russian: bool,
    base: tuple[FormAttribute, ...] = (),
) -> Form:
    """Return the form with its handlers found in the procedures, and its paths decoded, typed and shown.

    A path is shown in Russian or English, as the configuration's script is. What is not known stays so: types ()
    for what cannot be resolved, no path for one of identifiers that stand for nothing known. `base` are the
    attributes of the form that an extension's form adopts, which its own source need not repeat.
    """
    binder = _Binder(form, find_object, russian, base)
    ordered = in_order if form.place.kind == "managed" else lambda _, handlers: handlers
    elements = [
        replace(item, handlers=ordered(item.type, _found(item.handlers, procedures)))
        for item in map(binder.element, form.elements)
    ]
    main = [name for item in form.attributes if item.main for name in item.types]
    kind = "DocumentForm" if any(name.startswith("DocumentObject.") for name in main) else "Form"
    return replace(
        form,
        elements=tuple(elements),
        commands=tuple(replace(item, actions=_found(item.actions, procedures)) for item in form.commands),
        events=ordered(kind, _found(form.events, procedures)),
        warnings=(*form.warnings, *binder.warnings),
    )


def _found(handlers: tuple[Handler, ...], procedures: Procedures) -> tuple[Handler, ...]:
    bound = []
    for item in handlers:
        line = procedures.get(item.procedure.casefold())
        bound.append(replace(item, found=line is not None, line=line))
    return tuple(bound)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a path has led so far: its types, the attribute it began with and the names behind it."""

    types: tuple[str, ...]
    attribute: FormAttribute | None = None
    names: tuple[str, ...] = ()


class _Binder:
    def __init__(self, form: Form, find_object: FindObject, russian: bool, base: tuple[FormAttribute, ...]) -> None:
        self._place = form.place
        self._find_object = find_object
        self._russian = russian
        self._attributes = {item.name.casefold(): item for item in (*base, *form.attributes)}
        self._by_id = {item.id: item for item in (*base, *form.attributes) if item.id}
        self._elements = {item.name.casefold(): item for item in form.elements}
        self._commands = {item.name.casefold() for item in form.commands}
        self._fields: dict[tuple[str, str], Member | None] = {}
        self._told = {(item.element, item.text.removeprefix(f"{item.element}: ")) for item in form.warnings}
        self.warnings: list[FormWarning] = []

    def element(self, item: Element) -> Element:
        """Return the element with its path decoded, typed and shown, or with what is wrong with it."""
        unknown = self._command_problem(item.command)
        if unknown:
            self._tell("command-unknown", unknown, item)
        if item.problem:
            self._tell("path-unreadable", item.problem, item)
        path, proof = item.data_path, item.proof
        if path is None:
            problem = item.problem or unknown
            return replace(item, problem=problem) if problem else item
        if proof is None and is_identifiers(path):
            decoded = self._decoded(path)
            if decoded is None:
                problem, types = self._undecoded(path)
                self._tell("path-undecoded", problem, item)
                return replace(item, data_path=None, problem=problem, types=types)
            path, proof = decoded
        spot, shown, absent = self._follow(path.split("."))
        if absent:
            self._tell("path-absent", absent, item)
        return replace(
            item,
            data_path=path,
            proof=proof,
            types=(spot.types if spot else ()) or item.types,
            display_path=".".join(shown),
            problem=absent or unknown,
        )

    def _tell(self, code: str, text: str, item: Element) -> None:
        # a reader that decodes paths by itself has told it already
        if (item.name, text) not in self._told:
            self.warnings.append(FormWarning(code, text, item.name))

    def _command_problem(self, command: str | None) -> str | None:
        if command is None:
            return None
        if _JUNK_COMMAND.fullmatch(command):
            return f"the source names the command by an identifier that stands for nothing known: {command}"
        name = command.removeprefix(_FORM_COMMAND)
        if name != command and name.casefold() not in self._commands:
            return f"the form has no command {name}"
        return None

    # --- following a path by names

    def _follow(self, names: list[str]) -> tuple[_Spot | None, list[str], str | None]:
        """Return where a path leads (None when that is not known), how it is shown, and what is absent."""
        spot, shown, rest, absent = self._start(names)
        for name in rest:
            member = self._member(spot, _bare(name)) if spot else None
            if member is None or spot is None:
                spot = None
                shown.append(name)
                continue
            standard = (member.russian if self._russian else member.english) or _bare(name)
            shown.append(standard + name[len(_bare(name)) :])
            spot = _Spot(member.types, spot.attribute, (*spot.names, _bare(name)))
        return spot, shown, absent

    def _start(self, names: list[str]) -> tuple[_Spot | None, list[str], list[str], str | None]:
        head = _bare(names[0])
        attribute = self._attributes.get(head.casefold())
        if attribute:
            return _Spot(attribute.types, attribute), [names[0]], names[1:], None
        if _is_items(head) and len(names) > 1:
            return self._start_at_item(names)
        return None, [names[0]], names[1:], f"the form has no attribute {head}"

    def _start_at_item(self, names: list[str]) -> tuple[_Spot | None, list[str], list[str], str | None]:
        """Begin at an element of the form: `Items.Товары.CurrentData.Цена`."""
        shown = [_ITEMS[1] if self._russian else _ITEMS[0], names[1]]
        item = self._elements.get(names[1].casefold())
        if item is None:
            return None, shown, names[2:], f"the form has no element {names[1]}"
        current = _CURRENT.get(names[2].casefold()) if len(names) > 2 else None
        if current is None:
            return None, shown, names[2:], None
        shown.append(current[1] if self._russian else current[0])
        bound = item.data_path.split(".") if item.data_path and item.proof else None
        # a table of a table's current row could lead back here
        spot = self._follow(bound)[0] if bound and not _is_items(bound[0]) else None
        return spot, shown, names[3:], None

    def _member(self, spot: _Spot, name: str) -> Member | None:
        attribute = spot.attribute
        if attribute:
            where = ".".join((attribute.name, *spot.names)) if spot.names else None
            for column in attribute.columns:
                table = column.table.casefold() if column.table else None
                own = table in (None, attribute.name.casefold()) if where is None else table == where.casefold()
                if own and column.name.casefold() == name.casefold():
                    return Member(column.types)
            if not spot.names:
                if "DynamicList" in spot.types:
                    return self._list_field(attribute, name) or members(("DynamicList",), name, self._find_object)
                if name.casefold() == "value" and attribute.item_types:
                    return Member(attribute.item_types, "Value", "Значение")
        if name.casefold() == "rowscount" and _is_table(spot.types):
            return _ROWS_COUNT
        return members(spot.types, name, self._find_object)

    def _list_field(self, attribute: FormAttribute, name: str) -> Member | None:
        """Return a field of a dynamic list: of its main table, or as its query takes it from a table."""
        key = (attribute.name, name.casefold())
        if key not in self._fields:
            if attribute.query:
                self._fields[key] = query_field(attribute.query, attribute.main_table, name, self._find_object)
            else:
                table = own_table(attribute.main_table)
                self._fields[key] = object_member(table, name, self._find_object) if table else None
        return self._fields[key]

    # --- decoding a path of identifiers

    def _decoded(self, path: str) -> tuple[str, str] | None:
        """Return the names behind `1`, `1/3` or `1/0:<uuid>[/0:<uuid>]` and how they are proven.

        The first is the id of a form attribute; then the id of its column, the number of a standard attribute
        (`-4`), or uuids of metadata: of an attribute or tabular section of the object, of an attribute of that
        section (formats.md 3).
        """
        first, *rest = path.split("/")
        attribute = self._by_id.get(first)
        if attribute is None:
            return None
        names, types, proof = [attribute.name], attribute.types, "attribute-id"
        for part in rest:
            step = self._step(part, attribute if len(names) == 1 else None, types)
            if step is None:
                return None
            name, types, proof = step
            names.append(name)
        return ".".join(names), proof

    def _step(
        self, part: str, attribute: FormAttribute | None, types: tuple[str, ...]
    ) -> tuple[str, tuple[str, ...], str] | None:
        """Return name, types and proof of one identifier behind others; `attribute` when it is the first."""
        kind, _, uuid = part.partition(":")
        if not uuid and not kind.startswith("-"):
            columns = attribute.columns if attribute else ()
            column = next((item for item in columns if item.id == kind and item.table is None), None)
            return (column.name, column.types, "child-id") if column else None
        if kind != "0" and uuid:
            return None
        owners = [one for name in types if (one := _owner(name))]
        table = own_table(attribute.main_table) if attribute and "DynamicList" in types else None
        if table:
            owners = [(table, None)]
        found: set[str] = set()
        for owner, section in owners:
            if uuid:
                field = field_by_uuid(owner, uuid, self._find_object, section)
                found.update([field.name] if field else [])
            else:
                standard = standard_by_number(owner, int(kind), section)
                found.update([standard] if standard else [])
        if len(found) != 1:
            return None
        name = found.pop()
        member = object_member(table, name, self._find_object) if table else members(types, name, self._find_object)
        return name, member.types if member else (), "metadata-uuid" if uuid else "standard-attribute"

    def _undecoded(self, path: str) -> tuple[str, tuple[str, ...]]:
        """Return why a path is not decoded, and the types of the metadata attribute it ends at where known."""
        first, *rest = path.split("/")
        kind, _, uuid = rest[0].partition(":") if len(rest) == 1 else ("", "", "")
        owner = f"{self._place.object_type}.{self._place.object_name}"
        field = field_by_uuid(owner, uuid, self._find_object, None) if kind == "0" else None
        item = self._find_object(owner)
        if first not in self._by_id and field and item:
            told = f"the source has no attribute of the form with id {first}, of which the path {path} names"
            return f"{told} {item.field_name(field)}", field.types
        return f"the source writes the path by identifiers that stand for nothing known: {path}", ()


def own_table(main_table: str | None) -> str | None:
    """Return the object whose fields a main table has, None for a virtual table with other fields."""
    parts = (main_table or "").split(".")
    if len(parts) == 2 or (len(parts) == 3 and parts[2].casefold() in _SAME_FIELDS):
        return ".".join(parts[:2])
    return None


def _owner(type_name: str) -> tuple[str, str | None] | None:
    full_name = object_of_type(type_name)
    return (full_name, None) if full_name else section_of_type(type_name)


def _is_table(types: tuple[str, ...]) -> bool:
    return any(name in _TABLES or section_of_type(name) for name in types)


def _is_items(head: str) -> bool:
    return head.casefold() in ("items", "элементы")


def _bare(name: str) -> str:
    """Return a name without the index behind it: `Строки[0]` -> `Строки`."""
    return _INDEX.sub("", name)
