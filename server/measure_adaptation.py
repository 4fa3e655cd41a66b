"""Prints what adapting the model to a configuration gains (docs/adr/0011-adaptation.md).

`python3 server/dev.py measure adaptation [MODEL]`  on SSL 3.1 and its judgements, and on doc sentences of
configurations that neither the shipped model nor MODEL was trained on
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bsl_scout.features.adaptation import How, adapt
from bsl_scout.retrieval.evaluation import DEPTH, Ask, Question, evaluate
from bsl_scout.retrieval.fusion import Fusion
from bsl_scout.retrieval.search import Searcher

# configurations that no model here was trained on
FOREIGN = ("testdata/edt_tester_eng", "testdata/mpl_vanessa_add")


def measure(
    top: Path, groups: dict[str, list[Question]], indexed: Callable[..., Any], show: Callable[..., None]
) -> None:
    """Compare search with the model as it is and adapted, on groups of questions about one configuration."""
    with indexed(top, vectors=True) as folder, tempfile.TemporaryDirectory() as copy:
        adapted = Path(copy)
        shutil.copytree(folder, adapted, dirs_exist_ok=True)
        adapt_aloud(adapted)
        for name, questions in groups.items():
            print(f"\n{name}, {sum(bool(q.relevant) for q in questions)} questions")
            modes = {
                "hybrid": ask(folder, "hybrid"),
                "hybrid, adapted": ask(adapted, "hybrid"),
                "hybrid, adapted, weight as shipped": ask(adapted, "hybrid", Fusion()),
                "vector": ask(folder, "vector"),
                "vector, adapted": ask(adapted, "vector"),
            }
            report = evaluate(modes, questions)
            show(report, "hybrid")
            show({**report, "modes": {}}, "vector")
    for name in FOREIGN:
        print(f"\n{name}, its own doc sentences")
        with indexed(Path(os.environ["BSL_SCOUT_CORPORA"], name), vectors=True) as folder:
            adapt_aloud(folder)


def adapt_aloud(folder: Path) -> None:
    """Adapt to an index, whatever the test says, and print how long that took and what came of it."""
    how = How(least_gain=-1.0)
    started = time.process_time()
    told = adapt(folder, lambda stage, done, total: None, how)
    print(f"\n{time.process_time() - started:.1f} CPU-seconds: {told}")


def ask(folder: Path, mode: str, fusion: Fusion | None = None) -> Ask:
    """Return the search of an index in one mode, with what the configuration's synonyms translate."""
    searcher = Searcher(folder, fusion=fusion)
    searcher.learn()
    return lambda query: searcher.search(query, DEPTH, mode=mode)
