"""Documents and files: what changes on disk is indexed at once, a module outside the folders on its own."""

from __future__ import annotations

from lsprotocol import types

from bsl_scout.configuration.objects import is_metadata

from ..convert import path_of
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
    """Index what was created, changed or removed."""
    _want(ls, [change.uri for change in params.changes])


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
