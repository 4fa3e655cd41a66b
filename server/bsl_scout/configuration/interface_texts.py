"""Reads what the user of a configuration reads: titles and tooltips, with the names they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .safe_xml import Element, XmlError, child, children, local, read_xml, text


@dataclass(frozen=True, slots=True)
class InterfaceText:
    """The texts of one attribute, element or command: `titles` and `tooltips` in the order of the languages.

    `action` is the procedure that a form's command runs, empty for anything else.
    """

    name: str
    titles: tuple[str, ...]
    tooltips: tuple[str, ...]
    action: str = ""


def interface_texts(path: Path) -> Iterator[InterfaceText]:
    """Yield the texts of a Designer XML file (a form or an object), nothing of one that cannot be read.

    In a form an element has its name as an attribute and `Title`, in an object `Name` and `Synonym` are
    properties; `ToolTip` is in both (seen in the dumps of SSL 3.1).
    """
    try:
        root = read_xml(path)
    except XmlError:
        # training reads what it can; indexing the same file tells the problem
        return
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        tooltips = _texts(element, "ToolTip")
        titles = _texts(element, "Title") or _texts(element, "Synonym")
        action = text(element, "Action") if local(element) == "Command" else ""
        if tooltips or (titles and action):
            yield InterfaceText(element.get("name") or text(element, "Name"), titles, tooltips, action)


def _texts(element: Element, name: str) -> tuple[str, ...]:
    if child(element, name) is None:
        return ()
    found = (" ".join(text(item, "content").split()) for item in children(element, name))
    return tuple(content for content in found if content)
