"""The vectors of an index in Chroma: a copy that follows the catalog, and is made anew when it is not right."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from bsl_scout.encoding.extras import INSTALL_COMMAND
from bsl_scout.encoding.model import unit
from bsl_scout.index import chroma, chroma_index
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.catalog_file import remove_catalog
from bsl_scout.index.chroma import open_embedded
from bsl_scout.index.chroma_index import ChromaIndex
from bsl_scout.index.indexer import OPTIONS, refresh
from bsl_scout.index.vectors import EPOCH, LAST, StoredVectors, VectorQuery, VectorsUnavailableError, packed
from chroma_server import chroma_server, free_port
from support import copy_demo

DIMENSIONS = 16
Open = Callable[..., ChromaIndex]


def vectors(count: int, seed: int = 1) -> np.ndarray:
    return unit(np.random.default_rng(seed).normal(size=(count, DIMENSIONS)).astype(np.float32))


def make(folder: Path, count: int = 1_200, seed: int = 1, epoch: int = 5) -> None:
    """Make a catalog of vectors numbered from 1."""
    folder.mkdir(exist_ok=True)
    remove_catalog(folder)
    with opened(folder) as catalog:
        catalog.create(OPTIONS)
        catalog.set_meta(EPOCH, epoch)
    add(folder, 0, vectors(count, seed))


@contextmanager
def opened(folder: Path) -> Iterator[Catalog]:
    catalog = Catalog(folder)
    yield catalog
    catalog.close()


def add(folder: Path, last: int, new: np.ndarray) -> None:
    with opened(folder) as catalog, catalog.transaction():
        numbers = range(last + 1, last + 1 + len(new))
        catalog.write("INSERT INTO vectors (chunk, vector) VALUES (?, ?)", zip(numbers, packed(new), strict=True))
        catalog.set_meta(LAST, last + len(new))


def remove(folder: Path, *chunks: int) -> None:
    with opened(folder) as catalog, catalog.transaction():
        catalog.write("DELETE FROM vectors WHERE chunk = ?", [(chunk,) for chunk in chunks])


def nearest(index: ChromaIndex, vector: np.ndarray, top: int = 1, epoch: int = 5, among: list[int] | None = None):
    chosen = None if among is None else np.array(among)
    return index.nearest(VectorQuery(vector, top, chosen, epoch))[0].tolist()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with chroma_server(tmp_path_factory.mktemp("server")) as url:
        yield url


@pytest.fixture(params=["embedded", "remote"])
def open_index(request: pytest.FixtureRequest) -> Iterator[Open]:
    url = request.getfixturevalue("server") if request.param == "remote" else ""
    indexes: list[ChromaIndex] = []

    def open_one(folder: Path) -> ChromaIndex:
        indexes.append(ChromaIndex(folder, url))
        return indexes[-1]

    yield open_one
    for index in indexes:
        index.close()


def test_it_answers_like_the_exact_store(open_index: Open, tmp_path: Path) -> None:
    make(tmp_path, 300)
    index = open_index(tmp_path)
    with pytest.raises(VectorsUnavailableError, match="not in Chroma yet"):
        nearest(index, vectors(1)[0])
    steps: list[tuple[int, int]] = []
    assert index.follow(lambda done, total: steps.append((done, total)))
    assert steps == [(300, 300)]
    add(tmp_path, 300, vectors(20, 2))
    remove(tmp_path, 3, 17, 305)
    with opened(tmp_path) as catalog:
        alive = np.ones(321, np.bool_)
        alive[[0, 3, 17, 305]] = False
        plain = StoredVectors(catalog, DIMENSIONS)
        for vector in [*vectors(10, 3), vectors(20, 2)[4], vectors(300)[2]]:
            for among in (None, np.array([3, 4, 5, 299, 305, 306, 999])):
                asked = VectorQuery(vector, 7, among, 5)
                found, expected = index.nearest(asked), plain.nearest(asked, alive)
                assert found[0].tolist() == expected[0].tolist()
                assert found[1] == pytest.approx(expected[1], abs=1e-5)


def test_a_filled_collection_is_used_again(open_index: Open, tmp_path: Path) -> None:
    make(tmp_path)
    first = open_index(tmp_path)
    first.follow()
    first.close()
    again = open_index(tmp_path)
    steps: list[int] = []
    assert again.follow(lambda done, total: steps.append(done))
    assert nearest(again, vectors(1_200)[41]) == [42]
    assert steps == []


def test_many_changes_are_copied(open_index: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma_index, "_FEW", 50)
    make(tmp_path)
    index = open_index(tmp_path)
    index.follow()
    add(tmp_path, 1_200, vectors(200, 2))
    remove(tmp_path, *range(1, 101))
    steps: list[tuple[int, int]] = []
    index.follow(lambda done, total: steps.append((done, total)))
    # on a server others may use the collection: what is in it stays, a new one has the present content
    assert steps[-1] == ((1_300, 1_300) if index._url else (200, 200))
    assert nearest(index, vectors(200, 2)[7]) == [1_208]
    assert 42 not in nearest(index, vectors(1_200)[41], 50)
    index.close()
    again = open_index(tmp_path)
    assert again.follow()
    assert (len(again._base.store), nearest(again, vectors(1_200)[241])) == (1_300, [242])


def test_another_generation_is_copied_anew(open_index: Open, tmp_path: Path) -> None:
    make(tmp_path)
    index = open_index(tmp_path)
    index.follow()
    make(tmp_path, seed=2, epoch=6)
    with pytest.raises(VectorsUnavailableError, match="another generation"):
        nearest(index, vectors(1_200)[41])
    assert index.follow()
    # the same numbers, other vectors
    assert nearest(index, vectors(1_200, 2)[41], epoch=6) == [42]
    with pytest.raises(VectorsUnavailableError, match="another generation"):
        nearest(index, vectors(1_200)[41], epoch=5)
    index.close()
    make(tmp_path, seed=3, epoch=7)
    again = open_index(tmp_path)
    again.follow()
    assert nearest(again, vectors(1_200, 3)[41], epoch=7) == [42]


def test_a_cancelled_copy_goes_on(open_index: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma_index, "_BATCH", 500)
    make(tmp_path, seed=31)
    first = open_index(tmp_path)
    steps: list[int] = []
    assert not first.follow(lambda done, total: steps.append(done), cancelled=lambda: bool(steps))
    with pytest.raises(VectorsUnavailableError, match="are being copied"):
        nearest(first, vectors(1)[0])
    first.close()
    again = open_index(tmp_path)
    assert again.follow(lambda done, total: steps.append(total))
    assert steps[:2] == [500, 700]
    assert nearest(again, vectors(1_200, 31)[41]) == [42]


def test_without_vectors_it_says_so(open_index: Open, tmp_path: Path) -> None:
    index = open_index(tmp_path)
    assert not index.follow()
    make(tmp_path, 0)
    assert not index.follow()
    with pytest.raises(VectorsUnavailableError, match="no vectors yet"):
        nearest(index, vectors(1)[0])


@pytest.mark.parametrize("damage", ["header", "half of the graph", "database", "record", "lost vectors"])
def test_a_damaged_embedded_store_is_filled_anew(tmp_path: Path, damage: str) -> None:
    make(tmp_path)
    index = ChromaIndex(tmp_path)
    index.follow()
    index.close()
    (store,) = (tmp_path / "chroma").glob("store-*")
    if damage == "header":
        (header,) = store.glob("*/header.bin")
        header.write_bytes(b"")
    elif damage == "half of the graph":
        # Chroma opens it without a word, and answers with whatever it reads
        (graph,) = store.glob("*/data_level0.bin")
        graph.write_bytes(graph.read_bytes()[: graph.stat().st_size // 2])
    elif damage == "database":
        (store / "chroma.sqlite3").write_bytes(b"\0" * 3_000)
    elif damage == "record":
        (tmp_path / "chroma" / "record.json").write_bytes(b"{")
    else:
        part = open_embedded(store, "bsl-scout")
        part.delete(range(1, 400))
        part.close()
    copied, found = follow_elsewhere(tmp_path, vectors(1_200)[41])
    assert copied == (399 if damage == "lost vectors" else 1_200)
    assert found == [42]


_FOLLOW = """
import json, sys
from pathlib import Path
import numpy as np
from bsl_scout.index.chroma_index import ChromaIndex
from bsl_scout.index.vectors import VectorQuery
index, copied = ChromaIndex(Path(sys.argv[1])), []
assert index.follow(lambda done, total: copied.append(total))
vector = np.array(json.loads(sys.argv[2]), dtype=np.float32)
print(json.dumps([copied[0], index.nearest(VectorQuery(vector, 1, None, 5))[0].tolist()]))
index.close()
"""


def follow_elsewhere(folder: Path, vector: np.ndarray) -> tuple[int, list[int]]:
    """Return how many vectors a process of its own copied, and what it finds.

    A damaged graph ends now and then the whole process, by a signal: then the next one has to heal the store.
    """
    command = [sys.executable, "-c", _FOLLOW, str(folder), json.dumps(vector.tolist())]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode < 0:
        assert (folder / "chroma" / "in-use").exists()
        done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    copied, found = json.loads(done.stdout)
    return copied, found


def test_a_store_that_the_process_died_over_is_filled_anew(tmp_path: Path) -> None:
    make(tmp_path)
    code = (
        "import os, sys; from pathlib import Path; from bsl_scout.index.chroma_index import ChromaIndex\n"
        "index = ChromaIndex(Path(sys.argv[1])); index.follow()\n"
        "with index._files.used(): os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)]).returncode != 0
    index = ChromaIndex(tmp_path)
    copied: list[int] = []
    assert index.follow(lambda done, total: copied.append(total))
    assert copied[0] == 1_200
    index.close()
    # and a process that leaves in the middle has damaged nothing
    index = ChromaIndex(tmp_path)
    index.follow()
    with index._files.used():
        index.leave()
        assert not (tmp_path / "chroma" / "in-use").exists()
    index.close()


def test_damage_while_it_is_used_is_told_and_healed(tmp_path: Path) -> None:
    make(tmp_path)
    index = ChromaIndex(tmp_path)
    index.follow()
    index._base.store.drop()
    with pytest.raises(VectorsUnavailableError, match="failed and is being checked"):
        nearest(index, vectors(1)[0])
    assert index.follow()
    assert nearest(index, vectors(1_200)[41]) == [42]
    index.close()


def test_an_embedded_store_has_one_owner(tmp_path: Path) -> None:
    make(tmp_path)
    first, second = ChromaIndex(tmp_path), ChromaIndex(tmp_path)
    first.follow()
    with pytest.raises(VectorsUnavailableError, match="another window or command"):
        second.follow()
    with pytest.raises(VectorsUnavailableError, match="another window or command"):
        nearest(second, vectors(1)[0])
    first.close()
    assert second.follow()
    second.close()


def test_a_collection_lost_on_the_server_is_filled_anew(server: str, tmp_path: Path) -> None:
    make(tmp_path, seed=11)
    index = ChromaIndex(tmp_path, server)
    index.follow()
    index._base.store.drop()
    with pytest.raises(VectorsUnavailableError, match="failed and is being checked"):
        nearest(index, vectors(1)[0])
    assert index.follow()
    assert nearest(index, vectors(1_200, 11)[41]) == [42]
    index.close()


def test_those_with_the_same_content_share_a_collection(server: str, tmp_path: Path) -> None:
    names = []
    for person, seed in (("one", 21), ("two", 21), ("three", 22)):
        make(tmp_path / person, seed=seed, epoch=5)
        index = ChromaIndex(tmp_path / person, server)
        copied: list[int] = []
        assert index.follow(lambda done, total, copied=copied: copied.append(total))
        assert bool(copied) == (person != "two")
        assert nearest(index, vectors(1_200, seed)[41]) == [42]
        names.append(json.loads((tmp_path / person / "chroma" / "record.json").read_text())["name"])
        index.close()
    assert names[0] == names[1] != names[2]
    assert not [word for word in ("one", tmp_path.name) if any(word in name for name in names)]


def test_two_who_index_the_same_sources_share_a_collection(server: str, tmp_path: Path) -> None:
    first, second = copy_demo(tmp_path / "first"), tmp_path / "second"
    # the order in which a folder lists its files is not that of the other
    for path in sorted((path for path in first.rglob("*") if path.is_file()), reverse=True):
        other = second / path.relative_to(first)
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_bytes(path.read_bytes())
    copied = []
    for top in (first, second):
        refresh(top, top.with_suffix(".index"))
        index = ChromaIndex(top.with_suffix(".index"), server)
        index.follow(lambda done, total: copied.append(total))
        assert index._base.record.count > 300
        index.close()
    assert len(copied) == 1


def test_no_server_is_one_clear_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path)
    with pytest.raises(VectorsUnavailableError, match=r"^the Chroma server of bslScout\.vectors\.chromaUrl does not"):
        ChromaIndex(tmp_path, f"http://127.0.0.1:{free_port()}").follow()
    for url in ("localhost:8000", "ftp://host", "http://", "http://host:port", "http://host/path"):
        with pytest.raises(VectorsUnavailableError, match="is no address such as"):
            ChromaIndex(tmp_path, url).follow()
    # one that listens and never answers
    monkeypatch.setattr(chroma, "_CONNECT_SECONDS", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(VectorsUnavailableError, match="does not answer"):
            ChromaIndex(tmp_path, f"http://127.0.0.1:{silent.getsockname()[1]}").follow()


def test_a_server_that_went_away_is_told(tmp_path: Path) -> None:
    make(tmp_path / "index")
    with chroma_server(tmp_path / "server") as url:
        index = ChromaIndex(tmp_path / "index", url)
        index.follow()
    with pytest.raises(VectorsUnavailableError, match="chromaUrl failed"):
        nearest(index, vectors(1)[0])
    # back at the same address, with what it kept
    with chroma_server(tmp_path / "server", int(url.rpartition(":")[2])):
        assert index.follow()
        assert nearest(index, vectors(1_200)[41]) == [42]
        index.close()


def test_questions_are_answered_while_vectors_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma_index, "_FEW", 50)
    monkeypatch.setattr(chroma_index, "_BATCH", 100)
    make(tmp_path)
    index = ChromaIndex(tmp_path)
    index.follow()
    add(tmp_path, 1_200, vectors(3_000, 2))
    asked = threading.Event()
    copying = threading.Thread(target=lambda: index.follow(lambda done, total: asked.wait(10)))
    copying.start()
    assert nearest(index, vectors(1_200)[41]) == [42]
    assert nearest(index, vectors(3_000, 2)[2_999]) == [4_200]
    asked.set()
    copying.join()
    assert nearest(index, vectors(3_000, 2)[2_999]) == [4_200]
    assert index._base.record.last == 4_200
    index.close()


def test_without_the_package_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path)
    monkeypatch.setitem(sys.modules, "chromadb", None)
    for url in ("", "http://127.0.0.1:8000"):
        with pytest.raises(VectorsUnavailableError, match=r"not installed: pip install 'bsl-scout\[chroma\]'"):
            ChromaIndex(tmp_path, url).follow()
    # in an environment that the editor manages pip is nothing for the user
    monkeypatch.setenv(INSTALL_COMMAND, "BSL Scout: Install")
    with pytest.raises(VectorsUnavailableError, match=r"^chromadb is not installed: VS Code, «BSL Scout: Install»$"):
        ChromaIndex(tmp_path).follow()


def test_the_embedded_store_does_not_use_the_network(tmp_path: Path) -> None:
    make(tmp_path)
    code = (
        "import sys; from pathlib import Path\n"
        "events = []\n"
        "sys.addaudithook(lambda event, given: events.append(event) if event.startswith('socket.') else None)\n"
        "import socket; socket.socket().close(); before = len(events)\n"
        "import numpy as np; from bsl_scout.index.chroma_index import ChromaIndex\n"
        "from bsl_scout.index.vectors import VectorQuery\n"
        "index = ChromaIndex(Path(sys.argv[1])); index.follow()\n"
        "print(len(index.nearest(VectorQuery(np.ones(16, np.float32), 3, epoch=5))[0])); index.close()\n"
        "print(before > 0, sorted({e for e in events[before:] if e in ('socket.connect', 'socket.getaddrinfo')}))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["3", "True []"]
