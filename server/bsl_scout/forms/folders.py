"""The form of one folder, for callers from Python that have a path and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bsl_scout.configuration.layout import walk

from .model import Form, FormPlace
from .places import find_form, find_forms
from .sanitize import sanitize_paths
from .scan import Sources
from .summary import FormSummary, summarize

# what lies at the top of sources; a form is at most so many folders below it
_MARKERS = (
    "Configuration.xml",
    "Configuration.json",
    "ConfigurationExtension.json",
    "ExternalDataProcessor.json",
    "src/Configuration/Configuration.mdo",
    ".project",
)
_MAX_DEPTH = 12


@dataclass(frozen=True)
class ElemIndexResult:
    """The elements of a form as plain rows; `elem_index_ok` is False when there is no structure to read."""

    elem_index_ok: bool
    elements: list[dict[str, Any]]
    warnings: list[str] = field(default_factory=list)


def parse_elem_json(form_root: Path | str) -> ElemIndexResult:
    """Return the elements of the form in a folder, of any format; nothing is written, nothing raises."""
    form = _form(Path(form_root))
    if form is None:
        return ElemIndexResult(False, [], [_absent(Path(form_root))])
    summary = summarize(form)
    read = bool(form.elements or form.attributes or form.commands or form.events) or not form.warnings
    return ElemIndexResult(read, summary.elements, summary.warnings)


def build_form_summary(form_dir: Path | str) -> FormSummary:
    """Return the summary of the form in a folder, of any format; empty with a warning when there is none."""
    form = _form(Path(form_dir))
    return FormSummary(warnings=[_absent(Path(form_dir))]) if form is None else summarize(form)


def _absent(folder: Path) -> str:
    return sanitize_paths(f"no form is in {folder.name or folder}")


def _form(folder: Path) -> Form | None:
    """Return the form of a folder, read with the metadata of the sources around it; None when it is none."""
    if not folder.exists():
        return None
    folder = folder.resolve()
    for top in (folder, *folder.parents[:_MAX_DEPTH]):
        if any((top / marker).is_file() for marker in _MARKERS):
            base = top
        elif (top.parent / f"{top.name}.xml").is_file():
            # an external object's own file lies beside its folder
            base = top.parent
        else:
            continue
        try:
            roots = walk(base).roots
        except OSError:
            continue
        place = find_form(find_forms(base, roots), folder.relative_to(base).as_posix())
        if place:
            return Sources(base, roots).form(place)
    return _alone(folder)


def _alone(folder: Path) -> Form | None:
    """Return the form of an exported folder that lies alone, without anything of its configuration."""
    if folder.is_file():
        folder = folder.parent
    stems = sorted(path.name.removesuffix(".elem.json") for path in folder.glob("*.elem.json"))
    if not stems:
        return None
    stem = folder.parent.name if folder.parent.name in stems else stems[0]
    place = FormPlace(folder.name, folder.name, "", "managed", "v8unpack", "", "", stem, folder.name, folder.name)
    return Sources(folder.parent, []).alone(place)
