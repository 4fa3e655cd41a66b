"""How many chunks of each kind a catalog holds, and how many call what, without counting them at each save."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from bsl_scout.bsl.parser import Call

from .call_counts import CallCounts
from .packing import to_json

_KEY = "chunk_counts"

# whether it is code, part, kind
Kind = tuple[int, int, str]


class ChunkCounts:
    """The counts as they are stored, and what has changed in the present transaction."""

    def __init__(self, execute: Callable[..., Any]) -> None:
        self._execute = execute
        self._changed: Counter[Kind] = Counter()
        self.calls = CallCounts(execute)

    def add(self, code: bool, part: int, kind: str, calls: Iterable[Call] = ()) -> None:
        """Count a chunk that was added, and its calls."""
        self._changed[int(code), part, kind] += 1
        self.calls.add(calls)

    def remove(self, chunk: int) -> None:
        """Count a chunk that is about to be removed; one that is gone already is left aside."""
        query = "SELECT title IS NULL, part, kind FROM chunks WHERE id = ?"
        self._changed.subtract(self._execute(query, (chunk,)).fetchall())
        self.calls.remove(chunk)

    def forget(self) -> None:
        """Leave aside what has changed: it was rolled back."""
        self._changed.clear()
        self.calls.forget()

    def store(self) -> None:
        """Store the counts with what has changed."""
        self.calls.store()
        if not self._changed:
            return
        counts = self._stored()
        if counts is None:
            counts = self._read()
        else:
            counts.update(self._changed)
        self._changed.clear()
        rows = to_json([[*kind, count] for kind, count in counts.items() if count])
        self._execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_KEY, rows))

    def all(self) -> Counter[Kind]:
        """Return the counts as they were stored last, or counted when they never were."""
        stored = self._stored()
        return self._read() if stored is None else stored

    def totals(self) -> dict[str, int]:
        """Return how many files (modules), procedures, objects, forms and chunks of code and metadata there are."""
        files, objects, forms = self._execute(
            "SELECT count(*) FILTER (WHERE kind = 'module'), count(full_name), "
            "count(*) FILTER (WHERE full_name LIKE 'CommonForm.%') FROM files"
        ).fetchone()
        found = {"files": files, "procedures": 0, "objects": objects, "code": 0, "metadata": 0, "forms": forms}
        for (code, part, kind), count in self.all().items():
            found["code" if code else "metadata"] += count
            if part == 0 and code and kind in ("procedure", "function"):
                found["procedures"] += count
            elif part == 0 and not code and kind == "form":
                found["forms"] += count
        return found

    def _stored(self) -> Counter[Kind] | None:
        row = self._execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
        return Counter({(code, part, kind): count for code, part, kind, count in json.loads(row[0])}) if row else None

    def _read(self) -> Counter[Kind]:
        # one pass over the index chunks_counted: 30 ms at 180,000 chunks
        groups = "SELECT title IS NULL, part, kind, count(*) FROM chunks GROUP BY title IS NULL, part, kind"
        return Counter({(code, part, kind): count for code, part, kind, count in self._execute(groups)})
