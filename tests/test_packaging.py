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
    code = (
        "import bsl_scout; from bsl_scout.bsl.parser import analyse; "
        "print(bsl_scout.__file__); print(analyse('Процедура А()\\nБ();\\nКонецПроцедуры').calls[0].name)"
    )
    # an absolute path first in the search path hides the checkout
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "unpacked"), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True, encoding="utf-8"
    )
    place, name = done.stdout.split("\n")[:2]
    assert Path(place).is_relative_to(tmp_path)
    assert name == "Б"


def test_one_version() -> None:
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^version = "([^"]+)"', text, re.MULTILINE)[1] == __version__
