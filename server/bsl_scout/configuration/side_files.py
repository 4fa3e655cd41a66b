"""The files beside a metadata object's own that tell more of it: of forms, templates, predefined items and rights."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from stat import S_ISREG

from . import contents, designer, v8unpack
from .layout import Problem, Root
from .model import MetadataField, MetadataObject
from .safe_xml import Element, XmlError, child, local, parse_xml, read_data, read_xml, text

# fields that lie in folders of their own -> the folder and, by format, the file of their content
_FOLDERS = {"form": "Forms", "template": "Templates"}
_CONTENT = {
    "designer": {"Forms": "Ext/Form.xml", "Templates": "Ext/Template.xml"},
    "edt": {"Forms": "Form.form", "Templates": "Template.dcs"},
}
# folders of kinds whose objects hold themselves what others hold in their parts
_OWN = {"CommonForms": "Forms", "CommonTemplates": "Templates"}
_RIGHTS = {"designer": "Ext/Rights.xml", "edt": "Rights.rights"}
_PREDEFINED = "Ext/Predefined.xml"
_PLAN_CONTENT = "Ext/Content.xml"
_WITH_PREDEFINED = frozenset(
    {"Catalogs", "ChartsOfAccounts", "ChartsOfCalculationTypes", "ChartsOfCharacteristicTypes"}
)
# most templates are no schemas: what lacks these words is not parsed
_TOLD_BY = {
    "Form.xml": (b"<Title", b"MainTable", b"QueryText"),
    "Form.form": (b"<title", b"mainTable", b"queryText"),
    "Template.xml": (b"DataCompositionSchema",),
    "Template.dcs": (b"DataCompositionSchema",),
}
_NAMES = frozenset({*_TOLD_BY, "Rights.xml", "Rights.rights", "Predefined.xml", "Content.xml"})
# the root element of a template stands among its first bytes
_ROOT_BYTES = 1_000
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def is_side_file(path: Path) -> bool:
    """Return whether a path looks like that of a side file of an object."""
    if path.parent.name in _FOLDERS.values():
        return path.suffix.lower() == ".xml"
    return path.name in _NAMES and (path.suffix != ".xml" or path.parent.name == "Ext")


def side_files(path: Path, root: Root) -> list[tuple[Path, os.stat_result]]:
    """Return the side files of an object's file that exist, in order, each with its state."""
    found: list[tuple[Path, os.stat_result]] = []
    if root.format == "v8unpack":
        ids = [] if path.name == v8unpack.EXTERNAL else [path.with_name(f"{path.stem}.id.json")]
        for side in (*ids, *v8unpack.child_files(path.parent)):
            _add(found, side)
    if root.format not in _CONTENT:
        return found
    for side in _own_files(path, root.format):
        _add(found, side)
    own = path.with_suffix("") if root.format == "designer" else path.parent
    for folder, content in _CONTENT[root.format].items():
        # most objects have neither: listing what is not there is cheaper than looking for a pattern in it
        try:
            with os.scandir(own / folder) as scan:
                names = sorted(entry.name for entry in scan)
        except OSError:
            continue
        for name in names:
            if root.format == "edt":
                _add(found, own / folder / name / content)
            elif name.lower().endswith(".xml"):
                _add(found, own / folder / name)
                _add(found, own / folder / name[: -len(".xml")] / content)
    return found


def _own_files(path: Path, source_format: str) -> list[Path]:
    """Return where the files of the object itself are looked for."""
    designer_dump = source_format == "designer"
    own = path.with_suffix("") if designer_dump else path.parent
    kind = path.parent.name if designer_dump else path.parent.parent.name
    if kind in _OWN:
        return [own / _CONTENT[source_format][_OWN[kind]]]
    if kind == "Roles":
        return [own / _RIGHTS[source_format]]
    if designer_dump and kind == "ExchangePlans":
        return [own / _PLAN_CONTENT]
    return [own / _PREDEFINED] if designer_dump and kind in _WITH_PREDEFINED else []


def _add(found: list[tuple[Path, os.stat_result]], path: Path) -> None:
    try:
        stat = path.stat()
    except OSError:
        return
    if S_ISREG(stat.st_mode):
        found.append((path, stat))


def with_side_files(
    top: Path, path: Path, root: Root, found: MetadataObject, problems: list[Problem]
) -> MetadataObject:
    """Return the object with what its side files tell; what could not be read is added to the problems."""
    for side in _own_files(path, root.format):
        found = _with_own(top, side, found, problems)
    own = path.with_suffix("") if root.format == "designer" else path.parent
    fields = []
    for part in found.fields:
        folder = _FOLDERS.get(part.kind)
        if folder:
            if root.format == "designer":
                part = _described(top, path, own / folder / f"{part.name}.xml", part, problems)
            part = _with_content(top, own / folder / part.name / _CONTENT[root.format][folder], part, problems)
        fields.append(part)
    return replace(found, fields=tuple(fields))


def _with_own(top: Path, side: Path, found: MetadataObject, problems: list[Problem]) -> MetadataObject:
    element = _root(top, side, problems)
    if element is None:
        return found
    relative = side.relative_to(top).as_posix()
    tag = local(element)
    if tag == "Rights":
        rights, restrictions = contents.rights_of(element, relative)
        return replace(found, rights=rights, fields=(*found.fields, *restrictions))
    if found.kind == "ExchangePlan":
        return replace(found, links=(*found.links, *designer.exchange_content(element)))
    if tag == "Form":
        return replace(found, text=contents.list_text(element), captions=contents.captions(element))
    if tag == "DataCompositionSchema":
        return replace(found, text=contents.schema_text(element)[0])
    return replace(found, fields=(*found.fields, *contents.predefined_items(element, relative)))


def _with_content(top: Path, side: Path, part: MetadataField, problems: list[Problem]) -> MetadataField:
    """Return a form or template with the text of its content; a schema is the place to land in, too."""
    element = _root(top, side, problems)
    if element is None:
        return part
    if local(element) == "Form":
        return replace(part, text=contents.list_text(element), captions=contents.captions(element))
    if local(element) != "DataCompositionSchema":
        return part
    found, line = contents.schema_text(element)
    return replace(part, text=found, line=line, path=side.relative_to(top).as_posix())


def _root(top: Path, side: Path, problems: list[Problem]) -> Element | None:
    """Return the root of a side file, None when there is none, it tells nothing or it cannot be read."""
    if not side.is_file():
        return None
    try:
        data = read_data(side)
        words = _TOLD_BY.get(side.name, ())
        head = data[:_ROOT_BYTES] if side.name.startswith("Template") else data
        if words and not data.startswith(_UTF16) and not any(word in head for word in words):
            return None
        return parse_xml(data)
    except XmlError as error:
        problems.append(Problem(side.relative_to(top).as_posix(), str(error)))
        return None


def _described(top: Path, path: Path, side: Path, part: MetadataField, problems: list[Problem]) -> MetadataField:
    """Return a form or template of a Designer dump with what its description tells."""
    relative = side.relative_to(top).as_posix()
    if not side.is_file():
        problems.append(Problem(relative, f"listed in {path.name} but absent"))
        return part
    try:
        element = next(iter(read_xml(side)), None)
    except XmlError as error:
        problems.append(Problem(relative, str(error)))
        return part
    properties = None if element is None else child(element, "Properties")
    if element is None or properties is None:
        return part
    comment = text(properties, "Comment")
    return replace(part, synonym=designer.synonym(properties), uuid=element.get("uuid"), comment=comment)
