"""Damage that is no page's: wrong bytes inside stored values are found when reading them fails, never before."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.index.catalog import Catalog, DamagedCatalogError
from bsl_scout.index.indexer import refresh
from bsl_scout.index.verify import damage_found, damage_of
from support import DEMO


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    refresh(DEMO, tmp_path / "index")
    return Catalog(tmp_path / "index")


def test_a_whole_catalog_is_whole(catalog: Catalog) -> None:
    assert damage_of(catalog) is None
    # an error of ours stays ours
    with pytest.raises(KeyError), damage_found(catalog):
        raise KeyError("ours")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE forward SET terms = x'FFFFFFFF0100' WHERE chunk = ?",
        "UPDATE forward SET terms = x'01' WHERE chunk = ?",
        "UPDATE forward SET lengths = x'0102' WHERE chunk = ?",
        "UPDATE forward SET calls = '[[' WHERE chunk = ?",
        "UPDATE forward SET text = x'317A0000' WHERE chunk = ?",
        "UPDATE postings SET block = x'FFFFFFFF0100' WHERE term = ?",
        "UPDATE vectors SET vector = x'00' WHERE chunk = ?",
        "UPDATE meta SET value = x'FFFFFFFF' WHERE key = 'base_ids' AND ?",
        "UPDATE sqlite_sequence SET seq = 4000000000 WHERE name = 'chunks' AND ?",
    ],
)
def test_a_wrong_value_is_damage(catalog: Catalog, statement: str) -> None:
    catalog.write(statement, [(5,)])
    reason = damage_of(catalog)
    assert reason
    with pytest.raises(DamagedCatalogError) as told, damage_found(catalog):
        raise IndexError("what reading it ends in")
    assert str(told.value) == reason
