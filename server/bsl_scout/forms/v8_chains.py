"""Decodes a binding of the platform's own notation, `[n, segment, …]`, into a data path with its proof.

A segment is `[id]` (attribute of the form, its column, field of its list), `[-k]` (standard attribute),
`["0", uuid]` (attribute or tabular section of the object) or `[id, uuid]` (a column that the form adds to a table
of the object, an element whose current row is meant). Names are never evidence (v8unpack.md 1.4 and 1.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bsl_scout.configuration.braces import is_uuid
from bsl_scout.configuration.standard_attributes import TABULAR_SECTION, numbered_attribute

from .v8_uuids import FindUuid

# marks the id of an element: `[id, uuid]`
ELEMENT_UUID = "02023637-7868-4a5f-8576-835a76e0c9ba"
# marks the id of a column added to a table of the object
ADDED_COLUMN_UUID = "5bdad865-f2c5-434b-8041-ba4aad3b6687"

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
    """Return the path of a chain that goes into what an attribute of the form holds."""
    path, proof = attribute.name, "attribute-id"
    types, section = attribute.types, None
    for position, segment in enumerate(chain[1:], start=1):
        name: str | None = None
        if len(segment) == 2 and segment[0] == "0":
            meaning = names.find_uuid(segment[1])
            if meaning is None:
                return Binding(problem=f"bound to a field with the unknown uuid {segment[1]} below {path}")
            if meaning.kind in ("object", "type") or meaning.parent != section or meaning.owner not in _owners(types):
                return Binding(problem=f"bound to {meaning.owner}.{meaning.name}, which is no field of {path}")
            name, proof = meaning.name, "metadata-uuid"
            if meaning.kind == "tabular_section":
                section = meaning.name
            else:
                types, section = meaning.types, None
        elif len(segment) == 1 and segment[0].startswith("-"):
            name, proof = _standard(types, section, int(segment[0])), "standard-attribute"
            types, section = (), None
        elif len(segment) == 1 and position == 1:
            name, proof = attribute.columns.get(segment[0]), "child-id"
            types = ()
        elif len(segment) == 1 or segment[1] == ADDED_COLUMN_UUID:
            name, proof = names.tables.get(tuple(chain[:position]), {}).get(segment[0]), "table-address"
            types, section = (), None
        if name is None:
            return Binding(problem=f"bound to {_shown([segment])} below {path}, which is not known")
        path = f"{path}.{name}"
    return Binding(path, proof)


def _owners(types: tuple[str, ...]) -> set[str]:
    """Return the full names of the objects whose data a value of these types gives: `CatalogRef.X` -> `Catalog.X`."""
    found: set[str] = set()
    for name in types:
        kind, dot, own = name.partition(".")
        for suffix in ("Object", "Ref", "RecordManager", "RecordSet"):
            if dot and kind.endswith(suffix):
                found.add(f"{kind.removesuffix(suffix)}.{own}")
    return found


def _standard(types: tuple[str, ...], section: str | None, number: int) -> str | None:
    """Return the English name of a standard attribute by its number, of an object or of a tabular section's rows."""
    kinds = {TABULAR_SECTION} if section is not None else {owner.partition(".")[0] for owner in _owners(types)}
    found = {attribute.english for kind in kinds if (attribute := numbered_attribute(kind, number))}
    return found.pop() if len(kinds) == len(found) == 1 and (section is not None or len(types) == 1) else None


def _shown(chain: Sequence[Segment]) -> str:
    return ", ".join("/".join(segment) for segment in chain)
