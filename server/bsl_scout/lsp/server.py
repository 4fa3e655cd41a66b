"""The language server: its state, its life from start to exit, and how it tells about its indexes."""

from __future__ import annotations

import asyncio
import faulthandler
import functools
import importlib
import logging
import threading
import time
import uuid
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from bsl_scout import __version__
from bsl_scout.bsl.text import decode
from bsl_scout.index.worker_client import WorkerClient

from .adaptation_state import AdaptationState
from .convert import path_of
from .external_documents import ExternalDocuments
from .folder import Folder
from .folders import Folders
from .log import ServerLog
from .protocol import (
    DIAGNOSTICS,
    FORM_CONTEXT,
    FORMS,
    INDEX_STATUS,
    PROCEDURE_CONTEXT,
    IndexStatus,
    ScoutProtocol,
    WireAdaptation,
    WireProgress,
)
from .setting_texts import folder_text, wrong_root_text, wrong_synonyms_text
from .unsaved_documents import UnsavedDocuments

log = logging.getLogger(__name__)
T = TypeVar("T")
Handler = Callable[["ScoutServer", Any], Coroutine[Any, Any, Any]]
_INTERNAL_ERROR = -32603

# requests whose handlers are imported when they are first needed: with all that reads forms they take a tenth of
# a second, which the answer to `initialize` does not wait for
_LATE = (
    (types.TEXT_DOCUMENT_HOVER, "cursor", "on_hover"),
    (types.TEXT_DOCUMENT_DEFINITION, "cursor", "on_definition"),
    (types.TEXT_DOCUMENT_REFERENCES, "cursor", "on_references"),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "cursor", "on_document_symbol"),
    (types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "calls", "on_prepare"),
    (types.CALL_HIERARCHY_INCOMING_CALLS, "calls", "on_incoming"),
    (types.CALL_HIERARCHY_OUTGOING_CALLS, "calls", "on_outgoing"),
    (types.TEXT_DOCUMENT_CODE_LENS, "forms", "on_code_lens"),
    (PROCEDURE_CONTEXT, "procedures", "on_procedure_context"),
    (DIAGNOSTICS, "diagnostics", "on_diagnostics"),
    (FORM_CONTEXT, "forms", "on_form_context"),
    (FORMS, "forms", "on_forms"),
)

# what the state of several folders together is: the first of these that any folder has
_WORST_FIRST = ("failed", "full", "missing", "paused", "locked", "indexing", "starting", "ready", "empty")
# and how far the model is adapted to them
_ADAPTATION_FIRST = ("training", "embedding", "encoding", "waiting", "refused", "ready", "off")


