"""Words and abbreviations that mean the same: a small table of the field and the user's own file."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bsl_scout.bsl.names import stem
from bsl_scout.bsl.names import words as words_of
from bsl_scout.bsl.text import decode, fold
from bsl_scout.configuration.layout import Problem

from .dictionary import terms

_APART = re.compile(r"[=\t]")

# one group a line: what is called so in everyday words, short or in full
_BUILT_IN = """
НДС | налог на добавленную стоимость
НДФЛ | налог на доходы физических лиц
РИБ | распределенная информационная база
ИБ | информационная база
БД | база данных
ЭП | ЭЦП | электронная подпись | электронка
МЧД | машиночитаемая доверенность
ФИО | фамилия имя отчество
ИНН | идентификационный номер налогоплательщика
БИК | банковский идентификационный код
КИ | контактная информация
ППД | полнотекстовый поиск
СКД | схема компоновки данных
ТЧ | табличная часть
РЗ | регламентка | регламентное задание
ПДн | персональные данные
ГосЭДО | ЭДО | электронный документооборот
АРМ | автономное рабочее место
ЖР | журнал регистрации | логи | лог
ВТ | временная таблица
юзер | пользователь
админ | администратор
эсэмэс | эсэмэска | смска | СМС | SMS
мыло | имейл | email | электронная почта
бэкап | бекап | резервная копия | резервное копирование
обнова | апдейт | обновление
виндоус | винда | Windows
линукс | линух | Linux
эксель | Excel
ворд | Word
экзешник | exe | запустить программу
инет | интернет
прокся | прокси
хэш | хеш | контрольная сумма
логин | вход в программу
воркер | поток
фоновое | фоновое задание | длительная операция
печатка | печатная форма
внешка | внешняя обработка
допреквизит | дополнительный реквизит
скан | сканирование
факсимиле | подпись и печать
прописью | словами
синхронизация | обмен данными
скриншот | снимок экрана
клик | нажатие
телеграм | телеграмм | телега | Telegram
вотсап | ватсап | вацап | WhatsApp
дропбокс | Dropbox
гугл | Google
яндекс | Yandex
вебдав | WebDAV
джсон | жсон | JSON
хмл | иксмл | XML
пдф | PDF
фтп | FTP
урл | URL
кьюар | куар | QR
СНИЛС | страховой номер ПФР
клипборд | буфер обмена
таймстемп | timestamp | метка времени
распарсить | парсить | разобрать
смержить | объединить
кто изменил | кто менял | кто поменял | who changed | история изменений | версионирование объектов
"""


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Groups of phrases that mean the same, each phrase as its terms, with its text as it was written."""

    groups: tuple[Mapping[frozenset[str], str], ...]
    by_term: Mapping[str, tuple[int, ...]]

    def same(self, query: Iterable[str]) -> list[str]:
        """Return the terms of the phrases that mean the same as one which the query holds whole."""
        wanted = set(query)
        found: dict[str, None] = {}
        for group in self._of(query):
            if any(phrase <= wanted for phrase in group):
                found.update(dict.fromkeys(term for phrase in group for term in sorted(phrase - wanted)))
        return list(found)

    def alone(self, query: Iterable[str]) -> dict[str, list[str]]:
        """Return the terms of the query that are a phrase, each with the single terms that mean the same."""
        wanted = set(query)
        found: dict[str, list[str]] = {}
        for group in self._of(query):
            single = [term for phrase in group if len(phrase) == 1 for term in phrase]
            for term in single:
                if term in wanted:
                    found.setdefault(term, []).extend(other for other in single if other not in wanted)
        return found

    def reworded(self, query: str, commonness: Callable[[str], int]) -> str | None:
        """Return the query with its phrases put as they are mostly put, None when they are already.

        `commonness` tells of a term in how many places it is; a phrase is as common as its rarest term.
        """
        words = [(word, stem(fold(word))) for word in words_of(query)]
        wanted = {term for _, term in words}
        changed = False
        for group in self._of(term for _, term in words):
            held = [phrase for phrase in group if phrase <= wanted]
            best = max(group, key=lambda phrase: (min(map(commonness, phrase)), phrase in held)) if held else None
            if best is None or best in held:
                continue
            replaced = max(held, key=len)
            places = [place for place, (_, term) in enumerate(words) if term in replaced]
            if places:
                words[places[0]] = group[best], ""
                words = [word for place, word in enumerate(words) if place not in places[1:]]
                changed = True
        return " ".join(word for word, _ in words) if changed else None

    def _of(self, terms: Iterable[str]) -> list[Mapping[frozenset[str], str]]:
        """Return the groups that have a phrase with one of the terms, in the order of these."""
        return [self.groups[n] for n in dict.fromkeys(n for term in terms for n in self.by_term.get(term, ()))]


