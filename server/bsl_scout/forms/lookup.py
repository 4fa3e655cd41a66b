"""Finds metadata objects by name for the forms of one root, and the language of the root's script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bsl_scout.configuration.layout import Root
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.configuration.safe_xml import XmlError, child, local, read_xml, text

from .model import FindObject, FormPlace

_CONFIGURATIONS = {"designer": "Configuration.xml", "edt": "src/Configuration/Configuration.mdo"}


def object_finder(objects: Sequence[MetadataObject], roots: Sequence[Root], root_id: str) -> FindObject:
    """Return how the forms of a root find objects: in the root itself, then in the configuration it belongs to.

    An adopted object of an extension also has the fields of the object it adopts, which is the one with the
    uuid it names. The configuration of an extension is the one that has such an object; that of an external
    object the only one there is: which of several cannot be known.
    """
    configurations = {root.id for root in roots if root.kind == "configuration"}
    extended = {item.extends for item in objects if item.root == root_id and item.extends}
    by_uuid = {item.uuid: item for item in objects if item.uuid in extended and item.root in configurations}
    kind = next((root.kind for root in roots if root.id == root_id), "")
    if kind == "extension":
        bases = {item.root for item in by_uuid.values()}
    else:
        bases = configurations if root_id not in configurations and len(configurations) == 1 else set()
    found: dict[str, MetadataObject] = {}
    for item in objects:
        if item.root in bases:
            found.setdefault(item.full_name.casefold(), item)
    for item in objects:
        if item.root == root_id:
            base = by_uuid.get(item.extends) if item.extends else None
            found[item.full_name.casefold()] = _joined(item, base) if base else item

    def find_object(full_name: str) -> MetadataObject | None:
        return found.get(full_name.casefold())

    return find_object


def base_form(place: FormPlace, places: Sequence[FormPlace], objects: Sequence[MetadataObject]) -> FormPlace | None:
    """Return the form that a form of an extension adopts: of the same name in the object that its object extends."""
    full_name = f"{place.object_type}.{place.object_name}"
    own = next((item for item in objects if item.root == place.root and item.full_name == full_name), None)
    if own is None or not own.extends:
        return None
    bases = {(item.root, item.full_name) for item in objects if item.uuid == own.extends and item.root != place.root}
    for other in places:
        if (other.root, f"{other.object_type}.{other.object_name}") in bases and other.name == place.name:
            return other
    return None


def _joined(item: MetadataObject, base: MetadataObject) -> MetadataObject:
    own = {(part.name.casefold(), part.parent) for part in item.fields}
    more = tuple(part for part in base.fields if (part.name.casefold(), part.parent) not in own)
    return replace(item, fields=item.fields + more, types=item.types or base.types, links=item.links + base.links)


def is_russian(top: Path, root: Root, roots: Sequence[Root]) -> bool:
    """Return whether the script of a root is Russian.

    A root that does not tell (an external object, a v8unpack export) goes by the first configuration that does;
    without any it counts as Russian, as what the platform makes.
    """
    others = [other for other in roots if other.kind == "configuration" and other is not root]
    for one in (root, *others):
        variant = _script_variant(top, one)
        if variant:
            return variant != "English"
    return True


def _script_variant(top: Path, root: Root) -> str:
    name = _CONFIGURATIONS.get(root.format)
    if name is None or root.kind == "external":
        return ""
    try:
        element = read_xml((top if root.path == "." else top / root.path) / name)
    except XmlError:
        # the walk has told it already
        return ""
    if local(element) == "MetaDataObject":
        return text(child(child(element, "Configuration"), "Properties"), "ScriptVariant")
    return text(element, "scriptVariant")
