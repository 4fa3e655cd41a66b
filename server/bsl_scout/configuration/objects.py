"""Finds and reads all metadata objects below the roots of a layout."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bsl_scout.bsl.text import bytes_hash

from . import designer, edt, v8unpack
from .duplicates import duplicate_objects, own_problems, place_of
from .kinds import KIND_BY_FOLDER, KIND_BY_NAME
from .layout import Problem, Root, SourceFile
from .model import MetadataObject
from .object_paths import object_of_path
from .safe_xml import MAX_BYTES, Element, XmlError, children, local, parse_xml, read_xml
from .side_files import is_side_file, side_files, with_side_files
from .types import resolve_types
from .v8unpack_tables import child_kind

# what it says of the encoding is true of the file, not of its text
_DECLARATION = re.compile(r"^\ufeff?<\?xml[^>]*\?>")
_CONFIGURATION_MDO = "src/Configuration/Configuration.mdo"

Reader = Callable[[Element, str, str, str], MetadataObject | None]


def read_objects(top: Path, roots: Sequence[Root]) -> tuple[list[MetadataObject], list[Problem]]:
    """Return the objects of all roots in path order, and what could not be read, is absent or there twice.

    Types by uuid are resolved over each root; one that no object of the root names stays `Ref#<uuid>`.
    What lies in side files (forms, templates, predefined items, rights) is read with the object.
    """
    objects: list[MetadataObject] = []
    problems: list[Problem] = []
    for root in roots:
        found = list(_read(top, root, problems))
        problems += absent_objects(top, root, {item.full_name for item in found})
        objects += resolve_types(found)
    problems += duplicate_objects(map(place_of, objects))
    return objects, problems


def object_files(top: Path, roots: Sequence[Root]) -> Iterator[SourceFile]:
    """Yield the files of metadata objects of all roots; one that vanishes meanwhile is left out."""
    for root in roots:
        for path, prefix in _paths(top, root):
            found = _source(top, path, root, prefix)
            if found:
                yield found


def object_file(top: Path, path: str, root: Root) -> SourceFile | None:
    """Return the object's file that a file of a root is or is a side file of, None when there is none."""
    found = object_of_path(path, root)
    return _source(top, top / found[0], root, found[1]) if found else None


def _source(top: Path, path: Path, root: Root, prefix: str) -> SourceFile | None:
    try:
        stats = [path.stat(), *(stat for _, stat in side_files(path, root))]
    except OSError:
        return None
    size, mtime = sum(stat.st_size for stat in stats), max(stat.st_mtime_ns for stat in stats)
    return SourceFile(path.relative_to(top).as_posix(), size, mtime, "object", prefix)


def is_metadata(path: Path) -> bool:
    """Return whether a path looks like that of a metadata object or of a side file of one."""
    if path.suffix.lower() == ".mdo":
        return True
    if path.suffix.lower() == ".json":
        # <Type>/<Object>/<Type>.json and the file of uuids beside it
        stem = path.name.removesuffix(".json").removesuffix(".id")
        return path.parent.parent.name == stem and (stem in KIND_BY_FOLDER or child_kind(stem) is not None)
    if path.suffix.lower() == ".xml" and path.with_suffix("").is_dir():
        # an external object may lie anywhere
        return True
    return path.parent.name in KIND_BY_FOLDER or is_side_file(path)


def _paths(top: Path, root: Root) -> Iterator[tuple[Path, str]]:
    """Yield the object files of a root with the beginning of their full names (nested subsystems have one)."""
    base = top if root.path == "." else top / root.path
    if root.kind == "external":
        path = {
            "designer": base.parent / f"{base.name}.xml",
            "edt": base / f"{base.name}.mdo",
        }.get(root.format, base / v8unpack.EXTERNAL)
        if path.is_file():
            yield path, ""
        return
    files = {"designer": _designer_files, "edt": _edt_files, "v8unpack": _v8unpack_files}.get(root.format)
    if files:
        yield from files(base)


def read_object(top: Path, path: str, root: Root, prefix: str) -> tuple[MetadataObject | None, list[Problem]]:
    """Return the object of one file (None when it holds none) and the problems of it and its side files.

    Its types by uuid are not resolved: that takes the other objects of the root.
    """
    problems: list[Problem] = []
    if root.format == "v8unpack":
        return v8unpack.read_object(top / path, path, root.id, prefix)
    reader: Reader = edt.read_object if root.format == "edt" else designer.read_object
    try:
        found = reader(read_xml(top / path), path, root.id, prefix)
    except XmlError as error:
        return None, [Problem(path, str(error))]
    if found:
        found = with_side_files(top, top / path, root, found, problems)
        problems += own_problems(found)
    return found, problems


def object_of_text(text: str, path: str) -> MetadataObject | None:
    """Return the object of an XML source's text (a document that is being edited), None when it is none or broken."""
    reader: Reader = edt.read_object if path.lower().endswith(".mdo") else designer.read_object
    try:
        return reader(parse_xml(_DECLARATION.sub("", text).encode("utf-8", errors="replace")), path, "", "")
    except XmlError:
        return None


