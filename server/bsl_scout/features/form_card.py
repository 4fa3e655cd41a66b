"""Cards of the parts of a form: what an element is bound to and by which proof, what handles its events."""

from __future__ import annotations

from collections.abc import Iterable

from bsl_scout.configuration.event_names import russian_event
from bsl_scout.configuration.type_names import spelled
from bsl_scout.forms.element_names import element_kind
from bsl_scout.forms.model import Column, Element, Form, FormAttribute, FormCommand, FormParameter, Handler

from .form_places import Bound, Thing, elements_bound_to, handled_by
from .object_card import ObjectCard, Row, Section, section


def thing_card(form: Form, thing: Thing, russian: bool = False) -> ObjectCard:
    """Return the card of a part of a form; with `russian` types and kinds are written as Russian code writes them."""
    if isinstance(thing, Bound):
        return handler_card(form, thing.handler.procedure, russian)
    if isinstance(thing, Element):
        return _element_card(form, thing, russian)
    if isinstance(thing, FormAttribute):
        return _attribute_card(form, thing, russian)
    if isinstance(thing, FormCommand):
        return _command_card(form, thing)
    return _typed_card(thing, russian)


def _element_card(form: Form, element: Element, russian: bool) -> ObjectCard:
    path = element.display_path or element.data_path
    bound = f"{path} ({element.proof})" if path and element.proof else path
    rows = [
        section("bound_to", [bound] if bound else []),
        section("types", _types(element.types, russian)),
        section("command", [element.command] if element.command else []),
        section("unknown", [element.problem] if element.problem else []),
        section("handlers", (handler_row(form, one) for one in element.handlers)),
    ]
    return _card(f"{element.name}: {element_kind(element.type, russian)}", element.title, rows)


def _attribute_card(form: Form, attribute: FormAttribute, russian: bool) -> ObjectCard:
    table = [spelled(attribute.main_table, russian)] if attribute.main_table else []
    bound = [f"{one.name}: {one.display_path or one.data_path}" for one in elements_bound_to(form, attribute.name)]
    columns = [
        f"{one.name}: {', '.join(_types(one.types, russian))}" if one.types else one.name for one in attribute.columns
    ]
    rows = [
        section("types", _types(attribute.types, russian)),
        section("main_table", table),
        section("columns", columns),
        section("elements", bound),
    ]
    return _card(attribute.name, attribute.title, rows)


def _command_card(form: Form, command: FormCommand) -> ObjectCard:
    wanted = f"Form.Command.{command.name}".casefold()
    buttons = [one.name for one in form.elements if one.command and one.command.casefold() == wanted]
    return _card(
        command.name,
        command.title,
        [section("handlers", (handler_row(form, one) for one in command.actions)), section("elements", buttons)],
    )


def _typed_card(thing: Column | FormParameter, russian: bool) -> ObjectCard:
    title = thing.title if isinstance(thing, Column) else {}
    return _card(thing.name, title, [section("types", _types(thing.types, russian))])


def _types(types: Iterable[str], russian: bool) -> list[str]:
    return [spelled(one, russian) for one in types]


def handler_card(form: Form, procedure: str, russian: bool = False) -> ObjectCard:
    """Return the card of a procedure as a handler: everything of the form that it handles."""
    bounds = handled_by(form, procedure)
    missing = bool(bounds) and not any(bound.handler.found for bound in bounds)
    rows = [
        section("handles", (bound_row(one, russian) for one in bounds)),
        section("missing", [MISSING] if missing else []),
    ]
    return _card(procedure, {}, rows)


MISSING = "the form's module has no such procedure"


def bound_row(bound: Bound, russian: bool = False) -> str:
    """Return an event and what it is of: `ПриИзменении · Контрагент`."""
    event = event_words(bound.handler)
    if bound.element:
        return f"{event} · {bound.element.name} ({element_kind(bound.element.type, russian)})"
    return f"Command · {bound.command.name}" if bound.command else event


def handler_row(form: Form, handler: Handler) -> Row:
    """Return an event with its procedure, and where that is."""
    event = event_words(handler)
    before = f"{event} → " if event else ""
    call = f" [{handler.call_type}]" if handler.call_type else ""
    if handler.line is None:
        return Row(before, handler.procedure, f" — {MISSING}{call}")
    # a module inside a Form.bin has no path to open
    return Row(before, f"{handler.procedure}:{handler.line + 1}", call, form.place.module, handler.line)


def event_words(handler: Handler) -> str:
    """Return an event in Russian and English, or its identifier when that is all the source tells."""
    if handler.event is None:
        return handler.event_id or ""
    russian = russian_event(handler.event)
    return f"{russian} ({handler.event})" if russian else handler.event


def _card(name: str, title: object, rows: list[Section]) -> ObjectCard:
    titles = dict(title) if isinstance(title, dict) else {}
    return ObjectCard(name, name, titles, "", tuple(one for one in rows if one.rows))
