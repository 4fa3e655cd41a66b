"""Lines and columns of the protocol."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath
from typing import cast

import pytest

from bsl_scout.lsp.convert import column_of, editor_lines, path_of, path_text, uri_of
from bsl_scout.lsp.folder import Folder


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


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        # as VS Code writes them, and as pathlib does
        ("file:///c%3A/Users/%D0%98%D0%B2%D0%B0%D0%BD%D0%BE%D0%B2%20%D0%98/cf/a.bsl", r"C:\Users\Иванов И\cf\a.bsl"),
        ("file:///C:/%D0%B2%D1%8B%D0%B3%D1%80%D1%83%D0%B7%D0%BA%D0%B0", r"c:\выгрузка"),
        ("file:///d%3A/a%23b%25/c%3Bd", r"D:\a#b%\c;d"),
        ("file:///d%3A/", "D:\\"),
        ("file://server/share%20%D1%91/cf", r"\\server\share ё\cf"),
        ("file:///c%3A/" + "%D0%9F" * 300 + "/Module.bsl", "C:\\" + "П" * 300 + "\\Module.bsl"),
    ],
)
def test_paths_of_windows(uri: str, path: str) -> None:
    text = path_text(uri, windows=True)
    assert text is not None
    assert PureWindowsPath(text) == PureWindowsPath(path)
    assert PureWindowsPath(text).is_absolute()
    assert path_text(uri_of(PureWindowsPath(path)), windows=True) == PureWindowsPath(path).as_posix()


def test_paths_of_posix() -> None:
    assert path_text("file:///home/%D0%B8/a%20b/c%3A/x.bsl", windows=False) == "/home/и/a b/c:/x.bsl"
    assert path_text("file:///c%3A/x", windows=False) == "/c:/x"
    assert path_of(uri_of(Path("/tmp/ё #%"))) == Path("/tmp/ё #%")
    assert [path_of(uri) for uri in ("untitled:Untitled-1", "vscode-vfs://github/a/b", "file://[x/y")] == [None] * 3


def test_the_index_writes_paths_of_windows_with_slashes() -> None:
    folder = Folder(cast(Path, PureWindowsPath(r"C:\Users\Иванов Иван\cf")), Path("index"))
    module = PureWindowsPath(r"c:\users\иванов иван\CF\CommonModules\Общий\Ext\Module.bsl")
    assert folder.relative(module) == "CommonModules/Общий/Ext/Module.bsl"
    assert folder.relative(PureWindowsPath(r"C:\Users\Иванов Иван\cfe\x.bsl")) is None
    assert folder.relative(PureWindowsPath(r"D:\Users\Иванов Иван\cf\x.bsl")) is None
