"""Narrows a query to objects: `@Документ.Заказ заполнить` searches in that document, its forms and commands only."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bsl_scout.bsl.text import fold
from bsl_scout.configuration.full_names import kind_of_word, object_name
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.metadata import TITLE_SEPARATOR
from bsl_scout.index.object_store import object_titles, objects_below, objects_named

from .symbols import best_names

_MARK = re.compile(r"(?<!\S)@([\w.]+)")


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The words of a query without its marks, the full Russian names it is narrowed to, and names that are none.

    `owners` is None for a query without marks; a name that ends in a dot (`Справочник.`) stands for a whole kind.
    """

    query: str
    owners: tuple[str, ...] | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectTitle:
    """An object to choose: full Russian name, what people call it."""

    name: str
    title: str


def narrow(catalog: Catalog, query: str) -> Narrowed:
    """Return a query taken apart; `@` takes a full name in any spelling, a kind alone, a name alone or a subsystem."""
    marks = _MARK.findall(query)
    if not marks:
        return Narrowed(query)
    owners: list[str] = []
    unknown: list[str] = []
    for mark in marks:
        found = _owners(catalog, mark.strip("."))
        owners += found
        if not found:
            unknown.append(mark)
    return Narrowed(_MARK.sub(" ", query).strip(), tuple(dict.fromkeys(owners)), tuple(unknown))


def _owners(catalog: Catalog, mark: str) -> list[str]:
    kind = kind_of_word(mark)
    if kind:
        return [f"{kind.russian}."]
    name = object_name(mark.split("."))
    if name is None:
        wanted = fold(mark)
        return [full for _, full, _ in object_titles(catalog) if fold(full.rpartition(".")[2]) == wanted]
    found = objects_named(catalog, name.full_name)
    if name.full_name.startswith("Subsystem."):
        return [owner for item in found for owner in _content(catalog, item)]
    return [".".join([item.russian_name, *name.rest]) for item in found]


def _content(catalog: Catalog, subsystem: MetadataObject) -> list[str]:
    """Return the objects of a subsystem and of all subsystems in it."""
    owners = []
    for item in [subsystem, *objects_below(catalog, f"{subsystem.full_name}.Subsystem.")]:
        owners.append(item.russian_name)
        for relation, target in item.links:
            name = object_name(target.split(".")) if relation == "content" else None
            owners += [one.russian_name for one in objects_named(catalog, name.full_name)] if name else []
    return owners


def object_names(catalog: Catalog, query: str, limit: int) -> list[ObjectTitle]:
    """Return the objects whose name, full name or synonym answers what was typed, the best first."""
    rows = object_titles(catalog)
    names = [[full.rpartition(".")[2], full, *titles.split(TITLE_SEPARATOR)] for _, full, titles in rows]
    found: dict[str, ObjectTitle] = {}
    for index in best_names(query, names):
        _, full, titles = rows[index]
        # several roots may have an object of the name
        found.setdefault(full, ObjectTitle(full, titles.split(TITLE_SEPARATOR)[0]))
    return list(found.values())[:limit]
