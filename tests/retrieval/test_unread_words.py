"""A word that the model of meaning does not know is left to the words: those beside it do not speak for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bsl_scout.encoding.model import load_model
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.fusion import Fusion, Ranking, fuse
from bsl_scout.retrieval.search import Searcher
from support import Write

# many procedures by the meaning of the words that the model knows, one with the word that it does not
GETTERS = "".join(
    f"// Получает данные.\nФункция {name}() Экспорт\n\tВозврат 1;\nКонецФункции\n"
    for name in ("ПолучитьДанные", "Получить", "ДанныеПолучения", "ПолучитьДанныеЗаново")
)
NAMED = "Функция РазобратьWSDL()\n\tВозврат 2;\nКонецФункции\n"


def test_the_model_knows_words_and_no_bare_letters() -> None:
    model = load_model()
    assert [word for word in ("получить", "WSDL", "данные", "ъъъъ", "и", "ИНН") if not model.knows(word)] == [
        "WSDL",
        "ъъъъ",
    ]


def test_an_unknown_word_is_not_outvoted(write: Write, tmp_path: Path) -> None:
    others = "".join(f"Процедура Другая{number}()\nКонецПроцедуры\n" for number in range(30))
    refresh(write({"CommonModules/Обмен/Ext/Module.bsl": GETTERS + NAMED + others}), tmp_path / "index")
    searcher = Searcher(tmp_path / "index")
    for mode in ("lexical", "hybrid"):
        assert searcher.search("получить WSDL", mode=mode).hits[0].symbol == "РазобратьWSDL"
    assert searcher.search("получить", mode="hybrid").hits[0].symbol == "Получить"
    searcher.close()


@pytest.mark.parametrize(("share", "first"), [(1.0, 2), (0.5, 1), (0.0, 1)])
def test_a_leg_weighs_by_what_it_read(share: float, first: int) -> None:
    words = Ranking(np.array([1, 2]), np.array([1.0, 0.5]))
    meaning = Ranking(np.array([2, 1]), np.array([1.0, 0.5]), share)
    assert fuse({"lexical": words, "vector": meaning}, Fusion()).chunks[0] == first
    # alone it keeps its order and its scale
    alone = fuse({"vector": meaning}, Fusion())
    assert (alone.chunks.tolist(), alone.scores.tolist()) == ([2, 1], [1.0, 0.0])
