"""What the command line tells of what is not there or only nearly so, and with which exit code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import DEMO, REPOSITORY, Write, run_cli


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("index")


def test_a_folder_without_sources_is_told(tmp_path: Path, index: Path) -> None:
    (tmp_path / "прочее").mkdir()
    (tmp_path / "прочее" / "readme.txt").write_text("не исходник", encoding="utf-8")
    looked_for = re.search(r"LOOKED_FOR = '(.*)'", (REPOSITORY / "extension/src/statusText.ts").read_text("utf-8"))
    assert looked_for
    told = f"bsl-scout: no 1C sources here; looked for {looked_for[1]}\n"
    commands: list[list[object]] = [
        ["search", "x"],
        ["symbols"],
        ["objects"],
        ["forms"],
        ["form", "Ф"],
        ["procedure", "П"],
    ]
    for command, *words in commands:
        for options in ([], ["--json"]):
            done = run_cli(command, tmp_path, *words, *options, "--index-dir", index, check=False)
            assert (done.returncode, done.stdout, done.stderr) == (1, "", told), command
    shown = run_cli("index", tmp_path, "--index-dir", index, "--json", check=False)
    assert (shown.returncode, shown.stderr, json.loads(shown.stdout)["files"]) == (1, told, 0)
    chosen = run_cli("forms", tmp_path, "--root", "прочее", check=False)
    assert (chosen.returncode, chosen.stderr) == (1, f"bsl-scout: --root прочее: it holds no 1C sources\n{told}")


@pytest.mark.parametrize(
    ("words", "similar"),
    [
        (("objects", "Документ.ЗаказПокупателей"), ["Документ.ЗаказПокупателя"]),
        (("objects", "Document.Зказ"), ["Документ.ЗаказПокупателя"]),
        (("objects", "Документ.Ъъъ"), []),
        (("procedure", "Пересчитат"), ["Пересчитать  CommonModules/КурсыВалютСервер/Ext/Module.bsl:31"]),
        (("procedure", "НетМодуля.Пересчитать"), ["Пересчитать  CommonModules/КурсыВалютСервер/Ext/Module.bsl:31"]),
        (("procedure", "Ъъъ"), []),
        (
            ("form", "Документ.ЗаказПокупателя.Форма.НетФормы"),
            ["Документ.ЗаказПокупателя.Форма.ФормаДокумента", "Документ.ЗаказПокупателя.Форма.ФормаСписка"],
        ),
        (("form", "Документ.ЗаказПокупател.Форма.ФормаСписка"), ["Документ.ЗаказПокупателя.Форма.ФормаСписка"]),
        (("form", "ОбщаяФорма.НетФормы"), []),
    ],
)
def test_what_is_not_there_is_told_with_what_is_like_it(
    words: tuple[str, str], similar: list[str], index: Path
) -> None:
    command, name = words
    done = run_cli(command, DEMO, name, "--index-dir", index, check=False)
    kind = {"objects": "object"}.get(command, command)
    head, *rows = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (1, "")
    assert head == f"bsl-scout: there is no {kind} {name}{', similar ones:' if similar else ''}"
    assert [row.strip() for row in rows][: len(similar)] == similar and (len(rows) > 0) == bool(similar)


def test_queries_of_a_file_stand_above_what_they_find(index: Path) -> None:
    command = [sys.executable, "-m", "bsl_scout.cli", "search", str(DEMO), "--index-dir", str(index), "--top", "1"]
    queries = "сумма словами\n\n{ОбщийМодуль.Нет.Модуль(4)}: ъъъ\n"
    # both streams into one file, as a person sees them
    done = subprocess.run(command, input=queries.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    rows = done.stdout.decode().splitlines()
    assert rows[0] == "сумма словами" and rows[1].startswith("  1. СуммаСловами")
    second = rows.index("{ОбщийМодуль.Нет.Модуль(4)}: ъъъ")
    assert rows[second - 1].strip().endswith("legs: lexical, vector")
    told = "bsl-scout: not here: ОбщийМодуль.Нет (another configuration or an extension?)"
    assert rows[second + 1 : second + 3] == [told, "nothing found"]
    as_json = subprocess.run([*command, "--json"], input="сумма словами\n".encode(), capture_output=True)
    assert json.loads(as_json.stdout)["query"] == "сумма словами"


def test_wrong_arguments_are_named(index: Path, tmp_path: Path) -> None:
    gold = tmp_path / "нет.jsonl"
    absent = run_cli("eval", DEMO, "--gold", gold, "--index-dir", index, check=False)
    told = f"bsl-scout: cannot read the questions: {gold}: No such file or directory\n"
    assert (absent.returncode, absent.stderr) == (2, told)
    for query in ("", "  "):
        empty = run_cli("search", DEMO, query, "--index-dir", index, check=False)
        assert (empty.returncode, empty.stdout, empty.stderr) == (2, "", "bsl-scout: QUERY is empty\n")


def test_an_empty_module_is_told(index: Path, write: Write) -> None:
    top = write({"пусто.bsl": "\n", "код.bsl": "Процедура Одна()\nКонецПроцедуры\n"})
    one = (top / "пусто.bsl", "--index-dir", index)
    problem = "problem: пусто.bsl: the module is empty\n"
    found = run_cli("search", one[0], "x", *one[1:])
    assert (found.stdout, found.stderr.startswith(problem)) == ("nothing found\n", True)
    assert run_cli("symbols", *one).stderr == f"{problem}no procedures or functions here\n"
    for asked, told in (
        (("procedure", top, "пусто.bsl:1"), "there is no procedure пусто.bsl:1: the module is empty"),
        (("procedure", top, "код.bsl:9"), "there is no procedure код.bsl:9"),
        (
            ("search", top, "--similar", "пусто.bsl:1"),
            "no procedure of the index is at пусто.bsl:1: the module is empty",
        ),
    ):
        done = run_cli(*asked, "--index-dir", index, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"bsl-scout: {told}\n")
