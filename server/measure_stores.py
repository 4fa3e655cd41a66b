"""Prints the figures of docs/adr/0010-vector-stores.md: the exact store and Chroma at several sizes.

`python3 server/dev.py measure stores [SIZE …]`   by default 40000 180000 800000; the last takes some 20 CPU-minutes

The vectors are those of SSL 3.1; above their number they are repeated with noise of a fixed seed, each copy at a
cosine of about 0.96 to its origin. The queries are the questions of the relevance judgements. Each step runs in a
process of its own; times are CPU time of all its threads, so they hold on a busy machine too.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bsl_scout.encoding.model import load_model, unit
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import OPTIONS, refresh
from bsl_scout.index.vectors import EPOCH, LAST, Floats, StoredVectors, VectorQuery, packed, unpacked
from bsl_scout.retrieval.evaluation import load_questions
from bsl_scout.retrieval.fusion import Fusion

SIZES = ("40000", "180000", "800000")
TOP, NEAREST, SAVED = Fusion().candidates, 50, 40
NOISE = 0.3
MODEL = load_model()


def main() -> int:
    """Run one step of one size, or all of them."""
    if len(sys.argv) == 4 and sys.argv[1] in STEPS:
        print(json.dumps(STEPS[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))))
        return 0
    corpora, gold = os.environ.get("BSL_SCOUT_CORPORA"), os.environ.get("BSL_SCOUT_GOLD")
    if not corpora or not gold:
        return 1
    with tempfile.TemporaryDirectory() as folder:
        real = Path(folder, "real")
        refresh(Path(corpora, "ssl_3_1"), real)
        asked = [q.query for name in ("ssl_dev", "ssl_dev_extra") for q in load_questions(Path(gold, f"{name}.jsonl"))]
        vectors = [vector for vector in map(MODEL.query, asked) if vector.any()]
        np.save(real / "queries.npy", np.array(vectors))
        for size in sys.argv[1:] or SIZES:
            show(size, Path(folder, size), real)
    return 0


def show(size: str, folder: Path, real: Path) -> None:
    """Print the figures of one size."""
    folder.mkdir()
    make_catalog(real, folder, int(size))
    print(f"\n{int(size):,} vectors of {MODEL.dimensions} numbers, {len(queries(folder))} queries")
    steps = ["exact", "chroma_fill", "chroma"]
    if size == SIZES[0]:
        steps.append("server")
    for step in steps:
        command = [sys.executable, __file__, step, str(folder), size]
        # threads of numpy wait for each other by turning: on a busy machine that is all their CPU time tells
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        for name, value in json.loads(done.stdout.splitlines()[-1]).items():
            print(f"  {step:<12} {name:<44} {value}", flush=True)


def make_catalog(real: Path, folder: Path, size: int) -> None:
    """Write a catalog that holds so many vectors and nothing else."""
    source = Catalog(real)
    blobs = [row[0] for row in source.rows("SELECT vector FROM vectors ORDER BY chunk")]
    source.close()
    chooser = np.random.default_rng(7)
    vectors = unpacked(blobs, MODEL.dimensions)[chooser.permutation(len(blobs))]
    catalog = Catalog(folder)
    catalog.create(OPTIONS)
    with catalog.transaction():
        for start in range(0, size, len(vectors)):
            batch = vectors[: size - start]
            if start:
                noise = chooser.normal(size=batch.shape).astype(np.float32)
                batch = unit(batch + NOISE / np.sqrt(MODEL.dimensions) * noise)
            add(catalog, start, batch)
        catalog.set_meta(EPOCH, 1)
    catalog.close()
    np.save(folder / "queries.npy", np.load(real / "queries.npy"))


def add(catalog: Catalog, start: int, vectors: Floats) -> None:
    """Store vectors under the numbers above `start`."""
    numbers = range(start + 1, start + 1 + len(vectors))
    catalog.write("INSERT INTO vectors (chunk, vector) VALUES (?, ?)", zip(numbers, packed(vectors), strict=True))
    catalog.set_meta(LAST, start + len(vectors))


def queries(folder: Path) -> Floats:
    """Return the vectors of the questions."""
    found: Floats = np.load(folder / "queries.npy")
    return found


def exact(folder: Path, size: int) -> dict[str, str]:
    """Measure the store that scans."""
    catalog = Catalog(folder)
    alive = np.ones(size + 2 * SAVED + 1, np.bool_)
    stored = StoredVectors(catalog, MODEL.dimensions)
    before, started = memory(), time.process_time()
    first = queries(folder)[0]
    stored.nearest(VectorQuery(first, TOP), alive)
    start = time.process_time() - started
    found = [stored.nearest(VectorQuery(vector, NEAREST), alive)[0] for vector in queries(folder)]
    np.save(folder / "nearest.npy", np.array(found))
    figures = {
        "start: read the vectors, first query": f"{start:.2f} s",
        f"query of {TOP}, p50 / p95": timed(lambda v: stored.nearest(VectorQuery(v, TOP), alive), folder),
        "memory it adds": f"{memory() - before:.0f} MB",
    }
    for number, which in enumerate(("first", "next")):
        with catalog.transaction():
            add(catalog, size + number * SAVED, queries(folder)[:SAVED])
        started = time.process_time()
        stored.nearest(VectorQuery(first, TOP), alive)
        figures[f"the {which} save of {SAVED} chunks, then a query"] = (
            f"{(time.process_time() - started) * 1000:.0f} ms"
        )
    with catalog.transaction():
        catalog.write("DELETE FROM vectors WHERE chunk > ?", [(size,)])
        catalog.set_meta(LAST, size)
    catalog.close()
    figures["disk (in the catalog)"] = f"{(folder / 'catalog.sqlite').stat().st_size / 1e6:.0f} MB"
    return figures


def chroma_fill(folder: Path, size: int) -> dict[str, str]:
    """Copy the vectors into an embedded store."""
    from bsl_scout.index.chroma_index import ChromaIndex

    index = ChromaIndex(folder)
    started, wall = time.process_time(), time.perf_counter()
    assert index.follow()
    used, wall = time.process_time() - started, time.perf_counter() - wall
    index.close()
    return {
        "fill from the catalog": f"{used:.0f} s CPU, {wall:.0f} s wall",
        "peak memory of filling": f"{peak():.0f} MB",
    }


def chroma(folder: Path, size: int) -> dict[str, str]:
    """Measure an embedded store that was filled before."""
    return measured(folder, size, "")


def server(folder: Path, size: int) -> dict[str, str]:
    """Measure a server on loopback."""
    sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
    with importlib.import_module("chroma_server").chroma_server(folder / "server") as url:
        return measured(folder, size, url)


def measured(folder: Path, size: int, url: str) -> dict[str, str]:
    """Return the figures of Chroma, embedded or on a server (then only this process counts)."""
    from bsl_scout.index.chroma_index import ChromaIndex

    before, started, wall = memory(), time.process_time(), time.perf_counter()
    index = ChromaIndex(folder, url)
    assert index.follow()
    index.nearest(VectorQuery(queries(folder)[0], TOP, epoch=1))
    used, wall = time.process_time() - started, time.perf_counter() - wall
    best = np.load(folder / "nearest.npy")
    found = [index.nearest(VectorQuery(vector, NEAREST, epoch=1))[0] for vector in queries(folder)]
    recall = np.mean([len(np.intersect1d(a, b)) / NEAREST for a, b in zip(found, best, strict=True)])
    asked = [index.nearest(VectorQuery(vector, TOP, epoch=1))[0][:NEAREST] for vector in queries(folder)]
    fused = np.mean([len(np.intersect1d(a, b)) / NEAREST for a, b in zip(asked, best, strict=True)])
    started_how = "fill, first query" if url else "start: import, open, first query"
    figures = {
        started_how: f"{used:.2f} s CPU, {wall:.2f} s wall",
        f"query of {TOP}, p50 / p95": timed(lambda v: index.nearest(VectorQuery(v, TOP, epoch=1)), folder, bool(url)),
        f"recall@{NEAREST} of a query of {NEAREST} / of {TOP}": f"{recall:.3f} / {fused:.3f}",
        "memory it adds": f"{memory() - before:.0f} MB",
    }
    catalog = Catalog(folder)
    with catalog.transaction():
        add(catalog, size, queries(folder)[:SAVED])
    started = time.process_time()
    index.nearest(VectorQuery(queries(folder)[0], TOP, epoch=1))
    figures[f"a save of {SAVED} chunks, then a query"] = f"{(time.process_time() - started) * 1000:.0f} ms"
    with catalog.transaction():
        catalog.write("DELETE FROM vectors WHERE chunk > ?", [(size,)])
        catalog.set_meta(LAST, size)
    catalog.close()
    index.close()
    if not url:
        figures[f"the same {SAVED} written into Chroma instead"] = written(folder, size)
        used_bytes = sum(path.stat().st_size for path in (folder / "chroma").rglob("*") if path.is_file())
        figures["disk beside the catalog"] = f"{used_bytes / 1e6:.0f} MB"
    return figures


def written(folder: Path, size: int) -> str:
    """Return what it takes to write a save into the collection itself, and to take it out again."""
    from bsl_scout.index.chroma import open_embedded

    (path,) = (folder / "chroma").glob("store-*")
    store = open_embedded(path, "bsl-scout")
    store.query(queries(folder)[0], 1)
    numbers = list(range(size + 1, size + 1 + SAVED))
    started = time.process_time()
    store.upsert(numbers, queries(folder)[:SAVED])
    store.query(queries(folder)[0], TOP)
    used = (time.process_time() - started) * 1000
    store.delete(numbers)
    store.close()
    return f"{used:.0f} ms"


def timed(ask: Callable[[Floats], Any], folder: Path, wall: bool = False) -> str:
    """Return median and 95th percentile of a query."""
    clock = time.perf_counter if wall else time.process_time
    times = []
    for vector in [*queries(folder)] * 2:
        started = clock()
        ask(vector)
        times.append((clock() - started) * 1000)
    return "{:.1f} / {:.1f} ms".format(*np.percentile(times, [50, 95])) + (" wall" if wall else "")


def memory() -> float:
    """Return the resident memory of this process in MB, where the system tells it."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return peak()
    return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6


def peak() -> float:
    """Return the highest resident memory so far in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


STEPS: dict[str, Callable[[Path, int], dict[str, str]]] = {
    "exact": exact,
    "chroma_fill": chroma_fill,
    "chroma": chroma,
    "server": server,
}


if __name__ == "__main__":
    sys.exit(main())
