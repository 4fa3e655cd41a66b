"""Turns identifiers, code and free text into the terms that the index and a query share."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import Stemmer

from .text import fold

# A change of what these functions return must change this number: it is part of the index options
TERMS_VERSION = 1

_WORD = re.compile(r"\w+")
# codes of business life: НДС-18, НФ-001, ОС-1, МХ-3
_CODE = re.compile(r"(?<![\w-])([^\W\d_]{1,8}-\d{1,6})(?![\w-])")
_PART = re.compile(r"[A-ZА-ЯЁ]+(?=[A-ZА-ЯЁ][a-zа-яё])|[A-ZА-ЯЁ]?[a-zа-яё]+|[A-ZА-ЯЁ]+|\d+|[^\W\d_A-Za-zА-Яа-яЁё]+")
_CYRILLIC = re.compile(r"[а-я]")
_COMMENT_OR_STRING = re.compile(r'(//[^\n]*|"[^"]*(?:""[^"]*)*")')
# a text of НСтр: `ru = '…'`
MESSAGE = re.compile(r"\b[a-z]{2}\s*=\s*'([^']*)'", re.IGNORECASE)

# Snowball in C: its Python edition gives the same stems and takes forty times as long. No cache inside: `stem` has one
_RUSSIAN: Callable[[str], str] = Stemmer.Stemmer("russian", 0).stemWord
_ENGLISH: Callable[[str], str] = Stemmer.Stemmer("english", 0).stemWord

KEYWORDS = frozenset(
    [
        "процедура",
        "функция",
        "конецпроцедуры",
        "конецфункции",
        "перем",
        "знач",
        "экспорт",
        "возврат",
        "если",
        "тогда",
        "иначе",
        "иначеесли",
        "конецесли",
        "для",
        "каждого",
        "из",
        "по",
        "пока",
        "цикл",
        "конеццикла",
        "прервать",
        "продолжить",
        "попытка",
        "исключение",
        "конецпопытки",
        "вызватьисключение",
        "новый",
        "выполнить",
        "перейти",
        "истина",
        "ложь",
        "неопределено",
        "null",
        "и",
        "или",
        "не",
        "асинх",
        "ждать",
        "добавитьобработчик",
        "удалитьобработчик",
        "область",
        "конецобласти",
        "вставка",
        "конецвставки",
        "удаление",
        "конецудаления",
        "procedure",
        "function",
        "endprocedure",
        "endfunction",
        "var",
        "val",
        "export",
        "return",
        "if",
        "then",
        "else",
        "elsif",
        "endif",
        "for",
        "each",
        "in",
        "to",
        "while",
        "do",
        "enddo",
        "break",
        "continue",
        "try",
        "except",
        "endtry",
        "raise",
        "new",
        "execute",
        "goto",
        "true",
        "false",
        "undefined",
        "and",
        "or",
        "not",
        "async",
        "await",
        "addhandler",
        "removehandler",
        "region",
        "endregion",
        "insert",
        "endinsert",
        "delete",
        "enddelete",
    ]
)


# Procedures are named by verbs and asked for by nouns: проверить - проверка, загрузить - загрузка - загружен.
# After Snowball has taken the ending off, these suffixes of derivation remain on the one or the other.
_DERIVED = re.compile(r"(?<=\w{4})(?:ова(?:ни?)?|ени?|ани?|[иые]ва|[ая])$|(?<=\w{5})к$")
# the last consonant changes in the same pairs: отправл- отправ-, загруж- загруз-, запущ- запуст-
_ALTERNATION = re.compile(r"(?<=\w\w\w)(?:([бвмпф])л|([жшщ]))$")
_CHANGED = {"ж": "з", "ш": "с", "щ": "ст"}


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of a folded word by its script: Snowball's English one; Snowball's Russian one, then
    without the suffixes of derivation; digits as they are.
    """
    if not _CYRILLIC.search(word):
        return _ENGLISH(word) if word.isalpha() else word
    base = _DERIVED.sub("", _RUSSIAN(word))
    return _ALTERNATION.sub(lambda match: match[1] or _CHANGED[match[2]], base)


def split_identifier(identifier: str) -> list[str]:
    """Return the parts of a CamelCase identifier in their own spelling: `ДатаНДС18` -> Дата, НДС, 18."""
    return _PART.findall(identifier)


@lru_cache(maxsize=20_000)
def identifier_terms(identifier: str) -> tuple[str, ...]:
    """Return the terms of one word: the stems of its parts and, when there are several, the whole, folded."""
    parts = split_identifier(identifier)
    terms = [stem(fold(part)) for part in parts]
    if len(parts) > 1:
        terms.append(fold(identifier))
    return tuple(terms)


def word_terms(word: str) -> tuple[str, ...]:
    """Return the terms of a word of `text_words`: a code such as НФ-001 is one term, else as an identifier."""
    return (fold(word),) if "-" in word else identifier_terms(word)


def is_keyword(word: str) -> bool:
    """Return whether a word of code is a keyword of the language, in any case."""
    return word.lower() in KEYWORDS


def text_words(text: str) -> list[str]:
    """Return the words of free text in order, then its codes (НДС-18) once more as a whole."""
    words = _WORD.findall(text)
    if "-" in text:
        words.extend(_CODE.findall(text))
    return words


def words(text: str) -> list[str]:
    """Return the words of a text in order and nothing else."""
    return _WORD.findall(text)


def text_terms(text: str) -> list[str]:
    """Return the terms of free text, of a query for instance, in the order of `text_words`."""
    return [term for word in text_words(text) for term in word_terms(word)]


def code_and_notes(text: str) -> tuple[list[str], str]:
    """Return the words of code (those of string literals included) and its notes.

    Notes are what people wrote for people: comments and the texts of `НСтр("ru = '…'")` messages.
    """
    pieces = _COMMENT_OR_STRING.split(text)
    code = pieces[::2]
    notes: list[str] = []
    for piece in pieces[1::2]:
        if piece[0] == "/":
            notes.append(piece[2:])
        elif "'" in piece and (messages := MESSAGE.findall(piece)):
            notes.extend(messages)
        else:
            code.append(piece)
    return _WORD.findall(" ".join(code)), "\n".join(notes)
