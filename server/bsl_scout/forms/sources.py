"""The files behind a form: what is handed on as the form's metadata."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from .model import FormPlace
from .places import form_folder
from .read import module_text


@dataclass(frozen=True, slots=True)
class FormFiles:
    """The files of a form: relative paths, hex digests of their bytes, None for one that cannot be read.

    `form_path` is the folder that bears the form's name; `elem_json_path` the source of the structure
    (Form.xml, Form.form, Form.bin or `*.elem.json`).
    """

    form_path: str
    elem_json_path: str
    bsl_sha256: str | None
    elem_sha256: str | None
    has_bsl: bool


def form_files(top: Path, place: FormPlace) -> FormFiles:
    """Return the files of a form; never raises on the user's files."""
    structure = f"{place.path}/{place.container}.elem.json" if place.format == "v8unpack" else place.path
    if place.module:
        module = _digest(top, place.module)
    else:
        # that of an ordinary form lies inside its Form.bin
        text, _ = module_text(top, place)
        module = None if text is None else sha256(text.encode()).hexdigest()
    return FormFiles(
        form_folder(place), structure, module, _digest(top, structure), bool(place.module) or module is not None
    )


def _digest(top: Path, path: str) -> str | None:
    try:
        return sha256((top / path).read_bytes()).hexdigest()
    except OSError:
        # whoever reads the form tells why
        return None
