"""Texts about forms in the language of the editor; what the readers of forms tell is English, as in `--json`."""

from __future__ import annotations

import re

# what a reader tells of an element -> the same in Russian; {} is a name or identifier
_PROBLEMS = {
    "the form has no attribute {}": "в форме нет реквизита {}",
    "the form has no element {}": "в форме нет элемента {}",
    "the form has no command {}": "в форме нет команды {}",
    "the source names the command by an identifier that stands for nothing known: {}": (
        "команда задана идентификатором, который ничего известного не обозначает: {}"
    ),
    "the source writes the path by identifiers that stand for nothing known: {}": (
        "путь записан идентификаторами, которые ничего известного не обозначают: {}"
    ),
    "the source has no attribute of the form with id {}, of which the path {} names {}": (
        "в исходнике нет реквизита формы с номером {}, от которого путь {} ведёт к {}"
    ),
    "the source holds an empty data path": "путь к данным пуст",
    "the source holds no data path: {}": "это не путь к данным: {}",
    "bound to a part of the element {}: such a chain is not decoded": (
        "связан с частью элемента {}: такая цепочка не расшифровывается"
    ),
    "bound to a part of an element with the unknown id {}: such a chain is not decoded": (
        "связан с частью элемента с неизвестным номером {}: такая цепочка не расшифровывается"
    ),
    "bound to the current row of a table: such a chain is not decoded": (
        "связан с текущей строкой таблицы: такая цепочка не расшифровывается"
    ),
    "bound to something that is no attribute of the form: {}": "связан с тем, что не является реквизитом формы: {}",
    "bound to an attribute with the unknown id {}": "связан с реквизитом с неизвестным номером {}",
    "bound to a field with the unknown id {} of the list {}": "связан с полем с неизвестным номером {} списка {}",
    "bound to a field with the unknown uuid {} below {}": "связан с полем {} внутри {}, идентификатор неизвестен",
    "bound to {}, which is no field of {}": "связан с {}, а это не поле {}",
    "bound to {} below {}, which is not known": "связан с {} внутри {}, что это — неизвестно",
    "the export has no data of it": "в выгрузке нет его данных",
    "its layout is not recognised": "его устройство не распознано",
}
# parts of rows of the cards
_PARTS = {
    "the form's module has no such procedure": "в модуле формы нет такой процедуры",
    "Command": "Команда",
    "Action": "Действие",
}
# how the source proves a data path
_PROOFS = {
    "xml": ("путь написан в исходнике", "the source writes the path"),
    "attribute-id": ("по номеру реквизита в исходнике", "by the attribute's id in the source"),
    "child-id": ("по номеру колонки в исходнике", "by the column's id in the source"),
    "list-field": ("по номеру поля списка в исходнике", "by the id of the list's field in the source"),
    "table-address": ("по адресу поля в таблице исходника", "by the field's address in a table of the source"),
    "metadata-uuid": ("по uuid объекта метаданных", "by the uuid of the metadata"),
    "standard-attribute": ("по номеру стандартного реквизита", "by the id of a standard attribute"),
}
_PROOF = re.compile(r"(?<= \()[a-z-]+(?=\)$)")
_NAMES = re.compile(r"\{\}")


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(map(re.escape, _NAMES.split(text))), re.DOTALL)


_PATTERNS = [(_pattern(english), russian) for english, russian in _PROBLEMS.items()]


def problem_text(text: str, locale: str) -> str:
    """Return what a reader tells of an element in the language of the editor, as it is where that is not known."""
    if locale != "ru":
        return text
    for pattern, russian in _PATTERNS:
        match = pattern.fullmatch(text)
        if match:
            return russian.format(*match.groups())
    return text


def row_text(text: str, locale: str) -> str:
    """Return a row of a form's card (`event → procedure — what is missing`) in the language of the editor."""
    if locale != "ru":
        return text
    for english, russian in _PARTS.items():
        text = re.sub(rf"(?:(?<=^)|(?<= — )){re.escape(english)}(?= ·| →|$)", russian, text)
    return problem_text(text, locale)


def proof_text(row: str, locale: str) -> str:
    """Return a data path with its proof (`Объект.Цена (xml)`) with the proof in words."""
    return _PROOF.sub(
        lambda proof: _PROOFS[proof[0]][0 if locale == "ru" else 1] if proof[0] in _PROOFS else proof[0], row
    )
