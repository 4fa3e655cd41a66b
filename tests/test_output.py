"""What the command line writes for people, of results made here."""

from __future__ import annotations

import pytest

from bsl_scout.output import print_answer
from bsl_scout.retrieval.hits import Hit
from bsl_scout.retrieval.search import Answer


@pytest.mark.parametrize(("symbol", "told"), [("<header>", "head of the module"), ("<body>", "body of the module")])
def test_what_is_outside_procedures_is_told_in_words(
    symbol: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ranks = {"lexical": 1}
    hit = Hit(1, ".", "a.bsl", symbol, "header", 0, 2, 1.0, ranks, "ОбщийМодуль.А", "Модуль", "модуль", "", 0, [])
    print_answer(Answer("а", "lexical", ("lexical",), True, 1.0, [hit]))
    assert capsys.readouterr().out.startswith(f"  1. {told}  [ОбщийМодуль.А · модуль]")
