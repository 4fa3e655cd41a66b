"""Reads what side files of an object hold: predefined items, data composition schemas, dynamic lists, rights."""

from __future__ import annotations

from collections.abc import Iterator

from .designer import types_of
from .model import ANY_LANGUAGE, MetadataField
from .safe_xml import Element, child, children, line_of, local, text

_SCHEMA = "http://v8.1c.ru/8.1/data-composition-system/schema"
# between the languages of a caption, and before the name of what has it
CAPTION_SEPARATOR = " — "
# parts of a schema -> the child that names them
_NAMED = {"field": "dataPath", "calculatedField": "dataPath", "parameter": "name"}


def predefined_items(root: Element, path: str) -> list[MetadataField]:
    """Return the items and folders of an `Ext/Predefined.xml`, nested ones after what holds them.

    The description is their synonym, the code their comment.
    """
    return list(_items(root, path)) if local(root) == "PredefinedData" else []


def _items(holder: Element, path: str) -> Iterator[MetadataField]:
    for item in holder:
        name = text(item, "Name")
        if local(item) != "Item" or not name:
            continue
        description = text(item, "Description")
        yield MetadataField(
            name,
            "predefined",
            None,
            {ANY_LANGUAGE: description} if description else {},
            types_of(child(item, "Type")),
            item.get("id"),
            line_of(item),
            text(item, "Code"),
            path=path,
        )
        nested = child(item, "ChildItems")
        if nested is not None:
            yield from _items(nested, path)


def schema_text(root: Element) -> tuple[str, int]:
    """Return the queries of a data composition schema, then its fields and parameters one a line, and where.

    A line has the name, the title when there is one, and the expression of a calculated field; the place is
    the 0-based line of the first query, 0 without one. Designer and EDT (`Template.dcs`) write the same schema.
    """
    queries: list[Element] = []
    names: dict[str, None] = {}
    tags = [f"{{{_SCHEMA}}}{name}" for name in ("query", *_NAMED)]
    for part in root.iter(*tags):
        tag = local(part)
        if tag == "query":
            queries.append(part)
            continue
        name = text(part, _NAMED[tag])
        if name:
            titles = [text(item, "content") for item in children(part, "title")]
            expression = text(part, "expression") if tag == "calculatedField" else ""
            names[" — ".join(dict.fromkeys(word for word in (name, *titles, expression) if word))] = None
    found = [query for query in queries if query.text and query.text.strip()]
    line = line_of(found[0]) if found else 0
    return "\n".join([*((query.text or "").strip("\n") for query in found), *names]), line or 0


def list_text(form: Element) -> str:
    """Return main table and query of each dynamic list among a managed form's attributes, empty without one.

    In `Form.xml` they stand in `Attribute/Settings`, in `Form.form` in `attributes/extInfo`. The copy of the
    base form that an extension's form holds does not count.
    """
    designer = [child(item, "Settings") for item in children(form, "Attributes")]
    edt = [child(item, "extInfo") for item in form if local(item) == "attributes"]
    found = []
    for settings, table, query in (
        *((settings, "MainTable", "QueryText") for settings in designer),
        *((settings, "mainTable", "queryText") for settings in edt),
    ):
        found += [value for value in (text(settings, table), text(settings, query)) if value]
    return "\n".join(found)


def captions(form: Element) -> str:
    """Return what people read on a managed form, one a line: a caption in all its languages, the name of what has it.

    A caption is a `Title` in `Form.xml`, a `title` in `Form.form`. The copy of the base form does not count.
    """
    shown: dict[Element, list[str]] = {}
    for part in form:
        for title in part.iter("{*}Title", "{*}title") if local(part) != "BaseForm" else ():
            holder = title.getparent()
            texts = [text(item, "content") for item in title] or [""]
            # EDT writes an element for each language
            for caption in texts if any(texts) else [text(title, "value")]:
                if caption and holder is not None:
                    shown.setdefault(holder, []).append(" ".join(caption.split()))
    rows = ([*languages, holder.get("name") or text(holder, "name")] for holder, languages in shown.items())
    return "\n".join(dict.fromkeys(CAPTION_SEPARATOR.join(dict.fromkeys(filter(None, row))) for row in rows))


def rights_of(root: Element, path: str) -> tuple[dict[str, tuple[str, ...]], list[MetadataField]]:
    """Return what a role grants by object, and its access restrictions and restriction templates.

    An object without a granted right is left out. A restriction is named by object and right
    (`Catalog.X.Read`), with the fields it is for in brackets when it is not for all; a template is named as it
    is. The line is that of the condition.
    """
    rights: dict[str, tuple[str, ...]] = {}
    restrictions: list[MetadataField] = []
    for item in root:
        name = text(item, "name")
        if local(item) == "restrictionTemplate":
            restrictions += _restriction(name, item, path)
        if local(item) != "object" or not name:
            continue
        granted = []
        for right in item:
            if local(right) != "right":
                continue
            if text(right, "value") == "true":
                granted.append(text(right, "name"))
            for limit in right:
                if local(limit) == "restrictionByCondition":
                    columns = [(column.text or "").strip() for column in limit if local(column) == "field"]
                    suffix = f"({', '.join(columns)})" if columns else ""
                    restrictions += _restriction(f"{name}.{text(right, 'name')}{suffix}", limit, path)
        if granted:
            rights[name] = (*rights.get(name, ()), *granted)
    return rights, restrictions


def _restriction(name: str, holder: Element, path: str) -> Iterator[MetadataField]:
    condition = child(holder, "condition")
    if condition is not None and condition.text and condition.text.strip():
        yield MetadataField(name, "restriction", line=line_of(condition), path=path, text=condition.text.strip("\n"))
