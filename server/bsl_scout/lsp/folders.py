"""One index per workspace folder: its state, its searcher, and the refreshes that it waits for."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from bsl_scout.features.symbols import SymbolTable
from bsl_scout.index.catalog import Catalog, DamagedCatalogError
from bsl_scout.index.indexer import index_folder
from bsl_scout.index.worker_client import WorkerClient, WorkerError
from bsl_scout.retrieval.search import Searcher

log = logging.getLogger(__name__)

# another window holds the writer's lock: its commits are followed, and now and then the lock is asked for
_LOCKED_SECONDS = 30.0


@dataclass(slots=True)
class Folder:
    """A workspace folder (or a single module) with its index.

    `state` is starting, indexing, ready, failed, locked or empty; `indexed` and `pending` count modules.
    """

    top: Path
    index: Path
    searcher: Searcher | None = None
    symbols: SymbolTable | None = None
    state: str = "starting"
    indexed: int = 0
    pending: int = 0
    message: str = ""
    wanted: set[str] = field(default_factory=set)
    everything: bool = False
    rebuild: bool = False
    # searches and symbols run in other threads; closing waits for those under way
    lock: threading.Lock = field(default_factory=threading.Lock)
    symbols_lock: threading.Lock = field(default_factory=threading.Lock)
    running: asyncio.Task[None] | None = None

    @property
    def base(self) -> Path:
        """The folder that the paths of the index are relative to."""
        return self.top.parent if self.top.suffix.lower() in (".bsl", ".os") else self.top

    def relative(self, path: Path) -> str | None:
        """Return a path as the index writes it, None for one outside the folder."""
        if self.base != self.top:
            return path.name if path == self.top else None
        try:
            return PurePosixPath(path.relative_to(self.top)).as_posix()
        except ValueError:
            return None

    def open(self) -> None:
        """Open the searcher when there is an index to open."""
        if self.searcher is None:
            try:
                self.searcher = Searcher.open(self.index)
                if self.searcher:
                    # a connection of its own: names are asked for in another thread than words
                    self.symbols = SymbolTable(Catalog(self.index))
            except DamagedCatalogError as error:
                log.warning("the index will be rebuilt: %s", error)

    def close(self) -> None:
        """Close the searcher."""
        with self.lock, self.symbols_lock:
            if self.searcher:
                self.searcher.close()
                self.searcher = None
            if self.symbols:
                self.symbols.catalog.close()
                self.symbols = None


Tell = Callable[[Folder], None]
Show = Callable[[Folder, int, int], None]


class Folders:
    """All folders of a server. One refresh of a folder runs, further wishes wait and are done together."""

    def __init__(self, worker: WorkerClient, index_base: Path, tell: Tell, show: Show) -> None:
        self._worker = worker
        self._index_base = index_base
        self._tell = tell
        self._show = show
        self.all: dict[Path, Folder] = {}

    def add(self, top: Path) -> Folder:
        """Add a folder (or a single module) and start to bring its index up to date."""
        folder = self.all.get(top)
        if folder is None:
            folder = self.all[top] = Folder(top, index_folder(top, self._index_base))
            folder.open()
            self.want(folder, None)
        return folder

    def remove(self, top: Path) -> None:
        """Forget a folder; its index stays on disk."""
        folder = self.all.pop(top, None)
        if folder:
            if folder.running:
                folder.running.cancel()
            folder.close()

    def holding(self, path: Path) -> Folder | None:
        """Return the innermost folder that holds a path."""
        holding = [folder for folder in self.all.values() if folder.relative(path) is not None]
        return max(holding, key=lambda folder: len(folder.top.parts), default=None)

    def want(self, folder: Folder, paths: Iterable[str] | None) -> None:
        """Ask for a refresh of some paths, or of everything with None."""
        if paths is None:
            folder.everything = True
        else:
            folder.wanted.update(paths)
        if folder.running is None or folder.running.done():
            folder.running = asyncio.create_task(self._work(folder))

    def rebuild(self) -> None:
        """Make all indexes anew."""
        for folder in self.all.values():
            folder.rebuild = True
            self.want(folder, None)

    async def _work(self, folder: Folder) -> None:
        while folder.everything or folder.wanted:
            paths = None if folder.everything else sorted(folder.wanted)
            rebuild = folder.rebuild
            folder.everything, folder.rebuild, folder.wanted = False, False, set()
            await self._refresh(folder, paths, rebuild)

    async def _refresh(self, folder: Folder, paths: list[str] | None, rebuild: bool) -> None:
        whole = paths is None
        folder.state = "indexing" if whole else folder.state
        self._tell(folder)

        def show(done: int, total: int) -> None:
            folder.pending = total - done
            if folder.searcher is None:
                folder.open()
            self._show(folder, done, total)

        try:
            report = await self._worker.refresh(folder.top, folder.index, paths, rebuild, show)
        except WorkerError as error:
            folder.state = "locked" if error.kind == "locked" else "failed"
            folder.message = str(error)
            log.warning("refresh of %s: %s", folder.top.name, error)
            if error.kind == "locked":
                asyncio.get_running_loop().call_later(_LOCKED_SECONDS, self._again, folder)
        else:
            if report["rebuilt"]:
                log.info("%s: the index was rebuilt: %s", folder.top.name, report["rebuilt"])
                folder.close()
            folder.open()
            if folder.searcher:
                folder.searcher.follow()
            folder.indexed = report["files"]
            folder.pending = 0 if report["complete"] else folder.pending
            folder.state = "ready" if folder.indexed else "empty"
            folder.message = "" if report["complete"] else "stopped before the end"
        self._tell(folder)

    def _again(self, folder: Folder) -> None:
        if folder.state == "locked" and folder.top in self.all:
            self.want(folder, None)