class ScoutServer(LanguageServer):
    """All state of the server; handlers take it as their first argument."""

    def __init__(self, index_base: Path) -> None:
        super().__init__("bsl-scout", __version__, protocol_cls=ScoutProtocol)
        self.log = ServerLog()
        self.worker = WorkerClient(self.take_store_state)
        self.folders = Folders(self.worker, index_base, self.tell_status, self.show_progress, self.notify_status)
        # one thread: an index is read by one search at a time, and cancelled ones leave the queue
        self.searching = ThreadPoolExecutor(1, "search")
        self.navigating = ThreadPoolExecutor(1, "navigation")
        self.learning = ThreadPoolExecutor(1, "learning")
        self.colouring = ThreadPoolExecutor(1, "colours")
        self.preparing = ThreadPoolExecutor(1, "documents")
        self.locale = "en"
        self.form_diagnostics = True
        # what is answered: all, metadata (what another extension does not know) or none
        self.symbols = self.hover = self.definition = "all"
        # what the settings that name roots and synonyms hold, as the client sent it
        self.roots: Any = None
        # what is wrong with the setting that chooses the vector store
        self.wrong_store = ""
        # the cross-encoder that orders the best hits anew in mode rerank, empty: none
        self.rerank_model = ""
        self.synonyms: Any = None
        self.stopping = False
        self.external_documents = ExternalDocuments(self)
        self.unsaved_documents = UnsavedDocuments(self)
        self._following: set[asyncio.Task[None]] = set()
        self._progress: dict[Path, str] = {}

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """Log an error; the default would show a popup, and recurse once the pipe is closed."""
        log.error("%s: %s: %s", source.__name__, type(error).__name__, error)

    async def in_background(self, pool: ThreadPoolExecutor, work: Callable[[threading.Event], T]) -> T:
        """Return what `work` returns, run in a pool of ours; its event is set when the request is cancelled."""
        cancelled = threading.Event()
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work, cancelled)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def answer(self, method: str, handler: Handler, *options: Any) -> None:
        """Register a handler whose unexpected errors are logged and reach the client as one clean line."""

        @functools.wraps(handler)
        async def guarded(ls: ScoutServer, params: Any) -> Any:
            started = time.perf_counter()
            try:
                answer = await handler(ls, params)
                log.debug("%s: answered in %.0f ms", method, 1000 * (time.perf_counter() - started))
                return answer
            except (JsonRpcException, asyncio.CancelledError):
                raise
            except Exception as error:
                log.exception("%s failed", method)
                raise json_error(_INTERNAL_ERROR, f"internal error ({type(error).__name__}), see the log") from None

        self.feature(method, *options)(guarded)

    async def handlers(self, name: str) -> ModuleType:
        """Return a module of handlers that is imported when it is first needed, outside the event loop."""
        return await self.in_background(self.navigating, lambda cancelled: _import_handlers(name))

    def answer_late(self, method: str, module: str, name: str) -> None:
        """Register a handler by its name in a module of handlers that is imported later."""

        async def late(ls: ScoutServer, params: Any) -> Any:
            return await getattr(await ls.handlers(module), name)(ls, params)

        self.answer(method, late)

    def place_of(self, uri: str) -> tuple[Folder, str] | None:
        """Return the innermost folder that holds a document and the document's path in it, None without one."""
        path = path_of(uri)
        folder = self.folders.holding(path) if path else None
        relative = folder.relative(path) if path and folder else None
        return None if folder is None or relative is None else (folder, relative)

    def text_of(self, uri: str) -> str | None:
        """Return the text of a document: that of the editor, else that on disk; None when there is none."""
        # pygls keys them by the address without percent signs
        opened = self.workspace.text_documents.get(unquote(uri))
        if opened:
            return str(opened.source)
        path = path_of(uri)
        try:
            return decode(path.read_bytes()).text if path else None
        except OSError:
            # gone meanwhile, or never there
            return None

    # --- telling the client

    def status(self) -> IndexStatus:
        """Return the state of all folders together."""
        folders = list(self.folders.all.values())
        states = {folder.state for folder in folders} or {"empty"}
        if "ready" in states:
            states.discard("empty")
        state = next(state for state in _WORST_FIRST if state in states)
        return IndexStatus(
            state,
            sum(folder.indexed for folder in folders),
            sum(folder.pending for folder in folders),
            _progress(folders),
            legs_of(folders),
            "; ".join(self.messages(folders)),
            _adaptation(folders),
        )

    def messages(self, folders: list[Folder]) -> list[str]:
        """Return what some folders have to tell the user: failures, and entries of settings that are not used."""
        told = [folder_text(folder.state, folder.top.name, folder.message, self.locale) for folder in folders]
        wrong = (wrong_root_text(*one, self.locale) for folder in folders for one in folder.wrong_roots)
        store = "поиск по смыслу невозможен" if self.locale == "ru" else "no search by meaning"
        stores = (f"{store}: {folder.source_problem}" for folder in folders if folder.source_problem)
        encoder = "модель из bslScout.encoder не работает" if self.locale == "ru" else "bslScout.encoder"
        encoders = (f"{encoder}: {folder.encoder_problem}" for folder in folders if folder.encoder_problem)
        entries = dict.fromkeys(entry for folder in folders for entry in folder.wrong_synonyms)
        synonyms = [wrong_synonyms_text(list(entries), self.locale)] if entries else []
        return [
            *filter(None, told),
            *dict.fromkeys(wrong),
            *filter(None, [self.wrong_store]),
            *dict.fromkeys(stores),
            *dict.fromkeys(encoders),
            *synonyms,
        ]

    def take_store_state(self, index: Path, state: str, done: int, total: int, problem: str) -> None:
        """Note how the vector store of an index does, and tell the client when that is news."""
        before = self.status()
        self.folders.take_store_state(index, state, problem)
        if not self.stopping and self.status() != before:
            self.protocol.notify(INDEX_STATUS, self.status())

    def tell_status(self, folder: Folder) -> None:
        """Send the state of the indexes, and end the progress of a folder that is done."""
        if self.stopping:
            return
        token = self._progress.get(folder.top)
        if folder.state != "indexing" and token:
            del self._progress[folder.top]
            self.work_done_progress.end(token, types.WorkDoneProgressEnd())
            self.work_done_progress.tokens.pop(token, None)
        self.notify_status()
        if folder.state == "ready":
            self.learn(folder)
            self.navigating.submit(_import_handlers, "cursor")
        if folder.state != "indexing":
            self.follow(self.external_documents.follow())
            self.unsaved_documents.again()

    def learn(self, folder: Folder) -> None:
        """Let a folder take in its vectors while searches go on, and tell when it searches by meaning too."""
        self.follow(self._learn(folder))

    async def _learn(self, folder: Folder) -> None:
        before = self.status()
        await self.in_background(self.learning, lambda cancelled: folder.learn())
        await self.learn_unsaved(folder)
        if not self.stopping and self.status() != before:
            self.protocol.notify(INDEX_STATUS, self.status())

    async def learn_unsaved(self, folder: Folder) -> None:
        """Let a folder take in its unsaved documents; searches wait for a part of them only."""
        while not self.stopping and await self.in_background(self.learning, lambda cancelled: folder.learn_unsaved()):
            pass

    def follow(self, work: Coroutine[Any, Any, None]) -> None:
        """Let some work run to its end."""
        task = asyncio.get_running_loop().create_task(work)
        # the loop itself holds tasks weakly
        self._following.add(task)
        task.add_done_callback(self._following.discard)

    def notify_status(self) -> None:
        """Send the state of the indexes."""
        if not self.stopping:
            self.protocol.notify(INDEX_STATUS, self.status())

    def show_progress(self, folder: Folder) -> None:
        """Show how far an index is; a click on cancel stops it."""
        if self.stopping or folder.state != "indexing":
            return
        self.notify_status()
        window = self.client_capabilities.window
        if not (window and window.work_done_progress):
            # its own indicator shows the status
            return
        token = self._progress.get(folder.top)
        if token is None:
            asyncio.get_running_loop().create_task(self._begin_progress(folder))
            return
        asked = self.work_done_progress.tokens.get(token)
        if asked is None:
            # the client has not answered yet that it shows progress
            return
        if asked.cancelled():
            self.worker.cancel(folder.index)
        stage, done, total = folder.stage
        message = f"{_STAGE_WORDS[stage][self.locale != 'ru']} {done} / {total}"
        percentage = 100 * done // max(total, 1)
        self.work_done_progress.report(token, types.WorkDoneProgressReport(message=message, percentage=percentage))

    async def _begin_progress(self, folder: Folder) -> None:
        token = str(uuid.uuid4())
        self._progress[folder.top] = token
        try:
            await self.work_done_progress.create_async(token)
        except JsonRpcException as error:
            # a client without progress: the status notification tells enough
            log.info("no progress: %s", error)
            self._progress.pop(folder.top, None)
            return
        title = "BSL Scout: индексация" if self.locale == "ru" else "BSL Scout: indexing"
        begin = types.WorkDoneProgressBegin(title=title, percentage=0, cancellable=True)
        self.work_done_progress.begin(token, begin)
        if self._progress.get(folder.top) != token:
            self.work_done_progress.end(token, types.WorkDoneProgressEnd())


