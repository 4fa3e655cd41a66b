"""What speaks for a procedure before any question: it is exported, documented, part of an interface, much called."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from math import log2

from bsl_scout.bsl.names import stem
from bsl_scout.bsl.text import fold
from bsl_scout.index.candidates import Candidate

_INTERFACE = frozenset(map(fold, ("ПрограммныйИнтерфейс", "Public")))
_FORM = ".Форма."
# what people press, tick and fill in: such questions ask for the code of a form
_ELEMENTS = frozenset(
    stem(fold(word))
    for word in (
        "форма", "кнопка", "нажатие", "флажок", "галочка", "карточка", "окно", "переключатель", "вкладка",
        "form", "button", "click", "checkbox", "dialog", "window", "tab",
    )
)  # fmt: skip


def asks_for_form(terms: Collection[str]) -> bool:
    """Return whether a query names an element of a form."""
    return not _ELEMENTS.isdisjoint(terms)


@dataclass(frozen=True, slots=True)
class Prior:
    """What each fact adds to a fused score of 0 to 1; `calls` with every doubling of the places that call: ADR 0016."""

    export: float = 0.04
    interface: float = 0.07
    doc: float = 0.04
    form: float = 0.1
    calls: float = 0.02

    def of(self, row: Candidate, has_doc: bool, asks_for_form: bool = False, called: int = 0) -> float:
        """Return what the facts of a chunk of code add; a form's code counts when the query asks for it.

        `called`: in how many chunks it is called by the name of its module.
        """
        if row.title is not None:
            return 0.0
        if asks_for_form and _FORM in f"{row.owner}.":
            return self.form
        added = self.export if row.export else 0.0
        if has_doc:
            added += self.doc
        if _in_interface(row.regions):
            added += self.interface
        return added + self.calls * log2(1 + called) if called > 0 else added


@lru_cache(1_000)
def _in_interface(regions: str) -> bool:
    return not _INTERFACE.isdisjoint(fold(regions).split(","))
