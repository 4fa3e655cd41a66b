"""The container of ordinary forms, the brace list, and the form decoded from it."""

from __future__ import annotations

import struct

import pytest

from bsl_scout.forms.form_bin import (
    FormBinError,
    form_bin_module,
    parse_braces,
    read_container,
    read_form_bin,
    read_ordinary_form,
)
from v8_samples import ORDINARY, ORDINARY_MEANINGS, block, container, form_bin, ordinary_body

BEGIN = b"\xff\xff\xff\x7f" + struct.pack("<III", 512, 1, 0)


def test_parts_of_a_container() -> None:
    parts = {"form": b"{1}", "module": "Процедура".encode() * 500, "empty": b""}
    assert read_container(container(parts)) == parts


def test_a_part_in_several_pages() -> None:
    data = bytes(range(256)) * 4
    head = block(b"\0" * 20 + "form".encode("utf-16-le") + b"\0" * 4, 0)
    start = 16 + 31 + 512
    body = start + len(head)
    second = body + 31 + 512
    listing = block(struct.pack("<III", start, body, 0x7FFFFFFF))
    first_page = f"\r\n{len(data):08x} 00000200 {second:08x} \r\n".encode() + data[:512]
    last_page = b"\r\n00000000 00000200 7fffffff \r\n" + data[512:]
    assert read_container(BEGIN + listing + head + first_page + last_page) == {"form": data}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\3\4" + b"\0" * 600,
        form_bin()[:700],
        BEGIN + b"\r\nffffffff 00000200 7fffffff \r\n" + b"\0" * 512,
        # a page that names itself as the next
        BEGIN + b"\r\n00000300 00000200 00000010 \r\n" + b"\0" * 1024,
        container({"other": b"{1}"}),
        container({"form": b"\xff\xfe\xfa"}),
        container({"form": b"{1,{2}"}),
        container({"form": b"{1}}"}),
        container({"form": b""}),
    ],
)
def test_broken_containers_are_named(data: bytes) -> None:
    with pytest.raises(FormBinError, match=r"broken Form\.bin: "):
        read_form_bin(data)
    form = read_ordinary_form(ORDINARY, data, ORDINARY_MEANINGS.get)
    assert [warning.code for warning in form.warnings] == ["form-bin-broken"]
    assert form.elements == ()


def test_braces() -> None:
    source = '{1,\r\n{"a, ""b"" {c}",-5,\r\n{0}\r\n},#base64:AB\r\nCD=,{},,x}'
    assert parse_braces(source) == ["1", ['"a, ""b"" {c}"', "-5", ["0"]], "#base64:ABCD=", [], "", "x"]


def test_braces_nest_without_end() -> None:
    found: object = parse_braces("{" * 50_000 + "}" * 50_000)
    depth = 0
    while isinstance(found, list) and found:
        found = found[0]
        depth += 1
    assert depth == 49_999


def test_the_module() -> None:
    assert form_bin_module(form_bin("Перем А;\r\n")) == "Перем А;\r\n"
    assert form_bin_module(form_bin("")) == ""
    assert form_bin_module(form_bin(None)) is None


def test_the_form() -> None:
    assert read_form_bin(form_bin()).form == ordinary_body()
    form = read_ordinary_form(ORDINARY, form_bin(), ORDINARY_MEANINGS.get)
    assert [(e.name, e.type, e.parent) for e in form.elements] == [
        ("Надпись", "Label", None),
        ("Панель", "Panel", None),
        ("ПолеКлиента", "Field", "Панель"),
        ("Номер", "Field", "Панель"),
        ("Панель действий", "CommandPanel", None),
        ("Печать", "CommandBarButton", "Панель действий"),
        ("Свободное", "Field", None),
        ("ВСтроке", "Field", None),
        ("Неведомое", "00000000-0000-4000-8000-00000000e000", None),
    ]
    by_name = {e.name: e for e in form.elements}
    assert by_name["Надпись"].title == {"ru": "Клиент:"}
    assert [(e.name, e.data_path, e.proof) for e in form.elements if e.data_path] == [
        ("ПолеКлиента", "ДокументОбъект.Клиент", "metadata-uuid"),
        ("Номер", "ДокументОбъект.Number", "standard-attribute"),
    ]
    # an attribute of the same name is no binding, a current row is not decoded
    assert by_name["Свободное"].problem is None
    assert "current row" in (by_name["ВСтроке"].problem or "")
    assert [(h.event, h.procedure) for h in by_name["ПолеКлиента"].handlers] == [
        ("OnChange", "КлиентПриИзменении"),
        ("StartChoice", "КлиентНачалоВыбора"),
    ]
    assert [(h.event, h.procedure) for h in by_name["Печать"].handlers] == [("Action", "НапечататьЗаказ")]
    assert [(h.event, h.event_id, h.procedure) for h in form.events] == [
        ("OnOpen", "70001", "ПриОткрытии"),
        (None, "30001", "ПередЗаписью"),
    ]
    assert [(a.name, a.types, a.main) for a in form.attributes] == [
        ("ДокументОбъект", ("DocumentObject.Заказ",), True),
        ("Свободное", ("String",), False),
    ]
    assert [warning.code for warning in form.warnings] == ["binding-unproven", "class-unknown"]
