"""What every vector store has to do: the exact one, Chroma embedded, and Chroma as a server on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from bsl_scout.encoding.model import unit
from bsl_scout.index.chroma import open_embedded, open_remote
from bsl_scout.index.vectors import ExactVectors, VectorStore
from chroma_server import chroma_server

DIMENSIONS = 16
Make = Callable[[], VectorStore]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with chroma_server(tmp_path_factory.mktemp("server")) as url:
        yield url


@pytest.fixture(params=["exact", "embedded", "remote"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorStore]:
    if request.param == "exact":
        yield ExactVectors(DIMENSIONS)
        return
    if request.param == "embedded":
        opened = open_embedded(tmp_path / "store", "bsl-scout")
    else:
        url = request.getfixturevalue("server")
        opened = open_remote(url, f"bsl-scout-{tmp_path.name}", create=True)
    yield opened
    opened.close()


def vectors(count: int, seed: int = 1) -> np.ndarray:
    return unit(np.random.default_rng(seed).normal(size=(count, DIMENSIONS)).astype(np.float32))


def test_an_empty_store_finds_nothing(store: VectorStore) -> None:
    for among in (None, np.array([1, 2])):
        chunks, scores = store.query(vectors(1)[0], 5, among)
        assert (len(chunks), len(scores)) == (0, 0)
    store.delete([1, 2])
    assert len(store) == 0


def test_the_nearest_come_first_with_their_cosines(store: VectorStore) -> None:
    given = vectors(300)
    store.upsert(list(range(10, 310)), given)
    assert store.chunks.tolist() == list(range(10, 310))
    query = unit((given[7] + 0.4 * given[8])[None])[0]
    chunks, scores = store.query(query, 20)
    cosines = given @ query
    assert chunks.tolist() == (10 + np.argsort(-cosines, kind="stable")[:20]).tolist()
    assert scores == pytest.approx(np.sort(cosines)[::-1][:20], abs=1e-5)


def test_equal_scores_come_in_order_of_chunks(store: VectorStore) -> None:
    given = vectors(6)
    store.upsert([9, 4, 30, 2, 7, 5], given[[0, 1, 0, 0, 2, 0]])
    chunks, _ = store.query(given[0], 4)
    assert chunks.tolist() == [2, 5, 9, 30]


def test_a_vector_is_replaced_and_removed(store: VectorStore) -> None:
    given = vectors(4)
    store.upsert([1, 2, 3], given[:3])
    store.upsert([2, 4], given[[3, 1]])
    assert len(store) == 4
    chunks, scores = store.query(given[3], 1)
    assert (chunks.tolist(), scores.tolist()) == ([2], pytest.approx([1], abs=1e-5))
    store.delete([2, 99])
    assert store.chunks.tolist() == [1, 3, 4]
    assert 2 not in store.query(given[3], 10)[0].tolist()


def test_among_some_all_of_them_are_found(store: VectorStore) -> None:
    given = vectors(500)
    store.upsert(list(range(500)), given)
    # the farthest ones: a store that looks among its best only would miss them
    among = np.sort(np.argsort(given @ given[0])[:8])
    chunks, scores = store.query(given[0], 50, among)
    assert sorted(chunks.tolist()) == among.tolist()
    assert scores == pytest.approx(np.sort(given[among] @ given[0])[::-1], abs=1e-5)
    assert len(store.query(given[0], 3, among)[0]) == 3
    assert len(store.query(given[0], 3, np.zeros(0, np.int64))[0]) == 0
    # numbers that the store does not hold are no error
    assert store.query(given[0], 3, np.array([0, 9_999]))[0].tolist() == [0]


def test_an_embedded_store_is_there_after_reopening(tmp_path: Path) -> None:
    given = vectors(1_500)
    first = open_embedded(tmp_path / "store", "bsl-scout")
    first.upsert(list(range(1_500)), given)
    first.delete([3])
    first.close()
    second = open_embedded(tmp_path / "store", "bsl-scout")
    assert len(second) == 1_499
    assert second.query(given[8], 1)[0].tolist() == [8]
    second.close()


def test_a_server_keeps_its_collections(tmp_path: Path) -> None:
    given = vectors(1_500)
    with chroma_server(tmp_path) as url:
        assert open_remote(url, "bsl-scout-x", create=False) is None
        made = open_remote(url, "bsl-scout-x", create=True)
        made.upsert(list(range(1_500)), given)
        made.close()
    with chroma_server(tmp_path) as url:
        again = open_remote(url, "bsl-scout-x", create=False)
        assert (len(again), again.query(given[8], 1)[0].tolist()) == (1_500, [8])
        again.drop()
        again.close()
        assert open_remote(url, "bsl-scout-x", create=False) is None
