"""The card of a metadata object or field: what it is called, what it holds, what refers to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bsl_scout.bsl.text import fold
from bsl_scout.configuration.full_names import object_name
from bsl_scout.configuration.model import MetadataField, MetadataObject, field_word, shown
from bsl_scout.configuration.type_names import spelled
from bsl_scout.index.object_store import modules_of, objects_linked_to, objects_named

from .changes import ExtensionTable
from .hover import procedures_of
from .objects import Named
from .symbols import SymbolTable

# so many rows of one section; the rest is counted
MAX_ROWS = 30
# relations of an object that its card shows, with the kinds of what they lead to left as the source writes them
_OWN_LINKS = ("event", "handler", "method", "location", "source", "owner", "register_records", "based_on", "document")


@dataclass(frozen=True, slots=True)
class Row:
    """A row that names a procedure: what stands before and behind that name, and where the procedure is.

    `path` is relative to the folder of the index, `line` 0-based; they are None when it is not known where.
    """

    before: str
    name: str
    after: str = ""
    path: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.before}{self.name}{self.after}"


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under one heading (`key` names it); `more` counts those left out."""

    key: str
    rows: tuple[str | Row, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class ObjectCard:
    """What to show of an object or field: its full names, synonyms by language, comment, and sections."""

    name: str
    name_en: str
    synonym: dict[str, str]
    comment: str
    sections: tuple[Section, ...] = field(default_factory=tuple)


def object_card(symbols: SymbolTable, named: Named, russian: bool = False) -> ObjectCard:
    """Return the card of what a name stands for; with `russian` types are written as Russian code writes them."""
    item, part, catalog = named.item, named.part, symbols.catalog
    if part:
        return _field_card(symbols, item, part, russian)
    linked = _linked_to(symbols, item, ("content", "source", "type"))
    through = [user for one in linked if one.kind == "DefinedType" for user in _linked_to(symbols, one, ("source",))]
    sections = [
        section("types", (spelled(one, russian) for one in item.types)),
        section("flags", item.flags),
        *(
            section(
                relation,
                (_link_row(symbols, item, own, target, russian) for own, target in item.links if own == relation),
            )
            for relation in _OWN_LINKS
        ),
        section(
            "fields",
            (field_row(one, russian) for one in item.fields if one.kind not in ("form", "template", "command")),
        ),
        *(section(f"{kind}s", (_called(one) for one in item.fields if one.kind == kind)) for kind in _LISTED),
        section("modules", (_module_row(item, *row[1:]) for row in modules_of(catalog, item.russian_name, item.root))),
        section("used_by", dict.fromkeys(_object_row(one) for one in [*linked, *through] if one.kind != "DefinedType")),
        *_extension_sections(symbols.extensions, item),
    ]
    return ObjectCard(
        item.russian_name, item.full_name, dict(item.synonym), item.comment, tuple(one for one in sections if one.rows)
    )


_LISTED = ("form", "command", "template")


def _field_card(symbols: SymbolTable, item: MetadataObject, part: MetadataField, russian: bool) -> ObjectCard:
    inner = (field_row(one, russian) for one in item.fields if one.parent == part.name and part.parent is None)
    handlers = (_procedure_row(symbols, item, part.handler),) if part.handler else ()
    sections = [
        section("types", (spelled(one, russian) for one in part.types)),
        section("of", (_object_row(item),)),
        section("handler", handlers),
        section("fields", inner),
    ]
    return ObjectCard(
        item.field_name(part), item.field_name(part, russian=False), dict(part.synonym), part.comment,
        tuple(one for one in sections if one.rows),
    )  # fmt: skip


def _link_row(symbols: SymbolTable, item: MetadataObject, relation: str, target: str, russian: bool) -> str | Row:
    """Return what an object names; a procedure of a common module with its place."""
    found = object_name(target.split(".")) if relation in ("handler", "method") else None
    if found and len(found.rest) == 1:
        own = [one for one in objects_named(symbols.catalog, found.full_name) if one.root == item.root]
        if own:
            return _procedure_row(symbols, own[0], found.rest[0], russian)
    return spelled(target, russian)


def _procedure_row(symbols: SymbolTable, item: MetadataObject, name: str, russian: bool = True) -> Row:
    """Return a procedure of an object by its full name, with its place when there is one such procedure."""
    owner = item.russian_name if russian else item.full_name
    rows = procedures_of(symbols, item, name)
    place = (rows[0].path, rows[0].line) if len(rows) == 1 else (None, None)
    return Row("", f"{owner}.{name}", "", *place)


def section(key: str, rows: Iterable[str | Row]) -> Section:
    """Return a section of at most MAX_ROWS rows."""
    every = list(rows)
    return Section(key, tuple(every[:MAX_ROWS]), max(len(every) - MAX_ROWS, 0))


def field_row(part: MetadataField, russian: bool = False) -> str:
    """Return a field in one row: kind, name, synonym, types."""
    where = f"{part.parent}." if part.parent else ""
    types = f": {', '.join(spelled(one, russian) for one in part.types)}" if part.types else ""
    return f"{field_word(part.kind, True)} {where}{_called(part)}{types}"


def _called(part: MetadataField | MetadataObject) -> str:
    title = shown(part.synonym)
    return f"{part.name} «{title}»" if title and fold(title) != fold(part.name) else part.name


def _object_row(item: MetadataObject) -> str:
    title = shown(item.synonym)
    return f"{item.russian_name} «{title}»" if title and fold(title) != fold(item.name) else item.russian_name


def _module_row(item: MetadataObject, owner: str, words: str) -> str:
    below = owner[len(item.russian_name) + 1 :]
    return f"{words}: {below}" if below else words


def _linked_to(symbols: SymbolTable, item: MetadataObject, relations: Iterable[str]) -> list[MetadataObject]:
    """Return what names an object; other configurations may have one of the same name."""
    found = objects_linked_to(symbols.catalog, item.full_name, relations)
    return [one for one in found if symbols.extensions.related(one.root, item.root)]


def _extension_sections(table: ExtensionTable, item: MetadataObject) -> list[Section]:
    """Return what an adopted object extends, or why that is not known, and what extensions adopt an object."""
    links = table.links().objects
    own = [link for link in links if link.adopted.path == item.path]
    bases = [f"{link.base.russian_name} · {table.root_name(link.base.root)}" for link in own if link.base]
    adopting = (link.adopted.root for link in links if link.base and link.base.path == item.path)
    return [
        section("extends", bases),
        section("extends_unknown", (link.reason for link in own if link.reason)),
        section("extended_by", map(table.root_name, adopting)),
    ]
