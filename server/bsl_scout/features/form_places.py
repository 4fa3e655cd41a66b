"""What the cursor is on in the source of a form or in its module, and where else that stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bsl_scout.bsl.text import fold
from bsl_scout.forms.export_lines import handler_at, section_at
from bsl_scout.forms.model import Column, Element, Form, FormAttribute, FormCommand, FormParameter, Handler

from .form_scope import scope_at
from .objects import Dotted, dotted_at

# how the module of a form names its elements
ITEM_WORDS = {"managed": ("Элементы", "Items"), "ordinary": ("ЭлементыФормы", "Controls")}
# event, procedure and callType of a handler
_HANDLER_LINES = 3
_SELF = frozenset({"этаформа", "этотобъект", "thisform", "thisobject"})


@dataclass(frozen=True, slots=True)
class Bound:
    """A handler and what it handles: an element, a command, or the form itself (then neither)."""

    handler: Handler
    element: Element | None = None
    command: FormCommand | None = None


Thing = Element | FormAttribute | Column | FormCommand | FormParameter | Bound


def handlers_of(form: Form) -> Iterator[Bound]:
    """Yield every handler that a form names, in the order of form, elements, commands."""
    for handler in form.events:
        yield Bound(handler)
    for element in form.elements:
        for handler in element.handlers:
            yield Bound(handler, element)
    for command in form.commands:
        for handler in command.actions:
            yield Bound(handler, command=command)


def handled_by(form: Form, procedure: str) -> list[Bound]:
    """Return what a procedure of the form's module handles."""
    wanted = fold(procedure)
    return [bound for bound in handlers_of(form) if fold(bound.handler.procedure) == wanted]


def thing_in_source(form: Form, lines: Sequence[str], line: int, column: int) -> Thing | None:
    """Return what a place of the form's XML is about: a handler on its own line, else what the line lies in.

    In a source whose readers give no lines (`*.elem.json`, Form.bin) the word under the cursor decides by name, and
    the identifier of an event with the procedure that stands behind it.
    """
    if not has_lines(form):
        return _thing_by_word(form, lines, line, column)
    dotted = dotted_at(lines[line], column) if line < len(lines) else None
    word = fold(dotted.parts[dotted.index]) if dotted else ""
    for bound in handlers_of(form):
        source_line = bound.handler.source_line
        # EDT writes event and procedure below the line on which their element begins
        if source_line == line or (
            source_line is not None
            and source_line < line <= source_line + _HANDLER_LINES
            and word in (fold(bound.handler.procedure), fold(bound.handler.event or ""))
        ):
            return bound
    placed = [(one_line, thing) for one_line, thing in _lines(form) if one_line <= line]
    return max(placed, key=lambda pair: pair[0])[1] if placed else None


def _thing_by_word(form: Form, lines: Sequence[str], line: int, column: int) -> Thing | None:
    event = handler_at(lines, line, column)
    if event:
        wanted = (event.event, fold(event.procedure))
        every = (bound for bound in handlers_of(form) if fold(bound.handler.procedure) == wanted[1])
        return next((bound for bound in every if bound.handler.event in (None, wanted[0])), None)
    dotted = dotted_at(lines[line], column) if line < len(lines) else None
    if dotted is None:
        return None
    word = dotted.parts[dotted.index]
    bound = next(iter(handled_by(form, word)), None)
    return named_thing(form, word, section_at(lines, line)) or bound


def has_lines(form: Form) -> bool:
    """Return whether the source of a form tells lines."""
    return any(element.line is not None for element in form.elements) or any(
        attribute.line is not None for attribute in form.attributes
    )


def _lines(form: Form) -> Iterator[tuple[int, Thing]]:
    things: list[Element | FormAttribute | Column | FormCommand | FormParameter] = [*form.elements]
    for attribute in form.attributes:
        things += (attribute, *attribute.columns)
    for thing in (*things, *form.commands, *form.parameters):
        if thing.line is not None:
            yield thing.line, thing


def named_thing(form: Form, name: str, section: str | None) -> Thing | None:
    """Return the element, else the attribute or command of a form with a name, first those of a section."""
    wanted = fold(name)
    every: list[Element | FormAttribute | FormCommand] = [*form.elements, *form.attributes, *form.commands]
    first = {"props": FormAttribute, "commands": FormCommand}.get(section or "", Element)
    every.sort(key=lambda thing: not isinstance(thing, first))
    return next((thing for thing in every if fold(thing.name) == wanted), None)


def thing_in_module(form: Form, lines: Sequence[str], line: int, column: int) -> Thing | None:
    """Return what a name in a form's module means of the form: `Элементы.X`, a form attribute, a command's name.

    A parameter or a declared variable of that name is none, and in a procedure without the form's context nothing is.
    """
    dotted = dotted_at(lines[line], column)
    if dotted is None:
        return None
    parts, index = dotted.parts, dotted.index
    if fold(parts[0]) in _SELF and index > 0:
        parts, index = parts[1:], index - 1
    elif _hidden(lines, line, parts[0]):
        return None
    if fold(parts[0]) in map(fold, ITEM_WORDS[form.place.kind]):
        return _element(form, parts[1]) if index >= 1 else None
    attribute = next((one for one in form.attributes if fold(one.name) == fold(parts[0])), None)
    if attribute is None or index > 1:
        return None
    if index == 0:
        return attribute
    return next((one for one in attribute.columns if fold(one.name) == fold(parts[1])), None)


def _hidden(lines: Sequence[str], line: int, name: str) -> bool:
    scope = scope_at(lines, line)
    return scope is not None and scope.hides(name)


def _element(form: Form, name: str) -> Element | None:
    return next((one for one in form.elements if fold(one.name) == fold(name)), None)


def path_in_module(form: Form, lines: Sequence[str], line: int, column: int) -> Dotted | None:
    """Return the path that begins with a form attribute and that the cursor is in (`Объект.Контрагент`), else None."""
    dotted = dotted_at(lines[line], column)
    if dotted is None or dotted.index == 0:
        return None
    parts, index = dotted.parts, dotted.index
    if fold(parts[0]) in _SELF:
        parts, index = parts[1:], index - 1
    elif _hidden(lines, line, parts[0]):
        return None
    known = any(fold(one.name) == fold(parts[0]) for one in form.attributes)
    return Dotted(parts[: index + 1], index) if known and index > 0 else None


def elements_bound_to(form: Form, path: str) -> list[Element]:
    """Return the elements whose data path is this one or goes on below it."""
    wanted = fold(path)
    return [
        element
        for element in form.elements
        if element.data_path and (fold(element.data_path) == wanted or fold(element.data_path).startswith(f"{wanted}."))
    ]
