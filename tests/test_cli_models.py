"""The command line with models of sentence-transformers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support import DEMO, run_cli
from tiny_models import make_encoder, make_reranker

QUERY = "проверить остаток"


def run_json(*arguments: object) -> Any:
    return json.loads(run_cli(*arguments, "--json").stdout)


def test_an_encoder_and_a_reranker_by_folder(tmp_path: Path) -> None:
    model, reranker, index = make_encoder(tmp_path), make_reranker(tmp_path), tmp_path / "index"
    report = run_json("index", DEMO, "--index-dir", index, "--encoder", model)
    assert (report["legs"], report["problems"]) == (["lexical", "vector"], [])
    # the encoder stays without the option
    found = run_json("search", DEMO, QUERY, "--index-dir", index, "--mode", "vector")
    assert (found["mode"], found["route"]["reason"]) == ("vector", "asked for")
    back = run_json("search", DEMO, QUERY, "--index-dir", index, "--mode", "vector", "--encoder", "")
    assert [hit["symbol"] for hit in back["hits"]] != [hit["symbol"] for hit in found["hits"]]
    ranked = run_json("search", DEMO, QUERY, "--index-dir", index, "--mode", "rerank", "--rerank-model", reranker)
    assert (ranked["mode"], ranked["legs"][-1]) == ("rerank", "rerank")
    scores = [hit["score"] for hit in ranked["hits"] if "rerank" in hit["ranks"]]
    assert scores == sorted(scores, reverse=True)


def test_models_that_cannot_be_used(tmp_path: Path) -> None:
    index, nowhere = tmp_path / "index", tmp_path / "нет"
    told = "the model нет cannot be used: there is no such folder"
    done = run_cli("index", DEMO, "--index-dir", index, "--encoder", nowhere)
    assert f"problem: .: {told}; search goes on by words only\n" in done.stderr
    assert str(tmp_path) not in done.stderr
    found = run_json("search", DEMO, QUERY, "--index-dir", index, "--mode", "rerank", "--rerank-model", nowhere)
    assert found["mode"] == "lexical"
    assert found["route"]["reason"] == f"not reranked: {told}; by words: no vectors yet"
