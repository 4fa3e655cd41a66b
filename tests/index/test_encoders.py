"""Another encoder: what it is given of a chunk, and how its vectors take the place of those that answer."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from bsl_scout.encoding.sentence_encoder import load_sentence_encoder
from bsl_scout.features.find_logic import find_logic
from bsl_scout.index import embedding
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.chunk_texts import Source, passage, title
from bsl_scout.index.embedding import NEXT, embed, present_encoder, waiting
from bsl_scout.index.encoders import OtherEncoder, open_bsl, open_other
from bsl_scout.index.exact_index import ExactIndex
from bsl_scout.index.indexer import refresh
from bsl_scout.index.next_vectors import make_next_vectors
from bsl_scout.index.vectors import VectorQuery, VectorsUnavailableError
from bsl_scout.retrieval.search import Searcher
from support import Write
from tiny_models import make_encoder

MODULE = """// Пересчитывает сумму в другую валюту.
//
// Параметры:
//  Сумма - Число
Функция ПересчитатьВВалюту(СуммаДокумента) Экспорт
	// по курсу на дату
	Возврат СуммаДокумента * Курс;
КонецФункции
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("models"), dimensions=32)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("models"), seed=2, dimensions=24)


def modules(count: int) -> dict[str, str | bytes]:
    names = ("ОтправитьПисьмо", "ПересчитатьКурс", "ЗаписатьЗаказ", "ЗакрытьСмену", "ПроверитьДоступ")
    text = "\n".join(
        f"Процедура {name}{n}()\n\tДействие{n}();\nКонецПроцедуры\n" for n in range(count) for name in names
    )
    return {"М.bsl": text}


def state(folder: Path) -> tuple[str, int, int, int, int]:
    """Return whose vectors answer, how many, of what length, and how many wait in both generations."""
    with closing(Catalog(folder)) as catalog:
        ((count, size),) = catalog.rows("SELECT count(*), max(length(vector)) FROM vectors")
        name = Path(present_encoder(catalog)).name
        return name, count, size, waiting(catalog), waiting(catalog, NEXT)


def answers(folder: Path, query: str) -> tuple[list[str], str]:
    searcher = Searcher(folder)
    answer, route = find_logic(searcher, query, "vector")
    searcher.close()
    assert answer.mode == "vector", route.reason
    return [hit.symbol for hit in answer.hits], route.reason


def test_what_tells_most_stands_first() -> None:
    code = Source("ПересчитатьВВалюту", MODULE, 0, 4, "Валюты\nКурсы валют")
    assert title(code) == "Пересчитать В Валюту"
    assert passage(code) == (
        "Пересчитать В Валюту\nПересчитывает сумму в другую валюту.\nВалюты, Курсы валют\n"
        "Функция Пересчитать В Валюту(Сумма Документа) Экспорт // по курсу на дату "
        "Возврат Сумма Документа * Курс; Конец Функции"
    )
    rows = "Справочник.КурсыВалют.Реквизит.Код\nКод · Code\nСправочник · Catalog · Валюты\nString(3)\nпо ISO"
    field = Source("Код", rows, metadata=True)
    assert title(field) == "Код"
    assert passage(field) == (
        "Код · Code\nСправочник · Catalog · Валюты\nСправочник.Курсы Валют.Реквизит.Код\nпо ISO\nString(3)"
    )
    long = Source("Имя", "Процедура Имя()\n" + "Сумма = Сумма + 1;\n" * 10_000)
    assert len(passage(long)) <= 2_048


def test_the_vector_of_a_chunk_has_its_name_beside_its_text(model: Path) -> None:
    plain = load_sentence_encoder(str(model))
    chunks = [Source("ПересчитатьВВалюту", MODULE, 0, 4), Source("", "Перем Кэш;"), Source("ПересчитатьВВалюту", "А")]
    vectors = open_other(str(model)).chunk_vectors(chunks)
    texts = plain.passages([passage(chunk) for chunk in chunks])
    name = plain.passages(["Пересчитать В Валюту"])[0]
    expected = np.stack([texts[0] + name, texts[1], texts[2] + name])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert vectors == pytest.approx(expected, abs=1e-5)


