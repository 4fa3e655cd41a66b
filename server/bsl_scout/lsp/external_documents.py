"""Asks the client for the documents of external objects: their files lie anywhere, no pattern of a client knows them.

Only the files of the roots that were found are asked for, so no other XML is touched.
"""

from __future__ import annotations

import asyncio
import logging
import re
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from bsl_scout.configuration.kinds import KIND_BY_FOLDER

from .folder import Folder

if TYPE_CHECKING:
    from .server import ScoutServer

log = logging.getLogger(__name__)

# folders whose XML a client is told of by a pattern: asked for once more it would be answered twice
_KNOWN = frozenset({*KIND_BY_FOLDER, "Forms", "Templates"})
_SPECIAL = re.compile(r"[\[\]{}*?]")


class ExternalDocuments:
    """The documents that the client was asked for, and their registrations."""

    def __init__(self, server: ScoutServer) -> None:
        self._server = server
        self._patterns: list[str] = []
        self._registered: list[types.Unregistration] = []
        self._one = asyncio.Lock()

    async def follow(self) -> None:
        """Ask for the documents of the external objects that the indexes have now."""
        async with self._one:
            if self._server.stopping:
                return
            folders = list(self._server.folders.all.values())
            patterns = await self._server.in_background(self._server.navigating, lambda cancelled: _patterns(folders))
            if patterns == self._patterns or self._server.stopping:
                return
            self._patterns = patterns
            try:
                if self._registered:
                    gone = types.UnregistrationParams(self._registered)
                    self._registered = []
                    await self._server.client_unregister_capability_async(gone)
                new = self._registrations(patterns) if patterns else []
                if new:
                    await self._server.client_register_capability_async(types.RegistrationParams(new))
                    self._registered = [types.Unregistration(one.id, one.method) for one in new]
            except JsonRpcException as error:
                log.warning("the documents of external objects are not followed: %s", error)

    def _registrations(self, patterns: list[str]) -> list[types.Registration]:
        """Return the registrations of the requests that the client lets be registered later."""
        selector: list[types.DocumentFilter] = [
            types.TextDocumentFilterPattern(pattern=pattern, scheme="file") for pattern in patterns
        ]
        able = self._server.client_capabilities.text_document
        if able is None:
            return []
        wanted = [
            (types.TEXT_DOCUMENT_HOVER, able.hover, types.HoverRegistrationOptions(selector)),
            (types.TEXT_DOCUMENT_DEFINITION, able.definition, types.DefinitionRegistrationOptions(selector)),
            (types.TEXT_DOCUMENT_REFERENCES, able.references, types.ReferenceRegistrationOptions(selector)),
            (
                types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
                able.document_symbol,
                types.DocumentSymbolRegistrationOptions(selector),
            ),
            *(
                (method, able.synchronization, types.TextDocumentRegistrationOptions(selector))
                for method in (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CLOSE)
            ),
            (
                types.TEXT_DOCUMENT_DID_CHANGE,
                able.synchronization,
                types.TextDocumentChangeRegistrationOptions(types.TextDocumentSyncKind.Incremental, selector),
            ),
        ]
        return [
            types.Registration(str(uuid.uuid4()), method, options)
            for method, ability, options in wanted
            if ability and ability.dynamic_registration
        ]


def _patterns(folders: Iterable[Folder]) -> list[str]:
    found = []
    for folder in folders:
        with folder.symbols_lock:
            roots = folder.symbols.catalog.roots() if folder.symbols else []
        beside = (folder.base / root.file_beside for root in roots if root.file_beside)
        found += [pattern_of(path) for path in beside if path.parent.name not in _KNOWN]
    return sorted(found)


def pattern_of(path: Path) -> str:
    """Return the glob pattern that only this path answers, as the editor writes it (a small letter of the drive)."""
    place = path.as_posix()
    place = place[:1].lower() + place[1:] if place[1:2] == ":" else place
    return _SPECIAL.sub(lambda match: f"[{match[0]}]", place)
