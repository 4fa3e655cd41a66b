"""Finds and reads all metadata objects below the roots of a layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bsl_scout.bsl.text import bytes_hash

from . import designer, edt
from .kinds import KIND_BY_FOLDER
from .layout import Problem, Root, SourceFile
from .model import MetadataObject
from .safe_xml import Element, XmlError, children, local, read_xml
from .side_files import is_side_file, side_files, with_side_files

Reader = Callable[[Element, str, str, str], MetadataObject | None]


def read_objects(top: Path, roots: Sequence[Root]) -> tuple[list[MetadataObject], list[Problem]]:
    """Return the objects of all roots in path order, and what could not be read or is listed but absent.

    What lies in side files (forms, templates, predefined items, rights) is read with the object.
    """
    objects: list[MetadataObject] = []
    problems: list[Problem] = []
    for root in roots:
        files = _files_of(root)
        if files:
            objects += _read(top, root, files, problems)
            problems += absent_objects(top, root, {found.full_name for found in objects if found.root == root.id})
    return objects, problems


def object_files(top: Path, roots: Sequence[Root]) -> Iterator[SourceFile]:
    """Yield the files of metadata objects of all roots; one that vanishes meanwhile is left out."""
    for root in roots:
        files = _files_of(root)
        base = top if root.path == "." else top / root.path
        for path, prefix in files(base) if files else ():
            try:
                stats = [path.stat(), *(stat for _, stat in side_files(path, root))]
            except OSError:
                continue
            size, mtime = sum(stat.st_size for stat in stats), max(stat.st_mtime_ns for stat in stats)
            yield SourceFile(path.relative_to(top).as_posix(), size, mtime, "object", prefix)


def is_metadata(path: Path) -> bool:
    """Return whether a path looks like that of a metadata object or of a side file of one."""
    return path.suffix.lower() == ".mdo" or path.parent.name in KIND_BY_FOLDER or is_side_file(path)


def _files_of(root: Root) -> Callable[[Path], Iterator[tuple[Path, str]]] | None:
    if root.kind == "external":
        return None
    return {"designer": _designer_files, "edt": _edt_files}.get(root.format)


def read_object(top: Path, path: str, root: Root, prefix: str) -> tuple[MetadataObject | None, list[Problem]]:
    """Return the object of one file (None when it holds none) and the problems of it and its side files."""
    problems: list[Problem] = []
    reader: Reader = edt.read_object if root.format == "edt" else designer.read_object
    try:
        found = reader(read_xml(top / path), path, root.id, prefix)
    except XmlError as error:
        return None, [Problem(path, str(error))]
    if found:
        found = with_side_files(top, top / path, root, found, problems)
    return found, problems


def object_digest(top: Path, path: str, root: Root) -> bytes | None:
    """Return a digest of an object's file and its side files, None when one of them cannot be read."""
    try:
        contents = [side.read_bytes() for side in (top / path, *(found for found, _ in side_files(top / path, root)))]
    except OSError:
        return None
    return bytes_hash(*contents)


def _read(
    top: Path,
    root: Root,
    files: Callable[[Path], Iterator[tuple[Path, str]]],
    problems: list[Problem],
) -> Iterator[MetadataObject]:
    base = top if root.path == "." else top / root.path
    for path, prefix in files(base):
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


def _folders(base: Path) -> list[Path]:
    return sorted(path for path in base.iterdir() if path.is_dir()) if base.is_dir() else []


def absent_objects(top: Path, root: Root, have: set[str]) -> Iterator[Problem]:
    """Yield the objects that the configuration lists and that are not among those read."""
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
