"""One form or several under one budget: what is nearest to the question first, whole procedures, shortened structures.

What does not fit is named where it is missing: a text for an LLM must not look whole when it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from bsl_scout.bsl.text import fold

from .context import FormContext
from .fragment import NO_MODULE, SECTIONS, form_title, whole_fragment
from .relevance import Piece, Relevance
from .shortened import Shortened
from .summary import summary_json

# room for what is said in place of procedures or forms that are left out, without their names
_MARK = 80
_BETWEEN = "\n\n"
# a form or procedure counts as near to the question from this part of the best one's score on
_NEAR = 0.4
# less of a procedure than this says nothing
_LEAST_PART = 200


@dataclass(frozen=True, slots=True)
class Shared:
    """The text of forms and what is left out of it.

    `forms` are whole forms by name, `procedures` and `rows` (of the structures) counts in the forms that are there.
    """

    text: str
    forms: tuple[str, ...] = ()
    procedures: int = 0
    rows: int = 0


def share_budget(
    contexts: Sequence[FormContext],
    max_chars: int = -1,
    question: str = "",
    sections: Collection[str] = SECTIONS,
    measure: Callable[[str], int] = len,
    names: Sequence[str] = (),
) -> Shared:
    """Return the forms in one text of at most `max_chars`, by `measure`; -1 is without a limit.

    With a question the form with the nearest procedure goes first and is always there, with that procedure; then
    come the other forms and procedures that are near, and what is left goes to the rest. Without one forms keep their
    order, and handlers that a form binds go before what these call, that before the rest. Procedures are whole; of a
    structure without room the rows that matter are there and the others counted. A form that is left out is named,
    by `names` when given (one of each form). Raises ValueError for unknown sections.
    """
    names = names or tuple(map(form_title, contexts))
    wholes = [whole_fragment(context, sections) for context in contexts]
    if max_chars == 0 or max_chars < -1:
        return Shared("", tuple(names))
    is_whole = max_chars == -1 or measure(_BETWEEN.join(wholes)) <= max_chars
    if is_whole and not question:
        return Shared(_BETWEEN.join(wholes))
    relevance = Relevance(question, contexts)
    scores = [relevance.form(number, context) for number, context in enumerate(contexts)]
    order = sorted(range(len(contexts)), key=lambda number: (tuple(-score for score in scores[number]), number))
    if is_whole:
        return Shared(_BETWEEN.join(wholes[number] for number in order))
    forms = [
        _Form(
            contexts[number],
            names[number],
            relevance.pieces[number],
            sections,
            Shortened(contexts[number].summary, relevance.row, measure),
        )
        for number in order
    ]
    near = sum(scores[number][0] >= _NEAR * scores[order[0]][0] for number in order)
    return _Sharing(forms, max_chars, measure).share(near)


@dataclass(slots=True, eq=False)
class _Form:
    """A form and what of it is kept."""

    context: FormContext
    name: str
    pieces: list[Piece]
    sections: Collection[str]
    structure: Shortened
    kept: set[int] = field(default_factory=set)
    # the part of a procedure that is too long, by its place
    parts: dict[int, str] = field(default_factory=dict)
    all_rows: bool = False
    whole_module: bool = False
    # the names of procedures that are left out, and the room that is kept for them
    names: str = ""
    names_room: int = 0

    def head(self) -> str:
        """Return the text before the module, with the rows kept so far."""
        parts = [f"# FORM {form_title(self.context)}"] if "form" in self.sections else []
        if "summary" in self.sections:
            summary = summary_json(self.context.summary) if self.all_rows else self.structure.text()
            parts.append(f"## SUMMARY\n{summary}")
        if "bsl" in self.sections:
            parts.append("## BSL")
        return "\n".join(parts)

    def code(self) -> str:
        """Return the module, or the pieces kept and a mark of those that are not."""
        if "bsl" not in self.sections:
            return ""
        module = self.context.bsl_text
        if module is None:
            return f"\n{NO_MODULE}"
        if self.whole_module or not self.pieces:
            return f"\n{module}" if self.whole_module or not module.strip() else f"\n{self.mark()}"
        texts = [self.parts.get(piece.order, piece.text) for piece in self.pieces if piece.order in self.kept]
        return "\n" + _BETWEEN.join([*texts, self.mark()])

    def mark(self) -> str:
        """Return what is said of the procedures that are not kept; what stands between them is never kept alone."""
        every, gone = sum(piece.counted for piece in self.pieces), len(self.gone())
        if not gone:
            return "… the lines outside of procedures left out"
        return f"… {gone} of {counted(every, 'procedure')} left out{self.names}"

    def gone(self) -> list[Piece]:
        """Return the procedures that are not kept, those that matter most first."""
        return sorted(
            (one for one in self.pieces if one.counted and one.order not in self.kept), key=lambda one: one.rank
        )

    def shown(self) -> set[str]:
        """Return the folded names of the procedures kept."""
        return {fold(piece.name) for piece in self.pieces if piece.order in self.kept}


class _Sharing:
    """Hands out what is left of a limit."""

    def __init__(self, forms: Sequence[_Form], limit: int, measure: Callable[[str], int]) -> None:
        self._forms, self._limit, self._measure = forms, limit, measure
        self._left = limit
        self._served: list[_Form] = []

    def share(self, near: int) -> Shared:
        """Return the text; the first `near` forms are served before the others."""
        first, rest = self._forms[:near], self._forms[near:]
        reserve = 0
        if len(self._forms) > 1:
            named = self._measure(_absence([form.name for form in self._forms[1:]], self._limit, self._measure))
            reserve = min(named + len(_BETWEEN), max(self._limit // 5, _MARK))
        self._left -= reserve
        for form in first:
            if self._serve(form):
                self._best(form)
        served = list(self._served)
        self._strong(served)
        self._fill(served)
        for form in rest:
            if self._serve(form):
                self._best(form)
                self._fill([form])
        absent = [form.name for form in self._forms if form not in self._served]
        lost = _absence(absent, reserve - len(_BETWEEN), self._measure)
        self._left += reserve - (self._measure(lost) + len(_BETWEEN) if absent else 0)
        self._finish()
        text = _BETWEEN.join(form.head() + form.code() for form in self._served)
        if absent:
            # even a form that has to be cut leaves room to say that others are not there
            tail = _BETWEEN + lost
            kept = within(text, max(self._limit - self._measure(tail), 0), self._measure)
            text = kept + tail if kept else text + tail
        return Shared(
            within(text, self._limit, self._measure),
            tuple(absent),
            sum(len(form.gone()) for form in self._served if "bsl" in form.sections),
            sum(form.structure.left_out() for form in self._served if "summary" in form.sections and not form.all_rows),
        )

    def _take(self, cost: int) -> bool:
        if cost > self._left:
            return False
        self._left -= cost
        return True

    def _cost(self, piece: Piece) -> int:
        return self._measure(piece.text) + len(_BETWEEN)

    def _serve(self, form: _Form) -> bool:
        """Take the room of a form without rows and procedures; the first form is there even if it has to be cut."""
        cost = self._measure(form.head()) + len(_BETWEEN)
        if "bsl" in form.sections:
            every = self._measure(": " + ", ".join(piece.name for piece in form.gone()))
            form.names_room = min(every, self._limit // (10 * len(self._forms)))
            cost += _MARK + form.names_room
        if not self._take(cost):
            if self._served:
                return False
            self._left = 0
        self._served.append(form)
        return True

    def _best(self, form: _Form) -> None:
        """Keep the procedure of a form that is nearest to the question, or its beginning when it is too long."""
        pieces = sorted((piece for piece in form.pieces if piece.counted), key=lambda piece: piece.rank)
        if not pieces or "bsl" not in form.sections or not pieces[0].score or self._keep(form, pieces[0]):
            return
        if form is self._forms[0] and self._left > _LEAST_PART:
            # the rest is for its structure and the other forms
            part = _beginning(pieces[0], self._left * 2 // 3, self._measure)
            if part and self._take(self._measure(part) + len(_BETWEEN)):
                form.kept.add(pieces[0].order)
                form.parts[pieces[0].order] = part

    def _keep(self, form: _Form, piece: Piece) -> bool:
        if "bsl" in form.sections and piece.order not in form.kept and self._take(self._cost(piece)):
            form.kept.add(piece.order)
            return True
        return False

    def _strong(self, forms: Sequence[_Form]) -> None:
        """Keep the procedures near to the question, but leave half of the room to the structures."""
        best = max((piece.score for form in forms for piece in form.pieces), default=0.0)
        held = self._left // 2
        self._left -= held
        self._pieces(forms, lambda piece: best > 0 and piece.score >= _NEAR * best)
        self._left += held

    def _pieces(self, forms: Sequence[_Form], wanted: Callable[[Piece], bool]) -> None:
        every = [
            (piece.rank[:2], number, piece.order, piece) for number, form in enumerate(forms) for piece in form.pieces
        ]
        for _, number, _, piece in sorted(every, key=lambda one: one[:3]):
            if wanted(piece):
                self._keep(forms[number], piece)

    def _fill(self, forms: Sequence[_Form]) -> None:
        """Give whole structures if all have room, else half of what is left to rows of each; then to procedures."""
        if not self._whole_structures(forms):
            share = self._left // 2
            for number, form in enumerate(forms):
                spent = self._rows(form, share // (len(forms) - number))
                share -= spent
        self._pieces(forms, lambda piece: True)

    def _whole_structures(self, forms: Iterable[_Form]) -> bool:
        forms = [form for form in forms if "summary" in form.sections and not form.all_rows]
        costs = [
            max(self._measure(summary_json(form.context.summary)) - self._measure(form.structure.text()), 0)
            for form in forms
        ]
        if not self._take(sum(costs)):
            return False
        for form in forms:
            form.all_rows = True
        return True

    def _rows(self, form: _Form, room: int) -> int:
        if "summary" not in form.sections or form.all_rows:
            return 0
        spent = form.structure.fill(room, form.shown())
        self._left -= spent
        return spent

    def _finish(self) -> None:
        """Give what is left over to the names of procedures that are not there, to structures and to modules."""
        for form in self._served:
            self._left += form.names_room
            gone = [piece.name for piece in form.gone()] if "bsl" in form.sections else []
            form.names = _listed(gone, self._left, self._measure)
            self._left -= self._measure(form.names)
        for form in self._served:
            self._whole_structures([form])
            self._rows(form, self._left)
        for form in self._served:
            if "bsl" in form.sections and len(form.kept) == len(form.pieces) and not form.parts:
                pieces = self._measure(_BETWEEN.join(piece.text for piece in form.pieces))
                # what stands between the procedures is shown only with all of them, then in place of the mark
                more = self._measure(form.context.bsl_text or "") - pieces - _MARK
                form.whole_module = self._take(max(more, 0))


def counted(number: int, noun: str) -> str:
    """Return a number with an English noun in the form that it wants."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _absence(absent: Sequence[str], room: int, measure: Callable[[str], int]) -> str:
    """Return what is said of the forms that are not there, with their names as long as there is room for them."""
    short = f"… {counted(len(absent), 'form')} left out"
    return short + _listed(absent, room - measure(short), measure)


