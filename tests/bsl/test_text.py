"""Decoding, folding and line numbers."""

from __future__ import annotations

import pytest

from bsl_scout.bsl.text import LineIndex, content_hash, decode, fold, lower

CODE = "Процедура Учёт()\n// ёж\nКонецПроцедуры\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_without_a_problem(encoding: str) -> None:
    assert decode(CODE.encode(encoding)).text == CODE
    assert decode(CODE.encode(encoding)).problem is None


def test_windows_1251_is_read_and_told() -> None:
    decoded = decode(CODE.encode("cp1251"))
    assert decoded.text == CODE
    assert decoded.problem == "not UTF-8, read as Windows-1251"


def test_broken_utf8_keeps_the_rest_and_names_the_line() -> None:
    decoded = decode(CODE.encode() + b"// \xd0\xff\n" + CODE.encode())
    assert decoded.text.count("Процедура Учёт") == 2
    assert decoded.problem is not None
    assert "line 4" in decoded.problem


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"])
def test_an_empty_module_is_told(data: bytes) -> None:
    assert decode(data).text == ""
    assert decode(data).problem == "the module is empty"


def test_nuls_become_spaces_and_binary_is_not_read() -> None:
    some = decode(CODE.encode() * 20 + b"// a\0b\n")
    assert "// a b" in some.text
    assert some.problem == "1 NUL bytes read as spaces"
    binary = decode(bytes(range(256)) * 40 + b"\0" * 500)
    assert binary.text == ""
    assert binary.problem is not None and "binary" in binary.problem


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_do_not_matter(end: str) -> None:
    text = decode(CODE.replace("\n", end).encode()).text
    assert text == CODE
    assert content_hash(text) == content_hash(CODE)


def test_mixed_line_ends_count_as_an_editor_counts() -> None:
    lines = LineIndex(decode(b"a\r\nb\rc\n\nd").text)
    assert [lines.line(offset) for offset in (0, 2, 4, 6, 7)] == [0, 1, 2, 3, 4]


def test_folding_ignores_case_and_yo() -> None:
    assert fold("УчЁтНДС") == fold("учетндс")
    assert fold("ITEM") == "item"


def test_lower_keeps_offsets() -> None:
    text = "ПривеТ İstanbul"
    assert len(lower(text)) == len(text)
    assert lower(text).startswith("привет")


def test_hash_tells_parts_apart() -> None:
    assert content_hash("ab", "c") != content_hash("a", "bc")
