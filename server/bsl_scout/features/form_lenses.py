"""What stands over the handlers of a form's module, and what is wrong with the bindings of a form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bsl_scout.bsl.chunks import outline
from bsl_scout.bsl.text import fold
from bsl_scout.configuration.event_names import russian_event
from bsl_scout.forms.model import Form

from .form_places import Bound, handlers_of

# the directives of procedures that run on the server
_SERVER = frozenset(map(fold, ("НаСервере", "НаСервереБезКонтекста", "AtServer", "AtServerNoContext")))
_CLIENT = frozenset(map(fold, ("НаКлиенте", "AtClient")))
_BOTH = frozenset(map(fold, ("НаКлиентеНаСервере", "НаКлиентеНаСервереБезКонтекста", "AtClientAtServer")))


@dataclass(frozen=True, slots=True)
class Lens:
    """What a procedure handles, on its 0-based line; `source_line` is where the form's source names it first."""

    line: int
    title: str
    source_line: int | None


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact about a binding that a person may want to know: a code, names for the text, 0-based line."""

    line: int
    code: str
    names: tuple[str, ...]


def lenses(form: Form, russian: bool) -> list[Lens]:
    """Return a lens for every procedure of the form's module that the form names, in the order of lines.

    `russian` tells the language of the titles.
    """
    by_line: dict[int, list[Bound]] = {}
    for bound in handlers_of(form):
        if bound.handler.line is not None:
            by_line.setdefault(bound.handler.line, []).append(bound)
    return [
        Lens(
            line,
            ", ".join(dict.fromkeys(_lens_title(bound, russian) for bound in bounds)),
            bounds[0].handler.source_line,
        )
        for line, bounds in sorted(by_line.items())
    ]


def handled_by(form: Form, procedure: str) -> list[str]:
    """Return the events and commands of a form that a procedure of its module handles, in Russian."""
    own = (bound for bound in handlers_of(form) if fold(bound.handler.procedure) == fold(procedure))
    return list(dict.fromkeys(_lens_title(bound, True) for bound in own))


def _lens_title(bound: Bound, russian: bool) -> str:
    event = bound.handler.event or bound.handler.event_id or ""
    words = (russian_event(event) if russian else None) or event
    if bound.element:
        return f"{words} · {bound.element.name}"
    return f"{'Команда' if russian else 'Command'} · {bound.command.name}" if bound.command else words


def findings(form: Form, module: str | None) -> list[Finding]:
    """Return what is wrong in the source of a form, in the order of lines: only facts, nothing of style."""
    found = list(_missing(form)) if module is not None or form.place.module is None else []
    found += [
        Finding(
            element.path_line if element.path_line is not None else element.line or 0, "binding", (element.problem,)
        )
        for element in form.elements
        if element.problem
    ]
    if module is not None and form.place.kind == "managed":
        found += _directives(form, module)
    return sorted(found, key=lambda one: one.line)


def _missing(form: Form) -> Iterator[Finding]:
    for bound in handlers_of(form):
        if not bound.handler.found and bound.handler.source_line is not None:
            yield Finding(bound.handler.source_line, "missing", (bound.handler.procedure,))


def _directives(form: Form, module: str) -> Iterator[Finding]:
    where = {
        fold(chunk.name): {fold(one.name) for one in chunk.annotations}
        for chunk in outline(module)
        if chunk.kind in ("procedure", "function")
    }
    for bound in handlers_of(form):
        names = where.get(fold(bound.handler.procedure), set())
        line, event = bound.handler.source_line, bound.handler.event
        if line is None or event is None or not names or names & _BOTH:
            continue
        server = event.endswith("AtServer")
        if server and names & _CLIENT:
            yield Finding(line, "server", (bound.handler.procedure, event))
        elif not server and names & _SERVER and not names & _CLIENT and not bound.command:
            yield Finding(line, "client", (bound.handler.procedure, event))
