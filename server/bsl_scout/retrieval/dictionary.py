"""A Russian-English dictionary of terms: mined from names that mean the same, and the platform's own pairs."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from bsl_scout.bsl.names import split_identifier, stem
from bsl_scout.bsl.text import fold
from bsl_scout.configuration.kinds import KINDS
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.metadata import TITLE_SEPARATOR

# pairs of one configuration: more would only slow down the start
_MAX_PAIRS = 40_000
_ROUNDS = 6
# translations that are rarer than this share of a word's uses are noise of the alignment
LEAST_WEIGHT = 0.2
# a pair of words that was seen together less often is an accident, unless it stood alone on both sides
LEAST_EVIDENCE = 1.5
_MOST_TRANSLATIONS = 4
_MAX_WORDS = 8

_WORD = re.compile(r"\w+")
_RUSSIAN, _ENGLISH = re.compile(r"[А-Яа-яЁё]"), re.compile(r"[A-Za-z]")
_SMALL_WORDS = """и в во на по с со к ко о об от из за для при до у не или а но как что это его их ее то же
a an the of in on at to by for from with and or not is are be as it its this that if do does"""
_STOP = frozenset(_SMALL_WORDS.split())

# names of the platform in both languages: standard attributes, handlers, functions, types
# https://its.1c.ru/db/v8327doc, the syntax assistant gives both names of each
_PLATFORM = """
Ссылка Ref, Наименование Description, Код Code, ПометкаУдаления DeletionMark, Предопределенный Predefined,
ИмяПредопределенныхДанных PredefinedDataName, Родитель Parent, Владелец Owner, ЭтоГруппа IsFolder, Дата Date,
Номер Number, Проведен Posted, Период Period, Регистратор Recorder, Активность Active, ВидДвижения RecordType,
НомерСтроки LineNumber, ПриСозданииНаСервере OnCreateAtServer, ПриОткрытии OnOpen, ПередЗаписью BeforeWrite,
ПередЗаписьюНаСервере BeforeWriteAtServer, ПриЗаписи OnWrite, ПослеЗаписи AfterWrite, ПриКопировании OnCopy,
ПередУдалением BeforeDelete, ОбработкаПроведения Posting, ОбработкаУдаленияПроведения UndoPosting,
ОбработкаЗаполнения Filling, ОбработкаПроверкиЗаполнения FillCheckProcessing, ПриЧтенииНаСервере OnReadAtServer,
ПередЗакрытием BeforeClose, ПриЗакрытии OnClose, ПриИзменении OnChange, НачалоВыбора StartChoice,
ОбработкаВыбора ChoiceProcessing, ОбработкаОповещения NotificationProcessing, ОбработкаКоманды CommandProcessing,
ПриНачалеРаботыСистемы OnStart, ПередНачаломРаботыСистемы BeforeStart, ПередЗавершениемРаботыСистемы BeforeExit,
УстановкаПараметровСеанса SessionParametersSetting, Сообщить Message, Формат Format, СтрНайти StrFind,
СтрЗаменить StrReplace, СтрРазделить StrSplit, СтрСоединить StrConcat, СтрДлина StrLen, СтрШаблон StrTemplate,
ТекущаяДата CurrentDate, ТекущаяДатаСеанса CurrentSessionDate, ЗначениеЗаполнено ValueIsFilled, ТипЗнч TypeOf,
ОткрытьФорму OpenForm, НачатьТранзакцию BeginTransaction, ЗафиксироватьТранзакцию CommitTransaction,
ОтменитьТранзакцию RollbackTransaction, ЗаписьЖурналаРегистрации WriteLogEvent, Запрос Query, Массив Array,
Структура Structure, Соответствие Map, ТаблицаЗначений ValueTable, СписокЗначений ValueList,
ДеревоЗначений ValueTree, ОписаниеТипов TypeDescription, ХранилищеЗначения ValueStorage,
ТабличныйДокумент SpreadsheetDocument, ДвоичныеДанные BinaryData, ЧтениеXML XMLReader, ЗаписьXML XMLWriter,
ЧтениеJSON JSONReader, ЗаписьJSON JSONWriter, HTTPСоединение HTTPConnection, HTTPЗапрос HTTPRequest,
МенеджерВременныхТаблиц TempTablesManager, БлокировкаДанных DataLock, ФоновыеЗадания BackgroundJobs,
РегламентныеЗадания ScheduledJobs, ПолнотекстовыйПоиск FullTextSearch, ОписаниеОповещения NotifyDescription
"""

Pair = tuple[Sequence[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Terms of one language with their translations into the other and a weight, 0 to 1, the best first."""

    translations: Mapping[str, tuple[tuple[str, float], ...]]

    def expand(self, terms: Iterable[str]) -> dict[str, list[tuple[str, float]]]:
        """Return the translations of the terms that have any."""
        return {term: list(self.translations[term]) for term in terms if term in self.translations}


def words(text: str) -> list[str]:
    """Return the words of a name or of a synonym, split and as they are written."""
    return [part for word in _WORD.findall(text) for part in split_identifier(word)]


