"""Fixtures shared by all tests: the demo configuration, small sources on disk, the real corpora."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from support import DEMO, Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files (relative path -> text as UTF-8 or bytes as they are) into a folder of sources."""
    top = tmp_path / "sources"

    def write_files(files: dict[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return top

    return write_files


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    """Search the demo configuration."""
    folder = tmp_path_factory.mktemp("index")
    refresh(DEMO, folder)
    found = Searcher(folder)
    yield found
    found.close()


@pytest.fixture(scope="session")
def corpora() -> Path:
    """Return the folder of the unpacked corpora; `dev.py test` unpacks them and sets the variable."""
    folder = os.environ.get("BSL_SCOUT_CORPORA")
    if not folder or not Path(folder, "ssl_3_1").is_dir():
        pytest.skip("the corpora of real configurations are not here (BSL_SCOUT_CORPORA)")
    return Path(folder)


@pytest.fixture(scope="session")
def gold() -> Path:
    """Return the folder of the relevance judgements."""
    folder = os.environ.get("BSL_SCOUT_GOLD")
    if not folder or not Path(folder, "ssl_dev.jsonl").is_file():
        pytest.skip("the relevance judgements are not here (BSL_SCOUT_GOLD)")
    return Path(folder)


@pytest.fixture(scope="session")
def forms_truth(corpora: Path, gold: Path) -> list[dict[str, Any]]:
    """Return what an independent decoder found in the forms of the v8unpack samples; it lies beside the archives."""
    path = gold.parent / "corpora" / "v8unpack_truth.json"
    truth: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return truth
