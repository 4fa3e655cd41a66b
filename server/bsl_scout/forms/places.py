"""Lists the forms below the roots of a layout by the paths of their sources alone (formats.md 3-6, v8unpack.md 1.1)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bsl_scout.bsl.nearest import MOST, nearest
from bsl_scout.bsl.text import fold
from bsl_scout.configuration.kinds import KIND_BY_FOLDER, KIND_BY_NAME, KIND_BY_RUSSIAN, russian_field
from bsl_scout.configuration.layout import Root

from .model import FormPlace

# folders of parts that may hold forms themselves: those of an external data source
_PARTS = {"Tables": "Table", "Cubes": "Cube", "DimensionTables": "DimensionTable"}
_RUSSIAN_PARTS = {"Form": russian_field("form"), "Table": russian_field("table"), "Cube": russian_field("cube"),
                  "DimensionTable": "ТаблицаИзмерения"}  # fmt: skip
_ENGLISH_PARTS = {fold(russian): english for english, russian in _RUSSIAN_PARTS.items()}
_V8UNPACK_KIND = re.compile(r'\n\s*"Тип формы"\s*:\s*"([01])"'.encode())
# kinds whose forms have a container that is not named after the kind (v8unpack.md 1.1)
_CONTAINERS = {
    "CommonForm": "CommonForm",
    "DataProcessor": "Form",
    "ExternalDataProcessor": "Form",
    "ExternalReport": "ReportForm",
}
# what follows a form's folder in the paths of its source and module
_SOURCE_TAILS = re.compile(r"/(?:Ext/Form\.xml|Ext/Form\.bin|Form\.form)$")


@dataclass(frozen=True, slots=True)
class _Owner:
    """An object whose folder may hold forms: the English words and names of its full name."""

    steps: tuple[str, ...]
    path: str


def find_forms(top: Path, roots: Sequence[Root]) -> list[FormPlace]:
    """Return the forms of all roots in path order.

    When several roots have a form of one id, the configuration's keeps it (without one the first root's) and the
    ids of the others begin with the id of their root and a colon.
    """
    finders: dict[str, Callable[[Path, Root], Iterator[FormPlace]]] = {
        "designer": _designer_forms,
        "edt": _edt_forms,
        "v8unpack": _v8unpack_forms,
    }
    found: list[FormPlace] = []
    for root in roots:
        if root.format in finders:
            found += finders[root.format](top, root)
    return sorted(_distinct(found, roots), key=lambda place: place.path)


def find_form(places: Sequence[FormPlace], text: str) -> FormPlace | None:
    """Return the form with this Russian or English id (case and ё aside), or of this path, None when there is none.

    A path is that of the form's source, its module, its folder or a file in a v8unpack folder.
    """
    path = text.replace("\\", "/").removeprefix("./").rstrip("/")
    wanted = _key(text)
    for place in places:
        if wanted == _key(place.id_en):
            return place
    for place in places:
        folder = form_folder(place)
        if path in (place.path, place.module, folder, f"{folder}/Ext", f"{folder}/Ext/Form", f"{folder}.xml"):
            return place
        if place.format == "v8unpack" and path.rpartition("/")[0] == place.path:
            return place
    return None


def similar_forms(places: Sequence[FormPlace], text: str) -> list[FormPlace]:
    """Return the forms whose ids have a text in them, those that begin with it first, else those called almost so
    and then the others of the object that it names.
    """
    wanted = _key(text)
    holding = [place for place in places if wanted in _key(place.id_en)]
    if holding:
        return sorted(holding, key=lambda place: not _key(place.id_en).startswith(wanted))
    by_key = {_key(place.id_en): place for place in places}
    owner = wanted.rpartition(".")[0]
    # the kind alone, as of a common form, is no object
    beside = [key for key in by_key if "." in owner and key.rpartition(".")[0] == owner]
    return [by_key[key] for key in dict.fromkeys([*nearest(wanted, by_key), *beside])][:MOST]


def form_folder(place: FormPlace) -> str:
    """Return the folder that bears the form's name: `Catalogs/X/Forms/F`."""
    return _SOURCE_TAILS.sub("", place.path)


