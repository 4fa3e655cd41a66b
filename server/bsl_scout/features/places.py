"""Lines of the platform's errors and call stacks as places in the sources.

The platform writes `{ОбщийМодуль.Имя.Модуль(45)}: текст`, `{Документ.Имя.МодульОбъекта(12,5)}`, an extension's
name before the module (`{Расширение ОбщийМодуль.Имя.Модуль(3)}`), forms as `{Документ.Имя.Форма.Имя.Форма(7)}`, and
all of it in English when its interface is English (`{CommonModule.Name.Module(45)}`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bsl_scout.bsl.text import fold
from bsl_scout.configuration.kinds import KINDS, MODULES

_PLACE = re.compile(r"\{\s*(?:([^\s{}()]+)\s+)?([^\s{}()]+?)\s*\(\s*(\d{1,9})\s*(?:,\s*(\d{1,9})\s*)?\)\s*\}")
# one table for names in both languages: every word of a module's address in folded Russian
_RUSSIAN = {fold(kind.english): fold(kind.russian) for kind in KINDS}
_RUSSIAN |= {fold(english): fold(russian) for english, (russian, _) in MODULES.items()}
_RUSSIAN |= {"form": "форма", "command": "команда"}
_CHILDREN = frozenset({"форма", "команда"})


@dataclass(frozen=True, slots=True)
class Place:
    """A place that a text names: folded Russian address of the module, 1-based line and column, extension.

    `name` is what the module is called in the text, for people.
    """

    address: str
    line: int
    column: int
    extension: str | None
    name: str = field(default="", compare=False)


def find_places(text: str) -> list[Place]:
    """Return the places that a pasted text names, in order, each once; none for an ordinary query."""
    if "{" not in text:
        return []
    found = [
        Place(module_key(match[2]), max(int(match[3]), 1), max(int(match[4] or 1), 1), match[1], _name(match))
        for match in _PLACE.finditer(text)
    ]
    return list(dict.fromkeys(found))


def without_places(text: str) -> str:
    """Return a text without the places that it names."""
    return _PLACE.sub(" ", text).strip(" :\n\t")


def _name(match: re.Match[str]) -> str:
    # every common module has one module only: its last word tells nothing
    return " ".join(filter(None, (match[1], re.sub(r"\.(?:модуль|module)$", "", match[2], flags=re.IGNORECASE))))


def module_key(address: str) -> str:
    """Return the address of a module (`Document.А.ObjectModule`, `Документ.А.МодульОбъекта`) in one spelling."""
    parts = [fold(part) for part in address.split(".")]
    # names between the words of the platform are the user's: an object may well be called Form
    words = {0, len(parts) - 1, *(i for i in range(2, len(parts) - 1, 2))}
    parts = [_RUSSIAN.get(part, part) if i in words else part for i, part in enumerate(parts)]
    return ".".join(parts)
