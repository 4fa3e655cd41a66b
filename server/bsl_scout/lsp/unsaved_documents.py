"""Follows the modules that are open in the editor: what is not saved is laid over the indexes after a short pause."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING
from urllib.parse import unquote

from bsl_scout.configuration.layout import is_module
from bsl_scout.index.catalog import CatalogUnavailableError

from .convert import path_of
from .folder import Folder

if TYPE_CHECKING:
    from .server import ScoutServer

log = logging.getLogger(__name__)

# after the last change; who types faster is not held up by what is made of it
PAUSE_SECONDS = 0.4


class UnsavedDocuments:
    """The open modules that have changed, and those that wait for the index of their folder."""

    def __init__(self, server: ScoutServer) -> None:
        self._server = server
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._waiting: set[str] = set()

    def changed(self, uri: str, seconds: float = PAUSE_SECONDS) -> None:
        """Look at a document after a pause; one that is changed again meanwhile is looked at later."""
        path = path_of(uri)
        if path is None or not is_module(path.name):
            return
        self._forget(uri)
        self._timers[uri] = asyncio.get_running_loop().call_later(seconds, self._begin, uri)

    def closed(self, uri: str) -> None:
        """Take away what was laid over for a document: the file counts again."""
        self._forget(uri)
        path = path_of(uri)
        for folder, relative in self._server.folders.keeping(path) if path else ():
            folder.lay_over(relative, None)

    def joined(self, folder: Folder) -> None:
        """Look at the documents of a new folder once that has an index."""
        documents = self._server.workspace.text_documents.values()
        held = ((one.uri, path_of(one.uri)) for one in documents)
        self._waiting |= {uri for uri, path in held if path and folder.relative(path) is not None}

    def again(self) -> None:
        """Look at the documents that waited for an index, and leave those alone that were saved and indexed."""
        waiting, self._waiting = self._waiting, set()
        for uri in waiting:
            self.changed(uri, 0)
        for folder in self._server.folders.all.values():
            if folder.unsaved:
                self._server.follow(self._settle(folder))

    def _forget(self, uri: str) -> None:
        self._waiting.discard(uri)
        timer = self._timers.pop(uri, None)
        if timer:
            timer.cancel()

    def _begin(self, uri: str) -> None:
        del self._timers[uri]
        if not self._server.stopping:
            self._server.follow(self._look(uri))

    async def _look(self, uri: str) -> None:
        path = path_of(uri)
        for folder, relative in self._server.folders.keeping(path) if path else ():
            document = self._server.workspace.text_documents.get(unquote(uri))
            if document is None or self._server.stopping:
                return
            try:
                await self._lay(folder, relative, uri, str(document.source))
            except CatalogUnavailableError as error:
                log.info("%s: an open module is laid over the index later: %s", folder.top.name, error)
                if folder.symbols is None:
                    self._waiting.add(uri)
                else:
                    # it was opened meanwhile, and nobody will tell that again
                    self.changed(uri)

    async def _lay(self, folder: Folder, path: str, uri: str, text: str) -> None:
        found = await self._server.in_background(
            self._server.preparing, lambda cancelled: folder.unsaved_document(path, text)
        )
        if unquote(uri) in self._server.workspace.text_documents and not self._server.stopping:
            folder.lay_over(path, found)
            # here, so that neither the next name nor the next search has to take it in
            await self._settle(folder)
            await self._server.learn_unsaved(folder)

    async def _settle(self, folder: Folder) -> None:
        if self._server.stopping:
            return
        try:
            saved = await self._server.in_background(self._server.preparing, lambda cancelled: folder.saved_documents())
        except CatalogUnavailableError as error:
            log.info("%s: names of open modules are taken in later: %s", folder.top.name, error)
            return
        for path, document in saved:
            if folder.unsaved.get(path) is document:
                folder.lay_over(path, None)
