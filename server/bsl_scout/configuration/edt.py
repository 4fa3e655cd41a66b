"""Reads metadata objects of an EDT project (`src/Catalogs/X/X.mdo` and its like)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .model import (
    ANY_LANGUAGE,
    FLAGS,
    SIZED_TYPES,
    MetadataField,
    MetadataObject,
    adopted_uuid,
    sized_type,
    standard_types,
)
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
_CONTAINERS = {"DefinedType": "DefinedType", "ChartOfCharacteristicTypes": "Characteristic"}
# types that a Designer dump spells otherwise; forms and objects have them alike
_TYPES = {
    "ValueList": "ValueListType",
    "AnyRef": "AnyIBRef",
    "DataCompositionSettingsComposer": "SettingsComposer",
    "GraphicalSchema": "FlowchartContextType",
}
# predefined items and, inside them, those of a folder and subordinate accounts
_PREDEFINED = frozenset({"items", "content", "childItems"})
_LINKS = {
    "handler": "handler",
    "event": "event",
    "methodName": "method",
    "location": "location",
    "rootURL": "root_url",
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
    return None if kind == "Configuration" else _object(root, kind, path, root_id, full_name_prefix)


def read_languages(configuration: Element, path: str, root_id: str) -> list[MetadataObject]:
    """Return the languages of a parsed `Configuration.mdo`: they have no files of their own."""
    inside = (item for item in configuration if local(item) == "languages")
    return [found for item in inside if (found := _object(item, "Language", path, root_id, ""))]


def _object(root: Element, kind: str, path: str, root_id: str, full_name_prefix: str) -> MetadataObject | None:
    name = text(root, "name")
    if not name:
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
        _types(root),
        (*_fields(root, None), *_predefined(child(root, "predefined"))),
        tuple(_links(root)),
        tuple(flag for flag in FLAGS if text(root, flag[0].lower() + flag[1:]) == "true"),
        text(root, "objectBelonging") == "Adopted",
        adopted_uuid(text(root, "extendedConfigurationObject")),
        _generated(root, kind, name),
        line_of(root) or 0,
        standard_attributes=tuple(_standard_attributes(root, None)),
        standard_types=standard_types(lambda name: text(root, name[0].lower() + name[1:])),
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
        types = _types(item)
        if not types and value_type is not None and text(value_type, "name"):
            types = (text(value_type, "name"),)
        yield MetadataField(
            name, kind, parent, synonym(item), types, item.get("uuid"), line, text(item, "comment"), handler
        )
        yield from _fields(item, name)


def _predefined(holder: Element | None) -> Iterator[MetadataField]:
    """Yield the predefined items and folders below an element, nested ones after what holds them."""
    for item in [] if holder is None else holder:
        name = text(item, "name")
        if local(item) not in _PREDEFINED or not name:
            continue
        code = child(item, "code")
        yield MetadataField(
            name,
            "predefined",
            None,
            {ANY_LANGUAGE: description} if (description := text(item, "description")) else {},
            types_of(child(item, "type")),
            item.get("id"),
            line_of(item),
            # a code is a value with a type of its own
            "" if code is None else text(code, "value") or (code.text or "").strip(),
        )
        yield from _predefined(item)


def _standard_attributes(element: Element, parent: str | None) -> Iterator[MetadataField]:
    """Yield the standard attributes of an object and its tabular sections whose synonym is redefined."""
    for item in element:
        tag = local(item)
        if tag == "standardAttributes":
            name, own = text(item, "name"), synonym(item)
            if name and own:
                yield MetadataField(
                    name, "standard_attribute", parent, own, line=line_of(item), comment=text(item, "comment")
                )
        elif tag == "tabularSections" and parent is None:
            yield from _standard_attributes(item, text(item, "name"))


def _links(root: Element) -> Iterator[tuple[str, str]]:
    for tag, relation in _LINKS.items():
        value = text(root, tag)
        if value:
            yield relation, value
    for item in root:
        relation = _LINK_LISTS.get(local(item), "")
        if relation:
            value = (item.text or "").strip() or text(item, "metadata") or text(item, "mdObject")
            # the `use` of a scheduled job is a flag, not an object
            if "." in value:
                yield relation, value
    for holder, relation in (("source", "source"), ("commandParameterType", "parameter")):
        for name in types_of(child(root, holder)):
            yield relation, name


def _generated(root: Element, kind: str, name: str) -> dict[str, str]:
    found = {}
    for item in children(root, "producedTypes"):
        suffix = local(item).removesuffix("Type")
        # the type set of the values: a defined type itself, or a characteristic
        prefix = _CONTAINERS.get(kind) if suffix == "container" else f"{kind}{suffix[:1].upper()}{suffix[1:]}"
        if item.get("typeId") and prefix:
            found[item.get("typeId", "")] = f"{prefix}.{name}"
    return found


def _types(element: Element) -> tuple[str, ...]:
    """Return the types of an object or field; those of an adopted one stand in its extension (`typeExtension`)."""
    own = types_of(child(element, "type"))
    adopted = None if own else child(child(element, "extension"), "typeExtension")
    if adopted is None:
        return own
    names = (text(item, "type") for item in adopted if local(item) == "types")
    return tuple(_qualified(name, adopted) for name in names if name)


def types_of(element: Element | None) -> tuple[str, ...]:
    """Return the types of a `<type>`, spelled as those of a Designer dump."""
    if element is None:
        return ()
    return tuple(_qualified(item.text.strip(), element) for item in element if local(item) == "types" and item.text)


def _qualified(name: str, element: Element) -> str:
    if name not in SIZED_TYPES:  # a composite type may list hundreds, each would look through all
        return _TYPES.get(name, name)
    number = child(element, "numberQualifiers")
    length = text(child(element, "stringQualifiers"), "length")
    return sized_type(name, length, text(number, "precision"), text(number, "scale"))


def synonym(element: Element) -> Mapping[str, str]:
    """Return the synonym by language."""
    return {
        text(item, "key"): text(item, "value") for item in element if local(item) == "synonym" and text(item, "value")
    }
