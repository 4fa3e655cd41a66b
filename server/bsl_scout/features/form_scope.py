"""Which names of a form a procedure of its module hides: parameters, its own variables, all without a context."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bsl_scout.bsl.chunks import Chunk, outline
from bsl_scout.bsl.text import fold

_BORDER = re.compile(
    r"[ \t;]*(?:(?:Асинх|Async)[ \t]+)?(?P<begin>Процедура|Функция|Procedure|Function)\s|"
    r"[ \t]*(?P<end>КонецПроцедуры|КонецФункции|EndProcedure|EndFunction)(?!\w)",
    re.IGNORECASE,
)
_VARIABLES = re.compile(r"^[ \t]*(?:Перем|Var)[ \t]+([^;/]+)", re.IGNORECASE | re.MULTILINE)
# procedures that see nothing of the form, so that every name in them is their own
_WITHOUT_CONTEXT = frozenset(
    map(
        fold,
        (
            "НаСервереБезКонтекста",
            "НаКлиентеНаСервереБезКонтекста",
            "AtServerNoContext",
            "AtClientAtServerNoContext",
        ),
    )
)
# annotations and comments above a header that are looked at
_ABOVE = 8


@dataclass(frozen=True, slots=True)
class Scope:
    """The lines of a procedure (0-based, inclusive), the folded names that are its own, whether it sees the form.

    An assignment makes no name a procedure's own: a name that the form has is the form's, and is assigned to.
    """

    first: int
    last: int
    names: frozenset[str]
    context: bool

    def hides(self, name: str) -> bool:
        """Return whether a name means something else here than what the form calls so."""
        return not self.context or fold(name) in self.names


def scopes(text: str) -> list[Scope]:
    """Return the scopes of the procedures of a module, in their order."""
    return [_scope(chunk, 0) for chunk in outline(text) if chunk.name]


def scope_at(lines: Sequence[str], line: int) -> Scope | None:
    """Return the scope that a line of a module is in, None outside of procedures; only its procedure is read."""
    first = line
    while first >= 0:
        border = _BORDER.match(lines[first])
        if border and border["begin"]:
            break
        if border and first < line:
            return None
        first -= 1
    if first < 0:
        return None
    last = next((i for i in range(first, len(lines)) if _ends(lines[i])), len(lines) - 1)
    top = max(first - _ABOVE, 0)
    # what ends above is another procedure
    top = next((i + 1 for i in range(first - 1, top - 1, -1) if _ends(lines[i])), top)
    text = "\n".join(one.rstrip("\r\n") for one in lines[top : last + 1])
    found = (_scope(chunk, top) for chunk in outline(text) if chunk.name)
    return next((scope for scope in found if scope.first <= line <= scope.last), None)


def _ends(line: str) -> bool:
    border = _BORDER.match(line)
    return border is not None and border["end"] is not None


def _scope(chunk: Chunk, top: int) -> Scope:
    names = {fold(parameter.name) for parameter in chunk.parameters}
    for match in _VARIABLES.finditer(chunk.text):
        names.update(fold(name.strip()) for name in match[1].split(","))
    context = not any(fold(annotation.name) in _WITHOUT_CONTEXT for annotation in chunk.annotations)
    return Scope(top + chunk.line, top + chunk.end_line, frozenset(names), context)
