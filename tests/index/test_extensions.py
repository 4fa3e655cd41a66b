"""What extensions change, read from an index of the demo configuration and its extension."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bsl_scout.configuration.extensions import NO_BASE, NO_MODULE, NO_PROCEDURE, SEVERAL_BASES
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.extensions import ExtensionLinks, extension_links
from bsl_scout.index.indexer import refresh
from support import DEMO, Write

FIXTURES = DEMO.parent
# procedure of the extension -> how it changes which procedure of the base
CHANGES = {
    ("ОбщийМодуль.ПродажиСервер", "кс_СкидкаПоОбъему"): ("around", "СкидкаПоОбъему", None),
    ("ОбщийМодуль.ПродажиСервер", "кс_ПроверитьЛимитЗадолженности"): ("before", "ПроверитьЛимитЗадолженности", None),
    ("ОбщийМодуль.ПродажиСервер", "кс_ИзменитьСтатусЗаказа"): ("after", "ИзменитьСтатусЗаказа", None),
    ("ОбщийМодуль.ПродажиСервер", "кс_ПересчитатьБонусы"): ("after", "ПересчитатьБонусы", NO_PROCEDURE),
    ("Справочник.Контрагенты", "кс_ПередЗаписью"): ("after", "ПередЗаписью", None),
    ("Справочник.Контрагенты", "кс_ПроверитьУникальностьИНН"): ("around", "ПроверитьУникальностьИНН", None),
    ("Документ.ЗаказПокупателя", "кс_ОбработкаПроведения"): ("before", "ОбработкаПроведения", None),
    ("Документ.ЗаказПокупателя", "кс_ДобавитьЭтап"): ("change_and_validate", "ДобавитьЭтап", None),
    ("Документ.ЗаказПокупателя.Форма.ФормаДокумента", "кс_ЗаполнитьУсловияКлиента"): (
        "around",
        "ЗаполнитьУсловияКлиента",
        None,
    ),
    ("Конфигурация", "кс_ПриНачалеРаботыСистемы"): ("after", "ПриНачалеРаботыСистемы", None),
}


def links(top: Path, folder: Path) -> ExtensionLinks:
    refresh(top, folder)
    catalog = Catalog(folder)
    try:
        return extension_links(catalog)
    finally:
        catalog.close()


def side_by_side(top: Path, *names: str) -> Path:
    for name in names:
        shutil.copytree(FIXTURES / name, top / name)
    return top


@pytest.mark.parametrize("extension", ["demo_extension", "demo_extension_edt"])
@pytest.mark.parametrize("base", ["demo", "demo_edt"])
def test_the_demo_pair(tmp_path: Path, base: str, extension: str) -> None:
    found = links(side_by_side(tmp_path / "sources", base, extension), tmp_path / "index")
    assert (found.bases[extension].root, found.bases[extension].proof) == (base, "uuid")
    assert {link.adopted.full_name: (link.base.full_name if link.base else None) for link in found.objects} == {
        name: name for name in ("Catalog.Контрагенты", "Document.ЗаказПокупателя", "CommonModule.ПродажиСервер")
    }
    proofs = {link.adopted.full_name: link.proof for link in found.objects}
    by_name = "name" if extension == "demo_extension_edt" else "uuid"
    assert proofs.pop("Catalog.Контрагенты") == by_name
    assert set(proofs.values()) == {"uuid"}
    told = {
        (change.procedure.owner, change.procedure.name): (change.how, change.name, change.reason)
        for change in found.changes
    }
    assert told == CHANGES
    for change in found.changes:
        if change.base:
            proof = by_name if change.procedure.owner == "Справочник.Контрагенты" else "uuid"
            assert (change.base.root, change.base.owner, change.proof) == (base, change.procedure.owner, proof)
            assert change.base.module == change.procedure.module


def test_both_directions(tmp_path: Path) -> None:
    found = links(side_by_side(tmp_path / "sources", "demo", "demo_extension"), tmp_path / "index")
    mine, base = (f"{root}/CommonModules/ПродажиСервер/Ext/Module.bsl" for root in ("demo_extension", "demo"))
    (made,) = found.made_by(mine, "кс_скидкаПоОбъему")
    assert made.base is not None
    text = (DEMO / "CommonModules/ПродажиСервер/Ext/Module.bsl").read_text(encoding="utf-8-sig").splitlines()
    assert (made.base.path, made.base.name) == (base, "СкидкаПоОбъему")
    assert text[made.base.line].startswith("Функция СкидкаПоОбъему(")
    assert found.made_to(base, "скидкаПоОбъему") == [made]
    assert found.made_to(base, "РассчитатьСтроку") == []
    # the extension has no change of its own procedures
    assert found.made_to(mine, "кс_СкидкаПоОбъему") == []
    assert found.made_by(base, "СкидкаПоОбъему") == []


def test_a_base_that_is_not_opened(tmp_path: Path) -> None:
    found = links(side_by_side(tmp_path / "sources", "demo_extension"), tmp_path / "index")
    assert {link.reason for link in found.objects} == {change.reason for change in found.changes} == {NO_BASE}
    assert len(found.changes) == len(CHANGES)


def test_two_copies_of_the_base_are_not_chosen_from(tmp_path: Path) -> None:
    found = links(side_by_side(tmp_path / "sources", "demo", "demo_edt", "demo_extension"), tmp_path / "index")
    assert {link.reason for link in found.objects} == {change.reason for change in found.changes} == {SEVERAL_BASES}


def test_a_module_that_the_base_has_not(tmp_path: Path) -> None:
    top = side_by_side(tmp_path / "sources", "demo", "demo_extension")
    (top / "demo/CommonModules/ПродажиСервер/Ext/Module.bsl").unlink()
    found = links(top, tmp_path / "index")
    reasons = {change.procedure.name: change.reason for change in found.changes}
    assert reasons["кс_СкидкаПоОбъему"] == reasons["кс_ПересчитатьБонусы"] == NO_MODULE
    assert reasons["кс_ОбработкаПроведения"] is None


def test_without_an_extension_nothing_is_read(write: Write, tmp_path: Path) -> None:
    top = write({"А.bsl": '&Вместо("Б")\nПроцедура В()\nКонецПроцедуры\nПроцедура Б()\nКонецПроцедуры\n'})
    assert links(top, tmp_path / "index") == ExtensionLinks({}, (), ())
