"""Prints what adapting the model to a configuration gains (docs/adr/0011-adaptation.md).

`python3 server/dev.py measure adaptation [MODEL]`  on SSL 3.1 and on Tester with their judged questions, and on
these and Vanessa ADD with doc sentences of their own. With a MODEL that never saw the held-out subsystems
(docs/evaluation.md) the questions about these are apart.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bsl_scout.configuration.layout import module_address, walk
from bsl_scout.configuration.objects import read_objects
from bsl_scout.features.adaptation import How, adapt
from bsl_scout.index.training_texts import subsystem_objects
from bsl_scout.retrieval.evaluation import DEPTH, Ask, Question, evaluate
from bsl_scout.retrieval.fusion import Fusion
from bsl_scout.retrieval.search import Searcher
from measure_model import HELD_OUT

Groups = dict[str, list[Question]]


def measure(top: Path, groups: Groups, indexed: Callable[..., Any], show: Callable[..., None]) -> None:
    """Compare search with the model as it is and adapted, on groups of questions about one configuration."""
    with indexed(top, vectors=True) as folder, tempfile.TemporaryDirectory() as copy:
        adapted = Path(copy)
        shutil.copytree(folder, adapted, dirs_exist_ok=True)
        print(f"\n## {top.name}")
        adapt_aloud(adapted)
        modes = {
            "hybrid": {
                "hybrid": ask(folder, "hybrid"),
                "hybrid, adapted": ask(adapted, "hybrid"),
                "hybrid, adapted, usual weight": ask(adapted, "hybrid", Fusion()),
            },
            "vector": {"vector": ask(folder, "vector"), "vector, adapted": ask(adapted, "vector")},
        }
        for name, questions in groups.items():
            print(f"\n{name}, {sum(bool(q.relevant) for q in questions)} questions", flush=True)
            for baseline, asks in modes.items():
                show(evaluate(asks, questions), baseline)


def about_held_out(top: Path, questions: list[Question]) -> list[Question]:
    """Return the questions whose best answers all lie in the subsystems that a measured model never saw."""
    layout = walk(top)
    owners = {item.russian_name for item in subsystem_objects(read_objects(top, layout.roots)[0], HELD_OUT)}

    def held(path: str) -> bool:
        owner = module_address(path, layout.root_of(path)).owner or ""
        return ".".join(owner.split(".")[:2]) in owners

    found = []
    for question in questions:
        best = [path for (path, _), grade in question.relevant.items() if grade == 2]
        if best and all(map(held, best)):
            found.append(question)
    return found


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
