"""The files behind a form: what is handed on as the form's metadata."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from .model import FormPlace
from .places import form_folder


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
    return FormFiles(
        form_folder(place),
        structure,
        _digest(top, place.module) if place.module else None,
        _digest(top, structure),
        place.module is not None,
    )


def _digest(top: Path, path: str) -> str | None:
    try:
        return sha256((top / path).read_bytes()).hexdigest()
    except OSError:
        # whoever reads the form tells why
        return None
