"""Recognises queries that ask for metadata: by what an object or field is called, or by naming a kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bsl_scout.bsl.names import stem, text_terms, text_words
from bsl_scout.bsl.text import fold
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.metadata import TITLE_SEPARATOR
from bsl_scout.index.schema import ITEMS, METADATA, only
from bsl_scout.index.snapshot import Scored, Snapshot

from .hits import Exact

# words that say that an object or a field is looked for, not code
_KINDS = """реквизит константа перечисление регистр справочник документ журнал план обработка отчет роль подсистема
признак поле измерение ресурс варианты значения подписка задание catalog document register constant attribute enum
enumeration field dimension resource role subsystem"""
_ASKED = frozenset(stem(fold(word)) for word in _KINDS.split())
_FIRST_WORDS = 4
# infinitives: "заполнить реквизит" asks for code
_VERB = re.compile(r"(?:(?<!нос)ть|ться|чь|йти|[её]сти)$")
_NOUNS = frozenset({"часть", "область", "сеть", "печать", "память", "скорость", "модуль", "роль", "степень"})
_CANDIDATES = 40
# below it the query has too many words that the title lacks, or the reverse
_LEAST_QUALITY = 0.7
_NOT_FIRST = 0.05
# an object comes before a field, and both before a predefined item or standard attribute, that is called the same
_FIELD_LOSS, _ITEM_LOSS = 0.005, 0.01
# what people read as a setting, though it begins with a verb: `Хранить файлы в томах на диске`
_SETTING = re.compile(r"(?:Константа|ФункциональнаяОпция)\.")
_SETTING_WORDS = 3


def titled(catalog: Catalog, snapshot: Snapshot, query: str, terms: Sequence[str], scored: Scored) -> dict[int, Exact]:
    """Return the scored metadata chunks that are called what a query says; an action asks for code rather."""
    action = asks_for_action(query)
    # only what holds enough of the query's terms can be called so
    least = _LEAST_QUALITY * len(terms)
    best = snapshot.best(scored, _CANDIDATES, only(METADATA, ITEMS), least_matched=least)[:_CANDIDATES]
    found = {}
    # a snapshot that is a little behind may name one that is gone
    for chunk, text in catalog.texts([hit.chunk for hit in best]).items():
        if quality := title_quality(terms, text, action):
            item = snapshot.collection.collections[chunk] == ITEMS
            field = text.partition("\n")[0].count(".") > 1
            found[chunk] = Exact(quality - _ITEM_LOSS * item - _FIELD_LOSS * field, 0)
    return found


def asks_for_metadata(query: str) -> bool:
    """Return whether a query names a kind of metadata at its beginning and no action."""
    words = [fold(word) for word in text_words(query)[:_FIRST_WORDS]]
    return any(stem(word) in _ASKED for word in words) and not asks_for_action(query)


def asks_for_action(query: str) -> bool:
    """Return whether a query begins with an infinitive, which asks for code: `снять резерв`."""
    return any(_VERB.search(word) and word not in _NOUNS for word in map(fold, text_words(query)[:1]))


def title_quality(query: Sequence[str], title: str, whole_only: bool = False) -> float:
    """Return how exactly a query's terms are what a metadata chunk is called, 0 to 1.

    The title has three rows: the full name, the chunk's own synonyms, its object's kinds and synonyms. One own
    synonym must be in the query whole; the value is the Jaccard similarity of the query with that synonym, with
    the object's synonym where the query has a word of it, and with the kinds that the query names. What the
    query begins with decides between equals: "Курс, Загрузка курсов валют" asks for the field first.
    With `whole_only` the query must name the object of a field, or the kind, too, or be all that a setting is called.
    """
    wanted = set(query)
    _, own, owner = ([text_terms(part) for part in row.split(TITLE_SEPARATOR)] for row in _three_rows(title))
    whole = [terms for terms in own if terms and wanted.issuperset(terms)]
    if not whole:
        return 0.0
    best = max(whole, key=len)
    # kinds (the first two of the owner's row) may be left out of a query at no loss
    named = set(best).union(*(wanted.intersection(terms) for terms in owner[:2]))
    titles = [named.union(terms) for terms in owner[2:]]
    setting = _SETTING.match(title) and named == wanted and len(wanted) >= _SETTING_WORDS
    if not whole_only or len(named) > len(set(best)) or setting:
        titles.append(named)
    if not titles:
        return 0.0
    quality = max(len(wanted & terms) / len(wanted | terms) for terms in titles)
    if quality < _LEAST_QUALITY:
        return 0.0
    begins = query[0] == best[0] or (query[0] in owner[0] and len(query) > len(best) and query[-1] == best[-1])
    return quality if begins else quality - _NOT_FIRST


def _three_rows(title: str) -> list[str]:
    rows = title.split("\n", 3)[:3]
    return rows + [""] * (3 - len(rows))
