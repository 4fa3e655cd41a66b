"""Walks the tree of an elem.json: the elements in their order, each with its raw node and its parent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bsl_scout.configuration.braces import carried

from .model import FormWarning

# what v8unpack writes instead of children that it put into a file of their own
_ELSEWHERE = "В отдельном файле"
_INCLUDED = ("include_", "includr_")
# parts may name each other: more elements than in any real form
_MAX_ELEMENTS = 50_000


@dataclass(frozen=True, slots=True)
class Node:
    """An element of the tree; `raw` is None when the elem.json has no data of it."""

    name: str
    family: str
    parent: str | None
    raw: list[object] | None


def walk_tree(
    elem: Mapping[str, object], parts: Mapping[str, Mapping[str, object]], told: list[FormWarning], managed: bool
) -> list[Node]:
    """Return the elements of an elem.json and of its parts, parents before their children.

    The data of an element have its path as their key: the names of all groups or, in ordinary forms, panels and
    pages above it.
    """
    found: list[Node] = []
    used: set[int] = set()
    # (items, name of the parent, path of the parent, data they are in, parts they are in)
    stack: list[tuple[object, str | None, str, Mapping[str, object], frozenset[str]]] = [
        (elem.get("tree"), None, "", _data(elem), frozenset())
    ]
    while stack:
        item, parent, path, data, inside = stack.pop()
        if isinstance(item, list):
            stack.extend((inner, parent, path, data, inside) for inner in reversed(item))
            continue
        if item is None:
            continue
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            told.append(FormWarning("tree-unknown", f"a child of {parent or 'the form'} is not recognised", parent))
            continue
        if len(found) >= _MAX_ELEMENTS:
            told.append(FormWarning("tree-too-large", "the form has more elements than are read"))
            break
        name, family, page = carried(item["name"]), item.get("type"), item.get("page")
        # v8unpack knows no name of some additions: theirs is empty in the path too
        key = "/".join([*(step for step in (path, page) if isinstance(step, str) and step), item["name"]])
        record = data.get(key)
        raw = record.get("raw") if isinstance(record, dict) else None
        used.add(id(record))
        found.append(Node(name, carried(family) if isinstance(family, str) else "", parent, _list(raw)))
        children = item.get("child")
        if children != _ELSEWHERE:
            stack.append((children, name, _included(key), data, inside))
            continue
        part = next((part for part in _part_names(name) if part in parts and part not in inside), None)
        if part is None:
            told.append(FormWarning("part-elsewhere", f"what {name} holds is in a file outside the form", name))
            continue
        stack.append((parts[part].get("tree"), name, _included(item["name"]), _data(parts[part]), inside | {part}))
    # in an ordinary form the pages of panels have data too
    lost = sum(isinstance(one, dict) and id(one) not in used for one in _data(elem).values()) if managed else 0
    if lost:
        told.append(FormWarning("tree-incomplete", f"the tree of the form does not name all its elements: {lost}"))
    return found


def _part_names(name: str) -> list[str]:
    """Return the names that the file of an included area may have: with and without the prefix."""
    return [name, *(name.removeprefix(prefix) for prefix in _INCLUDED)]


def _included(key: str) -> str:
    return key.replace(_INCLUDED[1], _INCLUDED[0])


def _data(elem: Mapping[str, object]) -> Mapping[str, object]:
    data = elem.get("data")
    return data if isinstance(data, dict) else {}


def _list(raw: object) -> list[object] | None:
    return raw if isinstance(raw, list) else None
