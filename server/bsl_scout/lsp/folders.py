"""The indexes of all workspace folders: which are open, and the refreshes that they wait for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bsl_scout.index.catalog_file import file_identity
from bsl_scout.index.place import index_folder
from bsl_scout.index.reach import check_reach
from bsl_scout.index.remote_vectors import RemoteVectors
from bsl_scout.index.vectors import EXACT, StoreChoice
from bsl_scout.index.worker_client import WorkerClient, WorkerError
from bsl_scout.retrieval.synonyms import groups_of

from .adaptation_state import AdaptationState
from .folder import NO_STAGE, Folder
from .setting_texts import NO_TEXT, wrong_synonyms_text

log = logging.getLogger(__name__)

# another window holds the writer's lock: its commits are followed, and now and then the lock is asked for
_LOCKED_SECONDS = 5.0
# a worker that died is started again after a moment, so many times in a row
_RETRY_SECONDS, _MAX_RETRIES = 1.0, 3
# sources that are out of reach come back, and a full disk gets room, by someone's doing: looked at ever less often
_WAIT_SECONDS, _MAX_WAIT_SECONDS = 2.0, 30.0
# editors tell nothing of a folder that is renamed or unmounted itself
_REACH_SECONDS = 5.0
# what a failed refresh leaves a folder in, unless it is failed
_STATES = {"locked": "locked", "unreadable": "missing", "full": "full"}
# the stages of the worker as they are told
_STAGES = {"reading": "training", "training": "training", "testing": "training", "embedding": "embedding"}

Tell = Callable[[Folder], None]
Show = Callable[[Folder], None]


class Folders:
    """All folders of a server. One refresh of a folder runs, further wishes wait and are done together."""

    def __init__(
        self, worker: WorkerClient, index_base: Path, tell: Tell, show: Show, notify: Callable[[], None]
    ) -> None:
        self._worker = worker
        self._index_base = index_base
        self._tell = tell
        self._show = show
        self._notify = notify
        # whether the model is adapted to each folder once its index is ready
        self.adapts = False
        self.store = StoreChoice()
        # the model that makes the vectors, by name or folder; empty: the BSL model
        self.encoder = ""
        self.all: dict[Path, Folder] = {}
        self._watching: asyncio.Task[None] | None = None

    def add(self, top: Path, roots: Sequence[object] = (), synonyms: Sequence[object] = ()) -> Folder:
        """Add a folder (or a single module) and start to bring its index up to date.

        With `roots` sources are looked for in these folders below it only; `synonyms` are groups of phrases with `=`
        between them. What is no such text is told as wrong.
        """
        folder = self.all.get(top)
        if folder is None:
            folder = self.all[top] = Folder(top, index_folder(top, self._index_base), top.is_file())
            folder.roots = tuple(one for one in roots if isinstance(one, str))
            folder.wrong_roots = [(str(one), NO_TEXT) for one in roots if not isinstance(one, str)]
            loop = asyncio.get_running_loop()
            folder.tell_damaged = lambda: loop.call_soon_threadsafe(self._make_anew, folder)
            remote = RemoteVectors(self._worker, loop, folder.index, self.store)
            folder.source, folder.elsewhere = remote if self.store.kind != EXACT else None, remote
            folder.synonyms, folder.wrong_synonyms = groups_of(synonyms)
            if folder.wrong_synonyms:
                log.warning("%s: %s", top.name, wrong_synonyms_text(folder.wrong_synonyms, "en"))
            folder.open()
            self.want(folder, None)
            self._watching = self._watching or asyncio.create_task(self._watch_reach())
        return folder

    def remove(self, top: Path) -> None:
        """Forget a folder; its index stays on disk."""
        folder = self.all.pop(top, None)
        if folder:
            for task in (folder.running, folder.adapting):
                if task:
                    task.cancel()
            folder.stop_waiting()
            folder.close()
            folder.state = "empty"
            self._tell(folder)

    def stop(self) -> None:
        """End what is under way and look at nothing any more."""
        tasks = [self._watching, *(task for folder in self.all.values() for task in (folder.running, folder.adapting))]
        for task in tasks:
            if task:
                task.cancel()
        for folder in self.all.values():
            folder.stop_waiting()

    async def _watch_reach(self) -> None:
        while True:
            await asyncio.sleep(_REACH_SECONDS)
            for folder in [one for one in self.all.values() if one.state == "ready"]:
                try:
                    # a drive that is gone may let one wait
                    await asyncio.to_thread(check_reach, folder.top, folder.indexed > 0)
                except OSError:
                    if self.all.get(folder.top) is folder:
                        self.want(folder, None)

    def holding(self, path: Path) -> Folder | None:
        """Return the innermost folder that holds a path."""
        holding = [folder for folder in self.all.values() if folder.relative(path) is not None]
        return max(holding, key=lambda folder: len(folder.top.parts), default=None)

    def keeping(self, path: Path) -> list[tuple[Folder, str]]:
        """Return all folders that hold a path (nested ones may be several), with its path in each."""
        found = ((folder, folder.relative(path)) for folder in self.all.values())
        return [(folder, relative) for folder, relative in found if relative is not None]

    def want(self, folder: Folder, paths: Iterable[str] | None) -> None:
        """Ask for a refresh of some paths, or of everything with None."""
        if paths is None or folder.unfinished:
            folder.everything = True
        else:
            folder.wanted.update(paths)
        if folder.running is None or folder.running.done():
            folder.running = asyncio.create_task(self._work(folder))

    def current(self) -> list[Folder]:
        """Return all folders, their indexes opened again where another process or hand put another file in place."""
        for folder in self.all.values():
            if folder.searcher is None or (identity := file_identity(folder.index)) == folder.identity:
                continue
            folder.identity = identity
            if identity is None:
                # what is open still answers
                log.warning("%s: the index was deleted and is made anew", folder.top.name)
                self.want(folder, None)
            else:
                folder.reopen()
        return list(self.all.values())

    def _make_anew(self, folder: Folder) -> None:
        if folder.searcher:
            folder.close()
            folder.rebuild = True
            folder.message = "the index was damaged and is made anew"
            self.want(folder, None)

    def rebuild(self) -> None:
        """Make all indexes anew."""
        for folder in self.all.values():
            folder.rebuild = True
            self.want(folder, None)

    def pause(self) -> None:
        """Stop the refreshes under way; what they have stored answers, the next wish goes on from there."""
        for folder in self.all.values():
            self._worker.cancel(folder.index)

    def take_store_state(self, index: Path, state: str, problem: str) -> None:
        """Note how the vector store of an index does: copying, ready or failed, then with what is wrong."""
        for folder in self.all.values():
            if folder.index == index:
                folder.source_ready, folder.source_problem = state == "ready", problem
                if problem:
                    log.warning("vectors of %s: %s", folder.top.name, problem)

    async def _work(self, folder: Folder) -> None:
        while folder.everything or folder.wanted:
            paths = None if folder.everything or folder.unfinished else sorted(folder.wanted)
            rebuild = folder.rebuild
            folder.everything, folder.rebuild, folder.wanted = False, False, set()
            await self._refresh(folder, paths, rebuild)

    async def _refresh(self, folder: Folder, paths: list[str] | None, rebuild: bool) -> None:
        whole = paths is None
        waiting = folder.state in ("missing", "full")
        if whole and not waiting:
            folder.state = "indexing"
        self._tell(folder)

        def show(stage: str, done: int, total: int) -> None:
            folder.pending = total - done
            if whole:
                folder.stage = stage, done, total
                folder.indexed = done if stage == "modules" else folder.indexed
                # what it waited for is there again
                folder.state = "indexing"
            if folder.searcher is None:
                folder.open()
            self._show(folder)

        try:
            report = await self._worker.refresh(
                folder.top, folder.index, paths, rebuild, folder.roots, show, self.store, self.encoder
            )
        except WorkerError as error:
            self._note_failure(folder, error, whole, rebuild)
        else:
            folder.retries = folder.waits = 0
            folder.stop_waiting()
            counts = "%s: %d modules, %d procedures, %d chunks, %d changed in %.1f s, %d problems"
            told = [report[key] for key in ("files", "procedures", "chunks", "changed", "seconds", "problems")]
            log.log(logging.INFO if whole else logging.DEBUG, counts, folder.top.name, *told)
            if report["rebuilt"] or report["created"]:
                log.info("%s: the index was made: %s", folder.top.name, report["rebuilt"] or "there was none")
                folder.reopen()
            else:
                folder.open()
            if folder.searcher:
                folder.searcher.follow(report["generation"])
            folder.indexed = report["files"]
            folder.vectors = report["vectors"]
            if whole:
                folder.tell_wrong([(name, reason) for name, reason in report["wrong_roots"]])
            if report["complete"]:
                folder.pending = 0
                folder.unfinished = False
                folder.state = "ready" if folder.indexed or report["chunks"] else "empty"
                folder.message = ""
            else:
                folder.unfinished = True
                folder.state = "paused"
                folder.message = "indexing was stopped before its end; it goes on at the next save or rebuild"
        folder.stage = NO_STAGE
        self._tell(folder)
        if folder.state == "ready" and (folder.vectors or self.encoder):
            self.adapt(folder)

    def _note_failure(self, folder: Folder, error: WorkerError, whole: bool, rebuild: bool) -> None:
        """Note what a refresh failed of, and look again later where that may end by itself."""
        if (folder.state, folder.message) != (_STATES.get(error.kind), str(error)):
            # told once, however often it is looked at again
            log.warning("refresh of %s: %s", folder.top.name, error)
        folder.state = _STATES.get(error.kind, "failed")
        folder.message = str(error)
        # what was wished for is not done: the next wish is for everything, unless another window does it
        folder.unfinished = folder.unfinished or whole or error.kind != "locked"
        if folder.searcher and folder.state in ("locked", "missing"):
            folder.indexed, folder.pending = folder.searcher.freshness()
        if error.kind == "locked":
            folder.rebuild = folder.rebuild or rebuild
            folder.look_again(_LOCKED_SECONDS, lambda: self._again(folder))
        elif error.kind == "died" and folder.retries < _MAX_RETRIES:
            folder.retries += 1
            folder.rebuild = folder.rebuild or rebuild
            folder.look_again(_RETRY_SECONDS, lambda: self._again(folder))
        elif folder.state == "missing" and folder.single:
            # a module on its own that is deleted; opening it again adds it again
            asyncio.get_running_loop().call_soon(self.remove, folder.top)
        elif folder.state in ("missing", "full"):
            folder.look_again(min(_WAIT_SECONDS * 2**folder.waits, _MAX_WAIT_SECONDS), lambda: self._again(folder))
            folder.waits = min(folder.waits + 1, 10)

    def adapt(self, folder: Folder) -> None:
        """Let the model be adapted to a folder when that is wanted, or the vectors of another encoder be made."""
        if folder.adapting is None or folder.adapting.done():
            if self.encoder:
                folder.adapting = asyncio.create_task(self._encode(folder))
            elif self.adapts:
                folder.adapting = asyncio.create_task(self._adapt(folder))

    async def _adapt(self, folder: Folder) -> None:
        def show(stage: str, done: int, total: int) -> None:
            self._set_adaptation(folder, AdaptationState(_STAGES[stage], done, total))

        if folder.adaptation.state == "off":
            self._set_adaptation(folder, AdaptationState("waiting"))
        try:
            told = await self._worker.adapt(folder.index, show, self.store)
        except asyncio.CancelledError:
            self._set_adaptation(folder, AdaptationState())
            raise
        except WorkerError as error:
            # tried again after the next refresh; the vectors at hand serve
            log.warning("adapting to %s: %s", folder.top.name, error)
            self._set_adaptation(folder, AdaptationState("waiting", reason=str(error)))
        else:
            gain = round(told["after"] - told["before"], 4)
            state = AdaptationState(told["state"], gain=gain, weight=told["weight"], reason=told["reason"])
            if state != folder.adaptation:
                log.info("adapting to %s: %s", folder.top.name, told)
            self._set_adaptation(folder, state)

    async def _encode(self, folder: Folder) -> None:
        def show(stage: str, done: int, total: int) -> None:
            if total:
                self._set_adaptation(folder, AdaptationState("encoding", done, total))

        problem = ""
        try:
            told = await self._worker.encode(folder.index, show, self.store)
            problem = told["problem"]
            folder.vectors = told["vectors"]
        except WorkerError as error:
            # what was made is kept; it goes on after the next refresh
            log.warning("vectors of %s: %s", folder.top.name, error)
        if problem:
            log.warning("vectors of %s: %s", folder.top.name, problem)
        folder.encoder_problem, folder.adaptation = problem, AdaptationState()
        self._tell(folder)

    def _set_adaptation(self, folder: Folder, state: AdaptationState) -> None:
        if state == folder.adaptation:
            return
        folder.adaptation = state
        if state.state == "ready":
            # there are other vectors to take in
            self._tell(folder)
        else:
            self._notify()

    def _again(self, folder: Folder) -> None:
        if folder.state not in ("ready", "indexing", "empty") and self.all.get(folder.top) is folder:
            self.want(folder, None)
