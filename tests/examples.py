"""The examples of the documents as data: fenced blocks, their commands, and whether an answer is the documented one.

How an example is written, so that it is run:

- a line `bsl-scout …` of a plain block is a command, run beside `tests/fixtures/demo`; it has to succeed;
- after `$ bsl-scout …` the other lines of the block are what it prints, times aside;
- a block ```json that follows at once is the JSON that the last command prints, times aside;
- ```json part: only some of it. Keys and items may be left out, and a text ends early with `…`;
- ```json NAME.jsonl is a file which the commands below it read;
- ```json bslScout/METHOD holds the parameters of a request, the next block of JSON its result.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# what is measured while a command runs, or tells of the machine that it runs on
TIMES = {"seconds", "elapsed_ms", "elapsedMs", "p50", "p95", "created", "refreshed", "walked", "bytes", "versions"}
_FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: the words after its fence, its text, its line in the page, whether one stands right above it."""

    info: tuple[str, ...]
    text: str
    line: int
    follows: bool

    @property
    def partial(self) -> bool:
        """Whether the block shows only some of an answer."""
        return self.info == ("json", "part")


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page in their order."""
    text = page.read_text(encoding="utf-8")
    end = -1
    for found in _FENCE.finditer(text):
        above = text[end : found.start()] if end >= 0 else "none"
        yield Block(tuple(found[1].split()), found[2], text.count("\n", 0, found.start()) + 1, not above.strip())
        end = found.end()


def commands(block: Block) -> list[str]:
    """Return the commands of `bsl-scout` in a plain block, without the prompt."""
    if block.info:
        return []
    return [line.removeprefix("$ ") for line in block.text.split("\n") if re.match(r"(\$ )?bsl-scout ", line)]


def printed(block: Block) -> str | None:
    """Return what the command of a block prints according to the page; None when the page does not say."""
    first, _, rest = block.text.partition("\n")
    return rest if first.startswith("$ ") else None


def without_times(text: str) -> str:
    """Return a text with all times made equal."""
    return re.sub(r"\d+\.\d (ms|s)\b", r"0.0 \1", text)


def difference(told: Any, real: Any, partial: bool = False, place: str = "answer") -> str:
    """Return where an answer is not the documented one, in words; empty when it is."""
    if isinstance(told, dict) and isinstance(real, dict):
        if told.keys() != real.keys() if not partial else not told.keys() <= real.keys():
            return f"{place} has {sorted(real)}, not {sorted(told)}"
        parts = (difference(told[key], real[key], partial, f"{place}.{key}") for key in told if key not in TIMES)
        return next(filter(None, parts), "")
    if isinstance(told, list) and isinstance(real, list):
        if not partial:
            if len(told) != len(real):
                return f"{place} has {len(real)} items, not {len(told)}"
            pairs = zip(told, real, strict=True)
            return next(filter(None, (difference(*pair, False, f"{place}[]") for pair in pairs)), "")
        left = iter(real)
        for item in told:
            if not any(not difference(item, other, True) for other in left):
                return f"{place} has no {json.dumps(item, ensure_ascii=False)[:200]}"
        return ""
    if partial and isinstance(told, str) and told.endswith("…") and isinstance(real, str):
        return "" if real.startswith(told[:-1]) else f"{place} is {real[:200]!r}, not {told!r}"
    if isinstance(told, float) and isinstance(real, float):
        # the last digit of a score depends on the processor
        same = math.isclose(told, real, abs_tol=0.001)
    else:
        same = told == real and type(told) is type(real)
    return "" if same else f"{place} is {real!r}, not {told!r}"
