"""The package and the developer's commands run on Windows: nothing that only POSIX has, no encoding left to chance."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support import PACKAGE, REPOSITORY

MODULES = "fcntl grp pwd pty resource syslog termios tty"
OS = """chown chroot fchmod fork forkpty getegid geteuid getgid getloadavg getpgid getuid killpg mkfifo nice setpgid
setsid setuid uname wait waitpid O_NOFOLLOW"""
SIGNAL = "SIGALRM SIGHUP SIGKILL SIGQUIT SIGUSR1 SIGUSR2 alarm pause setitimer"
POSIX_MODULES = frozenset(MODULES.split())
POSIX_CALLS = frozenset({f"os.{name}" for name in OS.split()} | {f"signal.{name}" for name in SIGNAL.split()})
POSIX_METHODS = frozenset({"add_signal_handler"})
POSIX_ARGUMENTS = frozenset({"preexec_fn", "start_new_session", "pass_fds"})
GUARDS = ("os.name", "sys.platform", "hasattr(")
TEXT_CALLS = frozenset({"open", "read_text", "write_text", "NamedTemporaryFile", "TemporaryFile"})


def unportable(tree: ast.AST, guarded: bool = False) -> Iterator[tuple[int, str]]:
    """Yield line and name of what Windows lacks, unless a condition around it asks for the system first."""
    for node in ast.iter_child_nodes(tree):
        yield from unportable(node, guarded or _asks(tree))
        if guarded or _asks(tree):
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name in POSIX_MODULES)
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names} & POSIX_CALLS
            yield from ((node.lineno, name) for name in {node.module or ""} & POSIX_MODULES | names)
        elif isinstance(node, ast.Attribute):
            if ast.unparse(node) in POSIX_CALLS or node.attr in POSIX_METHODS:
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.keyword) and node.arg in POSIX_ARGUMENTS:
            yield node.value.lineno, str(node.arg)


def without_encoding(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and name of calls that read or write text in the encoding of the system."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        arguments = ast.unparse(node)
        binary = any(mode in arguments for mode in ("'rb'", "'wb'", "'ab'", "'xb'", "'r+b'", "'w+b'"))
        plain = isinstance(node.func, ast.Name) or name.endswith("_text")
        if name in TEXT_CALLS and plain and "encoding=" not in arguments and not binary:
            yield node.lineno, name


def _asks(node: ast.AST) -> bool:
    if isinstance(node, ast.BoolOp):
        return any(guard in ast.unparse(value) for value in node.values for guard in GUARDS)
    return isinstance(node, (ast.If, ast.IfExp)) and any(guard in ast.unparse(node.test) for guard in GUARDS)


def sources() -> list[Path]:
    return [*sorted(PACKAGE.rglob("*.py")), REPOSITORY / "server" / "dev.py", REPOSITORY / "server" / "dev_editor.py"]


@pytest.mark.parametrize("rule", [unportable, without_encoding])
def test_the_sources_run_on_windows(rule: Callable[[ast.AST], Iterator[tuple[int, str]]]) -> None:
    found = []
    for path in sources():
        for line, name in rule(ast.parse(path.read_text(encoding="utf-8"))):
            found.append(f"{path.relative_to(REPOSITORY).as_posix()}:{line}: {name}")
    assert len(sources()) > 100
    assert not found


def test_the_rules_find_what_they_are_for() -> None:
    text = """
    import fcntl
    from os import geteuid
    import os, signal, subprocess
    os.kill(1, signal.SIGKILL)
    if hasattr(os, "nice"):
        os.nice(5)
    root = os.name == "posix" and os.geteuid() == 0
    loop.add_signal_handler(signal.SIGTERM, stop)
    subprocess.Popen(["x"], start_new_session=True)
    """
    found = [name for _, name in unportable(ast.parse(textwrap.dedent(text)))]
    assert sorted(found) == ["fcntl", "loop.add_signal_handler", "os.geteuid", "signal.SIGKILL", "start_new_session"]
    text = "open('a')\nopen('a', 'rb')\np.read_text()\np.write_text('x', encoding='utf-8')\nzipped.open('a')\n"
    assert [name for _, name in without_encoding(ast.parse(text))] == ["open", "read_text"]
