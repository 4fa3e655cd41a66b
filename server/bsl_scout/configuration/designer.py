"""Reads metadata objects of a Designer dump (`Catalogs/X.xml` and its like; reference: the platform's 2.x dumps)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from .model import FLAGS, SIZED_TYPES, MetadataField, MetadataObject, adopted_uuid, sized_type, standard_types
from .safe_xml import Element, child, children, line_of, local, text

_RESERVED = frozenset({"Form", "Template"})
# relations to other objects and to code, as the properties write them
_LINKS = {
    "Handler": "handler",
    "Event": "event",
    "MethodName": "method",
    "Location": "location",
    "RootURL": "root_url",
    "Namespace": "namespace",
    "Group": "group",
}
_LINK_LISTS = {
    "Source": "source",
    "Content": "content",
    "Owners": "owner",
    "RegisterRecords": "register_records",
    "BasedOn": "based_on",
    "RegisteredDocuments": "document",
    "Documents": "document",
    "Use": "use",
}
_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PRIMITIVES = {
    "string": "String",
    "boolean": "Boolean",
    "decimal": "Number",
    "dateTime": "Date",
    "binary": "BinaryData",
}


def read_object(root: Element, path: str, root_id: str, full_name_prefix: str = "") -> MetadataObject | None:
    """Return the object of a parsed file, None when the file holds none (a form's sidecar, a template's)."""
    if local(root) != "MetaDataObject" or not len(root):
        return None
    element = root[0]
    kind = local(element)
    if kind in _RESERVED or kind == "Configuration":
        return None
    properties = child(element, "Properties")
    name = text(properties, "Name")
    if properties is None or not name:
        return None
    return MetadataObject(
        kind,
        name,
        f"{full_name_prefix}{kind}.{name}",
        path,
        root_id,
        element.get("uuid"),
        synonym(properties),
        text(properties, "Comment"),
        types_of(child(properties, "Type")),
        tuple(_fields(element, None)),
        tuple(_links(properties)),
        tuple(flag for flag in FLAGS if text(properties, flag) == "true"),
        text(properties, "ObjectBelonging") == "Adopted",
        adopted_uuid(text(properties, "ExtendedConfigurationObject")),
        _generated(element),
        line_of(element) or 0,
        standard_attributes=tuple(_standard_attributes(element, None)),
        standard_types=standard_types(lambda name: text(properties, name)),
    )


def _fields(element: Element, parent: str | None) -> Iterator[MetadataField]:
    for item in children(element, "ChildObjects"):
        kind = snake(local(item))
        line = line_of(item)
        properties = child(item, "Properties")
        if properties is None:
            # forms, templates and nested subsystems are listed by name; they have files of their own
            if item.text and item.text.strip():
                yield MetadataField(item.text.strip(), kind, parent, line=line)
            continue
        name = text(properties, "Name")
        handler = text(properties, "Handler") or text(properties, "ProcedureName") or None
        types = types_of(child(properties, "Type"))
        value_type = text(properties, "XDTOReturningValueType") or text(properties, "XDTOValueType")
        yield MetadataField(
            name,
            kind,
            parent,
            synonym(properties),
            types or ((without_prefix(value_type),) if value_type else ()),
            item.get("uuid"),
            line,
            text(properties, "Comment"),
            handler,
        )
        yield from _fields(item, name)


def _standard_attributes(element: Element, parent: str | None) -> Iterator[MetadataField]:
    """Yield the standard attributes of an object and its tabular sections whose synonym is redefined."""
    properties = child(element, "Properties")
    for item in children(properties, "StandardAttributes"):
        name, own = item.get("name"), synonym(item)
        if name and own:
            yield MetadataField(
                name, "standard_attribute", parent, own, line=line_of(item), comment=text(item, "Comment")
            )
    if parent is None:
        for item in children(element, "ChildObjects"):
            if local(item) == "TabularSection":
                yield from _standard_attributes(item, text(child(item, "Properties"), "Name"))


def _links(properties: Element) -> Iterator[tuple[str, str]]:
    for tag, relation in _LINKS.items():
        value = text(properties, tag)
        if value:
            yield relation, value
    for tag, relation in _LINK_LISTS.items():
        for item in children(properties, tag):
            value = (item.text or "").strip()
            if value:
                yield relation, without_prefix(value)
            else:
                metadata = text(item, "Metadata")
                if metadata:
                    yield relation, metadata
    for name in types_of(child(properties, "CommandParameterType")):
        yield "parameter", name


def exchange_content(root: Element) -> list[tuple[str, str]]:
    """Return the links of an exchange plan to its content, of its `Ext/Content.xml`."""
    return [("content", metadata) for item in root if (metadata := text(item, "Metadata"))]


def _generated(element: Element) -> dict[str, str]:
    found = {}
    for item in children(element, "InternalInfo"):
        type_id = text(item, "TypeId")
        if type_id and item.get("name"):
            found[type_id] = item.get("name", "")
    return found


def types_of(element: Element | None) -> tuple[str, ...]:
    """Return the types of a `<Type>`: `CatalogRef.X`, `String(50)`, `Number(15,2)`, `DefinedType.X`."""
    if element is None:
        return ()
    found = []
    for item in element:
        if local(item) in ("Type", "TypeSet") and item.text:
            name = without_prefix(item.text.strip())
            found.append(_qualified(_PRIMITIVES.get(name, name), element))
        elif local(item) == "TypeId" and item.text:
            found.append(f"Ref#{item.text.strip()}")
    return tuple(found)


def _qualified(name: str, element: Element) -> str:
    if name not in SIZED_TYPES:  # a composite type may list hundreds, each would look through all
        return name
    number = child(element, "NumberQualifiers")
    length = text(child(element, "StringQualifiers"), "Length")
    return sized_type(name, length, text(number, "Digits"), text(number, "FractionDigits"))


def synonym(properties: Element) -> Mapping[str, str]:
    """Return the synonym by language."""
    found = {}
    for item in children(properties, "Synonym"):
        content = text(item, "content")
        if content:
            found[text(item, "lang")] = content
    return found


def without_prefix(name: str) -> str:
    """Return a qualified name without its prefix: `cfg:CatalogRef.X` -> `CatalogRef.X`."""
    return name.rpartition(":")[2]


def snake(name: str) -> str:
    """Return `TabularSection` as `tabular_section`."""
    return _SNAKE.sub("_", name.replace("URL", "Url")).lower()
