"""The documents say what the program does."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import re
from pathlib import Path

import pytest

from bsl_scout.cli import main
from bsl_scout.configuration.model import MetadataField, MetadataObject
from bsl_scout.output import object_json
from support import PACKAGE, REPOSITORY

COMMANDS = ("index", "search", "symbols", "objects", "forms", "form", "procedure", "eval", "train")
LANGUAGES = ("command-line.md", "command-line.en.md")
PAGES = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")])


@functools.cache
def shown_help(*command: str) -> str:
    """Return what `--help` prints."""
    with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.suppress(SystemExit):
        main([*command, "--help"])
    return shown.getvalue()


@pytest.mark.parametrize("name", LANGUAGES)
def test_options_are_the_documented_ones(name: str) -> None:
    text = (REPOSITORY / "docs" / name).read_text(encoding="utf-8")
    helps = {command: shown_help(command) for command in COMMANDS}
    for command, shown in helps.items():
        assert f"bsl-scout {command}" in text
        for option in set(re.findall(r"--[a-z][a-z-]+", shown)) - {"--help"}:
            assert f"`{option}" in text, f"{option} of {command} is not documented"
    for option in set(re.findall(r"`(--[a-z][a-z-]+)", text)):
        assert any(option in shown for shown in (*helps.values(), shown_help())), f"{option} does not exist"


def anchors(path: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", path.read_text(encoding="utf-8")):
        to = path.parent / target if target else path
        assert to.exists(), target
        assert not anchor or anchor in anchors(to), f"{target}#{anchor}"


def in_english(path: Path) -> Path:
    """Return the English page of a pair, whichever of the two is given."""
    return path.with_name(path.name.removesuffix(".md").removesuffix(".en") + ".en.md")


@pytest.mark.parametrize("path", [path for path in PAGES if in_english(path).exists()], ids=lambda path: path.name)
def test_links_stay_in_the_language(path: Path) -> None:
    """The first link of a page leads to the same page in the other language, the others to pages of its own."""
    links = re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    other, *targets = ((path.parent / link).resolve() for link in links)
    assert in_english(other) == in_english(path) and other != path
    for target in targets:
        if in_english(target).exists():
            assert (target == in_english(target)) == (path == in_english(path)), target


def test_named_settings_and_commands_exist() -> None:
    extension = REPOSITORY / "extension"
    manifest = json.loads((extension / "package.json").read_text(encoding="utf-8"))
    settings = {name for group in manifest["contributes"]["configuration"] for name in group["properties"]}
    settings |= {name.rpartition(".")[0] for name in settings} | {"bslScout"}
    titles = ""
    for name in ("package.nls.json", "package.nls.ru.json"):
        texts = json.loads((extension / name).read_text(encoding="utf-8"))
        titles += "".join(f"{text}\n" for key, text in texts.items() if key.startswith("command."))
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for setting in re.findall(r"`(bslScout(?:\.\w+)*)[`.]", text):
            assert setting in settings, f"{path.name}: {setting}"
        for title in re.findall(r"[`*]BSL Scout: ([^`*]+)[`*]", text):
            assert f"{' '.join(title.split())}\n" in titles, f"{path.name}: {title}"
        for command in re.findall(r"`bsl-scout (\w+)", text):
            assert command in {*COMMANDS, "lsp", "COMMAND", "КОМАНДА"}, f"{path.name}: {command}"


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_fields_of_objects_are_the_documented_ones(name: str) -> None:
    text = (REPOSITORY / "docs" / name).read_text(encoding="utf-8")
    part = text.partition("## bsl-scout objects")[2].partition("\n## ")[0]
    rows = [row.split(" | ") for row in part.split("\n") if row.startswith("| `")]
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row[0])}
    inner = {name for row in rows if row[0] == "| `fields`" for name in re.findall(r"`(\w+)`", row[1])} | {"text"}
    full = MetadataField("А", "form", comment="к", handler="О", path="Т.xml", text="т")
    shown = object_json(MetadataObject("Report", "О", "Report.О", "О.xml", ".", fields=(full,), text="т"), whole=True)
    assert set(shown) == documented
    assert set(shown["fields"][0]) == inner


def test_named_modules_and_tests_exist() -> None:
    """The tables of architecture.md name modules without their ending, all pages tests with theirs."""
    architecture = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    for row in re.findall(r"^\| (`[a-z]+/[^|]*) \|", architecture, re.MULTILINE):
        for module in re.findall(r"`(\w+/\w+)`", row):
            assert (PACKAGE / f"{module}.py").is_file(), module
    for path in PAGES:
        for test in re.findall(r"`(tests/[\w/.]+)`", path.read_text(encoding="utf-8")):
            assert (REPOSITORY / test).exists(), f"{path.name}: {test}"


@pytest.mark.parametrize("language", ["", ".en"])
def test_how_long_the_model_learns_is_told_alike(language: str) -> None:
    told = re.search(r"(\d+) s per ([\d,]+) procedures", " ".join(shown_help("index").split()))
    assert told is not None
    row = next(
        line
        for line in (REPOSITORY / "docs" / f"command-line{language}.md").read_text(encoding="utf-8").split("\n")
        if line.startswith("| `--adapt`")
    )
    seconds, procedures = told[1], told[2] if language else told[2].replace(",", " ")
    assert re.search(rf"{seconds} (?:секунд|seconds)", row) and f"{procedures} " in row


@pytest.mark.parametrize("language", ["", ".en"])
def test_the_pages_about_search_and_readme_tell_the_same_recall(language: str) -> None:
    readme = (REPOSITORY / f"README{language}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:BSL Scout|rank_bm25)[^|]*\|[^|]*\| \.(\d\d)(\d) \|", readme, re.MULTILINE)
    assert len(rows) == 3
    page = (REPOSITORY / "docs" / f"search{language}.md").read_text(encoding="utf-8")
    for whole, tenth in rows:
        assert f"{whole}{'.' if language else ','}{tenth} %" in page
