"""What the benchmarks share: where the sources and questions are, how steps are run and figures written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

DEMO_QUERIES = ("сумма словами", "снять просроченный резерв", "курс валюты", "отправить письмо", "остаток на складе")


def corpora() -> Path | None:
    """Return the folder of the corpora, None when they are not here."""
    named = os.environ.get("BSL_SCOUT_CORPORA")
    return Path(named) if named else None


def questions() -> list[str]:
    """Return the questions of the judgements, or some of the demo's."""
    gold = os.environ.get("BSL_SCOUT_GOLD")
    if not gold:
        return list(DEMO_QUERIES)
    lines = Path(gold, "ssl_dev.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["query"] for line in lines]


def report(program: str, steps: Iterable[str], top: Path, folder: Path) -> None:
    """Run each step of a program in a process of its own and print its figures as rows of a table."""
    for step in steps:
        command = [sys.executable, program, step, str(top), str(folder)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        for what, figure in json.loads(done.stdout).items():
            print(f"| {what} | {figure} |", flush=True)


def percentiles(values: list[float]) -> str:
    """Return median and 95th percentile of milliseconds."""
    ordered = sorted(values)
    return f"p50 {ordered[len(ordered) // 2]:.1f} ms, p95 {ordered[int(len(ordered) * 0.95)]:.1f} ms"


def size(folder: Path) -> str:
    """Return what the files of a folder take on disk."""
    return f"{sum(path.stat().st_size for path in folder.iterdir()) / 1e6:.0f} MB"


def timed(ask: Callable[[Any], Any], query: Any) -> float:
    """Return the milliseconds that an answer takes."""
    started = time.perf_counter()
    ask(query)
    return (time.perf_counter() - started) * 1000
