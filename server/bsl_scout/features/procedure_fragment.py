"""The text of a procedure for the chat of an LLM: `# PROCEDURE`, `## BSL`, `## CALLS`, `## CALLED BY`, `## OBJECT`.

What does not fit is counted where it is missing, and what is not proven says so: a text for an LLM must not look whole
or certain when it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bsl_scout.forms.budget import within
from bsl_scout.forms.sanitize import sanitize_paths

from .callers import Caller
from .changes import Made, Suffered
from .object_card import ObjectCard
from .procedure_context import ProcedureContext, place_of

# without a budget too, hundreds of callers are no context
MOST_CALLERS = 30
MOST_UNRESOLVED = 30
# room for what is said in place of rows that are left out
_MARK = 60
_DOUBTS = {
    "module-variable": "possible: the receiver is a variable that was given this module by its name",
    "unknown": "possible: the receiver is not known",
    "variable": "possible: a variable may hide the module of this name",
    "text": "possible: the name stands in a string",
}
_HOW = {
    "around": "&Вместо",
    "before": "&Перед",
    "after": "&После",
    "change_and_validate": "&ИзменениеИКонтроль",
}


@dataclass(frozen=True, slots=True)
class ProcedureFragment:
    """A text and how much of the procedure and of each section is left out of it."""

    text: str
    lines: int = 0
    calls: int = 0
    callers: int = 0
    object_rows: int = 0

    @property
    def is_cut(self) -> bool:
        """Whether anything is left out."""
        return bool(self.lines or self.calls or self.callers or self.object_rows)


@dataclass(frozen=True, slots=True)
class _Section:
    """Rows under a heading; `more` are left out whatever the budget is, `empty` stands when there are none."""

    heading: str
    rows: Sequence[str]
    what: str
    empty: str
    more: int = 0


def procedure_fragment(
    context: ProcedureContext, most: int = -1, measure: Callable[[str], int] = len
) -> ProcedureFragment:
    """Return the fragment of a procedure: at most `most` by `measure`; -1 is without a limit, 0 and less empty.

    The procedure goes first and is cut at a line; what room remains is given to the rows of the sections in order.
    """
    sections = [_calls(context), _callers(context), _object(context.card)]
    if most == 0 or most < -1:
        return ProcedureFragment("", _lines(context.text), *(len(one.rows) + one.more for one in sections))
    head = "\n".join([f"# PROCEDURE {sanitize_paths(context.place)} · {context.name}", *_notes(context), "## BSL"])
    # each section says at least that it is left out
    reserved = sum(measure(f"\n{one.heading}\n{one.empty}") + _MARK for one in sections)
    room = None if most == -1 else most - measure(head) - 1 - reserved
    code, cut = _cut(context.text, room, measure)
    parts = [head, code]
    room = None if room is None else room - measure(code)
    left = []
    for section in sections:
        rows, gone, room = _fit(section, room, measure)
        parts += [section.heading, *rows]
        left.append(gone)
    text = "\n".join(parts)
    if most != -1 and measure(text) > most:
        return ProcedureFragment(
            within(text, most, measure), _lines(context.text), *(len(one.rows) + one.more for one in sections)
        )
    return ProcedureFragment(text, cut, *left)


def _lines(text: str) -> int:
    return text.count("\n") + 1


def _cut(text: str, room: int | None, measure: Callable[[str], int]) -> tuple[str, int]:
    """Return a procedure, or as many of its first lines as there is room for with a mark, and how many are cut off."""
    if room is None or measure(text) <= room:
        return text, 0
    lines = text.split("\n")
    low, high = 0, len(lines)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if measure("\n".join(lines[:middle])) + _MARK <= room else (low, middle)
    gone = len(lines) - low
    return "\n".join([*lines[:low], f"… {gone} of {len(lines)} lines left out"]), gone


def _fit(section: _Section, room: int | None, measure: Callable[[str], int]) -> tuple[list[str], int, int | None]:
    """Return the rows of a section that there is room for with a mark of the rest, how many those are, and the room."""
    every = len(section.rows) + section.more
    if not every:
        return [section.empty], 0, room
    kept: list[str] = []
    for row in section.rows:
        cost = measure(row) + 1
        if room is not None and cost > room:
            break
        room = None if room is None else room - cost
        kept.append(row)
    gone = every - len(kept)
    return [*kept, *([f"… {gone} of {every} {section.what} left out"] if gone else [])], gone, room


def _notes(context: ProcedureContext) -> list[str]:
    """Return what extensions have to do with the procedure, and the events that it handles."""
    return [
        f"path: {context.path}",
        *(f"handles: {one}" for one in context.bindings),
        *(f"named by: {one}" for one in context.metadata),
        *(_made(one) for one in context.changes),
        *(_suffered(one) for one in context.changed_by),
    ]


def _made(one: Made) -> str:
    how = _HOW.get(one.how, one.how)
    if one.reason:
        return f"changes ({how}): {one.name or 'a procedure'}, which one is not known: {one.reason}"
    return f"changes ({how}): {one.place}.{one.name} of {one.root}"


def _suffered(one: Suffered) -> str:
    return f"changed by extension {one.root} ({_HOW.get(one.how, one.how)}): {one.name}"


def _calls(context: ProcedureContext) -> _Section:
    rows = [
        "- " + " — ".join(part for part in (f"{one.place}: {one.signature}", _doubt(one.proof), one.doc) if part)
        for one in context.calls
    ]
    shown = context.unresolved[:MOST_UNRESOLVED]
    more = len(context.unresolved) - len(shown)
    if shown:
        rest = f" … and {more} more" if more else ""
        rows.append(f"- not resolved (the configuration has procedures of these names): {', '.join(shown)}{rest}")
    return _Section("## CALLS", rows, "rows", "(no procedure of the configuration)")


def _callers(context: ProcedureContext) -> _Section:
    callers = context.callers
    shown = callers.found[:MOST_CALLERS]
    more = len(callers.found) - len(shown) + callers.more_possible
    rows = [_caller(one) for one in shown]
    empty = "(no call in the sources)"
    if callers.unread:
        rows.insert(0, f"- {callers.unread} places that hold the name were not looked at")
    return _Section("## CALLED BY", rows, "callers", empty, more)


def _caller(one: Caller) -> str:
    lines = ", ".join(str(place.line + 1) for place in one.places)
    name = one.row.name or one.row.key
    row = f"- {place_of(one.row)}: {name} ({'line' if len(one.places) == 1 else 'lines'} {lines})"
    return " — ".join(part for part in (row, _doubt(one.proof)) if part)


def _doubt(proof: str) -> str:
    return _DOUBTS.get(proof, "")


def _object(card: ObjectCard | None) -> _Section:
    if card is None:
        return _Section("## OBJECT", (), "rows", "(the module belongs to no known object)")
    titles = ", ".join(dict.fromkeys(card.synonym.values()))
    heading = f"## OBJECT {card.name}" + (f" «{titles}»" if titles else "")
    rows = [f"comment: {card.comment}"] if card.comment else []
    more = 0
    for section in card.sections:
        # where the modules are says nothing to a reader who has no sources
        if section.key != "modules":
            rows += [f"- {section.key.replace('_', ' ')}: {row}" for row in section.rows]
            more += section.more
    return _Section(heading, [sanitize_paths(row) for row in rows], "rows", "(nothing more is known of it)", more)
