"""Procedure boundaries: the tricky corpus, properties of a header, and code that is being typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bsl_scout.bsl.scanner import Annotation, Parameter, Procedure, scan
from bsl_scout.bsl.text import LineIndex, decode
from support import GRAMMARS

SNIPPETS = sorted((GRAMMARS / "corpus").glob("*.bsl"))


def procedures(text: str) -> list[Procedure]:
    return scan(text, LineIndex(text))


def test_the_tricky_corpus_is_there() -> None:
    assert len(SNIPPETS) >= 22


@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_boundaries_of_the_tricky_corpus(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text(encoding="utf-8"))
    found = [
        {
            "kind": p.kind,
            "name": p.name,
            "export": p.export,
            "start_line": p.line + 1,
            "end_line": p.end_line + 1,
        }
        for p in procedures(decode(path.read_bytes()).text)
    ]
    assert found == expected["expected_procedures"]


HEADER = """#Область Внешняя
#Region Inner
// Пересчитывает суммы.
//
// Параметры:
//  Сумма - Число

&НаСервере
&Вместо("Пересчитать")
Асинх Функция Расш_Пересчитать(Знач Сумма, // комментарий, с запятой
	Курс = 1.5, Текст = "а, ""б"")", &Аннотация Дата = '20240101') Экспорт
	Возврат Сумма;
КонецФункции
#EndRegion
#КонецОбласти
"""


def test_everything_about_a_header() -> None:
    (found,) = procedures(HEADER)
    assert (found.kind, found.name, found.export, found.is_async) == (
        "function",
        "Расш_Пересчитать",
        True,
        True,
    )
    assert found.parameters == (
        Parameter("Сумма", None, True),
        Parameter("Курс", "1.5", False),
        Parameter("Текст", '"а, ""б"")"', False),
        Parameter("Дата", "'20240101'", False),
    )
    assert found.annotations == (Annotation("НаСервере", None), Annotation("Вместо", "Пересчитать"))
    assert found.regions == ("Внешняя", "Inner")
    assert (found.line, found.end_line, found.closed) == (9, 12, True)


def test_a_doc_comment_ends_at_a_blank_line() -> None:
    text = "// Чужой заголовок\n\n// Своё\n// описание\nПроцедура А()\nКонецПроцедуры\n"
    (found,) = procedures(text)
    assert found.doc == "Своё\nописание"
    assert text[found.top :].startswith("// Своё")


def test_two_procedures_on_one_line() -> None:
    found = procedures("Процедура А() КонецПроцедуры Процедура Б() Экспорт КонецПроцедуры")
    assert [(p.name, p.export) for p in found] == [("А", False), ("Б", True)]


def test_end_words_in_strings_and_comments_end_nothing() -> None:
    text = 'Функция А()\n\tБ = "КонецФункции"; // КонецФункции\n\tВ = "\n\t|КонецФункции";\nКонецФункции\n'
    (found,) = procedures(text)
    assert found.end_line == 4


def test_a_second_definition_under_another_condition() -> None:
    text = "#Если Сервер Тогда\nПроцедура А()\nКонецПроцедуры\n#Иначе\nПроцедура А()\nКонецПроцедуры\n#КонецЕсли\n"
    assert [p.line for p in procedures(text)] == [1, 4]


MODULE = """
// Первая
Процедура Первая()
	А = 1;
КонецПроцедуры

&НаКлиенте
Процедура Ломаемая(Отказ)
	Если Отказ Тогда
		Сообщить("текст");
	КонецЕсли;
КонецПроцедуры

// Описание
&НаСервере
Функция Третья(А, Б) Экспорт
	Возврат А + Б;
КонецФункции
"""

BREAKS = [
    ("Сообщить(", "Если Объект."),
    ('"текст"', '"текст'),
    ("КонецЕсли;", ""),
    ("КонецПроцедуры\n\n// О", "\n\n// О"),
    ("Если Отказ Тогда", "Попытка"),
    ("(Отказ)", "("),
    ("(Отказ)", ""),
    ("Сообщить", 'Т = "незакрытая\n\t\tСообщить'),
    ("КонецПроцедуры\n\n// О", "КонецФункции\n\n// О"),
    ("Если Отказ", "Для Каждого"),
]


@pytest.mark.parametrize(("old", "new"), BREAKS, ids=range(len(BREAKS)))
def test_a_break_costs_no_other_procedure(old: str, new: str) -> None:
    """Whatever is half-typed in one procedure, its neighbours keep their names, texts and comments."""
    whole, broken = procedures(MODULE), procedures(MODULE.replace(old, new, 1))
    text = MODULE.replace(old, new, 1)
    assert [p.name for p in broken] == ["Первая", "Ломаемая", "Третья"]
    for position in (0, 2):
        before, after = whole[position], broken[position]
        assert MODULE[before.top : before.end] == text[after.top : after.end]
        assert (before.doc, before.annotations, before.export) == (after.doc, after.annotations, after.export)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("&а   " * 14 + "! Процедура Ф()", 0),
        ("Процедура А(\n" * 4_000, 4_000),
        ('Процедура А(""""\n' * 5_000, 5_000),
        ('Процедура А() Б("я"); КонецПроцедуры ' * 2_000, 2_000),
    ],
    ids=["annotations", "open lists", "quotes", "one line"],
)
def test_absurd_input_takes_no_time(text: str, count: int) -> None:
    """These took from seconds to minutes; the count proves that they are read through."""
    assert len(procedures(text)) == count


def test_invisible_marks_before_a_header_hide_nothing() -> None:
    text = decode("\ufeff\ufeffПроцедура А()\nКонецПроцедуры\n\ufeffПроцедура Б()\nКонецПроцедуры".encode()).text
    assert [p.name for p in procedures(text)] == ["А", "Б"]


def test_an_unclosed_procedure_ends_before_the_next_ones_comment() -> None:
    text = "Процедура А()\n\tБ();\n\n// О второй\nПроцедура В()\nКонецПроцедуры"
    first, second = procedures(text)
    assert not first.closed
    assert text[first.start : first.end] == "Процедура А()\n\tБ();"
    assert second.doc == "О второй"
