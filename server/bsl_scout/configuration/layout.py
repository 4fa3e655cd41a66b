"""Finds the roots and modules below a folder and tells from a path what a module belongs to."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from .chosen_roots import EMPTY, WrongRoot, chosen_folders
from .kinds import KIND_BY_FOLDER, KIND_BY_NAME, MODULES
from .safe_json import JsonError, read_json
from .safe_xml import XmlError, local, read_xml
from .v8unpack_tables import external_kind

MODULE_SUFFIXES = (".bsl", ".os")
# only names that can't be a folder of sources: a 1C object may well be called `out` or `Target`
_IGNORED = frozenset({"node_modules", "__pycache__", ".git", ".hg", ".svn", ".venv", ".vscode", ".idea", ".metadata"})
_MAX_DEPTH = 40
_V8UNPACK_ROOTS = {
    "Configuration.json": "configuration",
    "ConfigurationExtension.json": "extension",
    "ExternalDataProcessor.json": "external",
}
# the first element below the root of the file of an external object; its head has a kilobyte and a half of namespaces
_EXTERNAL = re.compile(rb"<(ExternalDataProcessor|ExternalReport)\s+uuid=")
_HEAD_BYTES = 4_096
_EXTERNAL_FOLDERS = ("ExternalDataProcessors", "ExternalReports")
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

    @property
    def file_beside(self) -> str | None:
        """The path of the file beside the root's folder that belongs to it, None when there is none."""
        return f"{self.path}.xml" if self.kind == "external" and self.format == "designer" else None


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
    """The roots (outer before inner), module files in path order and the problems of one walk.

    `wrong` are the entries of the setting that names roots which could not be used, `unread` the paths of folders and
    files that are there and could not be looked at: nothing is known of what they hold now.
    """

    roots: list[Root] = field(default_factory=list)
    files: list[SourceFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    wrong: list[WrongRoot] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    _by_path: dict[str, Root] = field(default_factory=dict)

    @property
    def has_sources(self) -> bool:
        """Whether there is a module, or a root of 1C sources that may have none."""
        return bool(self.files) or any(root.kind != "plain" for root in self.roots)

    def has_root(self, path: str) -> bool:
        """Return whether any root holds the path."""
        return self._holding(path) is not None

    def root_of(self, path: str) -> Root:
        """Return the innermost root that holds the path; there must be one."""
        root = self._holding(path)
        if root is None:
            raise LookupError(f"no root holds {path}")
        return root

    def _holding(self, path: str) -> Root | None:
        if len(self._by_path) != len(self.roots):
            self._by_path = {root.path: root for root in self.roots}
        beside = self._by_path.get(path.removesuffix(".xml"))
        if beside and beside.file_beside == path:
            return beside
        while path:
            path = path.rpartition("/")[0]
            if path in self._by_path:
                return self._by_path[path]
        return self._by_path.get(".")


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


def walk(top: Path, chosen: Sequence[str] = ()) -> Layout:
    """Return what lies below a folder, or the one module when `top` is a file; raises OSError when it is neither.

    With `chosen` (folders relative to `top`) only these are looked into.
    """
    layout = Layout()
    if top.is_file():
        if not is_module(top.name):
            raise NotADirectoryError(errno.ENOTDIR, "neither a folder nor a module")
        stat = top.stat()
        layout.files.append(SourceFile(top.name, stat.st_size, stat.st_mtime_ns))
        layout.roots.append(Root(".", "plain", "plain", ".", _valid(top.stem)))
        return layout
    os.scandir(top).close()
    if chosen:
        folders, layout.wrong = chosen_folders(top, chosen)
        for folder, name in folders.items():
            before = len(layout.roots) + len(layout.files)
            _walk_from(top, folder, layout)
            if len(layout.roots) + len(layout.files) == before:
                layout.wrong.append(WrongRoot(name, EMPTY))
    else:
        _walk_from(top, "", layout)
    layout.files.sort(key=lambda file: file.path)
    if not any(root.path == "." for root in layout.roots):
        plain = Root(".", "plain", "plain", ".", _valid(Path(os.path.realpath(top)).name))
        layout.roots.insert(0, plain)
        # modules beside the found roots are searchable too; without any the plain root means nothing
        if len(layout.roots) > 1 and not any(layout.root_of(f.path) is plain for f in layout.files):
            layout.roots.pop(0)
    return layout


def _walk_from(top: Path, start: str, layout: Layout) -> None:
    if start:
        # the file of an external object lies beside its folder
        parent, _, own = start.rpartition("/")
        with os.scandir(top / parent) as scan:
            beside = [entry for entry in scan if entry.name == f"{own}.xml" and entry.is_file()]
        layout.roots += _external_roots(top, parent, beside, layout.problems)
    for directory, entries in _directories(top, start, layout, start.count("/") + 1 if start else 0):
        names = {entry.name for entry in entries}
        root = _root(top, directory, names, layout.problems)
        if root:
            layout.roots.append(root)
        if _may_hold_external(layout, directory):
            layout.roots += _external_roots(top, directory, entries, layout.problems)
        for entry in entries:
            _add_module(layout, directory, entry)


def walk_below(top: Path, relative: str) -> Layout:
    """Return the modules below a folder inside `top`, without looking for roots."""
    layout = Layout()
    for directory, entries in _directories(top, relative, layout, relative.count("/") + 1):
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
        _note_unread(layout, path, error)
        return
    layout.files.append(SourceFile(path, stat.st_size, stat.st_mtime_ns))


def leads_outside(top: Path, path: str) -> bool:
    """Return whether a path below a folder is, by links or `..`, one outside: nothing there is the workspace's."""
    real = os.path.realpath(top / path)
    inside = os.path.realpath(top)
    return real != inside and not real.startswith(inside.rstrip(os.sep) + os.sep)


def _valid(name: str) -> str:
    """Return a name that SQLite and JSON can carry, whatever bytes a file system or a JSON escape had."""
    return name.encode("utf-8", errors="replace").decode("utf-8")


def _reason(error: OSError) -> str:
    # str(error) would tell the absolute path
    return error.strerror or type(error).__name__


def _note_unread(layout: Layout, path: str, error: OSError, what: str = "") -> None:
    layout.problems.append(Problem(path, what + _reason(error)))
    if not isinstance(error, FileNotFoundError):
        # what has gone meanwhile holds nothing any more
        layout.unread.append(path)


def _directories(top: Path, relative: str, layout: Layout, depth: int) -> Iterator[tuple[str, list[os.DirEntry[str]]]]:
    """Yield each folder with its files, outer folders first; symbolic links to folders are not followed."""
    problems = layout.problems
    try:
        with os.scandir(top / relative if relative else top) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        _note_unread(layout, relative or ".", error, "folder not read: ")
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
            elif entry.is_symlink() and leads_outside(top, os.path.relpath(entry.path, top)):
                if is_module(entry.name):
                    path = f"{relative}/{entry.name}" if relative else entry.name
                    problems.append(Problem(path, "not read: a link that leads outside"))
            elif entry.is_file():
                # neither a folder behind a link nor a pipe or device, which could be read for ever
                files.append(entry)
        except OSError as error:
            _note_unread(layout, f"{relative}/{entry.name}" if relative else entry.name, error)
    yield relative, files
    if folders and depth >= _MAX_DEPTH:
        problems.append(Problem(relative, f"folders deeper than {_MAX_DEPTH} levels are not read"))
        return
    for name in folders:
        yield from _directories(top, f"{relative}/{name}" if relative else name, layout, depth + 1)


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
    if folder.parent.name in _EXTERNAL_FOLDERS and f"{folder.name}.mdo" in names:
        _, name = _xml_root(top, folder / f"{folder.name}.mdo", problems)
        kind = KIND_BY_FOLDER[folder.parent.name].english
        return Root(path, "external", "edt", path, _valid(name or folder.name), kind)
    for marker, kind in _V8UNPACK_ROOTS.items():
        if marker in names:
            name, object_kind = _json_root(top, folder / marker, problems)
            name = _valid(name or folder.name or top.name)
            return Root(path, kind, "v8unpack", path, name, object_kind if kind == "external" else "")
    return None


def _may_hold_external(layout: Layout, directory: str) -> bool:
    """Return whether a folder may hold external objects of a Designer dump: not one that holds parts of another."""
    root = layout.root_of(f"{directory}/x") if layout.has_root(f"{directory}/x") else None
    if root is None or root.format != "designer":
        return True
    below = directory if root.path == "." else directory[len(root.path) + 1 :]
    first = below.partition("/")[0]
    return root.kind != "external" and first not in KIND_BY_FOLDER and first != "Ext"


def _external_roots(
    top: Path, directory: str, entries: list[os.DirEntry[str]], problems: list[Problem]
) -> Iterator[Root]:
    """Yield the external objects whose files lie in a folder of their own choice (`X.xml` beside `X/`)."""
    for entry in entries:
        if not entry.name.lower().endswith(".xml"):
            continue
        path = f"{directory}/{entry.name}" if directory else entry.name
        try:
            with (top / path).open("rb") as file:
                found = _EXTERNAL.search(file.read(_HEAD_BYTES))
        except OSError as error:
            problems.append(Problem(path, f"not read: {_reason(error)}"))
            continue
        if found:
            _, name = _xml_root(top, PurePosixPath(path), problems)
            base = path[: -len(".xml")]
            yield Root(base, "external", "designer", base, _valid(name or entry.name[:-4]), found[1].decode())


def _xml_root(top: Path, path: PurePosixPath, problems: list[Problem]) -> tuple[str, str | None]:
    try:
        tree = read_xml(top / path)
    except XmlError as error:
        problems.append(Problem(str(path), str(error)))
        return "configuration", None
    name, extension = None, False
    for element in tree.iter("{*}Name", "{*}name", "{*}ConfigurationExtensionPurpose", "{*}extension"):
        if local(element) in ("Name", "name"):
            name = name or element.text
        else:
            extension = True
    return "extension" if extension else "configuration", name


def _json_root(top: Path, path: PurePosixPath, problems: list[Problem]) -> tuple[str | None, str]:
    """Return the name of an exported root and the kind of external object it is, empty when it is none."""
    try:
        value = read_json(top / path)
    except JsonError as error:
        problems.append(Problem(str(path), str(error)))
        return None, ""
    name = value.get("name")
    return name if isinstance(name, str) else None, external_kind(value.get("header")) or ""


def module_address(path: str, root: Root) -> ModuleAddress:
    """Return what the module at a path (relative to the walk's top) belongs to."""
    relative = path if root.path == "." else path[len(root.path) + 1 :]
    parts = [part for part in relative.split("/") if part not in ("Ext", "src")]
    stem, _, suffix = parts[-1].rpartition(".")[0].partition(".")
    if root.format == "plain":
        return _SCRIPT
    name = _V8UNPACK_MODULES.get(suffix, stem) if root.format == "v8unpack" else stem
    kind = KIND_BY_FOLDER.get(parts[0])
    if root.kind == "external":
        kind, parts = KIND_BY_NAME[root.object_kind or "ExternalDataProcessor"], ["", root.name, *parts]
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
