"""Forms of v8unpack exports: elements, bindings with their proof, handlers, commands, what cannot be read."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from bsl_scout.forms.elem_json import read_elem_json
from bsl_scout.forms.form_bin import read_ordinary_form
from bsl_scout.forms.model import Form
from v8_samples import (
    MANAGED,
    MEANINGS,
    ON_OPEN,
    ORDINARY,
    ORDINARY_MEANINGS,
    UNKNOWN_EVENT,
    chain,
    dumped,
    form_bin,
    managed,
    ordinary,
)


def read_managed(elem: Any = None, form: Any = None) -> Form:
    own = managed()
    return read_elem_json(MANAGED, dumped(elem or own[0]), dumped(form or own[1]), MEANINGS.get)


def test_bindings_and_their_proof() -> None:
    bound = {e.name: (e.data_path, e.proof) for e in read_managed().elements if e.data_path}
    assert bound == {
        "Один": ("Выбор", "attribute-id"),
        "Номер": ("Объект.Number", "standard-attribute"),
        "Клиент": ("Объект.Клиент", "metadata-uuid"),
        "ИмяКонтакта": ("Список.Контакт.Имя", "list-field"),
        "Сумма": ("Итоги.Сумма", "child-id"),
        "Добавлена": ("Объект.Дерево.Отметка", "table-address"),
        "Товары": ("Объект.Товары", "metadata-uuid"),
        "ТоварыЦена": ("Объект.Товары.Цена", "metadata-uuid"),
        "ТоварыНомер": ("Объект.Товары.LineNumber", "standard-attribute"),
    }


def test_what_is_not_proven_is_told() -> None:
    form = read_managed()
    problems = {e.name: e.problem for e in form.elements if e.problem}
    assert {name: (problem or "")[:40] for name, problem in problems.items()} == {
        "Неизвестный": "bound to a field with the unknown uuid 3",
        "ЧужойРеквизит": "bound to Catalog.Клиенты.Чужой, which is",
        "ТекущаяСтрока": "bound to a part of the element Товары: s",
        "НеизвестныйСтандартный": "bound to -77 below Объект, which is not ",
    }
    told = {warning.element for warning in form.warnings if warning.code == "binding-unproven"}
    assert told == set(problems)
    assert {e.name for e in form.elements if e.data_path is None and e.problem is None} == {
        "Группа", "Ничей", "Выбор", "ТоварыПанель", "Заполнить",
    }  # fmt: skip


def test_elements_in_order_with_their_parents() -> None:
    elements = read_managed().elements
    assert [(e.name, e.type, e.parent, e.generated) for e in elements if e.parent != "Группа"] == [
        ("Группа", "Group", None, False),
        ("Товары", "Table", None, False),
        ("ТоварыПанель", "Group", "Товары", True),
        ("Заполнить", "Button", "ТоварыПанель", False),
        ("ТоварыЦена", "Field", "Товары", False),
        ("ТоварыНомер", "Field", "Товары", False),
    ]
    by_name = {e.name: e for e in elements}
    assert by_name["Заполнить"].command == "Form.Command.Заполнить"
    assert by_name["Один"].title == {"ru": "Один"}
    assert by_name["Товары"].id == "20"


def test_handlers_commands_attributes_parameters() -> None:
    form = read_managed()
    one = next(e for e in form.elements if e.name == "Один")
    assert [(h.event, h.event_id, h.procedure) for h in one.handlers] == [
        ("OnChange", "fe115cc8-9e33-4684-a166-bd5136fe7a9f", "ОдинПриИзменении"),
        (None, UNKNOWN_EVENT, "ОдинЧтоТо"),
        ("StartChoice", "1960479b-4d89-4eba-8b39-0aa802020558", "ОдинНачалоВыбора"),
    ]
    assert [(h.event, h.procedure) for h in form.events] == [("OnOpen", "ПриОткрытии")]
    assert [(c.name, [a.procedure for a in c.actions], dict(c.title)) for c in form.commands] == [
        ("Заполнить", ["ЗаполнитьТовары"], {"ru": "Заполнить"})
    ]
    assert [(p.name, p.types, p.key) for p in form.parameters] == [("Ключ", ("Boolean",), True)]
    assert [(a.name, a.types, a.main) for a in form.attributes] == [
        ("Объект", ("DocumentObject.Заказ",), True),
        ("Список", ("DynamicList",), False),
        ("Итоги", ("ValueTable",), False),
        ("Выбор", ("CatalogRef.Клиенты", "String(50)", f"Ref#{ON_OPEN}"), False),
    ]
    own, listed, table, _ = form.attributes
    assert (listed.main_table, listed.query) == ("Document.Заказ", "ВЫБРАТЬ 1")
    assert [(c.name, c.types, c.table) for c in own.columns] == [("Отметка", ("Number(10,2)",), "Объект.Дерево")]
    assert [c.name for c in listed.columns] == ["Контакт", "Контакт.Имя"]
    assert [c.name for c in table.columns] == ["Сумма"]


def test_an_extension_adds_its_procedure() -> None:
    elem, form = managed()
    raw = elem["commands"][0]["raw"]
    raw[8] = '""'
    raw[15:] = ["2", "0", '"Расш_После"', "1", "0", "2"]
    (command,) = read_managed(elem, form).commands
    assert [(a.procedure, a.call_type) for a in command.actions] == [("Расш_После", "After")]


def test_handlers_of_an_unknown_layout_are_told() -> None:
    elem, form = managed()
    form["form"][0][0][1][2] += ['"Расш_ПриОткрытии"', "1"]
    found = read_managed(elem, form)
    assert [h.procedure for h in found.events] == ["ПриОткрытии"]
    assert "handlers-unknown" in {warning.code for warning in found.warnings}


def test_a_counter_that_leads_astray_leaves_a_gap() -> None:
    elem, form = managed()
    elem["data"]["Группа/Клиент"]["raw"][3] = "1"
    found = read_managed(elem, form)
    client = next(e for e in found.elements if e.name == "Клиент")
    assert (client.data_path, client.problem) == (None, "its layout is not recognised")
    assert [w.element for w in found.warnings if w.code == "layout-unknown"] == ["Клиент"]


def test_two_attributes_of_one_id_prove_nothing() -> None:
    elem, form = managed()
    twin = copy.deepcopy(elem["props"][3])
    twin["raw"][3] = '"Двойник"'
    elem["props"].append(twin)
    found = read_managed(elem, form)
    assert next(e for e in found.elements if e.name == "Один").data_path is None
    assert "attribute-unknown" in {warning.code for warning in found.warnings}


def test_ordinary_as_v8unpack_takes_it_apart_equals_form_bin() -> None:
    elem, form = ordinary()
    apart = read_elem_json(ORDINARY, dumped(elem), dumped(form), ORDINARY_MEANINGS.get)
    assert apart == read_ordinary_form(ORDINARY, form_bin(), ORDINARY_MEANINGS.get)
    assert len([e for e in apart.elements if e.data_path]) == 2


def test_an_area_in_a_file_of_its_own() -> None:
    elem, form = ordinary()
    panel = next(node for node in elem["tree"] if node["name"] == "Панель")
    children = panel["child"]
    for old in ("include_Панель", "include_core_Панель"):
        inner, part = copy.deepcopy(elem), {}
        panel = next(node for node in inner["tree"] if node["name"] == "Панель")
        panel |= {"name": old, "child": "В отдельном файле"}
        part = {"tree": children, "data": {}}
        for key in [key for key in inner["data"] if key.startswith("Страница1/Панель")]:
            record = inner["data"].pop(key)
            rest = key.removeprefix("Страница1/Панель")
            if rest:
                part["data"][old + rest] = record
            else:
                record["raw"][4][1] = f'"{old}"'
                inner["data"][f"Страница1/{old}"] = record
        found = read_elem_json(ORDINARY, dumped(inner), dumped(form), ORDINARY_MEANINGS.get, {"Панель": dumped(part)})
        paths = {e.name: (e.parent, e.data_path) for e in found.elements}
        if old == "include_Панель":
            assert paths["ПолеКлиента"] == (old, "ДокументОбъект.Клиент")
        else:
            assert "ПолеКлиента" not in paths
            assert "part-elsewhere" in {warning.code for warning in found.warnings}


@pytest.mark.parametrize(
    ("elem", "form", "code"),
    [
        (None, dumped(managed()[1]), "elem-json-missing"),
        (dumped(managed()[0]), None, "form-json-missing"),
        (b"{", dumped(managed()[1]), "elem-json-broken"),
        (b"\xff\xfe", dumped(managed()[1]), "elem-json-broken"),
        (b"[" * 100_000, dumped(managed()[1]), "elem-json-broken"),
        (b"[]", dumped(managed()[1]), "elem-json-broken"),
        (dumped(managed()[0]), b"{}", "layout-unknown"),
        (dumped(managed()[0]), dumped({"form": [["x"]], "Тип формы": "1"}), "layout-unknown"),
        (dumped(managed()[0]), dumped({"form": [[["1"]]], "Тип формы": "0"}), "layout-unknown"),
        (dumped(managed()[0]), dumped({"form": [[["1"]]], "Тип формы": "7"}), "layout-unknown"),
        (dumped(managed()[0] | {"tree": ["x"]}), dumped(managed()[1]), "tree-unknown"),
        (dumped(managed()[0] | {"data": {}}), dumped(managed()[1]), "element-unknown"),
    ],
)
def test_broken_sources_are_named(elem: bytes | None, form: bytes | None, code: str) -> None:
    found = read_elem_json(MANAGED, elem, form, MEANINGS.get)
    assert code in {warning.code for warning in found.warnings}
    assert not [e for e in found.elements if e.data_path]


def test_an_empty_chain_below_is_not_bound() -> None:
    elem, form = managed()
    elem["data"]["Группа/Один"]["raw"][11] = chain()
    assert next(e for e in read_managed(elem, form).elements if e.name == "Один").data_path is None


def test_elements_that_the_tree_does_not_name_are_told() -> None:
    elem, form = managed()
    elem["tree"] = elem["tree"][1:]
    found = read_elem_json(MANAGED, dumped(elem), dumped(form), MEANINGS.get)
    (told,) = (warning for warning in found.warnings if warning.code == "tree-incomplete")
    assert told.text == "the tree of the form does not name all its elements: 13"


def test_an_element_of_an_ordinary_form_that_is_too_short() -> None:
    elem, form = ordinary()
    elem["data"]["Страница1/Надпись"]["raw"] = ["x"]
    found = read_elem_json(ORDINARY, dumped(elem), dumped(form), ORDINARY_MEANINGS.get)
    assert "element-unknown" in {warning.code for warning in found.warnings}
    assert "Надпись" not in {element.name for element in found.elements}
    assert "ПолеКлиента" in {element.name for element in found.elements}
