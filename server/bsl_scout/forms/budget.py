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

# room for the marks of what is left out, in each form
_MARK = 80


@dataclass(frozen=True, slots=True)
class Shared:
    """The text of several forms and what was left out: whole forms by name, and how many procedures."""

    text: str
    forms: tuple[str, ...] = ()
    procedures: int = 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """A procedure of a form's module: which form, its place in the module, its rank (lower goes first)."""

    form: int
    order: int
    rank: tuple[int, int, int]
    text: str


def share_budget(
    contexts: Sequence[FormContext],
    max_chars: int = -1,
    question: str = "",
    sections: Collection[str] = SECTIONS,
    measure: Callable[[str], int] = len,
) -> Shared:
    """Return the forms in one text of at most `max_chars`, by `measure`; -1 is without a limit.

    Forms are served in their order: each gets its structure whole or is left out by name. What remains is given
    to procedures: handlers that a form binds first, then what these call, then the rest; among equals those that
    share words with the question.
    """
    if max_chars == 0 or max_chars < -1:
        return Shared("", tuple(map(form_title, contexts)))
    heads = [_head(context, sections) for context in contexts]
    served: list[int] = []
    left = None if max_chars == -1 else max_chars
    for number, head in enumerate(heads):
        cost = measure(head) + _MARK
        if left is None or cost <= left:
            served.append(number)
            left = None if left is None else left - cost
    absent = tuple(form_title(context) for number, context in enumerate(contexts) if number not in served)
    with_code = [number for number in served if "bsl" in sections and contexts[number].bsl_text]
    chosen, skipped, left = _choose(contexts, with_code, question, left, measure)
    texts = []
    for number in served:
        code = _code(contexts[number], chosen.get(number), sections)
        whole = f"\n{contexts[number].bsl_text}" if number in chosen and None not in chosen[number] else code
        # what stands between the procedures is shown only with all of them, and when there is room for it
        if left is None or measure(whole) - measure(code) <= left:
            left = None if left is None else left - (measure(whole) - measure(code))
            code = whole
        texts.append(heads[number] + code)
    if absent:
        texts.append(f"… {len(absent)} forms left out: {', '.join(absent)}")
    text = "\n\n".join(texts)
    if max_chars != -1 and measure(text) > max_chars:
        # only the names of forms that are left out can take more than was set aside
        text = _within(text, max_chars, measure)
    return Shared(text, absent, skipped)


def _head(context: FormContext, sections: Collection[str]) -> str:
    parts = [f"# FORM {form_title(context)}"] if "form" in sections else []
    if "summary" in sections:
        parts.append(f"## SUMMARY\n{summary_json(context.summary)}")
    if "bsl" in sections:
        parts.append("## BSL")
    return "\n".join(parts)


def _choose(
    contexts: Sequence[FormContext],
    numbers: Iterable[int],
    question: str,
    left: int | None,
    measure: Callable[[str], int],
) -> tuple[dict[int, list[str | None]], int, int | None]:
    """Return per form its pieces in the order of the module, None for one left out, how many were, what is left."""
    pieces = [piece for number in numbers for piece in _pieces(number, contexts[number], question)]
    kept: set[tuple[int, int]] = set()
    for piece in sorted(pieces, key=lambda piece: piece.rank):
        cost = measure(piece.text) + 1
        if left is None or cost <= left:
            kept.add((piece.form, piece.order))
            left = None if left is None else left - cost
    chosen: dict[int, list[str | None]] = {}
    for piece in pieces:
        chosen.setdefault(piece.form, []).append(piece.text if (piece.form, piece.order) in kept else None)
    return chosen, len(pieces) - len(kept), left


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
        # what the question names goes before everything else
        found.append(_Piece(number, order, (-shared, kind, order), chunk.text.strip("\n")))
    return found


def _calls(chunk: Chunk) -> Iterable[str]:
    return (call.name for part in parse(chunk) for call in part.calls if not call.receiver)


def _code(context: FormContext, pieces: list[str | None] | None, sections: Collection[str]) -> str:
    """Return the procedures that were chosen, with a mark of what is not there."""
    if "bsl" not in sections:
        return ""
    if context.bsl_text is None:
        return f"\n{NO_MODULE}"
    if pieces is None:
        return f"\n{context.bsl_text}" if context.bsl_text else ""
    parts = [text for text in pieces if text is not None]
    gone = len(pieces) - len(parts)
    what = f"{gone} of {len(pieces)} procedures" if gone else "the lines between the procedures"
    return "\n" + "\n\n".join([*parts, f"… {what} left out"])


def _within(text: str, most: int, measure: Callable[[str], int]) -> str:
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if measure(text[:middle]) <= most else (low, middle)
    return text[:low]
