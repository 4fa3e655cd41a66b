"""The folders that the setting `bslScout.roots` names: which of them there are, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ABSENT = "absent"
OUTSIDE = "outside"
EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class WrongRoot:
    """An entry of the setting as it is written, and what is wrong with it: ABSENT, OUTSIDE or EMPTY."""

    name: str
    reason: str


def chosen_folders(top: Path, names: Iterable[str]) -> tuple[dict[str, str], list[WrongRoot]]:
    """Return the named folders below `top` (relative path with `/`, empty for `top` -> name), and the wrong names.

    One that lies in another is left out: it is searched with that. Links are followed, so that one that leads
    out of the folder is OUTSIDE.
    """
    found: dict[str, str] = {}
    wrong = []
    base = top.resolve()
    for name in dict.fromkeys(names):
        # a setting made on Windows is shared with other systems; a space may stand at either end of a name
        place = base / name.replace("\\", "/")
        try:
            place = place.resolve()
            exists = place.is_dir()
        except (OSError, RuntimeError, ValueError):
            # a loop of links, or characters that no path can have
            exists = False
        if exists and not place.is_relative_to(base):
            wrong.append(WrongRoot(name, OUTSIDE))
        elif exists and name.strip():
            relative = place.relative_to(base).as_posix()
            found.setdefault("" if relative == "." else relative, name)
        else:
            wrong.append(WrongRoot(name, OUTSIDE if _leads_out(name) else ABSENT))
    outer = {
        one: name for one, name in sorted(found.items()) if not any(is_within(one, two) for two in found if two != one)
    }
    return outer, wrong


def is_chosen(path: str, folders: Sequence[str]) -> bool:
    """Return whether a relative path is in one of the folders, or is the file beside it; no folders choose all."""
    return not folders or any(is_within(path, folder) or path == f"{folder}.xml" for folder in folders)


def is_within(path: str, folder: str) -> bool:
    """Return whether a relative path is that of a folder or below it; an empty folder holds all."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def _leads_out(name: str) -> bool:
    """Return whether a name of something that is absent leads out of the folder by its own words."""
    depth = 0
    for part in name.replace("\\", "/").split("/"):
        depth += -1 if part == ".." else 1 if part not in ("", ".") else 0
        if depth < 0:
            return True
    return name.startswith(("/", "\\")) or name[1:2] == ":"
