"""Decodes an ordinary form from its brace list, as Form.bin holds it and as v8unpack takes it apart.

`[27, [.., title, root panel, ..], [main attribute, last id, attributes, bindings], object events, events, …]`; an
element is `[class, id, description, place, [14, "Name", …], children]` (v8unpack.md 1.2, 1.5, 1.7). v8unpack moves
elements and attributes into the elem.json, but knows two layouts only; in others the whole stays in the body.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bsl_scout.configuration.braces import at, literal, number

from .model import Element, Form, FormAttribute, FormPlace, FormWarning
from .v8_chains import FormNames, NamedAttribute, Segment, read_chain, resolve_chain
from .v8_events import ORDINARY_CLASSES, ordinary_actions, ordinary_handlers
from .v8_titles import find_title, title
from .v8_types import read_types
from .v8_uuids import FindUuid

MENU_BUTTON = "CommandBarButton"
# classes whose description has a caption
_WITH_TITLE = frozenset({"Label", "Button", "CheckBox", "RadioBtn", "Group"})
# [class, id, description, place, name, children]; charts and schemas have one part more before the place
_ELEMENT_SIZES = (6, 7)
_NAME_MARK = "14"


@dataclass(frozen=True, slots=True)
class RawElement:
    """An element as it stands in the source, and the name of the panel it lies on."""

    raw: list[object]
    parent: str | None


def read_ordinary(
    place: FormPlace,
    body: object,
    find_uuid: FindUuid,
    elements: list[RawElement] | None = None,
    attributes: list[object] | None = None,
    warnings: tuple[FormWarning, ...] = (),
) -> Form:
    """Return the form of a body; elements and attributes are those of the elem.json, None: the body has them."""
    told = list(warnings)
    if not isinstance(at(body, 1), list) or not isinstance(at(body, 2), list):
        told.append(FormWarning("layout-unknown", "the layout of the form is not recognised"))
        return Form(place, warnings=tuple(told))
    if elements is None:
        elements = _elements_of(at(body, 1, 2), told)
    if attributes is None:
        attributes = counted(at(body, 2, 2))
        if attributes is None:
            told.append(FormWarning("attributes-unknown", "the list of the form's attributes is not recognised"))
    read, named = _attributes(attributes or [], at(body, 2, 0, 0), find_uuid, told)
    names = FormNames(find_uuid, named)
    table = _bindings(at(body, 2, 3), told)
    events = [
        *ordinary_handlers(at(body, 4), "Form"),
        # the root panel is no element of its own
        *ordinary_handlers(at(body, 1, 2, 1), "Panel"),
        *ordinary_handlers(at(body, 3), "Object"),
    ]
    found: list[Element] = []
    for item in elements:
        found += _element(item, table, names, told)
    return Form(place, tuple(found), tuple(read), events=tuple(events), warnings=tuple(told))


def counted(node: object) -> list[object] | None:
    """Return the items of `[n, item, …]`, None when the node is something else."""
    if not isinstance(node, list) or not node or number(node[0]) != len(node) - 1:
        return None
    return node[1:]


def element_name(raw: object) -> str | None:
    """Return the name of an element, None when the node is none."""
    if not isinstance(raw, list) or len(raw) not in _ELEMENT_SIZES or at(raw[-2], 0) != _NAME_MARK:
        return None
    return literal(at(raw[-2], 1)) or None


def _elements_of(panel: object, told: list[FormWarning]) -> list[RawElement]:
    """Return all elements of the root panel `[class, description, children]`, parents before their children."""
    found: list[RawElement] = []
    if not isinstance(panel, list) or len(panel) != 3:
        told.append(FormWarning("layout-unknown", "the root panel of the form is not recognised"))
        return found
    stack: list[tuple[object, str | None]] = [(panel[2], None)]
    while stack:
        node, parent = stack.pop()
        if isinstance(node, RawElement):
            found.append(node)
            continue
        children = counted(node)
        if children is None:
            where = parent or "the root panel"
            told.append(FormWarning("children-unknown", f"the children of {where} are not recognised", parent))
            continue
        later: list[tuple[object, str | None]] = []
        for raw in children:
            name = element_name(raw)
            if name is None or not isinstance(raw, list):
                told.append(FormWarning("element-unknown", f"an element of {parent or 'the root panel'} is not known"))
                continue
            later.append((RawElement(raw, parent), None))
            later.append((raw[-1], name))
        stack.extend(reversed(later))
    return found


def _attributes(
    nodes: list[object], main: object, find_uuid: FindUuid, told: list[FormWarning]
) -> tuple[list[FormAttribute], dict[str, NamedAttribute]]:
    read: list[FormAttribute] = []
    named: dict[str, NamedAttribute] = {}
    for node in nodes:
        # [[id], 0, 0, 1, "Name", types]; in layout 26 the name stands one place earlier
        own = at(node, 0, 0)
        name = literal(at(node, 4)) or literal(at(node, 3))
        if not isinstance(own, str) or name is None or not isinstance(node, list):
            told.append(FormWarning("attribute-unknown", "an attribute of the form is not recognised"))
            continue
        types = read_types(node[-1], None, find_uuid)
        read.append(FormAttribute(name, types, own == main, id=own))
        # two attributes with one id: neither is proven
        named[own] = NamedAttribute(name, types) if own not in named else NamedAttribute("", ())
    for own in [own for own, attribute in named.items() if not attribute.name]:
        told.append(FormWarning("attribute-unknown", f"the id {own} belongs to several attributes"))
        del named[own]
    return read, named


def _bindings(node: object, told: list[FormWarning]) -> Mapping[str, tuple[Segment, ...]]:
    """Return the binding table `[n, [element id, chain], …]` by element id."""
    rows = counted(node)
    if rows is None:
        told.append(FormWarning("bindings-unknown", "the table of bindings is not recognised"))
        return {}
    table: dict[str, tuple[Segment, ...]] = {}
    twice: set[str] = set()
    for row in rows:
        own, chain = at(row, 0), read_chain(at(row, 1))
        if not isinstance(own, str) or not chain:
            told.append(FormWarning("bindings-unknown", "a row of the table of bindings is not recognised"))
            continue
        if own in table:
            twice.add(own)
        table[own] = chain
    for own in twice:
        told.append(FormWarning("bindings-unknown", f"the element with the id {own} is bound more than once"))
        del table[own]
    return table


def _element(
    item: RawElement, table: Mapping[str, tuple[Segment, ...]], names: FormNames, told: list[FormWarning]
) -> Iterator[Element]:
    """Yield an element and the buttons of its menu."""
    raw, name = item.raw, element_name(item.raw)
    own, kind = at(raw, 1), at(raw, 0)
    if name is None or not isinstance(own, str) or not isinstance(kind, str):
        told.append(FormWarning("element-unknown", "an element of the form is not recognised"))
        return
    family = ORDINARY_CLASSES.get(kind)
    if family is None:
        told.append(FormWarning("class-unknown", f"the class {kind[:36]} of the element {name} is not known", name))
        family = kind
    bound = resolve_chain(table.get(own, ()), names)
    if bound.problem:
        told.append(FormWarning("binding-unproven", f"{name}: {bound.problem}", name))
    buttons = list(ordinary_actions(at(raw, 2)))
    yield Element(
        name,
        family,
        item.parent,
        own,
        find_title(raw[2]) if family in _WITH_TITLE else {},
        bound.path,
        proof=bound.proof,
        handlers=tuple(ordinary_handlers(raw[2], family)),
        problem=bound.problem,
    )
    for uuid, button, handler, caption in buttons:
        if not button:
            told.append(FormWarning("button-unknown", f"a button of {name} has no name", name))
        yield Element(
            button or uuid,
            MENU_BUTTON,
            name,
            uuid,
            title(caption) or {},
            handlers=(handler,) if handler else (),
        )
