"""What is told of a package that is not installed: who manages the environment knows how it gets there."""

from __future__ import annotations

import os

# set by the editor extension for the environment that it makes: the title of its command that installs components
INSTALL_COMMAND = "BSL_SCOUT_INSTALL_COMMAND"


def not_installed(module: str, extra: str) -> str:
    """Return that a module is not installed, and how the extra that brings it is."""
    command = os.environ.get(INSTALL_COMMAND)
    if command:
        return f"{module} is not installed: VS Code, «{command}»"
    return f"{module} is not installed: pip install 'bsl-scout[{extra}]'"
