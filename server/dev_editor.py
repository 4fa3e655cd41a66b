"""The editor side of dev.py: Node packages, the vsix, and a real VS Code to test and to try it in."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
EXTENSION = REPOSITORY / "extension"
DIST = EXTENSION / "dist"
VSIX = DIST / "bsl-scout.vsix"
MOST_BYTES = 10_000_000
ARTIFACTS = REPOSITORY / ".artifacts"
# what a real VS Code in a browser needs of Debian: command -> package
DEBIAN = {"chromium": "chromium", "rg": "ripgrep", "g++": "g++", "make": "make"}
FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


def npm(*arguments: str) -> None:
    """Run npm in the extension's folder; a failure ends the program."""
    # on Windows npm is a script that only a found path starts
    command = [shutil.which("npm") or "npm", *arguments]
    code = subprocess.run(command, cwd=EXTENSION).returncode
    if code:
        sys.exit(code)


def set_up_node() -> None:
    """Install the extension's packages when they changed; ends the program without Node 20 or newer."""
    node = shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout if node else ""
    major = re.match(r"v(\d+)", version)
    if not major or int(major[1]) < 20:
        print(f"Node.js 20 or newer is needed for the extension, found: {version.strip() or 'none'}", file=sys.stderr)
        sys.exit(2)
    stamp = EXTENSION / "node_modules" / ".bsl-scout"
    wanted = hashlib.sha256((EXTENSION / "package-lock.json").read_bytes()).hexdigest()
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        npm("ci", "--no-audit", "--no-fund", "--ignore-scripts")
        stamp.write_text(wanted, encoding="utf-8")


def package(python: Path, images: str | None = None) -> None:
    """Build the wheel and the vsix that carries it; ends the program when the vsix is not as it has to be.

    `images` is the address below which the pictures of the extension's README are published; without it the README
    in the vsix has none, because neither VS Code nor a marketplace shows pictures out of a vsix.
    """
    set_up_node()
    wheels = DIST / "server"
    shutil.rmtree(wheels, ignore_errors=True)
    wheels.mkdir(parents=True)
    build = [str(python), "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)]
    if subprocess.run(build, cwd=REPOSITORY, stdout=subprocess.DEVNULL).returncode:
        sys.exit("the wheel was not built")
    text = (EXTENSION / "README.md").read_text(encoding="utf-8")
    (DIST / "README.md").write_text(text if images else without_pictures(text), encoding="utf-8")
    shutil.copyfile(REPOSITORY / "CHANGELOG.md", DIST / "CHANGELOG.md")
    addresses = ["--baseImagesUrl", images, "--baseContentUrl", images] if images else []
    npm("run", "--silent", "package", "--", *addresses)
    problems = vsix_problems(VSIX)
    if problems:
        sys.exit("\n".join(problems))


def without_pictures(text: str) -> str:
    """Return a Markdown text without the lines that are a picture."""
    return re.sub(r"(?m)^!\[[^\]]*\]\([^)]*\)\n+", "", text)


def vsix_problems(vsix: Path) -> list[str]:
    """Return what is wrong with a vsix: its size, a missing part, a wheel of another version."""
    problems = []
    size = vsix.stat().st_size
    if size >= MOST_BYTES:
        problems.append(f"the vsix has {size:,} bytes, {MOST_BYTES:,} are too many")
    with zipfile.ZipFile(vsix) as archive:
        names = set(archive.namelist())
        version = json.loads(archive.read("extension/package.json"))["version"]
        wheel = f"extension/dist/server/bsl_scout-{version}-py3-none-any.whl"
        for name in (
            wheel,
            "extension/readme.md",
            "extension/changelog.md",
            "extension/LICENSE.txt",
            "extension/media/icon.png",
        ):
            if name not in names:
                problems.append(f"the vsix lacks {name}")
        others = {name for name in names if name.endswith(".whl")} - {wheel}
        problems += [f"the vsix has another wheel: {name}" for name in sorted(others)]
        if wheel in names:
            with archive.open(wheel) as inner, zipfile.ZipFile(inner) as packed:
                if not any(name.endswith("/model.safetensors") for name in packed.namelist()):
                    problems.append("the wheel lacks the model")
    return problems


def set_up_browser() -> bool:
    """Return whether a browser and what code-server is built with are here, installing them when that is possible."""
    missing = [package for command, package in DEBIAN.items() if not shutil.which(command)]
    if not FONT.exists():
        missing.append("fonts-dejavu-core")
    if missing and shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        print(f"installing {', '.join(missing)} …", file=sys.stderr)
        for command in (["update"], ["install", "-y", "--no-install-recommends", *missing]):
            subprocess.run(["apt-get", "-q", *command], check=True, stdout=subprocess.DEVNULL)
        missing = []
    if missing:
        print(f"a real VS Code in a browser needs: {', '.join(missing)} (Debian's names)", file=sys.stderr)
    return not missing


def static_checks() -> None:
    """Check types and style of the extension and run its unit tests."""
    set_up_node()
    for script in ("check", "lint", "test"):
        npm("run", "--silent", script)


def end_to_end(python: Path, environment: Mapping[str, str]) -> int:
    """Run the tests in a real VS Code and return their exit code; screenshots go to .artifacts."""
    package(python)
    if not set_up_browser():
        return 2
    node = shutil.which("node") or "node"
    entry = subprocess.run([node, "e2e/setup-code-server.mjs"], cwd=EXTENSION, stdout=subprocess.PIPE, text=True)
    if entry.returncode:
        return entry.returncode
    ARTIFACTS.mkdir(exist_ok=True)
    own = {
        "BSL_SCOUT_PYTHON": str(python),
        "BSL_SCOUT_VSIX": str(VSIX),
        "BSL_SCOUT_CODE_SERVER": entry.stdout.strip().splitlines()[-1],
        "BSL_SCOUT_ARTIFACTS": str(ARTIFACTS),
    }
    command = [shutil.which("npm") or "npm", "run", "--silent", "e2e"]
    return subprocess.run(command, cwd=EXTENSION, env={**os.environ, **environment, **own}).returncode


def open_editor(folder: Path, python: Path, profile: Path) -> int:
    """Open the extension on a folder: in a desktop VS Code, else in a browser's; `profile` keeps it and the index."""
    package(python)
    code = shutil.which("code")
    if code:
        places = ["--user-data-dir", str(profile / "data"), "--extensions-dir", str(profile / "extensions")]
        subprocess.run([code, *places, "--install-extension", str(VSIX), "--force"], check=True)
        settings = profile / "data" / "User" / "settings.json"
        settings.parent.mkdir(parents=True, exist_ok=True)
        escaped = str(python).replace("\\", "\\\\")
        settings.write_text(f'{{"bslScout.pythonPath": "{escaped}"}}\n', encoding="utf-8")
        return subprocess.run([code, *places, "--new-window", str(folder)]).returncode
    if not set_up_browser():
        return 2
    command = [shutil.which("node") or "node", "e2e/try.mjs", *map(str, (folder, VSIX, python, profile / "browser"))]
    try:
        return subprocess.run(command, cwd=EXTENSION).returncode
    except KeyboardInterrupt:
        return 0
