"""Links what an extension adopts and changes to its base configuration; each link carries its proof.

Facts used: an adopted object has the uuid of the base's object (`ExtendedConfigurationObject` of a Designer dump,
`extendedConfigurationObject` of EDT), which EDT leaves out at times; `&Вместо("X")` and its kin name the base's
procedure, in the module of the same owner and kind (the platform's guide, "Extending configurations").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bsl_scout.bsl.text import fold

from .layout import Root
from .model import MetadataObject

# what an annotation does to the procedure it names
CHANGES = {
    "вместо": "around",
    "around": "around",
    "перед": "before",
    "before": "before",
    "после": "after",
    "after": "after",
    "изменениеиконтроль": "change_and_validate",
    "changeandvalidate": "change_and_validate",
}
NO_BASE = "no base configuration is opened"
FOREIGN_BASE = "no opened configuration has the objects that the extension adopts"
SEVERAL_BASES = "several opened configurations may be the base"
PARTIAL_BASE = "the opened configuration lacks objects that the extension adopts"
NO_OBJECT = "the base has no such object"
SEVERAL_OBJECTS = "the base has several such objects"
NOT_ADOPTED = "no adopted object has the module"
NO_MODULE = "the base has no such module"
NO_PROCEDURE = "the base's module has no such procedure"
NO_NAME = "the annotation names no procedure"

_CONFIGURATION = "Конфигурация"


@dataclass(frozen=True, slots=True)
class ObjectFacts:
    """What links need of an object.

    `extends` is the uuid of the base's object, `""` when the object is adopted and does not tell it, None when it
    is the root's own.
    """

    root: str
    path: str
    full_name: str
    russian_name: str
    uuid: str | None
    extends: str | None


@dataclass(frozen=True, slots=True)
class Base:
    """The base of an extension: the id of its root and the proof (`uuid` or `name`), or the reason of having none.

    `whole` is False when it lacks an object that the extension adopts. Libraries lend their objects, uuids and all,
    to many configurations, so such a base may be another one: only what a uuid proves is linked to it.
    """

    root: str | None
    proof: str | None = None
    reason: str | None = None
    whole: bool = True


@dataclass(frozen=True, slots=True)
class ObjectLink:
    """An adopted object and what it adopts, with the proof (`uuid` or `name`), or with the reason of its absence."""

    adopted: ObjectFacts
    base: ObjectFacts | None
    proof: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ModuleProcedure:
    """A procedure and the module it stands in; `changes` are pairs of a CHANGES value and the named procedure."""

    root: str
    path: str
    owner: str | None
    module: str
    name: str
    line: int
    changes: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A procedure of an extension that changes the procedure `name` of the base in the way `how`.

    `base` is that procedure with the `proof` of its owner's link, or None with the `reason`.
    """

    procedure: ModuleProcedure
    how: str
    name: str | None
    base: ModuleProcedure | None
    proof: str | None = None
    reason: str | None = None


# root, owner and module -> its procedures by folded name, None when there is no such module
Module = Callable[[str, str, str], Mapping[str, ModuleProcedure] | None]


def facts_of(item: MetadataObject) -> ObjectFacts:
    """Return what links need of an object."""
    extends = (item.extends or "") if item.adopted else None
    return ObjectFacts(item.root, item.path, item.full_name, item.russian_name, item.uuid, extends)


def bases(roots: Iterable[Root], objects: Iterable[ObjectFacts]) -> dict[str, Base]:
    """Return the base of each extension by the id of the extension's root.

    It is the configuration that has all objects which the extension adopts and any opened configuration has; when
    no adopted object tells a uuid it is the only configuration. Two that fit alike leave it open.
    """
    roots = list(roots)
    configurations = [root.id for root in roots if root.kind == "configuration" and root.format != "plain"]
    having: dict[str, set[str]] = defaultdict(set)
    adopted: dict[str, set[str]] = defaultdict(set)
    for item in objects:
        if item.uuid and item.root in configurations:
            having[item.root].add(item.uuid.lower())
        if item.extends:
            adopted[item.root].add(item.extends.lower())
    return {root.id: _base(configurations, having, adopted[root.id]) for root in roots if root.kind == "extension"}


