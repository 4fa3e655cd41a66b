"""Refreshing an index: only what changed is written, bad files cost themselves only, a kill loses nothing."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from bsl_scout.index import indexer
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import Changes, refresh
from bsl_scout.index.place import index_folder
from bsl_scout.index.writer_lock import LOCK_NAME, OWNER_NAME, IndexLockedError, writing
from bsl_scout.retrieval.search import Searcher
from support import DEMO, Write, copy_demo, index_state

MODULE = """Процедура Первая() Экспорт
	Вторая();
КонецПроцедуры

// Считает скидку.
Функция Вторая()
	Возврат 1;
КонецФункции
"""


def rewritten(changes: Changes) -> tuple[int, int, int]:
    return changes.added, changes.updated, changes.removed


def test_a_second_run_writes_nothing(write: Write, tmp_path: Path) -> None:
    top = write({"a.bsl": MODULE, "b/c.os": MODULE})
    first = refresh(top, tmp_path / "index")
    assert (first.files, first.procedures, first.chunks) == (2, 4, 4)
    assert rewritten(first.changes) == (4, 0, 0)
    second = refresh(top, tmp_path / "index")
    assert rewritten(second.changes) == (0, 0, 0)
    assert second.changes.unchanged == 4


def test_one_edited_procedure_rewrites_one_chunk(write: Write, tmp_path: Path) -> None:
    top = write({"a.bsl": MODULE})
    refresh(top, tmp_path / "index")
    write({"a.bsl": "\n\n" + MODULE.replace("Возврат 1", "Возврат Скидка")})
    report = refresh(top, tmp_path / "index")
    assert rewritten(report.changes) == (0, 1, 0)
    searcher = Searcher(tmp_path / "index")
    (hit,) = searcher.search("скидка").hits
    assert (hit.symbol, hit.line, hit.end_line) == ("Вторая", 7, 9)
    (moved,) = searcher.search("Первая").hits
    assert moved.line == 2
    searcher.close()


def test_line_ends_times_and_encoding_marks_rewrite_nothing(write: Write, tmp_path: Path) -> None:
    top = write({"a.bsl": MODULE})
    refresh(top, tmp_path / "index")
    (top / "a.bsl").write_bytes(b"\xef\xbb\xbf" + MODULE.replace("\n", "\r\n").encode())
    assert rewritten(refresh(top, tmp_path / "index").changes) == (0, 0, 0)
    os.utime(top / "a.bsl", (1, 1))
    assert rewritten(refresh(top, tmp_path / "index").changes) == (0, 0, 0)


def test_renamed_and_removed(write: Write, tmp_path: Path) -> None:
    top = write({"a.bsl": MODULE, "b.bsl": MODULE})
    refresh(top, tmp_path / "index")
    write({"a.bsl": MODULE.replace("Первая", "Третья")})
    (top / "b.bsl").unlink()
    report = refresh(top, tmp_path / "index")
    assert rewritten(report.changes) == (1, 0, 3)
    searcher = Searcher(tmp_path / "index")
    assert [hit.symbol for hit in searcher.search("Третья").hits] == ["Третья"]
    assert searcher.search("Первая").hits == []
    searcher.close()


def test_a_long_procedure_is_one_hit(write: Write, tmp_path: Path) -> None:
    body = "".join(f"\tОстаток{i} = РассчитатьОстаток(Склад{i});\n" for i in range(500))
    top = write({"a.bsl": f"Процедура Длинная()\n{body}КонецПроцедуры\n" + MODULE})
    report = refresh(top, tmp_path / "index")
    assert report.chunks > report.procedures
    searcher = Searcher(tmp_path / "index")
    (hit,) = searcher.search("рассчитать остаток").hits
    assert (hit.symbol, hit.line, hit.end_line) == ("Длинная", 0, 501)
    assert searcher.search("остаток склад 480").hits[0].snippet_line == 481
    searcher.close()


def bad_files() -> dict[str, str | bytes]:
    return {
        "good.bsl": MODULE,
        "broken.bsl": MODULE.encode() + b"// \xd0\xd0\xff\n",
        "cp1251.bsl": MODULE.encode("cp1251"),
        "empty.bsl": b"",
        "nul.bsl": MODULE.encode() * 20 + b"//\0\n",
        "protected.bsl": random.Random(1).randbytes(5000) + b"\0" * 200,
        "giant.bsl": "Процедура Гигант()\n" + '\tЗначение = Обработать(Ключ, "текст");\n' * 90_000 + "КонецПроцедуры\n",
        "unclosed.bsl": 'Процедура Строка()\n\tА = "не закрыта\n\tБ = 1;\n',
    }


def test_bad_input_is_one_problem_line_each(write: Write, tmp_path: Path) -> None:
    report = refresh(write(bad_files()), tmp_path / "index")
    problems = {problem.path: problem.message for problem in report.problems}
    assert sorted(problems) == ["broken.bsl", "cp1251.bsl", "empty.bsl", "nul.bsl", "protected.bsl"]
    assert report.files == 8
    searcher = Searcher(tmp_path / "index")
    hits = searcher.search("Вторая", top=50).hits
    found = {place.path for hit in hits for place in (hit, *hit.also)}
    assert found == {"good.bsl", "broken.bsl", "cp1251.bsl", "nul.bsl"}
    assert [hit.symbol for hit in searcher.search("Гигант").hits] == ["Гигант"]
    assert [hit.symbol for hit in searcher.search("Строка", top=1).hits] == ["Строка"]
    searcher.close()


def test_a_file_or_folder_that_cannot_be_read_is_told(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = write({"a.bsl": MODULE, "b.bsl": MODULE, "closed/c.bsl": MODULE})
    real_read, real_scan = Path.read_bytes, os.scandir

    def refuse(path: Path) -> bytes:
        if path.name == "b.bsl":
            raise PermissionError(13, "Permission denied", str(path))
        return real_read(path)

    def refuse_folder(path: Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return real_scan(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    monkeypatch.setattr(os, "scandir", refuse_folder)
    report = refresh(top, tmp_path / "index")
    assert [(p.path, p.message) for p in report.problems] == [
        ("b.bsl", "not read: Permission denied"),
        ("closed", "folder not read: Permission denied"),
    ]
    assert report.procedures == 2
    monkeypatch.undo()
    assert refresh(top, tmp_path / "index").procedures == 6


def test_a_file_that_vanishes_meanwhile_is_told(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = write({"a.bsl": MODULE, "b.bsl": MODULE})
    real = indexer.walk

    def walk_then_delete(*arguments: Any) -> object:
        layout = real(*arguments)
        (top / "b.bsl").unlink()
        return layout

    monkeypatch.setattr(indexer, "walk", walk_then_delete)
    report = refresh(top, tmp_path / "index")
    assert [problem.path for problem in report.problems] == ["b.bsl"]
    monkeypatch.undo()
    assert refresh(top, tmp_path / "index").files == 1


def test_an_index_of_another_version_is_rebuilt_with_a_reason(write: Write, tmp_path: Path) -> None:
    top = write({"a.bsl": MODULE})
    refresh(top, tmp_path / "index")
    catalog = Catalog(tmp_path / "index")
    with catalog.transaction():
        catalog.set_meta("version", "older")
    catalog.close()
    report = refresh(top, tmp_path / "index")
    assert report.rebuilt == "the index was made by another version (older)"
    assert rewritten(report.changes) == (2, 0, 0)


@pytest.mark.parametrize("damage", ["no database", "cut", "overwritten"])
def test_a_damaged_index_is_rebuilt_with_a_reason(write: Write, tmp_path: Path, damage: str) -> None:
    files = {f"m{i}.bsl": MODULE.replace("Вторая", f"Вторая{i}") for i in range(200)}
    top = write(files)
    refresh(top, tmp_path / "index")
    path = tmp_path / "index" / "catalog.sqlite"
    data = path.read_bytes()
    broken = {
        "no database": b"not a database at all" * 100,
        "cut": data[: len(data) // 2],
        "overwritten": data[:8192] + bytes(len(data) - 8192),
    }
    path.write_bytes(broken[damage])
    report = refresh(top, tmp_path / "index")
    assert report.rebuilt == "the index file was damaged"
    refresh(top, tmp_path / "fresh")
    assert index_state(tmp_path / "index") == index_state(tmp_path / "fresh")


def test_only_the_named_paths_are_looked_at(write: Write, tmp_path: Path) -> None:
    top = write({"a.bsl": MODULE, "b/c.bsl": MODULE, "b/d.bsl": MODULE})
    refresh(top, tmp_path / "index")
    write({"a.bsl": MODULE + "// конец\n", "new/e.bsl": MODULE, "b/c.bsl": MODULE.replace("Первая", "Иная")})
    report = refresh(top, tmp_path / "index", paths=["b/c.bsl"])
    assert rewritten(report.changes) == (1, 0, 1)
    report = refresh(top, tmp_path / "index", paths=["new/e.bsl", "none.bsl", "a.txt"])
    assert (rewritten(report.changes), report.files) == ((2, 0, 0), 4)
    write({"b/f/g.bsl": MODULE})
    report = refresh(top, tmp_path / "index", paths=["b"])
    assert (rewritten(report.changes), report.files) == ((2, 0, 0), 5)
    shutil.rmtree(top / "b")
    report = refresh(top, tmp_path / "index", paths=["b"])
    assert (rewritten(report.changes), report.files) == ((0, 0, 6), 2)
    refresh(top, tmp_path / "index")
    refresh(top, tmp_path / "fresh")
    assert index_state(tmp_path / "index") == index_state(tmp_path / "fresh")


def test_a_new_root_gives_its_modules_their_owner(write: Write, tmp_path: Path) -> None:
    module = "CommonModules/Склад/Ext/Module.bsl"
    top = write({module: MODULE, "tools/x.os": MODULE})
    refresh(top, tmp_path / "index")
    write({"Configuration.xml": "<Configuration><Name>К</Name></Configuration>"})
    assert rewritten(refresh(top, tmp_path / "index").changes) == (0, 2, 0)
    refresh(top, tmp_path / "fresh")
    assert index_state(tmp_path / "index") == index_state(tmp_path / "fresh")
    searcher = Searcher(tmp_path / "index")
    assert {(hit.path, hit.owner) for hit in searcher.search("склад").hits} == {(module, "ОбщийМодуль.Склад")}
    assert searcher.catalog.files()["tools/x.os"].owner is None
    searcher.close()


def test_a_path_in_no_known_root_is_found(write: Write, tmp_path: Path) -> None:
    top = write({"conf/Configuration.xml": "<a/>", "conf/CommonModules/М/Ext/Module.bsl": MODULE})
    assert [root.id for root in refresh(top, tmp_path / "index").roots] == ["conf"]
    write({"tools/x.bsl": MODULE})
    assert refresh(top, tmp_path / "index", paths=["tools/x.bsl"]).files == 2


def test_the_problem_of_a_module_follows_its_bytes(write: Write, tmp_path: Path) -> None:
    top = write({"a.bsl": MODULE.encode("cp1251")})
    assert refresh(top, tmp_path / "index").problems
    write({"a.bsl": MODULE})
    report = refresh(top, tmp_path / "index")
    assert (report.problems, rewritten(report.changes)) == ([], (0, 0, 0))


def test_a_new_index_says_so(write: Write, tmp_path: Path) -> None:
    top = write({"a.bsl": MODULE})
    assert refresh(top, tmp_path / "index").created
    assert not refresh(top, tmp_path / "index").created


def test_cancelled_keeps_what_was_done(write: Write, tmp_path: Path) -> None:
    top = write({f"m{i}.bsl": MODULE for i in range(20)})
    asked = iter(range(1_000))
    report = refresh(top, tmp_path / "index", cancelled=lambda: next(asked) > 10)
    assert not report.complete
    assert 0 < report.files < 20
    again = refresh(top, tmp_path / "index")
    assert again.complete
    assert again.changes.added == 40 - 2 * report.files


def test_a_cancel_from_the_progress_keeps_what_is_told_as_done(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexer, "_BATCH_SECONDS", 0)
    top, told = write({f"m{i}.bsl": MODULE for i in range(20)}), []
    report = refresh(top, tmp_path / "index", lambda *stage: told.append(stage), lambda: len(told) >= 7)
    assert not report.complete and not report.vectors
    assert told[-1] == ("modules", 7, 20)
    opened = Catalog(tmp_path / "index")
    assert (len(opened.files()), opened.number("pending")) == (7, 13)
    opened.close()
    searcher = Searcher(tmp_path / "index")
    assert searcher.search("считает скидку", top=5).hits
    searcher.close()
    again = refresh(top, tmp_path / "index")
    assert again.complete and again.vectors
    assert (again.changes.added, again.changes.unchanged) == (26, 14)
    refresh(top, tmp_path / "fresh")
    assert index_state(tmp_path / "index") == index_state(tmp_path / "fresh")


def test_the_progress_counts_objects_and_modules_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer, "_BATCH_SECONDS", 0)
    told: list[tuple[str, int, int]] = []
    report = refresh(DEMO, tmp_path / "index", lambda *stage: told.append(stage))
    objects = [one for one in told if one[0] == "objects"]
    modules = [one for one in told if one[0] == "modules"]
    assert told == objects + modules
    assert [done for _, done, _ in objects] == list(range(1, report.objects))
    assert {total for _, _, total in objects} == {report.objects}
    assert [done for _, done, _ in modules] == list(range(report.files + 1))
    assert {total for _, _, total in modules} == {report.files}


def test_a_second_writer_is_refused(write: Write, tmp_path: Path) -> None:
    top = write({"a.bsl": MODULE})
    refresh(top, tmp_path / "index")
    with writing(tmp_path / "index"), pytest.raises(IndexLockedError) as refused:
        refresh(top, tmp_path / "index", patience=0.1)
    told = re.fullmatch(r"another process \((\d+), since \d\d:\d\d:\d\d\) is writing this index", str(refused.value))
    assert told and int(told[1]) == os.getpid()


@pytest.mark.parametrize("left", ["{", "[]", '{"pid": "x", "since": 5}', ""])
def test_what_a_dead_owner_left_disturbs_nobody(write: Write, tmp_path: Path, left: str) -> None:
    top = write({"a.bsl": MODULE})
    refresh(top, tmp_path / "index")
    (tmp_path / "index" / OWNER_NAME).write_text(left)
    with FileLock(tmp_path / "index" / LOCK_NAME), pytest.raises(IndexLockedError) as refused:
        refresh(top, tmp_path / "index", patience=0.1)
    assert str(refused.value) == "another process is writing this index"
    assert refresh(top, tmp_path / "index").complete
    assert not (tmp_path / "index" / OWNER_NAME).exists()


def test_edits_and_a_fresh_index_give_the_same(tmp_path: Path) -> None:
    """Whatever the history of an index, it answers like a new one."""
    chooser = random.Random(5)
    top = copy_demo(tmp_path / "demo")
    refresh(top, tmp_path / "index")
    modules = sorted(top.rglob("*.bsl"))
    for step in range(12):
        for path in chooser.sample(modules, 3):
            if not path.exists():
                continue
            text = path.read_text(encoding="utf-8-sig")
            action = chooser.choice(["comment", "cut", "delete", "append"])
            if action == "comment":
                path.write_text(f"// правка {step}\n{text}", encoding="utf-8")
            elif action == "cut":
                path.write_text(text[: len(text) // 2], encoding="utf-8")
            elif action == "delete":
                path.unlink()
            else:
                path.write_text(f"{text}\nПроцедура Новая{step}()\nКонецПроцедуры\n", encoding="utf-8")
        refresh(top, tmp_path / "index")
        if step % 5 == 4:
            catalog = Catalog(tmp_path / "index")
            with catalog.transaction():
                indexer.merge(catalog)
                catalog.set_meta("generation", catalog.number("generation") + 1)
            catalog.close()
    refresh(top, tmp_path / "fresh")
    assert index_state(tmp_path / "index") == index_state(tmp_path / "fresh")


def test_killed_at_any_moment_the_next_run_finishes(tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo", copies=6)
    refresh(top, tmp_path / "fresh")
    expected = index_state(tmp_path / "fresh")
    command = [sys.executable, "-m", "bsl_scout.cli", "index", str(top), "--index-dir"]
    chooser = random.Random(11)
    for attempt in range(4):
        folder = tmp_path / f"killed{attempt}"
        for _ in range(3):
            process = subprocess.Popen([*command, str(folder)], stdout=subprocess.DEVNULL)
            time.sleep(chooser.uniform(0.25, 1.2))
            process.kill()
            process.wait()
        subprocess.run([*command, str(folder)], check=True, stdout=subprocess.DEVNULL)
        assert index_state(index_folder(top, folder)) == expected


def test_the_demo_is_indexed_without_problems(tmp_path: Path) -> None:
    report = refresh(DEMO, tmp_path / "index")
    assert report.problems == []
    assert report.procedures == 296
    assert [(root.kind, root.format) for root in report.roots] == [("configuration", "designer")]
