"""Starts the command line, the language server or the index worker; each loads only what it needs."""

from __future__ import annotations

import sys


def main() -> int:
    """Run what the first argument names and return the exit code."""
    if sys.argv[1:2] == ["lsp"]:
        from bsl_scout.lsp.start import main as serve

        return serve(sys.argv[2:])
    if sys.argv[1:2] == ["worker"]:
        from bsl_scout.index.worker import main as work

        return work()
    from bsl_scout.cli import main as command

    return command()


if __name__ == "__main__":
    sys.exit(main())
