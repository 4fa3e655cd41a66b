"""Prints how long it takes to find callers and similar procedures in an index: python3 server/bench_callers.py INDEX.

INDEX is the folder of a catalog.sqlite. The figures are CPU time, so that other work on the machine does not count.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bench_figures import percentiles
from bsl_scout.features.callers import callers_of
from bsl_scout.features.symbols import SymbolTable
from bsl_scout.index.schema import ChunkRow
from bsl_scout.retrieval.search import Searcher
from bsl_scout.retrieval.similar import find_similar

_COMMON = "ЗначениеРеквизитаОбъекта"


def main() -> int:
    """Measure on exported procedures taken by chance, and on one that is called from everywhere."""
    searcher = Searcher(Path(sys.argv[1]))
    searcher.learn()
    symbols = SymbolTable(searcher.catalog)
    exported = [row for row in searcher.catalog.procedures() if row.export]
    symbols.named("")
    chosen = random.Random(1).sample(exported, min(200, len(exported)))
    callers = percentiles([_milliseconds(lambda row: callers_of(symbols, row), row) for row in chosen])
    similar = percentiles([_milliseconds(lambda row: find_similar(searcher, row), row) for row in chosen[:50]])
    print(f"| who calls a procedure | {callers} |\n| what is similar to a procedure | {similar} |")
    common = next((row for row in exported if row.name == _COMMON), None)
    if common:
        print(f"| who calls {_COMMON} | {_milliseconds(lambda row: callers_of(symbols, row), common):.0f} ms |")
    searcher.close()
    return 0


def _milliseconds(work: Callable[[ChunkRow], object], row: ChunkRow) -> float:
    started = time.process_time()
    work(row)
    return (time.process_time() - started) * 1000


if __name__ == "__main__":
    sys.exit(main())
