"""Phrases that mean the same: which terms they add, and the user's own file."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.bsl.names import text_terms
from bsl_scout.retrieval.dictionary import terms
from bsl_scout.retrieval.synonyms import groups_of, load_synonyms, make_synonyms, read_groups


def same(query: str, *groups: list[str]) -> list[str]:
    return make_synonyms(groups).same(text_terms(query))


def test_an_abbreviation_and_its_words() -> None:
    group = ["НДС", "налог на добавленную стоимость"]
    assert same("ставка НДС", group) == sorted(terms(group[1]))
    assert same("налога на добавленную стоимость", group) == terms("НДС")
    # part of a phrase is not the phrase
    assert same("налог", group) == []
    assert same("", group) == []


def test_groups_without_use() -> None:
    assert make_synonyms([[], ["один"], ["", "два"], ["и", "на"]]).groups == ()


def test_a_single_word_for_a_single_word() -> None:
    groups = [["смс", "SMS", "короткое сообщение"], ["смс", "эсэмэс"]]
    assert make_synonyms(groups).alone(text_terms("отправить смс")) == {"смс": ["sms", "эсэмэс"]}
    # words that the query has already are no others, and a phrase of several words stands for none
    assert make_synonyms(groups).alone(text_terms("короткое сообщение смс sms")) == {"смс": ["эсэмэс"], "sms": []}


COMMON = {"sms": 90, "смс": 3, "коротк": 50, "сообщен": 900, "пользовател": 700, "юзер": 1, "винд": 0}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("отправить СМС клиенту", "отправить SMS клиенту"),
        ("короткое срочное сообщение юзеру", "SMS срочное пользователь"),
        ("отправить sms юзеру", "отправить sms пользователь"),
        # it is called so already, a part of a phrase is not the phrase, and of two equal phrases the query's stays
        ("sms пользователю", None),
        ("короткое", None),
        ("винда", None),
        ("окошко винды", None),
        ("", None),
    ],
)
def test_a_query_in_the_words_of_the_index(query: str, expected: str | None) -> None:
    groups = [["смс", "SMS", "короткое сообщение"], ["юзер", "пользователь"], ["окна", "винда"]]
    assert make_synonyms(groups).reworded(query, lambda term: COMMON.get(term, 0)) == expected


def test_built_in() -> None:
    synonyms, problems = load_synonyms()
    assert problems == []
    assert synonyms.same(text_terms("юзеры")) == terms("пользователь")
    assert set(terms("распределенная информационная база")) <= set(synonyms.same(text_terms("узел РИБ")))


@pytest.mark.parametrize(
    ("name", "text", "groups", "messages"),
    [
        ("own.tsv", "# мои слова\nСУК\tуправление качеством\n\nодно\n", [["СУК", "управление качеством"]], 1),
        ("own.txt", "СУК = управление качеством = QMS\nа=\n", [["СУК", "управление качеством", "QMS"]], 1),
        ("own.json", '[["СУК", "качество"], ["одно"], [1, 2], 5]', [["СУК", "качество"]], 3),
        ("own.json", '{"СУК": ["качество", "контроль"], "а": "б"}', [["СУК", "качество", "контроль"], ["а", "б"]], 0),
        ("own.json", '{"СУК": [', [], 1),
        ("own.json", '"слово"', [], 1),
        ("own.json", "[" * 100_000, [], 1),
        ("own.tsv", "", [], 0),
    ],
)
def test_a_users_file(tmp_path: Path, name: str, text: str, groups: list[list[str]], messages: int) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    found, problems = read_groups(path)
    assert found == groups
    assert len(problems) == messages
    assert all(problem.path == name and problem.message for problem in problems)


@pytest.mark.parametrize(
    ("entries", "groups", "wrong"),
    [
        (None, [], []),
        (
            ["СУК = управление качеством", "хотелка=заявка=пожелание"],
            [["СУК", "управление качеством"], ["хотелка", "заявка", "пожелание"]],
            [],
        ),
        (["СУК", "= б", 5, ["а", "б"], "а = б"], [["а", "б"]], ["СУК", "= б", "5", "['а', 'б']"]),
        ("СУК = качество", [], ["СУК = качество"]),
    ],
)
def test_a_setting(entries: object, groups: list[list[str]], wrong: list[str]) -> None:
    assert groups_of(entries) == (groups, wrong)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    synonyms, problems = load_synonyms(tmp_path / "absent.tsv")
    assert [problem.path for problem in problems] == ["absent.tsv"]
    # the built-in ones serve on
    assert synonyms.same(text_terms("юзер"))
    (tmp_path / "bytes.tsv").write_bytes(b"\xff\xfe\x00\xd8\t\x00")
    load_synonyms(tmp_path / "bytes.tsv")
    assert read_groups(tmp_path)[1]


def test_the_users_words_are_added(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("хотелка\tзаявка покупателя\n", encoding="utf-8")
    synonyms, problems = load_synonyms(path)
    assert not problems
    assert set(synonyms.same(text_terms("новые хотелки"))) == set(terms("заявка покупателя"))
