"""Prints what ADR 0016 says: what calls, regions and names of modules add to the prior, and synonyms to the ranking.

`python3 server/dev.py measure prior`  on all judged questions, each group for itself
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

from bsl_scout.bsl.text import fold
from bsl_scout.index.candidates import Candidate
from bsl_scout.retrieval.evaluation import DEPTH, LEVELS, Ask, Question, evaluate
from bsl_scout.retrieval.metrics import interval
from bsl_scout.retrieval.prior import Prior
from bsl_scout.retrieval.search import Answer, Searcher
from bsl_scout.retrieval.synonyms import Synonyms

Patch = Callable[[], AbstractContextManager[object]]
# nDCG@10 of each question, by variant and level
Values = dict[tuple[str, str], list[float]]
_WEIGHTS = (0.01, 0.03, 0.04, 0.05)
_LOSSES = (0.03, 0.06)
_REGIONS = ("СлужебныеПроцедурыИФункции", "СлужебныйПрограммныйИнтерфейс", "УстаревшиеПроцедурыИФункции")
# in the names of modules
_WORDS = ("Служебный", "Переопределяемый", "Локализация")
_STEPS = ("before", "calls", "calls and synonyms")


def measure(
    top: Path,
    groups: Mapping[str, Sequence[Question]],
    indexed: Callable[..., AbstractContextManager[Path]],
    show: Callable[[dict[str, Any], str], None],
) -> dict[str, Values]:
    """Print the variants on groups of questions about one configuration, and return the values of the steps."""
    before, calls, now = _STEPS
    steps: dict[str, tuple[Prior, Patch]] = {
        before: (Prior(calls=0), _without_synonyms),
        calls: (Prior(), _without_synonyms),
        now: (Prior(), nullcontext),
    }
    weights = {f"calls {weight}": (Prior(calls=weight), _without_synonyms) for weight in _WEIGHTS}
    others = {
        "synonyms of one word as terms of their own": (Prior(), _answering("alone", {})),
        **{f"{name} -{loss}": (Prior(), _losing(name, loss)) for loss in _LOSSES for name in (*_REGIONS, *_WORDS)},
    }
    found: dict[str, Values] = {}
    with indexed(top, vectors=True) as folder:
        searcher = Searcher(folder)
        searcher.learn()
        for group, questions in groups.items():
            print(f"\n{group}, {sum(bool(question.relevant) for question in questions)} questions")
            for variants, baselines in (({**steps, **weights}, (before, calls)), ({now: steps[now], **others}, (now,))):
                report = evaluate({name: _ask(searcher, *how) for name, how in variants.items()}, questions)
                for baseline in baselines:
                    show(report, baseline)
                if before in variants:
                    found[group] = _values(report)
        searcher.close()
    return found


def show_together(found: Sequence[Values]) -> None:
    """Print the steps on several groups of questions taken together."""
    for level in LEVELS:
        for a, b in pairwise(_STEPS):
            pairs = [pair for values in found for pair in zip(values[a, level], values[b, level], strict=True)]
            mean = interval([after - before for before, after in pairs])
            print(f"{b} - {a}, {level}, {len(pairs)} questions: {mean.mean:+.3f} [{mean.low:+.3f};{mean.high:+.3f}]")


def _values(report: dict[str, Any]) -> Values:
    found: Values = {}
    for row in report["per_question"]:
        found.setdefault((row["mode"], row["level"]), []).append(row["ndcg@10"])
    return found


def _ask(searcher: Searcher, prior: Prior, patch: Patch) -> Ask:
    def ask(query: str) -> Answer:
        with mock.patch.object(searcher, "_prior", prior), patch():
            return searcher.search(query, DEPTH, mode="hybrid")

    return ask


def _answering(method: str, answer: object) -> Patch:
    return lambda: mock.patch.object(Synonyms, method, lambda *_: answer)


def _without_synonyms() -> ExitStack:
    """Return the patch of both that synonyms have become: of the vectors, and one term with the word."""
    patches = ExitStack()
    for method, answer in (("reworded", None), ("alone", {})):
        patches.enter_context(_answering(method, answer)())
    return patches


def _losing(name: str, loss: float) -> Patch:
    """Return what takes something away from the procedures of a region, or of modules with a word in their names."""
    of, wanted = Prior.of, fold(name)

    def less(self: Prior, row: Candidate, has_doc: bool, asks_for_form: bool = False, called: int = 0) -> float:
        found = of(self, row, has_doc, asks_for_form, called)
        held = fold(row.regions).split(",") if name in _REGIONS else fold(row.owner or "")
        return found - loss if row.title is None and wanted in held else found

    return lambda: mock.patch.object(Prior, "of", less)


@contextmanager
def without_twins(folder: Path) -> Iterator[Path]:
    """Give a folder of the corpora as the questions are about it: of the one that has twins of its English objects in
    Russian, which answer no question, a copy without these.
    """
    if folder.name != "designer_mega_cc":
        yield folder
        return
    with tempfile.TemporaryDirectory() as copy:
        yield Path(shutil.copytree(folder, Path(copy, folder.name), ignore=russian_names))


def russian_names(_: str, children: list[str]) -> list[str]:
    """Return the children of a folder that have a Russian letter in their names."""
    return [name for name in children if re.search("[а-я]", fold(name))]
