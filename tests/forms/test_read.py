"""Reading a form never raises: sources and modules that are absent or broken are told; the commands of forms."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bsl_scout.forms.model import Form, FormPlace
from bsl_scout.forms.read import read_form
from bsl_scout.forms.sources import form_files
from form_samples import DESIGNER, EDT, FORM_ID, MODULE, SOURCE, dump, place
from support import DEMO, Write, run_cli
from v8_samples import form_bin, managed


def codes(form: Form) -> list[str]:
    return [warning.code for warning in form.warnings]


def read(top: Path, where: FormPlace) -> Form:
    return read_form(top, where, lambda name: None, lambda uuid: None)


def test_an_absent_source_gives_an_empty_form(tmp_path: Path) -> None:
    form = read(tmp_path, place())
    assert form == replace(form, elements=(), attributes=(), commands=(), events=(), parameters=())
    assert codes(form) == ["source-missing"]
    assert str(tmp_path) not in form.warnings[0].text


@pytest.mark.parametrize(
    "data",
    [DESIGNER.encode()[:3000], b"", b"\0\1", b"<!DOCTYPE a [<!ENTITY b 'c'>]><Form>&b;</Form>", b"<a>" * 5000],
    ids=["cut", "empty", "binary", "entity", "deep"],
)
def test_a_broken_source_gives_an_empty_form(write: Write, data: bytes) -> None:
    top = write({SOURCE: data})
    form = read(top, place())
    assert form.elements == ()
    assert codes(form) == ["source-broken"]
    assert form.warnings[0].text.startswith(f"{SOURCE}: ")
    assert str(top) not in form.warnings[0].text


def test_a_folder_in_the_place_of_a_source(tmp_path: Path) -> None:
    (tmp_path / SOURCE).mkdir(parents=True)
    assert codes(read(tmp_path, place())) == ["source-missing"]


def test_an_edt_form_without_a_module_names_handlers_all_the_same(write: Write) -> None:
    form = read(write({"Form.form": EDT}), place("edt"))
    assert codes(form) == ["no-module"]
    assert [(event.procedure, event.found) for event in form.events] == [("ПриОткрытии", False), ("Нет", False)]


def test_a_form_without_handlers_needs_no_module(write: Write) -> None:
    text = '<form:Form xmlns:form="http://g5.1c.ru/v8/dt/form"/>'
    assert codes(read(write({"Form.form": text}), place("edt"))) == []


@pytest.mark.parametrize(
    ("module", "expected", "found"),
    [
        (MODULE.encode(), [], True),
        (MODULE.encode("cp1251"), ["module-text"], True),
        (b"", [], False),
        (b"\xef\xbb\xbf", [], False),
        (bytes(range(256)) * 20, ["module-text"], False),
    ],
    ids=["utf-8", "windows-1251", "empty", "mark", "binary"],
)
def test_modules(write: Write, module: bytes, expected: list[str], found: bool) -> None:
    form = read(write({"Form.form": EDT, "M.bsl": module}), place("edt", "M.bsl"))
    assert codes(form) == expected
    assert form.events[0].found == found


def test_a_module_that_has_gone(write: Write) -> None:
    form = read(write({"Form.form": EDT}), place("edt", "M.bsl"))
    assert codes(form) == ["module-unreadable"]
    assert form.warnings[0].text == "M.bsl is not read: No such file or directory"


def test_an_ordinary_form_brings_its_module_along(write: Write) -> None:
    where = replace(place(), kind="ordinary", path="Form.bin")
    form = read(write({"Form.bin": form_bin()}), where)
    assert "no-module" not in codes(form)
    opened = next(event for event in form.events if event.procedure == "ПриОткрытии")
    assert (opened.found, opened.line) == (True, 0)
    assert codes(read(write({"Form.bin": form_bin(None)}), where))[-1] == "no-module"
    assert codes(read(write({"Form.bin": b"?"}), where)) == ["form-bin-broken"]


def test_the_files_of_an_ordinary_form(write: Write) -> None:
    where = replace(place(), kind="ordinary", path="Form.bin")
    files = form_files(write({"Form.bin": form_bin("Процедура А()")}), where)
    assert (files.has_bsl, files.elem_sha256) == (True, sha256(form_bin("Процедура А()")).hexdigest())
    assert files.bsl_sha256
    files = form_files(write({"Form.bin": b"?"}), where)
    assert (files.has_bsl, files.bsl_sha256, files.elem_sha256) == (False, None, sha256(b"?").hexdigest())


def test_a_form_of_an_export(write: Write) -> None:
    where = replace(place("v8unpack"), path="Form")
    elem, form = managed()
    top = write({"Form/DocumentForm.elem.json": json.dumps(elem), "Form/DocumentForm.json": json.dumps(form)})
    assert codes(read(top, where))[-1] == "no-module"
    assert read(top, where).elements
    assert codes(read(top, replace(where, path="Нет"))) == ["source-missing"]


def show(top: Path, form: str, *options: str) -> dict[str, Any]:
    value = json.loads(run_cli("form", top, form, "--json", *options).stdout)
    assert isinstance(value, dict)
    return value


def test_the_command_lists_forms(write: Write) -> None:
    top = write(dump())
    assert json.loads(run_cli("forms", top, "--json").stdout) == [
        {
            "id": FORM_ID,
            "id_en": "Document.Заказ.Form.Форма",
            "kind": "managed",
            "format": "designer",
            "path": SOURCE,
            "module": "Documents/Заказ/Forms/Форма/Ext/Form/Module.bsl",
        }
    ]
    assert run_cli("forms", top).stdout == f"{FORM_ID}\t{SOURCE}\n"


def test_the_command_shows_a_form(write: Write) -> None:
    top = write(dump())
    shown = show(top, FORM_ID)
    assert list(shown) == [
        "id", "kind", "format", "path", "module", "elements", "attributes", "commands", "events", "parameters",
        "warnings", "metadata",
    ]  # fmt: skip
    elements = {item["name"]: item for item in shown["elements"]}
    assert elements["Покупатель"] == {
        "name": "Покупатель",
        "type": "InputField",
        "parent": "Шапка",
        "title": "Кому",
        "data_path": "Объект.Покупатель",
        "display_path": "Объект.Покупатель",
        "proof": "xml",
        "types": ["CatalogRef.Контрагенты"],
        "command": None,
        "handlers": [
            {"event": "OnChange", "procedure": "покупательприизменении", "status": "found", "line": 6,
             "call_type": None}
        ],
        "problem": None,
    }  # fmt: skip
    assert "ПокупательМеню" not in elements
    assert "ПокупательМеню" in {item["name"] for item in show(top, FORM_ID, "--all")["elements"]}
    assert shown["commands"] == [
        {"name": "Подбор", "title": "Подобрать", "procedure": "Подбор", "status": "found", "line": 9,
         "call_type": None},
        {"name": "Пустая", "title": None, "procedure": None, "status": None, "line": None, "call_type": None},
    ]  # fmt: skip
    assert [(item["procedure"], item["status"], item["line"]) for item in shown["events"]] == [
        ("ПриОткрытии", "found", 2),
        ("Нет", "missing", None),
    ]
    assert shown["parameters"] == [{"name": "Ключ", "types": ["AnyIBRef"], "key": True}]
    assert shown["attributes"][3] == {
        "name": "Таблица",
        "types": ["ValueTable"],
        "main": False,
        "columns": [{"name": "Сумма", "types": ["Number(15,2)"]}],
    }
    assert shown["metadata"] == {
        "form_path": "Documents/Заказ/Forms/Форма",
        "elem_json_path": SOURCE,
        "bsl_sha256": sha256(MODULE.encode()).hexdigest(),
        "elem_sha256": sha256(DESIGNER.encode()).hexdigest(),
        "has_bsl": True,
        "warnings": [],
    }


@pytest.mark.parametrize("name", ["document.заказ.form.форма", SOURCE, "{top}/" + SOURCE])
def test_the_command_takes_ids_and_paths(write: Write, name: str) -> None:
    top = write(dump())
    assert show(top, name.format(top=top))["id"] == FORM_ID


def test_the_command_tells_what_is_not_there(write: Write) -> None:
    top = write(dump())
    absent = run_cli("form", top, "Документ.Заказ.Форма.Нет", "--json", check=False)
    assert (absent.returncode, absent.stdout) == (1, "")
    assert absent.stderr == (
        "bsl-scout: there is no form Документ.Заказ.Форма.Нет, similar ones:\n  Документ.Заказ.Форма.Форма\n"
    )
    unreadable = run_cli("forms", top / "нет", "--json", check=False)
    assert (unreadable.returncode, unreadable.stdout) == (2, "")
    assert unreadable.stderr.count("\n") == 1
    assert str(top) not in unreadable.stderr


def test_a_broken_form_is_shown_with_its_warning(write: Write) -> None:
    shown = show(write(dump(DESIGNER[:900])), FORM_ID)
    assert shown["elements"] == []
    assert [item["code"] for item in shown["warnings"]] == ["source-broken"]
    assert shown["metadata"]["warnings"] == shown["warnings"]


def test_all_forms_of_the_demo_are_bound() -> None:
    places = json.loads(run_cli("forms", DEMO, "--json").stdout)
    assert len(places) == 9
    form = show(DEMO, "Документ.ЗаказПокупателя.Форма.ФормаДокумента")
    bound = {item["name"]: item for item in form["elements"] if item["data_path"]}
    assert len(bound) > 10
    assert all(item["types"] for item in bound.values())
    assert bound["Номер"]["display_path"] == "Объект.Номер"
    assert form["warnings"] == []
