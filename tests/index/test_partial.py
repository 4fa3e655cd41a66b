"""A refresh of some files of metadata reads the objects that they are of and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from bsl_scout.index import indexer, object_files
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from support import DEMO, copy_demo, index_state

ROLE = "Roles/МенеджерПоПродажам"
DESIGNER = [
    ("Catalogs/Контрагенты.xml", "Catalogs/Контрагенты.xml", "<v8:content>"),
    ("Catalogs/Контрагенты/Forms/ФормаСписка.xml", "Catalogs/Контрагенты.xml", "<v8:content>"),
    ("Catalogs/Номенклатура/Forms/ФормаСписка/Ext/Form.xml", "Catalogs/Номенклатура.xml", "ВЫБРАТЬ"),
    (f"{ROLE}/Ext/Rights.xml", f"{ROLE}.xml", "ГДЕ"),
    ("Catalogs/Валюты/Ext/Predefined.xml", "Catalogs/Валюты.xml", "<Description>"),
]
EDT = [
    ("src/Catalogs/Контрагенты/Контрагенты.mdo", "src/Catalogs/Контрагенты/Контрагенты.mdo", "<value>Контрагенты"),
    ("src/Catalogs/Номенклатура/Forms/ФормаСписка/Form.form", "src/Catalogs/Номенклатура/Номенклатура.mdo", "ВЫБРАТЬ"),
    (f"src/{ROLE}/Rights.rights", f"src/{ROLE}/МенеджерПоПродажам.mdo", "ГДЕ"),
]


def edit(path: Path, mark: str, word: str) -> None:
    text = path.read_text(encoding="utf-8-sig")
    assert mark in text, path
    path.write_text(text.replace(mark, f"{mark} {word} ", 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "path", "owner", "mark"),
    [*(("demo", *case) for case in DESIGNER), *(("demo_edt", *case) for case in EDT)],
)
@pytest.mark.parametrize("inside", [".", "глубоко/внутри"])
def test_an_edit_reads_one_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, path: str, owner: str, mark: str, inside: str
) -> None:
    top = tmp_path / "sources"
    shutil.copytree(DEMO.parent / name, top / inside)
    base = "" if inside == "." else f"{inside}/"
    refresh(top, tmp_path / "index")
    read: list[str] = []
    whole = object_files.read_object

    def counted(folder: Path, file: str, *rest: Any) -> Any:
        read.append(file)
        return whole(folder, file, *rest)

    def forbidden(*arguments: Any) -> Any:
        raise AssertionError("the whole tree was looked at")

    edit(top / inside / path, mark, "Ыъьмаркер")
    with monkeypatch.context() as patched:
        patched.setattr(object_files, "read_object", counted)
        patched.setattr(indexer, "walk", forbidden)
        patched.setattr(indexer, "object_files", forbidden)
        report = refresh(top, tmp_path / "index", paths=[base + path])
    assert read == [base + owner]
    assert report.complete and report.changes.updated
    searcher = Searcher(tmp_path / "index")
    assert searcher.search("Ыъьмаркер").hits
    searcher.close()
    refresh(top, tmp_path / "fresh")
    assert index_state(tmp_path / "index") == index_state(tmp_path / "fresh")


@pytest.mark.parametrize("change", ["new object", "gone object", "new root", "gone folder", "new nested subsystem"])
def test_what_is_not_certain_looks_at_everything(tmp_path: Path, change: str) -> None:
    top = copy_demo(tmp_path / "sources")
    refresh(top, tmp_path / "index")
    if change == "new object":
        path = "Catalogs/Новинка.xml"
        text = (top / "Catalogs/Контрагенты.xml").read_text(encoding="utf-8-sig")
        (top / path).write_text(text.replace("Контрагенты", "Новинка"), encoding="utf-8")
    elif change == "gone object":
        path = "Catalogs/Контрагенты.xml"
        (top / path).unlink()
    elif change == "gone folder":
        path = "Catalogs"
        shutil.rmtree(top / path)
    elif change == "new nested subsystem":
        path = "Subsystems/Продажи/Subsystems/Опт.xml"
        (top / path).parent.mkdir(parents=True)
        text = (top / "Subsystems/Продажи.xml").read_text(encoding="utf-8-sig")
        (top / path).write_text(text.replace("<Name>Продажи<", "<Name>Опт<"), encoding="utf-8")
    else:
        path = "другая"
        shutil.copytree(DEMO.parent / "demo_extension", top / path)
        path = "другая/Catalogs/Контрагенты.xml"
    refresh(top, tmp_path / "index", paths=[path])
    refresh(top, tmp_path / "fresh")
    if change != "new root":
        assert index_state(tmp_path / "index") == index_state(tmp_path / "fresh")


def test_a_side_file_that_is_gone_changes_its_object(tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "sources")
    refresh(top, tmp_path / "index")
    path = f"{ROLE}/Ext/Rights.xml"
    (top / path).unlink()
    assert refresh(top, tmp_path / "index", paths=[path]).changes.removed
    refresh(top, tmp_path / "fresh")
    assert index_state(tmp_path / "index") == index_state(tmp_path / "fresh")


def test_only_the_chosen_folders_are_looked_at(tmp_path: Path) -> None:
    top = tmp_path / "sources"
    for name in ("demo", "demo_extension"):
        shutil.copytree(DEMO.parent / name, top / name)
    chosen = ["demo_extension", "нет"]
    report = refresh(top, tmp_path / "index", chosen=chosen)
    assert [root.id for root in report.roots] == ["demo_extension"]
    assert [(one.name, one.reason) for one in report.wrong_roots] == [("нет", "absent")]
    before = index_state(tmp_path / "index")
    other = [
        "demo/CommonModules/ПродажиСервер/Ext/Module.bsl",
        "demo/Catalogs/Контрагенты.xml",
        "demo/Catalogs",
        "demo",
    ]
    for path in other:
        refresh(top, tmp_path / "index", paths=[path], chosen=chosen)
        assert index_state(tmp_path / "index") == before
    # another choice moves the index over
    assert {root.id for root in refresh(top, tmp_path / "index", chosen=()).roots} == {"demo", "demo_extension"}
    assert refresh(top, tmp_path / "index", chosen=chosen).changes.removed
    assert index_state(tmp_path / "index") == before
