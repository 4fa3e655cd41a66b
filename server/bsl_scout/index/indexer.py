"""Brings the catalog of a folder up to date: only what changed is read, parsed and written."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from bsl_scout.bsl import chunks as bsl_chunks
from bsl_scout.bsl import names
from bsl_scout.bsl.chunks import Chunk
from bsl_scout.bsl.text import content_hash, decode
from bsl_scout.configuration.layout import (
    Layout,
    ModuleAddress,
    Problem,
    Root,
    SourceFile,
    module_address,
    walk,
)
from bsl_scout.configuration.objects import object_files
from bsl_scout.encoding.model import ModelError

from .anew import DAMAGED, made_anew, why_anew
from .catalog import Catalog, DamagedCatalogError
from .catalog_file import damage_told, remove_catalog
from .context import Contexts
from .embedding import embed, empty_catalog, waiting, wanted_encoder, without_encoder
from .file_chunks import write_chunks
from .lexical import FIELDS
from .merge import merge
from .metadata import METADATA_VERSION, Entry
from .object_files import ObjectFiles
from .partial import module_now, modules_of_objects, partial_layout
from .passes import note_pass, whole_problems
from .reach import check_found, check_reach, is_unread
from .report import Changes as Changes
from .report import Report as Report
from .schema import SCHEMA_VERSION, FileRow
from .verify import damage_found
from .vocabulary import Vocabulary
from .words import code_entries
from .writer_lock import writing

# What the stored chunks and terms depend on: any difference rebuilds the index
OPTIONS = (
    f"schema {SCHEMA_VERSION}, chunks {bsl_chunks.CHUNKS_VERSION}.{bsl_chunks.PART_CHARS}, "
    f"terms {names.TERMS_VERSION} {' '.join(FIELDS)}, metadata {METADATA_VERSION}"
)
_BATCH_SECONDS = 0.5
# above it reading the whole vocabulary at once is cheaper than word by word
_MANY_FILES = 100
# kept while objects are written and the modules below them may still bear the old synonyms
_CONTEXTS_DUE = "contexts_due"
_MERGE_MIN = 2_000
_MERGE_MAX = 60_000

Progress = Callable[[int, int], None]
# told of what files (objects, then modules), how many are done, and of how many
StageProgress = Callable[[str, int, int], None]
MakeVectors = Callable[[], list[Problem]]


def refresh(
    top: Path,
    folder: Path,
    progress: StageProgress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    paths: Sequence[str] | None = None,
    rebuild: bool = False,
    patience: float = 10.0,
    vectors: bool = True,
    chosen: Sequence[str] = (),
    encoder: str | None = None,
    vector_progress: Progress | None = None,
    encode_later: bool = False,
) -> Report:
    """Return what changed after bringing the index in `folder` up to date with the sources below `top`.

    With `paths` (relative, with `/`; files or folders, present or gone) only these are looked at, when the
    index has been built before. With `rebuild` it is made anew: readers see the old one until that is whole, also
    when that is cancelled. With `vectors` the chunks get their vectors after the words are written. With `chosen`
    (folders relative to `top`) the sources are looked for in these only. `encoder` names the model that makes the
    vectors, empty for the BSL model; without it the one asked for last. With `encode_later` another
    model is left to `embed_next`. `cancelled` is asked between files; what was done until then is kept.
    Raises OSError when `top` cannot be read or none of the indexed files is left in it (only a `rebuild` takes these
    for deleted), IndexFolderError when `folder` cannot be written, and IndexLockedError when another process is still
    writing after `patience` seconds.
    """
    started = time.perf_counter()
    # a top that cannot be read makes no folder of an index
    check_reach(top, indexed=False)

    def once(rebuilt: str | None) -> Report:
        with damage_told(), closing(Catalog(folder)) as catalog, damage_found(catalog):
            created = catalog.version() is None
            reason = rebuilt or why_anew(catalog, OPTIONS, rebuild)
            usable = catalog.version() == OPTIONS and reason != DAMAGED
            anew = usable and reason is not None
            if not usable:
                empty_catalog(catalog, OPTIONS, keep=reason != DAMAGED)
            catalog.add_indexes()
            check_reach(top, catalog.has_files() and not rebuild)
            by_part = paths is not None and not reason and catalog.has_files()
            part = partial_layout(top, catalog, paths or (), chosen) if by_part else None
            found, known = part or (_walk(top, chosen), {} if anew else catalog.files())
            if part is None and not rebuild:
                check_found(top, found, catalog.files(), chosen)

            def make_vectors() -> list[Problem]:
                return _embed(catalog, folder, cancelled, encoder, vector_progress, encode_later) if vectors else []

            begin = partial(_Refresh, top, found, known, catalog, progress, cancelled, part is None)
            if not anew:
                job = begin()
                return job.report(started, reason, created, job.run(), make_vectors)
            wanted = wanted_encoder(catalog) if encoder is None else encoder
            # another model takes so long that its vectors come afterwards
            made = made_anew(catalog, OPTIONS, begin, list if wanted else make_vectors, cancelled)
            if made is None:
                return begin().report(started, None, created, False, make_vectors)
            return made.report(started, reason, created, True, make_vectors)

    # the walk comes after the lock: a window that only asks whether it may write now costs nothing
    with writing(folder, patience):
        try:
            return once(None)
        except DamagedCatalogError:
            remove_catalog(folder)
            return once(DAMAGED)


def _walk(top: Path, chosen: Sequence[str]) -> Layout:
    layout = walk(top, chosen)
    if top.is_dir():
        layout.files += object_files(top, layout.roots)
    return layout


def _embed(
    catalog: Catalog,
    folder: Path,
    cancelled: Callable[[], bool],
    encoder: str | None,
    progress: Progress | None,
    later: bool,
) -> list[Problem]:
    """Make the vectors that are missing and return what stands in the way."""
    try:
        problem = embed(catalog, folder, cancelled, encoder, progress, later)
    except ModelError as error:
        return [Problem(".", f"{error}; search goes on {without_encoder(catalog, folder)}")]
    return [Problem(".", problem)] if problem else []


class _Refresh:
    def __init__(
        self,
        top: Path,
        layout: Layout,
        known: dict[str, FileRow],
        catalog: Catalog,
        progress: StageProgress | None,
        cancelled: Callable[[], bool],
        whole: bool,
    ) -> None:
        self._top = top if top.is_dir() else top.parent
        self._layout = layout
        self._known = known
        self._catalog = catalog
        self._progress = progress
        self._cancelled = cancelled
        self._whole = whole
        self._vocabulary = Vocabulary(catalog)
        self._objects = ObjectFiles(self._top, layout, catalog, self._write_object, whole)
        self._changes = Changes()
        self._pending = 0
        self._contexts = Contexts(catalog)
        self._objects_written = False

    def run(self) -> bool:
        """Bring the words up to date and return whether that came to its end."""
        catalog, layout, whole = self._catalog, self._layout, self._whole
        known = self._known
        if whole:
            # first, so that whatever is committed later has its root
            with catalog.transaction():
                if catalog.roots() != sorted(layout.roots, key=lambda root: root.path):
                    catalog.set_roots(layout.roots)
        changed = [file for file in layout.files if not self._is_known(known.get(file.path), file)]
        # objects first: what modules belong to is told in their synonyms
        changed.sort(key=lambda file: file.kind != "object")
        contexts_due = bool(catalog.number(_CONTEXTS_DUE))
        self._remove_missing(known, {file.path for file in layout.files})
        complete = self._update(changed, known)
        if complete and (self._objects_written or (whole and contexts_due)):
            complete = self._update_contexts(known, {file.path for file in changed}, clears=whole or not contexts_due)
        if complete and whole and catalog.number("pending"):
            with catalog.transaction():
                catalog.set_meta("pending", 0)
        self._finish()
        return complete

    def report(
        self, started: float, rebuilt: str | None, created: bool, complete: bool, make_vectors: MakeVectors
    ) -> Report:
        """Make the vectors after a complete run, and return what was done."""
        catalog, layout, whole = self._catalog, self._layout, self._whole
        vector_problems = make_vectors() if complete else []
        counts = catalog.counts()
        chunks = counts["code"] + counts["metadata"]
        self._changes.unchanged = chunks - self._changes.added - self._changes.updated
        walk_problems = layout.problems + (whole_problems(self._top, layout.roots, catalog) if whole else [])
        if complete:
            note_pass(catalog, walk_problems if whole else None, vector_problems)
        problems = walk_problems + catalog.problems() + vector_problems
        return Report(
            layout.roots,
            counts["files"],
            counts["procedures"],
            counts["objects"],
            counts["forms"],
            counts["code"],
            counts["metadata"],
            self._changes,
            round(time.perf_counter() - started, 3),
            sorted(problems, key=lambda problem: problem.path),
            rebuilt,
            complete,
            created,
            chunks > 0 and not waiting(catalog),
            catalog.number("generation"),
            layout.wrong,
        )

    def _remove_missing(self, known: dict[str, FileRow], present: set[str]) -> None:
        """Remove what is gone; what could not be looked at stays as it was."""
        missing = [row for path, row in known.items() if path not in present and not is_unread(path, self._layout)]
        if not missing:
            return
        with self._catalog.transaction():
            for row in missing:
                if row.kind == "object":
                    self._objects_written = True
                    self._objects.forget(row.id)
                ids = [version[0] for version in self._catalog.chunk_versions(row.id)]
                self._catalog.remove_chunks(ids)
                self._catalog.delete_file(row.id)
                self._changes.removed += len(ids)
            if self._objects_written:
                self._catalog.set_meta(_CONTEXTS_DUE, 1)
            self._publish()

    def _update_contexts(self, known: dict[str, FileRow], done: set[str], clears: bool) -> bool:
        """Rewrite the modules whose objects or subsystems are called otherwise than before.

        A kill before the end leaves that to the next whole pass; with `clears` nothing is left to it.
        """
        self._contexts = Contexts(self._catalog)
        if self._whole:
            files = {file.path: file for file in self._layout.files if file.kind == "module"}
        else:
            known = modules_of_objects(self._catalog, known, self._layout)
            files = {path: file for path in known if (file := module_now(self._top, path))}
        changed = [
            files[path]
            for path, row in known.items()
            if path in files and path not in done and row.context != self._contexts.of(row.root, row.owner)
        ]
        complete = self._update(changed, known)
        if complete and clears:
            with self._catalog.transaction():
                self._catalog.set_meta(_CONTEXTS_DUE, 0)
        return complete

    def _update(self, changed: list[SourceFile], known: dict[str, FileRow]) -> bool:
        if len(changed) > _MANY_FILES:
            self._vocabulary.load()
        done, objects = 0, sum(file.kind == "object" for file in changed)

        def step() -> bool:
            nonlocal done
            file = changed[done] if done < len(changed) else None
            # an object that borrows names is written when all others are read, and before modules tell its synonyms
            if self._objects.waiting and (file is None or file.kind != "object"):
                return self._objects.step()
            if file:
                self._update_file(file, known.get(file.path))
                done += 1
            return file is not None

        def left() -> int:
            return len(changed) - done + self._objects.waiting

        while left() and not self._cancelled():
            self._batch(step, left)
            if self._progress:
                # at the end of the objects the modules are still to come
                at_objects = done < objects or objects == len(changed)
                stage = (
                    ("objects", done, objects) if at_objects else ("modules", done - objects, len(changed) - objects)
                )
                self._progress(*stage)
            if self._pending >= _MERGE_MAX:
                self._merge()
        return not left()

    def _batch(self, step: Callable[[], bool], left: Callable[[], int]) -> None:
        """Take steps in one transaction until there are no more or the time is over."""
        deadline = time.perf_counter() + _BATCH_SECONDS
        with self._catalog.transaction():
            while not self._cancelled() and step() and time.perf_counter() < deadline:
                pass
            # files that cannot be read because all are out of reach are not taken for empty ones
            check_reach(self._top, indexed=True)
            self._vocabulary.flush()
            if self._objects_written:
                self._catalog.set_meta(_CONTEXTS_DUE, 1)
            self._catalog.set_meta("pending", left())
            self._publish()

    def _update_file(self, file: SourceFile, row: FileRow | None) -> None:
        if file.kind == "object":
            self._objects.update(file, row)
            return
        root, address = self._address(file)
        text, problem, digest = self._read(file)
        context = self._contexts.of(root.id, address.owner)
        moved = bool(row) and (not _is_at(row, root, address) or (row is not None and row.context != context))
        if digest and row and row.hash == digest and not moved:
            self._catalog.touch_file(row.id, file.size, file.mtime_ns, problem)
            return
        new = FileRow(
            row.id if row else 0, file.path, root.id, file.size, file.mtime_ns, digest,
            address.owner, address.module, address.words, context=context,
        )  # fmt: skip
        self._update_chunks(self._catalog.put_file(new, problem), text, address, moved)

    def _address(self, file: SourceFile) -> tuple[Root, ModuleAddress]:
        root = self._layout.root_of(file.path)
        return root, module_address(file.path, root)

    def _is_known(self, row: FileRow | None, file: SourceFile) -> bool:
        # a module that could not be read is tried again each time; a new root gives others another owner
        same = row and row.hash and row.size == file.size and row.mtime_ns == file.mtime_ns
        if file.kind == "object":
            return bool(row and same and row.root == self._layout.root_of(file.path).id)
        return bool(row and same and _is_at(row, *self._address(file)))

    def _read(self, file: SourceFile) -> tuple[str, str | None, bytes | None]:
        """Return a module's text, what is wrong with it and its hash, None when it could not be read."""
        try:
            data = (self._top / file.path).read_bytes()
        except OSError as error:
            return "", f"not read: {error.strerror or type(error).__name__}", None
        decoded = decode(data)
        return decoded.text, decoded.problem, content_hash(decoded.text)

    def _update_chunks(self, file: int, text: str, address: ModuleAddress, moved: bool) -> None:
        """Write the chunks that changed; all of them when the module belongs to something else than before."""
        self._write(file, bsl_chunks.outline(text), lambda chunk: code_entries(chunk, address), moved)

    def _write_object(self, file: int, entries: list[list[Entry]]) -> None:
        self._objects_written = True
        parts = {one[0].chunk.key: one for one in entries}
        self._write(file, [one[0].chunk for one in parts.values()], lambda chunk: parts[chunk.key])

    def _write(
        self,
        file: int,
        chunks: list[Chunk],
        parts_of: Callable[[Chunk], list[Entry]],
        every: bool = False,
    ) -> None:
        changes = write_chunks(self._catalog, self._vocabulary, file, chunks, parts_of, every)
        self._pending += changes.added + changes.updated
        self._changes.updated += changes.updated
        self._changes.added += changes.added
        self._changes.removed += changes.removed

    def _publish(self) -> None:
        self._catalog.store_counts()
        self._catalog.set_meta("generation", self._catalog.number("generation") + 1)

    def _finish(self) -> None:
        if self._catalog.unmerged() >= _MERGE_MIN or not self._catalog.number("base_max"):
            self._merge()

    def _merge(self) -> None:
        with self._catalog.transaction():
            merge(self._catalog)
            self._publish()
        self._pending = 0


def _is_at(row: FileRow | None, root: Root, address: ModuleAddress) -> bool:
    return row is not None and (row.root, row.owner, row.module) == (root.id, address.owner, address.module)
