"""Starts the command line, the language server or the index worker; each loads only what it needs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

# the worker steps back for the editor and the server, from its first import on
_WORKER_NICENESS = 10


def main() -> int:
    """Run what the first argument names and return the exit code."""
    if sys.argv[1:2] in (["lsp"], ["worker"]):
        # threads of numpy wait for each other by spinning: they would take the editor's cores for microseconds' work
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:2] == ["lsp"]:
        from bsl_scout.lsp.start import main as serve

        return serve(sys.argv[2:])
    if sys.argv[1:2] == ["worker"]:
        if hasattr(os, "nice"):
            os.nice(_WORKER_NICENESS)
        from bsl_scout.index.worker import main as work

        return work(_adapt)
    from bsl_scout.cli import main as command

    return command()


def _adapt(folder: Path, checkpoint: Callable[[str, int, int], None]) -> dict[str, Any]:
    # a worker that only refreshes needs nothing of search
    from bsl_scout.features.adaptation import adapt_when_due

    return asdict(adapt_when_due(folder, checkpoint))


if __name__ == "__main__":
    sys.exit(main())
