"""Decodes a managed form of a v8unpack export: elements, attributes, commands, parameters, events.

The body is `[version, root element, module, attributes, parameters, commands, …]`. Where something stands in the
raw list of an element is computed from the counters in it, never fixed (v8unpack.md 1.2-1.4, 1.6, 1.7).
"""

from __future__ import annotations

from bsl_scout.configuration.braces import at, literal, number

from .model import Column, Element, Form, FormAttribute, FormCommand, FormParameter, FormPlace, FormWarning, Handler
from .v8_chains import FormNames, NamedAttribute, read_chain, resolve_chain
from .v8_elements import Placed, element_id, embedded, place_of
from .v8_events import ACTION, has_more_handlers, managed_handlers
from .v8_titles import title
from .v8_tree import Node
from .v8_types import read_types
from .v8_uuids import FindUuid

_LIST_TYPE = "DynamicList"
# commands of the platform by uuid, those seen in forms that exist as Form.xml too
_STANDARD_COMMANDS = {"198ea630-fda2-4cda-8a23-f999f4c67ee6": "CustomizeForm"}
# how an extension calls its procedure: the platform's code -> the word of Form.xml (seen in both formats)
_CALL_TYPES = {"1": "After"}


def read_managed(
    place: FormPlace,
    body: object,
    elem: dict[str, object],
    nodes: list[Node],
    find_uuid: FindUuid,
    warnings: tuple[FormWarning, ...] = (),
) -> Form:
    """Return the form of a body and an elem.json whose tree was walked already."""
    return _Reader(place, body, elem, find_uuid, list(warnings)).read(nodes)


