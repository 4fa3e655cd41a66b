"""Adapting the model to the opened configuration while the server is in use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support import copy_demo

pytestmark = pytest.mark.asyncio


async def until_adapted(editor: Any) -> Any:
    """Wait until adapting is over."""

    async def wait() -> Any:
        while not editor.statuses or editor.statuses[-1].adaptation.state not in ("ready", "refused"):
            await asyncio.sleep(0.02)
        return editor.statuses[-1].adaptation

    return await asyncio.wait_for(wait(), 60)


async def test_the_model_is_adapted_when_that_is_wanted(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top, adapt=True)
    told = await until_adapted(editor)
    print(told, {s.adaptation.state for s in editor.statuses})
    assert (await editor.find("остатки товаров", mode="hybrid")).legs[:2] == ["lexical", "vector"]


async def test_without_the_wish_nothing_is_adapted(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    await editor.until("ready")
    await editor.found("остатки", "x") if False else None
    assert editor.statuses[-1].adaptation.state == "off"
