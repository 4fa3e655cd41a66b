"""Adapting the model to the opened configuration while the server is in use, and the user's own synonyms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support import copy_demo

pytestmark = pytest.mark.asyncio


async def until_adapted(editor: Any, *states: str) -> Any:
    """Wait until adapting is in one of the states."""

    async def wait() -> Any:
        while not editor.statuses or editor.statuses[-1].adaptation.state not in states:
            await asyncio.sleep(0.02)
        return editor.statuses[-1].adaptation

    return await asyncio.wait_for(wait(), 60)


async def test_the_model_is_adapted_when_that_is_wanted(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top, adapt=True)
    told = await until_adapted(editor, "ready", "refused")
    assert (told.reason, told.weight > 0) == ("" if told.state == "ready" else "no-better", True)
    seen = [status.adaptation.state for status in editor.statuses]
    assert "waiting" in seen
    assert editor.statuses[-1].state == "ready"
    assert (await editor.find("остатки товаров", mode="hybrid")).legs[:2] == ["lexical", "vector"]


async def test_without_the_wish_nothing_is_adapted(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    await editor.until("ready")
    assert {status.adaptation.state for status in editor.statuses} == {"off"}


@pytest.mark.parametrize("by_folder", [False, True])
async def test_the_users_synonyms(start: Callable[..., Any], tmp_path: Path, by_folder: bool) -> None:
    top = copy_demo(tmp_path / "demo")
    groups = ["хотелка = заказ покупателя", "хотелка", 5]
    other = {"folder": (tmp_path / "other").as_uri(), "groups": ["чужая = запись", "кривая"]}
    synonyms: list[Any] = [{"folder": top.as_uri(), "groups": groups}, other] if by_folder else groups
    plain = await start(top, index=tmp_path / "one")
    await plain.until("ready")
    assert not (await plain.find("хотелка", mode="lexical")).hits
    editor = await start(top, index=tmp_path / "two", synonyms=synonyms)
    status = await editor.until("ready")
    assert status.message == "bslScout.search.synonyms: «хотелка», «5»: нужны две фразы и = между ними"
    hits = (await editor.find("хотелка", mode="lexical")).hits
    assert any("Заказ" in (hit.owner or "") + hit.symbol for hit in hits[:3])
