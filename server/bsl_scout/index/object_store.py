"""The metadata objects in the catalog: whole, by name and by uuid, and what links them to each other and to code.

Names and targets of links are stored folded and in English (`catalog.контрагенты`), so that one spelling answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from bsl_scout.bsl.text import fold
from bsl_scout.configuration.full_names import object_name
from bsl_scout.configuration.model import MetadataObject, object_from_row, object_to_row

from .catalog import Catalog
from .metadata import COMMON_FORM
from .packing import DamagedCatalogError, pack, to_json, unpack


def put_object(catalog: Catalog, file: int, item: MetadataObject | None) -> None:
    """Store the object of a file in place of the one it had; None when it holds none any more."""
    catalog.write("DELETE FROM objects WHERE file = ?", [(file,)])
    catalog.write("DELETE FROM links WHERE file = ?", [(file,)])
    if item is None:
        return
    # the texts of parts are found through their chunks; here they would only take space
    parts = (replace(part, text="", captions="") if part.text or part.captions else part for part in item.fields)
    lean = replace(item, text="", captions="", fields=tuple(parts))
    model = pack(to_json(object_to_row(lean)))
    row = (file, item.root, fold(item.full_name), item.uuid, item.extends, model)
    catalog.write("INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?)", [row])
    links = [(file, relation, link_target(target)) for relation, target in item.links]
    if item.kind == "DefinedType":
        links += [(file, "type", link_target(name)) for name in item.types]
    links += [(file, "handler", fold(f"{item.full_name}.{part.handler}")) for part in item.fields if part.handler]
    catalog.write("INSERT INTO links VALUES (?, ?, ?)", dict.fromkeys(links))


def link_target(target: str) -> str:
    """Return how the target of a link is stored: folded, an object in English, what follows its name kept."""
    found = object_name(target.split("."))
    return fold(".".join([found.full_name, *found.rest]) if found else target)


def objects_named(catalog: Catalog, full_name: str) -> list[MetadataObject]:
    """Return the objects with an English full name, case and ё aside, those of all roots in path order."""
    return _objects(catalog, "o.name = ?", fold(full_name))


def objects_below(catalog: Catalog, prefix: str) -> list[MetadataObject]:
    """Return the objects whose English full names begin so, all nested ones, in path order."""
    folded = fold(prefix)
    return _objects(catalog, "substr(o.name, 1, ?) = ?", len(folded), folded)


def chunks_of_owners(catalog: Catalog, owners: Iterable[str]) -> list[int]:
    """Return the chunks of objects (full Russian names) with their forms and commands, by place.

    A name that ends in a dot stands for all objects of that kind.
    """
    found: list[int] = []
    for owner in owners:
        start = owner if owner.endswith(".") else f"{owner}."
        rows = catalog.chunk_rows(
            "SELECT c.id, f.kind <> 'object', f.path, c.line, c.part FROM files f JOIN chunks c ON c.file = f.id "
            "WHERE f.owner = ? OR (f.owner > ? AND f.owner < ?)",
            owner,
            start,
            f"{start[:-1]}/",
        )
        found += [row[0] for row in sorted(rows, key=lambda row: row[1:])]
    return list(dict.fromkeys(found))


def chunks_of_forms(catalog: Catalog) -> list[int]:
    """Return the chunks of all forms: those of objects, and common forms, which are objects of their own."""
    rows = catalog.chunk_rows(
        "SELECT c.id FROM chunks c WHERE c.kind = 'form' OR (c.kind = 'object' AND c.key > ? AND c.key < ?)",
        f"{COMMON_FORM}.",
        f"{COMMON_FORM}/",
    )
    return [row[0] for row in rows]


def objects_with_uuid(catalog: Catalog, uuid: str) -> list[MetadataObject]:
    """Return the objects with a uuid in path order."""
    return _objects(catalog, "o.uuid = ?", uuid)


def object_of_file(catalog: Catalog, path: str) -> MetadataObject | None:
    """Return the object that a file holds, None when it holds none."""
    return next(iter(_objects(catalog, "f.path = ?", path)), None)


def objects_linked_to(catalog: Catalog, target: str, relations: Iterable[str]) -> list[MetadataObject]:
    """Return the objects with a link of one of the relations to a target (an English full name), in path order."""
    wanted = list(relations)
    marks = ", ".join("?" * len(wanted))
    return _objects(
        catalog,
        f"o.file IN (SELECT file FROM links WHERE target = ? AND relation IN ({marks}))",
        link_target(target),
        *wanted,
    )


def all_objects(catalog: Catalog) -> list[MetadataObject]:
    """Return all objects in path order."""
    return _objects(catalog, "1")


def object_titles(catalog: Catalog) -> list[tuple[str, str, str]]:
    """Return kind word, Russian full name and titles (`Контрагенты · Counterparties`) of all objects in path order."""
    return catalog.rows(
        "SELECT f.words, f.owner, c.title FROM files f JOIN chunks c ON c.file = f.id "
        "WHERE c.kind = 'object' AND c.part = 0 ORDER BY f.path"
    )


def modules_of(catalog: Catalog, owner: str, root: str) -> list[tuple[str, str, str]]:
    """Return path, owner and words of the modules of an object (Russian full name), its forms and commands."""
    return catalog.rows(
        "SELECT path, owner, words FROM files "
        "WHERE kind = 'module' AND root = ? AND (owner = ? OR owner > ? AND owner < ?) ORDER BY path",
        root,
        owner,
        f"{owner}.",
        f"{owner}/",
    )


def _objects(catalog: Catalog, condition: str, *values: object) -> list[MetadataObject]:
    query = f"SELECT o.model FROM objects o JOIN files f ON f.id = o.file WHERE {condition} ORDER BY f.path"
    try:
        return [object_from_row(json.loads(unpack(row[0]))) for row in catalog.rows(query, *values)]
    except (ValueError, TypeError) as error:
        raise DamagedCatalogError("a stored object is damaged") from error
