"""Reads the Form.xml of a Designer dump (formats.md 3, 5, 7); the copy of the base form in an extension is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bsl_scout.configuration.designer import types_of
from bsl_scout.configuration.safe_xml import Element as Node
from bsl_scout.configuration.safe_xml import line_of

from .model import Column, Element, Form, FormAttribute, FormCommand, FormParameter, FormPlace, FormWarning, Handler
from .written import handler, unnamed_warnings, written_path

_LOGFORM = "{http://v8.1c.ru/8.3/xcf/logform}"
_CORE = "{http://v8.1c.ru/8.1/data/core}"
_XSI_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
# what the platform adds to an element by itself; the additions may also be placed by hand, among the children then
_GENERATED = frozenset(
    {
        "ContextMenu",
        "ExtendedTooltip",
        "AutoCommandBar",
        "SearchStringAddition",
        "ViewStatusAddition",
        "SearchControlAddition",
    }
)


def read_designer_form(root: Node, place: FormPlace) -> Form:
    """Return what a parsed Form.xml tells: paths and handlers as they are written, not yet bound."""
    if root.tag != f"{_LOGFORM}Form":
        return Form(place, warnings=(FormWarning("not-a-form", f"{place.path} is no form: its root is another"),))
    return Form(
        place,
        tuple(_elements(root, None)),
        tuple(_attribute(item) for item in _named(root, "Attributes", "Attribute")),
        tuple(_command(item) for item in _named(root, "Commands", "Command")),
        _handlers(root.find(f"{_LOGFORM}Events")),
        tuple(_parameter(item) for item in _named(root, "Parameters", "Parameter")),
        unnamed_warnings(_unnamed(root)),
    )


def _unnamed(root: Node) -> int:
    """Return how many parts have no name; the form's command bar may have none."""
    own = (node for node in root if node.tag != f"{_LOGFORM}BaseForm")
    held = (item for node in own for holder in node.iter(f"{_LOGFORM}ChildItems") for item in holder)
    lists = (("Attributes", "Attribute"), ("Commands", "Command"), ("Parameters", "Parameter"))
    parts = [item for holder, tag in lists for item in root.iterfind(f"{_LOGFORM}{holder}/{_LOGFORM}{tag}")]
    parts += (item for item in held if _local(item))
    return sum(not item.get("name") for item in parts)


@dataclass(slots=True)
class _Parts:
    """What the children of one element tell of it."""

    path: Node | None = None
    title: Mapping[str, str] = field(default_factory=dict)
    command: Node | None = None
    handlers: tuple[Handler, ...] = ()


def _elements(node: Node, parent: str | None) -> Iterator[Element]:
    """Yield the elements below a node in the order of the source."""
    for item in node:
        name = _local(item)
        if name == "ChildItems":
            for inner in item:
                if _local(inner):
                    yield from _element(inner, parent, placed=True)
        elif name in _GENERATED or (item.get("name") and item.get("id")):
            yield from _element(item, parent, placed=False)


def _element(node: Node, parent: str | None, placed: bool) -> Iterator[Element]:
    name, kind = node.get("name"), _local(node)
    if not name:
        # the form's command bar may have no name; its buttons are elements all the same
        yield from _elements(node, parent)
        return
    parts = _parts(node)
    path, problem, proof = written_path(parts.path.text if parts.path is not None else None, parts.path is not None)
    yield Element(
        name,
        kind,
        parent,
        node.get("id"),
        parts.title,
        path,
        proof=proof,
        command=_text(parts.command) or None,
        handlers=parts.handlers,
        problem=problem,
        generated=kind in _GENERATED and not placed and not parts.handlers,
        line=line_of(node),
        path_line=None if parts.path is None else line_of(parts.path),
        command_line=None if parts.command is None else line_of(parts.command),
    )
    yield from _elements(node, name)


