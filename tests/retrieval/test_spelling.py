"""A word with a slip of the finger is searched as what it was meant to be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from bsl_scout.bsl.names import stem
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from bsl_scout.retrieval.spelling import neighbours
from support import DEMO

RATES = "ЗагрузитьКурсыВалют"


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("index")
    refresh(DEMO, folder, vectors=False)
    with closing(Searcher(folder)) as one:
        yield one


@pytest.mark.parametrize(
    "word",
    ["просрченные", "пррсроченные", "просорченные", "прасроченные", "просрооченные"],
)
def test_a_slip_is_near_what_was_meant(word: str) -> None:
    assert stem("просроченные") in neighbours(stem(word))


def test_a_first_letter_and_a_letter_from_afar_are_no_slips() -> None:
    assert not {"валют", "галют"} <= neighbours("балют") | neighbours("валюм")
    assert "размест" not in neighbours("разнест")


@pytest.mark.parametrize("query", ["снять просроченные резевры", "снять просроченные резерры"])
def test_a_question_with_a_slip_has_the_answers_of_the_right_one(searcher: Searcher, query: str) -> None:
    right = searcher.search("снять просроченные резервы", 5)
    slipped = searcher.search(query, 5)
    assert slipped.hits[0].symbol == right.hits[0].symbol == "СнятьПросроченныеРезервы"


def test_the_row_tells_which_word_it_answers(searcher: Searcher) -> None:
    (hit, *_) = searcher.search("резевры", 5).hits
    assert hit.translated == {"Резервы": "резевры"}


def test_what_the_index_has_and_abbreviations_stay_as_they_are(searcher: Searcher) -> None:
    for query in ("СнятьПросроченныеРезервы", "снпрорез", "резервы"):
        assert all(not hit.translated for hit in searcher.search(query, 5).hits)


def test_a_long_word_and_one_in_letters_of_nobody_are_left_alone(searcher: Searcher) -> None:
    assert searcher.search("ж" * 1_000, 5).hits == []
    assert searcher.search("ελληνικά λέξη", 5).hits == []
