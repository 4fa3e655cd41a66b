"""The developer's commands: `python3 server/dev.py try|test|lint|bench|measure`. Needs Python >= 3.10 only.

Each command first sets up what it needs: a virtual environment in `.venv`, and for the tests the real
configurations of `../shared/corpora` (unpacked once into the user's cache folder) when they are there.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path

import dev_editor

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"
DEMO = REPOSITORY / "tests" / "fixtures" / "demo"
VENV = REPOSITORY / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
# what the tests of other models were written with
TORCH, TORCH_INDEX = "2.13.0", "https://download.pytorch.org/whl/cpu"
# makes the wheel in the vsix
BUILDER = "hatchling>=1.24"
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")


def main() -> int:
    """Run one command and return its exit code."""
    if sys.version_info < (3, 10):  # noqa: UP036 - this file is started by whatever python3 is there
        print("BSL Scout needs Python 3.10 or newer", file=sys.stderr)
        return 2
    arguments = make_parser().parse_args()
    set_up(whole=arguments.whole)
    code: int = arguments.command(arguments)
    return code


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; what it returns names the function of one as `command`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    texts: dict[str, tuple[Callable[[argparse.Namespace], int], str]] = {
        "try": (try_it, "open a configuration (default: the demo) in a real VS Code"),
        "test": (test, "static checks and all tests; with arguments pytest only"),
        "lint": (lint, "ruff and mypy only"),
        "package": (package, "build the vsix"),
        "bench": (
            bench,
            "print the figures of docs/benchmarks.md; forms, scale [50k|180k] [FOLDER], memory [FOLDER]: those alone",
        ),
        "measure": (
            measure,
            "print the figures of the decision records; forms [PYTHON]: those of docs/forms.md; stores [SIZE …]",
        ),
    }
    for name, (command, text) in texts.items():
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(command=command, whole=name not in ("try", "package"))
        if name == "try":
            sub.add_argument("configuration", nargs="?", type=Path, default=DEMO)
            sub.add_argument("--terminal", action="store_true", help="search in this terminal, without an editor")
        if name == "package":
            sub.add_argument("--images", metavar="URL", help="the folder `extension` of the published repository")
        if name in ("test", "bench", "measure"):
            sub.add_argument("rest", nargs=argparse.REMAINDER, help="passed on")
    return parser


def run(*command: object, check: bool = True) -> int:
    """Run a command in the repository and return its exit code; with `check` a failure ends this program."""
    code = subprocess.run([str(part) for part in command], cwd=REPOSITORY).returncode
    if code and check:
        sys.exit(code)
    return code


def set_up(whole: bool) -> None:
    """Make the virtual environment and install the package into it when needed, `whole` with all that tests need.

    That is 2 GB with torch and chromadb; to run the product takes a tenth of it.
    """
    stamp = VENV / "installed"
    wanted = hashlib.sha256((REPOSITORY / "pyproject.toml").read_bytes()).hexdigest()
    done = stamp.read_text(encoding="utf-8").split() if stamp.is_file() and PYTHON.exists() else []
    if done[:1] == [wanted] and (not whole or "whole" in done):
        return
    what = "what the tests need, with torch and chromadb" if whole else "what the product needs"
    print(f"setting up .venv: {what}, about {'2 GB' if whole else '200 MB'} …", file=sys.stderr)
    if not PYTHON.exists() and run(sys.executable, "-m", "venv", VENV, check=False):
        install_venv_module()
        run(sys.executable, "-m", "venv", "--clear", VENV)
    if whole:
        extras = "dev,models" if install_torch() else "dev"
        pip_install("-e", f".[{extras}]")
    else:
        pip_install("-e", ".", BUILDER)
    stamp.write_text(f"{wanted} {'whole' if whole else ''}", encoding="utf-8")


def pip_install(*what: str, check: bool = True) -> int:
    """Install into the virtual environment and return pip's exit code; with `check` a failure ends this program."""
    return run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what, check=check)


def install_torch() -> bool:
    """Install torch for processors and return whether it is there; without it the tests of other models are left out.

    Its name alone brings gigabytes for graphics cards on Linux, so the build is named, and where the package index
    at hand has none, that of its makers is asked.
    """
    if not pip_install(f"torch=={TORCH}+cpu", check=False):
        return True
    print(f"torch {TORCH}+cpu is not in the package index; trying {TORCH_INDEX}", file=sys.stderr)
    if not pip_install(f"torch=={TORCH}", "--index-url", TORCH_INDEX, check=False):
        return True
    print("torch cannot be installed: the tests of other models are left out", file=sys.stderr)
    if os.environ.get("CI"):
        sys.exit(2)
    return False


def install_venv_module() -> None:
    """Install Debian's separate package of the venv module, or say what to do."""
    if shutil.which("apt-get") and os.name == "posix" and os.geteuid() == 0:
        run("apt-get", "update", "-q")
        run("apt-get", "install", "-y", "-q", "python3-venv")
        return
    print("python3 -m venv does not work here: install it (Debian: python3-venv) and repeat", file=sys.stderr)
    sys.exit(2)


