"""The tables of standard attributes and events against every name that occurs in the real configurations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from bsl_scout.configuration.event_names import FORM_EVENTS, OBJECT_EVENTS
from bsl_scout.configuration.standard_attributes import (
    EXT_DIMENSION_TYPES,
    STANDARD_ATTRIBUTES,
    TABULAR_SECTION,
    russian_attribute,
)

pytestmark = pytest.mark.corpora

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


def handlers(corpora: Path) -> Iterator[tuple[str, str]]:
    """Yield event and handler of all forms of Designer dumps and EDT projects."""
    for path in corpora.rglob("Form.xml"):
        # a form of this name has a file of its own above
        for element in etree.parse(str(path)).iter("{*}Event") if path.parent.name == "Ext" else ():
            yield element.get("name", ""), element.text or ""
    for path in corpora.rglob("Form.form"):
        for element in etree.parse(str(path)).iter("handlers"):
            yield element.findtext("event") or "", element.findtext("name") or ""


def test_every_event_of_the_forms_is_in_the_table(corpora: Path) -> None:
    found: dict[str, set[str]] = {}
    for event, handler in handlers(corpora):
        found.setdefault(event, set()).add(handler)
    # a dangling event of a changed type is written by its uuid
    names = {name for name in found if not UUID.fullmatch(name)}
    assert len(names) == 68
    assert names <= FORM_EVENTS.keys()
    for name in names:
        # the Designer builds the names of handlers from the Russian name
        assert any(handler.endswith(FORM_EVENTS[name]) for handler in found[name]), name


def test_every_event_of_the_subscriptions_is_in_the_table(corpora: Path) -> None:
    found = set()
    for path in corpora.rglob("EventSubscriptions/*.xml"):
        found |= {element.text for element in etree.parse(str(path)).iter("{*}Event")}
    for path in corpora.rglob("EventSubscriptions/*/*.mdo"):
        found |= {element.text for element in etree.parse(str(path)).iter("event")}
    assert len(found) > 12
    assert found <= OBJECT_EVENTS.keys()


def test_every_standard_attribute_is_in_the_table(corpora: Path) -> None:
    found: dict[str, set[str]] = {}
    for path in corpora.rglob("*.xml"):
        if "Ext" in path.parts or b"StandardAttribute " not in path.read_bytes():
            continue
        (item,) = etree.parse(str(path)).getroot()
        for element in item.iter("{*}StandardAttribute"):
            tables = [etree.QName(outer).localname for outer in element.iterancestors()]
            kind = etree.QName(item).localname
            if "StandardTabularSection" in tables:
                continue
            if "TabularSection" in tables:
                kind = TABULAR_SECTION
            found.setdefault(kind, set()).add(element.get("name", ""))
    assert len(found) > 10
    for kind, names in found.items():
        assert [name for name in sorted(names) if russian_attribute(kind, name) is None] == [], kind
    # kinds of which the corpora have too few objects to tell
    assert STANDARD_ATTRIBUTES.keys() - found.keys() <= {
        "CalculationRegister", "ChartOfAccounts", "ChartOfCalculationTypes", EXT_DIMENSION_TYPES,
    }  # fmt: skip
