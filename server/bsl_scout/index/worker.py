"""The index worker: a child process that writes indexes for the language server, and holds what is heavy.

One JSON object a line. In:
`{"id", "folder", "store", "url", "top", "paths": null | [...], "rebuild", "roots", "encoder"}` asks for a refresh;
`{"id", "folder", "adapt": true}` to adapt the model to an index unless that was done, and
`{"id", "folder", "encode": true}` to make the vectors of another encoder, both in between refreshes;
`{"id", "folder", "store", "url", "ask": "vectors", "vector": null | [...], "query", "epoch", "top", "among": null |
[...]}` asks for the chunks nearest to a vector, or to a text that the worker turns into one: it is answered while a
refresh is under way; `{"id", "folder", "ask": "rerank", "model", "query", "texts"}` for the `scores` of texts by a
cross-encoder; `{"cancel": id}` stops any.
Out: `{"id", "event": "progress", "stage", "done", "total"}` (of a refresh the stage is objects or modules), then one
`{"id", "event": "done", ...}` (for a question with `chunks` and `scores`, best first) or
`{"id", "event": "failed", "kind", "message"}`; the kind is locked, unreadable (the sources), full (the disk of the
index), unwritable, unavailable (vectors), stopped (in between) or error. Without an id
`{"event": "store", "folder", "state", "done", "total", "message"}` tells of a vector store that is not the catalog's
own: copying, ready or failed.
The worker ends with its input: a server that dies takes it along.
"""

from __future__ import annotations

import errno
import faulthandler
import json
import os
import queue
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from .catalog import CatalogUnavailableError
from .indexer import refresh
from .next_vectors import make_next_vectors
from .vector_service import VectorService
from .writer_lock import IndexFolderError, IndexLockedError

_PROGRESS_SECONDS = 0.1
_STAGE_SECONDS = 1.0
# another window that writes is followed, not waited for
_PATIENCE_SECONDS = 1.0
# a step of adapting takes a tenth of that, on a machine that does nothing else
_STEP_SECONDS = 10.0
# after the input has ended the batch under way may finish, then the process is left
_LEAVE_SECONDS = 1.5
# SQLite tells some of what a full disk does to it as other errors; what it needs at once is more than this
_FULL_BYTES = 100_000
_NO_ROOM = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


# told stage, done and total
Checkpoint = Callable[[str, int, int], None]
# adapts the model to the index in a folder and returns what came of it
Adapt = Callable[[Path, Checkpoint], dict[str, Any]]


class _Stopped(Exception):
    """A job in between is to stop."""


def main(adapt: Adapt) -> int:
    """Serve refreshes, and what takes long in between, until standard input ends."""
    faulthandler.enable()
    # what a library prints must not stand among the messages
    global _output
    _output, sys.stdout = sys.stdout, sys.stderr
    jobs = _Jobs(sys.stdin)
    threading.Thread(target=jobs.read, daemon=True).start()
    between = _Between(jobs, adapt)
    while (job := jobs.waiting.get()) is not None:
        if "adapt" in job or "encode" in job:
            between.add(job)
            continue
        with between.paused() as patience:
            if _run(job, jobs, patience):
                between.drop(job["folder"])
    return 0


class _Between:
    """Adapts to one index after the other, or embeds it, in a thread that waits while an index is refreshed."""

    def __init__(self, jobs: _Jobs, adapt: Adapt) -> None:
        self._jobs = jobs
        self._adapt = adapt
        self._wanted: queue.Queue[dict[str, Any]] = queue.Queue()
        self._folders: dict[int, str] = {}
        self._may_go_on = threading.Event()
        self._may_go_on.set()
        self._thread = threading.Thread(target=self._work, name="between", daemon=True)

    def add(self, job: dict[str, Any]) -> None:
        """Do a job after those that were asked for before."""
        self._folders[job["id"]] = job["folder"]
        self._wanted.put(job)
        if not self._thread.is_alive():
            self._thread.start()

    def drop(self, folder: str) -> None:
        """Stop the jobs of an index that was made anew."""
        self._jobs.stopped.update(number for number, own in list(self._folders.items()) if own == folder)

    @contextmanager
    def paused(self) -> Iterator[float]:
        """Let the job under way wait at its next step until the block is over.

        Gives the seconds to wait for the lock of an index: until that step the job itself may hold it.
        """
        self._may_go_on.clear()
        try:
            yield _STEP_SECONDS if self._folders else _PATIENCE_SECONDS
        finally:
            self._may_go_on.set()

    def _work(self) -> None:
        while True:
            job = self._wanted.get()
            do = make_next_vectors if "encode" in job else self._adapt
            work = partial(do, Path(job["folder"]), self._checkpoint(job["id"]))
            if _telling(job, work) is not None:
                # there may be other vectors to copy
                self._jobs.vectors.follow(job)
            del self._folders[job["id"]]

    def _checkpoint(self, number: int) -> Checkpoint:
        told = 0.0

        def checkpoint(stage: str, done: int, total: int) -> None:
            nonlocal told
            self._may_go_on.wait()
            if self._jobs.ended or number in self._jobs.stopped:
                raise _Stopped
            if time.monotonic() - told > _STAGE_SECONDS:
                told = time.monotonic()
                _tell(id=number, event="progress", stage=stage, done=done, total=total)

        return checkpoint


