"""The wheel carries what the package needs, and the version is written once."""

from __future__ import annotations

import io
import json
import os
import re
import struct
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import dev_editor
from bsl_scout import __version__
from support import DEMO, REPOSITORY

EXTENSION = REPOSITORY / "extension"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=REPOSITORY, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


def test_the_wheel_works_alone(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "unpacked")
    for path in (REPOSITORY / "grammars" / "bsl" / "queries").glob("*.scm"):
        assert f"bsl_scout/grammars/bsl/queries/{path.name}" in names
    model = REPOSITORY / "server" / "bsl_scout" / "encoding" / "bsl_model"
    files = [path for path in model.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"NOTICE.md", "modules.json", "model.safetensors", "tokenizer.json"}
    assert all(f"bsl_scout/{path.relative_to(model.parent.parent).as_posix()}" in names for path in files)
    assert sum(path.stat().st_size for path in files) < 5_000_000
    code = (
        "import bsl_scout; from bsl_scout.bsl.parser import analyse; "
        "print(bsl_scout.__file__); print(analyse('Процедура А()\\nБ();\\nКонецПроцедуры').calls[0].name); "
        "from bsl_scout.encoding.model import load_model; print(load_model().query('сумма прописью').shape)"
    )
    # an absolute path first in the search path hides the checkout
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "unpacked"), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True, encoding="utf-8"
    )
    place, name, shape = done.stdout.split("\n")[:3]
    assert Path(place).is_relative_to(tmp_path)
    assert name == "Б"
    assert shape == "(128,)"


def test_the_installed_wheel_has_the_command(wheel: Path, tmp_path: Path) -> None:
    """The command works in an environment of its own; that the declared dependencies suffice is tested end to end."""
    venv = tmp_path / "окружение 1"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    names = {"base": str(venv), "platbase": str(venv)}
    site = Path(sysconfig.get_path("purelib", "venv", vars=names))
    command = Path(sysconfig.get_path("scripts", "venv", vars=names)) / (
        "bsl-scout.exe" if os.name == "nt" else "bsl-scout"
    )
    python = command.with_name(Path(sys.executable).name)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    dependencies = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    (site / "dependencies.pth").write_text("\n".join(dependencies), encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*arguments: object) -> str:
        command_line = [str(command), *map(str, arguments)]
        return subprocess.run(
            command_line, cwd=tmp_path, env=environment, check=True, capture_output=True, encoding="utf-8"
        ).stdout

    assert "search" in run("--help")
    found = json.loads(run("search", DEMO, "сумма прописью", "--json", "--index-dir", tmp_path / "индекс"))
    assert found["legs"] == ["lexical", "vector"]
    assert found["hits"][0]["symbol"] == "СуммаСловами"
    code = "import bsl_scout; print(bsl_scout.__file__)"
    where = subprocess.run([str(python), "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert Path(os.fsdecode(where.stdout.strip())).is_relative_to(venv)


def vsix_with(folder: Path, changes: dict[str, bytes | None]) -> Path:
    """Write what a good vsix has, with some parts changed or, with None, left out."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("bsl_scout/encoding/bsl_model/0_StaticEmbedding/model.safetensors", b"")
    parts: dict[str, bytes | None] = {
        "extension/package.json": b'{"version": "1.2.3"}',
        "extension/dist/server/bsl_scout-1.2.3-py3-none-any.whl": inner.getvalue(),
        **dict.fromkeys(("extension/readme.md", "extension/changelog.md", "extension/LICENSE.txt"), b"x"),
        "extension/media/icon.png": b"x",
        **changes,
    }
    path = folder / "x.vsix"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            if data is not None:
                archive.writestr(name, data)
    return path


EMPTY_ZIP = b"PK\x05\x06" + bytes(18)
WHEEL = "extension/dist/server/bsl_scout-1.2.3-py3-none-any.whl"


@pytest.mark.parametrize(
    ("changes", "problems"),
    [
        ({}, []),
        ({WHEEL: None}, [f"the vsix lacks {WHEEL}"]),
        ({WHEEL: EMPTY_ZIP}, ["the wheel lacks the model"]),
        ({"extension/media/icon.png": None}, ["the vsix lacks extension/media/icon.png"]),
        ({"extension/dist/server/bsl_scout-1.2.2.whl": b"x"}, ["has another wheel"]),
        ({"extension/more": bytes(10_000_000)}, ["10,000,000 are too many"]),
    ],
)
def test_a_vsix_is_looked_at(tmp_path: Path, changes: dict[str, bytes | None], problems: list[str]) -> None:
    found = dev_editor.vsix_problems(vsix_with(tmp_path, changes))
    assert len(found) == len(problems)
    assert all(expected in told for expected, told in zip(problems, found, strict=True))


def test_pictures_are_left_out_of_the_readme() -> None:
    text = "# A\n\n![one](media/a.png)\n\ntext ![inline](b.png)\n![two](c.png)\n"
    assert dev_editor.without_pictures(text) == "# A\n\ntext ![inline](b.png)\n"


def test_the_metadata_of_the_marketplaces() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    head = (EXTENSION / manifest["icon"]).read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", head[16:])
    assert width == height >= 128
    assert manifest["license"] == "MIT"
    assert (EXTENSION / "LICENSE").read_text(encoding="utf-8") == (REPOSITORY / "LICENSE").read_text(encoding="utf-8")
    assert set(manifest["galleryBanner"]) == {"color", "theme"}
    assert manifest["categories"]
    assert len(manifest["keywords"]) <= 30  # what the Marketplace takes
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", (EXTENSION / "README.md").read_text(encoding="utf-8"))
    assert len(pictures) >= 2
    assert all((EXTENSION / picture).is_file() for picture in pictures)


def test_what_the_extension_checks_a_new_environment_with_runs() -> None:
    text = (EXTENSION / "src" / "install.ts").read_text(encoding="utf-8")
    code = re.search(r"^const CHECK = '([^']+)';", text, re.M)
    assert code
    loaded = "; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code[1] + loaded], check=True, capture_output=True, text=True)
    modules = set(done.stdout.split())
    assert modules >= {"lxml.etree", "numpy", "pygls", "rank_bm25", "Stemmer", "tokenizers", "tree_sitter_bsl"}


def test_every_extra_has_its_price_in_the_extension() -> None:
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    extras = re.findall(
        r"^([\w-]+) = \[", text.partition("[project.optional-dependencies]")[2].partition("\n[")[0], re.M
    )
    priced = re.findall(r"^  (\w+): \{", (EXTENSION / "src" / "components.ts").read_text(encoding="utf-8"), re.M)
    assert "dev" in extras
    assert set(extras) - {"dev"} <= set(priced)


def test_one_version() -> None:
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^version = "([^"]+)"', text, re.MULTILINE)[1] == __version__
