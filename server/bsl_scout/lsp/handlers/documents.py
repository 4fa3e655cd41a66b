"""Documents and files: what changes on disk is indexed at once, a module outside the folders on its own."""

from __future__ import annotations

import asyncio
from pathlib import PurePosixPath

from lsprotocol import types

from bsl_scout.configuration.layout import is_ignored
from bsl_scout.configuration.objects import is_metadata

from ..convert import path_of
from ..folder import Folder
from ..server import ScoutServer

# a change of one of these may move or make a root: then everything is looked at
_ROOT_FILES = (
    "Configuration.xml",
    "Configuration.mdo",
    "Configuration.json",
    "ConfigurationExtension.json",
    "ExternalDataProcessor.json",
)
_METADATA = (".xml", ".mdo", ".json", ".form", ".dcs", ".rights")
_SOURCES = (".bsl", ".os", *_METADATA)
# until everything is looked at once more after a folder has come
_FILLED_SECONDS = 2.0


def register(server: ScoutServer) -> None:
    """Register the handlers of this module."""
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(on_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(on_change)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(on_close)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(on_save)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(on_watched)


async def on_open(ls: ScoutServer, params: types.DidOpenTextDocumentParams) -> None:
    """Index a module that no folder holds, and tell what is wrong with the form that a document belongs to."""
    path = path_of(params.text_document.uri)
    if path and path.suffix.lower() in (".bsl", ".os") and path.is_file() and not ls.folders.holding(path):
        ls.folders.add(path)
    # an editor that was closed before may bring back what was not saved
    ls.unsaved_documents.changed(params.text_document.uri, 0)
    if path:
        await (await ls.handlers("forms")).publish_findings(ls, path)


def on_change(ls: ScoutServer, params: types.DidChangeTextDocumentParams) -> None:
    """Lay a changed module over the index, after a pause."""
    ls.unsaved_documents.changed(params.text_document.uri)


def on_close(ls: ScoutServer, params: types.DidCloseTextDocumentParams) -> None:
    """Let the file of a closed document count again."""
    ls.unsaved_documents.closed(params.text_document.uri)


async def on_save(ls: ScoutServer, params: types.DidSaveTextDocumentParams) -> None:
    """Index the saved document, and tell what is wrong with the form that it belongs to."""
    _want(ls, [params.text_document.uri])
    path = path_of(params.text_document.uri)
    if path:
        await (await ls.handlers("forms")).publish_findings(ls, path)


def on_watched(ls: ScoutServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Index what was created, changed or removed; when whole folders come or go everything is looked at."""
    _want(ls, [change.uri for change in params.changes if _suffix(change) in _SOURCES])
    folders = {
        folder.top: folder
        for change in params.changes
        if _is_folder(change) and (path := path_of(change.uri))
        for folder, relative in ls.folders.keeping(path)
        if not is_ignored(f"{relative}/")
    }
    for folder in folders.values():
        ls.folders.want(folder, None)
    if any(change.type == types.FileChangeType.Created for change in params.changes):
        # a new folder may still be filled, and nobody watches what is written before the editor has noticed it
        for folder in folders.values():
            asyncio.get_running_loop().call_later(_FILLED_SECONDS, _look_again, ls, folder)


def _look_again(ls: ScoutServer, folder: Folder) -> None:
    if not ls.stopping and ls.folders.all.get(folder.top) is folder:
        ls.folders.want(folder, None)


def _suffix(change: types.FileEvent) -> str:
    return PurePosixPath(change.uri).suffix.lower()


def _is_folder(change: types.FileEvent) -> bool:
    """Return whether a change is one of a folder: all that comes and goes is told, of folders not what is in them."""
    suffix = _suffix(change)
    if change.type == types.FileChangeType.Deleted:
        # one that is gone cannot be asked; version numbers have dots too
        return not any(letter.isalpha() for letter in suffix)
    return suffix not in _SOURCES and (path := path_of(change.uri)) is not None and path.is_dir()


def _want(ls: ScoutServer, uris: list[str]) -> None:
    for uri in uris:
        path = path_of(uri)
        if path is None:
            continue
        for folder, relative in ls.folders.keeping(path):
            if relative == "." or path.name in _ROOT_FILES:
                ls.folders.want(folder, None)
            elif path.suffix.lower() not in _METADATA or is_metadata(path):
                ls.folders.want(folder, [relative])
