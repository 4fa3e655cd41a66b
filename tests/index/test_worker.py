"""The thread of the worker that adapts: it waits for refreshes, stops when told, and one failure is one message."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bsl_scout.index import worker, worker_client
from bsl_scout.index.vectors import StoreChoice
from bsl_scout.index.worker_client import WorkerClient
from bsl_scout.index.writer_lock import IndexLockedError


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(worker, "_tell", lambda **message: found.append(message))
    return found


def until(condition: Callable[[], object], seconds: float = 10) -> None:
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.002)


def test_adapting_waits_while_an_index_is_refreshed(told: list[dict[str, Any]]) -> None:
    steps: list[int] = []
    begun = threading.Event()

    def adapt(folder: Path, checkpoint: worker.Checkpoint) -> dict[str, Any]:
        for step in range(100_000):
            checkpoint("training", step, 100_000)
            steps.append(step)
            begun.set()
            time.sleep(0.001)
        return {"state": "ready"}

    jobs = worker._Jobs(io.StringIO())
    adapting = worker._Between(jobs, adapt)
    adapting.add({"id": 1, "adapt": True, "folder": "index", "store": "exact"})
    assert begun.wait(10)
    with adapting.paused():
        # the step under way may end
        time.sleep(0.05)
        count = len(steps)
        time.sleep(0.05)
        assert len(steps) == count
    until(lambda: len(steps) > count)
    # an index that was made anew is not adapted to any more
    adapting.drop("other")
    adapting.drop("index")
    until(lambda: told[-1]["event"] == "failed")
    assert told[-1] == {"id": 1, "event": "failed", "kind": "stopped", "message": "stopped"}
    assert told[0] == {"id": 1, "event": "progress", "stage": "training", "done": 0, "total": 100_000}


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (IndexLockedError("another process is writing this index"), "locked", "another process is writing this index"),
        (PermissionError(13, "Permission denied", "/secret"), "unreadable", "Permission denied"),
        (ValueError("/secret"), "error", "internal error (ValueError)"),
    ],
)
def test_a_failure_is_told_and_the_next_is_done(
    told: list[dict[str, Any]], error: Exception, kind: str, message: str
) -> None:
    def adapt(folder: Path, checkpoint: worker.Checkpoint) -> dict[str, Any]:
        if folder.name == "bad":
            raise error
        return {"state": "ready"}

    adapting = worker._Between(worker._Jobs(io.StringIO()), adapt)
    adapting.add({"id": 1, "adapt": True, "folder": "bad", "store": "exact"})
    adapting.add({"id": 2, "adapt": True, "folder": "good", "store": "exact"})
    until(lambda: len(told) == 2)
    assert told == [
        {"id": 1, "event": "failed", "kind": kind, "message": message},
        {"id": 2, "event": "done", "state": "ready"},
    ]


def test_lines_of_two_threads_do_not_mix(capsys: pytest.CaptureFixture[str]) -> None:
    threads = [
        threading.Thread(target=lambda n=n: [worker._tell(id=n, text="а" * 500) for _ in range(50)]) for n in (1, 2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = capsys.readouterr().out.splitlines()
    assert sorted(json.loads(line)["id"] for line in lines) == [1] * 50 + [2] * 50


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="Windows has classes instead, see below")
def test_the_worker_steps_back_for_others(tmp_path: Path) -> None:
    if sys.platform != "win32":
        command = [sys.executable, "-m", "bsl_scout", "worker"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin and process.stdout
            job = {"id": 1, "folder": str(tmp_path / "index"), "store": "exact", "url": "", "top": str(tmp_path / "no")}
            more = {"paths": None, "rebuild": False, "roots": [], "encoder": ""}
            process.stdin.write(json.dumps(job | more) + "\n")
            process.stdin.flush()
            # it works now, so its start is over
            assert json.loads(process.stdout.readline())["event"] == "failed"
            own = os.getpriority(os.PRIO_PROCESS, 0)
            assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(own + 10, 19)
            process.stdin.close()


def test_the_worker_is_started_in_a_lower_class_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    async def refused(*command: str, **options: Any) -> None:
        asked.update(options)
        raise OSError

    monkeypatch.setattr(worker_client.subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0x4000, raising=False)
    monkeypatch.setattr(asyncio, "create_subprocess_exec", refused)
    with pytest.raises(OSError):
        asyncio.run(WorkerClient().adapt(Path(), lambda *_: None, StoreChoice()))
    assert asked["creationflags"] == 0x4000
