"""Sends random and malformed messages of JSON-RPC to a server over its standard streams, and checks what comes back.

The tests send a few hundred, `python3 server/dev.py bench messages` ten thousand.
"""

from __future__ import annotations

import json
import queue
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

METHODS = (
    "textDocument/hover", "textDocument/definition", "textDocument/references", "textDocument/documentSymbol",
    "textDocument/codeLens", "textDocument/semanticTokens/full", "workspace/symbol", "bslScout/findLogic",
    "bslScout/objectNames", "bslScout/forms", "bslScout/formContext", "bslScout/rebuildIndex", "bslScout/stopIndexing",
    "textDocument/didOpen", "textDocument/didChange", "textDocument/didSave",
    "textDocument/didClose", "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders", "workspace/didChangeConfiguration", "window/workDoneProgress/cancel",
    "$/cancelRequest", "$/setTrace", "workspace/executeCommand", "textDocument/completion", "нет/такого", "",
)  # fmt: skip
NOTIFICATIONS = ("textDocument/did", "workspace/did", "window/", "$/")
ANSWER_SECONDS, EXIT_SECONDS = 60, 2
# errors that the protocol names, and those of JSON-RPC
CODES = {-32700, -32600, -32601, -32602, -32603, -32002, -32800, -32801, -32802, -32803}


class _Stream:
    """A server as bytes: what is sent, and the messages that come back."""

    def __init__(self, index: Path, log: Path) -> None:
        command = [sys.executable, "-m", "bsl_scout", "lsp", "--index-dir", str(index)]
        self._log = log.open("wb")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log)
        self.came: queue.Queue[Any] = queue.Queue()
        self.unanswered: set[int] = set()
        threading.Thread(target=self._read, daemon=True).start()

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while True:
            length = 0
            while (line := out.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                # anything else on standard output breaks a client
                assert name in (b"Content-Length", b"Content-Type"), line
                length = int(value) if name == b"Content-Length" else length
            if not line:
                self.came.put(None)
                return
            self.came.put(json.loads(out.read(length)))

    def answer(self, number: Any) -> list[Any]:
        """Return all that came up to the answer of a request."""
        found: list[Any] = []
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            message = self.came.get(timeout=max(deadline - time.monotonic(), 0.01))
            assert message is not None, "the server has ended"
            found.append(message)
            if "method" in message and "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            else:
                if isinstance(message.get("id"), int):
                    self.unanswered.discard(message["id"])
                if message.get("id") == number:
                    return found

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._log.close()


def _value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(12 if depth < 4 else 8)
    if kind == 8:
        return [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    if kind > 8:
        names = (
            "uri",
            "textDocument",
            "position",
            "line",
            "character",
            "query",
            "mode",
            "top",
            "type_name",
            "a-b",
            "id",
        )
        return {chance.choice(names): _value(chance, depth + 1) for _ in range(chance.randrange(4))}
    return (
        None, True, chance.randrange(-(2**40), 2**40), chance.random() * 1e308, "",
        chr(0xD800) + "заказ\0" * chance.randrange(40),
        chance.choice(["file:///etc/passwd", "file://../../x", "http://[", "untitled:1", "file:///%00", "x"]), -1,
    )[kind]  # fmt: skip


def _params(chance: random.Random, uri: str) -> Any:
    """Return parameters that nearly fit most methods, one value of them replaced now and then."""
    position = {"line": chance.randrange(200), "character": chance.randrange(200)}
    params: dict[str, Any] = {
        "textDocument": {"uri": uri, "languageId": "bsl", "version": chance.randrange(9), "text": "Процедура А()\n"},
        "position": position,
        "context": {"includeDeclaration": True},
        "query": chance.choice(["заказ", "{А(1)}:", "@Док ", '"', "a" * 3_000, "*" * 50, "NEAR(", "'; DROP TABLE"]),
        "contentChanges": [{"range": {"start": position, "end": position}, "text": "ы"}],
        "changes": [{"uri": uri, "type": 2}],
        "event": {"added": [], "removed": []},
        "settings": {}, "command": "x", "id": 1, "token": "t", "value": "off", "form": "Справочник.Х.Форма.У",
    }  # fmt: skip
    if chance.random() < 0.6:
        params[chance.choice(list(params))] = _value(chance)
    if chance.random() < 0.2:
        del params[chance.choice(list(params))]
    return params if chance.random() < 0.9 else _value(chance)


def fuzz(top: Path, index: Path, count: int, seed: int) -> Counter[str]:
    """Send so many messages; return how many answers and clean errors came. Raises AssertionError for what is wrong."""
    chance = random.Random(seed)
    uris = [path.as_uri() for path in sorted(top.rglob("*.bsl"))[:20] + sorted(top.rglob("*.xml"))[:20]]
    stream = _Stream(index, index.with_suffix(".log"))
    found: Counter[str] = Counter()
    try:
        folders = [{"uri": top.as_uri(), "name": "т"}]
        start = {"processId": None, "rootUri": top.as_uri(), "capabilities": {}, "workspaceFolders": folders}
        stream.send({"jsonrpc": "2.0", "id": "start", "method": "initialize", "params": start})
        stream.answer("start")
        stream.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})
        for number in range(count):
            _send_one(stream, chance, number, chance.choice(uris))
            found["sent"] += 1
            if number % 50 == 49 or number == count - 1:
                _check(stream, f"alive {number}", found, str(top))
        found["unanswered"] = len(stream.unanswered)
        stream.send({"jsonrpc": "2.0", "id": "end", "method": "shutdown"})
        stream.answer("end")
        stream.send({"jsonrpc": "2.0", "method": "exit"})
        assert stream.process.wait(EXIT_SECONDS) == 0
    finally:
        stream.close()
    return found


def _send_one(stream: _Stream, chance: random.Random, number: int, uri: str) -> None:
    kind = chance.randrange(20)
    message: Any = {"jsonrpc": "2.0", "id": number, "method": chance.choice(METHODS), "params": _params(chance, uri)}
    if kind == 0:
        del message[chance.choice(list(message))]
    elif kind == 1:
        message[chance.choice(list(message))] = _value(chance)
    elif kind == 2:
        message = _value(chance)
    elif kind == 3:
        body = chance.choice(
            [b"{", b"[" * 20_000, b"\xff\xfe", b'{"jsonrpc": "2.0", "id": 1e999}', chance.randbytes(40)]
        )
        stream.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return
    elif kind == 4:
        message = [message, message]
    elif kind < 9:
        message.pop("id")
    elif not message["method"].startswith(NOTIFICATIONS):
        stream.unanswered.add(number)
    stream.send(message)


def _check(stream: _Stream, number: str, found: Counter[str], top: str) -> None:
    """Ask for what must be answered, and look at all that came before."""
    params = {"query": "сумма словами", "mode": "lexical"}
    stream.send({"jsonrpc": "2.0", "id": number, "method": "bslScout/findLogic", "params": params})
    for message in stream.answer(number):
        error = message.get("error")
        if error:
            assert error["code"] in CODES, error
            told = json.dumps(error, ensure_ascii=False)
            assert "Traceback" not in told and 'File "' not in told and top not in told, told
            found["clean errors"] += 1
        elif "result" in message:
            found["answers"] += 1
    assert "error" not in message, message
