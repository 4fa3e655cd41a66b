"""What the members of a type are: attributes of objects, standard attributes, tabular sections, platform types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from bsl_scout.configuration.kinds import KINDS
from bsl_scout.configuration.model import MetadataField, MetadataObject
from bsl_scout.configuration.standard_attributes import (
    TABULAR_SECTION,
    english_attribute,
    numbered_attribute,
    russian_attribute,
)

from .model import FindObject

# what a type is called after the English kind of its object (`DocumentObject.Заказ`)
_SUFFIXES = ("Ref", "Object", "RecordManager", "RecordSet")
_SECTION = "TabularSection"
# kinds of fields that a data path may name
_FIELDS = frozenset(
    {
        "attribute",
        "tabular_section",
        "dimension",
        "resource",
        "column",
        "addressing_attribute",
        "accounting_flag",
        "ext_dimension_accounting_flag",
    }
)
_STANDARD_TYPES = {
    "DeletionMark": "Boolean",
    "Predefined": "Boolean",
    "IsFolder": "Boolean",
    "Posted": "Boolean",
    "Active": "Boolean",
    "Completed": "Boolean",
    "Started": "Boolean",
    "Executed": "Boolean",
    "OffBalance": "Boolean",
    "ThisNode": "Boolean",
    "ReversingEntry": "Boolean",
    "ActionPeriodIsBasic": "Boolean",
    "Description": "String",
    "PredefinedDataName": "String",
    "Date": "Date",
    "Period": "Date",
    "RegistrationPeriod": "Date",
    "ActionPeriod": "Date",
    "BegOfActionPeriod": "Date",
    "EndOfActionPeriod": "Date",
    "BegOfBasePeriod": "Date",
    "EndOfBasePeriod": "Date",
    "ExchangeDate": "Date",
    "LineNumber": "Number",
    "SentNo": "Number",
    "ReceivedNo": "Number",
    "ValueType": "TypeDescription",
}
# properties of platform types that data paths name: English, Russian, type
_PLATFORM = {
    "ReportObject": (("SettingsComposer", "КомпоновщикНастроек", "SettingsComposer"),),
    "StandardPeriod": (("StartDate", "ДатаНачала", "Date"), ("EndDate", "ДатаОкончания", "Date"),
                       ("Variant", "Вариант", "StandardPeriodVariant")),
    "StandardBeginningDate": (("Date", "Дата", "Date"), ("Variant", "Вариант", "StandardBeginningDateVariant")),
    "ValueListType": (("Presentation", "Представление", "String"), ("Check", "Пометка", "Boolean"),
                      ("Picture", "Картинка", "Picture"), ("Value", "Значение", "")),
    "DynamicList": (("DefaultPicture", "СтандартнаяКартинка", "Picture"),
                    ("SettingsComposer", "КомпоновщикНастроек", "SettingsComposer")),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a type: its types, its names in both languages when it is a standard one, how it was found."""

    types: tuple[str, ...]
    english: str | None = None
    russian: str | None = None


@cache
def _heads() -> dict[str, str]:
    return {kind.english + suffix: kind.english for kind in KINDS for suffix in _SUFFIXES}


@cache
def _section_heads() -> dict[str, str]:
    return {kind.english + _SECTION: kind.english for kind in KINDS}


def object_of_type(name: str) -> str | None:
    """Return the full name of the object behind a type: `DocumentRef.Заказ` -> `Document.Заказ`."""
    head, _, rest = name.partition(".")
    kind = _heads().get(head)
    return f"{kind}.{rest}" if kind and rest else None


def section_of_type(name: str) -> tuple[str, str] | None:
    """Return object and tabular section behind a type: `DocumentTabularSection.Заказ.Товары`."""
    head, _, rest = name.partition(".")
    kind = _section_heads().get(head)
    owner, _, section = rest.partition(".")
    return (f"{kind}.{owner}", section) if kind and section else None


def object_member(full_name: str, name: str, find_object: FindObject, section: str | None = None) -> Member | None:
    """Return a field of an object or of its tabular section, None when neither it nor a standard one is known."""
    item = find_object(full_name)
    kind, _, own_name = full_name.partition(".")
    if item is not None:
        wanted, parent = name.casefold(), section.casefold() if section else None
        for part in item.fields:
            if part.name.casefold() == wanted and part.kind in _FIELDS and _parent(part) == parent:
                return Member(_field_types(part, kind, own_name))
    names = standard_names(TABULAR_SECTION if section else kind, name)
    if names is None:
        return None if section else _common_attribute(full_name, name, find_object)
    types = _standard_types(kind, own_name, names[0], item) if not section else ("Number",)
    return Member(types, *names)