def _base(configurations: Sequence[str], having: Mapping[str, set[str]], adopted: set[str]) -> Base:
    if not configurations:
        return Base(None, reason=NO_BASE)
    if not adopted:
        return Base(configurations[0], "name") if len(configurations) == 1 else Base(None, reason=SEVERAL_BASES)
    matches = {root: adopted & having.get(root, set()) for root in configurations}
    every = set().union(*matches.values())
    if not every:
        return Base(None, reason=FOREIGN_BASE)
    # one that lacks what another has cannot be the base
    whole = [root for root, found in matches.items() if found == every]
    if len(whole) > 1 or not whole:
        return Base(None, reason=SEVERAL_BASES)
    return Base(whole[0], "uuid", whole=every == adopted)


def link_objects(objects: Iterable[ObjectFacts], known: Mapping[str, Base]) -> list[ObjectLink]:
    """Return a link for each adopted object of the extensions in `known` (see `bases`), in the given order.

    By uuid; by kind and name only when the adopted object tells no uuid.
    """
    objects = list(objects)
    used = {base.root for base in known.values()}
    by_uuid: dict[tuple[str, str], list[ObjectFacts]] = defaultdict(list)
    by_name: dict[tuple[str, str], list[ObjectFacts]] = defaultdict(list)
    for item in objects:
        if item.root in used:
            by_name[item.root, fold(item.full_name)].append(item)
            if item.uuid:
                by_uuid[item.root, item.uuid.lower()].append(item)
    links = []
    for item in objects:
        if item.extends is None or item.root not in known:
            continue
        base = known[item.root]
        if base.root is None:
            links.append(ObjectLink(item, None, reason=base.reason))
            continue
        if item.extends:
            proof, found = "uuid", by_uuid.get((base.root, item.extends.lower()), [])
        elif not base.whole:
            links.append(ObjectLink(item, None, reason=PARTIAL_BASE))
            continue
        else:
            proof, found = "name", by_name.get((base.root, fold(item.full_name)), [])
        if len(found) == 1:
            links.append(ObjectLink(item, found[0], proof))
        else:
            links.append(ObjectLink(item, None, reason=SEVERAL_OBJECTS if found else NO_OBJECT))
    return links


def link_changes(
    procedures: Iterable[ModuleProcedure], known: Mapping[str, Base], links: Iterable[ObjectLink], module: Module
) -> list[Change]:
    """Return a change for each annotation of the extensions' procedures that changes one of the base."""
    owners = {(link.adopted.root, fold(link.adopted.russian_name)): link for link in links}
    found = []
    for procedure in procedures:
        if procedure.root not in known:
            continue
        for how, name in procedure.changes:
            place = _base_module(procedure, known[procedure.root], owners)
            if isinstance(place, str):
                found.append(Change(procedure, how, name, None, reason=place))
                continue
            root, owner, proof = place
            inside = module(root, owner, procedure.module)
            target = inside.get(fold(name)) if inside is not None and name else None
            reason = NO_MODULE if inside is None else NO_PROCEDURE if name else NO_NAME
            found.append(Change(procedure, how, name, target, *((proof,) if target else (None, reason))))
    return found


def _base_module(
    procedure: ModuleProcedure, base: Base, owners: Mapping[tuple[str, str], ObjectLink]
) -> tuple[str, str, str] | str:
    """Return root, owner and proof of the module that a procedure's module extends, or the reason of having none."""
    if procedure.owner == _CONFIGURATION:
        if base.root is None or base.proof is None:
            return base.reason or NO_BASE
        if not base.whole:
            return PARTIAL_BASE
        return base.root, _CONFIGURATION, base.proof
    kind, name, *below = [*(procedure.owner or "").split("."), ""]
    link = owners.get((procedure.root, fold(f"{kind}.{name}")))
    if link is None:
        return NOT_ADOPTED
    if link.base is None or link.proof is None:
        return link.reason or NO_OBJECT
    return link.base.root, ".".join([link.base.russian_name, *below[:-1]]), link.proof


def changes_in(annotations: Iterable[tuple[str, str | None]]) -> tuple[tuple[str, str | None], ...]:
    """Return the annotations (name, argument) that change a procedure, as pairs of a CHANGES value and its name."""
    return tuple((CHANGES[name.casefold()], argument) for name, argument in annotations if name.casefold() in CHANGES)