class _Reader:
    def __init__(
        self, place: FormPlace, body: object, elem: dict[str, object], find_uuid: FindUuid, told: list[FormWarning]
    ) -> None:
        self._place = place
        self._body = body
        self._elem = elem
        self._told = told
        self._names = FormNames(find_uuid)
        # (id, uuid) of a command of the form -> its name
        self._commands: dict[tuple[str, str], str] = {}

    def read(self, nodes: list[Node]) -> Form:
        root = at(self._body, 1)
        if not isinstance(root, list):
            self._tell("layout-unknown", "the layout of the form is not recognised")
            return Form(self._place, warnings=tuple(self._told))
        attributes = self._attributes()
        commands = [command for raw in self._items("commands", 5) if (command := self._command(raw))]
        parameters = [parameter for raw in self._items("params", 4) if (parameter := self._parameter(raw))]
        placed = self._placed(root, nodes)
        self._names.elements = {own: item.name for item in placed if (own := element_id(item.raw))}
        elements = [self._element(item) for item in placed]
        events = self._handlers(root, None, deep=False)
        return Form(
            self._place, tuple(elements), tuple(attributes), tuple(commands), events, tuple(parameters),
            tuple(self._told),
        )  # fmt: skip

    def _tell(self, code: str, text: str, element: str | None = None) -> None:
        self._told.append(FormWarning(code, text, element))

    def _items(self, key: str, position: int) -> list[object]:
        """Return the raw nodes that the elem.json has under a key, or the body where they were left in it."""
        taken = self._elem.get(key)
        if isinstance(taken, list):
            return [_raw_of(item) for item in taken]
        section = at(self._body, position)
        count = number(at(section, 1))
        return section[2 : 2 + count] if isinstance(section, list) and count else []

    def _children(self) -> list[object]:
        """Return the columns that v8unpack took out of each attribute, beside the attributes of `_items`."""
        taken = self._elem.get("props")
        if not isinstance(taken, list):
            return [None] * len(self._items("props", 3))
        return [item.get("child") if isinstance(item, dict) else None for item in taken]

    # --- attributes

    def _attributes(self) -> list[FormAttribute]:
        found: list[FormAttribute] = []
        twice: set[str] = set()
        for raw, children in zip(self._items("props", 3), self._children(), strict=True):
            own, name = at(raw, 1, 0), literal(at(raw, 3))
            if not isinstance(raw, list) or not isinstance(own, str) or name is None:
                self._tell("attribute-unknown", "an attribute of the form is not recognised")
                continue
            types = read_types(at(raw, 5), self._owner_type(), self._names.find_uuid)
            columns = self._columns(raw, children)
            named = NamedAttribute(name, types, {c.id: c.name for c in columns if c.id})
            bag = _bag(raw)
            fields = _list_fields(bag) if types == (_LIST_TYPE,) else {}
            named.list_fields = fields
            if own in self._names.attributes:
                twice.add(own)
            self._names.attributes[own] = named
            columns += [Column(field, id=number_) for number_, field in fields.items()]
            found.append(
                FormAttribute(
                    name, types, at(raw, 10) == "1", tuple(columns), title(at(raw, 4)) or {}, own,
                    self._main_table(bag), _text(bag, "QueryText") or None,
                )
            )  # fmt: skip
        for own in twice:
            self._tell("attribute-unknown", f"the id {own} belongs to several attributes")
            del self._names.attributes[own]
        return self._with_added(found)

    def _owner_type(self) -> str | None:
        place = self._place
        return f"{place.object_type}Object.{place.object_name}" if place.object_type and place.object_name else None

    def _columns(self, raw: list[object], children: object) -> list[Column]:
        if children is None:
            count = number(at(raw, 13)) or 0
            nodes = raw[14 : 14 + count]
        else:
            nodes = [_raw_of(item) for item in children] if isinstance(children, list) else []
        return [column for node in nodes if (column := self._column(node))]

    def _column(self, node: object, table: str | None = None) -> Column | None:
        """Return the column of `["5", id, "0", "Name", title, types, …]`."""
        own, name = at(node, 1), literal(at(node, 3))
        if not isinstance(own, str) or name is None:
            self._tell("column-unknown", "a column of an attribute is not recognised")
            return None
        types = read_types(at(node, 5), self._owner_type(), self._names.find_uuid)
        return Column(name, types, title(at(node, 4)) or {}, own, table)

    def _with_added(self, found: list[FormAttribute]) -> list[FormAttribute]:
        """Return the attributes with the columns that the form adds to tables of the object.

        Behind the attributes stands `count, ["0", address, n, column, …], …`; the address is a chain.
        """
        section = at(self._body, 3)
        if not isinstance(section, list):
            return found
        start = 2 + (number(at(section, 1)) or 0)
        count = number(at(section, start)) or 0
        added: dict[str, list[Column]] = {}
        for node in section[start + 1 : start + 1 + count]:
            address, size = read_chain(at(node, 1)), number(at(node, 2))
            if not address or not isinstance(node, list) or size is None or len(node) != 3 + size:
                self._tell("columns-unknown", "columns that the form adds to a table are not recognised")
                continue
            path = resolve_chain(address, self._names).path
            columns = [column for item in node[3:] if (column := self._column(item, path))]
            self._names.tables[address] = {column.id: column.name for column in columns if column.id}
            if path is None:
                self._tell("columns-unknown", "columns are added to a table that is not known")
            added.setdefault(address[0][0], []).extend(columns)
        return [
            FormAttribute(
                a.name, a.types, a.main, (*a.columns, *added.get(a.id or "", ())), a.title, a.id, a.main_table, a.query
            )
            for a in found
        ]

    def _main_table(self, bag: dict[str, object]) -> str | None:
        uuid = at(bag.get("MainTable"), 2)
        meaning = self._names.find_uuid(uuid) if isinstance(uuid, str) else None
        return meaning.name if meaning and meaning.kind == "object" else None

    # --- commands and parameters

    def _command(self, raw: object) -> FormCommand | None:
        own, uuid, name = at(raw, 1, 0), at(raw, 1, 1), literal(at(raw, 2))
        if not isinstance(own, str) or name is None:
            self._tell("command-unknown", "a command of the form is not recognised")
            return None
        if isinstance(uuid, str):
            self._commands[(own, uuid)] = name
        actions: list[Handler] = []
        procedure = literal(at(raw, 8))
        if procedure:
            actions.append(Handler(ACTION, procedure))
        elif procedure is None:
            self._tell("command-unknown", f"the procedure of the command {name} is not recognised")
        # of an extension: count at 15, the base's own call type, then procedure and call type of each other
        for position in range((number(at(raw, 15)) or 1) - 1):
            added, call = literal(at(raw, 17 + 2 * position)), at(raw, 18 + 2 * position)
            if not added:
                self._tell("command-unknown", f"a procedure of the command {name} is not recognised")
                break
            actions.append(Handler(ACTION, added, call_type=_CALL_TYPES.get(call) if isinstance(call, str) else None))
        return FormCommand(name, title(at(raw, 3)) or {}, tuple(actions), own)

    def _parameter(self, raw: object) -> FormParameter | None:
        # ["0", "Name", types, is key]
        name = literal(at(raw, 1))
        if name is None:
            self._tell("parameter-unknown", "a parameter of the form is not recognised")
            return None
        types = read_types(at(raw, 2), self._owner_type(), self._names.find_uuid)
        return FormParameter(name, types, at(raw, 3) == "1")

    # --- elements

    def _placed(self, root: list[object], nodes: list[Node]) -> list[Placed]:
        """Return all elements in order: those of the form's own command bar, then the tree with what is in each."""
        found = list(embedded(root, None))
        for node in nodes:
            own = Placed(node.name, node.family, node.raw or [], node.parent, False)
            found.append(own)
            if node.raw is None:
                self._tell("element-unknown", f"the element {node.name} has no data", node.name)
            else:
                found += embedded(node.raw, node.name)
        return found

    def _element(self, item: Placed) -> Element:
        raw, name = item.raw, item.name
        where = place_of(item.family, raw)
        if not raw:
            return Element(name, item.family, item.parent, problem="the export has no data of it")
        # the name shows that the counters lead where they should
        if where is None or literal(at(raw, where.name)) != name:
            self._tell("layout-unknown", f"the layout of the element {name} is not recognised", name)
            return Element(name, item.family, item.parent, problem="its layout is not recognised")
        path = proof = problem = None
        if where.chain is not None:
            chain = read_chain(at(raw, where.chain))
            if chain is None:
                problem = "its layout is not recognised"
                self._tell("layout-unknown", f"the binding of the element {name} is not recognised", name)
            else:
                bound = resolve_chain(chain, self._names)
                path, proof, problem = bound.path, bound.proof, bound.problem
                if problem:
                    self._tell("binding-unproven", f"{name}: {problem}", name)
        return Element(
            name, item.family, item.parent, element_id(raw), title(at(raw, where.title)) or {}, path,
            proof=proof, problem=problem, generated=item.generated,
            command=self._run_command(at(raw, where.command), name) if where.command is not None else None,
            handlers=self._handlers(raw, name, deep=True),
        )  # fmt: skip

    def _run_command(self, node: object, name: str) -> str | None:
        """Return the command of a button: `[id, uuid]`; `["0"]` is none, `["0", uuid]` one of the configuration."""
        own, uuid = at(node, 0), at(node, 1)
        if not isinstance(own, str) or not isinstance(uuid, str):
            return None
        if (own, uuid) in self._commands:
            return f"Form.Command.{self._commands[(own, uuid)]}"
        if own == "0" and uuid in _STANDARD_COMMANDS:
            return f"Form.StandardCommand.{_STANDARD_COMMANDS[uuid]}"
        meaning = self._names.find_uuid(uuid) if own == "0" else None
        if meaning and meaning.kind == "command":
            return f"{meaning.owner}.Command.{meaning.name}"
        if meaning and meaning.kind == "object" and meaning.name.startswith("CommonCommand."):
            return meaning.name
        self._tell("command-unknown", f"{name} runs a command with the unknown uuid {uuid}", name)
        return None

    def _handlers(self, raw: list[object], name: str | None, deep: bool) -> tuple[Handler, ...]:
        """Return the handlers of an element or the form.

        They stand in a list at the top of the raw node; those of the kind of element (`StartChoice` of an input
        field, `Click` of a picture) one list deeper, in the description of the kind.
        """
        found: list[Handler] = []
        inner = [node for node in raw if isinstance(node, list) and element_id(node) is None] if deep else []
        for nodes in (raw, *inner):
            for node in nodes:
                handlers = managed_handlers(node)
                if handlers is None or not isinstance(node, list):
                    continue
                found += handlers
                if has_more_handlers(node):
                    whose = name or "the form"
                    self._tell("handlers-unknown", f"handlers that an extension adds to {whose} are not known", name)
        return tuple(found)