def test_an_index_is_searched_with_the_encoder_of_its_vectors(write: Write, tmp_path: Path, model: Path) -> None:
    top, folder = write(modules(3)), tmp_path / "index"
    report = refresh(top, folder, encoder=str(model))
    assert (report.vectors, report.problems) == (True, [])
    assert state(folder)[:4] == ("tiny-1", 15, 32, 0)
    encoder = open_other(str(model))
    found, reason = answers(folder, "отправить письмо")
    with closing(Catalog(folder)) as catalog:
        rows = catalog.rows("SELECT name, text FROM chunks c JOIN forward w ON w.chunk = c.id ORDER BY c.id")
        sources = [Source(name, embedding.unpack(text)) for name, text in rows]
    cosines = encoder.chunk_vectors(sources) @ encoder.query("отправить письмо")
    by_hand = [sources[place].name for place in np.argsort(-cosines)]
    assert found[:3] == by_hand[:3]
    assert reason == "asked for"
    # without a wish the encoder stays
    write({"Н.bsl": "Процедура Новая()\nКонецПроцедуры\n"})
    assert refresh(top, folder).vectors
    assert state(folder)[:4] == ("tiny-1", 16, 32, 0)
    assert Searcher(folder).search("новая", mode="hybrid").legs[:2] == ("lexical", "vector")


def test_old_vectors_answer_until_the_others_are_whole(
    write: Write, tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OtherEncoder, "batch", 4)
    top, folder = write(modules(3)), tmp_path / "index"
    refresh(top, folder)
    before = answers(folder, "отправить письмо")[0]
    # the worker leaves another model to a job between refreshes, which is stopped here after two batches
    assert refresh(top, folder, encoder=str(model), encode_later=True).problems == []

    class Stopped(Exception):
        pass

    def stopping(stage: str, done: int, total: int) -> None:
        assert (stage, total) == ("embedding", 15)
        if done >= 8:
            raise Stopped

    with pytest.raises(Stopped):
        make_next_vectors(folder, stopping)
    assert state(folder) == ("", 15, 128, 0, 7)
    found, reason = answers(folder, "отправить письмо")
    assert found == before
    assert reason == "with the vectors of the shipped model: those of the model tiny-1 are not ready"
    # what a save brings is found by the old vectors too, and made by the new encoder before it serves
    write({"М.bsl": str(modules(3)["М.bsl"]) + "\nПроцедура НайтиКонтрагента()\nКонецПроцедуры\n"})
    refresh(top, folder, encode_later=True)
    assert state(folder) == ("", 16, 128, 0, 8)
    assert answers(folder, "найти контрагента")[0][0] == "НайтиКонтрагента"
    made: list[int] = []
    chunk_vectors = OtherEncoder.chunk_vectors
    monkeypatch.setattr(
        OtherEncoder, "chunk_vectors", lambda self, chunks: made.append(len(chunks)) or chunk_vectors(self, chunks)
    )
    assert make_next_vectors(folder, lambda *_: None) == {"vectors": True, "problem": ""}
    assert (made, state(folder)[:4]) == ([4, 4], ("tiny-1", 16, 32, 0))
    with closing(Catalog(folder)) as catalog:
        assert not catalog.rows("SELECT * FROM next_vectors")
    assert answers(folder, "отправить письмо")[1] == "asked for"
    # nothing to do: nothing is made, nothing is loaded
    assert make_next_vectors(folder, stopping) == {"vectors": True, "problem": ""}
    assert made == [4, 4]


def test_the_first_vectors_answer_as_far_as_they_are_made(
    write: Write, tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OtherEncoder, "batch", 4)
    top, folder = write(modules(2)), tmp_path / "index"
    stops = iter((False, False, True))
    refresh(top, folder, vectors=False)
    with closing(Catalog(folder)) as catalog:
        embed(catalog, folder, lambda: next(stops), str(model))
    assert state(folder)[:4] == ("tiny-1", 8, 32, 2)
    assert answers(folder, "отправить письмо")[1] == "2 pieces of the index have no vector yet"
    assert refresh(top, folder).vectors
    assert answers(folder, "отправить письмо")[1] == "asked for"


def test_from_one_encoder_to_another_and_back(write: Write, tmp_path: Path, model: Path, other: Path) -> None:
    top, folder = write(modules(2)), tmp_path / "index"
    refresh(top, folder, encoder=str(model))
    refresh(top, folder, encoder=str(other), encode_later=True)
    assert state(folder)[:3] == ("tiny-1", 10, 32)
    # a change of mind: what was begun is forgotten, what answers goes on
    refresh(top, folder, encoder=str(model), encode_later=True)
    assert state(folder)[:3] == ("tiny-1", 10, 32)
    refresh(top, folder, encoder=str(other))
    assert state(folder)[:3] == ("tiny-2", 10, 24)
    # the shipped model is fast: it does not wait for a job
    refresh(top, folder, encoder="", encode_later=True)
    assert state(folder)[:4] == ("", 10, 128, 0)
    with closing(Catalog(folder)) as catalog:
        assert catalog.meta("vector_model") == open_bsl().identity
    assert answers(folder, "отправить письмо")[0][0].startswith("ОтправитьПисьмо")


