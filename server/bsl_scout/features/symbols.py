"""Finds procedures by name: exact, prefix, CamelHumps or substring, Russian and English alike."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bsl_scout.bsl.names import split_identifier
from bsl_scout.bsl.text import fold
from bsl_scout.index.schema import ChunkRow

# every capital of a query begins a hump: `ПВВ` asks for three words
_HUMP = re.compile(r"[^\W\d_a-zа-яё]?[a-zа-яё]+|[^\W\d_a-zа-яё]|\d+")


def match_quality(query: str, name: str) -> int | None:
    """Return how well a name answers a query, less is better, None when it does not.

    0 the same name, 1 prefix, 2 CamelHumps (`ЗапКИ`, `зап ки` -> ЗаполнитьКонтактнуюИнформацию), 3 substring.
    """
    wanted, have = fold(query.replace(" ", "")), fold(name)
    if not wanted or wanted == have:
        return 0
    if have.startswith(wanted):
        return 1
    humps = [fold(hump) for hump in _HUMP.findall(query)]
    if len(humps) > 1 and _humps_match(humps, [fold(part) for part in split_identifier(name)]):
        return 2
    return 3 if wanted in have else None


def _humps_match(humps: list[str], parts: list[str]) -> bool:
    """Return whether each hump begins a part of the name, in order."""
    rest = iter(parts)
    return all(any(part.startswith(hump) for part in rest) for hump in humps)


def find_symbols(
    rows: Iterable[ChunkRow], query: str = "", kind: str | None = None, limit: int | None = None
) -> list[ChunkRow]:
    """Return the procedures that answer the query, the best matches first, then in the given order."""
    found = []
    for row in rows:
        if kind and row.kind != kind:
            continue
        quality = match_quality(query, row.name)
        if quality is not None:
            found.append((quality, row))
    if query:
        found.sort(key=lambda pair: (pair[0], len(pair[1].name)))
    return [row for _, row in found[:limit]]
