"""The outline of a form's XML source: the tree of its elements, then its attributes, commands and parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bsl_scout.configuration.model import shown
from bsl_scout.configuration.type_names import spelled
from bsl_scout.forms.model import Element, Form, FormAttribute
from bsl_scout.forms.read import form_of_text

from .outline import Entry

# the panes of a form, in the order in which they are shown; the words are those of the language of the editor
_GROUPS = {
    "elements": ("Элементы", "Elements"),
    "attributes": ("Реквизиты", "Attributes"),
    "commands": ("Команды", "Commands"),
    "parameters": ("Параметры", "Parameters"),
}
_HOLDERS = frozenset({"UsualGroup", "Pages", "Page", "ButtonGroup", "ColumnGroup", "Popup", "CommandBar",
                      "AutoCommandBar", "ContextMenu", "Group"})  # fmt: skip
# who has the commands of the form itself
_OWN_COMMANDS = frozenset({"Form.Command", "Form.StandardCommand"})


@dataclass(slots=True)
class _Node:
    element: Element
    inner: list[_Node] = field(default_factory=list)


def form_outline(text: str, path: str, russian: bool, script: bool = False) -> list[Entry]:
    """Return the panes of a form by the text of its Form.xml or Form.form, none when it is broken or no form.

    With `russian` the words are Russian, with `script` types are written as Russian code writes them.
    """
    form = form_of_text(text, path)
    if form is None:
        return []
    groups = {
        "elements": _tree(form),
        "attributes": tuple(_attribute(one, script) for one in form.attributes),
        "commands": tuple(_entry(one.name, one.title, None, "command", one.line) for one in form.commands),
        "parameters": tuple(
            _entry(one.name, {}, _types(one.types, script), "parameter", one.line) for one in form.parameters
        ),
    }
    return [
        Entry(words[0 if russian else 1], None, "group", min(one.line for one in groups[key]), groups[key])
        for key, words in _GROUPS.items()
        if groups[key]
    ]


def _tree(form: Form) -> tuple[Entry, ...]:
    """Return the elements below those that hold them; what the platform adds stands there only for what is in it."""
    top: list[_Node] = []
    by_name: dict[str, _Node] = {}
    for element in form.elements:
        node = _Node(element)
        holder = by_name.get(element.parent) if element.parent else None
        (holder.inner if holder else top).append(node)
        by_name[element.name] = node
    return _entries(top)


def _entries(nodes: Iterable[_Node]) -> tuple[Entry, ...]:
    found = []
    for node in nodes:
        element, inner = node.element, _entries(node.inner)
        if inner or not element.generated:
            found.append(
                _entry(element.name, element.title, element.data_path or _command(element.command), _kind(element),
                       element.line, inner)
            )  # fmt: skip
    return tuple(found)


def _kind(element: Element) -> str:
    if element.type == "Table":
        return "tabular_section"
    return "group" if element.type in _HOLDERS else "button" if element.type == "Button" else "element"


def _command(command: str | None) -> str | None:
    """Return a command with its name first, because rows are cut at the end; of the form's own the name alone."""
    owner, _, name = (command or "").rpartition(".")
    return f"{name} · {owner}" if owner and owner not in _OWN_COMMANDS else name or None


def _attribute(attribute: FormAttribute, script: bool) -> Entry:
    columns = tuple(
        _entry(one.name, one.title, _types(one.types, script), "column", one.line) for one in attribute.columns
    )
    types = _types(attribute.types, script) or None
    return _entry(attribute.name, attribute.title, types, "form_attribute", attribute.line, columns)


def _types(types: Iterable[str], script: bool) -> str:
    return ", ".join(spelled(one, script) for one in types)


def _entry(
    name: str,
    title: Mapping[str, str],
    detail: str | None,
    kind: str,
    line: int | None,
    inner: tuple[Entry, ...] = (),
) -> Entry:
    told = " · ".join(part for part in (shown(title), detail) if part)
    # every line of the readers of XML is known
    return Entry(name, told or None, kind, line or 0, inner)
