"""The editor side of dev.py: Node packages, the vsix, and a real VS Code to test and to try it in."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
EXTENSION = REPOSITORY / "extension"
VSIX = EXTENSION / "dist" / "bsl-scout.vsix"
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


def package() -> None:
    """Build the vsix."""
    set_up_node()
    VSIX.parent.mkdir(exist_ok=True)
    npm("run", "--silent", "package")


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
    package()
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
    """Open the extension on a folder: in a desktop VS Code with a profile of its own, else in a browser's."""
    package()
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
    command = [shutil.which("node") or "node", "e2e/try.mjs", str(folder), str(VSIX), str(python)]
    try:
        return subprocess.run(command, cwd=EXTENSION).returncode
    except KeyboardInterrupt:
        return 0