def make_synonyms(groups: Iterable[Iterable[str]]) -> Synonyms:
    """Return the synonyms of groups of phrases; phrases without a word and groups of one are left out."""
    kept = []
    for group in groups:
        phrases: dict[frozenset[str], str] = {}
        for text in group:
            phrases.setdefault(frozenset(terms(text)), text)
        phrases.pop(frozenset(), None)
        if len(phrases) > 1:
            kept.append(phrases)
    by_term: dict[str, list[int]] = defaultdict(list)
    for number, phrases in enumerate(kept):
        for term in sorted(frozenset().union(*phrases)):
            by_term[term].append(number)
    return Synonyms(tuple(kept), {term: tuple(numbers) for term, numbers in by_term.items()})


def built_in_groups() -> list[list[str]]:
    """Return the groups of the built-in table."""
    return [[phrase.strip() for phrase in line.split("|")] for line in _BUILT_IN.splitlines() if line.strip()]


def read_groups(path: Path) -> tuple[list[list[str]], list[Problem]]:
    """Return the groups of a user's file and what could not be read of it; never raises on its content.

    A `.json` file is a list of groups (lists of phrases) or an object (phrase -> phrase or list of phrases).
    Any other file has one group a line, phrases apart by `=` or tabs; empty lines and those with `#` are left out.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        return [], [Problem(path.name, f"the synonyms cannot be read: {error.strerror}")]
    if not data.strip():
        return [], []
    decoded = decode(data)
    problems = [Problem(path.name, decoded.problem)] if decoded.problem else []
    rows = _json_groups if path.suffix.lower() == ".json" else _lines
    groups, messages = rows(decoded.text)
    return groups, problems + [Problem(path.name, message) for message in messages]


def _lines(text: str) -> tuple[list[list[str]], list[str]]:
    groups, messages = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        group = _phrases(line)
        if len(group) > 1:
            groups.append(group)
        else:
            messages.append(f"line {number}: a group needs two phrases with = or a tab between them")
    return groups, messages


def _phrases(line: str) -> list[str]:
    return [phrase.strip() for phrase in _APART.split(line) if phrase.strip()]


def groups_of(entries: object) -> tuple[list[list[str]], list[str]]:
    """Return the groups of a setting, a list of texts such as `НДС = налог`, and the entries that are none."""
    if entries is None:
        return [], []
    if not isinstance(entries, list | tuple):
        return [], [str(entries)]
    groups = [_phrases(one) if isinstance(one, str) else [] for one in entries]
    wrong = [str(one) for one, group in zip(entries, groups, strict=True) if len(group) < 2]
    return [group for group in groups if len(group) > 1], wrong


def _json_groups(text: str) -> tuple[list[list[str]], list[str]]:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        place = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        return [], [f"this is no JSON{place}"]
    if isinstance(value, dict):
        value = [[name, *(others if isinstance(others, list) else [others])] for name, others in value.items()]
    if not isinstance(value, list):
        return [], ["the synonyms are a list of groups or an object"]
    groups, messages = [], []
    for number, group in enumerate(value, start=1):
        if isinstance(group, list) and len(group) > 1 and all(isinstance(phrase, str) for phrase in group):
            groups.append(group)
        else:
            messages.append(f"group {number}: a group is a list of two phrases or more")
    return groups, messages


def load_synonyms(path: Path | None = None) -> tuple[Synonyms, list[Problem]]:
    """Return the built-in synonyms with those of a user's file, and what was wrong with the file."""
    groups, problems = read_groups(path) if path else ([], [])
    return with_built_in(groups), problems


def with_built_in(groups: Iterable[Iterable[str]]) -> Synonyms:
    """Return the built-in synonyms with further ones."""
    return make_synonyms([*built_in_groups(), *groups])
