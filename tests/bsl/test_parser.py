"""Calls, statement borders and errors of procedures, on small texts and on the tricky corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bsl_scout.bsl.grammars import grammar_file
from bsl_scout.bsl.parser import SliceFacts, analyse, compile_query, syntax_captures

FRAGMENTS = [*"А.()?\"'|#&;~\n😀\ud800ё", "//", "Если", "Новый", ".Процедура"]
CORPUS = sorted(grammar_file("corpus").glob("*.expected.json"))


def check_calls(body: str, *expected: str) -> SliceFacts:
    """Calls are written as `line receiver.name`, or `line name` without a receiver."""
    facts = analyse(f"Процедура П()\n{body}\nКонецПроцедуры")
    found = [f"{call.line} {call.receiver + '.' if call.receiver else ''}{call.name}" for call in facts.calls]
    assert found == list(expected)
    assert facts.errors == 0
    return facts


def test_receivers_of_plain_code() -> None:
    facts = check_calls(
        "Сообщить(А);\nВ = ОбщегоНазначения.Значение(Модуль.Метод(), Свойство);\nЗапрос . Выполнить();",
        "1 Сообщить",
        "2 ОбщегоНазначения.Значение",
        "2 Модуль.Метод",
        "3 Запрос.Выполнить",
    )
    assert not facts.masked
    assert facts.statements == ()


def test_receivers_of_chains_leave_arguments_out() -> None:
    check_calls(
        'Выборка = Запрос.Выполнить(Новый Структура("а, б")) // к\n\t.Выбрать(Х[Ф(1)].М());\nА.Б[1].В.Г().Д();',
        "1 Запрос.Выполнить",
        "2 Запрос.Выполнить().Выбрать",
        "2 Ф",
        "2 Х[].М",
        "3 А.Б[].В.Г",
        "3 А.Б[].В.Г().Д",
    )


def test_very_long_receiver_is_cut() -> None:
    text = "А.Б(" + "1, " * 1000 + "2).В();"
    assert [(call.receiver, call.name) for call in analyse(text).calls] == [("А", "Б"), ("А.Б…", "В")]


def test_masked_code_reads_names_from_the_text() -> None:
    facts = check_calls(
        "Учёт = (Ёлка.Зелёная(Ёж) + 1) * 2;\nА = Новый (Тип(Имя));\n"
        "Б = ? (А, Новый Файл(П).Имя(), В).Счёт();\n"
        "Поток.Перейти(1).Новый(2);",
        "1 Ёлка.Зелёная",
        "2 Тип",
        "3 Новый Файл().Имя",
        "3 ?().Счёт",
        "4 Поток.Перейти",
        "4 Поток.Перейти().Новый",
    )
    assert facts.masked


def test_characters_outside_bmp_do_not_shift_offsets() -> None:
    check_calls('А = "😀😀"; Б.Метод(1); // 😀\nВ();', "1 Б.Метод", "2 В")
    check_calls('А = ("😀😀"); Ґ𝒜.Метод(1);\nВ();', "1 Ґ𝒜.Метод", "2 В")
    check_calls('А = "\ud800"; Метод();', "1 Метод")


def test_deleted_code_has_no_calls() -> None:
    facts = check_calls("#Удаление\nСтарый();\n#КонецУдаления\nНовыйМетод();", "4 НовыйМетод")
    assert facts.masked


def test_statements_of_all_levels() -> None:
    text = "Процедура П()\n\tПерем А;\n\tЕсли (А) Тогда // к\n\t\tБ = 1; В();\n\tКонецЕсли;\n\tВозврат\n"
    text += "КонецПроцедуры"
    for source in (text, text.replace("\n", "\r\n"), "// 😀\n" + text):
        starts = analyse(source, want_statements=True).statements
        assert starts == tuple(source.index(word) for word in ("Перем", "Если", "Б = 1", "В()", "Возврат"))


def test_module_body_and_empty_text() -> None:
    assert [call.name for call in analyse("Перем А Экспорт, Б;\nНачать();").calls] == ["Начать"]
    assert analyse("") == SliceFacts((), (), 0, False)


def test_errors_are_counted() -> None:
    facts = analyse("Процедура П()\n\tЕсли Объект.\n\tЗапрос.Выполнить(\nКонецПроцедуры")
    assert facts.errors > 0


def test_captures_are_in_text_order() -> None:
    query = compile_query("(method_call) @call (method_call name: (identifier) @name)")
    assert compile_query("(method_call) @call (method_call name: (identifier) @name)") is query
    text = '// 😀\nА = (Б("😀").В());'
    captures = [(name, text[start:end]) for name, start, end in syntax_captures(text, query)]
    assert captures == [("call", 'Б("😀")'), ("name", "Б"), ("call", "В()"), ("name", "В")]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.text()))
def test_never_raises(parts: list[str]) -> None:
    text = " ".join(parts)
    facts = analyse(text, want_statements=True)
    assert all(0 <= start < len(text) for start in facts.statements)
    assert all(call.line <= text.count("\n") and call.name in text for call in facts.calls)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name.split(".")[0])
def test_corpus(path: Path) -> None:
    expected: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    text = path.with_name(expected["file"]).read_bytes().decode("utf-8-sig")
    facts = analyse(text)
    names = {call.name for call in facts.calls}
    assert set(expected["expected_calls_contain"]) <= names
    assert not names & set(expected.get("expected_calls_absent", ()))
    if not expected["expected_error_free"]:
        return
    assert facts.errors == 0
    lines = text.split("\n")
    for procedure in expected["expected_procedures"]:
        piece = "\n".join(lines[procedure["start_line"] - 1 : procedure["end_line"]])
        assert procedure["name"] in piece
        assert analyse(piece).errors == 0


def test_corpus_is_found() -> None:
    assert len(CORPUS) >= 22
