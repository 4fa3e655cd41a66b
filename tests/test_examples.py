"""The examples of the documents work as they stand; tests/examples.py tells how they are written."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
from collections import defaultdict
from pathlib import Path

import pytest

import dev
from bsl_scout.arguments import make_parser
from bsl_scout.cli import main
from examples import Block, blocks, commands, difference, printed, without_times
from support import REPOSITORY, copy_demo

DEMO_PATH = "tests/fixtures/demo"
# what a reader puts in the place of: the demo
PLACEHOLDERS = ("КОНФИГУРАЦИЯ", "CONFIGURATION", "ПАПКА", "FOLDER")
PAGES = sorted([*REPOSITORY.glob("README*.md"), *(REPOSITORY / "docs").glob("*.md")])
# those of protocol.md are asked in tests/lsp
WITH_EXAMPLES = [
    page
    for page in PAGES
    if page.name != "protocol.md"
    and any(commands(block) or block.info[:1] in (("json",), ("python",)) for block in blocks(page))
]
# keys of answers that are words of the sources or of the questions
VALUES = {"ru", "exact"}


def keys(answer: object) -> set[str]:
    """Return all keys of an answer."""
    if isinstance(answer, dict):
        return set(answer).union(*map(keys, answer.values()))
    return set().union(*map(keys, answer)) if isinstance(answer, list) else set()


def run(command: str, index: Path) -> str:
    """Run a command in this process; returns what it prints, errors and times among it."""
    words = [DEMO_PATH if word in PLACEHOLDERS else word for word in shlex.split(command, comments=True)]
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        code = main([*words[1:], "--index-dir", str(index)])
    assert code == 0, f"{command}: exit code {code}\n{shown.getvalue()}"
    return shown.getvalue()


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_the_examples_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_demo(tmp_path / DEMO_PATH)
    monkeypatch.chdir(tmp_path)
    last = ""
    # words of inline code outside of the blocks
    named = set(re.findall(r"[\w@]+", " ".join(re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8")))))
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        if len(block.info) == 2 and block.info[1].endswith(".jsonl"):
            Path(block.info[1]).write_text(block.text, encoding="utf-8")
        elif block.info[:1] == ("json",):
            assert block.follows, f"{where}: no command stands right above this answer"
            assert last, f"{where}: the command above has no --json"
            told = difference(json.loads(block.text), json.loads(last), block.partial)
            assert not told, f"{where}: {told}"
            unnamed = keys(json.loads(last)) - named - VALUES
            assert not unnamed, f"{where}: the page does not tell of {unnamed}"
        elif block.info == ("python",):
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                exec(compile(block.text, where, "exec"), {})
            assert shown.getvalue(), f"{where} prints nothing"
        last = ""
        for command in commands(block):
            answer = run(command, tmp_path / "index")
            last = answer if "--json" in command else ""
            if (told := printed(block)) is not None:
                assert without_times(told) == without_times(answer), where


def test_pages_with_examples_are_found() -> None:
    names = {page.name for page in WITH_EXAMPLES}
    assert {"README.md", "README.en.md", "command-line.md", "command-line.en.md", "forms.md", "forms.en.md"} <= names


INLINE = sorted(
    {
        (page.name, command)
        for page in [*PAGES, *(REPOSITORY / "docs" / "adr").glob("*.md")]
        for command in re.findall(r"`(bsl-scout \w+ [^`\n]+)`", page.read_text(encoding="utf-8"))
        if not re.search(r"[\[…]", command) and not command.startswith("bsl-scout lsp")
    }
)


@pytest.mark.parametrize(("page", "command"), INLINE)
def test_commands_in_the_text_have_right_arguments(page: str, command: str) -> None:
    parser = make_parser(defaultdict(lambda: lambda arguments: 0))
    assert parser.parse(shlex.split(command)[1:])


def shape(block: Block) -> tuple[object, ...]:
    """Return what the blocks of two languages share: all but the words of a reader's language."""
    text = block.text
    if not block.info:
        text = re.sub(r"\s*#.*", "", text)
        for word in PLACEHOLDERS:
            text = text.replace(word, "FOLDER")
    return (block.info, text)


@pytest.mark.parametrize("page", [page for page in PAGES if page.name.endswith(".en.md")], ids=lambda page: page.name)
def test_both_languages_have_the_same_structure(page: Path) -> None:
    """Sections, rows of tables and examples of a page and its translation go side by side."""
    other = page.with_name(page.name.replace(".en.md", ".md"))
    english, russian = (path.read_text(encoding="utf-8") for path in (page, other))
    for pattern in (r"^#+ ", r"^\|", r"^(?:- |\d+\. )"):
        assert len(re.findall(pattern, english, re.M)) == len(re.findall(pattern, russian, re.M)), (
            f"{page.name}: {pattern}"
        )
    shapes = [[shape(block) for block in blocks(path) if commands(block) or block.info] for path in (page, other)]
    assert shapes[0] == shapes[1]
    assert f"]({other.name})" in english
    assert f"]({page.name})" in russian


DEV_COMMANDS = sorted(
    {
        (page.name, found.strip())
        for page in [*PAGES, *(REPOSITORY / "docs" / "adr").glob("*.md")]
        for found in re.findall(r"\b(server/\w+\.py[^`|\n#…);:,]*)", page.read_text(encoding="utf-8"))
    }
)


@pytest.mark.parametrize(("page", "command"), DEV_COMMANDS)
def test_the_commands_of_developers_exist(page: str, command: str) -> None:
    """They take minutes to hours, so their scripts, arguments and measurements are looked up, not run."""
    script, *words = shlex.split(command)
    assert (REPOSITORY / script).is_file()
    if script != "server/dev.py" or not words:
        return
    arguments = dev.make_parser().parse_args([word for word in words if not word.startswith("[")])
    rest = getattr(arguments, "rest", [])
    if words[0] in ("bench", "measure") and rest:
        sources = "".join(path.read_text(encoding="utf-8") for path in (REPOSITORY / "server").glob(f"{words[0]}*.py"))
        assert f'"{rest[0]}"' in sources + Path(dev.__file__).read_text(encoding="utf-8")
