"""What counts as calling something by its name."""

from __future__ import annotations

import pytest

from bsl_scout.bsl.names import text_terms
from bsl_scout.retrieval.titles import asks_for_action, asks_for_metadata, title_quality

FIELD = "Обработка.ЗагрузкаКурсов.Реквизит.Курс\nКурс · Rate\nОбработка · DataProcessor · Загрузка курсов валют"
OBJECT = "Обработка.ЗагрузкаКурсов\nЗагрузка курсов валют\nОбработка · DataProcessor"


def quality(query: str, title: str) -> float:
    return title_quality(text_terms(query), title)


def test_a_field_with_its_object() -> None:
    assert quality("Курс, Загрузка курсов валют", FIELD) == 1.0
    assert quality("Rate", FIELD) == 1.0
    assert quality("Курс, Загрузка курсов валют", FIELD) > quality("Курс, Загрузка курсов валют", OBJECT) > 0
    assert quality("Загрузка курсов валют", OBJECT) > quality("Загрузка курсов валют", FIELD)


@pytest.mark.parametrize("query", ["обработка загрузка курсов валют", "Загрузка курсов валют", "загрузки курса валют"])
def test_an_object_with_or_without_its_kind(query: str) -> None:
    assert quality(query, OBJECT) >= 0.9


@pytest.mark.parametrize("query", ["загрузка", "валюты", "как происходит загрузка курсов валют из интернета", "ъ"])
def test_other_questions_are_no_titles(query: str) -> None:
    assert quality(query, OBJECT) == 0.0


def test_a_setting_that_begins_with_a_verb_is_what_it_is_called() -> None:
    command = "Обработка.Файлы.Команда.Х\nХранить файлы в томах на диске\nОбработка · DataProcessor"
    constant = "Константа.Х\nХранить файлы в томах на диске\nКонстанта · Constant"
    query = text_terms("Хранить файлы в томах на диске")
    assert title_quality(query, constant, whole_only=True) == 1.0
    assert title_quality(query, command, whole_only=True) == 0.0
    # a part of it, and two words, are an action rather
    assert title_quality(text_terms("хранить файлы в томах"), constant, whole_only=True) == 0.0
    assert title_quality(text_terms("хранить файлы"), "Константа.Х\nХранить файлы\nКонстанта", whole_only=True) == 0.0


def test_what_a_query_asks_for() -> None:
    assert asks_for_metadata("реквизит пути к каталогу")
    assert asks_for_metadata("which catalog stores user groups")
    assert not asks_for_metadata("заполнить реквизит документа")
    assert not asks_for_metadata("перевести доллары в рубли")
    assert asks_for_action("снять резерв")
    assert not asks_for_action("снятие резерва")
