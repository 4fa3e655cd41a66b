"""Decodes a binding of the platform's own notation, `[n, segment, …]`, into a data path with its proof.

A segment is `[id]` (attribute of the form, its column, field of its list), `[-k]` (standard attribute),
`["0", uuid]` (attribute or tabular section of the object) or `[id, uuid]` (a column that the form adds to a table
of the object, an element whose current row is meant). Names are never evidence (v8unpack.md 1.4 and 1.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bsl_scout.configuration.braces import is_uuid

from .v8_uuids import FindUuid

# marks the id of an element: `[id, uuid]`
ELEMENT_UUID = "02023637-7868-4a5f-8576-835a76e0c9ba"
# marks the id of a column added to a table of the object
ADDED_COLUMN_UUID = "5bdad865-f2c5-434b-8041-ba4aad3b6687"

# kind of the generated type of the form's attribute -> id -> standard attribute (v8unpack.md 1.4)
_STANDARD: dict[str, dict[int, str]] = {
    kind: {-int(number): name for number, _, name in (pair.partition(":") for pair in pairs)}
    for kind, *pairs in (
        line.split()
        for line in """
CatalogObject 2:Code 3:Description 4:Parent 5:Owner
DocumentObject 2:Number 3:Date
BusinessProcessObject 2:Number 3:Date 7:Completed 8:HeadTask 9:Started
TaskObject 2:Number 3:Date 7:BusinessProcess 8:RoutePoint 9:Description 10:Executed
ExchangePlanObject 2:Code 3:Description 9:SentNo 10:ReceivedNo
ChartOfCharacteristicTypesObject 6:Parent 8:Code 9:Description 11:ValueType
ChartOfAccountsObject 6:Parent 7:Code 8:Description 10:Type 11:OffBalance
InformationRegisterRecordManager 2:Period
""".strip().splitlines()
    )
}
_LINE_NUMBER = -2

Segment = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """A data path and its proof; without a proof the path is None and `problem` says why; neither: not bound."""

    path: str | None = None
    proof: str | None = None
    problem: str | None = None


@dataclass(slots=True)
class NamedAttribute:
    """An attribute of the form as bindings see it: its name, types, columns by id, fields of its list by id."""

    name: str
    types: tuple[str, ...] = ()
    columns: dict[str, str] = field(default_factory=dict)
    list_fields: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class FormNames:
    """What a form itself names: attributes by id, columns added to tables by address, elements by id."""

    find_uuid: FindUuid
    attributes: dict[str, NamedAttribute] = field(default_factory=dict)
    tables: dict[tuple[Segment, ...], dict[str, str]] = field(default_factory=dict)
    elements: Mapping[str, str] = field(default_factory=dict)


def read_chain(node: object) -> tuple[Segment, ...] | None:
    """Return the segments of `[n, segment, …]`, empty when not bound, None when the node is something else."""
    if not isinstance(node, list) or not node or not isinstance(node[0], str) or node[0] != str(len(node) - 1):
        return None
    segments: list[Segment] = []
    for item in node[1:]:
        if not isinstance(item, list) or not 1 <= len(item) <= 2 or not all(isinstance(part, str) for part in item):
            return None
        segment = tuple(str(part) for part in item)
        if not _is_number(segment[0]) or (len(segment) == 2 and not is_uuid(segment[1])):
            return None
        segments.append(segment)
    return tuple(segments)


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 10


def resolve_chain(chain: Sequence[Segment], names: FormNames) -> Binding:
    """Return the data path of a chain, or why it is not proven."""
    if not chain:
        return Binding()
    head = chain[0]
    if len(head) == 2 or head[0].startswith("-"):
        if head[-1] == ELEMENT_UUID:
            element = names.elements.get(head[0])
            row = f"the element {element}" if element else f"an element with the unknown id {head[0]}"
            return Binding(problem=f"bound to a part of {row}: such a chain is not decoded")
        if head == ("-2",):
            return Binding(problem="bound to the current row of a table: such a chain is not decoded")
        return Binding(problem=f"bound to something that is no attribute of the form: {_shown(chain)}")
    attribute = names.attributes.get(head[0])
    if attribute is None:
        return Binding(problem=f"bound to an attribute with the unknown id {head[0]}")
    if len(chain) == 1:
        return Binding(attribute.name, "attribute-id")
    if attribute.list_fields and all(len(segment) == 1 for segment in chain[1:]):
        return _list_field(chain, attribute)
    return _below(chain, attribute, names)


def _list_field(chain: Sequence[Segment], attribute: NamedAttribute) -> Binding:
    """Return the path of a field of a dynamic list; `[10], [37]` is `Контакт` and `Контакт.Контрагент`."""
    found = ""
    for segment in chain[1:]:
        name = attribute.list_fields.get(segment[0])
        if name is None or (found and not name.startswith(f"{found}.")):
            return Binding(problem=f"bound to a field with the unknown id {segment[0]} of the list {attribute.name}")
        found = name
    return Binding(f"{attribute.name}.{found}", "list-field")


def _below(chain: Sequence[Segment], attribute: NamedAttribute, names: FormNames) -> Binding:
    path, proof = attribute.name, "attribute-id"
    # full name of the object the attribute holds, once a uuid has told it; the tabular section the chain is in
    owner, section = _owner(attribute.types), None
    for position, segment in enumerate(chain[1:], start=1):
        name: str | None = None
        where = f"below {path}"
        if len(segment) == 2 and segment[0] == "0":
            meaning = names.find_uuid(segment[1])
            if meaning is None:
                return Binding(problem=f"bound to a field with the unknown uuid {segment[1]} {where}")
            fits = meaning.parent == section and meaning.owner == owner if owner else False
            if not fits or meaning.kind in ("object", "type"):
                return Binding(problem=f"bound to {meaning.owner}.{meaning.name}, which is no field {where}")
            name, proof = meaning.name, "metadata-uuid"
            section = meaning.name if meaning.kind == "tabular_section" and section is None else section
            # behind an attribute only a column that the form adds to its table is proven
            if meaning.kind != "tabular_section" and not _added(chain[position + 1 :]):
                return Binding(problem=f"bound through the attribute {path}.{name}: such a chain is not decoded")
        elif len(segment) == 1 and segment[0].startswith("-"):
            name, proof = _standard(attribute.types, section, int(segment[0]), position), "standard-attribute"
        elif len(segment) == 1 and position == 1:
            name, proof = attribute.columns.get(segment[0]), "child-id"
        else:
            table = names.tables.get(tuple(chain[:position]), {})
            known = len(segment) == 1 or segment[1] == ADDED_COLUMN_UUID
            name, proof = table.get(segment[0]) if known else None, "table-address"
        if name is None:
            return Binding(problem=f"bound to {_shown([segment])} {where}, which is not known")
        path = f"{path}.{name}"
    return Binding(path, proof)


def _added(rest: Sequence[Segment]) -> bool:
    """Return whether nothing follows, or just a column that the form adds."""
    return not rest or (len(rest) == 1 and rest[0][-1] == ADDED_COLUMN_UUID)


def _owner(types: tuple[str, ...]) -> str | None:
    """Return the full name of the object that a type holds the data of: `CatalogObject.X` -> `Catalog.X`."""
    if len(types) != 1:
        return None
    kind, dot, name = types[0].partition(".")
    for suffix in ("Object", "RecordManager", "RecordSet"):
        if dot and kind.endswith(suffix):
            return f"{kind.removesuffix(suffix)}.{name}"
    return None


def _standard(types: tuple[str, ...], section: str | None, number: int, position: int) -> str | None:
    if section is not None:
        return "LineNumber" if number == _LINE_NUMBER and position == 2 else None
    if len(types) != 1 or position != 1:
        return None
    return _STANDARD.get(types[0].partition(".")[0], {}).get(number)


def _shown(chain: Sequence[Segment]) -> str:
    return ", ".join("/".join(segment) for segment in chain)
