"""What stands in a workspace is data: no path leads out of it, no name is a pattern or a statement, nothing is sent."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.safe_json import JsonError, read_json
from bsl_scout.features.symbols import find_symbols
from bsl_scout.forms import build_form_context, scan_forms
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import refresh
from bsl_scout.index.place import index_folder
from bsl_scout.lsp.convert import path_of
from bsl_scout.lsp.folder import Folder
from bsl_scout.retrieval.search import Searcher
from support import DEMO, PACKAGE, REPOSITORY, Write, copy_demo, index_state

SECRET = "Процедура Тайна()\n\tСекретныйКлюч = 1;\nКонецПроцедуры\n"
MODULE = "Процедура {}() Экспорт\nКонецПроцедуры\n"
posix = pytest.mark.skipif(sys.platform == "win32", reason="links and names that Windows does not let anyone make")
HOSTILE = (
    "a'b",
    'a"b',
    "a*b",
    "a[x]b",
    "a?b",
    "a%b",
    "a_b",
    "a;b",
    "a--b",
    "a)b",
    "a\\b",
    "${x}",
    "`x`",
    "a b",
    "a#b",
    "-x",
)


@posix
def test_links_do_not_lead_out_of_the_sources(write: Write, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.bsl").write_text(SECRET, encoding="utf-8")
    top = write({"a.bsl": MODULE.format("Своя"), "own/b.bsl": MODULE.format("Иная")})
    (top / "link.bsl").symlink_to(outside / "secret.bsl")
    (top / "folder").symlink_to(outside)
    (top / "inside.bsl").symlink_to(top / "own" / "b.bsl")
    report = refresh(top, tmp_path / "index")
    assert [(one.path, one.message) for one in report.problems] == [("link.bsl", "not read: a link that leads outside")]
    assert report.files == 3
    before = index_state(tmp_path / "index")
    # as events of an editor name them
    events = ["link.bsl", "folder", "folder/secret.bsl", "../outside/secret.bsl", "own/../../outside/secret.bsl"]
    for path in events:
        refresh(top, tmp_path / "index", paths=[path])
        after = index_state(tmp_path / "index")
        assert (after["files"], after["chunks"]) == (before["files"], before["chunks"])
    searcher = Searcher(tmp_path / "index")
    assert not searcher.search("секретный ключ").hits
    searcher.close()


@posix
def test_a_form_takes_no_module_from_outside(tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    (tmp_path / "secret.bsl").write_text(SECRET, encoding="utf-8")
    entry = next(one for one in scan_forms(top).forms if one.has_bsl)
    module = top / entry.form_path / "Ext" / "Form" / "Module.bsl"
    assert module.is_file()
    module.unlink()
    module.symlink_to(tmp_path / "secret.bsl")
    shown = str(build_form_context(entry, top))
    assert "СекретныйКлюч" not in shown
    assert "link that leads outside" in shown


@pytest.mark.parametrize(
    "uri",
    [
        "file:///w/top/../outside.bsl", "file:///w/top/%2e%2e/outside.bsl", "file:///w/topper/a.bsl", "file:///etc/passwd",
        "file://host/w/top/a.bsl", "file://///host/share/a.bsl", "file:///w/top/a%00.bsl", "untitled:a", "file:", "",
    ],
)  # fmt: skip
def test_no_request_leads_out_of_the_folder(uri: str) -> None:
    folder = Folder(Path("/w/top"), Path("/w/index"))
    path = path_of(uri)
    assert path is None or folder.relative(path) is None


@posix
def test_names_are_neither_patterns_nor_statements(write: Write, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"{name}/m.bsl": MODULE.format(f"П{i}") for i, name in enumerate(HOSTILE)}
    # what a pattern of one of the names would take along
    others = {f"{name}/m.bsl": MODULE.format(f"Д{i}") for i, name in enumerate(("axb", "ab", "aXXb", "axxb"))}
    top = write({**files, **others})
    assert refresh(top, tmp_path / "index").files == len(files) + len(others)
    for number, name in enumerate(HOSTILE):
        catalog = Catalog(tmp_path / "index")
        assert list(catalog.files_at([name])) == [f"{name}/m.bsl"]
        assert [row.path for row in catalog.procedures(f"{name}/m.bsl")] == [f"{name}/m.bsl"]
        catalog.close()
        write({f"{name}/m.bsl": MODULE.format(f"Н{number}")})
        changes = refresh(top, tmp_path / "index", paths=[name]).changes
        assert (changes.added, changes.removed) == (1, 1)
        shutil.rmtree(top / name)
        changes = refresh(top, tmp_path / "index", paths=[name]).changes
        assert (changes.added, changes.removed) == (0, 1)
    refresh(top, tmp_path / "fresh")
    assert index_state(tmp_path / "index") == index_state(tmp_path / "fresh")


@pytest.mark.parametrize(
    "query", [*HOSTILE, "' OR 1=1 --", "(((((", "[а-", "*", "NEAR(a b)", "\0", "a\ud800b", "@*", "{(1)}"]
)
def test_no_query_is_a_pattern_or_a_statement(searcher: Searcher, query: str) -> None:
    before = searcher.catalog.counts()
    searcher.search(query, mode="hybrid")
    find_symbols(searcher.catalog, query, limit=5)
    assert searcher.catalog.counts() == before


def test_deep_json_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "Configuration.json"
    path.write_text('{"a":' + "[" * 100_000 + "]" * 100_000 + "}", encoding="utf-8")
    with pytest.raises(JsonError):
        read_json(path)
    assert [problem.path for problem in walk(tmp_path).problems] == ["Configuration.json"]


# --- no network

COMMANDS = (
    ("index",),
    ("search", "сумма словами"),
    ("symbols", "Сумма"),
    ("form", "Справочник.Номенклатура.Форма.ФормаСписка"),
)
REFUSING = """
import socket, sys
def refuse(*arguments, **options):
    raise AssertionError("a socket was opened")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
