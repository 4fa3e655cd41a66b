"""Training pairs: what is said about code with the code, twins of two languages, nothing of what is held out."""

from __future__ import annotations

from dataclasses import replace

from bsl_scout.bsl.text import content_hash
from bsl_scout.encoding.pairs import (
    Procedure,
    Titled,
    body_text,
    comment_pairs,
    description,
    first_sentence,
    make_pairs,
    messages,
    procedure_pairs,
    titled_pairs,
    twin_pairs,
    without_copies,
    without_held,
)

CODE = """Процедура ПроверитьОстаток(Знач Товар, Склад) Экспорт
	// Сначала узнаем свободный остаток
	Остаток = СвободныйОстаток(Товар, Склад);
	Если Остаток < 0 Тогда
		Сообщить(НСтр("ru = 'На складе %1 не хватает товара'"));
	КонецЕсли;
КонецПроцедуры"""


def procedure(name: str = "ПроверитьОстаток", doc: str = "", code: str = CODE, owner: str = "u1", number: int = 1):
    return Procedure(
        name, ("Склады",), ("Товар", "Склад"), doc, code, (owner, "", "Модуль"), number, content_hash(code)
    )


def test_a_procedures_own_name_is_no_part_of_its_body() -> None:
    pairs = dict(procedure_pairs(procedure()))
    assert pairs["ПроверитьОстаток"].startswith("Товар Склад Сначала узнаем")
    assert "ПроверитьОстаток" not in body_text(CODE, "ПроверитьОстаток").split()


def test_a_doc_sentence_goes_with_the_code_and_with_the_name() -> None:
    found = list(
        procedure_pairs(procedure(doc="Проверяет, хватает ли товара. Подробности ниже.\n\nПараметры:\n Товар"))
    )
    answers = [text for said, text in found if said == "Проверяет, хватает ли товара."]
    assert len(answers) == 2
    assert answers[1] == "Склады ПроверитьОстаток Товар Склад"
    assert all("Проверяет" not in answer for answer in answers)


def test_what_doc_sentences_are_left_out() -> None:
    assert first_sentence("См. ОбщийМодуль.Метод и дальше", "А") is None
    assert first_sentence("Проверить остаток товара", "ПроверитьОстатокТовара") is None
    assert first_sentence("Коротко.", "А") is None
    assert first_sentence("Параметры:\n Товар - СправочникСсылка", "А") is None
    assert first_sentence("Checks the free stock. Then more.", "Check") == "Checks the free stock."
    assert description("Считает сумму.\nПараметры:\n  А - Число") == "Считает сумму."


def test_comments_and_messages() -> None:
    assert [comment for comment, _ in comment_pairs(CODE)] == ["Сначала узнаем свободный остаток"]
    assert next(iter(comment_pairs(CODE)))[1].startswith("Остаток СвободныйОстаток Товар Склад")
    assert messages(CODE) == ["На складе не хватает товара"]
    assert list(comment_pairs("// @skip-check query-in-loop и дальше\nЗапрос = Новый Запрос;")) == []


def test_twins_are_told_by_owner_and_order() -> None:
    russian = [procedure(number=1), procedure("Закрыть", number=2)]
    english = [procedure("CheckBalance", "Checks the free stock.", number=1), procedure("Close", number=2)]
    pairs = list(twin_pairs(russian + english))
    assert ("ПроверитьОстаток", "CheckBalance") in pairs
    assert ("Закрыть", "Close") in pairs
    assert any(said == "Checks the free stock." and "ПроверитьОстаток" in code for said, code in pairs)
    assert list(twin_pairs([*russian, english[0]])) == []
    assert list(twin_pairs([*russian, *(replace(one, owner=("u2", "", "Модуль")) for one in english)])) == []


def test_titles_go_with_each_other_and_with_names() -> None:
    pairs = list(titled_pairs(Titled(("Контрагенты", "Counterparties"), ("Контрагенты", "Catalog Контрагенты"))))
    assert ("Контрагенты", "Counterparties") in pairs
    assert ("Counterparties", "Catalog Контрагенты") in pairs


def test_nothing_of_a_held_out_procedure_is_left() -> None:
    doc = "Проверяет, хватает ли товара."
    same_body = procedure("Другая", owner="u2")
    same_doc = procedure("Третья", doc, CODE.replace("Остаток", "Итог"), "u3")
    other = procedure("Прочая", "Отправляет письмо менеджеру.", CODE.replace("Склад", "Почта"), "u4")
    assert without_held([same_body, same_doc, other], [procedure(doc=doc)]) == [other]


def test_copies_count_once_and_the_seed_gives_the_order() -> None:
    assert len(without_copies([procedure(), procedure(), procedure(owner="u2")])) == 2
    some = [procedure(f"Имя{number}", number=number) for number in range(20)]
    assert make_pairs(some, [], 1) == make_pairs(some, [], 1)
    assert make_pairs(some, [], 1) != make_pairs(some, [], 2)
    assert sorted(make_pairs(some, [], 1)) == sorted(make_pairs(some, [], 2))
