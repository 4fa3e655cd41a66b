"""From a form's source to its module and its metadata, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from bsl_scout.bsl.text import fold
from bsl_scout.forms.export_lines import ExportFile, named_line, procedure_lines
from bsl_scout.forms.model import Element, Form, FormAttribute, FormCommand
from bsl_scout.forms.types import object_of_type
from bsl_scout.index.object_store import objects_named

from .definition import Target, metadata_target
from .form_card import handler_card, thing_card
from .form_places import (
    ITEM_WORDS,
    Bound,
    Thing,
    elements_bound_to,
    handled_by,
    path_in_module,
    thing_in_module,
    thing_in_source,
)
from .form_scope import scopes
from .object_card import ObjectCard, object_card, section
from .objects import Named, field_named
from .symbols import SymbolTable

_SELF = r"(?:(?:ЭтаФорма|ЭтотОбъект|ThisForm|ThisObject)\s*\.\s*)?"
_ITEM = rf"(?<![\w.]){_SELF}(?P<head>%s)\s*\.\s*(?P<name>{{}})(?!\w)"
_HEAD = rf"(?<![\w.]){_SELF}(?P<name>(?P<head>{{}}))(?!\w)"
# strings and comments; a string goes on over lines that begin with `|`
_NO_CODE = re.compile(r"//.*|(?:\"|^\s*\|)[^\"]*(?:\"|$)")


class FormCursor:
    """A place in the source or the module of a form; `path` and `lines` are those of the document.

    `module` are the lines of the form's module when the document is its source; `export` the files of a
    v8unpack form; only definitions and references need both.
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
        export: Sequence[ExportFile] = (),
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
        self._export = export
        self._thing = (thing_in_module if self._in_module else thing_in_source)(form, lines, line, column)

    def cards(self, russian: bool = False) -> list[ObjectCard]:
        """Return the cards of what is under the cursor; the metadata behind it comes second.

        With `russian` types are written as Russian code writes them.
        """
        found = [thing_card(self._form, self._thing, russian)] if self._thing else []
        if self._in_module:
            name = declared_name(self._lines[self._line])
            if name and handled_by(self._form, name):
                found.append(handler_card(self._form, name))
        named = self._metadata()
        if named:
            card = object_card(self._symbols, named, russian)
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
                return self._place(thing)
            if thing.command and (thing.command_line == self._line or not thing.data_path):
                return self._command(thing.command)
            named = self._metadata()
            return [metadata_target(named)] if named else self._head(thing)
        named = self._metadata()
        if named:
            return [metadata_target(named)]
        return self._place(thing) if thing and self._in_module else []

    def references(self) -> list[Target]:
        """Return everywhere that the cursor's thing is used in the form's source and module."""
        thing = self._thing
        name = declared_name(self._lines[self._line]) if self._in_module else None
        if isinstance(thing, Bound):
            name = thing.handler.procedure
        if name and (isinstance(thing, Bound) or thing is None):
            return _distinct(target for bound in handled_by(self._form, name) for target in self._place(bound))
        if isinstance(thing, Element):
            return [
                *self._place(thing),
                *self._module_lines(_ITEM % "|".join(ITEM_WORDS[self._form.place.kind]), thing.name),
            ]
        if isinstance(thing, FormAttribute):
            bound = elements_bound_to(self._form, thing.name)
            own = [target for one in bound for target in self._place(one, one.path_line)]
            return [*self._place(thing), *own, *self._module_lines(_HEAD, thing.name)]
        if isinstance(thing, FormCommand):
            wanted = fold(f"Form.Command.{thing.name}")
            buttons = [one for one in self._form.elements if one.command and fold(one.command) == wanted]
            return [target for one in buttons for target in self._place(one, one.command_line)]
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

    def _head(self, element: Element) -> list[Target]:
        head = (element.data_path or "").partition(".")[0]
        found = next((one for one in self._form.attributes if fold(one.name) == fold(head)), None)
        return self._place(found) if found else []

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

    def _place(self, thing: Thing, line: int | None = None) -> list[Target]:
        """Return where a thing stands in the form's source, on this line of it when that is known."""
        own = thing.handler.source_line if isinstance(thing, Bound) else thing.line
        line = own if line is None else line
        place = self._form.place
        if place.format == "v8unpack":
            return [Target(file.path, one) for file in self._export for one in _export_lines(file, thing)]
        return [] if line is None else [Target(place.path, line)]

    def _module_lines(self, pattern: str, name: str) -> Iterator[Target]:
        module = self._form.place.module
        if module is None:
            return
        found = re.compile(pattern.format(re.escape(name)), re.IGNORECASE)
        hidden = scopes("\n".join(one.rstrip("\r\n") for one in self._module))
        for number, text in enumerate(self._module):
            code = _NO_CODE.sub(lambda match: " " * len(match[0]), text.rstrip("\r\n"))
            for match in found.finditer(code):
                scope = next((one for one in hidden if one.first <= number <= one.last), None)
                qualified = match.start() != match.start("head")
                if qualified or scope is None or not scope.hides(match["head"]):
                    yield Target(module, number, *match.span("name"), text)


def _distinct(targets: Iterable[Target]) -> list[Target]:
    return list(dict.fromkeys(targets))


def _export_lines(file: ExportFile, thing: Thing) -> list[int]:
    if isinstance(thing, Bound) and thing.command is None:
        return procedure_lines(file.lines, thing.handler.procedure)
    named = thing.command if isinstance(thing, Bound) else thing
    kind = "data" if isinstance(named, Element) else "commands" if isinstance(named, FormCommand) else "props"
    line = named_line(file.lines, kind, named.name) if named else None
    return [] if line is None else [line]


_DECLARATION = re.compile(
    r"^\s*(?:(?:Асинх|Async)\s+)?(?:Процедура|Функция|Procedure|Function)\s+(\w+)\s*\(", re.IGNORECASE
)


def declared_name(line: str) -> str | None:
    """Return the name of the procedure that a line declares."""
    match = _DECLARATION.match(line)
    return match[1] if match else None
