"""Reads metadata objects of a v8unpack export (`Catalog/X/Catalog.json` and its like; v8unpack.md 1.1-1.3, 1.6).

What an object's own JSON does not tell (the uuids, forms, templates and commands) stands in files of their own.
Types of the configuration stay `Ref#<uuid>` here; `types.resolve_types` names them over the whole root.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from .braces import (
    NIL,
    Identity,
    Node,
    at,
    carried,
    collection,
    identity,
    is_pattern,
    is_uuid,
    literal,
    number,
    pattern,
    references,
)  # fmt: skip
from .kinds import KIND_BY_FOLDER
from .layout import Problem
from .model import FLAGS, MetadataField, MetadataObject
from .safe_json import JsonError, read_json
from .v8unpack_tables import (
    BARE_TYPES,
    COLLECTIONS,
    IDENTITY_IN_ITEM,
    IDENTITY_OF_OTHERS,
    SLOTS,
    child_kind,
    external_kind,
)  # fmt: skip

EXTERNAL = "ExternalDataProcessor.json"
# a tabular section has attributes, a URL template methods: nothing known goes deeper
_MAX_DEPTH = 3
# layout 12 of a common module: [12, identity, flag, …] in this order
_MODULE_FLAGS = (
    "ClientOrdinaryApplication", "Server", "ExternalConnection", "Privileged", "Global", "ClientManagedApplication",
    "", "ServerCall",
)  # fmt: skip
# (kind, layout versions, position in the body, relation): lists of references to other objects
_REFERENCES = (
    ("Catalog", ("56", "57"), 12, "owner"),
    ("Catalog", ("56", "57"), 32, "based_on"),
    ("Document", ("40",), 22, "based_on"),
    ("Document", ("40",), 24, "register_records"),
    ("Subsystem", ("21", "22"), 7, "content"),
)


def child_files(folder: Path) -> list[Path]:
    """Return the files of the forms, templates, commands and their kin of an object's folder, in order."""
    found: list[Path] = []
    for below in _folders(folder):
        if child_kind(below.name) in (None, "subsystem"):
            continue
        for own in _folders(below):
            found += [own / f"{below.name}.json", own / f"{below.name}.id.json", *child_files(own)]
    return found


def read_object(
    path: Path, relative: str, root_id: str, full_name_prefix: str = ""
) -> tuple[MetadataObject | None, list[Problem]]:
    """Return the object of a file with its raw types, None when it cannot be read, and the problems of its files."""
    reader = _Reader(path, relative)
    return reader.read(root_id, full_name_prefix), reader.problems


