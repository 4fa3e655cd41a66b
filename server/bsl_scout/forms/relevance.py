"""How near the procedures and the rows of a form's structure are to a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from bsl_scout.bsl.chunks import Chunk, outline, parse
from bsl_scout.bsl.names import text_terms, text_words, word_terms
from bsl_scout.bsl.text import fold

from .context import FormContext
from .fragment import form_title

# a word in the name of a procedure says more of it than one in its comment, and that more than one in its body
_NAME, _DOC, _BODY = 3, 2, 1
# words that say that something is asked, not what
_ASKING = frozenset(
    re.findall(
        r"\w+",
        "а без в где для до за зачем и из или как какая какие какой ко когда кто куда ли на о об от откуда по почему "
        "при с со так то у чем что это a an and at by do does for from how in is of on or the to what when where which "
        "why",
    )
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a form's module: its place there, what it is called, how near it is to the question, its text.

    `kind` is 0 for handlers that the form binds, 1 for what they call, 2 for the rest; `counted` tells a procedure
    from what stands outside of all. `score` is 0 without a question.
    """

    order: int
    name: str
    score: float
    kind: int
    text: str
    counted: bool

    @property
    def rank(self) -> tuple[float, int, int]:
        """What pieces are sorted by, the nearest first."""
        return -self.score, self.kind, self.order


class Relevance:
    """The words of a question, weighed by how rare they are in the procedures of some forms."""

    def __init__(self, question: str, contexts: Sequence[FormContext]) -> None:
        asked = [word for word in text_words(question) if fold(word) not in _ASKING]
        self._terms = frozenset(term for word in asked for term in word_terms(word))
        chunks = [outline(context.bsl_text or "") for context in contexts]
        texts = [self._found(chunk.text) for form in chunks for chunk in form] if self._terms else []
        self._weights = {
            term: log(1 + (1 + len(texts)) / (1 + sum(term in text for text in texts))) for term in self._terms
        }
        self.pieces = [self._pieces(context, form) for context, form in zip(contexts, chunks, strict=True)]

    def form(self, number: int, context: FormContext) -> tuple[float, float]:
        """Return how near a form is: its best procedure (or row, when one is nearer), then its own name.

        Of names that share as many words with the question the one with fewer others is nearer.
        """
        best = max((piece.score for piece in self.pieces[number]), default=0.0)
        rows = (*context.summary.elements, *context.summary.attributes, *context.summary.commands)
        row = max((self.row(row) for row in rows), default=0.0)
        title = form_title(context)
        return max(best, row), self._score(title) / max(len(text_terms(title)), 1)

    def row(self, row: Any) -> float:
        """Return how near a row of the structure is."""
        return self._score("", "", " ".join(_texts(row))) if self._terms else 0.0

    def _pieces(self, context: FormContext, chunks: Sequence[Chunk]) -> list[Piece]:
        handlers = {fold(str(row.get("procedure"))) for row in context.summary.events}
        handlers |= {fold(str(one["procedure"])) for row in context.summary.commands for one in row.get("actions", ())}
        called = {
            fold(call.name)
            for chunk in chunks
            if fold(chunk.name) in handlers
            for part in parse(chunk)
            for call in part.calls
            if not call.receiver
        }
        title = form_title(context)
        found = []
        for order, chunk in enumerate(chunks):
            kind = 0 if fold(chunk.name) in handlers else 1 if fold(chunk.name) in called else 2
            counted = chunk.kind in ("procedure", "function")
            # what a form is called tells what its procedures are about, but none of them from the other
            score = self._score(chunk.name, chunk.doc, f"{chunk.text} {title}", chunk.text) if self._terms else 0.0
            found.append(Piece(order, chunk.name, score, kind, chunk.text.strip("\n"), counted))
        return found

    def _score(self, name: str, doc: str = "", body: str = "", needed: str | None = None) -> float:
        """Return the weight of the words found, lessened by the share of those that are not."""
        places = ((self._found(name), _NAME), (self._found(doc), _DOC), (self._found(body), _BODY))
        if needed is not None and not self._found(needed):
            return 0.0
        best = {term: max((worth for found, worth in places if term in found), default=0) for term in self._terms}
        share = sum(worth > 0 for worth in best.values()) / max(len(best), 1)
        return share * sum(self._weights[term] * worth for term, worth in best.items())

    def _found(self, text: str) -> Collection[str]:
        return self._terms.intersection(text_terms(text)) if text else ()


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    return [str(value)]
