"""Chunks of a module: procedures, header, body, parts of long procedures."""

from __future__ import annotations

from bsl_scout.bsl.chunks import MAX_PARTS, PART_CHARS, Chunk, outline, parse, uncommented

MODULE = """////////////////////////////////////////
// Copyright (c) 2024, Кто-то
// Все права защищены

#Область ОписаниеПеременных
Перем КэшКурсов Экспорт; // курсы по датам
#КонецОбласти

// Первая.
Процедура Первая()
	Вторая(1);
КонецПроцедуры

Функция Вторая(А)
	Возврат Модуль.Третья(А);
КонецФункции

#Область Инициализация
КэшКурсов = Новый Соответствие;
#КонецОбласти
"""


def by_key(text: str) -> dict[str, Chunk]:
    return {chunk.key: chunk for chunk in outline(text)}


def test_header_procedures_and_body() -> None:
    chunks = by_key(MODULE)
    assert list(chunks) == ["<header>", "первая", "вторая", "<body>"]
    assert "курсы по датам" in chunks["<header>"].text
    assert "Copyright" not in chunks["<header>"].text
    assert chunks["<body>"].text.startswith("КэшКурсов = Новый")
    assert (chunks["первая"].line, chunks["первая"].end_line, chunks["первая"].text_line) == (9, 11, 8)


def test_lines_of_header_and_body_are_those_of_the_module() -> None:
    rows = MODULE.split("\n")
    chunks = by_key(MODULE)
    for key in ("<header>", "<body>"):
        chunk = chunks[key]
        for offset, row in enumerate(chunk.text.split("\n")):
            if row.strip():
                assert rows[chunk.text_line + offset] == row
    between = "Процедура А()\nКонецПроцедуры\n\nБ = 1;\nПроцедура В()\nКонецПроцедуры\n#Если Сервер Тогда\nГ = 1;\n"
    body = by_key(between)["<body>"]
    assert (body.line, body.end_line, body.text.split("\n")) == (3, 7, ["Б = 1;", "", "", "", "Г = 1;"])


def test_a_module_of_comments_only_is_no_chunk() -> None:
    assert outline("// только комментарий\n\n#Область А\n#КонецОбласти\n") == []


def test_code_without_procedures_is_a_body() -> None:
    (body,) = outline("Сообщить(1);\nСообщить(2);\n")
    assert (body.kind, body.line, body.end_line) == ("body", 0, 1)


def test_calls_know_their_receiver_and_line() -> None:
    (chunk,) = parse(by_key(MODULE)["вторая"])
    assert [(call.name, call.receiver, call.line) for call in chunk.calls] == [("Третья", "Модуль", 1)]


def test_second_definition_gets_a_number() -> None:
    text = "Процедура А()\nКонецПроцедуры\nПроцедура а()\nКонецПроцедуры\n"
    assert list(by_key(text)) == ["а", "а#2"]


def test_hash_covers_regions_but_not_place() -> None:
    plain = by_key(MODULE)["вторая"].hash
    assert by_key("\n\n" + MODULE)["вторая"].hash == plain
    assert by_key("#Область Новая\n" + MODULE)["вторая"].hash != plain


def long_procedure(statements: int) -> str:
    lines = "".join(f"\tСумма{i} = Посчитать{i}(Склад);\n" for i in range(statements))
    return f"// Длинная.\n// Второй абзац.\nПроцедура Длинная(Склад) Экспорт\n{lines}КонецПроцедуры\n"


def test_a_long_procedure_is_cut_at_statements_and_nothing_is_lost() -> None:
    text = long_procedure(400)
    parts = parse(outline(text)[0])
    assert len(parts) > 2
    assert all(len(part.text) <= PART_CHARS + 100 for part in parts)
    assert [part.key for part in parts[:3]] == ["длинная", "длинная/1", "длинная/2"]
    signature = "Процедура Длинная(Склад) Экспорт\n"
    for part in parts[1:]:
        assert part.text.startswith(signature + "Сумма")
        assert part.doc == "Длинная."
        assert text.split("\n")[part.text_line].strip() == part.text.split("\n")[1].strip()
    assert parts[0].text + "".join(p.text.removeprefix(signature) for p in parts[1:]) == text.rstrip("\n")
    assert sum(len(part.calls) for part in parts) == 400


def test_a_giant_procedure_has_a_bounded_number_of_parts() -> None:
    parts = parse(outline(long_procedure(20_000))[0])
    assert len(parts) <= MAX_PARTS + 1
    assert sum(len(part.calls) for part in parts) == 20_000


def test_a_statement_longer_than_a_part_is_cut_at_lines() -> None:
    query = "\n".join(f"\t\t|\tТаблица.Поле{i} КАК Поле{i}," for i in range(600))
    text = f'Процедура А()\n\tТекст = "ВЫБРАТЬ\n{query}\n\t\t|ИЗ Таблица";\nКонецПроцедуры\n'
    parts = parse(outline(text)[0])
    assert len(parts) > 2
    assert all(len(part.text) <= PART_CHARS + 100 for part in parts)


def test_uncommented_leaves_the_header_first() -> None:
    assert uncommented(by_key(MODULE)["первая"]).startswith("Процедура Первая()")
    assert uncommented(by_key(MODULE)["<body>"]).startswith("КэшКурсов")
