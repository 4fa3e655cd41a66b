"""The threads of the worker that answer by meaning: order, cancelling, stores that fail."""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bsl_scout.index import vector_service
from bsl_scout.index.vector_service import VectorService
from bsl_scout.index.vectors import VectorQuery, VectorsUnavailableError


class Index:
    """A store that answers when it is let, and counts how often it is brought up."""

    may_answer = threading.Event()
    followed: list[str]
    error: Exception | None = None

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.ready = False

    def nearest(self, query: VectorQuery) -> tuple[Any, Any]:
        assert self.may_answer.wait(10)
        if self.error:
            raise self.error
        return np.array([query.top]), np.array([0.5])

    def follow(self, progress: Any, cancelled: Any) -> bool:
        self.followed.append(str(self.folder))
        if self.error:
            raise self.error
        progress(1, 2)
        self.ready = True
        return True

    def leave(self) -> None:
        self.followed.append("left")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> queue.Queue[dict[str, Any]]:
    monkeypatch.setattr(vector_service, "ChromaIndex", Index)
    Index.may_answer, Index.followed, Index.error = threading.Event(), [], None
    return queue.Queue()


def service(told: queue.Queue[dict[str, Any]]) -> VectorService:
    return VectorService(lambda **message: told.put(message))


def question(number: int, folder: str = "a") -> dict[str, Any]:
    asked = {"vector": [1.0], "query": "", "epoch": 1, "top": number, "among": None}
    return {"id": number, "folder": folder, "store": "chroma", "url": "", **asked}


def test_questions_nobody_waits_for_are_left_out(told: queue.Queue[dict[str, Any]]) -> None:
    serving = service(told)
    for number in (1, 2, 3):
        serving.ask(question(number))
    serving.stopped.add(2)
    Index.may_answer.set()
    assert [told.get(timeout=10)["chunks"] for _ in range(2)] == [[1], [3]]
    assert serving.stopped == set()


def test_a_store_is_brought_up_only_when_it_is_chosen(told: queue.Queue[dict[str, Any]]) -> None:
    serving = service(told)
    serving.follow({"folder": "a", "store": "exact", "url": ""})
    serving.follow({"folder": "b", "store": "chroma", "url": ""})
    assert [told.get(timeout=10)["state"] for _ in range(2)] == ["copying", "ready"]
    # once more: it answers all the while
    serving.follow({"folder": "b", "store": "chroma", "url": ""})
    assert told.get(timeout=10)["state"] == "ready"
    serving.leave()
    assert Index.followed == ["b", "b", "left"]


def test_a_failed_store_is_told_and_not_tried_for_each_question(told: queue.Queue[dict[str, Any]]) -> None:
    serving = service(told)
    Index.error = VectorsUnavailableError("no server")
    Index.may_answer.set()
    serving.ask(question(1))
    messages = [told.get(timeout=10) for _ in range(2)]
    failed = {"id": 1, "event": "failed", "kind": "unavailable", "message": "no server"}
    state = {"event": "store", "folder": "a", "state": "failed", "done": 0, "total": 0, "message": "no server"}
    assert failed in messages and state in messages
    for number in (2, 3, 4):
        serving.ask(question(number))
        assert told.get(timeout=10)["id"] == number
    assert Index.followed == ["a"]


def test_an_unexpected_error_ends_neither_thread(told: queue.Queue[dict[str, Any]]) -> None:
    serving = service(told)
    Index.error = ZeroDivisionError("x")
    Index.may_answer.set()
    serving.ask(question(1))
    assert told.get(timeout=10) == {
        "id": 1,
        "event": "failed",
        "kind": "error",
        "message": "internal error (ZeroDivisionError)",
    }
    serving.follow({"folder": "b", "store": "chroma", "url": ""})
    assert told.get(timeout=10)["message"] == "internal error (ZeroDivisionError)"
    Index.error = None
    serving.ask(question(2))
    assert told.get(timeout=10)["chunks"] == [2]
    serving.follow({"folder": "b", "store": "chroma", "url": ""})
    assert [told.get(timeout=10)["state"] for _ in range(2)] == ["copying", "ready"]
