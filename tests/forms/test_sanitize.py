"""No absolute path survives, whatever stands around it; what is no path stays as it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bsl_scout.forms.sanitize import sanitize_paths

CASES = [
    ("No such file: '/home/ivan/dump/Catalog/Х/Form'", "No such file: '.../dump/Catalog/Х/Form'"),
    ("/home/u/a/Catalog/Объект/CatalogForm/Форма", ".../Catalog/Объект/CatalogForm/Форма"),
    (r"C:\Users\Иван Петров\dump\Form.xml не прочитан.", ".../dump/Form.xml не прочитан."),
    (r"D:/Work/cf/Form.xml", ".../Work/cf/Form.xml"),
    (r"\\srv01\share\dump\x\Form.xml", ".../dump/x/Form.xml"),
    ("file:///home/u/dump/Form.xml", ".../dump/Form.xml"),
    ("file:///C:/Users/u/x.xml", ".../x.xml"),
    ("file:///c%3A/Users/u/x.xml", ".../x.xml"),
    ("~/x/y", ".../x/y"),
    ("~ivan/x", ".../x"),
    (r"\\?\C:\dump\a", ".../dump/a"),
    (r"\\?\UNC\host\share\d\x", ".../d/x"),
    ("$HOME/x/y", ".../x/y"),
    (r"%USERPROFILE%\x", ".../x"),
    (r"C:\Program Files\1cv8\bin and then", ".../Program Files/1cv8/bin and then"),
    ("/root", "..."),
    ("//host/share/x/y", ".../x/y"),
]
KEPT = [
    "и/или, да/нет, 10/20",
    "/ping",
    "ссылка http://site.ru/a/b",
    "Catalogs/Х/Forms/Ф/Ext/Form.xml",
    "</tag/x>",
    "ВЫБРАТЬ Сумма / Количество / 2",
    "//комментарий о чём-то",
    "Объект.Товары.Цена",
    "~Список.DefaultPicture",
    "Время 12:30, C: диск",
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_path_keeps_its_useful_tail(text: str, expected: str) -> None:
    assert sanitize_paths(text) == expected
    assert sanitize_paths(expected) == expected


@pytest.mark.parametrize("text", KEPT)
def test_what_is_no_absolute_path_stays(text: str) -> None:
    assert sanitize_paths(text) == text


NAME = st.text("абвгABCxyz019_-", min_size=1, max_size=8)
USER = st.sampled_from(["ivan", "Иван", "Администратор", "jsmith"])
HEADS = st.one_of(
    USER.map(lambda user: f"/home/{user}/"),
    USER.map(lambda user: f"C:\\Users\\{user}\\"),
    USER.map(lambda user: f"file:///home/{user}/"),
    USER.map(lambda user: f"file:///D:/Users/{user}/"),
    USER.map(lambda user: f"\\\\?\\C:\\Users\\{user}\\"),
    USER.map(lambda user: f"~{user}/"),
    st.just("\\\\server7\\share7\\"),
    st.just("\\\\?\\UNC\\server7\\share7\\"),
    st.just("$HOME/"),
    st.just("%APPDATA%\\"),
    st.just("/var/lib/"),
)
AROUND = st.sampled_from(["", " ", "'", '"', "(", ": ", "не прочитан: ", "[Errno 2] No such file or directory: '"])
TELLING = re.compile(
    r"home|Users|ivan|Иван|Администратор|jsmith|server7|share7|HOME|APPDATA|[A-Za-z]:[\\/]|file:|\\", re.IGNORECASE
)


@settings(max_examples=400, deadline=None)
@given(AROUND, HEADS, st.lists(NAME, min_size=1, max_size=6), st.sampled_from("/\\"), AROUND)
def test_no_absolute_path_survives(before: str, head: str, parts: list[str], separator: str, after: str) -> None:
    text = before + head + separator.join(parts) + after
    cleaned = sanitize_paths(text)
    assert not TELLING.search(cleaned), (text, cleaned)
    assert cleaned.count(".../") >= 1
    assert parts[-1] in cleaned
    assert sanitize_paths(cleaned) == cleaned


@settings(max_examples=100, deadline=None)
@given(HEADS, NAME)
def test_texts_of_operating_system_errors(head: str, name: str) -> None:
    for kind in (FileNotFoundError, PermissionError, IsADirectoryError):
        told = sanitize_paths(str(kind(2, "No such file or directory", head + name)))
        assert not TELLING.search(told), told


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_cleaned_once(text: str) -> None:
    cleaned = sanitize_paths(text)
    assert sanitize_paths(cleaned) == cleaned
