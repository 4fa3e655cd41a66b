"""Reads one form of any format with its module; whatever is wrong with the user's files becomes a warning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bsl_scout.bsl.text import decode
from bsl_scout.configuration.safe_xml import Element, XmlError, read_xml

from .bindings import bind, module_procedures
from .designer_xml import read_designer_form
from .edt_form import read_edt_form
from .model import FindObject, Form, FormPlace, FormWarning

_XML_READERS: dict[tuple[str, str], Callable[[Element, FormPlace], Form]] = {
    ("designer", "managed"): read_designer_form,
    ("edt", "managed"): read_edt_form,
}


def read_form(
    top: Path,
    place: FormPlace,
    find_object: FindObject,
    russian: bool = True,
    base: FormPlace | None = None,
) -> Form:
    """Return the form at a place, bound; an empty one with a warning when its source is absent or broken.

    `russian` tells the language in which paths are shown, `base` the form that this one of an extension
    adopts. Never raises on the user's files.
    """
    form = _read_source(top, place)
    procedures, warnings = _read_module(top, place)
    attributes = _read_source(top, base).attributes if base else ()
    form = bind(replace(form, warnings=(*form.warnings, *warnings)), procedures, find_object, russian, attributes)
    if place.module is None and _names_handlers(form):
        told = FormWarning("no-module", "the form names handlers and has no module")
        return replace(form, warnings=(*form.warnings, told))
    return form


def _read_source(top: Path, place: FormPlace) -> Form:
    reader = _XML_READERS.get((place.format, place.kind))
    if reader is None:
        told = f"{place.kind} forms of {place.format} sources are not read"
        return Form(place, warnings=(FormWarning("not-read", told),))
    if not (top / place.path).is_file():
        return Form(place, warnings=(FormWarning("source-missing", f"{place.path} is absent"),))
    try:
        return reader(read_xml(top / place.path), place)
    except XmlError as error:
        return Form(place, warnings=(FormWarning("source-broken", f"{place.path}: {error}"),))


def _read_module(top: Path, place: FormPlace) -> tuple[dict[str, int], tuple[FormWarning, ...]]:
    if place.module is None:
        return {}, ()
    try:
        data = (top / place.module).read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return {}, (FormWarning("module-unreadable", f"{place.module} is not read: {reason}"),)
    decoded = decode(data)
    if decoded.problem and data.strip(b"\xef\xbb\xbf \t\r\n"):
        told = (FormWarning("module-text", f"{place.module}: {decoded.problem}"),)
        return module_procedures(decoded.text), told
    return module_procedures(decoded.text), ()


def _names_handlers(form: Form) -> bool:
    owners = [form.events, *(item.handlers for item in form.elements), *(item.actions for item in form.commands)]
    return any(owners)
