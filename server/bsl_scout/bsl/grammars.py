"""Where the grammar files (queries, corpus, language configuration) are on this machine."""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["grammar_file"]

_PACKAGE_ROOT = Path(__file__).resolve().parent.parent


@cache
def _grammar_root() -> Path:
    """The `bsl` grammar folder: inside an installed wheel or beside the server of a checkout."""
    installed = _PACKAGE_ROOT / "grammars" / "bsl"
    checkout = _PACKAGE_ROOT.parent.parent / "grammars" / "bsl"
    return installed if installed.is_dir() or not checkout.is_dir() else checkout


def grammar_file(relative: str) -> Path:
    """The path of a file under `grammars/bsl`, given with forward slashes; it may not exist."""
    return _grammar_root().joinpath(*relative.split("/"))
