"""What the procedures of a form's module call their own: parameters, variables, everything without a context."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bsl_scout.features.form_places import path_in_module, thing_in_module
from bsl_scout.features.form_scope import scope_at, scopes
from bsl_scout.forms.model import Column, Element, Form, FormAttribute
from form_samples import place

MODULE = """&НаКлиенте
Перем Модульная;

&НаКлиенте
Процедура Видна(Команда)
\tСписок.Обновить();
\tСписок = Новый СписокЗначений;
\tЭлементы.Список.Видимость = Истина;
КонецПроцедуры

// Слово Процедура в комментарии
&НаСервере
Асинх Функция Закрыта(Знач Список,
\tЭлементы = Неопределено) Экспорт
\tСписок.Обновить();
\tЭлементы.Список.Видимость = Истина;
\tЭтаФорма.Список.Обновить();
\tЭтотОбъект.Элементы.Список.Видимость = Истина;
КонецФункции

Процедура Своя()
\tПерем А, список; // Перем Иное
\tСписок.Обновить();
КонецПроцедуры

&НаСервереБезКонтекста
Procedure Чужая()
\tСписок.Обновить();
EndProcedure

Список.Обновить();
"""
LINES = MODULE.splitlines(keepends=True)
LIST = FormAttribute("Список", columns=(Column("Код"),))
TABLE = Element("Список", "Table", data_path="Список")
FORM = Form(place(), (TABLE,), (LIST,))


def thing(line: int, word: str) -> object:
    return thing_in_module(FORM, LINES, line, LINES[line].index(word) + 1)


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [
        (5, "Список", LIST),
        (6, "Список", LIST),  # the attribute is assigned to: a name that the form has is no new variable
        (7, "Список", TABLE),
        (12, "Список", None),
        (14, "Список", None),
        (15, "Список", None),
        (16, "Список", LIST),
        (17, "Список", TABLE),
        (22, "Список", None),
        (27, "Список", None),
        (30, "Список", LIST),
    ],
)
def test_own_names_are_not_the_forms(line: int, word: str, expected: object) -> None:
    assert thing(line, word) == expected


def test_paths_that_begin_with_an_own_name_are_none() -> None:
    for line, known in ((5, True), (14, False), (16, True), (22, False), (27, False), (30, True)):
        found = path_in_module(FORM, LINES, line, LINES[line].index("Обновить") + 1)
        assert (found is not None) == known, line


def test_the_scope_of_a_line_is_that_of_the_whole_module() -> None:
    found = scopes(MODULE)
    assert [(one.first, one.last, one.context) for one in found] == [
        (4, 8, True), (12, 18, True), (20, 23, True), (26, 28, False),
    ]  # fmt: skip
    assert [sorted(one.names) for one in found] == [["команда"], ["список", "элементы"], ["а", "список"], []]
    for line in range(len(LINES)):
        expected = next((one for one in found if one.first <= line <= one.last), None)
        assert scope_at(LINES, line) == expected, line


@pytest.mark.parametrize("text", ["", "КонецПроцедуры", "Процедура", "Процедура А(", "Процедура А()\nСписок = 1;"])
def test_unfinished_code_does_not_raise(text: str) -> None:
    lines = text.split("\n")
    for line in range(len(lines)):
        scope_at(lines, line)
    assert len(scopes(text)) <= 1


def test_ordinary_forms_name_their_elements_otherwise() -> None:
    ordinary = replace(FORM, place=replace(FORM.place, kind="ordinary"))
    for head, managed in (("Элементы", True), ("Items", True), ("ЭлементыФормы", False), ("Controls", False)):
        lines = [f"{head}.Список.Видимость = Истина;"]
        at = len(head) + 2
        assert thing_in_module(FORM, lines, 0, at) == (TABLE if managed else None), head
        assert thing_in_module(ordinary, lines, 0, at) == (None if managed else TABLE), head