def object_digest(top: Path, path: str, root: Root) -> bytes | None:
    """Return a digest of an object's file and its side files, None when one cannot be read or is too large."""
    files = (top / path, *(found for found, _ in side_files(top / path, root)))
    try:
        if any(file.stat().st_size > MAX_BYTES for file in files):
            return None
        contents = [file.read_bytes() for file in files]
    except OSError:
        return None
    return bytes_hash(*contents)


def _read(top: Path, root: Root, problems: list[Problem]) -> Iterator[MetadataObject]:
    for path, prefix in _paths(top, root):
        found, told = read_object(top, path.relative_to(top).as_posix(), root, prefix)
        problems += told
        if found:
            yield found
    if root.format == "edt" and root.kind != "external":
        base = top if root.path == "." else top / root.path
        try:
            configuration = read_xml(base / _CONFIGURATION_MDO)
        except XmlError:
            # the walk has told it already
            return
        path = base / _CONFIGURATION_MDO
        yield from edt.read_languages(configuration, path.relative_to(top).as_posix(), root.id)


def _designer_files(base: Path) -> Iterator[tuple[Path, str]]:
    """Yield the object files of a dump with the beginning of their full names (nested subsystems have one)."""
    for folder in _folders(base):
        if folder.name in KIND_BY_FOLDER:
            for path in _found(folder, "*.xml"):
                yield path, ""
                if folder.name == "Subsystems":
                    yield from _nested_designer(path, f"Subsystem.{path.stem}.")


def _nested_designer(parent: Path, prefix: str) -> Iterator[tuple[Path, str]]:
    for path in _found(parent.with_suffix("") / "Subsystems", "*.xml"):
        yield path, prefix
        yield from _nested_designer(path, f"{prefix}Subsystem.{path.stem}.")


def _edt_files(base: Path) -> Iterator[tuple[Path, str]]:
    """Yield the object files of a project with the beginning of their full names."""
    for folder in _folders(base / "src"):
        if folder.name in KIND_BY_FOLDER:
            for path in _found(folder, "*/*.mdo"):
                yield path, ""
                if folder.name == "Subsystems":
                    yield from _nested_edt(path.parent, f"Subsystem.{path.stem}.")


def _nested_edt(parent: Path, prefix: str) -> Iterator[tuple[Path, str]]:
    for path in _found(parent / "Subsystems", "*/*.mdo"):
        yield path, prefix
        yield from _nested_edt(path.parent, f"{prefix}Subsystem.{path.stem}.")


def _found(folder: Path, pattern: str) -> list[Path]:
    # the walk tells of names that are no text, and of a folder that cannot be read
    try:
        return sorted(path for path in folder.glob(pattern) if str(path.relative_to(folder)).isprintable())
    except OSError:
        return []


def _v8unpack_files(base: Path, prefix: str = "") -> Iterator[tuple[Path, str]]:
    """Yield the object files of an export with the beginning of their full names."""
    for folder in _folders(base):
        if folder.name in KIND_BY_FOLDER and (not prefix or folder.name == "Subsystem"):
            for own in _folders(folder):
                path = own / f"{folder.name}.json"
                if path.is_file():
                    yield path, prefix
                if folder.name == "Subsystem":
                    yield from _v8unpack_files(own, f"{prefix}Subsystem.{own.name}.")


def _folders(base: Path) -> list[Path]:
    try:
        return sorted(path for path in base.iterdir() if path.is_dir())
    except OSError:
        # gone or not to be read: the walk or the absence of every listed object tells it
        return []


def absent_objects(top: Path, root: Root, have: set[str]) -> Iterator[Problem]:
    """Yield the objects that the configuration lists by name and that are not among those read."""
    if root.kind == "external" or root.format not in ("designer", "edt"):
        return
    name = _CONFIGURATION_MDO if root.format == "edt" else "Configuration.xml"
    base = top if root.path == "." else top / root.path
    try:
        configuration = read_xml(base / name)
    except XmlError:
        # the walk has told it already
        return
    relative = (base / name).relative_to(top).as_posix()
    unknown: Counter[str] = Counter()
    for listed in _listed(configuration, root.format):
        kind = listed.partition(".")[0]
        if kind not in KIND_BY_NAME:
            unknown[kind] += 1
        elif listed not in have:
            yield Problem(relative, f"lists {listed}, whose file is absent or broken")
    for kind, count in unknown.items():
        yield Problem(relative, f"lists {count} of the kind {kind}, which is not known here")


def _listed(configuration: Element, source_format: str) -> Iterator[str]:
    if source_format == "designer":
        for element in configuration:
            for item in children(element, "ChildObjects"):
                yield f"{local(item)}.{(item.text or '').strip()}"
        return
    for item in configuration:
        # <catalogs>Catalog.X</catalogs>
        value = (item.text or "").strip()
        kind, _, rest = value.partition(".")
        if rest and kind in {k.english for k in KIND_BY_FOLDER.values()} and "." not in rest and _plural(item, kind):
            yield value


def _plural(item: Element, kind: str) -> bool:
    """Return whether an element of a Configuration.mdo lists objects of a kind: `catalogs` of Catalog."""
    folder = next(k.folder for k in KIND_BY_FOLDER.values() if k.english == kind)
    return local(item).casefold() == folder.casefold()
