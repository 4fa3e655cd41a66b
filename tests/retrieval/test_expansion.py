"""Scores of a query together with its translations and synonyms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bsl_scout.bsl.names import text_terms
from bsl_scout.index.indexer import refresh
from bsl_scout.index.snapshot import Scored, Snapshot
from bsl_scout.retrieval.dictionary import build_dictionary, built_in
from bsl_scout.retrieval.expansion import SYNONYM, expanded_scores, expansions
from bsl_scout.retrieval.search import Searcher
from bsl_scout.retrieval.synonyms import load_synonyms, make_synonyms

MODULE = """
Процедура ОтправитьСообщениеПользователю() Экспорт
КонецПроцедуры

Procedure SendMessageToUser() Export
EndProcedure

Процедура РассчитатьСкидку(Пользователь) Экспорт
КонецПроцедуры

Процедура Прочее() Экспорт
КонецПроцедуры
"""


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    sources: Path = tmp_path_factory.mktemp("sources")
    (sources / "Module.bsl").write_text(MODULE, encoding="utf-8")
    index = tmp_path_factory.mktemp("index")
    refresh(sources, index)
    found = Searcher(index)
    yield found
    found.close()


def names_of(searcher: Searcher, scored: Scored, snapshot: Snapshot) -> list[str]:
    hits = snapshot.best(scored, 10)
    rows = searcher.catalog.chunks([hit.chunk for hit in hits])
    return [rows[hit.chunk].name for hit in hits]


def test_groups() -> None:
    dictionary = build_dictionary([("сообщен", "messag", 0.81), ("пользовател", "user", 1.0)])
    synonyms = make_synonyms([["юзер", "пользователь"]])
    groups = expansions(["сообщен", "юзер"], dictionary, synonyms)
    assert groups[0] == (("сообщен", 1.0), ("messag", pytest.approx(0.9)))
    # one word for another is said once: it stands beside that with its translations
    assert groups[1] == (("юзер", 1.0), ("пользовател", SYNONYM), ("user", SYNONYM))
    longer = expansions(["юзер"], dictionary, make_synonyms([["юзер", "пользователь программы"]]))
    assert longer == [(("юзер", 1.0),), (("пользовател", SYNONYM), ("user", SYNONYM)), (("программ", SYNONYM),)]
    assert expansions(["сообщен"], None, None) == [(("сообщен", 1.0),)]
    assert expansions([], dictionary, synonyms) == []
    # what the query says itself is no translation of another word of it
    assert expansions(["сообщен", "messag"], dictionary, None) == [(("сообщен", 1.0),), (("messag", 1.0),)]


def test_without_expansions_the_scores_are_the_plain_ones(searcher: Searcher) -> None:
    terms = text_terms("отправить сообщение пользователю")
    with searcher.catalog.reading():
        snapshot = searcher.snapshot()
        plain, grouped = snapshot.score(terms), expanded_scores(snapshot, expansions(terms, None, None))
    assert plain.documents.tolist() == grouped.documents.tolist()
    assert plain.matched.tolist() == grouped.matched.tolist()
    assert np.allclose(plain.scores, grouped.scores)


def test_a_translation_counts_as_the_word_itself(searcher: Searcher) -> None:
    dictionary = build_dictionary(built_in())
    with searcher.catalog.reading():
        snapshot = searcher.snapshot()
        groups = expansions(text_terms("message to the user"), dictionary, None)
        scored = expanded_scores(snapshot, groups)
        found = names_of(searcher, scored, snapshot)
        assert set(found[:2]) == {"SendMessageToUser", "ОтправитьСообщениеПользователю"}
        assert "Прочее" not in found
        among = scored.documents[:1]
        assert expanded_scores(snapshot, groups, among=among).documents.tolist() == among.tolist()


def test_a_synonym_finds_what_it_means(searcher: Searcher) -> None:
    synonyms, _ = load_synonyms()
    with searcher.catalog.reading():
        snapshot = searcher.snapshot()
        groups = expansions(text_terms("скидка юзеру"), None, synonyms)
        assert names_of(searcher, expanded_scores(snapshot, groups), snapshot)[0] == "РассчитатьСкидку"


@pytest.mark.parametrize("query", ["", "ъъъ", "the of", "🙂"])
def test_nothing_to_find(searcher: Searcher, query: str) -> None:
    with searcher.catalog.reading():
        snapshot = searcher.snapshot()
        scored = expanded_scores(snapshot, expansions(text_terms(query), build_dictionary(built_in()), None))
    assert not len(scored.documents)
