"""The SUMMARY of a form: what an LLM needs of its structure, as plain lists that JSON can carry."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from bsl_scout.configuration.model import shown

from .model import Column, Element, Form, FormAttribute, FormCommand, Handler
from .sanitize import sanitize_paths

Row = dict[str, Any]


@dataclass(frozen=True)
class FormSummary:
    """Six buckets in the order of the source; what is not known of a row is said in its `status` and `reason`.

    A relation ties an element to what it is bound to (`data`), a handler to its procedure (`event`), a button to its
    command (`command`). Lines are 1-based.
    """

    elements: list[Row] = field(default_factory=list)
    attributes: list[Row] = field(default_factory=list)
    commands: list[Row] = field(default_factory=list)
    events: list[Row] = field(default_factory=list)
    relations: list[Row] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def summarize(form: Form) -> FormSummary:
    """Return the summary of a form; what the platform generates by itself is left out."""
    elements = [element for element in form.elements if not element.generated]
    return FormSummary(
        [_element(element) for element in elements],
        [_attribute(attribute) for attribute in form.attributes],
        [_command(command) for command in form.commands],
        [
            *(_event(handler, None) for handler in form.events),
            *(_event(handler, element.name) for element in elements for handler in element.handlers),
        ],
        [relation for element in elements for relation in _relations(element)],
        [sanitize_paths(warning.text) for warning in form.warnings],
    )


def _element(element: Element) -> Row:
    row = _row(
        name=element.name,
        type=element.type,
        parent=element.parent,
        title=shown(element.title),
        data_path=element.data_path,
        types=list(element.types),
        command=element.command,
    )
    if element.problem:
        row |= {"status": "unresolved", "reason": element.problem}
    return row


def _attribute(attribute: FormAttribute) -> Row:
    return _row(
        name=attribute.name,
        title=shown(attribute.title),
        types=list(attribute.types),
        main=attribute.main,
        columns=[_column(column) for column in attribute.columns],
        main_table=attribute.main_table,
        query=attribute.query,
    )


def _column(column: Column) -> Row:
    return _row(name=column.name, table=column.table, title=shown(column.title), types=list(column.types))


def _command(command: FormCommand) -> Row:
    return _row(name=command.name, title=shown(command.title), actions=[_handler(one) for one in command.actions])


def _event(handler: Handler, element: str | None) -> Row:
    return _row(element=element) | _handler(handler)


def _handler(handler: Handler) -> Row:
    return _row(
        event=handler.event or handler.event_id,
        procedure=handler.procedure,
        status="found" if handler.found else "missing",
        line=None if handler.line is None else handler.line + 1,
        call_type=handler.call_type,
    )


def _relations(element: Element) -> Iterator[Row]:
    if element.data_path:
        yield _row(kind="data", element=element.name, target=element.data_path, proof=element.proof)
    if element.command:
        yield {"kind": "command", "element": element.name, "target": element.command}
    for handler in element.handlers:
        event = handler.event or handler.event_id
        yield _row(kind="event", element=element.name, event=event, target=handler.procedure)


def _row(**values: Any) -> Row:
    """Return the values that say something; an empty one would only cost tokens."""
    return {name: value for name, value in values.items() if value not in (None, "", [], False)}


def summary_json(summary: FormSummary, left_out: Mapping[str, int] | None = None) -> str:
    """Return a summary as JSON, the same for the same form: one row a line, keys in the order of the summary.

    `left_out` says how many rows of which bucket are not there; a whole summary has no such key.
    """
    buckets = []
    for bucket in fields(summary):
        rows = [row_json(row) for row in getattr(summary, bucket.name)]
        body = "[\n " + ",\n ".join(rows) + "\n]" if rows else "[]"
        buckets.append(f'"{bucket.name}": {body}')
    if left_out:
        buckets.append(f'"left_out": {_json(left_out)}')
    return "{\n" + ",\n".join(buckets) + "\n}"


_json = json.JSONEncoder(ensure_ascii=False).encode


def row_json(row: Row | str) -> str:
    """Return a row as JSON in one line, every text in it sanitized."""
    return _json(_clean(row))


def _clean(value: Any) -> Any:
    """Return a value with every text in it sanitized."""
    if isinstance(value, str):
        return sanitize_paths(value)
    if isinstance(value, dict):
        return {name: _clean(inner) for name, inner in value.items()}
    return [_clean(inner) for inner in value] if isinstance(value, list) else value
