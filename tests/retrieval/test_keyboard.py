"""Words on the wrong keyboard layout, and with letters of the other alphabet, are read as they were meant."""

from __future__ import annotations

import pytest

from bsl_scout.bsl.names import text_terms
from bsl_scout.features.find_logic import find_logic
from bsl_scout.retrieval.keyboard import retyped
from bsl_scout.retrieval.search import Searcher

KNOWN = {
    term
    for word in ("отправить", "письмо", "ОтправитьПисьмо", "валюты", "ns", "с", "вложением", "NormalizePhone", "json")
    for term in text_terms(word)
}


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("jnghfdbnm gbcmvj", "отправить письмо"),
        ("JNGHFDBNM gbcmvj!", "ОТПРАВИТЬ письмо"),
        ("jnghfdbnm gbcmvj c dkj;tybtv", "отправить письмо с вложением"),
        # a part of a word that is cut by a sign of the layout may be a term
        ("dfk.ns", "валюты"),
        ("отправить gbcmvj", "отправить письмо"),
        ("тщкьфдшяу", "normalize"),
        ("отпpавить письмo", "отправить письмо"),
        ("ОтправитьПиcьмо", "ОтправитьПисьмо"),
        ("Nоrmalize", "Normalize"),
    ],
)
def test_what_was_meant(query: str, meant: str) -> None:
    assert retyped(query, KNOWN.__contains__) == meant


@pytest.mark.parametrize(
    "query",
    ["отправить письмо", "json", "git push", "ОтправитьПисьмоКлиенту", "письмо.", "", "🙂 \ud800", "ghbdtn", "c"],
)
def test_the_rest_stays_as_it_is(query: str) -> None:
    assert retyped(query, KNOWN.__contains__) == query


@pytest.mark.parametrize("query", ["jnghfdbnm gbcmvj", "отпpавить письмо"])
def test_the_answer_tells_how_the_query_was_read(searcher: Searcher, query: str) -> None:
    answer, route = find_logic(searcher, query)
    assert answer.query == query
    assert (route.code, route.names) == ("retyped", ("отправить письмо",))
    assert "read as отправить письмо" in route.reason
    right = find_logic(searcher, "отправить письмо")[0]
    assert [hit.symbol for hit in answer.hits] == [hit.symbol for hit in right.hits]
    assert answer.convincing
