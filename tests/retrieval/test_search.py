"""Search on the demo configuration and on odd queries."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval import search
from bsl_scout.retrieval.language import Language
from bsl_scout.retrieval.search import Searcher
from bsl_scout.retrieval.snippets import Snippets
from bsl_scout.retrieval.synonyms import with_built_in
from support import DEMO, Write


@pytest.mark.parametrize(
    ("query", "symbol"),
    [
        ("ТоварыНоменклатураПриИзменении", "ТоварыНоменклатураПриИзменении"),
        ("товары номенклатура при изменении", "ТоварыНоменклатураПриИзменении"),
        ("Отгруженный заказ нельзя распровести", "ПередЗаписью"),
        ("сумма словами", "СуммаСловами"),
        ("снять просроченный резерв", "СнятьПросроченныеРезервы"),
        ("normalize phone", "NormalizePhone"),
        ("проверка лимита задолженности", "ПроверитьЛимитЗадолженности"),
        ("распределение оплаты", "РаспределитьОплату"),
    ],
)
def test_the_right_procedure_is_first(searcher: Searcher, query: str, symbol: str) -> None:
    answer = searcher.search(query)
    assert answer.hits[0].symbol == symbol
    assert answer.convincing
    assert "lexical" in answer.legs
    assert [hit.rank for hit in answer.hits] == list(range(1, len(answer.hits) + 1))


@pytest.mark.parametrize(
    "query",
    ["", "   ", "\0", "%_'\"; DROP VIEW xyzzy;--", "ф" * 10_000, "()[]{}\\", "🙂", "а" + "б" * 3 + "\ud800"],
)
def test_odd_queries_find_nothing_and_break_nothing(searcher: Searcher, query: str) -> None:
    for mode in ("lexical", "hybrid", "vector"):
        assert not searcher.search(query, mode=mode).convincing
    assert searcher.search("сумма словами").hits


def test_top_and_collection(searcher: Searcher) -> None:
    assert len(searcher.search("заказ", top=3).hits) == 3
    forms = searcher.search("форма заказа мои задачи", top=50, collection="form").hits
    assert all(hit.is_form for hit in forms) and {hit.kind for hit in forms} == {"form", "object"}


@pytest.mark.parametrize(
    ("query", "symbol"),
    [
        ("Заказ покупателя", "Документ.ЗаказПокупателя"),
        ("документ заказ покупателя", "Документ.ЗаказПокупателя"),
        ("Document.ЗаказПокупателя", "Документ.ЗаказПокупателя"),
        ("Снятие просроченных резервов", "РегламентноеЗадание.СнятиеРезервов"),
        ("снять просроченные резервы", "СнятьПросроченныеРезервы"),
    ],
)
def test_metadata_is_found_by_what_it_is_called(searcher: Searcher, query: str, symbol: str) -> None:
    assert searcher.search(query).hits[0].symbol == symbol


def test_the_snippet_is_the_line_with_most_words(searcher: Searcher) -> None:
    hit = searcher.search("Отгруженный заказ нельзя распровести").hits[0]
    line = (DEMO / hit.path).read_text(encoding="utf-8-sig").split("\n")[hit.snippet_line]
    assert "нельзя" in hit.snippet
    assert hit.snippet.rstrip("…") in line
    assert Snippets(["нет"]).best_line("\nА = 1;\nБ = 2;") == 1


def test_a_new_commit_is_seen_by_an_open_searcher(write: Write, tmp_path: Path) -> None:
    top = write({"a.bsl": "Процедура Первая()\nКонецПроцедуры\n"})
    refresh(top, tmp_path / "index")
    opened = Searcher(tmp_path / "index")
    assert not opened.search("вторая").hits
    write({"b.bsl": "Процедура Вторая()\nКонецПроцедуры\n"})
    refresh(top, tmp_path / "index")
    assert [hit.symbol for hit in opened.search("вторая").hits] == ["Вторая"]
    opened.close()


@pytest.mark.parametrize(
    ("query", "collection", "symbol", "path"),
    [
        (
            "российский рубль",
            "all",
            "Справочник.Валюты.ПредопределенныйЭлемент.РоссийскийРубль",
            "Catalogs/Валюты/Ext/Predefined.xml",
        ),
        (
            "КоличествоОстаток ВРезервеОстаток Свободно ВНаличии",
            "metadata",
            "Отчет.ОстаткиТоваров.Макет.ОсновнаяСхемаКомпоновкиДанных",
            "Reports/ОстаткиТоваров/Templates/ОсновнаяСхемаКомпоновкиДанных/Ext/Template.xml",
        ),
        (
            "роль ограничение ОсновнойМенеджер ТекущийПользователь ЭтоГруппа",
            "metadata",
            "Роль.МенеджерПоПродажам.ОграничениеДоступа.Справочник.Контрагенты.Чтение",
            "Roles/МенеджерПоПродажам/Ext/Rights.xml",
        ),
    ],
)
def test_what_side_files_hold_lands_in_them(
    searcher: Searcher, query: str, collection: str, symbol: str, path: str
) -> None:
    hit = next(hit for hit in searcher.search(query, collection=collection).hits[:3] if hit.symbol == symbol)
    assert hit.path == path
    lines = (DEMO / path).read_text("utf-8-sig").split("\n")
    if hit.kind == "predefined":
        assert "<Item " in lines[hit.line]
    elif hit.kind == "template":
        assert "<query>" in lines[hit.line]
    else:
        assert hit.snippet.replace("&", "&amp;") in lines[hit.snippet_line]


def test_a_form_is_found_by_the_query_of_its_list(searcher: Searcher) -> None:
    words = "КоличествоОстаток ВРезервеОстаток ЕСТЬNULL артикул"
    hits = searcher.search(words, collection="form").hits
    assert hits
    assert {hit.kind for hit in hits} == {"form"}
    assert hits[0].symbol == "Справочник.Номенклатура.Форма.ФормаСписка"
    assert hits[0].path == "Catalogs/Номенклатура.xml"
    assert "ВРезервеОстаток" in hits[0].snippet


def test_texts_stay_out_of_code(searcher: Searcher) -> None:
    for query in ("ОсновнойМенеджер ТекущийПользователь ЭтоГруппа", "российский рубль"):
        kinds = {hit.kind for hit in searcher.search(query, collection="code").hits}
        assert kinds <= {"procedure", "function", "header", "body"}


@pytest.mark.parametrize(
    ("query", "symbol"),
    [
        ("написать сумму прописью", "СуммаСловами"),
        ("amount in words", "СуммаСловами"),
        ("проверка лимита задолженности", "ПроверитьЛимитЗадолженности"),
    ],
)
def test_meaning_finds_what_words_do_not_say(searcher: Searcher, query: str, symbol: str) -> None:
    answer = searcher.search(query, mode="hybrid")
    assert answer.legs[:2] == ("lexical", "vector")
    assert symbol in [hit.symbol for hit in answer.hits[:3]]
    assert "vector" in next(hit for hit in answer.hits if hit.symbol == symbol).ranks
    assert [hit.score for hit in answer.hits] == sorted((hit.score for hit in answer.hits), reverse=True)


def test_a_mode_is_what_took_part(searcher: Searcher) -> None:
    assert searcher.search("сумма словами", mode="lexical").legs == ("lexical",)
    vector = searcher.search("сумма словами", mode="vector")
    assert (vector.mode, vector.legs) == ("vector", ("vector",))
    assert all(hit.ranks.keys() == {"vector"} for hit in vector.hits)
    unknown = searcher.search("ъъъъ", mode="hybrid")
    assert (unknown.mode, unknown.legs, unknown.hits) == ("lexical", ("lexical",), [])


def test_words_answer_while_vectors_are_missing(write: Write, tmp_path: Path) -> None:
    top, folder = write({"М.bsl": "Процедура ЗаписатьЗаказ()\nКонецПроцедуры\n"}), tmp_path / "index"
    refresh(top, folder, vectors=False)
    opened = Searcher(folder)
    answer = opened.search("записать заказ", mode="hybrid")
    assert (answer.mode, answer.legs, answer.note) == ("lexical", ("lexical",), "no vectors yet")
    assert [hit.symbol for hit in answer.hits] == ["ЗаписатьЗаказ"]
    refresh(top, folder)
    assert opened.search("оформление заявки", mode="hybrid").legs == ("lexical", "vector")
    # as after an update of the package: vectors of another model are not compared with this one's
    opened.catalog.set_meta("vector_model", "1 256 другая")
    assert opened.search("записать заказ", mode="hybrid").legs == ("lexical",)
    opened.close()


def test_the_users_synonyms_count_without_any_translation(write: Write, tmp_path: Path) -> None:
    refresh(write({"М.bsl": "Процедура СнятьЪзл()\nКонецПроцедуры\n"}), tmp_path / "index", vectors=False)
    opened = Searcher(tmp_path / "index")
    assert not opened.search("хотелка").hits
    opened.language = Language(synonyms=with_built_in([["хотелка", "ъзл"]]))
    assert [hit.symbol for hit in opened.search("хотелка").hits] == ["СнятьЪзл"]
    opened.close()


def test_copies_fold_into_one_hit(write: Write, tmp_path: Path) -> None:
    text = "Процедура ОбновитьКурс()\n\tЗагрузить();\nКонецПроцедуры\n"
    other = text.replace("Загрузить", "Отменить")
    top, folder = write({"а.bsl": text, "б.bsl": text, "в.bsl": other, "г.bsl": text}), tmp_path / "index"
    refresh(top, folder)
    opened = Searcher(folder)
    for mode in ("lexical", "hybrid"):
        hits = opened.search("обновить курс", mode=mode).hits
        found = {hit.path: [copy.path for copy in hit.also] for hit in hits}
        assert found == {"а.bsl": ["б.bsl", "г.bsl"], "в.bsl": []}
        assert [(copy.symbol, copy.line) for copy in hits[0].also + hits[1].also] == [("ОбновитьКурс", 0)] * 2
    opened.close()


def test_the_better_index_has_the_better_score(write: Write, tmp_path: Path) -> None:
    scores = []
    for name, procedure in (("one", "ПересчитатьОстатки"), ("two", "ПересчитатьВалюту")):
        top = write({f"{name}/М.bsl": f"Процедура {procedure}()\nКонецПроцедуры\n"})
        refresh(top / name, tmp_path / name)
        opened = Searcher(tmp_path / name)
        scores.append(opened.search("пересчитать валюту", mode="hybrid").hits[0].score)
        opened.close()
    assert 0 < scores[0] < scores[1]


def test_a_search_under_way_takes_no_wish_for_the_newest_away(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # as on a large configuration, where a snapshot is costly and serves for a while
    monkeypatch.setattr(search, "_COSTLY_SECONDS", -1.0)
    monkeypatch.setattr(search, "_PATIENCE", 1e9)
    top, index = write({"А.bsl": "Процедура Первая()\nКонецПроцедуры\n"}), tmp_path / "index"
    refresh(top, index)
    searcher = Searcher(index)
    assert searcher.search("первая").hits
    with searcher.catalog.reading():
        seen = searcher.catalog.number("generation")
        write({"А.bsl": "Процедура Первая()\nКонецПроцедуры\nПроцедура Вторая()\nКонецПроцедуры\n"})
        searcher.follow(refresh(top, index).generation)
        assert searcher.snapshot().state[0] == seen
    # the old snapshot may serve for a word that no chunk has, too
    searcher.follow(0)
    assert not searcher.search("вторпроц").hits
    assert not searcher.search("Втор").hits
    searcher.follow(searcher.catalog.number("generation"))
    assert [hit.symbol for hit in searcher.search("Втор").hits] == ["Вторая"]
    assert searcher.search("вторая").hits
    searcher.close()


def test_by_meaning_slang_is_asked_in_the_words_of_the_index(tmp_path: Path) -> None:
    refresh(DEMO, tmp_path)
    searcher = Searcher(tmp_path)
    searcher.learn()
    searcher.language = Language(synonyms=with_built_in([["ъюхта", "просроченный резерв"]]))
    hits = searcher.search("снять ъюхту", mode="vector").hits
    assert hits[0].symbol == "СнятьПросроченныеРезервы"
    # a word that stands for nothing is none that the model knows
    searcher.language = Language(synonyms=with_built_in([]))
    assert searcher.search("ъюхта", mode="vector").hits == []
    searcher.close()
