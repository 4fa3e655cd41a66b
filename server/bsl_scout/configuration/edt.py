"""Reads metadata objects of an EDT project (`src/Catalogs/X/X.mdo` and its like)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .model import FLAGS, SIZED_TYPES, MetadataField, MetadataObject, sized_type, standard_types
from .safe_xml import Element, child, children, line_of, local, text

_FIELDS = {
    "attributes": "attribute",
    "tabularSections": "tabular_section",
    "dimensions": "dimension",
    "resources": "resource",
    "enumValues": "enum_value",
    "forms": "form",
    "commands": "command",
    "templates": "template",
    "columns": "column",
    "addressingAttributes": "addressing_attribute",
    "urlTemplates": "url_template",
    "methods": "method",
    "operations": "operation",
    "parameters": "parameter",
    "recalculations": "recalculation",
    "accountingFlags": "accounting_flag",
    "extDimensionAccountingFlags": "ext_dimension_accounting_flag",
    "subsystems": "subsystem",
    "integrationServiceChannels": "integration_service_channel",
    "tables": "table",
    "cubes": "cube",
    "functions": "function",
    "fields": "field",
}
_LINKS = {
    "handler": "handler",
    "event": "event",
    "methodName": "method",
    "location": "location",
    "rootUrl": "root_url",
    "namespace": "namespace",
    "group": "group",
}
_LINK_LISTS = {
    "content": "content",
    "owners": "owner",
    "registerRecords": "register_records",
    "basedOn": "based_on",
    "registeredDocuments": "document",
    "documents": "document",
    "use": "use",
}


def read_object(root: Element, path: str, root_id: str, full_name_prefix: str = "") -> MetadataObject | None:
    """Return the object of a parsed `.mdo`, None when it holds none."""
    kind = local(root)
    name = text(root, "name")
    if not name or kind == "Configuration":
        return None
    return MetadataObject(
        kind,
        name,
        f"{full_name_prefix}{kind}.{name}",
        path,
        root_id,
        root.get("uuid"),
        synonym(root),
        text(root, "comment"),
        types_of(child(root, "type")),
        tuple(_fields(root, None)),
        tuple(_links(root)),
        tuple(flag for flag in FLAGS if text(root, flag[0].lower() + flag[1:]) == "true"),
        text(root, "objectBelonging") == "Adopted",
        text(root, "extendedConfigurationObject") or None,
        _generated(root, kind, name),
        line_of(root) or 0,
        standard_types(lambda name: text(root, name[0].lower() + name[1:])),
    )


def _fields(element: Element, parent: str | None) -> Iterator[MetadataField]:
    for item in element:
        kind = _FIELDS.get(local(item))
        if kind is None:
            continue
        line = line_of(item)
        name = text(item, "name")
        if not name:
            # subsystems are listed by name; they have files of their own
            if item.text and item.text.strip():
                yield MetadataField(item.text.strip(), kind, parent, line=line)
            continue
        handler = text(item, "handler") or text(item, "procedureName") or None
        value_type = child(item, "xdtoReturningValueType")
        if value_type is None:
            value_type = child(item, "xdtoValueType")
        types = types_of(child(item, "type"))
        if not types and value_type is not None and text(value_type, "name"):
            types = (text(value_type, "name"),)
        yield MetadataField(
            name, kind, parent, synonym(item), types, item.get("uuid"), line, text(item, "comment"), handler
        )
        yield from _fields(item, name)


def _links(root: Element) -> Iterator[tuple[str, str]]:
    for tag, relation in _LINKS.items():
        value = text(root, tag)
        if value:
            yield relation, value
    for item in root:
        relation = _LINK_LISTS.get(local(item), "")
        if relation:
            value = (item.text or "").strip() or text(item, "metadata") or text(item, "mdObject")
            if value:
                yield relation, value
    for holder, relation in (("source", "source"), ("commandParameterType", "parameter")):
        for name in types_of(child(root, holder)):
            yield relation, name


def _generated(root: Element, kind: str, name: str) -> dict[str, str]:
    found = {}
    for item in children(root, "producedTypes"):
        suffix = local(item).removesuffix("Type")
        if item.get("typeId"):
            found[item.get("typeId", "")] = f"{kind}{suffix[:1].upper()}{suffix[1:]}.{name}"
    return found


def types_of(element: Element | None) -> tuple[str, ...]:
    """Return the types of a `<type>`, spelled as those of a Designer dump."""
    if element is None:
        return ()
    return tuple(_qualified(item.text.strip(), element) for item in element if local(item) == "types" and item.text)


def _qualified(name: str, element: Element) -> str:
    if name not in SIZED_TYPES:  # a composite type may list hundreds, each would look through all
        return name
    number = child(element, "numberQualifiers")
    length = text(child(element, "stringQualifiers"), "length")
    return sized_type(name, length, text(number, "precision"), text(number, "scale"))


def synonym(element: Element) -> Mapping[str, str]:
    """Return the synonym by language."""
    return {
        text(item, "key"): text(item, "value") for item in element if local(item) == "synonym" and text(item, "value")
    }
