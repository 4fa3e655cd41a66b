"""The demo configuration and its extension tell the same in Designer XML and in EDT."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from bsl_scout.configuration.layout import module_address, walk
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.configuration.objects import read_objects
from support import DEMO, run_cli

FIXTURES = DEMO.parent
EDT = FIXTURES / "demo_edt"
EXTENSION, EXTENSION_EDT = FIXTURES / "demo_extension", FIXTURES / "demo_extension_edt"
PAIRS = pytest.mark.parametrize(
    ("designer", "edt"), [(DEMO, EDT), (EXTENSION, EXTENSION_EDT)], ids=["base", "extension"]
)

XSI = "{http://www.w3.org/2001/XMLSchema-instance}type"
FORM = "{http://v8.1c.ru/8.3/xcf/logform}"
CORE = "{http://v8.1c.ru/8.1/data/core}"
PRIMITIVES = {
    "xs:string": "String",
    "xs:boolean": "Boolean",
    "xs:decimal": "Number",
    "xs:dateTime": "Date",
    "v8:UUID": "UUID",
    "v8:ValueTable": "ValueTable",
}


def printed(top: Path) -> dict[str, dict[str, Any]]:
    """Return what the command prints of each object, without places and in one order."""
    found = {}
    for item in json.loads(run_cli("objects", top, "--json").stdout):
        for key in ("path", "line"):
            del item[key]
        for part in item["fields"]:
            for key in ("path", "line"):
                part.pop(key, None)
        # Designer and EDT write the kinds of fields and of links in different orders
        item["fields"].sort(key=lambda part: (part["kind"], part["parent"] or ""))
        item["links"].sort(key=lambda link: link["relation"])
        found[item["name_en"]] = item
    return found


def objects(top: Path) -> dict[str, MetadataObject]:
    found, problems = read_objects(top, walk(top).roots)
    assert problems == []
    return {item.full_name: item for item in found}


@PAIRS
def test_the_command_prints_the_same_objects(designer: Path, edt: Path) -> None:
    one, two = printed(designer), printed(edt)
    assert one == two
    assert len(one) == {DEMO: 72, EXTENSION: 5}[designer]


@PAIRS
def test_uuids_and_generated_types_are_the_same(designer: Path, edt: Path) -> None:
    one, two = objects(designer), objects(edt)
    for name, item in one.items():
        other = two[name]
        assert (item.uuid, item.generated) == (other.uuid, other.generated)
        assert {(part.name, part.uuid, part.comment) for part in item.fields if part.uuid} == {
            (part.name, part.uuid, part.comment) for part in other.fields if part.uuid
        }
    assert sum(len(item.generated) for item in one.values()) > (5 if designer == EXTENSION else 60)


def test_what_an_extension_adopts() -> None:
    one, two = objects(EXTENSION), objects(EXTENSION_EDT)
    base = objects(DEMO)
    own = {"CommonModule.кс_СкидкиСервер"}
    for name in set(one) - own:
        assert one[name].adopted
        assert one[name].extends == base[name].uuid
    assert not one[own.pop()].adopted
    # EDT may leave the uuid out
    assert two["Catalog.Контрагенты"].extends is None
    assert two == {
        name: replace(
            item,
            path=two[name].path,
            line=two[name].line,
            extends=None if name == "Catalog.Контрагенты" else item.extends,
            fields=two[name].fields,
        )
        for name, item in one.items()
    }


@PAIRS
def test_modules_are_the_same_apart_from_line_ends(designer: Path, edt: Path) -> None:
    def modules(top: Path) -> dict[tuple[str | None, str], bytes]:
        layout = walk(top)
        return {
            (address.owner, address.module): (top / file.path).read_bytes()
            for file in layout.files
            for address in [module_address(file.path, layout.root_of(file.path))]
        }

    one, two = modules(designer), modules(edt)
    assert {place: text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n") for place, text in one.items()} == two
    assert len(two) == {DEMO: 51, EXTENSION: 6}[designer]
    assert not any(b"\r" in text for text in two.values())


def test_edt_writes_no_byte_order_mark_and_no_carriage_return() -> None:
    for top in (EDT, EXTENSION_EDT):
        for path in top.rglob("*"):
            if path.is_file():
                data = path.read_bytes()
                assert not data.startswith(b"\xef\xbb\xbf"), path
                assert b"\r" not in data, path


# --- forms, read without the readers of the package


def sized(name: str, length: str | None, digits: str | None, fraction: str | None) -> str:
    if name == "String" and (length or "0") != "0":
        return f"String({length})"
    return f"Number({digits},{fraction or 0})" if name == "Number" and (digits or "0") != "0" else name


def designer_types(element: etree._Element | None) -> list[str]:
    if element is None:
        return []
    length = element.findtext(f".//{CORE}Length")
    digits, fraction = element.findtext(f".//{CORE}Digits"), element.findtext(f".//{CORE}FractionDigits")
    names = [str(item.text) for item in element if item.tag in (f"{CORE}Type", f"{CORE}TypeSet")]
    return [sized(PRIMITIVES.get(name, name.removeprefix("cfg:")), length, digits, fraction) for name in names]


def edt_types(element: etree._Element | None) -> list[str]:
    if element is None:
        return []
    length, digits, fraction = (element.findtext(f".//{tag}") for tag in ("length", "precision", "scale"))
    return [sized(str(item.text), length, digits, fraction) for item in element.findall("types")]


def designer_elements(holder: etree._Element, parent: str) -> Iterator[tuple[str, ...]]:
    for group in ("AutoCommandBar", "ChildItems"):
        for inner in holder.findall(f"{FORM}{group}"):
            items = inner if group == "ChildItems" else inner.iterfind(f"{FORM}ChildItems/*")
            for item in items:
                name, kind = item.get("name", ""), etree.QName(item).localname
                told = [item.findtext(f"{FORM}{tag}") or "" for tag in ("DataPath", "CommandName")]
                yield (parent, name, kind, *told)
                yield from designer_elements(item, name)


def edt_elements(holder: etree._Element, parent: str) -> Iterator[tuple[str, ...]]:
    for items in (holder.iterfind("autoCommandBar/items"), holder.iterfind("items")):
        for item in items:
            name, family = item.findtext("name", ""), item.get(XSI, "").removeprefix("form:")
            kind = item.findtext("type")
            if family in ("Button", "Table"):
                kind = family
            elif family == "Decoration":
                kind = "LabelDecoration" if kind == "Label" else "PictureDecoration"
            yield parent, name, str(kind), item.findtext("dataPath/segments", ""), item.findtext("commandName", "")
            yield from edt_elements(item, name)


def designer_form(path: Path) -> dict[str, Any]:
    form = etree.parse(str(path)).getroot()
    for base in form.findall(f"{FORM}BaseForm"):
        form.remove(base)
    return {
        "elements": list(designer_elements(form, "")),
        "events": Counter(
            (holder.get("name"), event.get("name"), event.text, event.get("callType"))
            for holder in form.iter()
            for event in holder.iterfind(f"{FORM}Events/{FORM}Event")
        ),
        "commands": [
            (
                command.get("name"),
                [(action.text, action.get("callType")) for action in command.findall(f"{FORM}Action")],
            )
            for command in form.iterfind(f"{FORM}Commands/{FORM}Command")
        ],
        "attributes": [
            (
                item.get("name"),
                designer_types(item.find(f"{FORM}Type")),
                item.findtext(f"{FORM}MainAttribute"),
                item.findtext(f"{FORM}SavedData"),
                item.findtext(f"{FORM}Settings/{FORM}MainTable"),
                item.findtext(f"{FORM}Settings/{FORM}QueryText"),
            )
            for item in form.iterfind(f"{FORM}Attributes//*[@id]")
        ],
        "parameters": [
            (item.get("name"), designer_types(item.find(f"{FORM}Type")), item.findtext(f"{FORM}KeyParameter"))
            for item in form.iterfind(f"{FORM}Parameters/{FORM}Parameter")
        ],
    }


def edt_form(path: Path) -> dict[str, Any]:
    form = etree.parse(str(path)).getroot()
    events: Counter[tuple[str | None, ...]] = Counter()
    for handler in form.iter("handlers"):
        holder = handler.getparent()
        if handler.find("event") is None or holder is None:
            continue
        if holder.tag == "extInfo":
            holder = holder.getparent()
        name = None if holder is None else holder.findtext("name")
        events[name, handler.findtext("event"), handler.findtext("name"), handler.findtext("callType")] += 1
    return {
        "elements": list(edt_elements(form, "")),
        "events": events,
        "commands": [
            (
                command.findtext("name"),
                [(item.findtext("name"), item.findtext("callType")) for item in command.iterfind("action/*")],
            )
            for command in form.findall("formCommands")
        ],
        "attributes": [
            (
                item.findtext("name"),
                edt_types(item.find("valueType")),
                item.findtext("main"),
                item.findtext("savedData"),
                item.findtext("extInfo/mainTable"),
                item.findtext("extInfo/queryText"),
            )
            for item in form.iter("attributes", "columns")
        ],
        "parameters": [
            (item.findtext("name"), edt_types(item.find("valueType")), item.findtext("keyParameter"))
            for item in form.findall("parameters")
        ],
    }


def forms(top: Path) -> dict[str, Path]:
    """Return the forms by their place in the configuration."""
    found = {}
    for path in [*top.rglob("Form.xml"), *top.rglob("Form.form")]:
        parts = [part for part in path.parent.relative_to(top).parts if part not in ("Ext", "src")]
        if "BaseForm" not in parts:
            found["/".join(parts)] = path
    return found


@PAIRS
def test_forms_are_bound_alike(designer: Path, edt: Path) -> None:
    one, two = forms(designer), forms(edt)
    assert set(one) == set(two)
    counts: Counter[str] = Counter()
    for place, path in one.items():
        left, right = designer_form(path), edt_form(two[place])
        for key in left:
            assert left[key] == right[key], (place, key)
            counts[key] += len(left[key])
    expected = {
        DEMO: {"elements": 163, "events": 71, "commands": 22, "attributes": 42, "parameters": 4},
        EXTENSION: {"elements": 47, "events": 5, "commands": 2, "attributes": 4, "parameters": 0},
    }
    assert counts == expected[designer]


def test_an_adopted_form_keeps_its_base() -> None:
    path = "Documents/ЗаказПокупателя/Forms/ФормаДокумента"
    form = etree.parse(str(EXTENSION / path / "Ext" / "Form.xml")).getroot()
    (base,) = form.findall(f"{FORM}BaseForm")
    copy = etree.parse(str(EXTENSION_EDT / "src" / path / "BaseForm" / "Form.form")).getroot()
    assert list(designer_elements(base, "")) == list(edt_elements(copy, ""))
    own = set(designer_elements(form, "")) - set(designer_elements(base, ""))
    assert {name for _, name, *_ in own} == {"кс_ПричинаСкидки", "кс_ФормаПересчитатьСкидку"}
