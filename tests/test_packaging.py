"""The wheel carries what the package needs, and the version is written once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from bsl_scout import __version__
from support import REPOSITORY


def test_the_wheel_works_alone(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=REPOSITORY, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
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


def test_one_version() -> None:
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^version = "([^"]+)"', text, re.MULTILINE)[1] == __version__
