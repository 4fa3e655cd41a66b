"""In how many chunks a procedure of a common module is called, counted as chunks are written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bsl_scout.bsl.parser import Call
from bsl_scout.bsl.text import fold

from .packing import DamagedCatalogError, to_json

_STORE = """INSERT INTO call_counts
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?) WHERE true
ON CONFLICT (target) DO UPDATE SET chunks = chunks + excluded.chunks"""
_FORGET = "DELETE FROM call_counts WHERE chunks <= 0 AND target IN (SELECT value FROM json_each(?))"
# a variable that holds a module, where its subsystem may be left out, is called after it: МодульВалюты.КурсВалюты()
_VARIABLES = ("модуль", "module")


def call_targets(calls: Iterable[str]) -> list[str]:
    """Return what calls written as `Module.Procedure` are counted as."""
    text = fold("\n".join(calls))
    return text.split("\n") if text else []


class CallCounts:
    """The counts as they are stored, and what has changed in the present transaction.

    Whether a receiver is a common module is not asked: that may be indexed later, and the counts of other names
    (of variables) are never looked up.
    """

    def __init__(self, execute: Callable[..., Any]) -> None:
        self._execute = execute
        self._changed: Counter[str] = Counter()

    def add(self, calls: Iterable[Call]) -> None:
        """Count the calls in a chunk that was added; several of one procedure count as one."""
        for target in _targets(calls):
            self._changed[target] += 1

    def remove(self, chunk: int) -> None:
        """Count out the calls of a chunk that is about to be removed; one that is gone already is left aside."""
        row = self._execute("SELECT calls FROM forward WHERE chunk = ?", (chunk,)).fetchone()
        if row:
            try:
                calls = [Call(*call) for call in json.loads(row[0])]
                self._changed.subtract(_targets(calls))
            except (ValueError, TypeError, AttributeError) as error:
                raise DamagedCatalogError("the calls of a chunk cannot be read") from error

    def forget(self) -> None:
        """Leave aside what has changed: it was rolled back."""
        self._changed.clear()

    def of(self, targets: Sequence[str]) -> dict[str, int]:
        """Return the counts of those targets that have one, with what has changed."""
        query = "SELECT target, chunks FROM json_each(?) CROSS JOIN call_counts ON target = value"
        found = dict(self._execute(query, (to_json(targets),)).fetchall())
        for target in self._changed.keys() & set(targets) if self._changed else ():
            found[target] = found.get(target, 0) + self._changed[target]
        return found

    def store(self) -> None:
        """Store what has changed."""
        rows = [(target, change) for target, change in self._changed.items() if change]
        self._changed.clear()
        if rows:
            self._execute(_STORE, (to_json(rows),))
            self._execute(_FORGET, (to_json([target for target, change in rows if change < 0]),))


def _targets(calls: Iterable[Call]) -> set[str]:
    named = {f"{receiver}.{name}" for name, receiver, _ in calls if receiver and receiver.isidentifier()}
    found = set(call_targets(named))
    for prefix in _VARIABLES if found else ():
        found.update([target[len(prefix) :] for target in found if target.startswith(prefix)])
    return found
