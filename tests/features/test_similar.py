"""What is similar to a procedure, and where there is nothing to compare."""

from __future__ import annotations

from pathlib import Path

from bsl_scout.features.similar import similar_to
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from support import DEMO, Write

RATES = "CommonModules/КурсыВалютСервер/Ext/Module.bsl"
BODY = (
    "\tДля Каждого Строка Из Заказ.Товары Цикл\n\t\tСумма = Сумма + Строка.Цена * Строка.Количество;\n\tКонецЦикла;\n"
)


def text_of(path: str) -> str:
    return (DEMO / path).read_text(encoding="utf-8-sig")


def line_of(text: str, name: str) -> int:
    return next(i for i, line in enumerate(text.split("\n")) if f" {name}(" in line and line[0] != "\t")


def test_the_nearest_are_about_the_same(searcher: Searcher) -> None:
    text = text_of(RATES)
    answer, route = similar_to(searcher, RATES, text, line_of(text, "КурсНаДату") + 1)
    assert (route.code, answer.query, answer.legs) == ("similar", "КурсНаДату", ("vector",))
    names = [hit.symbol for hit in answer.hits]
    assert "КурсНаДату" not in [hit.symbol for hit in answer.hits if hit.path == RATES]
    assert any("урс" in name for name in names[:3]), names
    assert all(hit.kind in ("procedure", "function") for hit in answer.hits)
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True)


def test_the_procedure_and_its_copies_are_left_out_and_copies_of_others_fold(write: Write, tmp_path: Path) -> None:
    copy = f"Функция СуммаЗаказа(Заказ)\n{BODY}КонецФункции\n"
    near = f"Функция СуммаТоваровЗаказа(Заказ)\n{BODY}\tВозврат Сумма;\nКонецФункции\n"
    top = write(
        {"a.bsl": copy, "b.bsl": copy, "c.bsl": near, "d.bsl": near, "e.bsl": "Процедура Письмо()\nКонецПроцедуры\n"}
    )
    refresh(top, tmp_path / "index")
    searcher = Searcher(tmp_path / "index")
    answer, _ = similar_to(searcher, "a.bsl", copy, 2)
    first = answer.hits[0]
    assert (first.path, first.symbol, [other.path for other in first.also]) == (
        "c.bsl",
        "СуммаТоваровЗаказа",
        ["d.bsl"],
    )
    assert not {"a.bsl", "b.bsl"} & {hit.path for hit in answer.hits}
    searcher.close()


def test_a_procedure_of_several_parts_is_compared_as_a_whole(write: Write, tmp_path: Path) -> None:
    long = "Процедура Отправить()\n" + "\tОтправитьПисьмо(Получатель, Тема);\n" * 300 + "КонецПроцедуры\n"
    other = "Процедура ОтправитьПисьмо(Получатель, Тема)\nКонецПроцедуры\n"
    top = write({"a.bsl": long, "b.bsl": other})
    refresh(top, tmp_path / "index")
    searcher = Searcher(tmp_path / "index")
    answer, _ = similar_to(searcher, "a.bsl", long, 200)
    assert [hit.path for hit in answer.hits] == ["b.bsl"]
    searcher.close()


def test_a_place_outside_of_procedures_and_an_index_without_vectors_say_so(write: Write, tmp_path: Path) -> None:
    text = "Перем А;\n\nПроцедура Проба()\nКонецПроцедуры\n\nА = 1;\n"
    top = write({"a.bsl": text})
    refresh(top, tmp_path / "index", vectors=False)
    searcher = Searcher(tmp_path / "index")
    for line, code in ((0, "no-procedure"), (2, "no-vectors"), (5, "no-procedure")):
        answer, route = similar_to(searcher, "a.bsl", text, line)
        assert (route.code, answer.hits, answer.convincing) == (code, [], False)
    # the text of the editor may be newer than the index
    moved = "// новое\n\n" + text
    assert similar_to(searcher, "a.bsl", moved, 4)[1].code == "no-vectors"
    assert similar_to(searcher, "a.bsl", moved + "\nПроцедура Новая()\nКонецПроцедуры\n", 9)[1].code == "no-procedure"
    searcher.close()
