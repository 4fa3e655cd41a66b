"""The card of a metadata object or field: what it is called, what it holds, what refers to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bsl_scout.bsl.text import fold
from bsl_scout.configuration.model import MetadataField, MetadataObject, field_word, shown
from bsl_scout.index.object_store import modules_of, objects_linked_to

from .changes import ExtensionTable
from .objects import Named
from .symbols import SymbolTable

# so many rows of one section; the rest is counted
MAX_ROWS = 30
# relations of an object that its card shows, with the kinds of what they lead to left as the source writes them
_OWN_LINKS = ("event", "handler", "method", "location", "source", "owner", "register_records", "based_on", "document")


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under one heading (`key` names it); `more` counts those left out."""

    key: str
    rows: tuple[str, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class ObjectCard:
    """What to show of an object or field: its full names, synonyms by language, comment, and sections."""

    name: str
    name_en: str
    synonym: dict[str, str]
    comment: str
    sections: tuple[Section, ...] = field(default_factory=tuple)


def object_card(symbols: SymbolTable, named: Named) -> ObjectCard:
    """Return the card of what a name stands for."""
    item, part, catalog = named.item, named.part, symbols.catalog
    if part:
        return _field_card(item, part)
    linked = _linked_to(symbols, item, ("content", "source", "type"))
    through = [user for one in linked if one.kind == "DefinedType" for user in _linked_to(symbols, one, ("source",))]
    sections = [
        section("types", item.types),
        section("flags", item.flags),
        *(section(relation, (target for own, target in item.links if own == relation)) for relation in _OWN_LINKS),
        section("fields", (field_row(one) for one in item.fields if one.kind not in ("form", "template", "command"))),
        *(section(f"{kind}s", (_called(one) for one in item.fields if one.kind == kind)) for kind in _LISTED),
        section("modules", (_module_row(item, *row[1:]) for row in modules_of(catalog, item.russian_name, item.root))),
        section("used_by", dict.fromkeys(_object_row(one) for one in [*linked, *through] if one.kind != "DefinedType")),
        *_extension_sections(symbols.extensions, item),
    ]
    return ObjectCard(
        item.russian_name, item.full_name, dict(item.synonym), item.comment, tuple(one for one in sections if one.rows)
    )


_LISTED = ("form", "command", "template")


def _field_card(item: MetadataObject, part: MetadataField) -> ObjectCard:
    inner = (field_row(one) for one in item.fields if one.parent == part.name and part.parent is None)
    handlers = (f"{item.russian_name}.{part.handler}",) if part.handler else ()
    sections = [
        section("types", part.types),
        section("of", (_object_row(item),)),
        section("handler", handlers),
        section("fields", inner),
    ]
    return ObjectCard(
        item.field_name(part), item.field_name(part, russian=False), dict(part.synonym), part.comment,
        tuple(one for one in sections if one.rows),
    )  # fmt: skip


def section(key: str, rows: Iterable[str]) -> Section:
    """Return a section of at most MAX_ROWS rows."""
    every = list(rows)
    return Section(key, tuple(every[:MAX_ROWS]), max(len(every) - MAX_ROWS, 0))


def field_row(part: MetadataField) -> str:
    """Return a field in one row: kind, name, synonym, types."""
    where = f"{part.parent}." if part.parent else ""
    types = f": {', '.join(part.types)}" if part.types else ""
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
