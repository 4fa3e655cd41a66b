"""One workspace folder: its settings, the state of its index, and what searches and names are looked up by."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TypeVar

from bsl_scout.configuration.layout import leads_outside
from bsl_scout.features.symbols import SymbolTable
from bsl_scout.index.catalog import Catalog, CatalogUnavailableError, DamagedCatalogError
from bsl_scout.index.catalog_file import damage_told, file_identity
from bsl_scout.index.embedding import waiting
from bsl_scout.index.laid_catalog import NO_DOCUMENTS, Documents, LaidCatalog
from bsl_scout.index.unsaved import Unsaved, home_of, unsaved
from bsl_scout.index.vectors import VectorSource
from bsl_scout.index.verify import damage_found
from bsl_scout.retrieval.language import Language
from bsl_scout.retrieval.search import READER_PATIENCE, Searcher
from bsl_scout.retrieval.synonyms import with_built_in

from .adaptation_state import AdaptationState
from .setting_texts import NO_TEXT, wrong_root_text

if TYPE_CHECKING:
    from bsl_scout.features.form_store import FormStore

log = logging.getLogger(__name__)

T = TypeVar("T")

NO_STAGE = ("", 0, 0)


@dataclass(slots=True)
class Folder:
    """A workspace folder (or a single module) with its index.

    `state` is starting, indexing, ready, failed, locked, empty, missing (its sources are out of reach) or full (the
    disk of the index is); `indexed` counts modules, `pending` the files that are not in the index yet: of one stage
    while it is being made, whose name (objects, modules), files done and files in all are `stage`. `roots` are the
    folders that the setting names, `wrong_roots` those of them that are not used, with the reason;
    `synonyms` are the user's own, `wrong_synonyms` the entries that are none.
    """

    top: Path
    index: Path
    single: bool = False
    roots: tuple[str, ...] = ()
    wrong_roots: list[tuple[str, str]] = field(default_factory=list)
    synonyms: list[list[str]] = field(default_factory=list)
    wrong_synonyms: list[str] = field(default_factory=list)
    searcher: Searcher | None = None
    symbols: SymbolTable | None = None
    state: str = "starting"
    indexed: int = 0
    pending: int = 0
    stage: tuple[str, int, int] = NO_STAGE
    message: str = ""
    wanted: set[str] = field(default_factory=set)
    everything: bool = False
    # the last whole pass did not come to its end: the next wish is a whole pass again
    unfinished: bool = False
    retries: int = 0
    # how often in a row the sources were out of reach or the disk was full, and what will look again
    waits: int = 0
    later: asyncio.TimerHandle | None = None
    rebuild: bool = False
    # every chunk of the index has its vector
    vectors: bool = False
    adaptation: AdaptationState = field(default_factory=AdaptationState)
    adapting: asyncio.Task[None] | None = None
    # where the vectors are asked when not in the catalog, whether they can be now, and what is wrong
    source: VectorSource | None = None
    # where those of another model than the BSL model are asked, and why these are not made
    elsewhere: VectorSource | None = None
    encoder_problem: str = ""
    source_ready: bool = False
    source_problem: str = ""
    # searches and symbols (with forms) run in other threads; closing waits for those under way
    lock: threading.Lock = field(default_factory=threading.Lock)
    symbols_lock: threading.Lock = field(default_factory=threading.Lock)
    running: asyncio.Task[None] | None = None
    # which file the searcher has open, and who makes it anew when it turns out to be damaged
    identity: tuple[int, int] | None = None
    tell_damaged: Callable[[], object] = lambda: None
    # open modules that are not as their files, by path, and the catalogs that they are laid over
    unsaved: Documents = field(default_factory=lambda: NO_DOCUMENTS)
    _catalogs: tuple[LaidCatalog, ...] = ()
    _forms: FormStore | None = None

    @property
    def forms(self) -> FormStore | None:
        """The forms, None while there is no index; ask for them under `symbols_lock`."""
        if self._forms is None and self.symbols:
            # what reads forms takes a tenth of a second to import, and not every session looks at one
            from bsl_scout.features.form_store import FormStore

            self._forms = FormStore(self.base, self.symbols.catalog)
        return self._forms

    @property
    def by_meaning(self) -> bool:
        """Whether every chunk of the index has its vector, and searches look at them."""
        asked = self.searcher is not None and not self.searcher.postponed
        return self.vectors and asked and (self.source is None or self.source_ready)

    @property
    def base(self) -> Path:
        """The folder that the paths of the index are relative to."""
        return self.top.parent if self.single else self.top

    def tell_wrong(self, found: list[tuple[str, str]]) -> None:
        """Note and log which entries of the setting are not used, beside those that are no text at all."""
        self.wrong_roots = [one for one in self.wrong_roots if one[1] == NO_TEXT] + found
        for name, reason in self.wrong_roots:
            log.warning("%s: %s", self.top.name, wrong_root_text(name, reason, "en"))

    def relative(self, path: PurePath) -> str | None:
        """Return a path as the index writes it, None for one outside the folder."""
        if self.base != self.top:
            return path.name if path == self.top else None
        if ".." in path.parts or "\0" in path.name:
            # taken literally the first would be inside; no file has the second
            return None
        try:
            return path.relative_to(self.top).as_posix()
        except ValueError:
            return None

    def open(self) -> None:
        """Open the searcher when there is an index to open."""
        if self.searcher is None:
            with self.lock, self.symbols_lock:
                self._open()

    def reopen(self) -> None:
        """Open what stands in the place of the file now; who asks meanwhile waits, and is not told of no index."""
        with self.lock, self.symbols_lock:
            self._close()
            self._open()

    def _open(self) -> None:
        try:
            with damage_told():
                self.identity = file_identity(self.index)
                self.searcher = Searcher.open(self.index, self.source, self.elsewhere)
                if self.searcher:
                    if self.synonyms:
                        self.searcher.language = Language(synonyms=with_built_in(self.synonyms))
                    self.searcher.postpone()
                    # a connection of its own: names are asked for in another thread than words
                    names = LaidCatalog(self.index, READER_PATIENCE)
                    self.symbols = SymbolTable(names)
                    self._catalogs = self.searcher.catalog, names
                    self.lay_over("", None)
                    # known before the pass over the files is done, which a large configuration takes seconds for
                    self.vectors = self.searcher.catalog.has_files() and not waiting(self.searcher.catalog)
        except DamagedCatalogError as error:
            log.warning("the index will be rebuilt: %s", error)
            self._close()
        except CatalogUnavailableError as error:
            log.warning("the index cannot be opened now: %s", error)
            self._close()

    def unsaved_document(self, path: str, text: str) -> Unsaved | None:
        """Return an open module of the folder as it is laid over the index, None when there is nothing to lay.

        That takes as long as to index it; call it in a thread. Raises CatalogUnavailableError when the index cannot be
        read now.
        """
        with self.symbols_lock:
            if self.symbols is None:
                raise CatalogUnavailableError("there is no index")
            home, read = None, False
            with self.reading(self.symbols.catalog):
                home, read = home_of(self.symbols.catalog, path), True
        if not read:
            raise CatalogUnavailableError("the index is damaged")
        if home is None or (home.digest is None and leads_outside(self.base, path)):
            return None
        return unsaved(home, text, self.unsaved.get(path))

    def saved_documents(self) -> list[tuple[str, Unsaved]]:
        """Take in the names of unsaved documents and return those that the index has by now.

        Raises CatalogUnavailableError.
        """
        documents = self.unsaved
        with self.symbols_lock:
            if self.symbols:
                with self.reading(self.symbols.catalog):
                    overlay = self.symbols.catalog.overlay
                    return [pair for pair in documents.items() if overlay is None or pair[0] not in overlay.texts]
        return []

    def lay_over(self, path: str, document: Unsaved | None) -> None:
        """Let an open module count in place of its file, with None the file; for what is asked from now on."""
        others = {known: one for known, one in self.unsaved.items() if known != path}
        self.unsaved = {**others, path: document} if document else others or NO_DOCUMENTS
        for catalog in self._catalogs:
            catalog.unsaved = self.unsaved

    @contextmanager
    def reading(self, catalog: Catalog) -> Iterator[None]:
        """Run a block that reads one state of the index with what is not saved over it.

        Damage found in it ends the block, and the index is made anew.
        """
        try:
            with damage_found(catalog), catalog.reading():
                yield
        except DamagedCatalogError as error:
            log.warning("%s: the index is damaged and will be made anew: %s", self.top.name, error)
            self.tell_damaged()

    def learn(self) -> None:
        """Let the searcher take in what it answers without at first; searches wait for a part of it only."""
        load = self._taught(Searcher.loader)
        if load:
            load()
        self._taught(Searcher.learn)

    def learn_unsaved(self) -> bool:
        """Make some of the vectors that unsaved documents lack, and return whether there is more to make."""
        return bool(self._taught(Searcher.learn_unsaved))

    def _taught(self, step: Callable[[Searcher], T]) -> T | None:
        with self.lock:
            if self.searcher:
                try:
                    with self.reading(self.searcher.catalog):
                        return step(self.searcher)
                except CatalogUnavailableError as error:
                    # the next search meets it
                    log.warning("the index cannot be read now: %s", error)
        return None

    def look_again(self, seconds: float, look: Callable[[], object]) -> None:
        """Call a function after a while, once however often it is asked for."""
        self.stop_waiting()
        self.later = asyncio.get_running_loop().call_later(seconds, look)

    def stop_waiting(self) -> None:
        """Call nothing later."""
        if self.later:
            self.later.cancel()
            self.later = None

    def close(self) -> None:
        """Close the searcher."""
        with self.lock, self.symbols_lock:
            self._close()

    def _close(self) -> None:
        if self.searcher:
            self.searcher.close()
            self.searcher = None
        if self.symbols:
            self.symbols.catalog.close()
            self.symbols = self._forms = None
        self._catalogs = ()
