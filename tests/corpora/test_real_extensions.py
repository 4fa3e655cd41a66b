"""Links of real extensions: all dangle while the base is not opened, and some hold once it is."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from bsl_scout.configuration.extensions import FOREIGN_BASE, NO_BASE, NO_MODULE, Base, bases, facts_of, link_objects
from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.objects import read_objects
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.extensions import ExtensionLinks, extension_links
from bsl_scout.index.indexer import refresh

pytestmark = pytest.mark.corpora

CHANGE = re.compile(
    r'^\s*&(?:Вместо|Перед|После|ИзменениеИКонтроль|Around|Before|After|ChangeAndValidate)\s*\("(\w+)"\)',
    re.MULTILINE | re.IGNORECASE,
)


def links(top: Path, folder: Path) -> ExtensionLinks:
    refresh(top, folder)
    catalog = Catalog(folder)
    try:
        return extension_links(catalog)
    finally:
        catalog.close()


@pytest.mark.parametrize(
    ("name", "adopted", "changes"),
    [
        ("events_handlers", 2, 4),
        ("pdm_YAXUnit", 4, 7),
        ("prometheus", 3, 1),
        ("tasks_BAS", 1, 0),
        ("tasks_ICQ", 8, 5),
    ],
)
def test_an_extension_alone_dangles(corpora: Path, tmp_path: Path, name: str, adopted: int, changes: int) -> None:
    top = corpora / "testdata" / "designer_cfe" / name
    objects = [facts_of(item) for item in read_objects(top, walk(top).roots)[0]]
    found = link_objects(objects, bases(walk(top).roots, objects))
    assert [link.reason for link in found] == [NO_BASE] * adopted
    # a plain count over the files
    named = [match for path in top.rglob("*.bsl") for match in CHANGE.findall(path.read_text(encoding="utf-8-sig"))]
    made = links(top, tmp_path / "index").changes
    assert sorted(change.name or "" for change in made) == sorted(named)
    assert [change.reason for change in made] == [NO_BASE] * changes


def test_an_extension_of_a_library_is_linked_to_it(corpora: Path, tmp_path: Path) -> None:
    top = tmp_path / "sources"
    library = corpora / "ssl_3_1"
    shutil.copytree(corpora / "testdata" / "designer_cfe" / "prometheus", top / "extension")
    shutil.copytree(library / "Catalogs" / "КлючевыеОперации", top / "base" / "Catalogs" / "КлючевыеОперации")
    shutil.copytree(library / "InformationRegisters" / "ЗамерыВремени", top / "base/InformationRegisters/ЗамерыВремени")
    for name in ("Configuration.xml", "Catalogs/КлючевыеОперации.xml", "InformationRegisters/ЗамерыВремени.xml"):
        shutil.copy(library / name, top / "base" / name)
    found = links(top, tmp_path / "index")
    assert found.bases == {"extension": Base("base", "uuid")}
    assert {
        (link.adopted.full_name, link.base.full_name if link.base else None, link.proof) for link in found.objects
    } == {
        ("Catalog.КлючевыеОперации", "Catalog.КлючевыеОперации", "uuid"),
        ("InformationRegister.ЗамерыВремени", "InformationRegister.ЗамерыВремени", "uuid"),
    }
    # the register of the library has no module of its record set
    assert [(change.name, change.reason) for change in found.changes] == [("ПриЗаписи", NO_MODULE)]


def test_a_foreign_base_links_nothing(corpora: Path, tmp_path: Path) -> None:
    top = tmp_path / "sources"
    shutil.copytree(corpora / "testdata" / "designer_cfe" / "events_handlers", top / "extension")
    (top / "base").mkdir()
    shutil.copy(corpora / "ssl_3_1" / "Configuration.xml", top / "base" / "Configuration.xml")
    found = links(top, tmp_path / "index")
    assert [link.reason for link in found.objects] == [FOREIGN_BASE]
    assert [change.reason for change in found.changes] == [FOREIGN_BASE] * 4
