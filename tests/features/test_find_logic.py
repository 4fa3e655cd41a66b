"""Why an answer came as it did."""

from __future__ import annotations

from pathlib import Path

from bsl_scout.features.find_logic import find_logic
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from support import DEMO


def test_words_that_the_model_does_not_know_are_no_missing_vectors(searcher: Searcher, tmp_path: Path) -> None:
    _, unknown = find_logic(searcher, "фщзч ъэъэ")
    assert unknown.code == "no-meaning"
    _, known = find_logic(searcher, "сумма словами")
    assert known.code != "no-meaning"
    refresh(DEMO, tmp_path, vectors=False)
    bare = Searcher(tmp_path)
    _, without = find_logic(bare, "сумма словами")
    assert without.code == "words"
    bare.close()
