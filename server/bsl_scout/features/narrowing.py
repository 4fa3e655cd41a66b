"""Narrows a query to objects: `@Документ.Заказ заполнить` searches in that document, its forms and commands only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

from bsl_scout.bsl.nearest import MOST, nearest
from bsl_scout.bsl.text import fold
from bsl_scout.configuration.full_names import ObjectName, kind_of_word, object_name
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.metadata import TITLE_SEPARATOR
from bsl_scout.index.object_store import object_titles, objects_below, objects_named

from .symbols import best_names

# how like one is to be taken beside those that begin as was typed: `Пользователи` for `Пользователь`
_SAME = 0.85
_MARK = re.compile(r"(?<!\S)@([\w.]+)")


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name that is none or fits several objects, as it was written, and the nearest names that are."""

    name: str
    similar: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guess:
    """A name that no object has, as it was written, and the full Russian names that were taken for it."""

    name: str
    taken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The words of a query without its marks, the full Russian names it is narrowed to, and names that are none.

    `owners` is None for a query without marks; a name that ends in a dot (`Справочник.`) stands for a whole kind.
    """

    query: str
    owners: tuple[str, ...] | None = None
    unknown: tuple[Unknown, ...] = ()
    guesses: tuple[Guess, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectTitle:
    """An object to choose: full Russian name, what people call it."""

    name: str
    title: str


def narrow(catalog: Catalog, query: str) -> Narrowed:
    """Return a query taken apart; `@` takes a full name in any spelling, a kind alone, a name alone or a subsystem.

    A nested name may be its last part, and a name that no object has may be the beginning of just one: that is a
    guess, to be told, and takes in the names that differ in an ending.
    """
    marks = _MARK.findall(query)
    if not marks:
        return Narrowed(query)
    owners: list[str] = []
    unknown: list[Unknown] = []
    guesses: list[Guess] = []
    for mark in marks:
        found, told = _owners(catalog, mark.strip(".")) if mark.strip(".") else ([], Unknown(mark))
        owners += found
        if isinstance(told, Unknown):
            unknown.append(told)
        elif told:
            guesses.append(told)
    return Narrowed(_MARK.sub(" ", query).strip(), tuple(dict.fromkeys(owners)), tuple(unknown), tuple(guesses))


def _owners(catalog: Catalog, mark: str) -> tuple[list[str], Guess | Unknown | None]:
    """Return the names that a mark stands for, and what is to be told of it when no object is called so."""
    kind = kind_of_word(mark)
    if kind:
        return [f"{kind.russian}."], None
    name = object_name(mark.split("."))
    is_subsystem = name is not None and name.full_name.startswith("Subsystem.")
    # what follows a subsystem's name is another one in it, written without its kind
    if name and not (is_subsystem and name.rest):
        found = objects_named(catalog, name.full_name)
        if found:
            return _belonging(catalog, found, name.rest), None
    known = list(dict.fromkeys(full for _, full, _ in object_titles(catalog)))
    fitting, rest = _fitting(known, mark, name)
    if not fitting:
        return [], Unknown(mark, tuple(_similar(catalog, known, mark, name)))
    guess = None
    if fold(_last(fitting[0])) != fold(_wanted(mark, name)[1][-1]):
        taken = list(dict.fromkeys([*_alike(known, mark, name), *sorted(fitting, key=lambda full: (len(full), full))]))
        if len(fitting) > 1:
            return [], Unknown(mark, tuple(taken[:MOST]))
        fitting, guess = taken, Guess(mark, tuple(taken))
    full_names = [one.full_name for full in fitting if (one := object_name(full.split(".")))]
    return _belonging(catalog, [item for full in full_names for item in objects_named(catalog, full)], rest), guess


def _belonging(catalog: Catalog, found: list[MetadataObject], rest: tuple[str, ...]) -> list[str]:
    """Return the objects of subsystems, and other objects themselves, or what `rest` names in them."""
    return [
        owner
        for item in found
        for owner in (_content(catalog, item) if item.kind == "Subsystem" else [".".join([item.russian_name, *rest])])
    ]


def _wanted(mark: str, name: ObjectName | None) -> tuple[str, list[str]]:
    """Return the Russian kind that a mark names, empty for none, and the names in it."""
    parts = mark.split(".")
    if name is None:
        return "", parts
    kind = kind_of_word(parts[name.first])
    if name.full_name.startswith("Subsystem."):
        return kind.russian if kind else "", [
            part for part in parts[name.first + 1 :] if kind_of_word(part) is not kind
        ]
    return kind.russian if kind else "", [parts[name.last]]


def _fitting(known: list[str], mark: str, name: ObjectName | None) -> tuple[list[str], tuple[str, ...]]:
    """Return the objects whose last names are those of a mark, else those whose last name begins so."""
    kind, wanted = _wanted(mark, name)
    folded = [fold(one) for one in wanted]
    exact, beginning = [], []
    for full in known:
        names = [fold(one) for one in full.split(".")[1::2]] or [fold(full)]
        if (kind and not full.startswith(f"{kind}.")) or names[-len(folded) : -1] != folded[:-1]:
            continue
        if names[-1] == folded[-1]:
            exact.append(full)
        elif names[-1].startswith(folded[-1]):
            beginning.append(full)
    rest = name.rest if name and not name.full_name.startswith("Subsystem.") else ()
    return exact or beginning, rest


def _alike(known: list[str], mark: str, name: ObjectName | None) -> list[str]:
    """Return the objects whose whole last name is nearly that of a mark, the nearest first."""
    kind, wanted = _wanted(mark, name)
    by_name: dict[str, list[str]] = {}
    for full in known:
        if not kind or full.startswith(f"{kind}."):
            by_name.setdefault(fold(_last(full)), []).append(full)
    near = get_close_matches(fold(wanted[-1]), by_name, MOST, _SAME)
    return [full for one in near for full in by_name[one]]


def _similar(catalog: Catalog, known: list[str], mark: str, name: ObjectName | None) -> list[str]:
    """Return the names nearest to one that no object has: those that answer it as typed, its own in another kind,
    those that are or begin nearly so.
    """
    kind, wanted = _wanted(mark, name)
    typed = fold(wanted[-1])
    ours = [full for full in known if not kind or full.startswith(f"{kind}.")]
    answering = {one.name for one in object_names(catalog, wanted[-1], len(known))}
    found = [full for full in ours if full in answering]
    found += [full for full in known if fold(_last(full)) == typed]
    found += nearest(typed, ours)
    return list(dict.fromkeys(found))[:MOST]


def _last(full_name: str) -> str:
    return full_name.rpartition(".")[2]


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