def own_source(top: Path, path: str, full_name: str) -> str | None:
    """Return the source of a form by the file that describes its object and its full Russian name.

    That is Form.xml, Form.form or the `*.elem.json`; of a Form.bin, which is no text, the module beside it. None when
    no such file is there, or the form is one of a part of an object.
    """
    parts = full_name.split(".")
    name = parts[-1]
    stem, _, format_ = path.rpartition(".")
    folder = path.rpartition("/")[0]
    if len(parts) not in (2, 4):
        return None
    if format_ == "json":
        holders = [folder.rpartition("/")[0]] if len(parts) == 2 else _folders(top, folder)
        containers = [holder.rpartition("/")[2] for holder in holders if holder.endswith("Form")]
        stems = [(folder if len(parts) == 2 else _join(folder, one, name), one) for one in containers]
        found = [f"{own}/{one}.elem.json" for own, one in stems]
    else:
        own = stem if format_ == "xml" else folder
        own = own if len(parts) == 2 else _join(own, "Forms", name)
        tails = ("Ext/Form.xml", "Ext/Form/Module.bsl") if format_ == "xml" else ("Form.form",)
        found = [f"{own}/{tail}" for tail in tails]
    return next((one for one in found if _is_file(top, one)), None)


def _key(text: str) -> str:
    """Return an id as it is compared: English words, folded."""
    prefix, colon, rest = text.rpartition(":")
    parts = rest.split(".")
    for i, part in enumerate(parts[:-1]):
        if i % 2 == 0:
            kind = KIND_BY_RUSSIAN.get(part.casefold())
            parts[i] = kind.english if kind and i == 0 else _ENGLISH_PARTS.get(fold(part), part)
    return fold(prefix + colon + ".".join(parts))


def _distinct(places: list[FormPlace], roots: Sequence[Root]) -> Iterator[FormPlace]:
    """Yield the places with a prefix before an id that a root of more weight has too."""
    order = {root.id: (root.kind != "configuration", i) for i, root in enumerate(roots)}
    first: dict[str, tuple[bool, int]] = {}
    for place in places:
        key = _key(place.id_en)
        first[key] = min(first.get(key, order[place.root]), order[place.root])
    for place in places:
        if order[place.root] == first[_key(place.id_en)]:
            yield place
        else:
            yield replace(place, id=f"{place.root}:{place.id}", id_en=f"{place.root}:{place.id_en}")


def _place(root: Root, owner: _Owner, name: str, kind: str, path: str, module: str | None, container: str) -> FormPlace:
    common = owner.steps[0] == "CommonForm"
    steps = owner.steps if common else (*owner.steps, "Form", name)
    russian = [KIND_BY_NAME[steps[0]].russian, *(_RUSSIAN_PARTS.get(s, s) if i % 2 else s for i, s in _tail(steps))]
    return FormPlace(
        ".".join(russian),
        ".".join(steps),
        root.id,
        kind,
        root.format,
        steps[0],
        name if common else ".".join(owner.steps[1:]),
        container,
        name,
        path,
        module,
    )


