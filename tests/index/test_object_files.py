"""Objects whose types other objects name: what one file changes is written in all that borrow from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.index import object_files
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import Report, refresh
from bsl_scout.index.symbol_names import named_chunks
from support import Write, index_state
from v8_samples import catalog, uid

ROOT: dict[str, str | bytes] = {"Configuration.json": '{"name": "К"}'}
# each borrows from the one before and from itself, in both directions of the path order
CHAIN = {
    **ROOT,
    **catalog("Альфа", 0x100, Ссылка=0x300),
    **catalog("Бета", 0x200, Ссылка=0x100, Своя=0x200),
    **catalog("Вега", 0x300),
}


def types(folder: Path) -> dict[str, str]:
    """Return the types in the texts of all attributes."""
    opened = Catalog(folder)
    texts = [opened.text(number) for number, _, title in named_chunks(opened) if title is not None]
    opened.close()
    found = [text.split("\n") for text in texts if ".реквизит." in text.casefold()]
    return {rows[0]: rows[3] for rows in found}


def run(top: Path, tmp_path: Path) -> tuple[Report, int]:
    """Refresh and return the report and the generation; a new index of the same sources is the same."""
    report = refresh(top, tmp_path / "index")
    fresh = tmp_path / f"fresh{len(list(tmp_path.iterdir()))}"
    refresh(top, fresh)
    assert index_state(tmp_path / "index") == index_state(fresh)
    opened = Catalog(tmp_path / "index")
    generation = opened.number("generation")
    opened.close()
    return report, generation


def test_types_follow_the_objects_that_bear_them(write: Write, tmp_path: Path) -> None:
    top = write(CHAIN)
    report, generation = run(top, tmp_path)
    assert (report.objects, report.problems) == (3, [])
    names = {
        "Справочник.Альфа.Реквизит.Ссылка": "CatalogRef.Вега",
        "Справочник.Бета.Реквизит.Ссылка": "CatalogRef.Альфа",
        "Справочник.Бета.Реквизит.Своя": "CatalogRef.Бета",
    }
    assert types(tmp_path / "index") == names
    # nothing changed: nothing is written, and no reader is told to look again
    report, again = run(top, tmp_path)
    assert (report.changes.unchanged, again) == (report.chunks, generation)
    # another object takes the uuids over: the borrower is written, though its own file is the same
    for path in (top / "Catalog/Вега").iterdir():
        path.unlink()
    (top / "Catalog/Вега").rmdir()
    write(catalog("Гамма", 0x300))
    report, _ = run(top, tmp_path)
    assert types(tmp_path / "index") == names | {"Справочник.Альфа.Реквизит.Ссылка": "CatalogRef.Гамма"}
    assert (report.changes.added, report.changes.removed, report.changes.updated) == (1, 1, 1)
    # nobody bears it any more: the uuid shows again
    for path in (top / "Catalog/Гамма").iterdir():
        path.unlink()
    run(top, tmp_path)
    assert types(tmp_path / "index")["Справочник.Альфа.Реквизит.Ссылка"] == f"Ref#{uid(0x303)}"
    write(catalog("Дельта", 0x300))
    run(top, tmp_path)
    assert types(tmp_path / "index")["Справочник.Альфа.Реквизит.Ссылка"] == "CatalogRef.Дельта"


def test_one_edited_object_is_one_file_read(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = write(CHAIN)
    refresh(top, tmp_path / "index")
    read: list[str] = []
    real = object_files.read_object

    def counted(base: Path, path: str, *rest: object) -> object:
        read.append(path)
        return real(base, path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(object_files, "read_object", counted)
    write(catalog("Бета", 0x200, Ссылка=0x300, Своя=0x200))
    report = refresh(top, tmp_path / "index")
    assert read == ["Catalog/Бета/Catalog.json"]
    assert (report.changes.added, report.changes.updated) == (0, 1)
    # a new name is read and written where it is borrowed, once
    read.clear()
    (top / "Catalog/Вега/Catalog.json").write_text(
        str(catalog("Омега", 0x300)["Catalog/Омега/Catalog.json"]), encoding="utf-8"
    )
    refresh(top, tmp_path / "index")
    assert sorted(read) == ["Catalog/Альфа/Catalog.json", "Catalog/Бета/Catalog.json", "Catalog/Вега/Catalog.json"]
    assert types(tmp_path / "index")["Справочник.Бета.Реквизит.Ссылка"] == "CatalogRef.Омега"


@pytest.mark.parametrize("asked", range(12))
def test_a_refresh_cut_short_anywhere_is_finished_by_the_next(write: Write, tmp_path: Path, asked: int) -> None:
    top = write(CHAIN)
    refresh(top, tmp_path / "index")
    (top / "Catalog/Вега/Catalog.json").write_text(
        str(catalog("Омега", 0x300)["Catalog/Омега/Catalog.json"]), encoding="utf-8"
    )
    calls = iter(range(1_000))
    report = refresh(top, tmp_path / "index", cancelled=lambda: next(calls) >= asked)
    if not report.complete:
        opened = Catalog(tmp_path / "index")
        pending = opened.number("pending")
        opened.close()
        assert pending > 0 or asked == 0
    run(top, tmp_path)
    assert types(tmp_path / "index")["Справочник.Альфа.Реквизит.Ссылка"] == "CatalogRef.Омега"


def test_an_external_object_is_indexed_with_the_file_beside_its_folder(write: Write, tmp_path: Path) -> None:
    head = "<MetaDataObject><ExternalDataProcessor uuid='u'><Properties><Name>Загрузка</Name></Properties>"
    tail = "</ExternalDataProcessor></MetaDataObject>"
    field = "<ChildObjects><Attribute><Properties><Name>Путь</Name></Properties></Attribute></ChildObjects>"
    module = "Процедура Начать()\nКонецПроцедуры\n"
    top = write({"d/Загрузка.xml": head + tail, "d/Загрузка/Ext/ObjectModule.bsl": module, "readme.os": module})
    report, _ = run(top, tmp_path)
    assert (report.objects, report.files) == (1, 2)
    write({"d/Загрузка.xml": head + field + tail})
    report, _ = run(top, tmp_path)
    assert (report.changes.added, report.changes.updated) == (1, 0)
    opened = Catalog(tmp_path / "index")
    rows = opened.files()
    opened.close()
    assert {path: (row.root, row.owner) for path, row in rows.items()} == {
        "d/Загрузка.xml": ("d/Загрузка", "ВнешняяОбработка.Загрузка"),
        "d/Загрузка/Ext/ObjectModule.bsl": ("d/Загрузка", "ВнешняяОбработка.Загрузка"),
        "readme.os": (".", None),
    }


def test_a_named_folder_with_objects_is_looked_at_as_a_whole(write: Write, tmp_path: Path) -> None:
    top = write(CHAIN)
    refresh(top, tmp_path / "index")
    report = refresh(top, tmp_path / "index", paths=["Catalog"])
    assert (report.objects, report.changes.removed) == (3, 0)


def test_modules_of_objects_that_borrow_know_their_synonyms_at_once(write: Write, tmp_path: Path) -> None:
    top = write({**CHAIN, "Catalog/Альфа/Catalog.obj.bsl": "Процедура Один()\nКонецПроцедуры\n"})
    refresh(top, tmp_path / "index")
    opened = Catalog(tmp_path / "index")
    module = opened.file("Catalog/Альфа/Catalog.obj.bsl")
    opened.close()
    assert module and module.context == "Альфа"
