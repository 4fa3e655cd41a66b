"""A Chroma server on loopback for tests."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_START_SECONDS = 60


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def chroma_server(folder: Path, port: int | None = None) -> Iterator[str]:
    """Run a server that keeps its data in a folder; gives its address."""
    port = port or free_port()
    command = shutil.which("chroma", path=str(Path(sys.executable).parent))
    assert command, "the command of chromadb is not installed"
    process = subprocess.Popen(
        [command, "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "ANONYMIZED_TELEMETRY": "False"},
    )
    try:
        _wait(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, "the server ended"
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
        try:
            connection.request("GET", "/api/v2/heartbeat")
            if connection.getresponse().status == http.client.OK:
                return
        except OSError:
            time.sleep(0.05)
        finally:
            connection.close()
    raise AssertionError("the server does not answer")
