"""The attributes and tabular sections of one object's file as plain data, for callers from Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bsl_scout.configuration.layout import Root
from bsl_scout.configuration.model import MetadataField, shown
from bsl_scout.configuration.objects import read_object

from .sanitize import sanitize_paths

TypeResolver = Callable[[str], "str | None"]
_REF = re.compile(r"Ref#([0-9a-f-]{36})", re.IGNORECASE)


@dataclass(frozen=True)
class DecodeResult:
    """`data` has Properties and TabularSections; `error` is a code when nothing could be read, with a warning."""

    ok: bool
    data: dict[str, list[dict[str, Any]]]
    error: str | None = None
    warnings: list[str] = field(default_factory=list)


def decode_object_attributes(object_json: Path | str, type_resolver: TypeResolver | None = None) -> DecodeResult:
    """Return the attributes and tabular sections of an object's file (v8unpack JSON, Designer XML or .mdo).

    Each has UUID, Name, Synonym, Type (all types in one text) and Types. `type_resolver` names the uuid of a
    `Ref#<uuid>`; without one, or when it answers None or raises, the type stays `Ref#<uuid>` and a warning says
    why. Types that are no references never reach it. Never raises on what the file holds.
    """
    path = Path(object_json)
    if not path.is_file():
        return _failed("json_not_found", f"{path.name}: there is no such file")
    source_format = {".mdo": "edt", ".xml": "designer"}.get(path.suffix.lower(), "v8unpack")
    kind = "external" if path.name.startswith("External") else "configuration"
    item, problems = read_object(path.parent, path.name, Root("", kind, source_format, ".", path.stem), "")
    told = [sanitize_paths(f"{problem.path}: {problem.message}") for problem in problems]
    own = [problem.message for problem in problems if problem.path == path.name]
    if item is None or any(message.startswith("header not recognised") for message in own):
        unread = any(message.startswith(("broken", "not read")) for message in own)
        code = "json_parse_error" if unread else "header_missing"
        return _failed(code, *(told or [f"{path.name}: it holds no object"]))
    named = _Namer(type_resolver, told)
    sections = [
        {
            **_named(part),
            "Properties": [named.row(one) for one in item.fields if one.parent == part.name],
        }
        for part in item.fields
        if part.kind == "tabular_section"
    ]
    properties = [named.row(part) for part in item.fields if part.kind in _PROPERTIES and part.parent is None]
    return DecodeResult(True, {"Properties": properties, "TabularSections": sections}, None, told)


_PROPERTIES = frozenset({"attribute", "dimension", "resource", "addressing_attribute"})


class _Namer:
    def __init__(self, resolver: TypeResolver | None, told: list[str]) -> None:
        self._resolver = resolver
        self._told = told

    def row(self, part: MetadataField) -> dict[str, Any]:
        types = [self._type(part.name, name) for name in part.types]
        return {**_named(part), "Type": ", ".join(types), "Types": types}

    def _type(self, owner: str, name: str) -> str:
        match = _REF.fullmatch(name)
        if match is None or self._resolver is None:
            if match:
                self._told.append(f"{owner}: {name} has no name: no resolver was given")
            return name
        try:
            found = self._resolver(match[1])
        except Exception as error:  # noqa: BLE001
            # it is the caller's own code: whatever it raises, the type is only not known
            self._told.append(f"{owner}: {name} has no name: the resolver failed ({type(error).__name__})")
            return name
        if not isinstance(found, str) or not found:
            self._told.append(f"{owner}: {name} has no name: the resolver does not know it")
            return name
        return found


def _named(part: MetadataField) -> dict[str, Any]:
    return {"UUID": part.uuid, "Name": part.name, "Synonym": shown(part.synonym) or ""}


def _failed(code: str, *told: str) -> DecodeResult:
    return DecodeResult(False, {"Properties": [], "TabularSections": []}, code, list(told))