import _socket
_socket.socket = refuse
from bsl_scout.cli import main
sys.exit(main())
"""


def run_all(before: list[str], index: Path) -> None:
    for name, *rest in COMMANDS:
        done = subprocess.run(
            [*before, name, str(DEMO), *rest, "--index-dir", str(index)],
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip()
    assert (index_folder(DEMO, index) / "catalog.sqlite").is_file()


def test_no_socket_is_opened(tmp_path: Path) -> None:
    run_all([sys.executable, "-c", REFUSING], tmp_path / "index")


def test_it_works_without_any_network(tmp_path: Path) -> None:
    words = next(
        (
            words
            for words in (["unshare", "-n"], ["unshare", "-rn"])
            if shutil.which("unshare") and not subprocess.run([*words, "true"], capture_output=True).returncode
        ),
        None,
    )
    if words is None:
        pytest.skip("this system gives no network namespace to us; the test that refuses sockets runs")
    inside = [*words, sys.executable]
    alone = subprocess.run(
        [*inside, "-c", "import socket; socket.create_connection(('127.0.0.1', 1), 1)"], capture_output=True
    )
    assert b"Network is unreachable" in alone.stderr
    run_all([*inside, "-m", "bsl_scout.cli"], tmp_path / "index")


def test_settings_that_start_programs_are_the_machines() -> None:
    package = json.loads((REPOSITORY / "extension" / "package.json").read_text(encoding="utf-8"))
    sections = package["contributes"]["configuration"]
    settings = {
        k: v for one in (sections if isinstance(sections, list) else [sections]) for k, v in one["properties"].items()
    }
    starting = ("python", "pip", "wheel", "executable", "command", "interpreter")
    programs = {name for name in settings if any(word in name.lower() for word in starting)}
    machine = {name for name, setting in settings.items() if setting.get("scope", "").startswith("machine")}
    assert "bslScout.pythonPath" in programs
    assert programs <= machine
    untrusted = package["capabilities"]["untrustedWorkspaces"]
    assert machine <= set(untrusted["restrictedConfigurations"])
    assert untrusted["supported"] in (False, "limited")


def test_nothing_of_the_sources_is_run() -> None:
    """The package evaluates no text and starts no shell; the one program that it starts is Python with its worker."""
    started = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                assert name not in ("eval", "exec", "os.system", "os.popen", "pickle.load", "pickle.loads"), path
                assert not any(word.arg == "shell" for word in node.keywords), path
                if "subprocess" in name and not name.endswith("getattr"):
                    started.add((path.name, name))
    assert started == {("worker_client.py", "asyncio.create_subprocess_exec")}
