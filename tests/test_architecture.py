"""The rules of the layout: which package may import which, and where each library lives."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from support import PACKAGE, REPOSITORY

# a package may import itself and everything that stands behind it here
MAY_IMPORT = {
    "__main__": {"cli", "lsp", "features", "index"},
    "cli": {"features", "retrieval", "forms", "index", "encoding", "configuration", "bsl"},
    "lsp": {"features", "retrieval", "forms", "index", "encoding", "configuration", "bsl"},
    "features": {"retrieval", "forms", "index", "encoding", "configuration", "bsl"},
    "retrieval": {"index", "encoding", "forms", "configuration", "bsl"},
    "index": {"encoding", "forms", "configuration", "bsl"},
    "forms": {"configuration", "bsl"},
    "encoding": {"bsl"},
    "configuration": {"bsl"},
    "bsl": set(),
}
# the command line is some modules at the top of the package
TOP_MODULES = {
    "cli": "cli",
    "arguments": "cli",
    "index_output": "cli",
    "output": "cli",
    "procedure_output": "cli",
    "form_output": "cli",
    "named_places": "cli",
    "source_commands": "cli",
    "__init__": "bsl",
    "__main__": "__main__",
}

HOMES = {
    "tree_sitter": {"bsl/parser.py"},
    "tree_sitter_bsl": {"bsl/parser.py"},
    "Stemmer": {"bsl/names.py"},
    "rank_bm25": {"index/lexical.py"},
    "sqlite3": {"index/catalog_file.py"},
    "filelock": {"index/writer_lock.py", "index/chroma_folder.py"},
    "lxml": {"configuration/", "forms/"},
    "platformdirs": {"cli.py", "lsp/start.py"},
    "attrs": {"lsp/"},
    "attr": {"lsp/start.py"},
    "rich": {"output.py"},
    "chromadb": {"index/chroma.py"},
    "sentence_transformers": {"encoding/"},
    "tokenizers": {"encoding/"},
    "huggingface_hub": {"encoding/"},
    "transformers": {"encoding/"},
    "torch": {"encoding/"},
    "pygls": {"lsp/"},
    "lsprotocol": {"lsp/"},
}
EVERYWHERE = {"numpy", "bsl_scout"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Return the full names of all modules that a module imports, at the top or later."""
    found: set[str] = set()
    folder = ["bsl_scout", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = folder[: len(folder) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            found.update(
                {name, *(f"{name}.{alias.name}" for alias in node.names)}
                if node.level or name == "bsl_scout"
                else {name}
            )
    return found


def layer(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else TOP_MODULES[path.stem]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    own = layer(path)
    for name in imports(path):
        parts = name.split(".")
        if parts[0] != "bsl_scout" or len(parts) < 2 or parts[1].startswith("__"):
            continue
        target = parts[1] if parts[1] in MAY_IMPORT else TOP_MODULES.get(parts[1])
        assert target is not None, f"{name} is in no known layer"
        assert target == own or target in MAY_IMPORT[own], f"{own} must not import {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_each_library_has_one_home(path: Path) -> None:
    relative = path.relative_to(PACKAGE).as_posix()
    for name in imports(path):
        library = name.split(".")[0]
        if library in EVERYWHERE or (library in sys.stdlib_module_names and library not in HOMES):
            continue
        assert library in HOMES, f"{library} has no home: add it to HOMES"
        assert any(relative.startswith(home) for home in HOMES[library]), f"{library} in {relative}"


def test_the_checks_see_a_wrong_import(tmp_path: Path) -> None:
    module = PACKAGE / "bsl" / "names.py"
    assert "bsl_scout.bsl.text" in imports(module)
    assert "Stemmer" in imports(module)
    assert layer(PACKAGE / "index" / "catalog.py") == "index"


def test_files_stay_short() -> None:
    folders = [PACKAGE, REPOSITORY / "tests", REPOSITORY / "server"]
    files = {path for folder in folders for path in folder.rglob("*.py")}
    long = {str(p.relative_to(REPOSITORY)) for p in files if len(p.read_text(encoding="utf-8").splitlines()) > 420}
    assert not long
