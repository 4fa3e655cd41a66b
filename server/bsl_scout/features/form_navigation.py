"""From a form's source to its module and its metadata, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bsl_scout.bsl.text import fold
from bsl_scout.forms.model import Element, Form, FormAttribute, FormCommand
from bsl_scout.forms.types import object_of_type
from bsl_scout.index.object_store import objects_named

from .definition import Target, metadata_target
from .form_card import handler_card, thing_card
from .form_places import (
    Bound,
    elements_bound_to,
    handled_by,
    path_in_module,
    thing_in_module,
    thing_in_source,
)
from .object_card import ObjectCard, object_card, section
from .objects import Named, field_named
from .symbols import SymbolTable

_ITEM = r"(?<![\w.])(?:Элементы|Items)\s*\.\s*{}(?!\w)"
_HEAD = r"(?<![\w.]){}(?!\w)"


class FormCursor:
    """A place in the source or the module of a form; `path` and `lines` are those of the document.

    `module` are the lines of the form's module when the document is its source.
    """

    def __init__(
        self,
        symbols: SymbolTable,
        form: Form,
        path: str,
        lines: Sequence[str],
        line: int,
        column: int,
        module: Sequence[str] = (),
    ) -> None:
        self._symbols = symbols
        self._catalog = symbols.catalog
        self._form = form
        self._path = path
        self._lines = lines
        self._line = line
        self._column = column
        self._in_module = path == form.place.module
        self._module = lines if self._in_module else module
        self._thing = (thing_in_module if self._in_module else thing_in_source)(form, lines, line, column)

    def cards(self) -> list[ObjectCard]:
        """Return the cards of what is under the cursor; the metadata behind it comes second."""
        found = [thing_card(self._form, self._thing)] if self._thing else []
        if self._in_module:
            name = declared_name(self._lines[self._line])
            if name and handled_by(self._form, name):
                found.append(handler_card(self._form, name))
        named = self._metadata()
        if named:
            card = object_card(self._symbols, named)
            path = self._module_path()
            bound = [f"{one.name} ({one.type})" for one in elements_bound_to(self._form, path)] if path else []
            extra = section("elements", bound)
            found.append(
                ObjectCard(card.name, card.name_en, card.synonym, card.comment, (*card.sections, extra))
                if bound
                else card
            )
        return found

    def definitions(self) -> list[Target]:
        """Return where the cursor's thing comes from: procedure, command, field of the metadata, attribute."""
        thing = self._thing
        if isinstance(thing, Bound):
            return self._procedures([thing])
        if isinstance(thing, FormCommand):
            return self._procedures([Bound(action, command=thing) for action in thing.actions])
        if isinstance(thing, Element):
            if self._in_module:
                return self._source(thing.line)
            if thing.command and (thing.command_line == self._line or not thing.data_path):
                return self._command(thing.command)
            named = self._metadata()
            return [metadata_target(named)] if named else self._source(self._head_line(thing))
        named = self._metadata()
        if named:
            return [metadata_target(named)]
        return self._source(thing.line) if thing and self._in_module else []

    def references(self) -> list[Target]:
        """Return everywhere that the cursor's thing is used in the form's source and module."""
        thing = self._thing
        name = declared_name(self._lines[self._line]) if self._in_module else None
        if isinstance(thing, Bound):
            name = thing.handler.procedure
        if name and (isinstance(thing, Bound) or thing is None):
            return [
                target for bound in handled_by(self._form, name) for target in self._source(bound.handler.source_line)
            ]
        if isinstance(thing, Element):
            return [*self._source(thing.line), *self._module_lines(_ITEM, thing.name)]
        if isinstance(thing, FormAttribute):
            bound = elements_bound_to(self._form, thing.name)
            lines = [one.path_line if one.path_line is not None else one.line for one in bound]
            own = [target for line in lines for target in self._source(line)]
            return [*self._source(thing.line), *own, *self._module_lines(_HEAD, thing.name)]
        if isinstance(thing, FormCommand):
            wanted = fold(f"Form.Command.{thing.name}")
            buttons = [one for one in self._form.elements if one.command and fold(one.command) == wanted]
            return [target for one in buttons for target in self._source(one.command_line or one.line)]
        return []

    def _metadata(self) -> Named | None:
        """Return the field of the metadata that the cursor's element or path is bound to, None when not proven."""
        path = self._module_path()
        if path is None and isinstance(self._thing, Element) and not self._in_module:
            path = self._thing.data_path
        return self._field(path) if path and "." in path else None

    def _module_path(self) -> str | None:
        if not self._in_module:
            return None
        dotted = path_in_module(self._form, self._lines, self._line, self._column)
        return ".".join(dotted.parts) if dotted else None

    def _field(self, path: str) -> Named | None:
        head, *rest = path.split(".")
        attribute = next((one for one in self._form.attributes if fold(one.name) == fold(head)), None)
        names = [object_of_type(name) for name in attribute.types] if attribute else []
        if attribute and attribute.main_table:
            names.append(attribute.main_table)
        for name in names:
            for item in objects_named(self._catalog, name) if name else ():
                part = field_named(item, [step.partition("[")[0] for step in rest])
                if part:
                    return Named(item, part)
        return None

    def _head_line(self, element: Element) -> int | None:
        head = (element.data_path or "").partition(".")[0]
        return next((one.line for one in self._form.attributes if fold(one.name) == fold(head)), None)

    def _command(self, name: str) -> list[Target]:
        own = name.removeprefix("Form.Command.")
        commands = [one for one in self._form.commands if own != name and fold(one.name) == fold(own)]
        if commands:
            return self._procedures([Bound(action) for one in commands for action in one.actions])
        return []

    def _procedures(self, bounds: Sequence[Bound]) -> list[Target]:
        module = self._form.place.module
        lines = dict.fromkeys(bound.handler.line for bound in bounds if bound.handler.line is not None)
        return [Target(module, line) for line in lines] if module else []

    def _source(self, line: int | None) -> list[Target]:
        # a v8unpack form is a folder of JSON without lines
        return [] if line is None or self._form.place.format == "v8unpack" else [Target(self._form.place.path, line)]

    def _module_lines(self, pattern: str, name: str) -> Iterator[Target]:
        module = self._form.place.module
        if module is None:
            return
        found = re.compile(pattern.format(re.escape(name)), re.IGNORECASE)
        for number, text in enumerate(self._module):
            for match in found.finditer(text.partition("//")[0]):
                yield Target(module, number, match.start(), match.end())


_DECLARATION = re.compile(
    r"^\s*(?:(?:Асинх|Async)\s+)?(?:Процедура|Функция|Procedure|Function)\s+(\w+)\s*\(", re.IGNORECASE
)


def declared_name(line: str) -> str | None:
    """Return the name of the procedure that a line declares."""
    match = _DECLARATION.match(line)
    return match[1] if match else None
