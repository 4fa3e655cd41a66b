"""The forms of a folder of sources for callers from Python: cards of pointers, and what is behind a card on demand.

The names are those that users of v8unpack-agent know; every format is read, and nothing is ever written beside the
sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from bsl_scout.configuration.layout import Root, walk
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.configuration.objects import read_objects

from .context import FormContext, context_of
from .model import Form, FormPlace
from .places import find_forms
from .read import absent_form, read_form
from .reader import FormReader
from .sources import form_files


@dataclass(frozen=True)
class FormEntry:
    """A card of a form: where its parts lie and their digests, nothing of their contents.

    `form_path` is the folder that bears the form's name, `bsl_path` the module's file (None without one),
    `elem_json_path` the source of the structure relative to the root of the scan.
    """

    object_type: str
    object_name: str
    container_name: str
    form_name: str
    form_path: Path
    bsl_path: Path | None
    elem_json_path: str
    bsl_sha256: str | None
    elem_sha256: str | None
    has_bsl: bool
    place: FormPlace
    # what the forms of one scan share, read when it is first needed
    sources: Sources | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class FormScanIndex:
    """The cards of all forms below a folder in path order; objects are read when they are first asked for."""

    sources: Sources
    forms: list[FormEntry] = field(default_factory=list)
    scan_warnings: list[str] = field(default_factory=list)

    def resolve_reference_type(self, uuid: str) -> str | None:
        """Return the type (`CatalogRef.X`) that a uuid of the sources stands for, None when they do not tell."""
        return self.sources.type_names.get(uuid.lower())


class Sources:
    """The metadata of a folder and its forms; what is read once serves all forms."""

    def __init__(self, top: Path, roots: list[Root]) -> None:
        self.top = top
        self._roots = roots

    @cached_property
    def _objects(self) -> list[MetadataObject]:
        return read_objects(self.top, self._roots)[0]

    @cached_property
    def _reader(self) -> FormReader:
        return FormReader(self.top, self._roots, self._objects)

    @cached_property
    def type_names(self) -> Mapping[str, str]:
        """The names of the generated types by uuid."""
        return {uuid.lower(): name for item in self._objects for uuid, name in item.generated.items()}

    def form(self, place: FormPlace) -> Form:
        """Return the form at a place."""
        return self._reader.read(place)

    def alone(self, place: FormPlace) -> Form:
        """Return a form that belongs to no root: uuids of its metadata stand for nothing known."""
        return read_form(self.top, place, lambda name: None, lambda uuid: None)


def scan_forms(root: Path | str) -> FormScanIndex:
    """Return the cards of all forms below a folder; raises NotADirectoryError for what is none."""
    top = Path(root)
    if not top.is_dir():
        raise NotADirectoryError("scan_forms needs a folder of sources")
    layout = walk(top)
    sources = Sources(top, layout.roots)
    warnings = [f"{problem.path}: {problem.message}" for problem in layout.problems]
    return FormScanIndex(sources, [_entry(sources, place) for place in find_forms(top, layout.roots)], warnings)


def _entry(sources: Sources, place: FormPlace) -> FormEntry:
    top = sources.top
    files = form_files(top, place)
    return FormEntry(
        place.object_type,
        place.object_name,
        place.container,
        place.name,
        top / files.form_path,
        top / place.module if place.module else None,
        files.elem_json_path,
        files.bsl_sha256,
        files.elem_sha256,
        files.has_bsl,
        place,
        sources,
    )


def build_form_context(form_entry: FormEntry, unpacked_root: Path | str) -> FormContext:
    """Return the context of a form; never raises on what the sources hold.

    Entries of one scan share the metadata that their scan saw; one made by hand has it read anew.
    """
    top, sources = Path(unpacked_root), form_entry.sources
    absent = absent_form(top, form_entry.place)
    if absent:
        # nothing is parsed for it, not even the metadata around it
        return context_of(top, absent)
    if sources is None or sources.top != top:
        sources = Sources(top, walk(top).roots)
    return context_of(top, sources.form(form_entry.place))
