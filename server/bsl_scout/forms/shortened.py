"""The structure of a form with less of it than there is: the rows that matter most, and counts of the rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, replace
from typing import Any

from bsl_scout.bsl.text import fold

from .summary import FormSummary, row_json, summary_json

_FORM_COMMAND = "Form.Command."
# what goes first among rows that are equally near: what is wrong, what the form does, what it holds, what it shows
_BUCKETS = ("warnings", "events", "commands", "attributes", "elements")
# what a row costs beside its own text: a comma, a line break and a blank
_BETWEEN_ROWS = 3


class Shortened:
    """Rows of a summary, chosen one by one; relations are never among them.

    They repeat what elements and events say, except for the proof of a binding, which elements bear here.
    """

    def __init__(self, summary: FormSummary, score: Callable[[object], float], measure: Callable[[str], int]) -> None:
        self._summary = summary
        self._measure = measure
        proofs = {row.get("element"): row.get("proof") for row in summary.relations if row.get("kind") == "data"}
        self._rows: dict[str, list[Any]] = {name: list(getattr(summary, name)) for name in _BUCKETS}
        self._rows["elements"] = [
            row | {"proof": proof} if (proof := proofs.get(row.get("name"))) else row for row in summary.elements
        ]
        self._cost = {
            (bucket, index): measure(row_json(row)) + _BETWEEN_ROWS
            for bucket, rows in self._rows.items()
            for index, row in enumerate(rows)
        }
        self._score = {(bucket, index): score(self._rows[bucket][index]) for bucket, index in self._cost}
        self.kept: set[tuple[str, int]] = set()

    def fill(self, room: int, shown: Collection[str] = ()) -> int:
        """Keep the rows that have room beside those kept already, and return what they cost.

        First what a procedure that is shown is bound to (`shown`: folded names), then what is near the question.
        """
        linked = self._linked(shown)
        order = {bucket: place for place, bucket in enumerate(_BUCKETS)}
        spent = 0
        ranked = sorted(
            self._cost, key=lambda one: (one[0] != "warnings", one not in linked, -self._score[one], order[one[0]])
        )
        for one in ranked:
            if one not in self.kept and spent + self._cost[one] <= room:
                spent += self._cost[one]
                self.kept.add(one)
        return spent

    def text(self) -> str:
        """Return the rows kept as JSON; `left_out` counts the others by bucket."""
        chosen = {
            bucket: [row for index, row in enumerate(rows) if (bucket, index) in self.kept]
            for bucket, rows in self._rows.items()
        }
        return summary_json(replace(self._summary, relations=[], **chosen), self._left_out(chosen))

    def left_out(self) -> int:
        """Return how many rows are not kept; relations do not count, as the others tell them."""
        return len(self._cost) - len(self.kept)

    def _left_out(self, chosen: Mapping[str, list[Any]]) -> dict[str, int]:
        counts = {
            one.name: len(getattr(self._summary, one.name)) - len(chosen.get(one.name, ()))
            for one in fields(self._summary)
        }
        return {bucket: count for bucket, count in counts.items() if count}

    def _linked(self, shown: Collection[str]) -> set[tuple[str, int]]:
        found: set[tuple[str, int]] = set()
        elements, commands = set(), set()
        for index, row in enumerate(self._summary.events):
            if fold(str(row.get("procedure"))) in shown:
                found.add(("events", index))
                elements.add(row.get("element"))
        for index, row in enumerate(self._summary.commands):
            if any(fold(str(one.get("procedure"))) in shown for one in row.get("actions", ())):
                found.add(("commands", index))
                commands.add(f"{_FORM_COMMAND}{row.get('name')}")
        for index, row in enumerate(self._summary.elements):
            if row.get("name") in elements or row.get("command") in commands:
                found.add(("elements", index))
        return found
