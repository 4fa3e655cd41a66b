"""Reads a form of a v8unpack export: the form's JSON and the `elem.json` with what v8unpack took out of it.

v8unpack.md 1.1-1.3. Areas named `include_…` are written into files of their own: those that lie in the form's
folder are read, of those elsewhere a warning tells.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bsl_scout.configuration.braces import at
from bsl_scout.configuration.safe_xml import MAX_BYTES

from .model import Form, FormPlace, FormWarning
from .v8_managed import read_managed
from .v8_ordinary import RawElement, read_ordinary
from .v8_tree import Node, walk_tree
from .v8_uuids import FindUuid

# what v8unpack writes where it took something out
_TAKEN_OUT = ("Дочерние элементы отдельно", "отдельно")
_ENDING = ".elem.json"
_ORDINARY, _MANAGED = "0", "1"


def read_form_folder(place: FormPlace, folder: Path, find_uuid: FindUuid) -> Form:
    """Return the form of a v8unpack form folder (`<container>.elem.json` and `<container>.json` in it)."""
    problems: list[FormWarning] = []

    def data_of(name: str) -> bytes | None:
        path = folder / name
        try:
            if path.stat().st_size <= MAX_BYTES:
                return path.read_bytes()
            problems.append(FormWarning("file-unreadable", f"{name} is too large to be read"))
        except FileNotFoundError:
            # told as missing by the reader
            return None
        except OSError as error:
            problems.append(FormWarning("file-unreadable", f"{name}: {error.strerror or type(error).__name__}"))
        return None

    own = f"{place.container}{_ENDING}"
    try:
        others = sorted(path.name for path in folder.glob(f"*{_ENDING}") if path.name != own)
    except OSError:
        others = []
    parts = {name.removesuffix(_ENDING): data for name in others if (data := data_of(name)) is not None}
    form = read_elem_json(place, data_of(own), data_of(f"{place.container}.json"), find_uuid, parts)
    return replace(form, warnings=(*problems, *form.warnings))


def read_elem_json(
    place: FormPlace,
    elem: bytes | None,
    form: bytes | None,
    find_uuid: FindUuid,
    parts: Mapping[str, bytes] | None = None,
) -> Form:
    """Return the form of its two JSON files (None: there is none); what cannot be read is told by a warning.

    `parts` are the other `*.elem.json` of the form's folder by name without that ending.
    """
    told: list[FormWarning] = []
    body_json = _object(form, "form-json", told)
    elem_json = _object(elem, "elem-json", told)
    kind = body_json.get("Тип формы")
    body = at(body_json.get("form"), 0, 0)
    if body is None:
        if not any(warning.code.startswith("form-json") for warning in told):
            told.append(FormWarning("layout-unknown", "the form's JSON holds no body"))
        return Form(place, warnings=tuple(told))
    others = {name: _object(data, "elem-json", told) for name, data in (parts or {}).items()}
    nodes = walk_tree(elem_json, others, told, kind == _MANAGED)
    if kind == _MANAGED:
        return read_managed(place, body, elem_json, nodes, find_uuid, tuple(told))
    if kind != _ORDINARY:
        told.append(FormWarning("layout-unknown", "the kind of the form is not recognised"))
        return Form(place, warnings=tuple(told))
    elements = _elements(nodes, told) if at(body, 1, 2, 2, 0) in _TAKEN_OUT else None
    attributes: list[object] | None = None
    if at(body, 2, 2, 0) in _TAKEN_OUT:
        props = elem_json.get("props")
        attributes = [item.get("raw") for item in props if isinstance(item, dict)] if isinstance(props, list) else []
    return read_ordinary(place, body, find_uuid, elements, attributes, tuple(told))


def _elements(nodes: list[Node], told: list[FormWarning]) -> list[RawElement]:
    found: list[RawElement] = []
    for node in nodes:
        if node.raw is None:
            told.append(FormWarning("element-unknown", f"the element {node.name} has no data", node.name))
        else:
            found.append(RawElement(node.raw, node.parent))
    return found


def _object(data: bytes | None, code: str, told: list[FormWarning]) -> dict[str, object]:
    """Return the object of a JSON file, empty with a warning when there is none."""
    if data is None:
        told.append(FormWarning(f"{code}-missing", f"the {code.replace('-', '.')} of the form is absent"))
        return {}
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        told.append(FormWarning(f"{code}-broken", "broken JSON: nested too deep"))
        return {}
    except ValueError as error:
        told.append(FormWarning(f"{code}-broken", f"broken JSON: {type(error).__name__}"))
        return {}
    if not isinstance(value, dict):
        told.append(FormWarning(f"{code}-broken", "broken JSON: an object is expected"))
        return {}
    return value
