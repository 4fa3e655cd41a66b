"""A place in a file of an open configuration, and what the server says of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lsprotocol import types

_LINK = re.compile(r"\[([^\]]*)\]\((file:[^)#]*)#L(\d+)\)")


class Cursor:
    """A place in a file of the demo: `find` is the text, `at` what of it the cursor is on."""

    def __init__(self, editor: Any, top: Path, path: str, find: str, at: str | None = None) -> None:
        self.client = editor.client
        self.top = top
        self.uri = (top / path).as_uri()
        lines = (top / path).read_text(encoding="utf-8-sig").split("\n")
        line = next(number for number, text in enumerate(lines) if find in text)
        column = lines[line].index(find) + find.index(at or find) + 1
        self.document = types.TextDocumentIdentifier(self.uri)
        self.position = types.Position(line, column)

    async def hover(self) -> str | None:
        """Return the hover as it is read: links without their addresses."""
        markdown = await self._markdown()
        return None if markdown is None else _LINK.sub(r"\1", markdown)

    async def links(self) -> list[tuple[str, str, str]]:
        """Return text, path and line of text of each link in the hover."""
        found = []
        for text, address, line in _LINK.findall(await self._markdown() or ""):
            path = next(p for p in self.top.rglob("*") if p.as_uri() == address)
            lines = path.read_text(encoding="utf-8-sig").split("\n")
            found.append((text, path.relative_to(self.top).as_posix(), lines[int(line) - 1].strip()))
        return found

    async def _markdown(self) -> str | None:
        found = await self.client.text_document_hover_async(types.HoverParams(self.document, self.position))
        return found.contents.value.replace("\\", "") if found else None

    async def definition(self) -> list[tuple[str, str]]:
        params = types.DefinitionParams(self.document, self.position)
        return self.places(await self.client.text_document_definition_async(params))

    async def references(self) -> list[tuple[str, str]]:
        params = types.ReferenceParams(types.ReferenceContext(False), self.document, self.position)
        return self.places(await self.client.text_document_references_async(params))

    def places(self, locations: Any) -> list[tuple[str, str]]:
        """Return path and line of text of each location."""
        found = []
        for location in locations or []:
            path = next(p for p in self.top.rglob("*") if p.as_uri() == location.uri)
            text = path.read_text(encoding="utf-8-sig").split("\n")[location.range.start.line]
            found.append((path.relative_to(self.top).as_posix(), text.strip()))
        return found
