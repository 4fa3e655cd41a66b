"""Reranking: the order is that of a real cross-encoder, what answers exactly stays first, failures are told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bsl_scout.encoding.sentence_encoder import load_reranker
from bsl_scout.features.find_logic import find_logic
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval import rerank as reranking
from bsl_scout.retrieval.rerank import RerankUnavailableError
from bsl_scout.retrieval.search import Searcher
from support import Write
from tiny_models import make_reranker

QUERY = "проверить заказ"


@pytest.fixture(scope="module")
def score(tmp_path_factory: pytest.TempPathFactory):
    return load_reranker(str(make_reranker(tmp_path_factory.mktemp("models")))).scores


def test_the_order_is_that_of_the_model(searcher: Searcher, score) -> None:
    read: list[str] = []

    def noting(query: str, texts: Sequence[str]) -> Sequence[float]:
        assert query == QUERY
        read.extend(texts)
        return score(query, texts)

    before, _ = find_logic(searcher, QUERY, "hybrid", 30)
    answer, route = find_logic(searcher, QUERY, "rerank", 30, score=noting)
    assert (answer.mode, answer.legs[-1], route.mode) == ("rerank", "rerank", "rerank")
    assert route.reason == "the best hits were read by the model that reranks"
    plain = [hit for hit in answer.hits if not reranking.is_exact(hit)]
    scores = [hit.score for hit in plain]
    assert len(set(scores)) > 10
    assert scores == sorted(scores, reverse=True)
    assert scores == pytest.approx(sorted(score(QUERY, read), reverse=True), abs=1e-4)
    assert [hit.ranks["rerank"] for hit in plain] == list(range(1, len(plain) + 1))
    assert [hit.rank for hit in answer.hits] == list(range(1, len(answer.hits) + 1))
    assert {(hit.path, hit.symbol) for hit in before.hits} == {(hit.path, hit.symbol) for hit in answer.hits}
    assert [hit.symbol for hit in before.hits] != [hit.symbol for hit in answer.hits]
    # each hit has the score of its own text: that of a procedure begins with its name in words
    first = next(hit for hit in plain if hit.kind == "procedure")
    (text,) = {one for one in read if one.replace(" ", "").startswith(f"{first.symbol}\n")}
    assert first.score == pytest.approx(score(QUERY, [text])[0], abs=1e-4)


def test_few_hits_are_chosen_from_many(searcher: Searcher, score) -> None:
    many = find_logic(searcher, QUERY, "rerank", 30, score=score)[0].hits
    few = find_logic(searcher, QUERY, "rerank", 3, score=score)[0].hits
    assert [hit.symbol for hit in few] == [hit.symbol for hit in many[:3]]


def test_hits_beyond_the_candidates_follow_in_their_order(
    searcher: Searcher, score, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = find_logic(searcher, QUERY, "hybrid", 20)[0].hits
    monkeypatch.setattr(reranking, "CANDIDATES", 5)
    after = reranking.rerank(searcher.catalog, QUERY, before, score)
    assert {hit.symbol for hit in after[:5]} == {hit.symbol for hit in before[:5]}
    assert [hit.symbol for hit in after[5:]] == [hit.symbol for hit in before[5:]]
    scores = [hit.score for hit in after]
    assert scores == sorted(scores, reverse=True)


def test_what_answers_exactly_stays_first(write: Write, tmp_path: Path, score) -> None:
    message = "Не удалось записать заказ покупателя: превышен лимит задолженности"
    text = f"Процедура Записать()\n\tСообщить(НСтр(\"ru = '{message}'\"));\nКонецПроцедуры\n"
    others = "\n".join(f"Процедура ЗаписатьЗаказ{n}()\n\tЛимит{n}();\nКонецПроцедуры\n" for n in range(9))
    top, folder = write({"а.bsl": text, "б.bsl": others}), tmp_path / "index"
    refresh(top, folder)
    opened = Searcher(folder)
    hits = find_logic(opened, message, "rerank", score=score)[0].hits
    assert (hits[0].symbol, hits[0].ranks["message"]) == ("Записать", 1)
    assert "rerank" not in hits[0].ranks and all("rerank" in hit.ranks for hit in hits[1:])
    opened.close()


def test_without_a_model_and_with_a_broken_one_it_is_said(searcher: Searcher) -> None:
    def broken(query: str, texts: Sequence[str]) -> Sequence[float]:
        raise RerankUnavailableError("the model x cannot be used: there is no such folder")

    usual = find_logic(searcher, QUERY, "hybrid")[0]
    for score, reason in (
        (None, "no model that reranks is configured"),
        (broken, "not reranked: the model x cannot be used: there is no such folder"),
    ):
        answer, route = find_logic(searcher, QUERY, "rerank", score=score)
        assert (answer.mode, route.mode, route.reason) == ("hybrid", "hybrid", reason)
        assert [hit.symbol for hit in answer.hits] == [hit.symbol for hit in usual.hits]


def test_nothing_found_is_nothing_read(searcher: Searcher) -> None:
    def never(query: str, texts: Sequence[str]) -> Sequence[float]:
        raise AssertionError(texts)

    answer, _ = find_logic(searcher, "ъъъъ", "rerank", score=never)
    assert answer.hits == []
