"""From the text of a message to the template it was made from."""

from __future__ import annotations

import pytest

from bsl_scout.retrieval.messages import match_message, message_words

CODE = """Процедура Проверить()
	Текст = НСтр("ru = 'Заказ %1 от %2 нельзя провести: не хватает товара ""%3"" на складе.'; en = 'Out of stock'");
	Иной = НСтр("ru = 'Укажите получателя
	|письма.'");
	Третий = НСтр("ru = 'Нет строк'");
КонецПроцедуры"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Заказ %1 от %2 нельзя провести: не хватает товара %3 на складе.", 1),
        ("Заказ 0015 от 01.02.2024 нельзя провести: не хватает товара Болт на складе.", 1),
        ("Ошибка! ЗАКАЗ 15 от 1 мая нельзя провести: не хватает товара «Шкаф двойной» на складе", 1),
        ("нельзя провести: не хватает товара", 1),
        ("Укажите получателя письма.", 2),
        ("Нет строк!", 4),
    ],
)
def test_the_template_is_found(text: str, line: int) -> None:
    found = match_message(message_words(text), CODE)
    assert found is not None
    assert found.line == line


@pytest.mark.parametrize(
    "text",
    [
        "на складе товара заказ провести",
        "как провести заказ если не хватает денег у покупателя",
        "заказ",
        "Письмо получателя укажите",
        "получателя письма",
        "нет строк тут",
    ],
)
def test_words_of_a_message_in_another_order_are_no_quotation(text: str) -> None:
    assert match_message(message_words(text), CODE) is None


def test_a_better_fit_is_worth_more() -> None:
    whole = match_message(message_words("Укажите получателя письма"), CODE)
    longer = match_message(message_words("Укажите получателя письма и ещё тему вложения и подпись"), CODE)
    assert whole is not None and longer is not None
    assert longer.quality < whole.quality == 1.0
