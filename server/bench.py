"""Prints the figures of docs/benchmarks.md: `python3 server/dev.py bench`, only those of forms with `bench forms`.

`bench kills|windows|messages|bounds|fuzz` are the runs of server/bench_robust.py.

On SSL 3.1 and its questions when the corpora are here, else on the demo (which says so). Each step runs in
a process of its own, so that its memory and imports are its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import bench_robust
from bench_figures import percentiles

REPOSITORY = Path(__file__).resolve().parent.parent
DEMO_QUERIES = ("сумма словами", "снять просроченный резерв", "курс валюты", "отправить письмо", "остаток на складе")


def main() -> int:
    """Run all steps, or the one step that the arguments name in a child process."""
    if sys.argv[1:2] and sys.argv[1] in bench_robust.RUNS:
        return bench_robust.run(sys.argv[1])
    only = sys.argv[1:] == ["forms"]
    if len(sys.argv) > 1 and not only:
        print(json.dumps(STEPS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))))
        return 0
    corpora = os.environ.get("BSL_SCOUT_CORPORA")
    top = Path(corpora, "ssl_3_1") if corpora else REPOSITORY / "tests" / "fixtures" / "demo"
    print(f"sources: {top.name}; Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores\n")
    print("| what | figure |\n|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "sources")
        shutil.copytree(top, copy)
        for step in FORM_STEPS if only else STEPS:
            command = [sys.executable, __file__, step, str(copy), str(Path(folder, "index"))]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            for what, figure in json.loads(done.stdout).items():
                print(f"| {what} | {figure} |", flush=True)
    return 0


def memory() -> str:
    """Return the peak memory of this process in MB."""
    if sys.platform == "win32":
        return "not measured on Windows"
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{peak / (1024 * 1024 if sys.platform == 'darwin' else 1024):.0f} MB"


def first_index(top: Path, folder: Path) -> dict[str, str]:
    """Index from nothing on one core, words only."""
    from bsl_scout.index.indexer import refresh

    one_core()
    report = refresh(top, folder, vectors=False)
    return {
        "first index by words on one core": f"{report.seconds:.1f} s wall, {time.process_time():.1f} s CPU",
        "modules, procedures, chunks": f"{report.files}, {report.procedures}, {report.chunks}",
        "peak memory of the first index": memory(),
        "size of the index": size(folder),
    }


def first_vectors(top: Path, folder: Path) -> dict[str, str]:
    """Give all chunks of the index their vectors on one core."""
    from bsl_scout.index.indexer import refresh

    one_core()
    report = refresh(top, folder)
    return {
        "vectors of all chunks on one core": f"{report.seconds:.1f} s wall, {time.process_time():.1f} s CPU",
        "peak memory while vectors are made": memory(),
        "size of the index with vectors": size(folder),
    }


def second_index(top: Path, folder: Path) -> dict[str, str]:
    """Index again with nothing changed."""
    from bsl_scout.index.indexer import refresh

    return {"second run, nothing changed": f"{refresh(top, folder).seconds:.2f} s"}


def open_and_ask(top: Path, folder: Path) -> dict[str, str]:
    """Open the index and answer the first query after the imports."""
    from bsl_scout.retrieval.search import Searcher

    started = time.perf_counter()
    searcher = Searcher(folder)
    searcher.search(queries()[0])
    elapsed = (time.perf_counter() - started) * 1000
    searcher.close()
    return {"open the index and answer the first query": f"{elapsed:.0f} ms"}


def many_queries(top: Path, folder: Path) -> dict[str, str]:
    """Answer the questions in one process, twice each, and by the library for comparison."""
    from bsl_scout.retrieval.search import Searcher

    searcher = Searcher(folder)
    searcher.search("прогрев")
    figures = {"query by words": percentiles([timed(searcher.search, query) for query in queries() * 2])}
    figures["memory after the queries by words"] = memory()
    hybrid = partial(searcher.search, mode="hybrid")
    assert "vector" in hybrid("прогрев").legs
    figures["query by words and meaning"] = percentiles([timed(hybrid, query) for query in queries() * 2])
    figures["memory after the queries by words and meaning"] = memory()
    library = searcher.okapi(10)
    figures["the same words by rank_bm25.BM25Okapi"] = percentiles([timed(library, query) for query in queries()])
    figures["memory with rank_bm25.BM25Okapi"] = memory()
    searcher.close()
    return figures


def save_to_found(top: Path, folder: Path) -> dict[str, str]:
    """Append a procedure to modules one after another; time from the save to its first hit."""
    from bsl_scout.index.indexer import refresh
    from bsl_scout.retrieval.search import Searcher

    searcher = Searcher(folder)
    searcher.search("прогрев")
    modules = sorted(top.rglob("*.bsl"))[:: max(1, len(list(top.rglob("*.bsl"))) // 20)][:20]
    times = []
    for number, path in enumerate(modules):
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\nПроцедура НоваяМетка{number}Ъ()\n\tЗначение = 1;\nКонецПроцедуры\n")
        started = time.perf_counter()
        changes = refresh(top, folder).changes
        found = searcher.search(f"НоваяМетка{number}Ъ").hits
        times.append((time.perf_counter() - started) * 1000)
        assert changes.added == 1 and found, path.name
    searcher.close()
    return {"a saved procedure is found (walk of all files included)": percentiles(times)}


def language_server(top: Path, folder: Path) -> dict[str, str]:
    """Measure the server as an editor sees it."""
    from bench_lsp import measure

    return asyncio.run(measure(top, folder.parent / "lsp", queries()))


def one_core() -> None:
    """Keep this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {0})


def size(folder: Path) -> str:
    """Return what the files of a folder take on disk."""
    return f"{sum(path.stat().st_size for path in folder.iterdir()) / 1e6:.0f} MB"


def queries() -> list[str]:
    """Return the questions of the judgements, or some of the demo's."""
    gold = os.environ.get("BSL_SCOUT_GOLD")
    if not gold:
        return list(DEMO_QUERIES)
    lines = Path(gold, "ssl_dev.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["query"] for line in lines]


def timed(ask: Callable[[str], Any], query: str) -> float:
    """Return the milliseconds that an answer takes."""
    started = time.perf_counter()
    ask(query)
    return (time.perf_counter() - started) * 1000


def form_step(name: str) -> Callable[[Path, Path], dict[str, str]]:
    """Return a step of server/bench_forms.py, which has sources of its own."""

    def run(top: Path, folder: Path) -> dict[str, str]:
        import bench_forms

        measure: Callable[[Path], dict[str, str]] = getattr(bench_forms, name)
        return measure(folder.parent)

    return run


FORM_STEPS = {f"forms-{name}": form_step(name) for name in ("contexts", "hover", "fuzz")}
STEPS: dict[str, Callable[[Path, Path], dict[str, str]]] = {
    "first-index": first_index,
    "first-vectors": first_vectors,
    "second-index": second_index,
    "open-and-ask": open_and_ask,
    "many-queries": many_queries,
    "save-to-found": save_to_found,
    "language-server": language_server,
    **FORM_STEPS,
}


if __name__ == "__main__":
    sys.exit(main())