def _parts(node: Node) -> _Parts:
    parts = _Parts()
    for item in node:
        match item.tag:
            case "{http://v8.1c.ru/8.3/xcf/logform}DataPath":
                parts.path = item
            case "{http://v8.1c.ru/8.3/xcf/logform}Title":
                parts.title = _title(item)
            case "{http://v8.1c.ru/8.3/xcf/logform}CommandName":
                parts.command = item
            case "{http://v8.1c.ru/8.3/xcf/logform}Events":
                parts.handlers += _handlers(item)
    return parts


def _handlers(events: Node | None) -> tuple[Handler, ...]:
    if events is None:
        return ()
    found = (handler(item.get("name"), _text(item), item.get("callType"), line_of(item)) for item in events)
    return tuple(item for item in found if item)


def _attribute(node: Node) -> FormAttribute:
    settings = node.find(f"{_LOGFORM}Settings")
    kind = (settings.get(_XSI_TYPE) or "") if settings is not None else ""
    listing = settings if kind == "DynamicList" else None
    return FormAttribute(
        node.get("name", ""),
        types_of(node.find(f"{_LOGFORM}Type")),
        _is_true(node, "MainAttribute"),
        tuple(_columns(node)),
        _title(node.find(f"{_LOGFORM}Title")),
        node.get("id"),
        _child_text(listing, "MainTable") or None,
        (_child_text(listing, "QueryText") or None) if _is_true(listing, "ManualQuery") else None,
        line_of(node),
        types_of(settings) if kind.endswith("TypeDescription") else (),
    )


def _columns(node: Node) -> Iterator[Column]:
    for item in node.iterfind(f"{_LOGFORM}Columns/*"):
        if item.tag == f"{_LOGFORM}Column" and item.get("name"):
            yield _column(item, None)
        elif item.tag == f"{_LOGFORM}AdditionalColumns":
            for column in item.iterfind(f"{_LOGFORM}Column"):
                if column.get("name"):
                    yield _column(column, item.get("table"))


def _column(node: Node, table: str | None) -> Column:
    types, title = types_of(node.find(f"{_LOGFORM}Type")), _title(node.find(f"{_LOGFORM}Title"))
    return Column(node.get("name", ""), types, title, node.get("id"), table, line_of(node))


def _command(node: Node) -> FormCommand:
    actions = (
        handler("Action", _text(item), item.get("callType"), line_of(item))
        for item in node.iterfind(f"{_LOGFORM}Action")
    )
    return FormCommand(
        node.get("name", ""),
        _title(node.find(f"{_LOGFORM}Title")),
        tuple(item for item in actions if item),
        node.get("id"),
        line_of(node),
    )


def _parameter(node: Node) -> FormParameter:
    return FormParameter(
        node.get("name", ""), types_of(node.find(f"{_LOGFORM}Type")), _is_true(node, "KeyParameter"), line_of(node)
    )


def _named(root: Node, holder: str, tag: str) -> Iterator[Node]:
    return (item for item in root.iterfind(f"{_LOGFORM}{holder}/{_LOGFORM}{tag}") if item.get("name"))


def _local(node: Node) -> str:
    """Return the name of a node of a form's own namespace, empty for another one."""
    tag = node.tag
    return tag[len(_LOGFORM) :] if isinstance(tag, str) and tag.startswith(_LOGFORM) else ""


def _title(node: Node | None) -> Mapping[str, str]:
    if node is None:
        return {}
    found = {}
    for item in node.iterfind(f"{_CORE}item"):
        content = item.findtext(f"{_CORE}content")
        if content and content.strip():
            found[(item.findtext(f"{_CORE}lang") or "").strip()] = content.strip()
    return found


def _text(node: Node | None) -> str:
    return (node.text or "").strip() if node is not None else ""


def _child_text(node: Node | None, name: str) -> str:
    return _text(node.find(f"{_LOGFORM}{name}")) if node is not None else ""


def _is_true(node: Node | None, name: str) -> bool:
    return _child_text(node, name) == "true"