def _listed(names: Sequence[str], room: int, measure: Callable[[str], int]) -> str:
    """Return as many names as have room, and how many more there are; nothing when not even one has room."""
    for many in range(len(names), 0, -1):
        more = f" and {len(names) - many} more" if many < len(names) else ""
        text = f": {', '.join(names[:many])}{more}"
        if measure(text) <= room:
            return text
    return ""


def _beginning(piece: Piece, room: int, measure: Callable[[str], int]) -> str:
    """Return the first lines of a procedure that have room with a mark of the others, "" when none have."""
    lines = piece.text.split("\n")

    def cut(kept: int) -> str:
        return "\n".join([*lines[:kept], f"… {counted(len(lines) - kept, 'line')} of {piece.name} left out"])

    low, high = 0, len(lines)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if measure(cut(middle)) + len(_BETWEEN) <= room else (low, middle)
    return cut(low) if low else ""


def within(text: str, most: int, measure: Callable[[str], int]) -> str:
    """Return a text, or as much of it as the limit bears and a mark that it was cut.

    Only a limit in which not even a form without rows and procedures has room, or a measure that does not add up,
    comes to that.
    """
    if measure(text) <= most:
        return text
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if measure(f"{text[:middle]}…") <= most else (low, middle)
    cut = f"{text[:low]}…"
    return cut if measure(cut) <= most else ""