def standard_names(kind: str, name: str) -> tuple[str, str] | None:
    """Return the English and Russian name of a standard attribute of a kind by either, None when it has no such."""
    russian = russian_attribute(kind, name)
    english = english_attribute(kind, russian or name)
    russian = russian or (russian_attribute(kind, english) if english else None)
    return (english, russian) if english and russian else None


def standard_by_number(full_name: str, number: int, section: str | None) -> str | None:
    """Return the English name of the standard attribute with a number in a path (v8unpack.md 1.4)."""
    found = numbered_attribute(TABULAR_SECTION if section else full_name.partition(".")[0], number)
    return found.english if found else None


def _common_attribute(full_name: str, name: str, find_object: FindObject) -> Member | None:
    """Return a common attribute that names the object among those it is added to."""
    item = find_object(f"CommonAttribute.{name}")
    return Member(item.types) if item and ("content", full_name) in item.links else None


def field_by_uuid(full_name: str, uuid: str, find_object: FindObject, section: str | None) -> MetadataField | None:
    """Return the field with this uuid of an object or of its tabular section."""
    item = find_object(full_name)
    parent = section.casefold() if section else None
    for part in item.fields if item else ():
        if part.uuid and part.uuid.casefold() == uuid.casefold() and _parent(part) == parent:
            return part
    return None


def members(types: Iterable[str], name: str, find_object: FindObject) -> Member | None:
    """Return the member of this name of the types: its types are those of every type that has one."""
    found = [member for item in expanded(types, find_object) if (member := _member(item, name, find_object))]
    if not found:
        return None
    joined = tuple(dict.fromkeys(name for member in found for name in member.types))
    english = {member.english for member in found}
    # a standard attribute of one type and an own one of another have no common name in the other language
    return Member(joined, found[0].english, found[0].russian) if len(english) == 1 else Member(joined)


def expanded(types: Iterable[str], find_object: FindObject) -> list[str]:
    """Return the types with defined types and characteristics replaced by what they stand for, where known."""
    found: dict[str, None] = {}
    for name in types:
        head, _, rest = name.partition(".")
        kind = {"DefinedType": "DefinedType", "Characteristic": "ChartOfCharacteristicTypes"}.get(head)
        item = find_object(f"{kind}.{rest}") if kind else None
        # a defined type holds no other defined type
        found.update(dict.fromkeys(item.types if item and item.types else (name,)))
    return list(found)


def _member(type_name: str, name: str, find_object: FindObject) -> Member | None:
    if type_name == "ConstantsSet":
        constant = find_object(f"Constant.{name}")
        return Member(constant.types) if constant else None
    section = section_of_type(type_name)
    if section:
        return object_member(section[0], name, find_object, section[1])
    full_name = object_of_type(type_name)
    found = object_member(full_name, name, find_object) if full_name else None
    if found:
        return found
    for english, russian, type_of in _PLATFORM.get(type_name.partition(".")[0], ()):
        if name.casefold() in (english.casefold(), russian.casefold()):
            return Member((type_of,) if type_of else (), english, russian)
    return None


def _parent(part: MetadataField) -> str | None:
    return part.parent.casefold() if part.parent else None


def _field_types(part: MetadataField, kind: str, name: str) -> tuple[str, ...]:
    return (f"{kind}{_SECTION}.{name}.{part.name}",) if part.kind == "tabular_section" else part.types


def _standard_types(kind: str, name: str, standard: str, item: MetadataObject | None) -> tuple[str, ...]:
    if standard in ("Ref", "Parent") and kind != "DocumentJournal":
        return (f"{kind}Ref.{name}",)
    if standard == "Owner" and item:
        owners = [target.partition(".") for relation, target in item.links if relation == "owner"]
        return tuple(f"{owner}Ref.{rest}" for owner, _, rest in owners if rest)
    known = (item.standard_types.get(standard) if item else None) or _STANDARD_TYPES.get(standard)
    return (known,) if known else ()
