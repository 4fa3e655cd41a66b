"""A client and a real server over standard streams."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest_asyncio
from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

STATUS = "bslScout/indexStatus"


class Editor:
    """A started server with one client, and the status notifications that came."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.statuses: list[Any] = []
        self.registered: dict[str, types.Registration] = {}
        self.killed = False  # set by a test that kills the server
        self._changed = asyncio.Event()

    def on_register(self, params: types.RegistrationParams) -> None:
        self.registered |= {one.id: one for one in params.registrations}
        self._changed.set()

    def on_unregister(self, params: types.UnregistrationParams) -> None:
        for one in params.unregisterations:
            del self.registered[one.id]
        self._changed.set()

    def patterns(self, method: str) -> list[str]:
        """Return the patterns of the documents that a method is registered for."""
        options = [one.register_options for one in self.registered.values() if one.method == method]
        return [one["pattern"] if isinstance(one, dict) else one.pattern for o in options for one in _selector(o)]

    async def until_patterns(self, method: str, count: int) -> list[str]:
        """Wait until so many patterns are registered for a method."""

        async def wait() -> list[str]:
            while len(self.patterns(method)) != count:
                self._changed.clear()
                await self._changed.wait()
            return self.patterns(method)

        return await asyncio.wait_for(wait(), 10)

    def on_status(self, params: Any) -> None:
        self.statuses.append(params)
        self._changed.set()

    async def until(self, state: str, timeout: float = 60, leg: str | None = None) -> Any:
        """Wait for a state (and a leg in it); what came before this call does not count unless it is the last."""

        def reached() -> bool:
            last = self.statuses[-1] if self.statuses else None
            return last is not None and last.state == state and (leg is None or leg in last.legs)

        async def wait() -> Any:
            while not reached():
                self._changed.clear()
                await self._changed.wait()
            return self.statuses[-1]

        return await asyncio.wait_for(wait(), timeout)

    async def find(self, query: str, **more: Any) -> Any:
        return await self.client.protocol.send_request_async("bslScout/findLogic", {"query": query, **more})

    async def found(self, query: str, symbol: str, timeout: float = 10) -> float:
        """Ask until the first hit is the symbol; returns the seconds it took."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        while loop.time() - started < timeout:
            hits = (await self.find(query)).hits
            if hits and hits[0].symbol == symbol:
                return loop.time() - started
            await asyncio.sleep(0.01)
        told = [(hit.symbol, hit.path, hit.line) for hit in hits]
        raise AssertionError(f"{symbol} was not found by {query!r}, but {told}; {self.statuses[-1]}")


def _selector(options: Any) -> list[Any]:
    found = options["documentSelector"] if isinstance(options, dict) else getattr(options, "document_selector", None)
    return list(found or getattr(options, "documentSelector", None) or ())


@pytest_asyncio.fixture
async def start(tmp_path: Path) -> AsyncIterator[Callable[..., Any]]:
    """Return a function that starts a server on folders and gives an Editor; all are shut down at the end."""
    started: list[Editor] = []

    async def start_on(
        *folders: Path,
        index: Path | None = None,
        locale: str = "ru",
        capabilities: types.ClientCapabilities | None = None,
        **options: Any,
    ) -> Editor:
        client = make_test_lsp_client()
        editor = Editor(client)
        client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: editor.on_register(params))
        client.feature(types.CLIENT_UNREGISTER_CAPABILITY)(lambda params: editor.on_unregister(params))
        client.feature(STATUS)(lambda params: editor.on_status(params))
        await client.start_io(
            sys.executable, "-m", "bsl_scout", "lsp", "--index-dir", str(index or tmp_path / "lsp-index")
        )
        await client.initialize_session(
            types.InitializeParams(
                capabilities=capabilities or client_capabilities("visual-studio-code"),
                workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
                initialization_options={"locale": locale, **options},
            )
        )
        started.append(editor)
        return editor

    yield start_on
    for editor in started:
        if not editor.client.stopped:
            if not editor.killed:  # a dead server cannot answer `shutdown`
                await editor.client.shutdown_session()
            await editor.client.stop()
