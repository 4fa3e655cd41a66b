"""What of a folder a refresh looks at when only some of its files have changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from stat import S_ISREG

from bsl_scout.configuration.chosen_roots import chosen_folders, is_chosen, is_within
from bsl_scout.configuration.layout import Layout, SourceFile, is_ignored, is_module, leads_outside, walk_below
from bsl_scout.configuration.objects import is_metadata, object_file

from .catalog import Catalog
from .schema import FILE_COLUMNS, FileRow


def partial_layout(
    top: Path, catalog: Catalog, paths: Sequence[str], chosen: Sequence[str] = ()
) -> tuple[Layout, dict[str, FileRow]] | None:
    """Return the named modules and objects that exist, and what the catalog knows of the named files and folders.

    A side file stands for its object. None when a path is in no known root, or holds or is of an object that is
    new or gone: then everything has to be looked at.
    """
    base = top if top.is_dir() else top.parent
    folders_chosen = list(chosen_folders(base, chosen)[0])
    layout = Layout(catalog.roots())
    objects: dict[str, SourceFile] = {}
    for path in sorted(set(paths)):
        if is_ignored(path) or leads_outside(base, path):
            continue
        if chosen and not is_chosen(path, folders_chosen):
            if any(is_within(folder, path) for folder in folders_chosen):
                return None
            continue
        if not layout.has_root(path):
            return None
        if (base / path).is_dir():
            below = walk_below(base, path)
            layout.files += below.files
            layout.problems += below.problems
        elif is_module(path):
            file = module_now(base, path)
            if file:
                # else gone, or about to be: what the catalog knows of it is removed
                layout.files.append(file)
        elif catalog.file(path) or is_metadata(base / path):
            file = object_file(base, path, layout.root_of(path))
            if file is None or not catalog.file(file.path):
                return None
            objects[file.path] = file
    meant = {**catalog.files_at(paths), **catalog.files_at(objects)}
    if any(row.kind == "object" and path not in objects for path, row in meant.items()):
        # the walk of a part looks for modules only
        return None
    layout.files += objects.values()
    return layout, meant


def module_now(base: Path, path: str) -> SourceFile | None:
    """Return a module as it lies on the disk, None when it is gone or no regular file."""
    try:
        stat = (base / path).stat()
    except OSError:
        return None
    return SourceFile(path, stat.st_size, stat.st_mtime_ns) if S_ISREG(stat.st_mode) else None


def modules_of_objects(catalog: Catalog, known: dict[str, FileRow], layout: Layout) -> dict[str, FileRow]:
    """Return the modules that the objects of a partial refresh may have renamed; a subsystem may rename any."""
    now = catalog.files_at([file.path for file in layout.files if file.kind == "object"])
    rows = [row for row in (*known.values(), *now.values()) if row.kind == "object"]
    if any(row.full_name and row.full_name.startswith("Subsystem.") for row in rows):
        return {path: row for path, row in catalog.files().items() if row.kind == "module"}
    query = f"SELECT {FILE_COLUMNS} FROM files WHERE kind = 'module' AND (owner = ? OR (owner > ? AND owner < ?))"
    owners = {row.owner for row in rows if row.owner}
    # forms and commands too; "/" is the character after "."
    found = (FileRow(*row) for owner in owners for row in catalog.rows(query, owner, f"{owner}.", f"{owner}/"))
    return {row.path: row for row in found}
