"""Changes of open documents land where the editor made them."""

from __future__ import annotations

import random

import pytest
from lsprotocol import types

from bsl_scout.lsp.convert import editor_lines, utf16_offsets
from bsl_scout.lsp.editor_documents import EditorDocument


def change(document: EditorDocument, start: tuple[int, int], end: tuple[int, int], text: str) -> str:
    place = types.Range(types.Position(*start), types.Position(*end))
    document.apply_change(types.TextDocumentContentChangePartial(place, text))
    return str(document.source)


@pytest.mark.parametrize(
    ("text", "start", "end", "new", "expected"),
    [
        ("а\x0cб\u2028в\nг\n", (1, 0), (1, 1), "Г", "а\x0cб\u2028в\nГ\n"),
        ("а\r\nб\rв\nг", (2, 0), (3, 0), "", "а\r\nб\rг"),
        ('Б = "🙂"; А', (0, 10), (0, 11), "В", 'Б = "🙂"; В'),
        ("а\nб", (1, 1), (1, 1), "\nв", "а\nб\nв"),
        ("а\nб\n", (2, 0), (2, 0), "в", "а\nб\nв"),
        ("", (0, 0), (0, 0), "а", "а"),
        # beyond the line is its end, beyond the document the end of that
        ("а\r\nб", (0, 99), (0, 99), "!", "а!\r\nб"),
        ("а\r\nб", (9, 9), (9, 9), "!", "а\r\nб!"),
        ("аб", (0, 1), (0, 0), "!", "а!б"),
    ],
)
def test_a_change_lands_in_its_line(
    text: str, start: tuple[int, int], end: tuple[int, int], new: str, expected: str
) -> None:
    assert change(EditorDocument("file:///м.bsl", text), start, end, new) == expected


def test_random_changes_are_those_of_the_text() -> None:
    chance = random.Random(1)
    pieces = ["а", "🙂", "\n", "\r\n", "\r", "\u2028", "\x0c", "\x85", "б;"]
    text = "".join(chance.choices(pieces, k=200))
    document = EditorDocument("file:///м.bsl", text)
    for _ in range(300):
        # a place inside a line end is none
        ends = [place for place in range(len(text) + 1) if text[place - 1 : place + 1] != "\r\n" or not place]
        start, end = sorted(chance.choices(ends, k=2))
        new = "".join(chance.choices(pieces, k=chance.randint(0, 3)))
        places = [_position(text, start), _position(text, end)]
        text = text[:start] + new + text[end:]
        assert change(document, places[0], places[1], new) == text


def _position(text: str, place: int) -> tuple[int, int]:
    lines = editor_lines(text[:place])
    return len(lines) - 1, utf16_offsets(lines[-1])[-1]
