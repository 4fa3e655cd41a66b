"""The benchmark at the size of a large configuration: `python3 server/dev.py bench scale [50k|180k|…] [FOLDER]`.

It runs on a configuration that server/compose.py makes of the corpora: in FOLDER, where it stays and is taken again
the next time, or in a temporary folder. Each step runs in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench_figures import corpora, percentiles, questions, report, timed

# as the server does, before numpy is imported
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# rank_bm25 and rg take seconds a question
FEW = 20
HOVER_SECONDS = 20.0


def main(size_name: str = "180k", folder: str = "") -> int:
    """Print the table."""
    top = corpora()
    if top is None:
        print("this benchmark needs the corpora, which are not here", file=sys.stderr)
        return 1
    with kept_or_temporary(folder) as place:
        sources = place / "sources"
        if not sources.exists():
            from compose import compose

            compose(top, sources, int(size_name.removesuffix("k")) * 1000)
        print(
            f"composed: {size_name}; Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores\n"
        )
        print("| what | figure |\n|---|---|")
        report(__file__, STEPS, sources, place / "index")
    return 0


@contextmanager
def kept_or_temporary(folder: str) -> Iterator[Path]:
    """Give the named folder, or without a name one that is deleted afterwards."""
    if folder:
        yield Path(folder)
        return
    with tempfile.TemporaryDirectory() as temporary:
        yield Path(temporary)


def index_of(top: Path, base: Path) -> Path:
    """Return where a server with this index folder keeps the index of the sources."""
    from bsl_scout.index.place import index_folder

    return index_folder(top, base)


def first_index(top: Path, base: Path) -> dict[str, str]:
    """Index from nothing on one core, words only."""
    import bench

    shutil.rmtree(base, ignore_errors=True)
    return bench.first_index(top, index_of(top, base))


def first_vectors(top: Path, base: Path) -> dict[str, str]:
    """Give all chunks their vectors on one core."""
    import bench

    return bench.first_vectors(top, index_of(top, base))


def reopen(top: Path, base: Path) -> dict[str, str]:
    """Look at all files with nothing changed, then answer the first query of each kind."""
    import bench
    from bsl_scout.retrieval.search import Searcher

    figures = bench.second_index(top, index_of(top, base)) | bench.open_and_ask(top, index_of(top, base))
    started = time.perf_counter()
    searcher = Searcher(index_of(top, base))
    assert "vector" in searcher.search(questions()[0], mode="hybrid").legs
    figures["open the index, load the model and answer by words and meaning"] = (
        f"{(time.perf_counter() - started) * 1000:.0f} ms"
    )
    searcher.close()
    return figures


def queries(top: Path, base: Path) -> dict[str, str]:
    """Answer the questions in one process by each mode, three times."""
    import bench
    from bsl_scout.retrieval.search import Searcher

    searcher = Searcher(index_of(top, base))
    searcher.learn()
    figures = {}
    for mode, name in (("lexical", "words"), ("vector", "meaning"), ("hybrid", "words and meaning")):
        ask = partial(searcher.search, mode=mode)
        ask("прогрев")
        for number in ("first", "third"):
            times = [timed(ask, query) for query in questions()]
            figures[f"query by {name}, {number} time"] = percentiles(times)
            for query in questions():
                ask(query)
    figures["peak memory after the queries"] = bench.memory()
    searcher.close()
    return figures


def exact_store(top: Path, base: Path) -> dict[str, str]:
    """Measure the vector store alone: all vectors scanned."""
    from bsl_scout.encoding.model import load_model
    from bsl_scout.index.catalog import Catalog
    from bsl_scout.index.lexical import DEFAULT
    from bsl_scout.index.snapshot import Snapshot
    from bsl_scout.index.vectors import StoredVectors

    model = load_model()
    catalog = Catalog(index_of(top, base))
    alive = Snapshot(catalog, DEFAULT).collection.alive
    started = time.perf_counter()
    vectors = StoredVectors(catalog, model.dimensions)
    vectors.follow(alive)
    opened = (time.perf_counter() - started) * 1000
    vectors_of = [model.query(query) for query in questions()]
    times = [timed(lambda vector: vectors.store.query(vector, 200), vector) for vector in vectors_of]
    catalog.close()
    return {
        "exact store: vectors, read into memory in": f"{len(vectors.store)}, {opened:.0f} ms",
        "exact store: nearest 200": percentiles(times),
    }


def library(top: Path, base: Path) -> dict[str, str]:
    """Answer some questions by rank_bm25, which holds all words in memory."""
    import bench
    from bsl_scout.retrieval.search import Searcher

    searcher = Searcher(index_of(top, base))
    started = time.process_time()
    ask = searcher.okapi(10)
    built = time.process_time() - started
    times = [timed(ask, query) for query in questions()[:FEW]]
    searcher.close()
    return {
        "the same words by rank_bm25.BM25Okapi": percentiles(times),
        "rank_bm25.BM25Okapi: made from the stored words at each start": f"{built:.1f} s CPU, {bench.memory()}",
    }


def ripgrep(top: Path, base: Path) -> dict[str, str]:
    """Ask what a user would without an index: rg for the words of a question, endings left off."""
    program = shutil.which("rg")
    if program is None:
        return {"rg": "not installed"}
    times, files, lines = [], [], []
    for query in questions()[:FEW]:
        words = [word[: max(4, len(word) - 2)] for word in re.findall(r"\w{4,}", query)]
        begun = time.perf_counter()
        found = subprocess.run(
            [
                program,
                "-i",
                "-c",
                "--no-ignore",
                "-g",
                "*.bsl",
                *(part for word in words for part in ("-e", word)),
                top,
            ],
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        times.append((time.perf_counter() - begun) * 1000)
        files.append(len(found))
        lines.append(sum(int(line.rpartition(":")[2]) for line in found))
    middle = len(files) // 2
    return {
        "rg for the words of a question": f"{percentiles(times)}; in the median "
        f"{sorted(lines)[middle]} lines of {sorted(files)[middle]} modules, in no order"
    }


def language_server(top: Path, base: Path) -> dict[str, str]:
    """Measure the server on the index, and hovers during the first seconds of another one."""
    from bench_lsp import hovers, measure
    from bsl_scout.index.indexer import refresh

    # a server that is stopped in the midst of saves leaves chunks without vectors, and says so at the next start
    refresh(top, index_of(top, base))
    with tempfile.TemporaryDirectory() as other:
        figures = asyncio.run(hovers(top, Path(other), HOVER_SECONDS))
    return figures | asyncio.run(measure(top, base, questions()))


STEPS: dict[str, Callable[[Path, Path], dict[str, str]]] = {
    "first-index": first_index,
    "first-vectors": first_vectors,
    "reopen": reopen,
    "queries": queries,
    "exact-store": exact_store,
    "library": library,
    "ripgrep": ripgrep,
    "language-server": language_server,
}


if __name__ == "__main__":
    print(json.dumps(STEPS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))))
