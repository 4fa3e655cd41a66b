"""The start of the server: what attrs compiles is kept, and what was kept wrongly does no harm."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import builtins, sys
from pathlib import Path
from bsl_scout.lsp.start import compiled_once
import attr._make
with compiled_once(Path(sys.argv[1])):
    calls = 0
    def counted(*arguments, real=builtins.compile, **options):
        global calls
        calls += arguments[1].startswith("<attrs generated")
        return real(*arguments, **options)
    builtins.compile = counted
    from lsprotocol import types
assert "compile" not in vars(attr._make)
position = types.Position(line=1, character=2)
assert position == types.Position(1, 2) and position < types.Position(1, 3), position
print(calls, repr(position))
"""


def compiled(kept: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-c", CODE, str(kept)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    calls, _, shown = done.stdout.partition(" ")
    return int(calls), shown


@pytest.mark.parametrize("damage", ["", "cut", "empty", "other"])
def test_methods_are_compiled_once_and_a_damaged_file_is_made_anew(tmp_path: Path, damage: str) -> None:
    kept = tmp_path / "below" / "kept.bin"
    first, shown = compiled(kept)
    assert first > 500
    whole = kept.read_bytes()
    if damage:
        kept.write_bytes(
            {"cut": whole[: len(whole) // 2], "empty": b"", "other": whole[:200] + b"?" + whole[201:]}[damage]
        )
    again, same = compiled(kept)
    assert same == shown
    assert again == (first if damage else 0)
    assert compiled(kept) == (0, shown)


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert compiled(tmp_path / "file" / "kept.bin")[0] > 500


def test_what_is_kept_does_not_grow_with_each_start(tmp_path: Path) -> None:
    kept = tmp_path / "kept.bin"
    compiled(kept)
    first = kept.stat()
    code = CODE.replace("from lsprotocol import types", "import bsl_scout.lsp.protocol; from lsprotocol import types")
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code, str(kept)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert (kept.stat().st_size, kept.stat().st_mtime_ns) == (first.st_size, first.st_mtime_ns)
