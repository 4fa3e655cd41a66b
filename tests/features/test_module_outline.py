"""The outline of a module."""

from __future__ import annotations

from typing import Any

import pytest

from bsl_scout.features.module_outline import module_outline
from bsl_scout.features.outline import Entry

NESTED = """
#Область Внешняя
Процедура Первая()
	#Область Внутри
	#КонецОбласти
КонецПроцедуры
#Region Inner
Function Second()
EndFunction
#EndRegion
#КонецОбласти
Процедура Третья()
КонецПроцедуры"""


def tree(entries: list[Entry] | tuple[Entry, ...]) -> list[tuple[Any, ...]]:
    return [(one.name, one.kind, one.line, one.end, tree(one.inner)) for one in entries]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            NESTED,
            [
                (
                    "Внешняя", "region", 1, 10,
                    [
                        ("Первая", "procedure", 2, 5, []),
                        ("Inner", "region", 6, 9, [("Second", "function", 7, 8, [])]),
                    ],
                ),
                ("Третья", "procedure", 11, 12, []),
            ],
        ),
        # no end of the region, an end too many
        (
            "#КонецОбласти\n#Область Одна\nПроцедура П()\nКонецПроцедуры\n",
            [("Одна", "region", 1, 3, [("П", "procedure", 2, 3, [])])],
        ),
        ("#Область Пустая", [("Пустая", "region", 0, 0, [])]),
        ("А = 1;", []),
        ("", []),
    ],
)  # fmt: skip
def test_procedures_stand_in_their_regions(text: str, expected: list[tuple[Any, ...]]) -> None:
    assert tree(module_outline(text)) == expected


def test_regions_are_not_nested_without_end() -> None:
    deep = 3_000
    text = (
        "#Область А\n" * deep
        + "Процедура П()\nКонецПроцедуры\n"
        + "#КонецОбласти\n" * deep
        + "Процедура Р()\nКонецПроцедуры"
    )
    outermost, last = module_outline(text)
    assert (outermost.end, last.name) == (2 * deep + 1, "Р")
    depth, inner = 0, outermost
    while inner.kind == "region":
        depth, inner = depth + 1, inner.inner[0]
    assert (depth, inner.name) == (50, "П")
