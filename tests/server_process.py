"""A language server in a process of its own for tests and benchmarks that do more than ask it: kill it, crowd it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

STATUS = "bslScout/indexStatus"


class Server:
    """A started server with its client, and the states of the index that it told."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.statuses: list[Any] = []

    @property
    def pid(self) -> int:
        """The process id of the server."""
        process = self.client._server
        assert process is not None
        return process.pid

    def forget_states(self) -> None:
        """Let `until` wait for a state that is told after this call."""
        self.statuses.clear()

    async def until(self, state: str, seconds: float) -> Any:
        """Wait until the server tells a state; returns what it told."""
        deadline = time.monotonic() + seconds
        while not self.statuses or self.statuses[-1].state != state:
            assert time.monotonic() < deadline, f"not {state}: {self.statuses[-1] if self.statuses else 'nothing told'}"
            await asyncio.sleep(0.01)
        return self.statuses[-1]

    async def until_quiet(self, seconds: float, quiet: float = 1.6) -> None:
        """Wait until the last state told is ready and has stayed so: no refresh follows."""
        deadline = time.monotonic() + seconds
        while True:
            await self.until("ready", deadline - time.monotonic())
            count = len(self.statuses)
            await asyncio.sleep(quiet)
            if len(self.statuses) == count:
                return

    def tell_changed(self, paths: Iterable[Path]) -> None:
        """Tell that files were changed, created or removed."""
        events = [types.FileEvent(path.as_uri(), types.FileChangeType.Changed) for path in paths]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))

    async def find(self, query: str, **more: Any) -> Any:
        """Return the answer to a query."""
        send: Any = self.client.protocol.send_request_async
        return await send("bslScout/findLogic", {"query": query, **more})

    async def end(self, killed: bool = False) -> None:
        """Shut the server down, or only drop the client of one that was killed."""
        if self.client.stopped:
            return
        if not killed:
            await self.client.shutdown_session()
        await self.client.stop()


async def start_server(top: Path, index: Path, *command: str) -> Server:
    """Return a server that has answered `initialize`; `command` are words that stand before that of Python."""
    client = make_test_lsp_client()
    server = Server(client)
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    client.feature(STATUS)(lambda params: server.statuses.append(params))
    await client.start_io(*command, sys.executable, "-m", "bsl_scout", "lsp", "--index-dir", str(index))
    folders = [types.WorkspaceFolder(top.as_uri(), top.name)]
    await client.initialize_session(
        types.InitializeParams(capabilities=client_capabilities("visual-studio-code"), workspace_folders=folders)
    )
    return server


def children_of(pid: int) -> list[int]:
    """Return the processes that a process started."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(line) for line in listed.split()]


def alive(pid: int) -> bool:
    """Return whether a process runs."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")
