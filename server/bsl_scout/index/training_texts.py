"""Reads configurations as the texts that the BSL model is trained on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bsl_scout.bsl import chunks as bsl_chunks
from bsl_scout.bsl.text import content_hash, decode, fold
from bsl_scout.configuration.interface_texts import InterfaceText, interface_texts
from bsl_scout.configuration.layout import Layout, ModuleAddress, Root, module_address, walk
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.configuration.objects import read_objects
from bsl_scout.encoding.pairs import Procedure, Titled

_SUBSYSTEM = "Subsystem."
_LEAST_BODY = 40


@dataclass(slots=True)
class TrainingTexts:
    """Procedures and titles to train on, and the held-out procedures with the places they are in."""

    procedures: list[Procedure] = field(default_factory=list)
    titled: list[Titled] = field(default_factory=list)
    held: list[Procedure] = field(default_factory=list)
    held_owners: set[str] = field(default_factory=set)


def read_training_texts(tops: Iterable[Path], hold_out: Collection[str] = ()) -> TrainingTexts:
    """Return the texts of configurations; raises OSError for a folder that cannot be read.

    With `hold_out` (names of subsystems) what belongs to them is kept apart, and so is whatever has the uuid or
    name of such an object in any of the configurations: its twin in the other language above all.
    """
    found = TrainingTexts()
    read = [(top, *_read(top)) for top in tops]
    held = _held_keys([item for _, _, objects in read for item in objects], hold_out)
    for top, layout, objects in read:
        by_name = {(item.root, fold(item.russian_name)): item for item in objects}
        for item in objects:
            if not _keys(item) & held:
                found.titled += _titled(item)
        for procedure, action, owner in _procedures(top, layout, by_name):
            if owner is not None and _keys(owner) & held:
                found.held.append(procedure)
                found.held_owners.add(owner.russian_name)
                continue
            found.procedures.append(procedure)
            if action:
                found.titled.append(action)
        for root in layout.roots:
            if root.format == "designer":
                found.titled += _tooltips(top, root, by_name, held)
    return found


def _read(top: Path) -> tuple[Layout, list[MetadataObject]]:
    layout = walk(top)
    return layout, read_objects(top, layout.roots)[0]


def _keys(item: MetadataObject) -> set[str]:
    return {fold(item.full_name), *([item.uuid] if item.uuid else [])}


def subsystem_objects(objects: Sequence[MetadataObject], names: Collection[str]) -> list[MetadataObject]:
    """Return the objects of the subsystems with these names (full English ones or the last part) and all in them."""
    wanted = {fold(name) for name in names}
    chosen: set[str] = set()
    for item in objects:
        if item.kind == "Subsystem" and wanted & {fold(item.name), fold(item.full_name)}:
            chosen.add(fold(item.full_name))
    content: set[str] = set()
    for item in objects:
        name = fold(item.full_name)
        if item.kind == "Subsystem" and any(name == one or name.startswith(f"{one}.subsystem.") for one in chosen):
            content.update(fold(target) for relation, target in item.links if relation == "content")
    return [item for item in objects if fold(item.full_name) in content]


def _held_keys(objects: Sequence[MetadataObject], names: Collection[str]) -> set[str]:
    return set().union(*(_keys(item) for item in subsystem_objects(objects, names))) if names else set()


def _titled(item: MetadataObject) -> Iterator[Titled]:
    if item.synonym:
        yield Titled(tuple(item.synonym.values()), (item.name, f"{item.kind} {item.name}"))
    for part in item.fields:
        if part.synonym and part.kind != "template":
            yield Titled(tuple(part.synonym.values()), (part.name, f"{item.name} {part.name}"))


def _procedures(
    top: Path, layout: Layout, by_name: dict[tuple[str, str], MetadataObject]
) -> Iterator[tuple[Procedure, Titled | None, MetadataObject | None]]:
    base = top if top.is_dir() else top.parent
    for file in layout.files:
        if file.kind != "module":
            continue
        root = layout.root_of(file.path)
        try:
            text = decode((base / file.path).read_bytes()).text
        except OSError:
            # training goes on without it
            continue
        address = module_address(file.path, root)
        item = by_name.get((root.id, fold(".".join((address.owner or "").split(".")[:2]))))
        actions = _actions(base / file.path) if address.module == "МодульФормы" else {}
        number = 0
        for chunk in bsl_chunks.outline(text):
            if chunk.kind not in ("procedure", "function"):
                continue
            number += 1
            code = bsl_chunks.uncommented(chunk)
            if len(code) < _LEAST_BODY:
                continue
            procedure = Procedure(
                chunk.name,
                (*_owner_names(address), *chunk.regions),
                tuple(parameter.name for parameter in chunk.parameters),
                chunk.doc,
                code,
                _owner_key(address, item),
                number,
                content_hash(" ".join(code.split())),
            )
            said = actions.get(fold(chunk.name))
            told = (
                Titled((*said.titles, *said.tooltips), (f"{chunk.name} {' '.join(procedure.path)}",)) if said else None
            )
            yield procedure, told, item


def _owner_names(address: ModuleAddress) -> list[str]:
    return [part for part in (address.owner or "").split(".")[1:] if part not in ("Форма", "Команда")]


def _owner_key(address: ModuleAddress, item: MetadataObject | None) -> tuple[str, ...]:
    """Return what a module and its twin in another language have in common: uuids where there are any."""
    parts = (address.owner or "").split(".")
    own = (item.uuid or item.full_name) if item else ".".join(parts[:2])
    below = ""
    if len(parts) > 3:
        kinds = {"Форма": "form", "Команда": "command"}
        part = next(
            (f for f in (item.fields if item else ()) if f.kind == kinds.get(parts[2]) and f.name == parts[3]), None
        )
        below = (part.uuid if part else None) or parts[3]
    return own, below, address.module


def _actions(module: Path) -> dict[str, InterfaceText]:
    """Return the commands of a form by the procedures that they run, folded."""
    return {fold(one.action): one for one in interface_texts(module.parent.parent / "Form.xml") if one.action}


def _tooltips(
    top: Path, root: Root, by_name: dict[tuple[str, str], MetadataObject], held: Collection[str]
) -> Iterator[Titled]:
    """Yield titles with their tooltips: the same thing said in everyday words."""
    base = top if root.path == "." else top / root.path
    barred = {item.name for (root_id, _), item in by_name.items() if root_id == root.id and _keys(item) & set(held)}
    for path in sorted(base.rglob("*.xml")):
        parts = path.relative_to(base).parts
        if len(parts) < 2 or Path(parts[1]).stem in barred:
            continue
        for one in interface_texts(path):
            if one.tooltips:
                yield Titled((*one.titles[:1], *one.tooltips[:1]), (one.name,))
