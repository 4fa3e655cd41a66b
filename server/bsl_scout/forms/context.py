"""A form as one honest context: its structure, its module and its files, read as three separate facts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .model import Form
from .read import module_text
from .sanitize import sanitize_paths
from .sources import form_files
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
