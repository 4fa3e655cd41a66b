"""Reads forms of a layout with what the layout knows: its objects, base forms and languages of script."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bsl_scout.configuration.layout import Root
from bsl_scout.configuration.model import MetadataObject

from .lookup import base_form, is_russian, object_finder
from .model import FindObject, Form, FormPlace
from .places import find_forms
from .read import read_form
from .v8_uuids import FindUuid, uuid_meanings


class FormReader:
    """Reads the forms below `top`; objects and languages are looked up once for each root."""

    def __init__(self, top: Path, roots: Sequence[Root], objects: Sequence[MetadataObject]) -> None:
        self._top = top
        self._roots = {root.id: root for root in roots}
        self._objects = objects
        self._known: dict[str, tuple[FindObject, FindUuid, bool]] = {}
        self.places = find_forms(top, roots)

    def read(self, place: FormPlace) -> Form:
        """Return the form at a place, bound; never raises on the user's files."""
        root = self._roots[place.root]
        if place.root not in self._known:
            roots = list(self._roots.values())
            own = [item for item in self._objects if item.root == root.id]
            finder = object_finder(self._objects, roots, root.id)
            self._known[root.id] = finder, uuid_meanings(own).get, is_russian(self._top, root, roots)
        base = base_form(place, self.places, self._objects) if root.kind == "extension" else None
        return read_form(self._top, place, *self._known[root.id], base)
