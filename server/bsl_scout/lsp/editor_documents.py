"""The documents of the editor, changed line by line as the protocol counts lines.

pygls counts a line for each separator of Unicode (a form feed, U+2028), which no editor does: from such a character on
a change would land in another line.
"""

from __future__ import annotations

from collections.abc import Sequence

from pygls.workspace import TextDocument, Workspace

from .convert import whole_lines


class EditorDocument(TextDocument):
    """An open document."""

    @property
    def lines(self) -> Sequence[str]:
        """The lines with what ends them."""
        return whole_lines(self.source)


class EditorWorkspace(Workspace):
    """The open documents."""

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> TextDocument:
        return EditorDocument(
            doc_uri, source, version, language_id, sync_kind=self._sync_kind, position_codec=self._position_codec
        )
