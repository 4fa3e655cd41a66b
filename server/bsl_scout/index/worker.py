"""The index worker: a child process that writes indexes for the language server.

One JSON object a line. In: `{"id", "top", "folder", "paths": null | [...], "rebuild", "roots"}` asks for a refresh,
`{"cancel": id}` stops one. Out: `{"id", "event": "progress", "done", "total"}`, then one
`{"id", "event": "done", ...}` or `{"id", "event": "failed", "kind", "message"}`; the kind is locked, unreadable,
unwritable or error. The worker ends with its input: a server that dies takes it along.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from pathlib import Path
from typing import Any, TextIO

from .catalog import CatalogUnavailableError
from .indexer import refresh
from .writer_lock import IndexFolderError, IndexLockedError

_PROGRESS_SECONDS = 0.1
# another window that writes is followed, not waited for
_PATIENCE_SECONDS = 1.0
# after the input has ended the batch under way may finish, then the process is left
_LEAVE_SECONDS = 1.5


def main() -> int:
    """Serve refreshes until standard input ends."""
    jobs = _Jobs(sys.stdin)
    threading.Thread(target=jobs.read, daemon=True).start()
    while (job := jobs.waiting.get()) is not None:
        _run(job, jobs)
    return 0


class _Jobs:
    """The refreshes asked for, and which of them are to stop."""

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self.waiting: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.stopped: set[int] = set()
        self.ended = False

    def read(self) -> None:
        """Take in lines until the input ends."""
        for line in self._source:
            if not line.endswith("\n"):
                # the server died in the middle of it
                break
            message = json.loads(line)
            if "cancel" in message:
                self.stopped.add(message["cancel"])
            else:
                self.waiting.put(message)
        self.ended = True
        self.waiting.put(None)
        time.sleep(_LEAVE_SECONDS)
        # nothing committed is lost by leaving at any moment
        os._exit(0)


def _run(job: dict[str, Any], jobs: _Jobs) -> None:
    number = job["id"]
    told = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal told
        if done == total or time.monotonic() - told > _PROGRESS_SECONDS:
            told = time.monotonic()
            _tell(id=number, event="progress", done=done, total=total)

    def cancelled() -> bool:
        return jobs.ended or number in jobs.stopped

    try:
        report = refresh(
            Path(job["top"]),
            Path(job["folder"]),
            progress,
            cancelled,
            job["paths"],
            job["rebuild"],
            patience=_PATIENCE_SECONDS,
            chosen=job["roots"],
        )
    except IndexLockedError as error:
        _tell(id=number, event="failed", kind="locked", message=str(error))
    except IndexFolderError as error:
        _tell(id=number, event="failed", kind="unwritable", message=f"the index folder cannot be written: {error}")
    except CatalogUnavailableError as error:
        _tell(id=number, event="failed", kind="unwritable", message=f"the index cannot be used: {error}")
    except OSError as error:
        # str(error) would tell the absolute path
        _tell(id=number, event="failed", kind="unreadable", message=error.strerror or type(error).__name__)
    except Exception as error:  # noqa: BLE001 - one failed refresh must not end the worker; it is told and logged
        print(f"refresh failed: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        _tell(id=number, event="failed", kind="error", message=f"internal error ({type(error).__name__})")
    else:
        _tell(
            id=number,
            event="done",
            files=report.files,
            procedures=report.procedures,
            chunks=report.chunks,
            changed=report.changes.added + report.changes.updated + report.changes.removed,
            seconds=report.seconds,
            problems=len(report.problems),
            rebuilt=report.rebuilt,
            complete=report.complete,
            created=report.created,
            vectors=report.vectors,
            wrong_roots=[[one.name, one.reason] for one in report.wrong_roots],
        )


def _tell(**message: Any) -> None:
    try:
        print(json.dumps(message, ensure_ascii=True), flush=True)
    except OSError:
        # the server is gone: nobody is left to tell, and nothing committed is lost by leaving at any moment
        os._exit(0)
