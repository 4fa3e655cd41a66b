"""The documents say what the program does."""

from __future__ import annotations

import re

from bsl_scout.configuration.model import MetadataField, MetadataObject
from bsl_scout.output import object_json
from support import REPOSITORY, run_cli

COMMANDS = ("index", "search", "symbols", "objects", "forms", "form", "procedure", "eval", "train")


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


def test_the_fields_of_objects_are_the_documented_ones() -> None:
    text = (REPOSITORY / "docs" / "command-line.md").read_text(encoding="utf-8")
    part = text.partition("## bsl-scout objects")[2].partition("\n## ")[0]
    rows = [row.split(" | ") for row in part.split("\n") if row.startswith("| `")]
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row[0])}
    inner = {name for row in rows if row[0] == "| `fields`" for name in re.findall(r"`(\w+)`", row[1])} | {"text"}
    full = MetadataField("А", "form", comment="к", handler="О", path="Т.xml", text="т")
    shown = object_json(MetadataObject("Report", "О", "Report.О", "О.xml", ".", fields=(full,), text="т"), whole=True)
    assert set(shown) == documented
    assert set(shown["fields"][0]) == inner
