"""Fusion: by rank and by score, one leg alone, ties in one order; the prior of a procedure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bsl_scout.bsl.names import text_terms
from bsl_scout.index.candidates import Candidate
from bsl_scout.retrieval.fusion import Fusion, Ranking, fuse
from bsl_scout.retrieval.prior import Prior, asks_for_form


def ranking(**scores: float) -> Ranking:
    order = sorted(scores, key=lambda name: -scores[name])
    return Ranking(np.array([int(name[1:]) for name in order]), np.array([scores[name] for name in order]))


LEXICAL = ranking(c1=10.0, c2=6.0, c3=2.0)
VECTOR = ranking(c3=0.9, c4=0.8, c2=0.5)


def test_convex_fusion_adds_scores_from_0_to_1() -> None:
    found = fuse({"lexical": LEXICAL, "vector": VECTOR}, Fusion("convex", lexical=0.25, vector=0.75))
    scores = dict(zip(found.chunks.tolist(), found.scores.tolist(), strict=True))
    assert scores == pytest.approx({3: 0.75, 4: 0.75 * 0.75, 1: 0.25, 2: 0.125})
    assert found.chunks.tolist() == [3, 4, 1, 2]


def test_fusion_by_rank_has_one_at_the_first_place_of_all_legs() -> None:
    how = Fusion("rrf", k=60, lexical=1, vector=1)
    found = fuse({"lexical": LEXICAL, "vector": ranking(c1=0.7, c4=0.1)}, how)
    assert found.chunks[0] == 1
    assert found.scores[0] == pytest.approx(1)
    assert found.scores[found.chunks.tolist().index(4)] == pytest.approx(61 / 62 / 2)


@pytest.mark.parametrize("method", ["convex", "rrf"])
def test_one_leg_keeps_its_order(method: str) -> None:
    empty = Ranking(np.zeros(0, np.int64), np.zeros(0))
    for legs in ({"lexical": LEXICAL}, {"lexical": LEXICAL, "vector": empty}):
        found = fuse(legs, Fusion(method))
        assert found.chunks.tolist() == [1, 2, 3]
        assert found.scores[0] == pytest.approx(1)
    assert not len(fuse({"vector": empty}, Fusion(method)).chunks)


def test_equal_scores_stand_by_number() -> None:
    found = fuse({"lexical": ranking(c9=1.0, c4=1.0, c7=1.0)}, Fusion())
    assert found.chunks.tolist() == [4, 7, 9]


def test_the_prior_adds_up_and_leaves_metadata_alone() -> None:
    row = Candidate(("М.bsl", "а"), 1, "М.bsl", 0, 0, None, "а", "а", "procedure", 0, "", None, b"")
    prior = Prior(export=0.1, interface=0.2, doc=0.4, form=0.8)
    assert prior.of(row, False) == 0
    assert prior.of(replace(row, export=1), False) == pytest.approx(0.1)
    assert prior.of(replace(row, regions="Служебный,Public"), True) == pytest.approx(0.6)
    assert prior.of(replace(row, title="Контрагенты", export=1), True) == 0
    of_form = replace(row, owner="Справочник.Валюты.Форма.Список")
    assert prior.of(of_form, False) == 0
    assert prior.of(of_form, False, asks_for_form=True) == pytest.approx(0.8)
    assert prior.of(row, False, asks_for_form=True) == 0


def test_each_doubling_of_the_calls_adds_the_same() -> None:
    row = Candidate(("М.bsl", "а"), 1, "М.bsl", 0, 0, None, "а", "а", "procedure", 0, "", None, b"")
    assert [Prior(calls=0.5).of(row, False, called=called) for called in (0, 1, 3, 7)] == [0, 0.5, 1.0, 1.5]
    assert Prior(calls=0.5).of(replace(row, title="Контрагенты"), False, called=3) == 0


@pytest.mark.parametrize(
    ("query", "asks"),
    [("нажатие кнопки смены пароля", True), ("флажок автобэкапа", True), ("сменить пароль", False), ("on click", True)],
)
def test_what_asks_for_the_code_of_a_form(query: str, asks: bool) -> None:
    assert asks_for_form(text_terms(query)) is asks
