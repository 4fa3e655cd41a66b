"""Places and helpers that tests share."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bsl_scout.index.catalog import Catalog
from bsl_scout.index.lexical import DEFAULT, FIELD_BITS
from bsl_scout.index.schema import split_block
from bsl_scout.index.snapshot import Snapshot
from bsl_scout.retrieval.search import Searcher

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGE = REPOSITORY / "server" / "bsl_scout"
DEMO = REPOSITORY / "tests" / "fixtures" / "demo"
GRAMMARS = REPOSITORY / "grammars" / "bsl"

Write = Callable[[dict[str, str | bytes]], Path]


def run_cli(*arguments: object, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "bsl_scout.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=check)


def copy_demo(folder: Path, copies: int = 1) -> Path:
    """Copy the demo configuration, several times side by side when asked for, and return the folder."""
    for number in range(copies):
        shutil.copytree(DEMO, folder / str(number) if copies > 1 else folder)
    return folder


def index_state(folder: Path) -> dict[str, object]:
    """Return all that an index holds and answers, without the numbers its history gave to chunks and terms."""
    catalog = Catalog(folder)
    words = {number: term for term, number in catalog.terms().items()}
    chunks = {}
    for number, block, lengths, collection in catalog.forward_above(0):
        codes, counts = split_block(block)
        row = catalog.chunks([number])[number]
        fields = sorted(
            (words[code >> FIELD_BITS], code & 7, count)
            for code, count in zip(codes.tolist(), counts.tolist(), strict=True)
        )
        place = (row.path, row.key)
        assert place not in chunks
        chunks[place] = (
            dataclasses.replace(row, id=0), fields, lengths, collection, catalog.text(number), catalog.calls(number)
        )  # fmt: skip
    files = {path: (row.root, row.hash, row.owner, row.module) for path, row in catalog.files().items()}
    roots, problems = catalog.roots(), catalog.problems()
    catalog.close()
    searcher = Searcher(folder)
    answers = {}
    for query in ("заказ покупателя", "остатки на складе", "курс валюты", "отправить письмо", "НДС", "новая"):
        hits = searcher.search(query, top=20).hits
        answers[query] = [dataclasses.replace(hit, score=round(hit.score, 3)) for hit in hits]
    searcher.close()
    return {"chunks": chunks, "files": files, "roots": roots, "problems": problems, "answers": answers}


def index_vectors(folder: Path) -> dict[tuple[str, str], Any]:
    """Return the stored vectors of an index by path and key of their chunks, as numbers from -127 to 127."""
    catalog = Catalog(folder)
    stored = dict(catalog.rows("SELECT chunk, vector FROM vectors"))
    rows = catalog.chunks(list(stored))
    catalog.close()
    assert rows.keys() == stored.keys(), "vectors without a chunk"
    return {(row.path, row.key): np.frombuffer(stored[number], np.int8).astype(int) for number, row in rows.items()}


def check_postings(folder: Path) -> None:
    """Check that what a search reads of every term is exactly what the chunks hold."""
    catalog = Catalog(folder)
    with catalog.reading():
        snapshot = Snapshot(catalog, DEFAULT)
        held: dict[int, list[tuple[int, int]]] = {}
        for number, block, _, _ in catalog.forward_above(0):
            for term in np.unique(split_block(block)[0] >> FIELD_BITS).tolist():
                held.setdefault(term, []).append(number)
        for term, number in catalog.terms().items():
            found = np.unique(snapshot._postings(term).documents).tolist()
            assert found == held.get(number, []), f"the postings of {term!r} are not those of the chunks"
            assert snapshot.collection.frequencies[number] == len(found), term
    catalog.close()
