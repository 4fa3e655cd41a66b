"""The Russian-English dictionary: alignment of names, what a configuration tells, what is built in."""

from __future__ import annotations

from pathlib import Path

from bsl_scout.bsl.names import stem
from bsl_scout.bsl.text import fold
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.dictionary import align, build_dictionary, built_in, dictionary_of, mined, own_pairs, terms
from support import Write


def term(word: str) -> str:
    return stem(fold(word))


def translations(word: str) -> list[str]:
    return [other for other, _ in build_dictionary(built_in()).expand([term(word)]).get(term(word), [])]


def test_words_are_told_apart_by_the_names_they_stand_in() -> None:
    texts = [
        ("Курс валюты", "Currency rate"),
        ("Загрузка валюты", "Currency import"),
        ("Загрузка файла", "File import"),
        ("ИмяФайла", "FileName"),
        ("Курс", "Rate"),
    ]
    found = align([(terms(left), terms(right)) for left, right in texts])
    best = {left: max((w, right) for (one, right), w in found.items() if one == left)[1] for left, _ in found}
    assert best == {
        term("курс"): term("rate"),
        term("валюты"): term("currency"),
        term("загрузка"): term("import"),
        term("файла"): term("file"),
    }
    assert all(0 < weight <= 1 for weight in found.values())


def test_accidents_teach_nothing() -> None:
    assert align([]) == {}
    assert align([([], ["rate"]), (["курс"], [])]) == {}
    # seen once and never alone: nobody knows which word is which
    assert align([(["красн", "дом"], ["red", "house"])]) == {}
    assert align([(["sms"], ["sms"])]) == {}
    assert align([([f"а{i}" for i in range(1000)], ["x"])]) == {}


def test_both_directions_and_the_best_first() -> None:
    found = build_dictionary([("курс", "rate", 0.9), ("курс", "cours", 0.3)], [("курс", "rate", 0.5)])
    assert found.expand(["курс", "rate", "нет"]) == {"курс": [("rate", 0.9), ("cours", 0.3)], "rate": [("курс", 0.9)]}


def test_what_is_built_in() -> None:
    assert term("currency") in translations("валюта")
    assert term("пользователь") in translations("users")
    assert build_dictionary(built_in()).expand(["присозданиинасервере"]) == {
        "присозданиинасервере": [("oncreateatserver", 1.0)]
    }
    assert term("catalog") in translations("справочник")
    assert not translations("рыба")


METADATA = """<?xml version="1.0" encoding="UTF-8"?>
<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:v8="http://v8.1c.ru/8.1/data/core">
<Catalog uuid="10000000-0000-0000-0000-000000000001"><Properties><Name>{name}</Name><Synonym>{synonym}</Synonym>
</Properties></Catalog></MetaDataObject>"""
ITEM = "<v8:item><v8:lang>{}</v8:lang><v8:content>{}</v8:content></v8:item>"
CONFIGURATION = """<?xml version="1.0" encoding="UTF-8"?>
<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses"><Configuration uuid="20000000-0000-0000-0000-000000000001">
<Properties><Name>Trade</Name></Properties></Configuration></MetaDataObject>"""


def test_a_configuration_teaches_its_own_words(write: Write, tmp_path: Path) -> None:
    named = {"Counterparties": [("ru", "Контрагенты")], "Скидки": [("ru", "Скидки"), ("en", "Discounts")], "Only": []}
    files: dict[str, str | bytes] = {"Configuration.xml": CONFIGURATION}
    for name, texts in named.items():
        synonym = "".join(ITEM.format(*text) for text in texts)
        files[f"Catalogs/{name}.xml"] = METADATA.format(name=name, synonym=synonym)
    top, index = write(files), tmp_path / "index"
    index.mkdir()
    refresh(top, index)
    catalog = Catalog(index)
    pairs = own_pairs(catalog)
    assert (terms("Контрагенты"), terms("Counterparties")) in pairs
    assert (term("скидки"), term("discounts"), 1.0) in mined(pairs)
    found = dictionary_of(catalog)
    catalog.close()
    assert found.expand([term("counterparties")])[term("counterparties")][0] == (term("контрагенты"), 1.0)
    assert term("only") not in {one for pair in pairs for side in pair for one in side}
