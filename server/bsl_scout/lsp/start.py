"""Starts the language server: the arguments first, then what takes long to import, as quickly as it goes."""

from __future__ import annotations

import argparse
import gc
import importlib.util
import marshal
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from types import CodeType
from typing import Any

import platformdirs

_DIGEST = 16
_OWNER = " lsprotocol."


def main(arguments: list[str]) -> int:
    """Serve over standard input and output; standard output carries only the protocol."""
    parser = argparse.ArgumentParser(prog="bsl-scout lsp", description="The language server, over standard streams.")
    parser.add_argument("--index-dir", type=Path, metavar="DIR", help="where the indexes are kept")
    options = parser.parse_args(arguments)
    # a scan of the vectors is bound by memory: two threads gain 2 ms of 6, and on a machine that has other work an
    # answer waits for the slower one
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    cache = Path(platformdirs.user_cache_dir("bsl-scout", appauthor=False))
    with compiled_once(cache / f"lsprotocol-{importlib.util.MAGIC_NUMBER.hex()}.bin"):
        import lsprotocol.types  # noqa: F401
    from .server import serve

    # the thousands of classes of lsprotocol live as long as the process: unless they are set aside, a collection
    # walks through all of them in the middle of a request, for some 40 ms
    gc.freeze()
    return serve(options.index_dir or cache)


@contextmanager
def compiled_once(kept: Path) -> Iterator[None]:
    """Let attrs take the methods of its classes from a file, where they were compiled before.

    attrs writes the methods of each class as source text and compiles it: half the time that importing the 568
    classes of lsprotocol takes (docs/adr/0005). The file maps exactly that text to its code, so it can be stale
    only by being useless; one that cannot be read or written costs time only.
    """
    import attr._make

    known = _read(kept)
    new: dict[tuple[str, str], CodeType] = {}

    def compile_once(source: str, name: str, mode: str) -> CodeType:
        if _OWNER not in name:
            # the methods of frozen classes are written otherwise in each process: nothing to keep
            return compile(source, name, mode)
        code = known.get((source, name))
        if code is None:
            code = new[source, name] = compile(source, name, mode)
        return code

    # a global of the module goes before the builtin of the same name
    module: Any = attr._make
    module.compile = compile_once
    try:
        yield
    finally:
        del module.compile
    if new:
        _write(kept, {**known, **new})


def _read(kept: Path) -> dict[tuple[str, str], CodeType]:
    try:
        data = kept.read_bytes()
    except OSError:
        return {}
    # marshal must never see bytes that it did not write
    if blake2b(data[_DIGEST:], digest_size=_DIGEST).digest() != data[:_DIGEST]:
        return {}
    found: dict[tuple[str, str], CodeType] = marshal.loads(data[_DIGEST:])
    return found


def _write(kept: Path, codes: dict[tuple[str, str], CodeType]) -> None:
    data = marshal.dumps(codes)
    whole = kept.with_suffix(f".{os.getpid()}")
    # a folder that cannot be written is told where it matters, by the index
    with suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        whole.write_bytes(blake2b(data, digest_size=_DIGEST).digest() + data)
        whole.replace(kept)
