"""Chunks of metadata: heads, items and the texts that fields hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bsl_scout.bsl.chunks import PART_CHARS
from bsl_scout.configuration.model import ANY_LANGUAGE, MetadataField, MetadataObject
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import refresh
from bsl_scout.index.lexical import DEFAULT
from bsl_scout.index.metadata import HEAD_ROWS, metadata_entries
from bsl_scout.index.schema import CODE, ITEMS, METADATA, TEXTS
from bsl_scout.index.snapshot import Snapshot
from bsl_scout.retrieval.search import Searcher
from support import copy_demo

PREDEFINED = "Catalogs/Валюты/Ext/Predefined.xml"
SCHEMA = "Reports/ОстаткиТоваров/Templates/ОсновнаяСхемаКомпоновкиДанных/Ext/Template.xml"
RIGHTS = "Roles/МенеджерПоПродажам/Ext/Rights.xml"
LIST = "Catalogs/Контрагенты/Forms/ФормаСписка/Ext/Form.xml"


def item(*fields: MetadataField, standard: tuple[MetadataField, ...] = ()) -> MetadataObject:
    return MetadataObject(
        "Role", "Роль", "Role.Роль", "Roles/Роль.xml", ".", fields=fields, standard_attributes=standard
    )


def test_each_kind_of_chunk_has_its_collection() -> None:
    groups = metadata_entries(
        item(
            MetadataField("Форма", "form", line=3, text="ВЫБРАТЬ Цена\nИЗ Товары"),
            MetadataField("Рубль", "predefined", synonym={ANY_LANGUAGE: "Российский рубль"}, line=5, path="p.xml"),
            MetadataField("Catalog.Товары.Read", "restriction", line=7, path="r.xml", text="ГДЕ Автор = &Я"),
            standard=(MetadataField("Description", "standard_attribute", synonym={"ru": "Название"}),),
        )
    )
    told = [[(e.chunk.key, e.chunk.part, e.collection, e.path) for e in group] for group in groups]
    assert told == [
        [("роль.роль", 0, METADATA, None)],
        [("роль.роль.форма.форма", 0, METADATA, None), ("роль.роль.форма.форма/1", 1, TEXTS, None)],
        [("роль.роль.предопределенныйэлемент.рубль", 0, ITEMS, "p.xml")],
        [("роль.роль.ограничениедоступа.справочник.товары.чтение", 0, TEXTS, "r.xml")],
        [("роль.роль.стандартныйреквизит.наименование", 0, ITEMS, None)],
    ]
    assert groups[1][1].words[-1] == ["ВЫБРАТЬ", "Цена", "ИЗ", "Товары"]
    assert groups[4][0].words[0] == ["Description", "Наименование"]
    # the parts of one thing are kept or rewritten together
    assert len({entry.chunk.hash for entry in groups[1]}) == 1
    other = metadata_entries(item(MetadataField("Форма", "form", line=3, text="ВЫБРАТЬ Цена")))
    assert other[1][0].chunk.hash != groups[1][0].chunk.hash


@pytest.mark.parametrize("line", ["ВЫБРАТЬ Поле,", "x" * (PART_CHARS * 2 + 1)], ids=["lines", "one line"])
def test_a_long_text_is_cut_without_loss(line: str) -> None:
    lines = [f"{line}{number}" for number in range(PART_CHARS // len(line) * 3 or 1)]
    text = "\n".join(lines)
    parts = metadata_entries(item(MetadataField("Схема", "template", line=10, text=text)))[1][1:]
    pieces = ["\n".join(part.chunk.text.split("\n")[HEAD_ROWS:]) for part in parts]
    assert ("\n" if len(lines) > 1 else "").join(pieces) == text
    assert len(parts) >= 3
    assert all(len(piece) <= PART_CHARS for piece in pieces)
    if len(lines) > 1:
        for part, piece in zip(parts, pieces, strict=True):
            assert lines[part.chunk.text_line - 10] == piece.split("\n")[0]
    restriction = MetadataField("Шаблон", "restriction", text=text)
    (only,) = metadata_entries(item(restriction))[1]
    assert only.chunk.text.endswith(pieces[0])


@pytest.mark.parametrize(
    ("path", "old", "new", "query"),
    [
        (PREDEFINED, "Китайский юань", "Турецкая лира", "турецкая лира"),
        (SCHEMA, "Свободный остаток", "Незанятый запас", "незанятый запас"),
        (
            RIGHTS,
            "ОсновнойМенеджер = &amp;ТекущийПользователь ИЛИ",
            "Куратор = &amp;ТекущийПользователь ИЛИ",
            "куратор",
        ),
    ],
)
def test_an_edited_side_file_rewrites_what_it_holds(tmp_path: Path, path: str, old: str, new: str, query: str) -> None:
    top = copy_demo(tmp_path / "demo")
    refresh(top, tmp_path / "index")
    file = top / path
    text = file.read_text("utf-8-sig")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8-sig")
    changes = refresh(top, tmp_path / "index").changes
    assert 1 <= changes.updated + changes.added <= 2
    searcher = Searcher(tmp_path / "index")
    assert searcher.search(query, collection="metadata").hits[0].path == path
    searcher.close()
    assert refresh(top, tmp_path / "index").changes.updated == 0


def test_a_removed_side_file_takes_its_chunks_along(tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    refresh(top, tmp_path / "index")
    (top / PREDEFINED).unlink()
    assert refresh(top, tmp_path / "index").changes.removed == 2


def test_side_files_change_neither_lengths_nor_scores_of_the_rest(tmp_path: Path) -> None:
    bare = copy_demo(tmp_path / "bare")
    for path in (PREDEFINED, RIGHTS, LIST):
        (bare / path).unlink()
    scores, means = [], []
    for top in (copy_demo(tmp_path / "whole"), bare):
        refresh(top, tmp_path / f"{top.name}-index")
        catalog = Catalog(tmp_path / f"{top.name}-index")
        snapshot = Snapshot(catalog, DEFAULT)
        collections = snapshot.collection.collections
        means.append([snapshot.collection.lengths[collections == one].sum(axis=0).tolist() for one in (CODE, METADATA)])
        found = snapshot.score(["валют", "менеджер", "контрагент", "пользовател"])
        kept = np.isin(collections[found.documents], (CODE, METADATA))
        rows = catalog.chunks(found.documents[kept].tolist())
        scores.append(
            {
                (rows[n].path, rows[n].key): round(s, 9)
                for n, s in zip(found.documents[kept].tolist(), found.scores[kept], strict=True)
            }
        )
        catalog.close()
    assert means[0] == means[1]
    assert scores[0] == scores[1]
    assert len(scores[0]) > 50
