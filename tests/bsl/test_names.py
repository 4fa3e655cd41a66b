"""Identifiers and texts as terms."""

from __future__ import annotations

import pytest

from bsl_scout.bsl.names import code_and_notes, split_identifier, stem, text_terms


@pytest.mark.parametrize(
    ("identifier", "parts"),
    [
        ("ПересчитатьВВалюту", ["Пересчитать", "В", "Валюту"]),
        ("НДСПоСтавке18", ["НДС", "По", "Ставке", "18"]),
        ("ЭтоСтранаУчастникЕАЭС", ["Это", "Страна", "Участник", "ЕАЭС"]),
        ("СоздатьВТКонтактнаяИнформация", ["Создать", "ВТ", "Контактная", "Информация"]),
        ("HTTPСервис", ["HTTP", "Сервис"]),
        ("атс_HTTPСервис1", ["атс", "HTTP", "Сервис", "1"]),
        ("GetURLFromText", ["Get", "URL", "From", "Text"]),
        ("УчётСчётов", ["Учёт", "Счётов"]),
    ],
)
def test_camel_case(identifier: str, parts: list[str]) -> None:
    assert split_identifier(identifier) == parts


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("валюты", "валют"),
        ("загружены", "загружен"),
        ("учётом", "учетом"),
        ("Курсов", "курсы"),
        ("files", "file"),
    ],
)
def test_word_forms_share_a_term(left: str, right: str) -> None:
    assert text_terms(left) == text_terms(right)


def test_a_code_is_a_term_of_its_own() -> None:
    assert "нф-001" in text_terms("акт НФ-001 от поставщика")
    assert {"ндс-18", "ндс", "18"} <= set(text_terms("ставка НДС-18"))
    assert not [term for term in text_terms("красно-белый 2024-01-31") if "-" in term]


def test_an_identifier_is_found_whole_and_by_its_parts() -> None:
    assert text_terms("ЗаполнитьПоОстаткам") == ["заполн", "по", stem("остаткам"), "заполнитьпоостаткам"]


def test_code_and_notes() -> None:
    words, notes = code_and_notes(
        "Если А Тогда // проверка\n\tСообщить(НСтр(\"ru = 'Нет остатка'; en = 'No stock'\"));\n"
        '\tЗапрос.Текст = "ВЫБРАТЬ Остатки.Склад // не комментарий\n\t|ИЗ РегистрНакопления.Остатки";\n'
    )
    assert notes.split("\n") == [" проверка", "Нет остатка", "No stock"]
    assert {"Сообщить", "Остатки", "Склад", "РегистрНакопления", "комментарий"} <= set(words)
    assert "проверка" not in words


def test_doubled_quotes_do_not_end_a_string() -> None:
    words, notes = code_and_notes(
        'Текст = НСтр("ru = \'Макет ""%1"" не существует\'"); Иное = "а""б"; // тут "кавычка\nВ = 1;'
    )
    assert notes.split("\n") == ['Макет ""%1"" не существует', ' тут "кавычка']
    assert words == ["Текст", "НСтр", "Иное", "В", "1", "а", "б"]
