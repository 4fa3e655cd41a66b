"""The kinds of problems, the places they lead to, and their texts in Russian."""

from __future__ import annotations

import re

import pytest

from bsl_scout.configuration.layout import Problem
from bsl_scout.features.problems import KINDS, found_problems, kind_of
from bsl_scout.lsp.problem_texts import problem_text

# every form of message that the readers write
MESSAGES = [
    ("the module is empty", "empty", "модуль пуст"),
    ("binary content (a module protected by a password?), not read", "protected", "закрыт паролем"),
    ("3 NUL bytes read as spaces", "encoding", "нулевые байты (3)"),
    ("2 characters are not valid UTF-16", "encoding", "знаков UTF-16: 2"),
    ("not UTF-8, read as Windows-1251", "encoding", "прочитан как Windows-1251"),
    ("2 broken UTF-8 sequences, the first on line 7, replaced", "encoding", "первая в строке 7"),
    ("not read: declares windows-1251 but is UTF-8", "encoding", "объявлена кодировка windows-1251, а на деле UTF-8"),
    ("not read: declares UTF-16 but is not UTF-16", "encoding", "объявлена кодировка UTF-16, а на деле другая"),
    ("broken XML: Premature end, line 4, column 2", "broken", "повреждённый XML: Premature end, line 4"),
    ("broken JSON: not UTF-8", "broken", "повреждённый JSON: не UTF-8"),
    ("broken JSON: an object is expected", "broken", "повреждённый JSON: ожидается объект"),
    ("not read: 70 MB is too large for XML of a configuration", "unreadable", "70 МБ — слишком много для XML"),
    ("not read: a document type is not expected in XML of a configuration", "unreadable", "не бывает DOCTYPE"),
    ("not read: Permission denied", "unreadable", "не прочитан: Permission denied"),
    ("not read: not a valid name", "unreadable", "недопустимое имя"),
    ("not read: a link that leads outside", "unreadable", "ссылка ведёт за пределы папки"),
    ("folder not read: Permission denied", "unreadable", "папка не прочитана: Permission denied"),
    ("folders deeper than 60 levels are not read", "unreadable", "глубже 60 уровней"),
    ("lists Catalog.Х, whose file is absent or broken", "absent", "в составе есть Справочник.Х, но файла нет"),
    ("listed in Х.xml but absent", "absent", "есть в составе Х.xml, но файла нет"),
    ("lists 2 of the kind Magic, which is not known here", "unknown", "неизвестного вида Magic: 2"),
    ("is called Catalog.Х like Catalogs/Х.xml", "duplicate", "имя Справочник.Х уже занято: Catalogs/Х.xml"),
    ("has the uuid aa-bb of Catalogs/Х.xml", "duplicate", "тот же uuid aa-bb, что у Catalogs/Х.xml"),
    ("has the uuid aa-bb twice", "duplicate", "uuid aa-bb встречается дважды"),
    ("has two fields called Справочник.Х.Реквизит.Y", "duplicate", "два поля с именем Справочник.Х.Реквизит.Y"),
    ("holds an object that is called Другой", "duplicate", "с другим именем: Другой"),
    ("not recognised: no uuid", "unknown", "нет uuid"),
    ("not recognised: no name", "unknown", "нет имени"),
    ("not recognised: no known kind of object", "unknown", "неизвестный вид объекта"),
    ("layout 59 of Catalog is not known: its types are left out", "unknown", "раскладка 59 у Catalog"),
    ("collection aa-bb is not known: 3 fields are left out", "unknown", "коллекция aa-bb: опущено полей: 3"),
    ("a collection of the header is not recognised", "unknown", "коллекция заголовка"),
    ("header not recognised: its fields are left out", "unknown", "не распознан заголовок"),
    ("attribute 3 is not recognised", "unknown", "не распознано: attribute 3"),
    ("Реквизит.Y: types not recognised: aa", "unknown", "Реквизит.Y: не распознаны типы: aa"),
    ("lists Form aa-bb, whose file is absent or broken", "absent", "в составе есть Form aa-bb"),
]


@pytest.mark.parametrize(("message", "kind", "russian"), MESSAGES)
def test_a_message_has_a_kind_and_a_russian_text(message: str, kind: str, russian: str) -> None:
    assert kind_of(message) == kind
    assert kind in KINDS
    told = problem_text(message, "ru")
    assert russian in told
    assert re.search("[а-яё]", told)
    assert problem_text(message, "en") == message


def test_what_has_no_known_form_is_told_as_it_is() -> None:
    assert kind_of("something new") == "other"
    assert problem_text("something new", "ru") == "something new"


def test_problems_of_the_files_of_an_object_lead_to_these_files() -> None:
    stored = Problem(
        "Catalogs/Х.xml",
        "has the uuid aa twice; Catalogs/Х/Ext/Predefined.xml: broken XML: Opening and ending tag mismatch: a line 3 "
        "and b, line 9, column 1; Catalogs/Х/Forms/Ф.xml: listed in Х.xml but absent",
    )
    found = list(found_problems(stored))
    assert [(one.path, one.kind, one.line) for one in found] == [
        ("Catalogs/Х.xml", "duplicate", None),
        ("Catalogs/Х/Ext/Predefined.xml", "broken", 9),
        ("Catalogs/Х/Forms/Ф.xml", "absent", None),
    ]
    assert found[1].message.startswith("broken XML: Opening")


def test_a_problem_of_the_model_has_no_file() -> None:
    message = "the model e5 cannot be used: it needs bsl-scout[models]; search goes on by words only"
    (found,) = found_problems(Problem(".", message))
    assert (found.path, found.kind, found.line, found.message) == (".", "model", None, message)
    assert problem_text(message, "ru").endswith("; поиск идёт только по словам")
    # a module whose message speaks of a model is none
    assert kind_of("a model that is not known", "Х.bsl") == "other"


@pytest.mark.parametrize(
    "path", ["/home/ivan/проект/Х.xml", "C:\\Users\\Иван Петров\\Х.xml", "file:///home/ivan/Х.xml"]
)
def test_paths_in_messages_lose_what_tells_of_the_machine(path: str) -> None:
    (found,) = found_problems(Problem("Х.xml", f"not read: {path}"))
    assert found.message.endswith("Х.xml")
    assert not re.search("ivan|Иван|home|Users", found.message)
