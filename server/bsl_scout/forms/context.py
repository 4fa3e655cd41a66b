"""A form as one honest context: its structure, its module and its files, read as three separate facts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bsl_scout.bsl.text import decode

from .form_bin import FormBinError
from .model import Form, FormPlace
from .sanitize import sanitize_paths
from .sources import form_files, module_bytes
from .summary import FormSummary, summarize


@dataclass(frozen=True)
class FormContext:
    """What there is to tell of a form.

    `bsl_text` is None for a form without a module, "" for an empty one. `metadata` has exactly form_path,
    elem_json_path (the source of the structure; both relative to the sources), bsl_sha256, elem_sha256 (of the
    bytes of module and structure, None when absent), has_bsl, warnings.
    """

    form_name: str
    container_name: str
    object_type: str
    object_name: str
    bsl_text: str | None
    summary: FormSummary
    metadata: dict[str, Any]


def context_of(top: Path, form: Form) -> FormContext:
    """Return the context of a form that was read from below `top`; never raises on what the sources hold."""
    place = form.place
    module, problem = module_text(top, place)
    files = form_files(top, place)
    warnings = [warning.text for warning in form.warnings]
    if problem and not any(problem in warning for warning in warnings):
        warnings.append(problem)
    return FormContext(
        place.name,
        place.container,
        place.object_type,
        place.object_name,
        module,
        summarize(form),
        {
            "form_path": files.form_path,
            "elem_json_path": files.elem_json_path,
            "bsl_sha256": files.bsl_sha256,
            "elem_sha256": files.elem_sha256,
            "has_bsl": module is not None,
            "warnings": [sanitize_paths(warning) for warning in warnings],
        },
    )


def module_text(top: Path, place: FormPlace) -> tuple[str | None, str | None]:
    """Return the text of a form's module, None without one, and what is wrong with it."""
    where = place.module or place.path
    try:
        data = module_bytes(top, place)
    except OSError as error:
        if place.module is None:
            # the module would lie in the source, of which a warning tells already
            return None, None
        return None, f"{where} is not read: {error.strerror or type(error).__name__}"
    except FormBinError as error:
        return None, f"{where}: {error}"
    if data is None:
        return None, None
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        return "", None
    decoded = decode(data)
    return decoded.text, f"{where}: {decoded.problem}" if decoded.problem else None
