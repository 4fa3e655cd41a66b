"""Killed at any moment, server, worker or both: nothing committed is lost, the next start finishes the work."""

from __future__ import annotations

from pathlib import Path

import pytest

from kill_harness import Kills

pytestmark = pytest.mark.asyncio


async def test_ten_kills(tmp_path: Path) -> None:
    done = await Kills(tmp_path, seed=7, copies=2).run(10)
    assert sum(count for name, count in done.items() if name.endswith("killed")) == 10
