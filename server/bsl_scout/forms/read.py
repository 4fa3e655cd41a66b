"""Reads one form of any format with its module; whatever is wrong with the user's files becomes a warning."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from bsl_scout.bsl.text import decode
from bsl_scout.configuration.layout import leads_outside
from bsl_scout.configuration.safe_xml import XmlError, parse_xml, read_xml

from .bindings import bind, module_procedures
from .designer_xml import read_designer_form
from .edt_form import read_edt_form
from .elem_json import read_form_folder
from .form_bin import FormBinError, read_ordinary_form
from .model import FindObject, Form, FormPlace, FormWarning
from .sources import module_bytes
from .v8_uuids import FindUuid


def read_form(
    top: Path,
    place: FormPlace,
    find_object: FindObject,
    find_uuid: FindUuid,
    russian: bool = True,
    base: FormPlace | None = None,
    module: str | None = None,
) -> Form:
    """Return the form at a place, bound; an empty one with a warning when its source is absent or broken.

    `russian` tells the language in which paths are shown, `base` the form that this one of an extension
    adopts, `module` the text of its module where an editor has another than the file. Never raises on the user's
    files.
    """
    form = _read_source(top, place, find_uuid)
    procedures, warnings = _read_module(top, place) if module is None else (module_procedures(module), ())
    attributes = _read_source(top, base, find_uuid).attributes if base else ()
    form = replace(form, warnings=(*form.warnings, *warnings))
    form = bind(form, procedures or {}, find_object, russian, attributes)
    if procedures is None and not warnings and _names_handlers(form):
        told = FormWarning("no-module", "the form names handlers and has no module")
        return replace(form, warnings=(*form.warnings, told))
    return form


# what it says of the encoding is true of the file, not of its text
_DECLARATION = re.compile(r"^\ufeff?<\?xml[^>]*\?>")
_NOWHERE = FormPlace("", "", "", "managed", "", "", "", "", "", "")


def form_of_text(text: str, path: str) -> Form | None:
    """Return what the text of a Form.xml or Form.form tells (a document that is being edited), not bound.

    None when it is broken or no form.
    """
    reader = read_edt_form if path.lower().endswith(".form") else read_designer_form
    try:
        form = reader(parse_xml(_DECLARATION.sub("", text).encode("utf-8", errors="replace")), _NOWHERE)
    except XmlError:
        return None
    return None if form.warnings else form


def absent_form(top: Path, place: FormPlace) -> Form | None:
    """Return an empty form with a warning when there is no source at a place, None when there is one to read."""
    path = top / place.path
    if path.is_dir() if place.format == "v8unpack" else path.is_file():
        return None
    return Form(place, warnings=(FormWarning("source-missing", f"{place.path} is absent"),))


def _read_source(top: Path, place: FormPlace, find_uuid: FindUuid) -> Form:
    path = top / place.path
    absent = absent_form(top, place)
    if absent:
        return absent
    if leads_outside(top, place.path):
        return Form(place, warnings=(FormWarning("source-broken", f"{place.path}: not read: it leads outside"),))
    if place.format == "v8unpack":
        return read_form_folder(place, path, find_uuid)
    try:
        if place.kind == "ordinary":
            return read_ordinary_form(place, path.read_bytes(), find_uuid)
        reader = read_edt_form if place.format == "edt" else read_designer_form
        return reader(read_xml(path), place)
    except (OSError, XmlError) as error:
        reason = f"not read: {error.strerror}" if isinstance(error, OSError) else str(error)
        return Form(place, warnings=(FormWarning("source-broken", f"{place.path}: {reason}"),))


def _read_module(top: Path, place: FormPlace) -> tuple[dict[str, int] | None, tuple[FormWarning, ...]]:
    """Return the procedures of a form's module, None when it has none or it cannot be read, and what is wrong."""
    where = place.module or place.path
    try:
        data = module_bytes(top, place)
    except OSError as error:
        if place.module is None:
            # the module would lie in the source, which is told to be absent already
            return None, ()
        reason = error.strerror or type(error).__name__
        return None, (FormWarning("module-unreadable", f"{where} is not read: {reason}"),)
    except FormBinError:
        # told of the source already
        return None, ()
    if data is None:
        return None, ()
    decoded = decode(data)
    if decoded.problem and data.strip(b"\xef\xbb\xbf \t\r\n"):
        return module_procedures(decoded.text), (FormWarning("module-text", f"{where}: {decoded.problem}"),)
    return module_procedures(decoded.text), ()


def _names_handlers(form: Form) -> bool:
    owners = [form.events, *(item.handlers for item in form.elements), *(item.actions for item in form.commands)]
    return any(owners)
