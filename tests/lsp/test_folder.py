"""A workspace folder is used by several threads; what one of them reads, no other may close."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import refresh
from bsl_scout.lsp.folder import Folder
from bsl_scout.retrieval.meaning import Meaning

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