def legs_of(folders: list[Folder]) -> list[str]:
    """Return by what the folders can be searched: by meaning only when all of them can."""
    searched = [folder for folder in folders if folder.searcher]
    if not searched:
        return []
    return ["lexical", "vector"] if all(folder.by_meaning for folder in searched) else ["lexical"]


_STAGE_WORDS = {"objects": ("объекты", "objects"), "modules": ("модули", "modules")}


def _progress(folders: list[Folder]) -> WireProgress:
    """Return how far the folders are that are at the earliest stage."""
    found = [folder.stage for folder in folders]
    stage = next((name for name in _STAGE_WORDS if any(name == one[0] for one in found)), "")
    at_stage = [one for one in found if one[0] == stage]
    return WireProgress(stage, sum(one[1] for one in at_stage), sum(one[2] for one in at_stage))


def _adaptation(folders: list[Folder]) -> WireAdaptation:
    """Return the adaptation of the folder that has most to tell."""
    told = [folder.adaptation for folder in folders] or [AdaptationState()]
    first = min(told, key=lambda one: _ADAPTATION_FIRST.index(one.state))
    return WireAdaptation(first.state, first.done, first.total, first.gain, first.weight, first.reason)


def make_server(index_base: Path) -> ScoutServer:
    """Return a server with all its handlers."""
    from .handlers import documents, find_logic, lifecycle, navigation

    server = ScoutServer(index_base)
    for module in (lifecycle, documents, find_logic, navigation):
        module.register(server)
    for method, module_name, name in _LATE:
        server.answer_late(method, module_name, name)
    return server


def _import_handlers(name: str) -> ModuleType:
    return importlib.import_module(f".handlers.{name}", __package__)


def serve(index_base: Path) -> int:
    """Serve over standard input and output until `exit`."""
    # a crash in native code leaves its trace in the log of the editor
    faulthandler.enable()
    server = make_server(index_base)
    server.log.start()
    server.start_io()
    return 0


_INVALID_PARAMS = -32602


def invalid(message: str) -> JsonRpcException:
    """Return the error for parameters that do not fit."""
    return json_error(_INVALID_PARAMS, message)


def json_error(code: int, message: str) -> JsonRpcException:
    """Return an error that reaches the client with this text only."""
    error: Any = JsonRpcException(message, code=code)
    return error  # type: ignore[no-any-return]
