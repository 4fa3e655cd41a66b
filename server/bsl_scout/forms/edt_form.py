"""Reads the Form.form of an EDT project (formats.md 6, 7); elements are named by the tags of a Designer dump."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bsl_scout.configuration.edt import types_of
from bsl_scout.configuration.safe_xml import Element as Node
from bsl_scout.configuration.safe_xml import child, line_of, local, text

from .model import Column, Element, Form, FormAttribute, FormCommand, FormParameter, FormPlace, FormWarning, Handler
from .written import handler, unnamed_warnings, written_path

_XSI_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
_FORM = "{http://g5.1c.ru/v8/dt/form}Form"
# what the platform adds to an element by itself, in the order in which a Designer dump has it before the children
_GENERATED = {
    "contextMenu": "ContextMenu",
    "autoCommandBar": "AutoCommandBar",
    "extendedTooltip": "ExtendedTooltip",
    "searchStringAddition": "SearchStringAddition",
    "viewStatusAddition": "ViewStatusAddition",
    "searchControlAddition": "SearchControlAddition",
}
# class of an item -> tag in a Designer dump when `type` is absent, which is the first value of its list
# (compared on 1,554 pairs of forms that are in both formats); a field always tells its type
_DEFAULT_TYPES = {
    "FormField": "Field",
    "FormGroup": "ButtonGroup",
    "Decoration": "PictureDecoration",
    "Addition": "SearchStringAddition",
    "Table": "Table",
    "Button": "Button",
}
_RENAMED = {
    ("Decoration", "Label"): "LabelDecoration",
    ("Decoration", "Picture"): "PictureDecoration",
    ("FormField", "SpreadsheetDocumentField"): "SpreadSheetDocumentField",
}


def read_edt_form(root: Node, place: FormPlace) -> Form:
    """Return what a parsed Form.form tells: paths and handlers as they are written, not yet bound."""
    if root.tag != _FORM:
        return Form(place, warnings=(FormWarning("not-a-form", f"{place.path} is no form: its root is another"),))
    return Form(
        place,
        tuple(_elements(root, None)),
        tuple(_attribute(item) for item in _named(root, "attributes")),
        tuple(_command(item) for item in _named(root, "formCommands")),
        _handlers(root),
        tuple(
            FormParameter(
                text(item, "name"),
                types_of(child(item, "valueType")),
                text(item, "keyParameter") == "true",
                line_of(item),
            )
            for item in _named(root, "parameters")
        ),
        unnamed_warnings(_unnamed(root)),
    )


def _unnamed(root: Node) -> int:
    """Return how many parts have no name; the form's command bar may have none."""
    parts = [item for tag in ("attributes", "formCommands", "parameters") for item in root.iterfind(tag)]
    stack = [root]
    while stack:
        node = stack.pop()
        parts += node.iterfind("items")
        stack += [item for tag in (*_GENERATED, "items") for item in node.iterfind(tag)]
    return sum(not text(item, "name") for item in parts)


def _elements(node: Node, parent: str | None) -> Iterator[Element]:
    """Yield the elements below a node in the order of a Designer dump."""
    for tag in (*_GENERATED, "items"):
        for item in node.iterfind(tag):
            yield from _element(item, parent)


def _element(node: Node, parent: str | None) -> Iterator[Element]:
    name = text(node, "name")
    if not name:
        yield from _elements(node, parent)
        return
    tag = local(node)
    handlers = _handlers(node)
    path_node, command = node.find("dataPath"), node.find("commandName")
    path, problem, proof = written_path(_segments(path_node), path_node is not None)
    yield Element(
        name,
        _GENERATED.get(tag) or _type(node),
        parent,
        text(node, "id") or None,
        _title(node),
        path,
        proof=proof,
        command=((command.text or "").strip() or None) if command is not None else None,
        handlers=handlers,
        problem=problem,
        generated=tag in _GENERATED and not handlers,
        line=line_of(node),
        path_line=None if path_node is None else line_of(path_node),
        command_line=None if command is None else line_of(command),
    )
    yield from _elements(node, name)


def _type(node: Node) -> str:
    kind = (node.get(_XSI_TYPE) or "").rpartition(":")[2]
    written = text(node, "type")
    if kind in ("Table", "Button") or not written:
        # the type of a button tells how it looks
        return _DEFAULT_TYPES.get(kind, kind or "Element")
    return _RENAMED.get((kind, written), written)


def _segments(node: Node | None) -> str | None:
    """Return a written path; an older project wraps it once per language of the script."""
    if node is None:
        return None
    paths = node.find("paths")
    return ".".join((item.text or "").strip() for item in (node if paths is None else paths).iterfind("segments"))


def _handlers(node: Node) -> tuple[Handler, ...]:
    """Return the handlers of an item or form: its common ones and those of its kind."""
    found = []
    for item in [*node.iterfind("handlers"), *node.iterfind("extInfo/handlers")]:
        found.append(handler(text(item, "event"), text(item, "name"), text(item, "callType") or None, line_of(item)))
    return tuple(item for item in found if item)


def _info(node: Node) -> str:
    """Return the class of what an item or form has of its type."""
    info = node.find("extInfo")
    return (info.get(_XSI_TYPE) or "").rpartition(":")[2] if info is not None else ""


def _attribute(node: Node) -> FormAttribute:
    info = node.find("extInfo")
    kind = _info(node)
    listing = info if kind == "DynamicListExtInfo" else None
    return FormAttribute(
        text(node, "name"),
        types_of(child(node, "valueType")),
        text(node, "main") == "true",
        tuple(_columns(node)),
        _title(node),
        text(node, "id") or None,
        text(listing, "mainTable") or None,
        (text(listing, "queryText") or None) if text(listing, "customQuery") == "true" else None,
        line_of(node),
        types_of(child(info, "itemValueType")) if kind == "ValueListExtInfo" else (),
    )


def _columns(node: Node) -> Iterator[Column]:
    for item in _named(node, "columns"):
        yield _column(item, None)
    for holder in node.iterfind("additionalColumns"):
        table = _segments(holder.find("tablePath"))
        for item in _named(holder, "columns"):
            yield _column(item, table)


def _column(node: Node, table: str | None) -> Column:
    types = types_of(child(node, "valueType"))
    return Column(text(node, "name"), types, _title(node), text(node, "id") or None, table, line_of(node))


def _command(node: Node) -> FormCommand:
    found = []
    action = node.find("action")
    # one handler in a configuration, several with a call type in an extension
    for item in action.iter("handler", "handlers") if action is not None else ():
        found.append(handler("Action", text(item, "name"), text(item, "callType") or None, line_of(item)))
    actions = tuple(item for item in found if item)
    return FormCommand(text(node, "name"), _title(node), actions, text(node, "id") or None, line_of(node))


def _named(node: Node, tag: str) -> Iterator[Node]:
    return (item for item in node.iterfind(tag) if text(item, "name"))


def _title(node: Node) -> Mapping[str, str]:
    return {text(item, "key"): text(item, "value") for item in node.iterfind("title") if text(item, "value")}