class _Jobs:
    """The refreshes asked for, and which of them are to stop."""

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self.waiting: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.stopped: set[int] = set()
        self.ended = False
        self.vectors = VectorService(_tell)

    def read(self) -> None:
        """Take in lines until the input ends."""
        for line in self._source:
            if not line.endswith("\n"):
                # the server died in the middle of it
                break
            message = json.loads(line)
            if "cancel" in message:
                self.stopped.add(message["cancel"])
                self.vectors.stopped.add(message["cancel"])
            elif "ask" in message:
                self.vectors.ask(message)
            elif "adapt" in message or "encode" in message:
                self.waiting.put(message)
            else:
                # what an earlier process copied can be asked at once
                self.vectors.follow(message)
                self.waiting.put(message)
        self.ended = True
        self.vectors.leave()
        self.waiting.put(None)
        time.sleep(_LEAVE_SECONDS)
        # nothing committed is lost by leaving at any moment
        os._exit(0)


def _run(job: dict[str, Any], jobs: _Jobs, patience: float) -> bool:
    """Refresh an index, tell how that ended and return whether it was made anew."""
    number = job["id"]
    told = 0.0

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal told
        if done == total or time.monotonic() - told > _PROGRESS_SECONDS:
            told = time.monotonic()
            _tell(id=number, event="progress", stage=stage, done=done, total=total)

    def cancelled() -> bool:
        return jobs.ended or number in jobs.stopped

    def work() -> dict[str, Any]:
        report = refresh(
            Path(job["top"]),
            Path(job["folder"]),
            progress,
            cancelled,
            job["paths"],
            job["rebuild"],
            patience=patience,
            chosen=job["roots"],
            encoder=job["encoder"],
            encode_later=True,
        )
        return {
            "files": report.files,
            "procedures": report.procedures,
            "chunks": report.chunks,
            "changed": report.changes.added + report.changes.updated + report.changes.removed,
            "seconds": report.seconds,
            "problems": len(report.problems),
            "rebuilt": report.rebuilt,
            "complete": report.complete,
            "created": report.created,
            "vectors": report.vectors,
            "generation": report.generation,
            "wrong_roots": [[one.name, one.reason] for one in report.wrong_roots],
        }

    done = _telling(job, work)
    if done:
        jobs.vectors.follow(job)
    return bool(done and (done["rebuilt"] or done["created"]))


def _telling(job: dict[str, Any], work: Callable[[], dict[str, Any]]) -> dict[str, Any] | None:
    """Do a job, tell its result or why it failed, and return the result."""
    number = job["id"]
    try:
        done = work()
    except _Stopped:
        _tell(id=number, event="failed", kind="stopped", message="stopped")
    except IndexLockedError as error:
        _tell(id=number, event="failed", kind="locked", message=str(error))
    except (IndexFolderError, CatalogUnavailableError) as error:
        what = (
            "the index folder cannot be written" if isinstance(error, IndexFolderError) else "the index cannot be used"
        )
        kind = "full" if _is_full(error, Path(job["folder"])) else "unwritable"
        _tell(id=number, event="failed", kind=kind, message=f"{what}: {error}")
    except OSError as error:
        # str(error) would tell the absolute path
        _tell(id=number, event="failed", kind="unreadable", message=error.strerror or type(error).__name__)
    except Exception as error:  # noqa: BLE001 - one failed job must not end the worker; it is told and logged
        print(f"ERROR index worker: a job failed: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        _tell(id=number, event="failed", kind="error", message=f"internal error ({type(error).__name__})")
    else:
        _tell(id=number, event="done", **done)
        return done
    return None


def _is_full(error: Exception, folder: Path) -> bool:
    """Return whether an index, whose folder may not be made yet, cannot be written because its disk is full."""
    cause = error.__cause__
    if "disk is full" in str(error) or (isinstance(cause, OSError) and cause.errno in _NO_ROOM):
        return True
    there = next(one for one in (folder, *folder.parents) if one.exists())
    try:
        return shutil.disk_usage(there).free < _FULL_BYTES
    except OSError:
        # what cannot be asked is not known to be full
        return False


_telling_one = threading.Lock()
# where messages go, standard output until `main` runs
_output: TextIO | None = None


def _tell(**message: Any) -> None:
    try:
        # several threads tell, a line each
        with _telling_one:
            print(json.dumps(message, ensure_ascii=True), file=_output or sys.stdout, flush=True)
    except OSError:
        # the server is gone: nobody is left to tell, and nothing committed is lost by leaving at any moment
        os._exit(0)