def _raw_of(item: object) -> object:
    """Return the raw node of a record of the elem.json."""
    return item.get("raw") if isinstance(item, dict) else None


def _bag(raw: list[object]) -> dict[str, object]:
    """Return the properties of a dynamic list: `["0", n, "Name", value, …]` behind the columns."""
    for node in raw[14:]:
        count = number(at(node, 1))
        if isinstance(node, list) and at(node, 0) == "0" and count and len(node) == 2 + 2 * count:
            names = [literal(item) for item in node[2::2]]
            return {name: value for name, value in zip(names, node[3::2], strict=True) if name}
    return {}


def _text(bag: dict[str, object], name: str) -> str:
    value = bag.get(name)
    return (literal(at(value, 1)) or "") if at(value, 0) == '"S"' else ""


def _list_fields(bag: dict[str, object]) -> dict[str, str]:
    """Return the fields of a dynamic list by id; the second name is the one in the configuration's language."""
    fields: dict[str, str] = {}
    for position in range(len(bag)):
        own = at(bag.get(f"FieldsMapItemId{position}"), 1)
        name = _text(bag, f"FieldsMapItemSecondaryName{position}") or _text(bag, f"FieldsMapItemName{position}")
        if isinstance(own, str) and name:
            fields[own] = name
    return fields
