"""Where the parts of an element of a managed form stand in its raw list, and the elements inside others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bsl_scout.configuration.braces import at, literal, number

from .v8_chains import ELEMENT_UUID

# class uuid before an element's raw list -> family, as v8unpack names it
_CLASSES = {
    "77ffcc29-7f2d-4223-b22f-19666e7250ba": "Field",
    "a9f3b1ac-f51b-431e-b102-55a69acdecad": "Button",
    "3d3cb80c-508b-41fa-8a18-680cdf5f1712": "Decoration",
    "cd5394d0-7dda-4b56-8927-93ccbe967a01": "Group",
    "143c00f7-a42d-4cd7-9189-88e4467dc768": "Table",
    "c5259a1d-518a-4afd-b98d-0176027e4feb": "ItemAddition",
}
_GROUP = "Group"
# family -> position of the first counter, whether a second follows, offsets behind them: name, title, chain, command
_OFFSETS: dict[str, tuple[int, bool, int, int, int | None, int | None]] = {
    "Field": (3, True, 2, 5, 7, None),
    "Decoration": (3, True, 2, 3, None, None),
    "Group": (3, True, 2, 3, None, None),
    "Button": (3, False, 2, 3, 6, 5),
    "Table": (4, False, 1, 5, 7, None),
    "ItemAddition": (3, False, 3, 4, None, None),
}


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """The positions of name, caption, binding and command in the raw list of an element."""

    name: int
    title: int
    chain: int | None
    command: int | None


@dataclass(frozen=True, slots=True)
class Placed:
    """An element with its place in the form; `generated` is set for bars and menus of the platform."""

    name: str
    family: str
    raw: list[object]
    parent: str | None
    generated: bool


def place_of(family: str, raw: list[object]) -> PlaceOf | None:
    """Return where the parts of an element stand, None when its counters are not as expected (v8unpack.md 1.4)."""
    if family not in _OFFSETS:
        return None
    start, second, name, title, chain, command = _OFFSETS[family]
    base = start
    count = number(at(raw, base))
    if count is None:
        return None
    base += count
    if second:
        base += 1
        count = number(at(raw, base))
        if count is None:
            return None
        base += count
    return PlaceOf(
        base + name,
        base + title,
        None if chain is None else base + chain,
        None if command is None else base + command,
    )


def element_id(raw: object) -> str | None:
    """Return the id of an element `[version, [id, uuid], …]`, None when the node is none."""
    own = at(raw, 1, 0)
    return own if isinstance(own, str) and at(raw, 1, 1) == ELEMENT_UUID else None


def embedded(raw: list[object], parent: str | None) -> Iterator[Placed]:
    """Yield the elements inside the raw list of another: buttons of its command bar and menus, in order.

    Only bars and menus that hold something are yielded themselves, marked as generated.
    """
    # (node, name of the element above, bars it is in); bars are told once, when something is found in them
    stack: list[tuple[object, str | None, tuple[Placed, ...]]] = [(raw, parent, ())]
    told: set[int] = set()
    entered = [raw]
    while stack:
        node, above, bars = stack.pop()
        if isinstance(node, Placed):
            for above_it in bars:
                if id(above_it) not in told:
                    told.add(id(above_it))
                    yield above_it
            yield node
            entered.append(node.raw)
            stack.append((node.raw, node.name, ()))
            continue
        if not isinstance(node, list):
            continue
        bar = _bar(node, above) if node is not entered[-1] else None
        if bar is not None:
            above, bars = bar.name, (*bars, bar)
        later: list[tuple[object, str | None, tuple[Placed, ...]]] = []
        previous: object = None
        for item in node:
            family = _CLASSES.get(previous) if isinstance(previous, str) else None
            placed = _child(family, item, above) if family and isinstance(item, list) else None
            later.append((placed or item, above, bars))
            previous = item
        stack.extend(reversed(later))


def _bar(node: list[object], parent: str | None) -> Placed | None:
    if element_id(node) is None:
        return None
    where = place_of(_GROUP, node)
    name = literal(at(node, where.name)) if where else None
    return Placed(name, _GROUP, node, parent, True) if name else None


def _child(family: str, raw: list[object], parent: str | None) -> Placed | None:
    where = place_of(family, raw)
    name = literal(at(raw, where.name)) if where else None
    return Placed(name, family, raw, parent, False) if name else None
