"""The documents of the editor, changed at the lines that the protocol counts.

pygls counts a line for each separator of Unicode (a form feed, U+2028), which no editor does: from such a character on
a change would land in another line. Here a change also costs no list of all lines, which a large module feels.
"""

from __future__ import annotations

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from .convert import line_at


class EditorDocument(TextDocument):
    """An open document."""

    def _apply_incremental_change(self, change: types.TextDocumentContentChangePartial) -> None:
        text = self.source
        start, end = self._offset(text, change.range.start), self._offset(text, change.range.end)
        self._source = f"{text[:start]}{change.text}{text[max(start, end) :]}"

    def _offset(self, text: str, position: types.Position) -> int:
        start, end = line_at(text, position.line)
        # the codec takes the end of a line for a character of it
        line, own = f"{text[start:end]}\n", types.Position(0, position.character)
        return min(start + self.position_codec.position_from_client_units([line], own).character, end)


class EditorWorkspace(Workspace):
    """The open documents."""

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> TextDocument:
        return EditorDocument(
            doc_uri, source, version, language_id, sync_kind=self._sync_kind, position_codec=self._position_codec
        )
