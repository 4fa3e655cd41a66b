"""Prints how many texts the encoder gets when files are renamed, copied, removed and brought back.

`python3 server/dev.py measure renames [SOURCES]`, SSL 3.1 when no sources are named: a Designer dump.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from bsl_scout.index import embedding
from bsl_scout.index.chunk_texts import Source
from bsl_scout.index.encoders import BslEncoder, Floats
from bsl_scout.index.indexer import refresh


def main() -> int:
    """Do one change after the other and print what each cost."""
    corpora = os.environ.get("BSL_SCOUT_CORPORA")
    if len(sys.argv) < 2 and not corpora:
        return 1
    sources = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(corpora or "", "ssl_3_1")
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "work", "cf")
        shutil.copytree(sources, top)
        _measure(top, Path(folder, "index"))
    return 0


def _measure(top: Path, index: Path) -> None:
    catalog = max((top / "Catalogs").iterdir(), key=lambda one: sum(1 for _ in one.rglob("*.bsl")))
    module = max((top / "CommonModules").glob("*/Ext/Module.bsl"), key=lambda one: one.stat().st_size).parent.parent
    renamed, aside = catalog.with_name(f"Новый{catalog.name}"), index.parent / "aside"
    copy = top.with_name("copy")
    steps: dict[str, Callable[[], object]] = {
        "first index": lambda: None,
        "a catalog renamed, as the platform does it": lambda: _rename(top, catalog, renamed),
        "only its folder renamed, by hand": lambda: renamed.rename(catalog),
        "and back": lambda: catalog.rename(renamed),
        "the largest common module renamed": lambda: _rename(top, module, module.with_name(f"Новый{module.name}")),
        "the configuration copied beside itself": lambda: shutil.copytree(top, copy),
        "the copy removed": lambda: shutil.rmtree(copy),
        "all common forms removed, as by another branch": lambda: shutil.move(top / "CommonForms", aside),
        "and brought back": lambda: shutil.move(aside, top / "CommonForms"),
        "the configuration moved into another folder": lambda: shutil.move(top, top.with_name("src")),
        "Rebuild": lambda: None,
    }
    print("| step | chunks to give a vector | texts to the encoder | CPU s |\n|---|---|---|---|")
    for name, change in steps.items():
        change()
        started = time.process_time()
        with counted() as (waiting, asked):
            refresh(top.parent, index, rebuild=name == "Rebuild")
        seconds = time.process_time() - started
        print(f"| {name} | {sum(waiting):,} | {sum(asked):,} | {seconds:.1f} |", flush=True)


@contextmanager
def counted() -> Iterator[tuple[list[int], list[int]]]:
    """Give how many chunks got a vector, and for how many texts the encoder was asked, call by call."""
    waiting: list[int] = []
    asked: list[int] = []
    made, missing = BslEncoder.chunk_vectors, embedding.embed_missing

    def chunk_vectors(self: BslEncoder, chunks: Sequence[Source]) -> Floats:
        asked.append(len(chunks))
        return made(self, chunks)

    def embed_missing(*arguments: Any) -> int:
        waiting.append(missing(*arguments))
        return waiting[-1]

    with (
        mock.patch.object(BslEncoder, "chunk_vectors", chunk_vectors),
        mock.patch.object(embedding, "embed_missing", embed_missing),
    ):
        yield waiting, asked


def _rename(top: Path, folder: Path, to: Path) -> None:
    """Rename an object in its files and in all XML that names it; the code goes on calling it as before."""
    kind = folder.parent.name.removesuffix("s")
    named = re.compile(rf"\b({kind}\w*)\.{folder.name}\b|<({kind}|Name)>{folder.name}</")
    folder.rename(to)
    folder.with_suffix(".xml").rename(to.with_suffix(".xml"))
    for path in top.rglob("*.xml"):
        text = path.read_text("utf-8-sig")
        changed = named.sub(lambda match: match[0].replace(folder.name, to.name), text) if folder.name in text else text
        if changed != text:
            path.write_text(changed, "utf-8-sig")


if __name__ == "__main__":
    sys.exit(main())
