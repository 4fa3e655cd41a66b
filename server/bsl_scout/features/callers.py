"""Who calls a procedure, and what a procedure calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bsl_scout.bsl.text import fold
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.mentions import chunks_with
from bsl_scout.index.schema import ChunkRow

from .call_targets import CERTAIN, CallTarget, CallTargets
from .symbols import SymbolTable

# names such as `Добавить` stand in tens of thousands of chunks, and nearly all of those are the platform's
MOST_CHUNKS = 10_000
# calls of unknown receivers that are told of
MOST_POSSIBLE = 100
# the likelier first
_DOUBTS = {"module-variable": 1, "text": 2, "variable": 3, "unknown": 4}


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Where a name is called: 0-based line of the file, columns in code points, the text of the line."""

    line: int
    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Caller:
    """A procedure (or what stands outside of all) that calls another, with the proof, or the reason of doubt.

    Doubtful are `module-variable` (the receiver is a variable that was given the module by its name), `unknown` (the
    receiver may be anything), `variable` (a variable may hide the module) and `text` (the name stands in a string, as
    for a notification).
    """

    row: ChunkRow
    proof: str
    places: tuple[CallPlace, ...]

    @property
    def certain(self) -> bool:
        """Whether the call is proven."""
        return self.proof in CERTAIN


@dataclass(frozen=True, slots=True)
class Callers:
    """The callers, the proven ones first, and how many doubtful ones and chunks are left out."""

    found: tuple[Caller, ...]
    more_possible: int = 0
    unread: int = 0


def callers_of(symbols: SymbolTable, callee: ChunkRow) -> Callers:
    """Return who calls a procedure, and who else names it in a string."""
    catalog = symbols.catalog
    targets = CallTargets(symbols)
    # a procedure may call by one proof and by another: chunks and lines by path, key and proof
    calling: dict[tuple[str, str, str], list[tuple[ChunkRow, int]]] = {}
    # an exported one is proven to be called where the name of its module or object stands too
    owner = (callee.owner or "").rpartition(".")[2] if callee.export else None
    chunks, unread = chunks_with(catalog, callee.name, callee.path, owner, MOST_CHUNKS)
    in_text = re.compile(rf'"(?:{_own_names(callee)}\.)?{re.escape(callee.name)}"', re.IGNORECASE)
    for row, calls in chunks:
        key = row.path, row.key.partition("/")[0]
        for call in calls:
            proof = _proof(targets.of(row, call), callee)
            if proof:
                calling.setdefault((*key, proof), []).append((row, row.line + call.line))
        # its own name in a string of its own, as for a handler that sets itself again, makes it no caller of itself
        is_own = key == (callee.path, callee.key.partition("/")[0])
        if not calls and not is_own and (row.path == callee.path or callee.export):
            lines = _in_strings(catalog, row, in_text, row.path == callee.path)
            if lines:
                calling.setdefault((*key, "text"), []).extend((row, line) for line in lines)
    order = sorted(calling, key=lambda key: (key[2] not in CERTAIN, _DOUBTS.get(key[2], 0), key[0], calling[key][0][1]))
    possible = sum(key[2] not in CERTAIN for key in order)
    kept = order[: len(order) - max(possible - MOST_POSSIBLE, 0)]
    found = [_caller(catalog, calling[key], key[2], callee.name) for key in kept]
    return Callers(tuple(found), len(order) - len(kept), unread)


def name_place(catalog: Catalog, row: ChunkRow) -> CallPlace:
    """Return where the name of a procedure stands in its header."""
    return _place(catalog, row, row.line, row.name)


def _proof(target: CallTarget, callee: ChunkRow) -> str:
    """Return the proof that a call is of a procedure, or the reason of doubt; empty when it is of another."""
    if target.procedure:
        return target.proof if target.procedure.id == callee.id else ""
    return target.proof if target.proof in _DOUBTS and callee.export else ""


def callees_of(symbols: SymbolTable, caller: ChunkRow) -> list[Caller]:
    """Return the procedures of the index that a procedure provably calls, in the order of their first calls."""
    catalog = symbols.catalog
    targets = CallTargets(symbols)
    found: dict[int, tuple[ChunkRow, str, list[CallPlace]]] = {}
    for part in parts_of(catalog, caller):
        for call in catalog.calls(part.id):
            target = targets.of(part, call)
            if target.procedure and target.proof in CERTAIN:
                known = found.setdefault(target.procedure.id, (target.procedure, target.proof, []))
                known[2].append(_place(catalog, part, part.line + call.line, call.name))
    return [Caller(row, proof, tuple(places)) for row, proof, places in found.values()]


def parts_of(catalog: Catalog, row: ChunkRow) -> list[ChunkRow]:
    """Return the chunks of the procedure that a chunk is a part of, in order."""
    key = row.key.partition("/")[0]
    ids = catalog.chunk_rows(
        "SELECT c.id FROM chunks c JOIN files f ON f.id = c.file WHERE f.path = ? AND (c.key = ? OR c.key LIKE ?)",
        row.path,
        key,
        f"{key}/%",
    )
    return sorted(catalog.chunks([one for (one,) in ids]).values(), key=lambda part: part.part)


def _caller(catalog: Catalog, calls: Sequence[tuple[ChunkRow, int]], proof: str, name: str) -> Caller:
    row = calls[0][0]
    whole = next(iter(parts_of(catalog, row)), row) if row.part else row
    lines = dict.fromkeys(sorted(calls, key=lambda call: call[1]))
    return Caller(whole, proof, tuple(_place(catalog, part, line, name) for part, line in lines))


def _own_names(callee: ChunkRow) -> str:
    """Return a pattern for what may stand before the name in a string: the module that it is exported from."""
    return re.escape((callee.owner or "").rpartition(".")[2]) or r"\w+"


def _place(catalog: Catalog, row: ChunkRow, line: int, name: str) -> CallPlace:
    """Return where a name stands in a line of a file, by the text of the chunk that holds it."""
    # a further part begins with the repeated signature
    lines = catalog.text(row.id).split("\n")
    offset = line - row.text_line + (row.part > 0)
    text = lines[offset] if 0 <= offset < len(lines) else ""
    at = fold(text).find(fold(name))
    return CallPlace(line, at, at + len(name), text) if at >= 0 else CallPlace(line, 0, 0)


def _in_strings(catalog: Catalog, row: ChunkRow, pattern: re.Pattern[str], own: bool) -> list[int]:
    """Return the lines of a chunk in which the name is a string; in another module only with that of its own."""
    text = catalog.text(row.id)
    first = row.text_line - (row.part > 0)
    return [first + text.count("\n", 0, match.start()) for match in pattern.finditer(text) if own or "." in match[0]]
