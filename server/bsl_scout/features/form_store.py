"""Keeps forms for the editor: with the metadata of the index, and again only when their files have changed."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

from bsl_scout.configuration.layout import Root
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.forms.context import module_text
from bsl_scout.forms.lookup import base_form, is_russian, object_finder
from bsl_scout.forms.model import FindObject, Form, FormPlace
from bsl_scout.forms.places import find_form, find_forms
from bsl_scout.forms.read import read_form
from bsl_scout.forms.v8_uuids import FindUuid, uuid_meanings
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.object_store import all_objects, objects_named, objects_with_uuid

from .freshness import Freshness

_KEPT_FORMS = 30
Stamp = tuple[tuple[int, int], ...]


class FormStore:
    """The forms below a folder. Call it under one lock: the catalog has one reader."""

    def __init__(self, top: Path, catalog: Catalog) -> None:
        self._top = top
        self._catalog = catalog
        self._fresh = Freshness(catalog)
        self._roots: list[Root] = []
        self._places: list[FormPlace] = []
        self._asked: dict[str, FormPlace | None] = {}
        self._uuids: dict[str, FindUuid] = {}
        self._russian: dict[str, bool] = {}
        # with what each was read from: files, and the text of a module that is not saved
        self._forms: OrderedDict[str, tuple[tuple[Stamp, str | None], Form]] = OrderedDict()

    def places(self) -> list[FormPlace]:
        """Return the places of all forms in path order."""
        self._follow()
        return self._places

    def place(self, text: str) -> FormPlace | None:
        """Return the form with an id, or the one that a relative path (of its source, module or folder) belongs to."""
        self._follow()
        if text not in self._asked:
            self._asked[text] = find_form(self._places, text)
        return self._asked[text]

    def form(self, place: FormPlace) -> Form:
        """Return the form at a place, as it is on disk now."""
        return self._form(place, None)

    def edited_form(self, place: FormPlace) -> Form:
        """Return the form at a place, bound to its module as the editor has that; inside `catalog.reading()`."""
        return self._form(place, self._unsaved_module(place))

    def module_text(self, place: FormPlace) -> str:
        """Return the text of a form's module as the editor has it, empty without one; inside `catalog.reading()`."""
        unsaved = self._unsaved_module(place)
        return (module_text(self._top, place)[0] or "") if unsaved is None else unsaved

    def _unsaved_module(self, place: FormPlace) -> str | None:
        overlay = self._catalog.overlay
        return overlay.texts.get(place.module) if overlay and place.module else None

    def _form(self, place: FormPlace, module: str | None) -> Form:
        self._follow()
        stamp = self._stamp(place), module
        kept = self._forms.pop(place.path, None)
        if kept is None or kept[0] != stamp:
            kept = (stamp, self._read(place, module))
        self._forms[place.path] = kept
        if len(self._forms) > _KEPT_FORMS:
            self._forms.popitem(last=False)
        return kept[1]

    def _follow(self) -> None:
        if self._fresh.due():
            with self._fresh.making():
                self._roots = self._catalog.roots()
                self._places = find_forms(self._top, self._roots)
            self._asked.clear()
            self._forms.clear()
            self._uuids.clear()
            self._russian.clear()

    def is_russian(self, path: str) -> bool:
        """Return whether the script of the configuration that a file (relative, with `/`) is of is Russian."""
        self._follow()
        holding = [root for root in self._roots if root.path == "." or f"{path}/".startswith(f"{root.path}/")]
        return self._is_russian(max(holding, key=lambda root: len(root.path), default=None))

    def _is_russian(self, root: Root | None) -> bool:
        if root is None:
            return True
        if root.id not in self._russian:
            self._russian[root.id] = is_russian(self._top, root, self._roots)
        return self._russian[root.id]

    def _stamp(self, place: FormPlace) -> Stamp:
        source = self._top / place.path
        files = sorted(source.glob("*.json")) if place.format == "v8unpack" else [source]
        if place.module:
            files.append(self._top / place.module)
        stamp = []
        for file in files:
            try:
                stat = file.stat()
            except OSError:
                stamp.append((0, 0))
            else:
                stamp.append((stat.st_size, stat.st_mtime_ns))
        return tuple(stamp)

    def _read(self, place: FormPlace, module: str | None) -> Form:
        root = next(root for root in self._roots if root.id == place.root)
        russian = self._is_russian(root)
        own = self._objects_of(place)
        adopted = base_form(place, self._places, own) if root.kind == "extension" else None
        return read_form(self._top, place, self._finder(root), self._find_uuid(place), russian, adopted, module)

    def _find_uuid(self, place: FormPlace) -> FindUuid:
        if place.format != "v8unpack" and place.kind != "ordinary":
            return lambda uuid: None
        if place.root not in self._uuids:
            own = [item for item in all_objects(self._catalog) if item.root == place.root]
            self._uuids[place.root] = uuid_meanings(own).get
        return self._uuids[place.root]

    def _objects_of(self, place: FormPlace) -> list[MetadataObject]:
        """Return the objects of the form's name in all roots, and those that they extend."""
        found = objects_named(self._catalog, f"{place.object_type}.{place.object_name}")
        bases = [base for item in found if item.extends for base in objects_with_uuid(self._catalog, item.extends)]
        return [*found, *bases]

    def _finder(self, root: Root) -> FindObject:
        """Return how the forms of a root find objects: each is taken from the catalog when it is asked for."""
        known: dict[str, MetadataObject | None] = {}

        def find_object(full_name: str) -> MetadataObject | None:
            key = full_name.casefold()
            if key not in known:
                own = objects_named(self._catalog, full_name)
                bases = [one for item in own if item.extends for one in objects_with_uuid(self._catalog, item.extends)]
                known[key] = object_finder([*own, *bases], self._roots, root.id)(full_name)
            return known[key]

        return find_object
