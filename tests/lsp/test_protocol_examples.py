"""The examples of docs/protocol.md are what a server on the demo is asked and answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from bsl_scout.lsp import protocol
from examples import Block, blocks, difference
from support import REPOSITORY, copy_demo

FOLDER = "file:///demo"
EXAMPLES = [block for block in blocks(REPOSITORY / "docs" / "protocol.md") if block.info[:1] == ("json",)]


def plain(value: Any) -> Any:
    """Return what the client made of a message as the JSON that it was."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def told(block: Block, folder: str) -> Any:
    """Return the JSON of a block, the address of the demo in it as it is here."""
    return json.loads(block.text.replace(FOLDER, folder))


def test_every_method_has_an_example() -> None:
    methods = {getattr(protocol, name) for name in dir(protocol) if name.isupper()}
    named = {block.info[1] for block in EXAMPLES if len(block.info) > 1} - {"part"}
    assert named == {method for method in methods if isinstance(method, str) and method.startswith("bslScout/")}


@pytest.mark.asyncio
async def test_the_examples(start: Callable[..., Any], tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    editor = await start(top)
    status = plain(await editor.until("ready", leg="vector"))
    folder = unquote(top.as_uri())
    following = iter(EXAMPLES)
    for block in following:
        method = block.info[1]
        if method == protocol.INDEX_STATUS:
            assert not difference(told(block, folder), status), method
            continue
        params = told(block, folder)
        if method == protocol.LOG_LEVEL:
            editor.client.protocol.notify(method, params)
            continue
        if "uri" in params:
            params["uri"] = (top / params["uri"].removeprefix(folder).lstrip("/")).as_uri()
        answer = plain(await editor.client.protocol.send_request_async(method, params))
        for row in [*answer.get("hits", ()), *answer.get("forms", ()), *answer.get("folders", ())]:
            if isinstance(row, dict):
                row["uri"] = unquote(row["uri"])
        result = next(following)
        assert result.follows
        found = difference(told(result, folder), answer, result.partial)
        assert not found, f"protocol.md:{result.line}: {found}"
