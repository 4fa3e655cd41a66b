"""The command line as a user or another program calls it: exit codes, JSON, standard error."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bsl_scout import __version__
from chroma_server import free_port
from support import DEMO, Write, run_cli


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("index")


def run_json(*arguments: object) -> object:
    return json.loads(run_cli(*arguments, "--json").stdout)


def test_index_json(index: Path) -> None:
    found = run_json("index", DEMO, "--index-dir", index)
    assert found["roots"] == [
        {"id": ".", "kind": "configuration", "format": "designer", "path": ".", "name": found["roots"][0]["name"]}
    ]
    assert (found["files"], found["procedures"], found["legs"]) == (51, 296, ["lexical", "vector"])
    again = run_json("index", DEMO, "--index-dir", index, "--no-vectors")
    assert found["objects"] == 72
    total = sum(found["chunks"].values())
    assert again["changed"] == {"added": 0, "updated": 0, "removed": 0, "unchanged": total}


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("search", ["--top", 2], ["заполнить дату заказа"]),
        ("symbols", ["--limit", 2], ["заказ"]),
        ("objects", ["--root", "."], ["Документ.ЗаказПокупателя"]),
        ("form", ["--all"], ["Документ.ЗаказПокупателя.Форма.ФормаДокумента"]),
    ],
)
def test_options_may_stand_before_the_words(index: Path, command: str, options: list[object], words: list[str]) -> None:
    def answer(*arguments: object) -> object:
        found = json.loads(run_cli(command, "--json", "--index-dir", index, *arguments).stdout)
        if isinstance(found, dict):
            found.pop("elapsed_ms", None)
        return found

    assert answer(DEMO, *options, *words) == answer(DEMO, *words, *options) != []


def test_words_too_many_are_an_error(index: Path) -> None:
    done = run_cli("search", DEMO, "один", "--index-dir", index, "два", check=False)
    assert done.returncode == 2
    assert "unrecognized arguments: два" in done.stderr


def test_an_index_without_vectors(tmp_path: Path) -> None:
    assert run_json("index", DEMO, "--index-dir", tmp_path, "--no-vectors")["legs"] == ["lexical"]
    assert run_json("index", DEMO, "--index-dir", tmp_path)["legs"] == ["lexical", "vector"]


def test_search_in_chroma(tmp_path: Path) -> None:
    query = "послать клиенту письмо"
    plain = run_json("search", DEMO, query, "--index-dir", tmp_path, "--mode", "vector")
    run_cli("index", DEMO, "--index-dir", tmp_path, "--store", "chroma")
    assert list(tmp_path.glob("*/chroma/store-*/chroma.sqlite3"))
    found = run_json("search", DEMO, query, "--index-dir", tmp_path, "--mode", "vector", "--store", "chroma")
    assert found["mode"] == "vector"
    assert [hit["symbol"] for hit in found["hits"]] == [hit["symbol"] for hit in plain["hits"]]


def test_search_without_the_chroma_server(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    done = run_cli(
        "search", DEMO, "сумма словами", "--index-dir", tmp_path, "--store", "chroma", "--chroma-url", url, "--json"
    )
    told = "the Chroma server of bslScout.vectors.chromaUrl does not answer (ConnectionRefusedError)"
    assert done.stderr == f"bsl-scout: no search by meaning: {told}\n"
    found = json.loads(done.stdout)
    assert (found["mode"], found["hits"][0]["symbol"]) == ("lexical", "СуммаСловами")
    assert found["route"]["reason"] == f"by words: {told}"
    alone = run_cli("search", DEMO, "сумма", "--index-dir", tmp_path, "--chroma-url", url, check=False)
    assert (alone.returncode, alone.stderr) == (2, "bsl-scout: --chroma-url goes with --store chroma\n")


def test_an_adapted_index(tmp_path: Path) -> None:
    first = run_json("index", DEMO, "--index-dir", tmp_path)
    assert first["adaptation"] == {"state": "off"}
    adapted = run_json("index", DEMO, "--index-dir", tmp_path, "--adapt")["adaptation"]
    assert adapted["state"] in ("ready", "refused")
    assert (adapted["questions"], 0 < adapted["before"] < 1, 0 < adapted["weight"] < 1) == (40, True, True)
    assert (adapted["after"] > adapted["before"]) is (adapted["state"] == "ready")
    # it is told without being done again
    assert run_json("index", DEMO, "--index-dir", tmp_path)["adaptation"] == adapted
    found = run_json("search", DEMO, "сумма словами", "--index-dir", tmp_path)
    assert found["legs"][:2] == ["lexical", "vector"]
    done = run_cli("index", DEMO, "--index-dir", tmp_path, "--adapt", "--no-vectors", check=False)
    assert (done.returncode, done.stderr) == (2, "bsl-scout: --adapt makes vectors, --no-vectors forbids them\n")


def test_own_synonyms(index: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("хотелка = заказ покупателя\nодно\n", encoding="utf-8")
    plain = run_json("search", DEMO, "хотелка", "--index-dir", index, "--mode", "lexical")
    assert plain["hits"] == []
    done = run_cli(
        "search", DEMO, "хотелка", "--index-dir", index, "--mode", "lexical", "--synonyms", own, "--top", 3, "--json"
    )
    assert {hit["owner"] for hit in json.loads(done.stdout)["hits"]} >= {"Документ.ЗаказПокупателя"}
    assert done.stderr == "problem: own.txt: line 2: a group needs two phrases with = or a tab between them\n"
    absent = run_cli("search", DEMO, "заказ", "--index-dir", index, "--synonyms", tmp_path / "absent")
    assert absent.stderr.startswith("problem: absent: the synonyms cannot be read: No such file or directory\n")
    assert absent.stdout


def test_search_json(index: Path) -> None:
    found = run_json("search", DEMO, "сумма словами", "--index-dir", index, "--top", 3, "--mode", "lexical")
    assert found["query"] == "сумма словами"
    assert (found["mode"], found["route"]["mode"], found["legs"]) == ("lexical", "lexical", ["lexical"])
    assert found["convincing"] is True
    assert found["fresh"] == {"indexed": 51, "pending": 0}
    first = found["hits"][0]
    assert (first["rank"], first["symbol"], first["kind"]) == (1, "СуммаСловами", "function")
    assert first["path"] == "CommonModules/ПечатьДокументов/Ext/Module.bsl"
    assert first["owner"] == "ОбщийМодуль.ПечатьДокументов"
    lines = (DEMO / first["path"]).read_text(encoding="utf-8-sig").splitlines()
    assert lines[first["line"] - 1].startswith("Функция СуммаСловами(")
    assert lines[first["end_line"] - 1] == "КонецФункции"
    assert first["snippet"] in lines[first["snippet_line"] - 1]


def test_search_for_similar_procedures(index: Path, tmp_path: Path) -> None:
    path = "CommonModules/КурсыВалютСервер/Ext/Module.bsl"
    lines = (DEMO / path).read_text(encoding="utf-8-sig").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("Функция КурсНаДату("))
    found = run_json("search", DEMO, "--similar", f"{path}:{line}", "--index-dir", index, "--top", 3)
    assert (found["query"], found["route"]["code"], found["legs"]) == ("КурсНаДату", "similar", ["vector"])
    assert len(found["hits"]) == 3
    assert "КурсНаДату" not in {hit["symbol"] for hit in found["hits"]}
    # a path as the shell completes it
    told = run_cli("search", DEMO, "--similar", f"{DEMO / path}:{line}", "--index-dir", index, "--top", 3)
    assert found["hits"][0]["symbol"] in told.stdout.splitlines()[0]
    for place, code, message in (
        (f"{path}:1", 1, f"no procedure of the index is at {path}:1"),
        ("нет.bsl:1", 1, "no procedure of the index is at нет.bsl:1"),
        (path, 2, "--similar takes PATH:LINE, a module and a line of it from 1 on"),
        (f"{path}:0", 2, "--similar takes PATH:LINE, a module and a line of it from 1 on"),
    ):
        done = run_cli("search", DEMO, "--similar", place, "--index-dir", index, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (code, "", f"bsl-scout: {message}\n")
    both = run_cli("search", DEMO, "курс", "--similar", f"{path}:{line}", "--index-dir", index, check=False)
    assert (both.returncode, "goes without QUERY" in both.stderr) == (2, True)


def test_search_by_meaning(index: Path) -> None:
    for mode, legs in (("hybrid", ["lexical", "vector"]), ("vector", ["vector"])):
        found = run_json("search", DEMO, "написать сумму прописью", "--index-dir", index, "--mode", mode)
        assert (found["mode"], found["route"]["mode"], found["legs"]) == (mode, mode, legs)
        assert "СуммаСловами" in [hit["symbol"] for hit in found["hits"][:3]]
        assert all(hit["ranks"].keys() <= set(legs) and hit["ranks"] for hit in found["hits"])
    found = run_json("search", DEMO, "сумма словами", "--index-dir", index, "--mode", "rerank")
    assert "no model that reranks is configured" in found["route"]["reason"]


def test_a_search_that_finds_nothing_is_done(index: Path) -> None:
    found = run_json("search", DEMO, "ъъъъ", "--index-dir", index)
    assert (found["hits"], found["convincing"]) == ([], False)


def test_queries_are_read_line_by_line(index: Path) -> None:
    command = [sys.executable, "-m", "bsl_scout.cli", "search", str(DEMO), "--index-dir", str(index)]
    done = subprocess.run(command, input="сумма словами\n\nnormalize phone\n".encode(), capture_output=True)
    text = done.stdout.decode()
    assert done.returncode == 0
    assert text.index("СуммаСловами") < text.index("NormalizePhone")


def test_symbols_json(index: Path) -> None:
    found = run_json("symbols", DEMO, "--index-dir", index)
    assert len(found) == 296
    assert list(found[0]) == ["name", "kind", "container", "path", "line", "end_line", "export", "async"]
    assert sum(row["async"] for row in found) == 5
    functions = run_json("symbols", DEMO, "--index-dir", index, "--kind", "function")
    assert len(functions) == 94
    (one,) = run_json("symbols", DEMO, "СумСлов", "--index-dir", index, "--limit", 1)
    assert (one["name"], one["container"]) == ("СуммаСловами", "ОбщийМодуль.ПечатьДокументов.Модуль")


def test_a_list_without_symbols_says_so(index: Path, tmp_path: Path) -> None:
    (tmp_path / "пусто.bsl").write_text("// ничего\n", encoding="utf-8")
    for asked, told in (
        ([tmp_path], "no procedures or functions here\n"),
        ([DEMO, "нетТакого"], "no symbols found: нетТакого\n"),
    ):
        done = run_cli("symbols", *asked, "--index-dir", index)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", told)


def test_the_row_of_a_metadata_hit_tells_its_owner_once(index: Path) -> None:
    rows = run_cli("search", DEMO, "дата регистрации контрагента", "--index-dir", index).stdout.split("\n")
    assert "  1. Справочник.Контрагенты.Реквизит.ДатаРегистрации" in rows
    code = [row for row in rows if "ЗадолженностьКонтрагента" in row and row[:4].strip()]
    assert code and code[0].endswith("ЗадолженностьКонтрагента  [ОбщийМодуль.ВзаиморасчетыСервер · модуль]")


def test_metadata_hits(index: Path) -> None:
    found = run_json("search", DEMO, "Количество, Заказ покупателя", "--index-dir", index, "--collection", "metadata")
    first = found["hits"][0]
    assert (first["symbol"], first["kind"], first["synonym"]) == (
        "Документ.ЗаказПокупателя.ТабличнаяЧасть.Товары.Реквизит.Количество",
        "attribute",
        "Количество",
    )
    lines = (DEMO / first["path"]).read_text(encoding="utf-8-sig").splitlines()
    assert "<Attribute" in lines[first["line"] - 1]
    assert "Количество" in "".join(lines[first["line"] - 1 : first["line"] + 3])
    assert {hit["kind"] for hit in found["hits"]}.isdisjoint({"procedure", "function"})
    forms = run_json("search", DEMO, "форма заказа покупателя", "--index-dir", index, "--collection", "form")
    # common forms are objects of their own
    assert {hit["kind"] for hit in forms["hits"] if not hit["symbol"].startswith("ОбщаяФорма.")} == {"form"}
    assert all(hit["path"].endswith("/Ext/Form.xml") for hit in forms["hits"])
    code = run_json("search", DEMO, "Заказ покупателя", "--index-dir", index, "--collection", "code")
    assert {hit["kind"] for hit in code["hits"]} <= {"procedure", "function", "header", "body"}


def test_eval_json(index: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    place = {"path": "CommonModules/ПечатьДокументов/Ext/Module.bsl", "symbol": "СуммаСловами", "grade": 2}
    rows = [
        {"id": "1", "query": "сумма словами", "lang": "ru", "kind": "exact", "relevant": [place]},
        {"id": "2", "query": "ъъъъ", "lang": "ru", "kind": "none", "relevant": []},
    ]
    gold.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    found = run_json("eval", DEMO, "--gold", gold, "--index-dir", index, "--mode", "lexical", "--mode", "flat")
    assert list(found["modes"]) == ["lexical", "flat"]
    for mode in found["modes"].values():
        assert mode["symbol"]["all"]["hit@1"]["mean"] == 1.0
        assert mode["none"] == {"flagged": 1, "total": 1}
    assert {row["level"] for row in found["paired"]} == {"file", "symbol"}
    assert "hit@1" in run_cli("eval", DEMO, "--gold", gold, "--index-dir", index).stdout


def test_one_module_and_a_plain_folder(write: Write, index: Path) -> None:
    top = write({"a.bsl": "Процедура Одна()\nКонецПроцедуры\n", "b.bsl": "Процедура Другая()\nКонецПроцедуры\n"})
    assert [row["name"] for row in run_json("symbols", top, "--index-dir", index)] == ["Одна", "Другая"]
    assert [row["name"] for row in run_json("symbols", top / "b.bsl", "--index-dir", index)] == ["Другая"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["index", "no-such-folder"],
        ["index", str(DEMO / "Configuration.xml")],
        ["search", "no-such-folder", "запрос"],
        ["eval", str(DEMO), "--gold", "no-such-file.jsonl"],
        ["search", str(DEMO), "запрос", "--top", "0"],
        ["search", str(DEMO), "запрос", "--mode", "magic"],
        ["dance"],
    ],
)
def test_wrong_arguments_end_with_code_2_and_a_message(arguments: list[str], index: Path) -> None:
    done = run_cli(*arguments, *(["--index-dir", str(index)] if len(arguments) > 1 else []), check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


def damage(folder: Path) -> None:
    """Overwrite the pages of the postings, which a refresh without changes does not look at."""
    path = next(folder.glob("*/catalog.sqlite"))
    connection = sqlite3.connect(path)
    page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'postings'").fetchone()[0]
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(data)


def test_damage_that_only_a_search_meets_is_repaired(tmp_path: Path) -> None:
    run_cli("index", DEMO, "--index-dir", tmp_path)
    damage(tmp_path)
    done = run_cli("search", DEMO, "сумма словами", "--index-dir", tmp_path)
    assert "СуммаСловами" in done.stdout
    assert "damaged" in done.stderr
    assert "damaged" not in run_cli("search", DEMO, "сумма словами", "--index-dir", tmp_path).stderr


def test_an_index_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run_cli("index", DEMO, "--index-dir", tmp_path / "file", check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot write the index" in done.stderr
    run_cli("index", DEMO, "--index-dir", tmp_path / "ok")
    catalog = next((tmp_path / "ok").glob("*/catalog.sqlite"))
    catalog.unlink()
    catalog.mkdir()
    done = run_cli("index", DEMO, "--index-dir", tmp_path / "ok", check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)


def test_the_index_must_not_lie_inside_the_sources(write: Write) -> None:
    top = write({"a.bsl": ""})
    done = run_cli("index", top, "--index-dir", top / "index", check=False)
    assert done.returncode == 2
    assert not (top / "index").exists()


def test_messages_hold_no_absolute_path(tmp_path: Path, index: Path) -> None:
    done = run_cli("index", tmp_path / "нет", "--index-dir", index, check=False)
    assert str(tmp_path) not in done.stderr


def test_the_source_folder_is_never_written(write: Write, index: Path) -> None:
    top = write({"a.bsl": "Процедура Одна()\nКонецПроцедуры\n"})
    run_cli("search", top, "одна", "--index-dir", index)
    assert [path.name for path in top.rglob("*")] == ["a.bsl"]


def test_version() -> None:
    assert run_cli("--version").stdout.strip() == f"bsl-scout {__version__}"


def test_procedure(index: Path) -> None:
    whole = run_cli("procedure", DEMO, "КурсыВалютСервер.Пересчитать", "--index-dir", index)
    assert whole.stdout.startswith("# PROCEDURE ОбщийМодуль.КурсыВалютСервер · модуль · Пересчитать\n")
    cut = run_cli("procedure", DEMO, "КурсыВалютСервер.Пересчитать", "--index-dir", index, "--max-chars", 700)
    assert len(cut.stdout) <= 701 and "left out: " in cut.stderr
    place = "CommonModules/КурсыВалютСервер/Ext/Module.bsl:38"
    found = run_json("procedure", DEMO, place, "--index-dir", index, "--max-tokens", 100_000)
    assert (found["name"], found["left_out"]["lines"]) == ("Пересчитать", 0)
    assert {one["proof"] for one in found["calls"]} == {"same-module"}
    for name, told in (("НетТакой", "no procedure НетТакой"), ("ПриСозданииНаСервере", "9 procedures")):
        absent = run_cli("procedure", DEMO, name, "--index-dir", index, check=False)
        assert (absent.returncode, absent.stdout) == (1, "") and told in absent.stderr


def test_only_the_chosen_folders(tmp_path: Path, index: Path) -> None:
    top = tmp_path / "sources"
    for name in ("demo", "demo_extension"):
        shutil.copytree(DEMO.parent / name, top / name)
    (top / "docs").mkdir()
    one = (top, "--index-dir", index, "--root", "demo_extension")
    assert [root["id"] for root in run_json("index", *one)["roots"]] == ["demo_extension"]
    # the same index follows: nothing of the other root stays or is mixed in
    assert {hit["root"] for hit in run_json("search", top, "скидка", *one[1:])["hits"]} == {"demo_extension"}
    assert {row["path"].split("/")[0] for row in run_json("symbols", *one)} == {"demo_extension"}
    for command in ("objects", "forms"):
        few, all_of_them = run_json(command, *one), run_json(command, top)
        assert few and {row["path"].split("/")[0] for row in few} == {"demo_extension"}
        assert len(few) < len(all_of_them)
    both = run_json("index", *one, "--root", "demo")
    assert [root["id"] for root in both["roots"]] == ["demo", "demo_extension"]
    told = run_cli("forms", *one[:3], "--root", "docs", "--root", "demo")
    assert told.stderr == "bsl-scout: --root docs: it holds no 1C sources\n"


@pytest.mark.parametrize(
    ("root", "chosen", "message"),
    [
        (".", "нет", "--root нет: there is no such folder in ROOT"),
        (".", "../demo_edt", "--root ../demo_edt: it is outside ROOT"),
        ("CommonModules/ПечатьДокументов/Ext/Module.bsl", "x", "--root chooses folders of ROOT, which is one module"),
    ],
)
def test_a_wrong_chosen_folder_ends_with_code_2(root: str, chosen: str, message: str, index: Path) -> None:
    for command in (["index"], ["search", "скидка"], ["forms"]):
        found = run_cli(command[0], DEMO / root, *command[1:], "--root", chosen, "--index-dir", index, check=False)
        assert (found.returncode, found.stderr) == (2, f"bsl-scout: {message}\n")


@pytest.mark.parametrize(
    ("name", "similar"),
    [
        (
            "Документ.ЗаказПокупателя",
            ["Документ.ЗаказПокупателя.Форма.ФормаДокумента", "Документ.ЗаказПокупателя.Форма.ФормаСписка"],
        ),
        ("моизадачи", ["ОбщаяФорма.МоиЗадачи"]),
        ("ОбщаяФорма.МоиЗадчи", ["ОбщаяФорма.МоиЗадачи"]),
    ],
)
def test_a_form_that_is_not_there_is_told_with_those_like_it(name: str, similar: list[str]) -> None:
    done = run_cli("form", DEMO, name, check=False)
    told = "\n".join([f"bsl-scout: there is no form {name}, similar ones:", *(f"  {one}" for one in similar)])
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{told}\n")
    nothing = run_cli("form", DEMO, "qqqq", check=False)
    assert (nothing.returncode, nothing.stderr) == (1, "bsl-scout: there is no form qqqq\n")


def test_a_query_inside_an_object_that_is_not_there(index: Path) -> None:
    wrong = ("search", DEMO, "@Документ.Зказ заполнить", "--index-dir", index)
    done = run_cli(*wrong, "--json", check=False)
    told = "no object is called Документ.Зказ (similar: Документ.ЗаказПокупателя)"
    assert (done.returncode, done.stderr) == (1, f"bsl-scout: {told}\n")
    found = json.loads(done.stdout)
    assert (found["hits"], found["route"]["code"]) == ([], "unknown-name")
    assert found["route"]["names"] == ["Документ.Зказ", "Документ.ЗаказПокупателя"]
    # one of two names is there: an answer, and what is wrong with the other
    both = run_cli("search", DEMO, "@Документ.Зказ @Справочник.Валюты курс", "--index-dir", index, "--json")
    assert json.loads(both.stdout)["hits"] and told in both.stderr


def test_an_error_of_a_module_that_is_not_here(index: Path) -> None:
    done = run_cli("search", DEMO, "{ОбщийМодуль.Нет.Модуль(45)}: Поле не обнаружено", "--index-dir", index, "--json")
    told = "not here: ОбщийМодуль.Нет (another configuration or an extension?)"
    assert done.stderr == f"bsl-scout: {told}\n"
    route = json.loads(done.stdout)["route"]
    assert (route["code"], route["names"], route["reason"]) == ("no-module", ["ОбщийМодуль.Нет"], told)
