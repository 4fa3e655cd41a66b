"""Random and malformed messages: only clean errors come back, the server answers afterwards and leaves when told to."""

from __future__ import annotations

from pathlib import Path

from message_fuzz import fuzz
from support import copy_demo

MESSAGES = 300


def test_random_messages(tmp_path: Path) -> None:
    found = fuzz(copy_demo(tmp_path / "demo"), tmp_path / "index", MESSAGES, seed=1)
    assert found["sent"] == MESSAGES
    assert found["answers"] > 50
    assert found["unanswered"] == 0
    assert found["clean errors"] > 10