def terms(text: str) -> list[str]:
    """Return the terms of a name or of a synonym that can have a translation, without the small words."""
    found = (stem(fold(word)) for word in words(text) if fold(word) not in _STOP and not word.isdigit())
    return list(dict.fromkeys(found))


def align(pairs: Iterable[Pair]) -> dict[tuple[str, str], float]:
    """Return which word means which, by names that mean the same: (left, right) -> weight, 0 to 1.

    The weight is the geometric mean of how surely each is the translation of the other, by IBM Model 1 in
    both directions (Brown and others 1993); the same words on both sides tell nothing and are left out.
    """
    kept: list[Pair] = []
    for left, right in pairs:
        common = set(left) & set(right)
        sides = [word for word in left if word not in common], [word for word in right if word not in common]
        if all(0 < len(side) <= _MAX_WORDS for side in sides):
            kept.append(sides)
    forth, evidence = _model(kept)
    back, _ = _model([(right, left) for left, right in kept])
    alone = {(left[0], right[0]) for left, right in kept if len(left) == len(right) == 1}
    found = {}
    for (left_word, right_word), share in forth.items():
        weight = math.sqrt(share * back.get((right_word, left_word), 0.0))
        sure = evidence[left_word, right_word] >= LEAST_EVIDENCE or (left_word, right_word) in alone
        if sure and weight >= LEAST_WEIGHT:
            found[left_word, right_word] = weight
    return found


def _model(pairs: Sequence[Pair]) -> tuple[dict[tuple[str, str], float], dict[tuple[str, str], float]]:
    """Return how probable each right word is for a left word, and how often that was so."""
    share: dict[tuple[str, str], float] = {(a, b): 1.0 for left, right in pairs for a in left for b in right}
    counts: dict[tuple[str, str], float] = {}
    for _ in range(_ROUNDS):
        counts = defaultdict(float)
        totals: dict[str, float] = defaultdict(float)
        for left, right in pairs:
            for b in right:
                whole = sum(share[a, b] for a in left)
                for a in left:
                    part = share[a, b] / whole
                    counts[a, b] += part
                    totals[a] += part
        share = {(a, b): count / totals[a] for (a, b), count in counts.items()}
    return share, counts


def own_pairs(catalog: Catalog) -> list[Pair]:
    """Return the Russian and English terms by which the configuration itself calls its objects and fields.

    They come from synonyms in both languages, and from a Russian synonym of an English name and the reverse.
    """
    seen: dict[tuple[str, str], None] = {}
    for row in catalog.metadata():
        texts = [row.name, *(row.title or "").split(TITLE_SEPARATOR)]
        russian = [text for text in texts if _RUSSIAN.search(text)]
        english = [text for text in texts if _ENGLISH.search(text) and not _RUSSIAN.search(text)]
        for one in russian[-1:]:
            for other in english:
                seen[one, other] = None
        if len(seen) >= _MAX_PAIRS:
            break
    return [(terms(one), terms(other)) for one, other in seen]


def mined(pairs: Iterable[Pair]) -> list[tuple[str, str, float]]:
    """Return the aligned terms with their weights."""
    return [(left, right, weight) for (left, right), weight in align(pairs).items()]


@lru_cache(maxsize=1)
def built_in() -> tuple[tuple[str, str, float], ...]:
    """Return the pairs that hold for any configuration: the platform's names and common words."""
    found: list[tuple[str, str, float]] = []
    platform = [(kind.russian, kind.english) for kind in KINDS]
    platform += [(a, b) for a, b in (line.split() for line in _PLATFORM.replace("\n", " ").split(","))]
    for russian, english in platform:
        sides = [split_identifier(name) for name in (russian, english)]
        left, right = (stem(fold(parts[0])) if len(parts) == 1 else fold("".join(parts)) for parts in sides)
        found.append((left, right, 1.0))
    return (*found, *_common_words())


def _common_words() -> Iterator[tuple[str, str, float]]:
    """Yield the pairs of the table that server/mine_terms.py writes."""
    table = resources.files(__package__).joinpath("terms.tsv").read_text(encoding="utf-8")
    for line in table.splitlines():
        if line and not line.startswith("#"):
            russian, english, weight = line.split("\t")
            yield stem(fold(russian)), stem(fold(english)), float(weight)


def build_dictionary(*sources: Iterable[tuple[str, str, float]]) -> Dictionary:
    """Return the dictionary of both directions; a pair has the weight of the source that is surest of it."""
    best: dict[str, dict[str, float]] = defaultdict(dict)
    for source in sources:
        for russian, english, weight in source:
            for term, other in ((russian, english), (english, russian)):
                best[term][other] = max(weight, best[term].get(other, 0.0))
    ranked = {
        term: tuple(sorted(found.items(), key=lambda item: (-item[1], item[0]))[:_MOST_TRANSLATIONS])
        for term, found in best.items()
    }
    return Dictionary(ranked)


def dictionary_of(catalog: Catalog) -> Dictionary:
    """Return the dictionary for a configuration: what holds for any, and its own synonyms."""
    return build_dictionary(built_in(), mined(own_pairs(catalog)))