def cache_folder() -> Path:
    """Return the folder for what is kept between runs."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bsl-scout"


def corpora_environment() -> dict[str, str]:
    """Return where the unpacked corpora and the judgements are; empty without them.

    They are unpacked once, and again when the unpacked files are no longer those of the archive: what a benchmark
    or a person left in them would change the figures of all tests after it.
    """
    archives = sorted((SHARED / "corpora").glob("*.tar.xz"))
    if not archives:
        return {}
    cache = cache_folder() / "corpora"
    cache.mkdir(parents=True, exist_ok=True)
    for archive in archives:
        unpack(archive, cache)
    return {"BSL_SCOUT_CORPORA": str(cache), "BSL_SCOUT_GOLD": str(SHARED / "gold")}


def unpack(archive: Path, cache: Path) -> None:
    """Have the folder of one `NAME.tar.xz` in `cache` as the archive has it."""
    folder, stamp = cache / archive.name.split(".")[0], cache / f".{archive.name}.{archive.stat().st_size}"
    before = stamp.read_text(encoding="utf-8") if stamp.is_file() else ""
    if before and before == state_of(folder):
        return
    print(f"unpacking {archive.name}{' again: its files were changed' if before else ''} …", file=sys.stderr)
    # the old state is no longer true from here on, whatever ends this program
    stamp.unlink(missing_ok=True)
    if folder.exists():
        shutil.rmtree(folder)
    with tarfile.open(archive) as tar:
        # 3.10 and 3.11 before their last patches know no filter
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        tar.extractall(cache, **safe)  # type: ignore[arg-type]
    stamp.write_text(state_of(folder), encoding="utf-8")


def state_of(folder: Path) -> str:
    """Return a digest of the names, sizes and times of the files below `folder`."""
    digest = hashlib.sha256()
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            stat = path.lstat()
            digest.update(f"{path.relative_to(folder)}\n{stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def try_it(arguments: argparse.Namespace) -> int:
    """Open the configuration in a real VS Code, or search it in this terminal with --terminal."""
    configuration = arguments.configuration.resolve()
    if not configuration.exists():
        print(f"there is no {arguments.configuration}", file=sys.stderr)
        return 2
    if not arguments.terminal:
        return dev_editor.open_editor(configuration, PYTHON, cache_folder() / "try-profile")
    run(PYTHON, "-m", "bsl_scout", "index", configuration)
    print("type what the code does, Ctrl+D (Windows: Ctrl+Z) ends", file=sys.stderr)
    return run(PYTHON, "-m", "bsl_scout", "search", configuration, check=False)


def lint(arguments: argparse.Namespace) -> int:
    """Run the static checks."""
    run(PYTHON, "-m", "ruff", "format", "--check", "server", "tests")
    run(PYTHON, "-m", "ruff", "check", "server", "tests")
    return run(PYTHON, "-m", "mypy")


def with_corpora(command: Sequence[object]) -> int:
    """Run a command with the corpora in its environment, and say clearly when they are not there."""
    environment = corpora_environment()
    missing = "the corpora are NOT here: what runs on real configurations is left out"
    if not environment:
        print(missing, file=sys.stderr)
    code = subprocess.run([str(part) for part in command], cwd=REPOSITORY, env={**os.environ, **environment}).returncode
    if not environment:
        print(missing, file=sys.stderr)
    return code


def test(arguments: argparse.Namespace) -> int:
    """Run the static checks and all tests, those in a real VS Code last; with arguments only pytest with them."""
    if arguments.rest:
        return with_corpora([PYTHON, "-m", "pytest", *arguments.rest])
    lint(arguments)
    dev_editor.static_checks()
    # files of tests are spread over the cores; the fixtures of a file stay with it
    code = with_corpora([PYTHON, "-m", "pytest", "--numprocesses", str(os.cpu_count() or 1), "--dist", "loadfile"])
    return code or dev_editor.end_to_end(PYTHON, corpora_environment())


def package(arguments: argparse.Namespace) -> int:
    """Build the vsix and tell where it is."""
    dev_editor.package(PYTHON, arguments.images)
    print(dev_editor.VSIX.relative_to(REPOSITORY))
    return 0


def bench(arguments: argparse.Namespace) -> int:
    """Print the benchmarks."""
    return with_corpora([PYTHON, "server/bench.py", *arguments.rest])


def measure(arguments: argparse.Namespace) -> int:
    """Print the retrieval measurements, those of `forms`, of vector `stores`, of `renames`."""
    if arguments.rest[:1] == ["forms"]:
        corpora = corpora_environment().get("BSL_SCOUT_CORPORA")
        if corpora is None:
            print("the comparison of forms needs the corpora, which are not here", file=sys.stderr)
            return 1
        truth = SHARED / "corpora" / "v8unpack_truth.json"
        return with_corpora([PYTHON, "server/measure_forms.py", corpora, truth, *arguments.rest[1:]])
    if arguments.rest[:1] == ["stores"]:
        return with_corpora([PYTHON, "server/measure_stores.py", *arguments.rest[1:]])
    if arguments.rest[:1] == ["renames"]:
        return with_corpora([PYTHON, "server/measure_renames.py", *arguments.rest[1:]])
    return with_corpora([PYTHON, "server/measure.py", *arguments.rest])


if __name__ == "__main__":
    sys.exit(main())
