"""Attributes of one object's file as plain data: types stay unknown rather than be invented."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bsl_scout.forms import decode_object_attributes
from support import DEMO, REPOSITORY, Write

ALIEN, LOST = "00000201-0000-4000-8000-000000000000", "00000999-0000-4000-8000-000000000000"
OWN = "00000103-0000-4000-8000-000000000000"
NIL = "00000000-0000-0000-0000-000000000000"
PATH = "Catalog/Товары/Catalog.json"


def uid(value: int) -> str:
    return f"{value:08x}-0000-4000-8000-000000000000"


def named(name: str, uuid: str = "в отдельном файле", synonym: str = "") -> list[Any]:
    text = ["1", '"ru"', f'"{synonym}"'] if synonym else ["0"]
    return ["3", ["1", "0", uuid], f'"{name}"', text, '""', "0", "0", NIL, "0"]


def attribute(name: str, uuid: str, *types: Any) -> list[Any]:
    return [["5", ["27", ["2", named(name, uuid, f"{name} словами"), ['"Pattern"', *types]], "0"], "0"], "0"]


def catalog() -> dict[str, str | bytes]:
    """Return the files of an exported catalog with attributes of every type and a tabular section."""
    body: list[Any] = ["56", *(uid(0x100 + i) for i in range(1, 9)), ["0", named("Товары")], *["0"] * 51]
    body[12] = body[32] = ["0", "0"]
    body[34], body[35] = uid(0x122), uid(0x123)
    price = ["888744e1-b616-11d4-9436-004095e12fc7", "1", attribute("Цена", uid(65), ['"N"', "15", "2", "1"])]
    section = [["1", ["11", uid(61), uid(62), uid(63), uid(64), ["0", named("Состав", uid(60))], "0"], "1"], "1", price]
    attributes = [
        "cf4abea7-37b2-11d4-940f-008048da11f9",
        "2",
        attribute("Вид", uid(0x150), ['"#"', ALIEN], ['"S"', "50", "1"], ['"B"']),
        attribute("Прочее", uid(0x151), ['"#"', LOST], ['"D"', '"D"']),
    ]
    header = ["1", body, "2", attributes, ["932159f9-95b2-4e76-a8dd-8849fe5c5ded", "1", section]]
    own = {"name": "Товары", "name2": {"ru": "Товары"}, "comment": "", "header": [header]}
    return {PATH: json.dumps(own), "Catalog/Товары/Catalog.id.json": json.dumps({"uuid": uid(0x100)})}


def fail(uuid: str) -> str | None:
    raise LookupError(f"/home/ivan/{uuid}")


def silent(uuid: str) -> str | None:
    return None


@pytest.mark.parametrize(
    ("resolver", "reason"),
    [(None, "no resolver was given"), (fail, "the resolver failed (LookupError)"), (silent, "does not know it")],
    ids=["none", "raises", "no answer"],
)
def test_an_unknown_reference_stays_what_it_is(
    write: Write, resolver: Callable[[str], str | None] | None, reason: str
) -> None:
    found = decode_object_attributes(write(catalog()) / PATH, resolver)
    assert (found.ok, found.error) == (True, None)
    kind, other = found.data["Properties"]
    assert kind == {
        "UUID": uid(0x150),
        "Name": "Вид",
        "Synonym": "Вид словами",
        "Type": f"Ref#{ALIEN}, String(50), Boolean",
        "Types": [f"Ref#{ALIEN}", "String(50)", "Boolean"],
    }
    assert other["Types"] == [f"Ref#{LOST}", "Date"]
    (section,) = found.data["TabularSections"]
    assert section["Name"] == "Состав"
    assert [(row["Name"], row["Type"]) for row in section["Properties"]] == [("Цена", "Number(15,2)")]
    told = [text for text in found.warnings if "has no name" in text]
    assert len(told) == 2
    assert all(reason in text for text in told)
    assert not any("ivan" in text for text in found.warnings)


def test_only_references_reach_the_resolver(write: Write) -> None:
    asked: list[str] = []

    def resolve(uuid: str) -> str | None:
        asked.append(uuid)
        return "CatalogRef.Виды" if uuid == ALIEN else None

    found = decode_object_attributes(write(catalog()) / PATH, resolve)
    assert asked == [ALIEN, LOST]
    assert found.data["Properties"][0]["Types"] == ["CatalogRef.Виды", "String(50)", "Boolean"]
    assert found.data["Properties"][1]["Types"] == [f"Ref#{LOST}", "Date"]
    (told,) = (text for text in found.warnings if "has no name" in text)
    assert told.startswith(f"Прочее: Ref#{LOST}")


@pytest.mark.parametrize("answer", ["", 5, b"CatalogRef", ["CatalogRef.Виды"]])
def test_an_answer_that_is_no_name_is_none(write: Write, answer: Any) -> None:
    found = decode_object_attributes(write(catalog()) / PATH, lambda uuid: answer)
    assert found.data["Properties"][0]["Types"][0] == f"Ref#{ALIEN}"


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("Catalog.json", b"", "json_parse_error"),
        ("Catalog.json", b'{"name": ', "json_parse_error"),
        ("Catalog.json", b"[" * 100_000, "json_parse_error"),
        ("Catalog.json", b"\xff\xfe\x00", "json_parse_error"),
        ("Catalog.json", b"[]", "json_parse_error"),
        ("Catalog.json", b"{}", "header_missing"),
        ("Catalog.json", b'{"name": "X", "header": []}', "header_missing"),
        ("X.xml", b"", "json_parse_error"),
        ("X.xml", b"<a><b>", "json_parse_error"),
        ("X.xml", b"<MetaDataObject/>", "header_missing"),
        ("X.mdo", b"<x/>", "header_missing"),
    ],
)
def test_broken_and_empty_files(write: Write, name: str, data: bytes, code: str) -> None:
    top = write({f"home/ivan/{name}": data})
    found = decode_object_attributes(top / "home" / "ivan" / name)
    assert (found.ok, found.error) == (False, code)
    assert found.data == {"Properties": [], "TabularSections": []}
    assert found.warnings
    assert not any("ivan" in text for text in found.warnings)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "Catalog.json", tmp_path):
        found = decode_object_attributes(path)
        assert (found.ok, found.error) == (False, "json_not_found")
        assert found.warnings == [f"{path.name}: there is no such file"]


def test_both_formats_of_the_demo_agree() -> None:
    designer = decode_object_attributes(DEMO / "Documents" / "ЗаказПокупателя.xml")
    edt = REPOSITORY / "tests" / "fixtures" / "demo_edt" / "src" / "Documents"
    other = decode_object_attributes(edt / "ЗаказПокупателя" / "ЗаказПокупателя.mdo")
    assert designer.data == other.data
    assert {"Товары"} <= {section["Name"] for section in designer.data["TabularSections"]}
    assert len(designer.data["Properties"]) > 5
