"""When an answer is called convincing."""

from __future__ import annotations

import pytest

from bsl_scout.retrieval.confidence import WORDS_ONLY, Features, Rule, is_convincing, query_features, trust
from bsl_scout.retrieval.dictionary import build_dictionary, built_in
from bsl_scout.retrieval.search import Searcher
from bsl_scout.retrieval.synonyms import load_synonyms


def features(searcher: Searcher, query: str) -> Features:
    with searcher.catalog.reading():
        return query_features(searcher.snapshot(), query, build_dictionary(built_in()), load_synonyms()[0])


def test_the_rule() -> None:
    least = WORDS_ONLY.least
    assert is_convincing(Features(least, least))
    assert not is_convincing(Features(least - 0.01, least))
    assert is_convincing(Features(0.0, 0.0, exact=True))
    assert trust(Features(0.2, 0.4)) == pytest.approx(0.3)


def test_vectors_speak_when_the_rule_lets_them() -> None:
    near, far = (Features(0.1, 0.1, similarity=value, agreement=value) for value in (0.9, 0.1))
    assert not is_convincing(near)
    with_vectors = Rule(0.5, similarity=0.4, agreement=0.2)
    assert trust(near, with_vectors) == pytest.approx(0.64)
    assert is_convincing(near, with_vectors)
    assert not is_convincing(far, with_vectors)


@pytest.mark.parametrize(
    "query",
    [
        "товары номенклатура при изменении",
        "снять просроченный резерв",
        "проверка лимита задолженности",
        "распределение оплаты",
        "normalize phone",
        "ПроверитьЛимитЗадолженности",
        # a synonym and a translation stand for the word itself
        "check the document",
    ],
)
def test_what_the_configuration_is_about(searcher: Searcher, query: str) -> None:
    assert is_convincing(features(searcher, query)), features(searcher, query)


@pytest.mark.parametrize(
    "query",
    ["полеты на луну и прогулки по горам", "ветеринарный паспорт собаки", "quantum chromodynamics", "ъ", "", "и на по"],
)
def test_what_it_is_not_about(searcher: Searcher, query: str) -> None:
    found = features(searcher, query)
    assert not is_convincing(found), found


def test_shares(searcher: Searcher) -> None:
    known, half = features(searcher, "распределение оплаты"), features(searcher, "распределение бегемотов")
    assert 0 < half.named < known.named <= 1
    assert 0 < half.together < known.together <= 1
