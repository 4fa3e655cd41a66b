"""The documents say what the program does."""

from __future__ import annotations

import re

from support import REPOSITORY, run_cli

COMMANDS = ("index", "search", "symbols", "objects", "forms", "form", "eval", "train")


def test_every_option_is_documented() -> None:
    text = (REPOSITORY / "docs" / "command-line.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"bsl-scout {command}" in text
        for option in set(re.findall(r"--[a-z][a-z-]+", run_cli(command, "--help").stdout)) - {"--help"}:
            assert f"`{option}" in text, f"{option} of {command} is not documented"


def test_every_documented_option_exists() -> None:
    text = (REPOSITORY / "docs" / "command-line.md").read_text(encoding="utf-8")
    helps = run_cli("--help").stdout + "".join(run_cli(command, "--help").stdout for command in COMMANDS)
    for option in set(re.findall(r"`(--[a-z][a-z-]+)", text)):
        assert option in helps, f"{option} does not exist"


def test_links_between_documents_lead_somewhere() -> None:
    for path in [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"
