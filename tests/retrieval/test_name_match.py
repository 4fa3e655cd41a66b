"""One word that abbreviates a name."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from bsl_scout.bsl.names import split_identifier
from bsl_scout.bsl.text import fold
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.name_match import SURE, candidates, name_quality
from bsl_scout.retrieval.search import Searcher
from support import Write


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("ЗапСрок", "ЗаполнитьСрокПлатежа"),
        ("запсрок", "ЗаполнитьСрокПлатежа"),
        ("прлимзад", "ПроверитьЛимитЗадолженности"),
        ("ПрЛимЗад", "ПроверитьЛимитЗадолженности"),
        ("ЗначРеквОбъекта", "ЗначениеРеквизитаОбъекта"),
        ("ЗаказПокуп", "Документ.ЗаказПокупателя"),
        ("заполнитьср", "ЗаполнитьСрокПлатежа"),
        ("заполнитьсрокплатежа", "ЗаполнитьСрокПлатежа"),
        ("normphone", "NormalizePhone"),
        ("ДатаНДС18", "ДатаНДС18Проверки"),
    ],
)
def test_beginnings_of_a_name_and_of_its_parts_are_sure(word: str, name: str) -> None:
    quality = name_quality(word, name)
    assert quality is not None
    assert quality >= SURE


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("лимзад", "ПроверитьЛимитЗадолженности"),
        ("СрокПл", "ЗаполнитьСрокПлатежа"),
        ("олнитьср", "ЗаполнитьСрокПлатежа"),
    ],
)
def test_what_stands_later_in_a_name_is_found_but_not_sure(word: str, name: str) -> None:
    quality = name_quality(word, name)
    assert quality is not None
    assert quality < SURE


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("СрокЗап", "ЗаполнитьСрокПлатежа"),
        ("запцены", "ЗаполнитьСрокПлатежа"),
        ("погода", "ПолучитьГодДаты"),
        ("хомячок", "ХозяйственнаяОперация"),
        ("запсрокх", "ЗаполнитьСрокПлатежа"),
    ],
)
def test_other_names_are_not_found(word: str, name: str) -> None:
    assert name_quality(word, name) is None


def test_a_name_of_many_equal_parts_is_decided_at_once() -> None:
    assert name_quality("ааа" * 30 + "б", "Ааааа" * 60) is None


def test_a_nearer_name_is_better() -> None:
    names = [
        "ЗаполнитьСрокПлатежа",
        "ЗаполнитьСрок",
        "ЗаполнитьДатуИСрокПлатежа",
        "ПерезаполнитьСрок",
        "ЗапСрок",
        "ЗапСрокДа",
    ]
    found = sorted(
        (name for name in names if name_quality("ЗапСрок", name)), key=lambda name: -name_quality("ЗапСрок", name)
    )  # type: ignore[operator]
    assert found == ["ЗапСрок", "ЗапСрокДа", "ЗаполнитьСрок", "ЗаполнитьСрокПлатежа", "ЗаполнитьДатуИСрокПлатежа"]


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
@pytest.mark.parametrize(
    ("query", "symbol", "convincing"),
    [
        ("запкурс", "ЗаписатьКурс", True),
        ("ПрЛимЗад", "ПроверитьЛимитЗадолженности", True),
        ("ЗаказПокуп", "Документ.ЗаказПокупателя", True),
        ("хомячоксобака", None, False),
    ],
)
def test_one_word_is_looked_for_among_the_names(
    searcher: Searcher, query: str, symbol: str | None, convincing: bool, mode: str
) -> None:
    answer = searcher.search(query, mode=mode)
    assert answer.convincing is convincing
    assert ("name" in answer.legs) is (symbol is not None)
    if symbol:
        assert answer.hits[0].symbol == symbol
        assert answer.hits[0].ranks["name"] == 1


@pytest.mark.parametrize("query", ["заказ", "курс валюты", "ЗаписатьКурс", "запкурс валюты", "при", "@", "orders"])
def test_known_words_and_several_words_are_answered_as_before(searcher: Searcher, query: str) -> None:
    assert "name" not in searcher.search(query).legs


def test_names_are_those_of_the_collection(searcher: Searcher) -> None:
    assert {hit.kind for hit in searcher.search("ЗаказПокуп", collection="metadata").hits if "name" in hit.ranks} >= {
        "object"
    }
    assert not any("." in hit.symbol for hit in searcher.search("ЗаказПокуп", collection="code").hits)


def test_names_follow_saves(write: Write, tmp_path: Path) -> None:
    top, index = write({"А.bsl": "Процедура ЗаполнитьСрокПлатежа()\nКонецПроцедуры\n"}), tmp_path / "index"
    refresh(top, index)
    searcher = Searcher(index)

    def found() -> list[str]:
        return [hit.symbol for hit in searcher.search("запсрок").hits]

    assert found() == ["ЗаполнитьСрокПлатежа"]
    write({"Б.bsl": "Процедура ЗаписатьСрок()\nКонецПроцедуры\n"})
    refresh(top, index)
    assert sorted(found()) == ["ЗаписатьСрок", "ЗаполнитьСрокПлатежа"]
    (top / "А.bsl").unlink()
    refresh(top, index)
    assert found() == ["ЗаписатьСрок"]
    refresh(top, index, rebuild=True)
    assert found() == ["ЗаписатьСрок"]
    searcher.close()


NAMES = (
    "ЗаполнитьСрокПлатежа",
    "ПроверитьЛимитЗадолженности",
    "ПолучитьИНН",
    "Документ.ЗаказПокупателя",
    "ДатаНДС18Проверки",
    "заполнитьСрок",
    "Export_OrderLines",
    "ЁмкостьЕмкости",
    "ОбновитьВсёИЕщё",
    "ПараметрыПодписи8_3_26Версия",
    "метка",
)


@pytest.mark.parametrize("name", NAMES)
def test_no_name_that_a_word_abbreviates_is_passed_by(name: str) -> None:
    """What is looked at at all has every name that counts: one first letter, ё, digits and pieces among them."""
    chance = random.Random(name)
    own = name.rpartition(".")[2]
    parts = split_identifier(own)
    for _ in range(300):
        first = chance.randrange(len(parts))
        humps = [part[: chance.randrange(1, len(part) + 1)] for part in parts[first : first + chance.randrange(1, 5)]]
        at = chance.randrange(len(own))
        piece = own[at : at + chance.randrange(4, 12)]
        for word in ("".join(humps), "".join(humps).lower(), piece, piece.upper(), "".join(humps).replace("е", "ё")):
            if word and name_quality(word, name) is not None:
                pattern, fits = candidates(word)
                places = [found.start() for found in re.finditer(f"(?={pattern.pattern})", name)]
                assert any(fits(fold(name[place:])) for place in places), (word, name)
