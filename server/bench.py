"""Prints the figures of docs/benchmarks.md: `python3 server/dev.py bench`, only those of forms with `bench forms`.

`bench kills|windows|messages|bounds|fuzz` are the runs of server/bench_robust.py.
`bench scale [50k|180k|…] [FOLDER]` are those of a large configuration, see bench_scale; `bench memory` the memory of a
long session, see bench_memory.

On SSL 3.1 and its questions when the corpora are here, else on the demo (which says so). Each step runs in
a process of its own, so that its memory and imports are its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import bench_robust
from bench_figures import corpora, percentiles, questions, report, size, timed

REPOSITORY = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run all steps, or the one step that the arguments name in a child process."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["scale"]:
        import bench_scale

        return bench_scale.main(*arguments[1:])
    if arguments[:1] == ["memory"]:
        import bench_memory

        return bench_memory.main(*arguments[1:])
    if arguments and arguments[0] in bench_robust.RUNS:
        return bench_robust.run(arguments[0])
    only = arguments == ["forms"]
    if arguments and not only:
        print(json.dumps(STEPS[arguments[0]](Path(arguments[1]), Path(arguments[2]))))
        return 0
    found = corpora()
    top = found / "ssl_3_1" if found else REPOSITORY / "tests" / "fixtures" / "demo"
    print(f"sources: {top.name}; Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores\n")
    print("| what | figure |\n|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "sources")
        shutil.copytree(top, copy)
        report(__file__, FORM_STEPS if only else STEPS, copy, Path(folder, "index"))
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
    searcher.search(questions()[0])
    elapsed = (time.perf_counter() - started) * 1000
    searcher.close()
    return {"open the index and answer the first query": f"{elapsed:.0f} ms"}


def many_queries(top: Path, folder: Path) -> dict[str, str]:
    """Answer the questions in one process, twice each, and by the library for comparison."""
    from bsl_scout.retrieval.search import Searcher

    searcher = Searcher(folder)
    searcher.search("прогрев")
    figures = {"query by words": percentiles([timed(searcher.search, query) for query in questions() * 2])}
    figures["memory after the queries by words"] = memory()
    hybrid = partial(searcher.search, mode="hybrid")
    assert "vector" in hybrid("прогрев").legs
    figures["query by words and meaning"] = percentiles([timed(hybrid, query) for query in questions() * 2])
    figures["memory after the queries by words and meaning"] = memory()
    library = searcher.okapi(10)
    figures["the same words by rank_bm25.BM25Okapi"] = percentiles([timed(library, query) for query in questions()])
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
    from bench_lsp import hovers, measure

    index = folder.parent / "lsp"
    return asyncio.run(hovers(top, index)) | asyncio.run(measure(top, index, questions()))


def one_core() -> None:
    """Keep this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {0})


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
