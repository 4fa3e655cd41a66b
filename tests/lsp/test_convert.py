"""Lines and columns of the protocol."""

from __future__ import annotations

import pytest

from bsl_scout.lsp.convert import column_of, editor_lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("а\r\nб\rв\n", ["а", "б", "в", ""]),
        ("а\fб\vв\x85г\u2028д\u2029е\x1cж\nз", ["а\fб\vв\x85г\u2028д\u2029е\x1cж", "з"]),
    ],
)
def test_only_line_feeds_and_returns_end_lines(text: str, lines: list[str]) -> None:
    assert editor_lines(text) == lines


@pytest.mark.parametrize(
    ("line", "units", "column"),
    [
        ("абв", 0, 0),
        ("абв", 2, 2),
        ("абв", 3, 3),
        ("абв", 99, 3),
        ("😋а", 0, 0),
        ("😋а", 1, 0),
        ("😋а", 2, 1),
        ("", 5, 0),
    ],
)
def test_columns(line: str, units: int, column: int) -> None:
    assert column_of(line, units) == column
