"""Finds the roots and modules below a folder and tells from a path what a module belongs to."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from lxml import etree

from .kinds import KIND_BY_FOLDER, MODULES

MODULE_SUFFIXES = (".bsl", ".os")
# only names that can't be a folder of sources: a 1C object may well be called `out` or `Target`
_IGNORED = frozenset({"node_modules", "__pycache__", ".git", ".hg", ".svn", ".venv", ".vscode", ".idea", ".metadata"})
_MAX_DEPTH = 40
_V8UNPACK_ROOTS = {
    "Configuration.json": "configuration",
    "ConfigurationExtension.json": "extension",
    "ExternalDataProcessor.json": "external",
}
# the v8unpack suffix of a module file -> the Designer name of the module
_V8UNPACK_MODULES = {
    "obj": "ObjectModule",
    "mgr": "ManagerModule",
    "app": "ManagedApplicationModule",
    "con": "ExternalConnectionModule",
    "ssn": "SessionModule",
    "seance": "SessionModule",
}


@dataclass(frozen=True, slots=True)
class Root:
    """One configuration, extension, external object or plain folder; `path` is relative, `.` for the top.

    Of an external object `object_kind` is ExternalDataProcessor or ExternalReport; in a Designer dump `path` is
    the folder `X` and the object's file `X.xml` beside it belongs to the root too.
    """

    id: str
    kind: str
    format: str
    path: str
    name: str
    object_kind: str = ""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file found by the walk: its path relative to the top with `/`, size in bytes, mtime in ns.

    `kind` is `module`, or `object` for a metadata object; size and time of an object cover the files of its
    forms and templates, and `prefix` begins its full name (that of a nested subsystem).
    """

    path: str
    size: int
    mtime_ns: int
    kind: str = "module"
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be read, with the relative path."""

    path: str
    message: str


@dataclass(slots=True)
class Layout:
    """The roots (outer before inner), module files in path order and the problems of one walk."""

    roots: list[Root] = field(default_factory=list)
    files: list[SourceFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def has_root(self, path: str) -> bool:
        """Return whether any root holds the path."""
        return any(root.path == "." or path.startswith(root.path + "/") for root in self.roots)

    def root_of(self, path: str) -> Root:
        """Return the innermost root that holds the path."""
        inner = [root for root in self.roots if root.path == "." or path.startswith(root.path + "/")]
        return max(inner, key=lambda root: 0 if root.path == "." else len(root.path))


@dataclass(frozen=True, slots=True)
class ModuleAddress:
    """What a module belongs to.

    `owner` is the full Russian name (`Документ.Анкета`, `Документ.Анкета.Форма.Список`), None in a plain
    folder; `module` is the platform's name of the module (`МодульОбъекта`), `words` the same in words.
    """

    owner: str | None
    module: str
    words: str


_SCRIPT = ModuleAddress(None, "Модуль", "модуль")


def walk(top: Path) -> Layout:
    """Return what lies below a folder, or the one module when `top` is a file; raises OSError when it is neither."""
    layout = Layout()
    if top.is_file():
        if not is_module(top.name):
            raise NotADirectoryError(errno.ENOTDIR, "neither a folder nor a module")
        stat = top.stat()
        layout.files.append(SourceFile(top.name, stat.st_size, stat.st_mtime_ns))
        layout.roots.append(Root(".", "plain", "plain", ".", _valid(top.stem)))
        return layout
    os.scandir(top).close()
    for directory, entries in _directories(top, "", layout.problems, 0):
        names = {entry.name for entry in entries}
        root = _root(top, directory, names, layout.problems)
        if root:
            layout.roots.append(root)
        for entry in entries:
            _add_module(layout, directory, entry)
    layout.files.sort(key=lambda file: file.path)
    if not any(root.path == "." for root in layout.roots):
        plain = Root(".", "plain", "plain", ".", _valid(Path(os.path.realpath(top)).name))
        layout.roots.insert(0, plain)
        # modules beside the found roots are searchable too; without any the plain root means nothing
        if len(layout.roots) > 1 and not any(layout.root_of(f.path) is plain for f in layout.files):
            layout.roots.pop(0)
    return layout


def walk_below(top: Path, relative: str) -> Layout:
    """Return the modules below a folder inside `top`, without looking for roots."""
    layout = Layout()
    for directory, entries in _directories(top, relative, layout.problems, relative.count("/") + 1):
        for entry in entries:
            _add_module(layout, directory, entry)
    return layout


def is_ignored(path: str) -> bool:
    """Return whether a relative path lies in a folder that a walk does not look into."""
    return any(part in _IGNORED for part in path.split("/")[:-1])


def is_module(name: str) -> bool:
    """Return whether a file name is that of a module."""
    return name.lower().endswith(MODULE_SUFFIXES)


def _add_module(layout: Layout, directory: str, entry: os.DirEntry[str]) -> None:
    if not is_module(entry.name):
        return
    path = f"{directory}/{entry.name}" if directory else entry.name
    try:
        stat = entry.stat()
    except OSError as error:
        layout.problems.append(Problem(path, _reason(error)))
        return
    layout.files.append(SourceFile(path, stat.st_size, stat.st_mtime_ns))


def _valid(name: str) -> str:
    """Return a name that SQLite and JSON can carry, whatever bytes a file system or a JSON escape had."""
    return name.encode("utf-8", errors="replace").decode("utf-8")


def _reason(error: OSError) -> str:
    # str(error) would tell the absolute path
    return error.strerror or type(error).__name__


def _directories(
    top: Path, relative: str, problems: list[Problem], depth: int
) -> Iterator[tuple[str, list[os.DirEntry[str]]]]:
    """Yield each folder with its files, outer folders first; symbolic links to folders are not followed."""
    try:
        with os.scandir(top / relative if relative else top) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        problems.append(Problem(relative or ".", f"folder not read: {_reason(error)}"))
        return
    folders = []
    files = []
    for entry in entries:
        if not entry.name.isprintable():
            # bytes that are no text, or control characters: neither SQLite nor JSON could carry the name
            shown = ascii(entry.name).strip("'")
            problems.append(Problem(f"{relative}/{shown}" if relative else shown, "not read: not a valid name"))
            continue
        try:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _IGNORED:
                    folders.append(entry.name)
            elif entry.is_file():
                # neither a folder behind a link nor a pipe or device, which could be read for ever
                files.append(entry)
        except OSError as error:
            problems.append(Problem(f"{relative}/{entry.name}" if relative else entry.name, _reason(error)))
    yield relative, files
    if folders and depth >= _MAX_DEPTH:
        problems.append(Problem(relative, f"folders deeper than {_MAX_DEPTH} levels are not read"))
        return
    for name in folders:
        yield from _directories(top, f"{relative}/{name}" if relative else name, problems, depth + 1)


def _root(top: Path, directory: str, names: set[str], problems: list[Problem]) -> Root | None:
    folder = PurePosixPath(directory)
    path = directory or "."
    if "Configuration.xml" in names:
        kind, name = _xml_root(top, folder / "Configuration.xml", problems)
        return Root(path, kind, "designer", path, _valid(name or folder.name or top.name))
    if "Configuration.mdo" in names and folder.name == "Configuration":
        kind, name = _xml_root(top, folder / "Configuration.mdo", problems)
        # the project is the folder above src
        project = folder.parent.parent if folder.parent.name == "src" else folder.parent
        return Root(str(project), kind, "edt", str(project), _valid(name or project.name or top.name))
    for marker, kind in _V8UNPACK_ROOTS.items():
        if marker in names:
            name = _json_name(top, folder / marker, problems)
            return Root(path, kind, "v8unpack", path, _valid(name or folder.name or top.name))
    return None


def _xml_root(top: Path, path: PurePosixPath, problems: list[Problem]) -> tuple[str, str | None]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        tree = etree.parse(str(top / path), parser)
    except (OSError, etree.XMLSyntaxError) as error:
        reason = _reason(error) if isinstance(error, OSError) else f"broken XML: {error.msg}"
        problems.append(Problem(str(path), reason))
        return "configuration", None
    name, extension = None, False
    for element in tree.iter("{*}Name", "{*}name", "{*}ConfigurationExtensionPurpose", "{*}extension"):
        tag = etree.QName(element).localname
        if tag in ("Name", "name"):
            name = name or element.text
        else:
            extension = True
    return "extension" if extension else "configuration", name


def _json_name(top: Path, path: PurePosixPath, problems: list[Problem]) -> str | None:
    try:
        value = json.loads((top / path).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        reason = _reason(error) if isinstance(error, OSError) else "broken JSON"
        problems.append(Problem(str(path), reason))
        return None
    name = value.get("name") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def module_address(path: str, root: Root) -> ModuleAddress:
    """Return what the module at a path (relative to the walk's top) belongs to."""
    relative = path if root.path == "." else path[len(root.path) + 1 :]
    parts = [part for part in relative.split("/") if part not in ("Ext", "src")]
    stem, _, suffix = parts[-1].rpartition(".")[0].partition(".")
    if root.format == "plain":
        return _SCRIPT
    name = _V8UNPACK_MODULES.get(suffix, stem) if root.format == "v8unpack" else stem
    kind = KIND_BY_FOLDER.get(parts[0])
    if root.kind == "external" and root.format == "v8unpack":
        kind, parts = KIND_BY_FOLDER["ExternalDataProcessor"], ["", root.name, *parts]
    owner: list[str] = []
    if kind and len(parts) > 2:
        owner = [kind.russian, parts[1]]
        below = parts[2:-1]
        for folder, child in zip(below[::2], below[1::2], strict=False):
            if folder.endswith(("Forms", "Form")):
                owner += ["Форма", child]
                name = "Form"
            elif folder.endswith(("Commands", "Command")):
                owner += ["Команда", child]
                name = "CommandModule"
        if kind.english == "CommonForm":
            name = "Form"
        elif kind.english in ("CommonModule", "HTTPService", "WebService", "IntegrationService"):
            name = "Module"
        elif kind.english == "Constant" and name == "ObjectModule":
            name = "ValueManagerModule"
        elif kind.english.endswith("Register") and name == "ObjectModule":
            name = "RecordSetModule"
        elif kind.english == "CommonCommand":
            name = "CommandModule"
    module, words = MODULES.get(name, (name, name))
    if owner:
        return ModuleAddress(".".join(owner), module, words)
    # the modules of the configuration itself; anything else is a script that only lies in its folder
    own = len(parts) == 1 or parts[:-1] == ["Configuration"]
    return ModuleAddress("Конфигурация", module, words) if own and name in MODULES else _SCRIPT
