"""The configuration as a model: metadata objects, their fields and what links them to code, for all formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

from .kinds import KIND_BY_NAME, russian_field, russian_part

# languages in the order in which one synonym is chosen to be shown
_LANGUAGES = ("ru", "en")
# the key of a synonym that the source gives without a language: the description of a predefined item
ANY_LANGUAGE = ""
# types whose qualifiers are shown
SIZED_TYPES = frozenset({"String", "Number"})
# properties that tell where a common module runs
FLAGS = (
    "Global",
    "ClientManagedApplication",
    "Server",
    "ExternalConnection",
    "ClientOrdinaryApplication",
    "ServerCall",
    "Privileged",
)


@dataclass(frozen=True, slots=True)
class MetadataField:
    """A part of an object that has a name of its own.

    `kind` is attribute, tabular_section, dimension, resource, enum_value, form, command, template, column,
    addressing_attribute, url_template, method, operation, parameter, predefined, restriction and their kin;
    `parent` the tabular section (URL template, operation) it stands in. `types` are spelled without prefixes
    (`CatalogRef.X`, `String(50)`). `line` is 0-based in the file that holds the field, None when that tells no
    place; `path` is that file when it is another than the object's. `text` is what the part holds that people
    search by its content: the queries of a data composition schema or of dynamic lists, an access restriction;
    `captions` is what people read on a form, one a line.
    """

    name: str
    kind: str
    parent: str | None = None
    synonym: Mapping[str, str] = field(default_factory=dict)
    types: tuple[str, ...] = ()
    uuid: str | None = None
    line: int | None = None
    comment: str = ""
    handler: str | None = None
    path: str | None = None
    text: str = ""
    captions: str = ""


@dataclass(frozen=True, slots=True)
class MetadataObject:
    """A metadata object of one root.

    `kind` and `full_name` are English (`Document`, `Document.Заказ`; a nested subsystem is
    `Subsystem.A.Subsystem.B`); `links` are pairs of a relation and a target as the source writes it
    (`handler`, `source`, `event`, `method`, `content`, `location`, …). `extends` is the uuid of the adopted
    object in the base configuration. `generated` maps the uuids of generated types to their names,
    `standard_types` the standard attributes whose size the object sets (`Code`, `Number`, `Description`) to
    their types. `rights` are what a role grants, by the full name of the object they are for.
    `standard_attributes` are those whose synonym the configuration redefines, named in English as the source
    does. `text` and `captions` are those of a common form or template: see MetadataField.
    """

    kind: str
    name: str
    full_name: str
    path: str
    root: str
    uuid: str | None = None
    synonym: Mapping[str, str] = field(default_factory=dict)
    comment: str = ""
    types: tuple[str, ...] = ()
    fields: tuple[MetadataField, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    flags: tuple[str, ...] = ()
    adopted: bool = False
    extends: str | None = None
    generated: Mapping[str, str] = field(default_factory=dict)
    line: int = 0
    rights: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    standard_attributes: tuple[MetadataField, ...] = ()
    text: str = ""
    standard_types: Mapping[str, str] = field(default_factory=dict)
    captions: str = ""

    @property
    def russian_name(self) -> str:
        """The full name in Russian: `Документ.Заказ`."""
        parts = self.full_name.split(".")
        return ".".join(KIND_BY_NAME[p].russian if i % 2 == 0 and p in KIND_BY_NAME else p for i, p in enumerate(parts))

    def field_name(self, part: MetadataField, russian: bool = True) -> str:
        """Return the full name of a field: `Документ.Заказ.ТабличнаяЧасть.Товары.Реквизит.Цена`."""
        owner = self.russian_name if russian else self.full_name
        parent = next((f for f in self.fields if part.parent and f.name == part.parent and f.parent is None), None)
        steps = [parent, part] if parent else [part]
        return ".".join([owner, *(_step(step, russian) for step in steps)])

    def named_fields(self) -> Iterator[tuple[str, MetadataField]]:
        """Yield each field with its full Russian name."""
        for part in self.fields:
            yield self.field_name(part), part


def _step(part: MetadataField, russian: bool) -> str:
    """Return a field's step of a full name: `Реквизит.Цена`."""
    name = russian_part(part.kind, part.name) if russian else part.name
    return f"{field_word(part.kind, russian)}.{name}"


def field_word(kind: str, russian: bool) -> str:
    """Return the word of a kind of field in a full name: `Реквизит` or `Attribute`."""
    return russian_field(kind) if russian else "".join(word.capitalize() for word in kind.split("_"))


def sized_type(name: str, length: str, digits: str, fraction: str) -> str:
    """Return `String(50)` or `Number(15,2)` where the qualifiers give a size, else the name as it is."""
    if name == "String" and length not in ("", "0"):
        return f"String({length})"
    if name == "Number" and digits not in ("", "0"):
        return f"Number({digits},{fraction or '0'})"
    return name


def adopted_uuid(text: str) -> str | None:
    """Return the uuid of the base's object that an adopted object names, None when it names none (all zeros too)."""
    return text if text.strip("0-") else None


def standard_types(value: Callable[[str], str]) -> dict[str, str]:
    """Return the types of the standard attributes whose size an object's properties set (`CodeLength`, …).

    A length of 0 means that the object has no such attribute; a type that is not written is String.
    """
    found = {}
    for name in ("Code", "Number", "Description"):
        length = value(f"{name}Length")
        if length not in ("", "0"):
            kind = value(f"{name}Type") or "String"
            found[name] = sized_type(kind, length, length, "0")
    return found


def shown(synonym: Mapping[str, str]) -> str | None:
    """Return one synonym to show: Russian before English before any other, None without one."""
    for language in _LANGUAGES:
        if synonym.get(language):
            return synonym[language]
    return next((text for text in synonym.values() if text), None)


_FIELD_NAMES = [part.name for part in fields(MetadataField)]
_OBJECT_NAMES = [part.name for part in fields(MetadataObject)]
_field_values, _object_values = attrgetter(*_FIELD_NAMES), attrgetter(*_OBJECT_NAMES)
# attributes of an object that hold fields
_HOLDERS = frozenset({"fields", "standard_attributes"})


def object_to_row(item: MetadataObject) -> list[Any]:
    """Return an object as a list that JSON can carry; `object_from_row` gives it back."""
    return [
        [_field_values(part) for part in value] if name in _HOLDERS else value
        for name, value in zip(_OBJECT_NAMES, _object_values(item), strict=True)
    ]


def object_from_row(row: list[Any]) -> MetadataObject:
    """Return the object of a list that `object_to_row` made, whether or not it went through JSON."""
    values: dict[str, Any] = {
        name: tuple(MetadataField(*map(_tuples, part)) for part in value) if name in _HOLDERS else _tuples(value)
        for name, value in zip(_OBJECT_NAMES, row, strict=True)
    }
    return MetadataObject(**values)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