def _tail(steps: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    # the odd steps behind the first are names, the even ones words
    return ((i, step) for i, step in enumerate(steps[1:]))


def _container(owner: _Owner) -> str:
    kind = owner.steps[0]
    words = "".join(owner.steps[2::2])
    return _CONTAINERS.get(kind, f"{kind}{words}Form")


def _designer_forms(top: Path, root: Root) -> Iterator[FormPlace]:
    for owner in _owners(top, root, ""):
        common = owner.steps[0] == "CommonForm"
        for folder in [owner.path] if common else _folders(top, _join(owner.path, "Forms")):
            name = folder.rpartition("/")[2]
            for source, kind in (("Form.xml", "managed"), ("Form.bin", "ordinary")):
                path = f"{folder}/Ext/{source}"
                if _is_file(top, path):
                    module = _present(top, f"{folder}/Ext/Form/Module.bsl")
                    yield _place(root, owner, name, kind, path, module, _container(owner))
                    break


def _edt_forms(top: Path, root: Root) -> Iterator[FormPlace]:
    for owner in _owners(top, root, "src"):
        common = owner.steps[0] == "CommonForm"
        for folder in [owner.path] if common else _folders(top, _join(owner.path, "Forms")):
            path = f"{folder}/Form.form"
            if _is_file(top, path):
                module = _present(top, f"{folder}/Module.bsl")
                yield _place(root, owner, folder.rpartition("/")[2], "managed", path, module, _container(owner))


def _v8unpack_forms(top: Path, root: Root) -> Iterator[FormPlace]:
    for owner in _owners(top, root, ""):
        common = owner.steps[0] == "CommonForm"
        holders = [owner.path.rpartition("/")[0]] if common else _folders(top, owner.path)
        for holder in holders:
            container = holder.rpartition("/")[2]
            if not container.endswith("Form"):
                continue
            for folder in [owner.path] if common else _folders(top, holder):
                kind = _v8unpack_kind(top, f"{folder}/{container}")
                if kind:
                    module = _present(top, f"{folder}/{container}.obj.bsl")
                    yield _place(root, owner, folder.rpartition("/")[2], kind, folder, module, container)


def _v8unpack_kind(top: Path, stem: str) -> str | None:
    """Return managed or ordinary, None where no form lies; a form whose JSON does not tell counts as managed."""
    if not _is_file(top, f"{stem}.elem.json"):
        return None
    try:
        found = _V8UNPACK_KIND.search((top / f"{stem}.json").read_bytes())
    except OSError:
        # the form is there all the same; whoever reads it tells what is absent
        return "managed"
    return "ordinary" if found and found[1] == b"0" else "managed"


def _owners(top: Path, root: Root, below: str) -> Iterator[_Owner]:
    """Yield the objects of a root whose folders may hold forms, and the parts of them that may."""
    if root.kind == "external":
        yield _Owner((root.object_kind or "ExternalDataProcessor", root.name), "" if root.path == "." else root.path)
        return
    base = _join("" if root.path == "." else root.path, below)
    for folder in _folders(top, base):
        kind = KIND_BY_FOLDER.get(folder.rpartition("/")[2])
        if kind is None:
            continue
        for path in _folders(top, folder):
            owner = _Owner((kind.english, path.rpartition("/")[2]), path)
            yield owner
            if kind.english == "ExternalDataSource":
                yield from _parts(top, owner)


def _parts(top: Path, owner: _Owner) -> Iterator[_Owner]:
    for folder in _folders(top, owner.path):
        word = folder.rpartition("/")[2]
        # v8unpack: ExternalDataSourceTable; a dump: Tables
        word = _PARTS.get(word, word.removeprefix("".join(owner.steps[::2])))
        if word in _PARTS.values():
            for path in _folders(top, folder):
                part = _Owner((*owner.steps, word, path.rpartition("/")[2]), path)
                yield part
                yield from _parts(top, part)


def _folders(top: Path, relative: str) -> list[str]:
    """Return the folders in a folder in order, none when it is absent or cannot be read (the walk tells that)."""
    try:
        with os.scandir(top / relative if relative else top) as scan:
            names = sorted(e.name for e in scan if e.is_dir(follow_symlinks=False) and e.name.isprintable())
    except OSError:
        return []
    return [f"{relative}/{name}" if relative else name for name in names]


def _join(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def _is_file(top: Path, path: str) -> bool:
    return (top / path).is_file()


def _present(top: Path, path: str) -> str | None:
    return path if _is_file(top, path) else None
