"""The files behind a form: its module, and what is handed on as the form's metadata."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bsl_scout.configuration.layout import leads_outside

from .form_bin import FormBinError, read_container
from .model import FormPlace
from .places import form_folder


@dataclass(frozen=True, slots=True)
class FormFiles:
    """The files of a form: relative paths, hex digests of their bytes, None for one that cannot be read.

    `form_path` is the folder that bears the form's name; `elem_json_path` the source of the structure
    (Form.xml, Form.form, Form.bin or `*.elem.json`). The module may lie inside the Form.bin.
    """

    form_path: str
    elem_json_path: str
    bsl_sha256: str | None
    elem_sha256: str | None
    has_bsl: bool


def form_files(top: Path, place: FormPlace) -> FormFiles:
    """Return the files of a form; never raises on the user's files."""
    structure = f"{place.path}/{place.container}.elem.json" if place.format == "v8unpack" else place.path
    try:
        module = module_bytes(top, place)
        has_module = module is not None
    except (OSError, FormBinError):
        # whoever reads the form tells why
        module, has_module = None, place.module is not None
    try:
        source = (top / structure).read_bytes()
    except OSError:
        source = None
    return FormFiles(form_folder(place), structure, _digest(module), _digest(source), has_module)


def module_bytes(top: Path, place: FormPlace) -> bytes | None:
    """Return the module of a form, that inside its Form.bin when no file holds one, None without any.

    Raises OSError or FormBinError when it cannot be read.
    """
    if place.module is not None:
        if leads_outside(top, place.module):
            raise PermissionError(errno.EPERM, "it is a link that leads outside")
        return (top / place.module).read_bytes()
    if place.format == "designer" and place.kind == "ordinary":
        return read_container((top / place.path).read_bytes()).get("module")
    return None


def _digest(data: bytes | None) -> str | None:
    return None if data is None else sha256(data).hexdigest()
