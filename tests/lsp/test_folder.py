"""A workspace folder is used by several threads; what one of them reads, no other may close."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from bsl_scout.index.catalog import Catalog, CatalogUnavailableError, DamagedCatalogError
from bsl_scout.index.indexer import refresh
from bsl_scout.index.worker_client import WorkerError
from bsl_scout.lsp import folders
from bsl_scout.lsp.folder import Folder
from bsl_scout.lsp.folders import Folders
from bsl_scout.retrieval.meaning import Meaning
from bsl_scout.retrieval.search import Searcher

from ..support import copy_demo


@pytest.mark.parametrize("read", [Catalog.meta, Catalog.number, Meaning.ready])
def test_an_index_is_not_closed_while_it_is_learnt(
    read: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # SQLite gives up the statements of a connection that is closed: their reader in another thread crashes the process
    top, index = copy_demo(tmp_path / "demo"), tmp_path / "index"
    refresh(top, index)
    folder = Folder(top, index)
    folder.open()
    reached, go_on, closed = threading.Event(), threading.Event(), threading.Event()

    def held(*arguments: object) -> object:
        reached.set()
        assert go_on.wait(10)
        return read(*arguments)

    def close() -> None:
        folder.close()
        closed.set()

    owner = Meaning if read is Meaning.ready else Catalog
    monkeypatch.setattr(owner, read.__name__, held)
    learning, closing = threading.Thread(target=folder.learn), threading.Thread(target=close)
    learning.start()
    assert reached.wait(10)
    closing.start()
    assert not closed.wait(0.2)
    go_on.set()
    learning.join(10)
    closing.join(10)
    assert closed.is_set()


def test_a_model_is_loaded_while_the_index_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top, index = copy_demo(tmp_path / "demo"), tmp_path / "index"
    refresh(top, index)
    folder = Folder(top, index)
    folder.open()

    def closing(place: object) -> Path:
        # searches and closing do not wait for the model
        folder.close()
        raise ValueError("loaded")

    monkeypatch.setattr("bsl_scout.retrieval.meaning.open_bsl", closing)
    with pytest.raises(ValueError, match="loaded"):
        folder.learn()
    assert folder.searcher is None


def test_an_index_that_is_opened_again_is_never_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top, index = copy_demo(tmp_path / "demo"), tmp_path / "index"
    refresh(top, index)
    folder = Folder(top, index)
    folder.open()
    seen: list[bool] = []

    def asking() -> None:
        for lock in (folder.lock, folder.symbols_lock):
            with lock:
                seen.append(folder.searcher is not None and folder.symbols is not None)

    others = [threading.Thread(target=asking) for _ in range(4)]
    opened = Searcher.open

    def opening(*arguments: Any) -> Searcher | None:
        for other in others:
            other.start()
        time.sleep(0.1)
        return opened(*arguments)

    monkeypatch.setattr(Searcher, "open", opening)
    folder.reopen()
    for other in others:
        other.join(10)
    assert seen == [True] * 8


@pytest.mark.parametrize("error", [CatalogUnavailableError, DamagedCatalogError])
def test_an_index_is_open_as_a_whole_or_not_at_all(
    error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top, index = copy_demo(tmp_path / "demo"), tmp_path / "index"
    refresh(top, index)
    folder = Folder(top, index)
    with monkeypatch.context() as patch:
        patch.setattr("bsl_scout.lsp.folder.LaidCatalog", mock.Mock(side_effect=error("locked")))
        folder.open()
    assert folder.searcher is None
    folder.open()
    assert folder.searcher and folder.symbols
    folder.close()


class RefusingWorker:
    """Fails the first refresh and notes what each was asked for."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.asked: list[bool] = []

    async def refresh(self, *arguments: Any) -> dict[str, Any]:
        self.asked.append(arguments[3])
        raise WorkerError(self.kind, "no")


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", ["locked", "died"])
async def test_a_wish_to_rebuild_outlives_a_worker_that_failed(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_LOCKED_SECONDS", 0.01)
    monkeypatch.setattr(folders, "_RETRY_SECONDS", 0.01)
    worker: Any = RefusingWorker(kind)
    held = Folders(worker, tmp_path / "index", lambda _: None, lambda *_: None, lambda: None)
    folder = held.add(copy_demo(tmp_path / "demo"))
    await folder.running
    held.rebuild()
    ends = time.monotonic() + 10
    while len(worker.asked) < 4:
        assert time.monotonic() < ends
        await asyncio.sleep(0.01)
    held.remove(folder.top)
    assert worker.asked[:4] == [False, True, True, True]
