"""Standard attributes and events in both languages."""

from __future__ import annotations

import pytest

from bsl_scout.configuration.event_names import (
    FORM_EVENTS,
    OBJECT_EVENTS,
    english_form_event,
    english_object_event,
    russian_event,
)
from bsl_scout.configuration.kinds import KIND_BY_NAME
from bsl_scout.configuration.standard_attributes import (
    EXT_DIMENSION_TYPES,
    STANDARD_ATTRIBUTES,
    TABULAR_SECTION,
    english_attribute,
    numbered_attribute,
    russian_attribute,
)


@pytest.mark.parametrize(
    ("kind", "english", "russian"),
    [
        ("Catalog", "Description", "Наименование"),
        ("Document", "Date", "Дата"),
        ("ChartOfAccounts", "Type", "Вид"),
        ("DocumentJournal", "Type", "Тип"),
        ("AccountingRegister", "ExtDimension3", "Субконто3"),
        ("AccountingRegister", "ExtDimensionTypeDr1", "ВидСубконтоДт1"),
        ("AccountingRegister", "ExtDimensionCr2", "СубконтоКт2"),
        (TABULAR_SECTION, "LineNumber", "НомерСтроки"),
    ],
)
def test_names_both_ways(kind: str, english: str, russian: str) -> None:
    assert russian_attribute(kind, english) == russian_attribute(kind, english.lower()) == russian
    assert english_attribute(kind, russian) == english_attribute(kind, russian.upper()) == english


@pytest.mark.parametrize(
    ("kind", "name"),
    [("Catalog", "Номер"), ("Catalog", "Number"), ("Catalog", "Субконто1"), ("Нет", "Код"), ("AccountingRegister", "")],
)
def test_a_kind_has_no_attributes_of_others(kind: str, name: str) -> None:
    assert russian_attribute(kind, name) is None
    assert english_attribute(kind, name) is None


@pytest.mark.parametrize("kind", sorted(STANDARD_ATTRIBUTES))
def test_the_table_is_one_to_one(kind: str) -> None:
    found = STANDARD_ATTRIBUTES[kind]
    assert kind in KIND_BY_NAME or kind in (TABULAR_SECTION, EXT_DIMENSION_TYPES)
    assert len({one.english for one in found}) == len({one.russian for one in found}) == len(found)
    numbers = [one.number for one in found if one.number is not None]
    assert len(set(numbers)) == len(numbers)
    assert all(number < -1 for number in numbers)
    for one in found:
        assert (russian_attribute(kind, one.english), english_attribute(kind, one.russian)) == (
            one.russian,
            one.english,
        )


@pytest.mark.parametrize(
    ("kind", "number", "english"),
    [
        ("Catalog", -3, "Description"),
        ("Task", -9, "Description"),
        ("ChartOfAccounts", -8, "Description"),
        (TABULAR_SECTION, -2, "LineNumber"),
        ("Catalog", -99, None),
        ("Enum", -2, None),
        ("Нет", -2, None),
    ],
)
def test_numbers_of_exported_forms(kind: str, number: int, english: str | None) -> None:
    found = numbered_attribute(kind, number)
    assert (found.english if found else None) == english


def test_events_both_ways() -> None:
    assert russian_event("OnCreateAtServer") == "ПриСозданииНаСервере"
    assert english_form_event("присозданиинасервере") == "OnCreateAtServer"
    # one Russian name, two events
    assert english_form_event("ПередУдалением") == "BeforeDeleteRow"
    assert english_object_event("ПередУдалением") == "BeforeDelete"
    assert russian_event("Нет") is english_form_event("Нет") is english_object_event("OnOpen") is None
    for events in (FORM_EVENTS, OBJECT_EVENTS):
        assert len(set(events.values())) == len(events)
    both = FORM_EVENTS.keys() & OBJECT_EVENTS.keys()
    assert {name: FORM_EVENTS[name] for name in both} == {name: OBJECT_EVENTS[name] for name in both}
