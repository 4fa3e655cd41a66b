"""The figures of forms for server/bench.py: contexts of a whole configuration, hover, damaged sources.

On designer_mega_cc when the corpora are here, else on the demo (the rows name the sources).
"""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
import time
from pathlib import Path
from typing import Any

from lsprotocol import types

from bench_figures import percentiles

REPOSITORY = Path(__file__).resolve().parent.parent
MUTATIONS = 2_000
HOVERS = 400


def sources() -> Path:
    """Return the configuration to measure."""
    corpora = os.environ.get("BSL_SCOUT_CORPORA")
    if corpora:
        return Path(corpora, "testdata", "designer_mega_cc")
    return REPOSITORY / "tests" / "fixtures" / "demo"


def contexts(scratch: Path) -> dict[str, str]:
    """Make the context and fragment of every form on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {0})
    from bsl_scout.forms import build_form_context, scan_forms, to_llm_prompt_fragment

    top = sources()
    started = time.perf_counter()
    forms = scan_forms(top).forms
    listed = time.perf_counter() - started
    characters = sum(len(to_llm_prompt_fragment(build_form_context(entry, top))) for entry in forms)
    whole = time.perf_counter() - started
    return {
        f"list the {len(forms)} forms of {top.name} with digests": f"{listed:.1f} s",
        "context of every one of them, list and metadata included": (
            f"{whole:.1f} s wall, {time.process_time():.1f} s CPU, {characters / 1e6:.0f} million characters"
        ),
    }


def hover(scratch: Path) -> dict[str, str]:
    """Hover over the largest form and its module as an editor does."""
    return asyncio.run(_hover(sources(), scratch / "forms-hover"))


async def _hover(top: Path, index: Path) -> dict[str, str]:
    from bench_lsp import start

    form = max(top.rglob("Ext/Form.xml"), key=lambda path: path.stat().st_size)
    session = await start(top, index)
    await session.until("ready")
    size = f"{form.stat().st_size // 1024} KB"
    found = {}
    for path, words, what in (
        (form, ("<DataPath>", "<Event ", "<CommandName>", "name="), f"hover in the largest Form.xml ({size})"),
        (form.parent / "Form" / "Module.bsl", ("Элементы.", "Процедура ", "Объект."), "hover in its module"),
    ):
        lines = path.read_text(encoding="utf-8-sig").split("\n")
        places = [
            (i, text.index(word) + len(word) + 1) for i, text in enumerate(lines) for word in words if word in text
        ]
        document = types.TextDocumentItem(path.as_uri(), "xml", 1, "\n".join(lines))
        session.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        times, answered = [], 0
        for number in range(HOVERS):
            line, character = places[number * len(places) // HOVERS]
            params = types.HoverParams(types.TextDocumentIdentifier(document.uri), types.Position(line, character))
            begun = time.perf_counter()
            answered += await session.client.text_document_hover_async(params) is not None
            times.append((time.perf_counter() - begun) * 1000)
        found[what] = f"{percentiles(times)}, first {times[0]:.0f} ms ({answered} of {HOVERS} answered)"
    await session.end()
    return found


def fuzz(scratch: Path) -> dict[str, str]:
    """Read damaged sources by the mutators of the tests; a wrong fact or an exception ends the run."""
    tests = REPOSITORY / "tests"
    sys.path[:0] = [str(tests), str(tests / "forms")]
    xml: Any = importlib.import_module("test_fuzz")
    v8: Any = importlib.import_module("test_v8_fuzz")
    found = {}
    for source_format in xml.SOURCES:
        each = MUTATIONS // len(xml.DAMAGES)
        whole = sum(xml.fuzz(scratch / "fuzz", source_format, damage, each) for damage in xml.DAMAGES)
        found[f"damaged {source_format} forms"] = f"{each * len(xml.DAMAGES)} read, {whole} with elements"
    for sample in ("managed", "ordinary"):
        lost, told = v8.fuzz_elem_json(sample, MUTATIONS)
        if lost != told:
            raise AssertionError(f"{lost - told} damaged {sample} forms lost elements and did not tell")
        found[f"damaged v8unpack {sample} forms"] = f"{MUTATIONS} read, {lost} lost elements, all told"
    found["damaged Form.bin"] = f"{MUTATIONS} read, {v8.fuzz_form_bin(MUTATIONS)} told to be broken"
    return {name: f"{figure}, nothing invented" for name, figure in found.items()}
