"""Start, workspace folders, shutdown."""

from __future__ import annotations

import asyncio
import logging
import uuid
from pathlib import Path
from typing import Any

from lsprotocol import types

from bsl_scout.index.vectors import CHROMA, EXACT, StoreChoice

from ..convert import path_of
from ..protocol import INDEX_STATUS, LOG_LEVEL, REBUILD_INDEX, STOP_INDEXING, ScoutProtocol
from ..server import ScoutServer
from . import navigation

log = logging.getLogger(__name__)

WATCHED = "**/*.{bsl,os,xml,mdo,json,form,dcs,rights}"


def register(server: ScoutServer) -> None:
    """Register the handlers of this module."""
    server.feature(types.INITIALIZE)(on_initialize)
    server.feature(types.INITIALIZED)(on_initialized)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(on_folders)
    server.feature(types.SHUTDOWN)(on_shutdown)
    server.feature(LOG_LEVEL)(on_log_level)
    server.answer(REBUILD_INDEX, on_rebuild)
    server.answer(STOP_INDEXING, on_stop_indexing)


def on_initialize(ls: ScoutServer, params: types.InitializeParams) -> None:
    """Take the client's language and whether it wants colours; capabilities are computed after this."""
    assert isinstance(ls.protocol, ScoutProtocol)
    ls.protocol.count_lines_as_editors()
    ls.log.set_level(_text(_option(params, "logLevel")))
    ls.locale = str(_option(params, "locale") or params.locale or "en")[:2]
    ls.roots = _option(params, "roots")
    ls.synonyms = _option(params, "synonyms")
    ls.folders.adapts = _option(params, "adapt") is True
    ls.folders.encoder = _text(_option(params, "encoder"))
    ls.rerank_model = _text(_option(params, "rerankModel"))
    ls.folders.store, ls.wrong_store = _store(_option(params, "vectors"))
    ls.form_diagnostics = _option(params, "formDiagnostics") is not False
    ls.symbols, ls.hover, ls.definition = (_share(_option(params, name)) for name in ("symbols", "hover", "definition"))
    if _option(params, "semanticTokens") is not False:
        navigation.register_semantic_tokens(ls)


def _share(option: Any) -> str:
    """Return how much of something the client wants from this server; everything unless it says otherwise."""
    return option if option in ("metadata", "none") else "all"


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _option(params: types.InitializeParams, name: str) -> Any:
    return _field(params.initialization_options, name)


async def on_initialized(ls: ScoutServer, params: types.InitializedParams) -> None:
    """Start to index the workspace folders and to watch their files."""
    for folder in ls.workspace.folders.values():
        path = path_of(folder.uri)
        if path:
            _add(ls, path)
    if not ls.folders.all:
        ls.protocol.notify(INDEX_STATUS, ls.status())
    workspace = ls.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if watching and watching.dynamic_registration:
        # a folder that goes takes its files with it without a word, and one that comes may bring some the same way
        folders = types.FileSystemWatcher("**/*", types.WatchKind.Create | types.WatchKind.Delete)
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED), folders])
        registration = types.Registration(str(uuid.uuid4()), types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await ls.client_register_capability_async(types.RegistrationParams([registration]))


def on_folders(ls: ScoutServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Index added folders, forget removed ones."""
    for folder in params.event.removed:
        path = path_of(folder.uri)
        if path:
            ls.folders.remove(path)
    for folder in params.event.added:
        path = path_of(folder.uri)
        if path:
            _add(ls, path)


def _add(ls: ScoutServer, path: Path) -> None:
    """Add a folder; a module that was indexed on its own and lies in it is now part of it."""
    try:
        roots, synonyms = _of_folder(ls.roots, path, "paths"), _of_folder(ls.synonyms, path, "groups")
        ls.unsaved_documents.joined(ls.folders.add(path, roots, synonyms))
    except (OSError, RuntimeError) as error:
        log.warning("%s is not indexed: %s", path.name, type(error).__name__)
        return
    for folder in list(ls.folders.all.values()):
        if folder.single and path in folder.top.parents:
            ls.folders.remove(folder.top)


def _of_folder(setting: Any, path: Path, key: str) -> list[object]:
    """Return the entries that a setting has for a folder; what is no list is one wrong entry."""
    found: list[object] = []
    for one in setting if isinstance(setting, list) else [] if setting is None else [setting]:
        folder, entries = (_field(one, name) for name in ("folder", key))
        if not isinstance(folder, str):
            # a client with one setting for all folders names no folder
            found.append(one)
        elif path_of(folder) == path:
            found += entries if isinstance(entries, list) else [entries]
    return found


def _store(setting: Any) -> tuple[StoreChoice, str]:
    """Return the vector store that the settings choose, the default and what is wrong when they choose none."""
    kind, url = _field(setting, "store") or EXACT, _field(setting, "chromaUrl") or ""
    if kind not in (EXACT, CHROMA):
        return StoreChoice(), f"bslScout.vectors.store: «{kind}» ≠ {EXACT}, {CHROMA}"
    return StoreChoice(kind, url if isinstance(url, str) else str(url)), ""


def _field(value: Any, name: str) -> Any:
    # pygls makes objects of dictionaries
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def on_log_level(ls: ScoutServer, params: Any) -> None:
    """Log from another level on."""
    ls.log.set_level(_text(_field(params, "level")))


async def on_rebuild(ls: ScoutServer, params: Any) -> dict[str, Any]:
    """Make the indexes anew; returns at once, the status tells the rest."""
    ls.folders.rebuild()
    return {}


async def on_stop_indexing(ls: ScoutServer, params: Any) -> dict[str, Any]:
    """Ask the refreshes under way to stop where they are; returns at once, the status tells the rest."""
    ls.folders.pause()
    return {}


async def on_shutdown(ls: ScoutServer, params: None) -> None:
    """Stop the worker and the searches before the streams close."""
    ls.stopping = True
    for pool in (ls.searching, ls.learning, ls.navigating, ls.colouring, ls.preparing):
        pool.shutdown(wait=False, cancel_futures=True)
    ls.folders.stop()
    await asyncio.sleep(0)
    await ls.worker.stop()
