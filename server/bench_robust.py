"""What the tests do a few times, done often: `python3 server/dev.py bench kills|windows|messages|bounds|fuzz`.

Each run ends with an error at the first lost answer, orphan process or difference from a new index.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
DEMO = REPOSITORY / "tests" / "fixtures" / "demo"
sys.path.insert(0, str(REPOSITORY / "tests"))
KILLS, WINDOW_SECONDS, MESSAGES, EXAMPLES = 50, 120, 10_000, 5_000


def kills(folder: Path) -> dict[str, str]:
    """Kill server, worker or both at random moments and compare each time with a new index."""
    harness: Any = importlib.import_module("kill_harness")
    done = asyncio.run(harness.Kills(folder, seed=int(time.time()), copies=4).run(KILLS))
    return {"kills, each compared with a new index": told(done)}


def windows(folder: Path) -> dict[str, str]:
    """Write and search in two windows for two minutes."""
    return {f"two windows for {WINDOW_SECONDS} s": told(asyncio.run(_windows(folder)))}


async def _windows(folder: Path) -> Counter[str]:
    process: Any = importlib.import_module("server_process")
    shared: Any = importlib.import_module("windows")
    support: Any = importlib.import_module("support")
    top = support.copy_demo(folder / "sources", copies=6)
    servers = [await process.start_server(top, folder / "index") for _ in range(2)]
    done: Counter[str] = await shared.write_and_read(servers, top, WINDOW_SECONDS, seed=1)
    for server in servers:
        await server.end()
    if done["lost answers"]:
        raise AssertionError(f"{done['lost answers']} answers were lost")
    return done


def messages(folder: Path) -> dict[str, str]:
    """Send random and malformed messages."""
    fuzz: Any = importlib.import_module("message_fuzz")
    support: Any = importlib.import_module("support")
    done = fuzz.fuzz(support.copy_demo(folder / "sources"), folder / "index", MESSAGES, seed=int(time.time()))
    if done["unanswered"]:
        raise AssertionError(f"{done['unanswered']} requests got no answer")
    return {"random messages": told(done)}


def bounds(folder: Path) -> dict[str, str]:
    """Measure unusual sizes."""
    import bench_bounds

    corpora = os.environ.get("BSL_SCOUT_CORPORA")
    return bench_bounds.bounds(Path(corpora, "ssl_3_1") if corpora else DEMO)


def fuzz(folder: Path) -> dict[str, str]:
    """Run the fuzzers of the tests for long."""
    paths = ["tests/bsl/test_fuzz.py", "tests/configuration/test_fuzz.py"]
    environment = {**os.environ, "BSL_SCOUT_FUZZ": str(EXAMPLES)}
    subprocess.run([sys.executable, "-m", "pytest", "-q", *paths], cwd=REPOSITORY, env=environment, check=True)
    return {"texts and files that fuzzers made": f"{EXAMPLES} for each property"}


def told(done: Counter[str]) -> str:
    """Return counts in words."""
    return ", ".join(f"{count} {name}" for name, count in sorted(done.items()))


RUNS: dict[str, Callable[[Path], dict[str, str]]] = {
    "kills": kills,
    "windows": windows,
    "messages": messages,
    "bounds": bounds,
    "fuzz": fuzz,
}


def run(name: str) -> int:
    """Print the figures of one run."""
    print("| what | figure |\n|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for what, figure in RUNS[name](Path(folder)).items():
            print(f"| {what} | {figure} |", flush=True)
    return 0
