"""Tells from the path of an object's file or side file which object it is of, without looking at the disk.

The folders are those of formats.md 2 (Designer), 7 (EDT) and of the exports of v8unpack.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from .kinds import KIND_BY_FOLDER
from .layout import Root
from .v8unpack import EXTERNAL

# the folder of subsystems, which hold their own kind, by format
_NESTING = {"designer": "Subsystems", "edt": "Subsystems", "v8unpack": "Subsystem"}


def object_of_path(path: str, root: Root) -> tuple[str, str] | None:
    """Return the file of the object that a file of a root is of, and the beginning of the object's full name.

    None when the path tells none. Both paths are relative to the top of the walk; whether there is such a file
    is not known.
    """
    nesting = _NESTING.get(root.format)
    if nesting is None:
        return None
    if root.kind == "external":
        return _external(root), ""
    base = "" if root.path == "." else f"{root.path}/"
    parts = path.removeprefix(base).split("/")
    if root.format == "edt":
        if parts[0] != "src":
            return None
        base, parts = f"{base}src/", parts[1:]
    prefix = ""
    while len(parts) > 3 and parts[0] == parts[2] == nesting:
        prefix += f"Subsystem.{parts[1]}."
        base, parts = f"{base}{parts[0]}/{parts[1]}/", parts[2:]
    if len(parts) < 2 or parts[0] not in KIND_BY_FOLDER:
        return None
    if root.format == "designer":
        if len(parts) == 2 and not parts[1].endswith(".xml"):
            return None
        return f"{base}{parts[0]}/{parts[1].removesuffix('.xml') if len(parts) == 2 else parts[1]}.xml", prefix
    if len(parts) == 2:
        return None
    if root.format == "v8unpack":
        return f"{base}{parts[0]}/{parts[1]}/{parts[0]}.json", prefix
    own = parts[2] if len(parts) == 3 and parts[2].endswith(".mdo") else f"{parts[1]}.mdo"
    return f"{base}{parts[0]}/{parts[1]}/{own}", prefix


def _external(root: Root) -> str:
    if root.file_beside:
        return root.file_beside
    own = f"{PurePosixPath(root.path).name}.mdo" if root.format == "edt" else EXTERNAL
    return own if root.path == "." else f"{root.path}/{own}"
