"""Finding procedures by name."""

from __future__ import annotations

import pytest

from bsl_scout.features.symbols import match_quality


@pytest.mark.parametrize(
    ("query", "name", "quality"),
    [
        ("", "Любая", 0),
        ("пересчитатьввалюту", "ПересчитатьВВалюту", 0),
        ("учетсчетов", "УчётСчётов", 0),
        ("пересч", "ПересчитатьВВалюту", 1),
        ("ПерВал", "ПересчитатьВВалюту", 2),
        ("ПВВ", "ПересчитатьВВалюту", 2),
        ("ЗапКИ", "ЗаполнитьКонтактнуюИнформацию", 2),
        ("зап", "ЗаполнитьКонтактнуюИнформацию", 1),
        ("GetCon", "GetContactInformation", 1),
        ("GCI", "GetContactInformation", 2),
        ("валют", "ПересчитатьВВалюту", 3),
        ("ВалПер", "ПересчитатьВВалюту", None),
        ("налог", "ПересчитатьВВалюту", None),
    ],
)
def test_quality(query: str, name: str, quality: int | None) -> None:
    assert match_quality(query, name) == quality
