"""Vectors: the exact store against plain numpy, how they are kept, and that they follow the catalog."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bsl_scout.encoding.model import BslModel, load_model, unit
from bsl_scout.index import embedding
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.chunk_texts import Source, words_of
from bsl_scout.index.embedding import NEXT, embed_missing, take_over, waiting
from bsl_scout.index.encoders import BslEncoder, open_bsl
from bsl_scout.index.indexer import refresh
from bsl_scout.index.vectors import ExactVectors, StoredVectors, packed, unpacked
from support import Write

MODULE = """// Пересчитывает сумму в другую валюту.
//
// Параметры:
//  Сумма - Число
Функция Пересчитать(Сумма) Экспорт
	// по курсу на дату
	Возврат Сумма * Курс;
КонецФункции

Процедура ОтправитьПисьмо(Адрес)
	Почта.Отправить(Адрес);
КонецПроцедуры
"""


def random_vectors(count: int, seed: int = 1) -> np.ndarray:
    return unit(np.random.default_rng(seed).normal(size=(count, 16)).astype(np.float32))


@pytest.mark.parametrize("held", [0, 900], ids=["gaps closed at once", "gaps kept"])
def test_the_exact_store_does_what_a_dictionary_does(held: int) -> None:
    store, plain = ExactVectors(16), {}
    first = random_vectors(held, 77)
    store.reserve(held)
    store.upsert(range(100, 100 + held), first)
    plain.update(zip(range(100, 100 + held), first, strict=True))
    chooser = np.random.default_rng(5)
    query = random_vectors(1, 9)[0]
    for step in range(60):
        chunks = chooser.choice(80, int(chooser.integers(1, 12)), replace=False)
        if step % 3 == 2:
            chunks = chunks + held // 2
            store.delete(chunks.tolist())
            for chunk in chunks.tolist():
                plain.pop(chunk, None)
        else:
            vectors = random_vectors(len(chunks), step)
            store.upsert(chunks.tolist(), vectors)
            plain.update(zip(chunks.tolist(), vectors, strict=True))
        assert store.chunks.tolist() == sorted(plain) and len(store) == len(plain)
        found, scores = store.query(query, 7)
        expected = sorted(plain, key=lambda chunk: (-float(plain[chunk] @ query), chunk))[:7]
        assert found.tolist() == expected
        assert scores == pytest.approx([float(plain[chunk] @ query) for chunk in expected], abs=1e-5)
    among = np.array(sorted(plain)[::2])
    found, _ = store.query(query, 1_000, among)
    assert sorted(found.tolist()) == among.tolist()


def test_eight_bits_keep_the_direction() -> None:
    vectors = random_vectors(200)
    back = unpacked(packed(vectors), 16)
    assert (vectors * back).sum(axis=1).min() > 0.999
    assert np.linalg.norm(back, axis=1) == pytest.approx(np.ones(200), abs=1e-5)
    assert not unpacked(packed(np.zeros((1, 16), np.float32)), 16).any()


def test_what_a_chunk_is_told_by() -> None:
    texts = words_of(Source("Пересчитать", MODULE.split("\n\n")[0], 0, 4, "Валюты\nКурсы валют"))
    assert texts.name == ["Пересчитать"]
    assert texts.doc == ["Пересчитывает", "сумму", "в", "другую", "валюту"]
    assert texts.context == ["Валюты", "Курсы", "валют"]
    assert texts.notes == ["по", "курсу", "на", "дату"]
    assert texts.text == ["Сумма", "Сумма", "Курс"]
    rows = "Справочник.Валюты.Реквизит.Код\nКод · Code\nСправочник · Catalog · Валюты\nString(3)\nпо ISO"
    field = words_of(Source("Код", rows, metadata=True))
    assert (field.text, field.name, field.doc) == (["Код"], ["Код"], ["по", "ISO"])
    assert field.context == ["Справочник", "Catalog", "Валюты"]


def test_the_nearest_chunk_is_the_one_that_says_it() -> None:
    model = open_bsl()
    chunks = [
        Source("ПересчитатьВВалюту", "Функция ПересчитатьВВалюту(Сумма)\nКонецФункции", context="Валюты"),
        Source("ОтправитьПисьмо", "Процедура ОтправитьПисьмо(Адрес)\nКонецПроцедуры", context="Почта"),
    ]
    vectors = model.chunk_vectors(chunks)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)
    for query, best in (("currency conversion", 0), ("послать почту", 1), ("send an email", 1)):
        assert int((vectors @ model.query(query)).argmax()) == best


def follow(folder: Path) -> tuple[StoredVectors, set[str]]:
    catalog = Catalog(folder)
    stored = StoredVectors(catalog, load_model().dimensions)
    stored.follow(np.ones(catalog.last_ids()[0] + 1, np.bool_))
    names = {row.name for row in catalog.chunks(stored.store.chunks.tolist()).values()}
    catalog.close()
    return stored, names


def test_only_changed_chunks_get_new_vectors(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top, folder = write({"М.bsl": MODULE}), tmp_path / "index"
    made: list[int] = []
    monkeypatch.setattr(embedding, "embed_missing", lambda *rest: made.append(embed_missing(*rest)))
    assert refresh(top, folder).vectors
    write({"М.bsl": MODULE.replace("Почта.Отправить", "Почта.ПоставитьВОчередь")})
    refresh(top, folder)
    refresh(top, folder)
    write({"М.bsl": MODULE.split("\n\n")[0]})
    refresh(top, folder)
    # with nothing to do the model is not even loaded
    assert made == [2, 1]
    assert follow(folder)[1] == {"Пересчитать"}


def test_a_store_follows_the_catalog(write: Write, tmp_path: Path) -> None:
    top, folder = write({"М.bsl": MODULE}), tmp_path / "index"
    refresh(top, folder)
    catalog = Catalog(folder)
    stored = StoredVectors(catalog, load_model().dimensions)
    stored.follow(np.ones(3, np.bool_))
    assert stored.store.chunks.tolist() == [1, 2]
    write({"М.bsl": MODULE.replace("Почта.Отправить", "Почта.ПоставитьВОчередь")})
    refresh(top, folder)
    alive = np.ones(4, np.bool_)
    alive[2] = False
    stored.follow(alive)
    assert stored.store.chunks.tolist() == [1, 3]
    # as if another model had made them
    catalog.write("UPDATE meta SET value = ? WHERE key = 'vector_model'", [("other",)])
    assert embed_missing(catalog, open_bsl()) == 2
    stored.follow(alive)
    assert stored.store.chunks.tolist() == [1, 3]
    catalog.close()


def test_the_next_vectors_serve_when_every_chunk_has_one(write: Write, tmp_path: Path) -> None:
    top, folder = write({"М.bsl": MODULE}), tmp_path / "index"
    refresh(top, folder)
    catalog, shipped = Catalog(folder), load_model()
    other = BslEncoder(BslModel(shipped._tokenizer, shipped._rows[::-1].copy(), b"other"))
    stored = StoredVectors(catalog, shipped.dimensions)
    alive = np.ones(5, np.bool_)
    stored.follow(alive)
    before = stored.store.query(shipped.query("почта"), 2)
    assert not take_over(catalog)
    assert embed_missing(catalog, other, cancelled=lambda: True, generation=NEXT) == 0
    assert not take_over(catalog)
    assert embed_missing(catalog, other, generation=NEXT) == 2
    stored.follow(alive)
    assert [part.tolist() for part in stored.store.query(shipped.query("почта"), 2)] == [p.tolist() for p in before]
    # a save in between: the old vectors go on to serve the new chunk, the next ones wait for theirs
    write({"М.bsl": MODULE.replace("Почта.Отправить", "Почта.ПоставитьВОчередь")})
    refresh(top, folder)
    assert catalog.meta("vector_model") == open_bsl().identity
    assert (waiting(catalog), waiting(catalog, NEXT), take_over(catalog)) == (0, 1, False)
    assert embed_missing(catalog, other, generation=NEXT) == 1
    assert take_over(catalog, something=7)
    assert (catalog.meta("vector_model"), catalog.number("something")) == (other.identity, 7)
    assert not catalog.rows("SELECT * FROM next_vectors")
    alive[2] = False
    stored.follow(alive)
    assert stored.store.chunks.tolist() == [1, 3]
    ((own,),) = catalog.rows("SELECT vector FROM vectors WHERE chunk = 3")
    found, _ = stored.store.query(unpacked([own], shipped.dimensions)[0], 1)
    assert found.tolist() == [3]
    assert not take_over(catalog)
    catalog.close()


def test_without_vectors_and_after_a_cancel(write: Write, tmp_path: Path) -> None:
    top, folder = write({"М.bsl": MODULE}), tmp_path / "index"
    report = refresh(top, folder, vectors=False)
    assert (report.chunks, report.vectors) == (2, False)
    catalog = Catalog(folder)
    assert embed_missing(catalog, open_bsl(), cancelled=lambda: True) == 0
    assert waiting(catalog) == 2
    catalog.close()
    assert refresh(top, folder).vectors


def test_a_new_synonym_gives_the_modules_new_vectors(write: Write, tmp_path: Path) -> None:
    objects = """<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:v8="http://v8.1c.ru/8.1/data/core">
<CommonModule uuid="11111111-1111-1111-1111-111111111111"><Properties><Name>М</Name><Synonym><v8:item>
<v8:lang>ru</v8:lang><v8:content>{}</v8:content></v8:item></Synonym></Properties></CommonModule></MetaDataObject>"""
    configuration = """<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses"><Configuration><Properties>
<Name>К</Name></Properties><ChildObjects><CommonModule>М</CommonModule></ChildObjects></Configuration></MetaDataObject>"""
    files = {"Configuration.xml": configuration, "CommonModules/М/Ext/Module.bsl": MODULE}
    top, folder = write({**files, "CommonModules/М.xml": objects.format("Валюты")}), tmp_path / "index"
    assert refresh(top, folder).changes.added == 3
    write({"CommonModules/М.xml": objects.format("Курсы валют")})
    changes = refresh(top, folder).changes
    assert (changes.updated, changes.unchanged) == (3, 0)
    assert refresh(top, folder).changes.unchanged == 3
    catalog = Catalog(folder)
    contexts = {row.path: row.context for row in catalog.files().values() if row.kind == "module"}
    assert contexts == {"CommonModules/М/Ext/Module.bsl": "Курсы валют"}
    catalog.close()
