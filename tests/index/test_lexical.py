"""The postings give the scores of rank_bm25, whatever was added, changed, removed or merged before."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from bsl_scout.bsl.chunks import outline
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.lexical import DEFAULT, FIELDS, FLAT, Scheme, least_of_best
from bsl_scout.index.merge import merge
from bsl_scout.index.snapshot import Snapshot
from bsl_scout.index.vocabulary import Vocabulary

WORDS = [
    "склад",
    "валюта",
    "курс",
    "заказ",
    "оплата",
    "долг",
    "письмо",
    "адрес",
    "печать",
    "обмен",
    "роль",
    "цена",
]


class Edited:
    """A catalog under random edits and the same documents in memory."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.catalog = Catalog(folder)
        self.catalog.create("test")
        self.vocabulary = Vocabulary(self.catalog)
        self.documents: dict[int, tuple[list[str], ...]] = {}
        self.chunk = outline("Процедура А()\nКонецПроцедуры\n")[0]

    def document(self) -> tuple[list[str], ...]:
        def words(most: int) -> list[str]:
            return [self.random.choice(WORDS) for _ in range(self.random.randint(0, most))]

        common = ["процедура"] if self.random.random() < 0.8 else []
        return (words(2), [*words(2), *common], words(3), words(6), words(6), [*words(15), *common])

    def edit(self) -> None:
        with self.catalog.transaction():
            for _ in range(self.random.randint(1, 8)):
                fields = self.document()
                number = self.catalog.add_chunk(1, self.chunk, *self.vocabulary.encode(fields))
                self.documents[number] = fields
            count = self.random.randint(0, min(6, len(self.documents) - 1))
            gone = self.random.sample(sorted(self.documents), count)
            self.catalog.remove_chunks(gone)
            for number in gone:
                del self.documents[number]
            self.vocabulary.flush()
            self.catalog.store_counts()
            if self.random.random() < 0.3:
                merge(self.catalog)

    def expected(self, terms: Sequence[str], scheme: Scheme) -> dict[int, float]:
        """Return the library's scores of the documents that hold any of the terms."""
        repeated = [
            [word for field, weight in zip(fields, scheme.weights, strict=True) for word in field * int(weight)]
            for fields in self.documents.values()
        ]
        library = BM25Okapi(repeated, k1=scheme.k1, b=scheme.b[0], epsilon=scheme.epsilon)
        scores = library.get_scores(terms)
        holds = [bool(set(terms) & set(words)) for words in repeated]
        return {n: s for n, s, held in zip(self.documents, scores, holds, strict=True) if held}


@pytest.fixture(autouse=True)
def whole_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Index words as they are, so that the library sees the same terms."""
    monkeypatch.setattr("bsl_scout.index.vocabulary.word_terms", lambda word: (word,))
    monkeypatch.setattr("bsl_scout.index.vocabulary.is_keyword", lambda word: False)


@pytest.mark.parametrize("scheme", [FLAT, DEFAULT], ids=["flat", "shipped"])
@pytest.mark.parametrize("seed", range(4))
def test_scores_equal_the_library_after_random_edits(tmp_path: Path, scheme: Scheme, seed: int) -> None:
    edited = Edited(tmp_path, seed)
    snapshot = None
    for _ in range(30):
        edited.edit()
        # read from scratch and from the one before are the same
        fresh, snapshot = Snapshot(edited.catalog, scheme), Snapshot(edited.catalog, scheme, snapshot)
        for name in ("lengths", "alive", "collections", "frequencies"):
            assert np.array_equal(getattr(snapshot.collection, name), getattr(fresh.collection, name))
        assert edited.catalog.counts()["code"] == len(edited.documents)
        for terms in ([w] for w in [*WORDS[:3], "процедура"]):
            check(edited, snapshot, terms, scheme)
        check(edited, snapshot, edited.random.sample([*WORDS, "процедура", "нет такого"], 5), scheme)
    again = Snapshot(edited.catalog, scheme)
    check(edited, again, ["склад", "склад", "курс"], scheme)
    edited.catalog.close()


def test_what_is_rolled_back_is_not_counted(tmp_path: Path) -> None:
    edited = Edited(tmp_path, 3)
    edited.edit()
    before = edited.catalog.counts()
    with pytest.raises(ZeroDivisionError), edited.catalog.transaction():
        edited.catalog.add_chunk(1, edited.chunk, *edited.vocabulary.encode(edited.document()))
        raise ZeroDivisionError
    edited.edit()
    assert before["procedures"] and edited.catalog.counts()["procedures"] == len(edited.documents)
    edited.catalog.close()


@pytest.mark.parametrize("count", [11, 700, 5_000])
def test_the_least_of_the_best_is_found_among_blocks(count: int) -> None:
    chooser = np.random.default_rng(count)
    for scores in (chooser.random(count), chooser.integers(0, 4, count).astype(np.float64)):
        assert least_of_best(scores, 10) == np.sort(scores)[-10]


def check(edited: Edited, snapshot: Snapshot, terms: Sequence[str], scheme: Scheme) -> None:
    expected = edited.expected(terms, scheme)
    found = {hit.chunk: hit.score for hit in snapshot.search(terms, 10_000)}
    assert found.keys() == expected.keys()
    for number, score in expected.items():
        assert abs(found[number] - score) < 1e-9


@pytest.mark.parametrize("size", [1, 2])
def test_one_or_two_documents_are_hits_whatever_the_sign(tmp_path: Path, size: int) -> None:
    edited = Edited(tmp_path, size)
    fields = (["склад"], [], [], [], [], ["курс"])
    with edited.catalog.transaction():
        for _ in range(size):
            number = edited.catalog.add_chunk(1, edited.chunk, *edited.vocabulary.encode(fields))
            edited.documents[number] = fields
        edited.vocabulary.flush()
    snapshot = Snapshot(edited.catalog, FLAT)
    check(edited, snapshot, ["склад", "курс"], FLAT)
    assert len(snapshot.search(["склад"], 10)) == size
    edited.catalog.close()


def test_separate_lengths_with_one_field_are_okapi(tmp_path: Path) -> None:
    """BM25F with a single field is the library's formula again."""
    edited = Edited(tmp_path, 7)
    with edited.catalog.transaction():
        for _ in range(40):
            fields = tuple(edited.document()[5] if name == "body" else [] for name in FIELDS)
            number = edited.catalog.add_chunk(1, edited.chunk, *edited.vocabulary.encode(fields))
            edited.documents[number] = fields
        edited.vocabulary.flush()
        merge(edited.catalog)
    scheme = Scheme((1.0,) * 6, joint=False)
    snapshot = Snapshot(edited.catalog, scheme)
    check(edited, snapshot, ["склад", "заказ", "процедура"], scheme)
    edited.catalog.close()


def test_ties_at_the_cut_are_all_kept(tmp_path: Path) -> None:
    edited = Edited(tmp_path, 3)
    with edited.catalog.transaction():
        for _ in range(9):
            edited.catalog.add_chunk(1, edited.chunk, *edited.vocabulary.encode((["курс"], [], [], [], [], ["а", "б"])))
        edited.vocabulary.flush()
    snapshot = Snapshot(edited.catalog, FLAT)
    hits = snapshot.search(["курс"], 3)
    assert len(hits) == 9
    assert len(np.unique([hit.score for hit in hits])) == 1
    edited.catalog.close()