class _Reader:
    def __init__(self, path: Path, relative: str) -> None:
        self._path = path
        self._relative = relative
        self._folder = relative.rpartition("/")[0]
        self.problems: list[Problem] = []

    def read(self, root_id: str, prefix: str) -> MetadataObject | None:
        value = self._json(self._path, self._relative)
        if value is None:
            return None
        name = value.get("name")
        row = at(value.get("header"), 0)
        kind: str | None
        if self._path.name == EXTERNAL:
            kind, row, ids = external_kind(value.get("header")), at(row, 3, 1), value
        else:
            known = KIND_BY_FOLDER.get(self._path.stem)
            kind, ids = known.english if known else None, self._ids(self._path, self._relative)
        if not isinstance(name, str) or not name or kind is None:
            self._told("not recognised: no name" if kind else "not recognised: no known kind of object")
            return None
        name = carried(name)
        body = at(row, 1)
        own = self._own(kind, body)
        fields = tuple(self._collections(row, None, self._path.parent, self._folder))
        return MetadataObject(
            kind,
            name,
            f"{prefix}{kind}.{name}",
            self._relative,
            root_id,
            _uuid(ids),
            _synonym(value),
            _comment(value),
            self._types(kind, body),
            fields,
            tuple(self._links(kind, body)),
            _flags(kind, body),
            bool(own and own.adopted),
            own.extends if own else None,
            self._generated(kind, name, body, ids),
        )

    # --- files

    def _told(self, message: str) -> None:
        self.problems.append(Problem(self._relative, message))

    def _json(self, path: Path, relative: str) -> dict[str, object] | None:
        try:
            return read_json(path)
        except JsonError as error:
            self.problems.append(Problem(relative, str(error)))
            return None

    def _ids(self, path: Path, relative: str) -> dict[str, object]:
        """Return what the file of uuids beside an object's own holds."""
        beside = f"{relative.removesuffix('.json')}.id.json"
        ids = self._json(path.with_name(f"{path.stem}.id.json"), beside)
        if ids is not None and _uuid(ids) is None:
            self.problems.append(Problem(beside, "not recognised: no uuid"))
        return ids or {}

    # --- the header

    def _own(self, kind: str, body: object) -> Identity | None:
        """Return the identity in the body, which tells whether the object is adopted; None where it is not known."""
        for slots in SLOTS:
            if slots.kind == kind:
                found = identity(at(body, *slots.identity))
                if found:
                    return found
        paths = [(1,), (1, 1), (2,), (3,), (6,), (1, 2, 9), (1, 1, 1)]
        return next((found for path in paths if (found := identity(at(body, *path)))), None)

    def _generated(self, kind: str, name: str, body: object, ids: dict[str, object]) -> dict[str, str]:
        """Return the names of the generated types by uuid, read where the layout is the known one."""

        def type_uuid(position: int) -> object:
            # of a processor they are moved to the file of uuids: "manager_uuid1 в файле id"
            node = at(body, position)
            key = node.removesuffix(" в файле id") if isinstance(node, str) else ""
            return ids.get(key) if key in ids else node

        layouts = [slots for slots in SLOTS if slots.kind == kind]
        for slots in layouts:
            if identity(at(body, *slots.identity)) is None:
                continue
            known = at(body, 0) in slots.versions
            before = [(type_name, type_uuid(i)) for type_name, i in slots.types if known or i < slots.identity[0]]
            if all(is_uuid(uuid) for _, uuid in before):
                if not known and len(before) < len(slots.types):
                    self._told(f"layout {_shown(at(body, 0))} of {kind} is not known: some of its types are left out")
                return {
                    str(uuid): f"{type_name}.{name}" if type_name in BARE_TYPES else f"{kind}{type_name}.{name}"
                    for type_name, uuid in before
                    if uuid != NIL
                }
        if layouts:
            self._told(f"layout {_shown(at(body, 0))} of {kind} is not known: its types are left out")
        return {}

    def _types(self, kind: str, body: object) -> tuple[str, ...]:
        """Return the types of the object itself (a constant, a defined type, a session parameter, …)."""
        paths: tuple[tuple[int, ...], ...] = {
            "DefinedType": ((4,),),
            "Constant": ((1, 1, 2),),
            "CommonAttribute": ((1, 1, 2),),
            "SessionParameter": ((1, 2),),
            "FilterCriterion": ((5, 2),),
            "ChartOfCharacteristicTypes": ((18,),),
        }.get(kind, ())
        for path in paths:
            node = at(body, *path)
            if is_pattern(node):
                return self._pattern(node, kind)
            self._told(f"layout {_shown(at(body, 0))} of {kind} is not known: its type is left out")
        return ()

    def _pattern(self, node: object, where: str) -> tuple[str, ...]:
        types, unknown = pattern(node)
        if unknown:
            self._told(f"{where}: types not recognised: {', '.join(unknown)}")
        return types

    def _links(self, kind: str, body: object) -> Iterator[tuple[str, str]]:
        for of, versions, position, relation in _REFERENCES:
            if of == kind and at(body, 0) in versions:
                uuids = references(at(body, position))
                if uuids is None:
                    self._told(f"{relation} not recognised")
                for uuid in uuids or ():
                    yield relation, f"Ref#{uuid}"
        if kind == "EventSubscription":
            yield from self._subscription(body)
        elif kind == "ScheduledJob":
            yield from self._handler("method", at(body, 6), at(body, 7))
        elif kind == "CommonCommand":
            for name in self._pattern(at(body, 1, 2, 8), kind):
                yield "parameter", name
        place = {"HTTPService": 1, "WebService": 1, "XDTOPackage": 2}.get(kind)
        text = literal(at(body, place)) if place else None
        if text:
            yield ("root_url" if kind == "HTTPService" else "namespace"), text

    def _subscription(self, body: object) -> Iterator[tuple[str, str]]:
        # [1, identity, types of the sources, "BeforeWrite_ПередЗаписью", uuid of the module, "Procedure"]
        event = (literal(at(body, 3)) or "").partition("_")[0]
        if event:
            yield "event", event
        yield from self._handler("handler", at(body, 4), at(body, 5))
        for name in self._pattern(at(body, 2), "Source"):
            yield "source", name

    def _handler(self, relation: str, module: object, procedure: object) -> Iterator[tuple[str, str]]:
        name = literal(procedure)
        if name is None or not is_uuid(module):
            self._told(f"{relation} not recognised")
        elif name and module != NIL:
            yield relation, f"Ref#{module}.{name}"

    # --- fields

    def _collections(self, row: object, parent: str | None, folder: Path, relative: str) -> Iterator[MetadataField]:
        """Yield the fields of `[n, body, count, collection, …]` and those that have files of their own."""
        count = number(at(row, 2))
        listed: list[tuple[str, str]] = []
        if not isinstance(row, list) or count is None or len(row) != 3 + count:
            self._told("header not recognised: its fields are left out")
        else:
            for node in row[3:]:
                yield from self._collection(node, parent, listed)
        yield from self._children(folder, relative, parent, listed)

    def _collection(
        self, node: object, parent: str | None, listed: list[tuple[str, str]], depth: int = 0
    ) -> Iterator[MetadataField]:
        """Yield the fields of a collection; what has a file of its own is added to `listed` as kind and uuid."""
        found = collection(node)
        if found is None or depth > _MAX_DEPTH:
            self._told("a collection of the header is not recognised")
            return
        uuid, items = found
        kind = COLLECTIONS.get(uuid)
        if kind is None:
            if items:
                self._told(f"collection {uuid} is not known: {len(items)} fields are left out")
            return
        for position, item in enumerate(items):
            if isinstance(item, str) and is_uuid(item):
                listed.append((kind, item))
            else:
                yield from self._item(kind, item, parent, position, depth)

    def _item(self, kind: str, item: object, parent: str | None, position: int, depth: int) -> Iterator[MetadataField]:
        head = at(item, 0)
        for path in IDENTITY_IN_ITEM.get(kind, IDENTITY_OF_OTHERS):
            own = identity(at(head, *path))
            if own:
                break
        else:
            self._told(f"{kind} {position + 1} is not recognised")
            return
        types: tuple[str, ...] = ()
        described = at(head, *path[:-1], path[-1] + 1)
        if is_pattern(described):
            types = self._pattern(described, own.name)
        elif kind in ("operation", "parameter"):
            # [0, "namespace", "name"]
            value = literal(at(described, 2))
            types = (value,) if value else ()
        position_of_handler = {"method": 1, "operation": 5}.get(kind)
        yield MetadataField(
            own.name, kind, parent, own.synonym, types, own.uuid, None, own.comment,
            (literal(at(head, position_of_handler)) or None) if position_of_handler else None,
        )  # fmt: skip
        for node in _inner(item):
            yield from self._collection(node, own.name, [], depth + 1)

    def _children(
        self, folder: Path, relative: str, parent: str | None, listed: Sequence[tuple[str, str]]
    ) -> Iterator[MetadataField]:
        """Yield the forms, templates, commands and their kin, in the order of the header, then those not listed."""
        found: list[tuple[MetadataField, list[MetadataField]]] = []
        for below in _folders(folder):
            kind = child_kind(below.name)
            for own in _folders(below) if kind else ():
                # an area included into a form is a folder of modules only
                if any((own / f"{below.name}{end}").exists() for end in (".json", ".id.json", ".elem.json")):
                    place = f"{relative}/{below.name}/{own.name}".lstrip("/")
                    found.append(self._child(kind or "", own, place, parent))
        order = {key: position for position, key in enumerate(listed)}
        present = {(part.kind, part.uuid) for part, _ in found}
        for kind, uuid in listed:
            if (kind, uuid) not in present:
                self._told(f"lists {kind} {uuid}, whose file is absent or broken")
        found.sort(key=lambda entry: order.get((entry[0].kind, entry[0].uuid or ""), len(order)))
        for part, inner in found:
            yield part
            yield from inner

    def _child(
        self, kind: str, own: Path, relative: str, parent: str | None
    ) -> tuple[MetadataField, list[MetadataField]]:
        stem = own.parent.name
        path, place = own / f"{stem}.json", f"{relative}/{stem}.json"
        value = self._json(path, place)
        uuid = _uuid(self._ids(path, place))
        name = value.get("name") if value else None
        if value is None or not isinstance(name, str) or not name:
            if value is not None:
                self.problems.append(Problem(place, "not recognised: no name"))
            return MetadataField(own.name, kind, parent, uuid=uuid), []
        part = MetadataField(carried(name), kind, parent, _synonym(value), (), uuid, None, _comment(value))
        if kind not in ("table", "cube", "recalculation"):
            return part, []
        outer, self._relative = self._relative, place
        inner = list(self._collections(at(value.get("header"), 0), part.name, own, relative))
        self._relative = outer
        return part, inner


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
    except OSError:
        # a folder that vanished holds nothing; the file that stands beside it is told where it is read
        return []


def _inner(item: object) -> Node:
    """Return the collections of an item `[head, count, collection, …]`."""
    count = number(at(item, 1))
    return item[2:] if isinstance(item, list) and count and len(item) == 2 + count else []


def _uuid(ids: dict[str, object]) -> str | None:
    uuid = ids.get("uuid")
    return uuid if isinstance(uuid, str) and is_uuid(uuid) else None


def _flags(kind: str, body: object) -> tuple[str, ...]:
    if kind != "CommonModule" or at(body, 0) != "12" or not isinstance(body, list) or len(body) != 10:
        return ()
    raised = {flag for flag, value in zip(_MODULE_FLAGS, body[2:], strict=True) if value == "1"}
    return tuple(flag for flag in FLAGS if flag in raised)


def _synonym(value: dict[str, object]) -> dict[str, str]:
    texts = value.get("name2")
    pairs = texts.items() if isinstance(texts, dict) else ()
    return {carried(key): carried(text).strip() for key, text in pairs if isinstance(text, str) and text.strip()}


def _comment(value: dict[str, object]) -> str:
    comment = value.get("comment")
    return carried(comment).strip() if isinstance(comment, str) else ""


def _shown(node: object) -> str:
    return node[:20] if isinstance(node, str) else "?"
