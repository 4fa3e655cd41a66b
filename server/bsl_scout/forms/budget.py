"""Several forms under one budget: whole structures first, then the procedures that matter most.

What does not fit is named where it is missing: a text for an LLM must not look whole when it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from bsl_scout.bsl.chunks import Chunk, outline, parse
from bsl_scout.bsl.names import text_terms
from bsl_scout.bsl.text import fold

from .context import FormContext
from .fragment import NO_MODULE, SECTIONS, form_title
from .summary import summary_json

# room for what is said in place of procedures or forms that are left out
_MARK = 80
_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class Shared:
    """The text of several forms and what was left out: whole forms by name, and how many procedures."""

    text: str
    forms: tuple[str, ...] = ()
    procedures: int = 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a form's module: which form, its place in the module, its rank (lower goes first), its text.

    `counted` tells a procedure from what stands outside of all.
    """

    form: int
    order: int
    rank: tuple[int, int, int]
    text: str
    counted: bool


def share_budget(
    contexts: Sequence[FormContext],
    max_chars: int = -1,
    question: str = "",
    sections: Collection[str] = SECTIONS,
    measure: Callable[[str], int] = len,
) -> Shared:
    """Return the forms in one text of at most `max_chars`, by `measure`; -1 is without a limit.

    Forms are served in their order: each gets its structure whole or is left out by name. What remains is given
    to procedures: those that share words with the question first; among equals handlers that a form binds, then
    what these call, then the rest. Whatever is left out is told where it is missing.
    """
    if max_chars == 0 or max_chars < -1:
        return Shared("", tuple(map(form_title, contexts)))
    heads = [_head(context, sections) for context in contexts]
    budget = _Budget(None if max_chars == -1 else max_chars, measure)
    served = _serve(heads, budget)
    absent = tuple(form_title(context) for number, context in enumerate(contexts) if number not in served)
    chosen = _choose(contexts, served if "bsl" in sections else (), question, budget)
    texts = [heads[number] + _code(contexts[number], chosen.get(number), sections, budget) for number in served]
    if absent:
        texts.append(_absence(absent, budget))
    text = _BETWEEN.join(texts)
    skipped = sum(piece.counted and not kept for pieces in chosen.values() for piece, kept in pieces)
    return Shared(text if max_chars == -1 else within(text, max_chars, measure), absent, skipped)


class _Budget:
    """What is left of a limit, None for none."""

    def __init__(self, left: int | None, measure: Callable[[str], int]) -> None:
        self.left = left
        self.measure = measure

    def take(self, cost: int) -> bool:
        """Return whether so much was left, and take it."""
        if self.left is None:
            return True
        if cost > self.left:
            return False
        self.left -= cost
        return True


def _serve(heads: Sequence[str], budget: _Budget) -> list[int]:
    """Return the forms whose structures fit, and take their room with that for the marks."""
    costs = [budget.measure(head) + _MARK for head in heads]
    if budget.left is not None and sum(costs) > budget.left:
        # some are left out, and that must be said
        budget.left = max(budget.left - _MARK, 0)
    return [number for number, cost in enumerate(costs) if budget.take(cost)]


def _head(context: FormContext, sections: Collection[str]) -> str:
    parts = [f"# FORM {form_title(context)}"] if "form" in sections else []
    if "summary" in sections:
        parts.append(f"## SUMMARY\n{summary_json(context.summary)}")
    if "bsl" in sections:
        parts.append("## BSL")
    return "\n".join(parts)


def _choose(
    contexts: Sequence[FormContext], numbers: Iterable[int], question: str, budget: _Budget
) -> dict[int, list[tuple[_Piece, bool]]]:
    """Return per form its pieces in the order of the module and whether each is kept."""
    pieces = [piece for number in numbers for piece in _pieces(number, contexts[number], question)]
    kept = {
        (piece.form, piece.order)
        for piece in sorted(pieces, key=lambda piece: piece.rank)
        if budget.take(budget.measure(piece.text) + len(_BETWEEN))
    }
    chosen: dict[int, list[tuple[_Piece, bool]]] = {}
    for piece in pieces:
        chosen.setdefault(piece.form, []).append((piece, (piece.form, piece.order) in kept))
    return chosen


def _pieces(number: int, context: FormContext, question: str) -> list[_Piece]:
    chunks = outline(context.bsl_text or "")
    handlers = {fold(str(row["procedure"])) for row in context.summary.events}
    handlers |= {fold(str(one["procedure"])) for row in context.summary.commands for one in row.get("actions", ())}
    called = {fold(name) for chunk in chunks if fold(chunk.name) in handlers for name in _calls(chunk)}
    wanted = set(text_terms(question))
    found = []
    for order, chunk in enumerate(chunks):
        kind = 0 if fold(chunk.name) in handlers else 1 if fold(chunk.name) in called else 2
        shared = len(wanted.intersection(text_terms(f"{chunk.name} {chunk.doc}"))) if wanted else 0
        counted = chunk.kind in ("procedure", "function")
        found.append(_Piece(number, order, (-shared, kind, order), chunk.text.strip("\n"), counted))
    return found


def _calls(chunk: Chunk) -> Iterable[str]:
    return (call.name for part in parse(chunk) for call in part.calls if not call.receiver)


def _code(
    context: FormContext, pieces: list[tuple[_Piece, bool]] | None, sections: Collection[str], budget: _Budget
) -> str:
    """Return the module, or the procedures that were chosen with a mark of what is not there."""
    if "bsl" not in sections:
        return ""
    if context.bsl_text is None:
        return f"\n{NO_MODULE}"
    parts = [piece.text for piece, kept in pieces or () if kept]
    shown = "\n" + _BETWEEN.join(parts)
    whole = f"\n{context.bsl_text}" if context.bsl_text else ""
    # what stands between the procedures is shown only with all of them, and when there is room for it
    if len(parts) == len(pieces or ()) and budget.take(max(budget.measure(whole) - budget.measure(shown), 0)):
        return whole
    return "\n" + _BETWEEN.join([*parts, _mark(pieces or ())])


def _mark(pieces: Sequence[tuple[_Piece, bool]]) -> str:
    """Return what is said of the pieces that are not kept; what stands between procedures is never kept with them."""
    every = sum(piece.counted for piece, _ in pieces)
    gone = sum(piece.counted and not kept for piece, kept in pieces)
    return f"… {gone} of {every} procedures left out" if gone else "… the lines outside of procedures left out"


def _absence(absent: Sequence[str], budget: _Budget) -> str:
    """Return what is said of the forms that are not there, with their names as long as there is room for them."""
    short = f"… {len(absent)} forms left out"
    named = f"{short}: {', '.join(absent)}"
    return named if budget.take(max(budget.measure(named) - _MARK, 0)) else short


def within(text: str, most: int, measure: Callable[[str], int]) -> str:
    """Return a text, or as much of it as the limit bears and a mark that it was cut.

    Only a limit in which not even the names of forms have room, or a measure that does not add up, comes to that.
    """
    if measure(text) <= most:
        return text
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if measure(f"{text[:middle]}…") <= most else (low, middle)
    cut = f"{text[:low]}…"
    return cut if measure(cut) <= most else ""
