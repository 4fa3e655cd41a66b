"""Finds and reads all metadata objects below the roots of a layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bsl_scout.bsl.text import bytes_hash

from . import designer, edt, v8unpack
from .kinds import KIND_BY_FOLDER
from .layout import Problem, Root, SourceFile
from .model import MetadataObject
from .safe_xml import Element, XmlError, child, children, local, read_xml, text
from .types import resolve_types
from .v8unpack_tables import child_kind

Reader = Callable[[Element, str, str, str], MetadataObject | None]


def read_objects(top: Path, roots: Sequence[Root]) -> tuple[list[MetadataObject], list[Problem]]:
    """Return the objects of all roots in path order, and what could not be read or is listed but absent.

    Types by uuid are resolved over each root; one that no object of the root names stays `Ref#<uuid>`.
    Forms and templates of a Designer dump get uuid and synonym from files of their own.
    """
    objects: list[MetadataObject] = []
    problems: list[Problem] = []
    for root in roots:
        found = list(_read(top, root, problems))
        problems += absent_objects(top, root, {item.full_name for item in found})
        objects += resolve_types(found)
    return objects, problems


def object_files(top: Path, roots: Sequence[Root]) -> Iterator[SourceFile]:
    """Yield the files of metadata objects of all roots; one that vanishes meanwhile is left out."""
    for root in roots:
        for path, prefix in _paths(top, root):
            try:
                stats = [path.stat(), *(side.stat() for side in _sidecars(path, root))]
            except OSError:
                continue
            size, mtime = sum(stat.st_size for stat in stats), max(stat.st_mtime_ns for stat in stats)
            yield SourceFile(path.relative_to(top).as_posix(), size, mtime, "object", prefix)


def is_metadata(path: Path) -> bool:
    """Return whether a path looks like that of a metadata object or of the description of a form or template."""
    if path.suffix.lower() == ".mdo":
        return True
    if path.suffix.lower() == ".json":
        # <Type>/<Object>/<Type>.json and the file of uuids beside it
        stem = path.name.removesuffix(".json").removesuffix(".id")
        return path.parent.parent.name == stem and (stem in KIND_BY_FOLDER or child_kind(stem) is not None)
    if path.suffix.lower() == ".xml" and path.with_suffix("").is_dir():
        # an external object may lie anywhere
        return True
    return path.parent.name in KIND_BY_FOLDER or path.parent.name in ("Forms", "Templates")


def _sidecars(path: Path, root: Root) -> list[Path]:
    """Return the files that tell more of an object's forms and templates, in order."""
    if root.format == "v8unpack":
        ids = [] if path.name == v8unpack.EXTERNAL else [path.with_name(f"{path.stem}.id.json")]
        return [side for side in (*ids, *v8unpack.child_files(path.parent)) if side.is_file()]
    if root.format != "designer":
        return []
    # most objects have neither: listing what is not there is cheaper than looking for a pattern in it
    own = path.with_suffix("")
    found: list[Path] = []
    for folder in ("Forms", "Templates"):
        try:
            found += sorted(side for side in (own / folder).iterdir() if side.suffix.lower() == ".xml")
        except OSError:
            continue
    return found


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
    """Return the object of one file (None when it holds none) and the problems of it and its sidecars.

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
    if found and root.format == "designer":
        found = _with_sidecars(top, top / path, found, problems)
    return found, problems


def object_digest(top: Path, path: str, root: Root) -> bytes | None:
    """Return a digest of an object's file and its sidecars, None when one of them cannot be read."""
    try:
        contents = [side.read_bytes() for side in (top / path, *_sidecars(top / path, root))]
    except OSError:
        return None
    return bytes_hash(*contents)


def _read(top: Path, root: Root, problems: list[Problem]) -> Iterator[MetadataObject]:
    for path, prefix in _paths(top, root):
        found, told = read_object(top, path.relative_to(top).as_posix(), root, prefix)
        problems += told
        if found:
            yield found


def _designer_files(base: Path) -> Iterator[tuple[Path, str]]:
    """Yield the object files of a dump with the beginning of their full names (nested subsystems have one)."""
    for folder in _folders(base):
        if folder.name in KIND_BY_FOLDER:
            for path in sorted(folder.glob("*.xml")):
                yield path, ""
                if folder.name == "Subsystems":
                    yield from _nested_designer(path, f"Subsystem.{path.stem}.")


def _nested_designer(parent: Path, prefix: str) -> Iterator[tuple[Path, str]]:
    for path in sorted((parent.with_suffix("") / "Subsystems").glob("*.xml")):
        yield path, prefix
        yield from _nested_designer(path, f"{prefix}Subsystem.{path.stem}.")


def _edt_files(base: Path) -> Iterator[tuple[Path, str]]:
    """Yield the object files of a project with the beginning of their full names."""
    for folder in _folders(base / "src"):
        if folder.name in KIND_BY_FOLDER:
            for path in sorted(folder.glob("*/*.mdo")):
                yield path, ""
                if folder.name == "Subsystems":
                    yield from _nested_edt(path.parent, f"Subsystem.{path.stem}.")


def _nested_edt(parent: Path, prefix: str) -> Iterator[tuple[Path, str]]:
    for path in sorted((parent / "Subsystems").glob("*/*.mdo")):
        yield path, prefix
        yield from _nested_edt(path.parent, f"{prefix}Subsystem.{path.stem}.")


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
    return sorted(path for path in base.iterdir() if path.is_dir()) if base.is_dir() else []


def _with_sidecars(top: Path, path: Path, found: MetadataObject, problems: list[Problem]) -> MetadataObject:
    """Return the object with what the files of its forms and templates tell."""
    fields = []
    for part in found.fields:
        folder = {"form": "Forms", "template": "Templates"}.get(part.kind)
        if folder is None:
            fields.append(part)
            continue
        side = path.with_suffix("") / folder / f"{part.name}.xml"
        relative = side.relative_to(top).as_posix()
        if not side.is_file():
            problems.append(Problem(relative, f"listed in {path.name} but absent"))
            fields.append(part)
            continue
        try:
            element = next(iter(read_xml(side)), None)
        except XmlError as error:
            problems.append(Problem(relative, str(error)))
            fields.append(part)
            continue
        properties = None if element is None else child(element, "Properties")
        if element is None or properties is None:
            fields.append(part)
            continue
        comment = text(properties, "Comment")
        fields.append(replace(part, synonym=designer.synonym(properties), uuid=element.get("uuid"), comment=comment))
    return replace(found, fields=tuple(fields))


def absent_objects(top: Path, root: Root, have: set[str]) -> Iterator[Problem]:
    """Yield the objects that the configuration lists by name and that are not among those read."""
    if root.kind == "external" or root.format not in ("designer", "edt"):
        return
    name = "src/Configuration/Configuration.mdo" if root.format == "edt" else "Configuration.xml"
    base = top if root.path == "." else top / root.path
    try:
        configuration = read_xml(base / name)
    except XmlError:
        # the walk has told it already
        return
    relative = (base / name).relative_to(top).as_posix()
    for listed in _listed(configuration, root.format):
        if listed not in have:
            yield Problem(relative, f"lists {listed}, whose file is absent or broken")


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
