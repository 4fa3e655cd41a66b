"""Safe reading of XML: no entities, no network, no external DTD, bounded size and depth."""

from __future__ import annotations

import re
from pathlib import Path

from lxml import etree

Element = etree._Element
# the largest object file of the measured configurations has 2 MB
MAX_BYTES = 64 * 1024 * 1024
_DECLARED = re.compile(rb"""<\?xml[^>]{0,100}?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)""")


class XmlError(Exception):
    """The file could not be read; the text is fit for the user and names no path."""


def read_xml(path: Path) -> Element:
    """Return the root of an XML file; raises XmlError."""
    return parse_xml(read_data(path))


def read_data(path: Path) -> bytes:
    """Return the bytes of a file that is not too large to be parsed; raises XmlError."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise XmlError(f"not read: {size // (1024 * 1024)} MB is too large for XML of a configuration")
        return path.read_bytes()
    except OSError as error:
        raise XmlError(f"not read: {error.strerror or type(error).__name__}") from error


def parse_xml(data: bytes) -> Element:
    """Return the root of an XML text; raises XmlError.

    A text that declares another encoding than it has is refused: decoding it would make up names. Both formats
    write UTF-8, a Designer dump with a BOM, which stands above the declaration (XML 1.0, appendix F).
    """
    _check_encoding(data)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise XmlError(f"broken XML: {_syntax_message(error)}") from error
    except ValueError as error:
        raise XmlError(f"broken XML: {error}") from error
    if getattr(root.getroottree().docinfo, "doctype", ""):
        raise XmlError("not read: a document type is not expected in XML of a configuration")
    return root


def _check_encoding(data: bytes) -> None:
    declared = _DECLARED.match(data)
    if not declared:
        return
    name = declared[1].decode("ascii")
    if name.lower().startswith(("utf-16", "utf16", "ucs", "iso-10646", "utf-32")):
        # the declaration itself was read byte by byte
        raise XmlError(f"not read: declares {name} but is not {name}")
    if name.lower() in ("utf-8", "utf8", "us-ascii", "ascii") or data.isascii():
        return
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return
    raise XmlError(f"not read: declares {name} but is UTF-8")


def _syntax_message(error: etree.XMLSyntaxError) -> str:
    """Return what is wrong in one line, without the name of the file."""
    return " ".join((error.msg or "no XML").split())


def local(element: Element) -> str:
    """Return an element's name without its namespace, empty for a comment."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def child(element: Element | None, name: str) -> Element | None:
    """Return the first child of this name in any namespace."""
    return None if element is None else element.find(f"{{*}}{name}")


def line_of(element: Element) -> int | None:
    """Return the 0-based line of an element."""
    line = element.sourceline
    return line - 1 if isinstance(line, int) else None


def children(element: Element | None, name: str) -> list[Element]:
    """Return the element children of the first child of this name, none without it."""
    holder = child(element, name)
    return [] if holder is None else [item for item in holder if isinstance(item.tag, str)]


def text(element: Element | None, name: str) -> str:
    """Return the text of a child, empty without one."""
    found = child(element, name)
    return (found.text or "").strip() if found is not None else ""