def test_the_worker_asks_the_vectors_of_the_present_encoder(
    write: Write, tmp_path: Path, model: Path, other: Path
) -> None:
    top, folder = write(modules(2)), tmp_path / "index"
    index = ExactIndex(folder)

    def asked(name: Path, text: str = "письмо") -> list[str]:
        with closing(Catalog(folder)) as catalog:
            epoch = catalog.number("vector_epoch")
            chunks, cosines = index.nearest(VectorQuery(open_other(str(name)).query(text), 20, None, epoch))
            assert cosines.tolist() == sorted(cosines.tolist(), reverse=True)
            rows = catalog.chunks(chunks.tolist())
            return [rows[chunk].name for chunk in chunks.tolist()]

    with pytest.raises(VectorsUnavailableError, match="no vectors yet"):
        index.nearest(VectorQuery(np.ones(32, np.float32), 5))
    refresh(top, folder, encoder=str(model))
    first = asked(model)
    assert first[:5] == answers(folder, "письмо")[0][:5]
    # chunks that are gone are left out, new ones are taken in
    write({"М.bsl": str(modules(1)["М.bsl"]) + "\nПроцедура Письмо()\nКонецПроцедуры\n"})
    refresh(top, folder)
    assert set(asked(model)) == {name for name in first if name.endswith("0")} | {"Письмо"}
    # vectors of another length
    refresh(top, folder, encoder=str(other))
    assert asked(other)[:3] == answers(folder, "письмо")[0][:3]
    with pytest.raises(VectorsUnavailableError, match="the vectors are being exchanged"):
        index.nearest(VectorQuery(np.ones(24, np.float32), 5, None, 1))
    assert asked(other)


def test_a_writer_that_made_the_catalog_anew_is_noticed(write: Write, tmp_path: Path, model: Path) -> None:
    top, folder = write(modules(1)), tmp_path / "index"
    refresh(top, folder)
    with closing(Catalog(folder)) as catalog:
        catalog.set_meta(embedding.WANTED, str(model))

        def rebuilt(chunks: list[Source]) -> np.ndarray:
            refresh(top, folder, rebuild=True)
            return encoder.chunk_vectors(chunks)

        encoder = open_other(str(model))
        slow = type("Slow", (), {"identity": encoder.identity, "batch": 32, "chunk_vectors": staticmethod(rebuilt)})()
        assert embedding.embed_missing(catalog, slow, generation=NEXT) == 0
        assert not catalog.rows("SELECT * FROM next_vectors")


def test_an_encoder_that_cannot_be_used_is_one_problem(write: Write, tmp_path: Path, model: Path) -> None:
    top, folder = write(modules(1)), tmp_path / "index"
    nowhere = str(tmp_path / "нет")
    told = "the model нет cannot be used: there is no such folder; search goes on "
    report = refresh(top, folder, encoder=nowhere)
    assert [problem.message for problem in report.problems] == [f"{told}by words only"]
    assert not report.vectors
    searcher = Searcher(folder)
    answer, route = find_logic(searcher, "отправить письмо", "hybrid")
    assert (answer.mode, answer.hits[0].symbol, route.reason) == (
        "lexical",
        "ОтправитьПисьмо0",
        "by words: no vectors yet",
    )
    searcher.close()
    # with vectors that answer these go on, and take in what changes
    refresh(top, folder, encoder="")
    write({"Н.bsl": "Процедура Новая()\nКонецПроцедуры\n"})
    report = refresh(top, folder, encoder=nowhere)
    assert [problem.message for problem in report.problems] == [f"{told}with the vectors of the shipped model"]
    assert state(folder)[:4] == ("", 6, 128, 0)
    assert make_next_vectors(folder, lambda *_: None) == {
        "vectors": True,
        "problem": f"{told}with the vectors of the shipped model",
    }
    # a model that vanished after it made the vectors
    gone = shutil.copytree(model, tmp_path / "gone")
    refresh(top, folder, encoder=str(gone))
    shutil.rmtree(gone)
    report = refresh(top, folder)
    assert [problem.message for problem in report.problems] == [
        "the model gone cannot be used: there is no such folder; search goes on by words only"
    ]
    with closing(Catalog(folder)) as catalog, pytest.raises(Exception, match="the model gone cannot be used"):
        embed(catalog, folder)
