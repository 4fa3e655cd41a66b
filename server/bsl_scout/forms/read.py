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
from .elem_json import read_form_folder
from .form_bin import FormBinError, form_bin_module, read_ordinary_form
from .model import FindObject, Form, FormPlace, FormWarning
from .v8_uuids import FindUuid

_XML_READERS: dict[str, Callable[[Element, FormPlace], Form]] = {
    "designer": read_designer_form,
    "edt": read_edt_form,
}


def read_form(
    top: Path,
    place: FormPlace,
    find_object: FindObject,
    russian: bool = True,
    base: FormPlace | None = None,
    find_uuid: FindUuid = lambda uuid: None,
) -> Form:
    """Return the form at a place, bound; an empty one with a warning when its source is absent or broken.

    `russian` tells the language in which paths are shown, `base` the form that this one of an extension
    adopts, `find_uuid` what the uuids of a v8unpack export or a Form.bin stand for. Never raises on the user's
    files.
    """
    form = _read_source(top, place, find_uuid)
    procedures, warnings, has_module = _read_module(top, place)
    attributes = _read_source(top, base, find_uuid).attributes if base else ()
    form = bind(replace(form, warnings=(*form.warnings, *warnings)), procedures, find_object, russian, attributes)
    if not has_module and _names_handlers(form):
        told = FormWarning("no-module", "the form names handlers and has no module")
        return replace(form, warnings=(*form.warnings, told))
    return form


def _read_source(top: Path, place: FormPlace, find_uuid: FindUuid) -> Form:
    source = top / place.path
    if place.format == "v8unpack":
        if source.is_dir():
            return read_form_folder(place, source, find_uuid)
        return _unread(place, "source-missing", f"{place.path} is absent")
    if not source.is_file():
        return _unread(place, "source-missing", f"{place.path} is absent")
    try:
        if place.kind == "ordinary":
            return read_ordinary_form(place, source.read_bytes(), find_uuid)
        return _XML_READERS[place.format](read_xml(source), place)
    except (XmlError, FormBinError) as error:
        return _unread(place, "source-broken", f"{place.path}: {error}")
    except OSError as error:
        return _unread(place, "source-broken", f"{place.path} is not read: {error.strerror or type(error).__name__}")


def _unread(place: FormPlace, code: str, told: str) -> Form:
    return Form(place, warnings=(FormWarning(code, told),))


def _read_module(top: Path, place: FormPlace) -> tuple[dict[str, int], tuple[FormWarning, ...], bool]:
    """Return the procedures of a form's module, what is wrong with it, and whether there is one."""
    text, problem = module_text(top, place)
    told = (FormWarning("module-unreadable" if text is None else "module-text", problem),) if problem else ()
    return module_procedures(text or ""), told, text is not None or place.module is not None


def module_text(top: Path, place: FormPlace) -> tuple[str | None, str | None]:
    """Return the text of a form's module, None without one, and what is wrong with it.

    The module of an ordinary form in a Designer dump lies inside its Form.bin, unless a file of its own does.
    """
    path = place.module or (place.path if place.format != "v8unpack" and place.kind == "ordinary" else None)
    if path is None:
        return None, None
    try:
        data = (top / path).read_bytes()
    except OSError as error:
        return None, f"{path} is not read: {error.strerror or type(error).__name__}"
    if place.module is None:
        try:
            text = form_bin_module(data)
        except FormBinError as error:
            return None, f"{path}: {error}"
        return None if text is None else text.replace("\r\n", "\n"), None
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        return "", None
    decoded = decode(data)
    return decoded.text, f"{path}: {decoded.problem}" if decoded.problem else None


def _names_handlers(form: Form) -> bool:
    owners = [form.events, *(item.handlers for item in form.elements), *(item.actions for item in form.commands)]
    return any(owners)
