"""Another encoder and a reranker in the worker of a real server, with tiny real models."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from bsl_scout.encoding.sentence_encoder import load_reranker
from bsl_scout.features.find_logic import find_logic
from bsl_scout.index.place import index_folder
from bsl_scout.retrieval.search import Searcher
from support import Write
from tiny_models import make_encoder, make_reranker

pytestmark = pytest.mark.asyncio

QUERY = "проверить остаток"
NAMES = ("ПроверитьОстаток", "ОстаткиНаСкладе", "ОтправитьПисьмо", "КурсВалюты", "ЗакрытьСмену", "СуммаПрописью")
# to import the libraries takes a busy machine a minute
PATIENCE = 300


async def until_answered(editor: Any, mode: str, done: Callable[[Any], bool], query: str = QUERY) -> Any:
    """Ask until the answer is as wanted: large models are loaded in the background."""

    async def ask() -> Any:
        while not done(answer := await editor.find(query, mode=mode)):
            await asyncio.sleep(0.2)
        return answer

    return await asyncio.wait_for(ask(), PATIENCE)


@pytest.fixture
def top(write: Write) -> Path:
    return write({"М.bsl": "\n".join(f"Процедура {name}()\n\tДействие();\nКонецПроцедуры\n" for name in NAMES)})


def in_process(top: Path, index: Path, mode: str, query: str = QUERY, **more: Any) -> list[str]:
    searcher = Searcher(index_folder(top, index))
    hits = find_logic(searcher, query, mode, 20, **more)[0].hits
    searcher.close()
    return [hit.symbol for hit in hits]


async def test_the_worker_answers_with_another_encoder(start: Callable[..., Any], top: Path, tmp_path: Path) -> None:
    index, model = tmp_path / "index", make_encoder(tmp_path)
    first = await start(top, index=index)
    await first.until("ready", leg="vector", timeout=PATIENCE)
    await first.client.shutdown_session()
    await first.client.stop()

    editor = await start(top, index=index, encoder=str(model))
    await editor.until("ready", leg="vector", timeout=PATIENCE)
    waiting = "with the vectors of the shipped model: those of the model tiny-1 are not ready"
    answer = await until_answered(
        editor, "vector", lambda answer: answer.mode == "vector" and waiting not in answer.route.reason
    )
    assert answer.legs[0] == "vector"
    assert [hit.symbol for hit in answer.hits] == in_process(top, index, "vector")
    seen = [(status.adaptation.state, tuple(status.legs)) for status in editor.statuses]
    assert seen[-1] == ("off", ("lexical", "vector"))
    assert editor.statuses[-1].message == ""
    # what is saved is found by words at once and by the encoder soon after
    (top / "Н.bsl").write_text("Процедура НапечататьЯрлык()\nКонецПроцедуры\n", encoding="utf-8")
    saved = types.TextDocumentIdentifier((top / "Н.bsl").as_uri())
    editor.client.text_document_did_save(types.DidSaveTextDocumentParams(saved))
    answer = await until_answered(editor, "vector", lambda answer: len(answer.hits) == len(NAMES) + 1)
    assert "НапечататьЯрлык" in [hit.symbol for hit in answer.hits]
    if sys.platform == "linux":
        maps = Path(f"/proc/{editor.client._server.pid}/maps").read_text(encoding="utf-8")
        assert "libtorch" not in maps


async def test_an_encoder_that_cannot_be_used_is_told(start: Callable[..., Any], top: Path, tmp_path: Path) -> None:
    editor = await start(top, encoder=str(tmp_path / "нет"), locale="ru")

    async def told() -> str:
        while not editor.statuses or not editor.statuses[-1].message:
            await asyncio.sleep(0.05)
        message: str = editor.statuses[-1].message
        return message

    assert await asyncio.wait_for(told(), PATIENCE) == (
        "модель из bslScout.encoder не работает: the model нет cannot be used: there is no such folder; "
        "search goes on by words only"
    )
    assert (editor.statuses[-1].state, editor.statuses[-1].legs) == ("ready", ["lexical"])
    answer = await editor.find(QUERY, mode="hybrid")
    assert (answer.mode, answer.route.reason) == ("lexical", "by words: no vectors yet")
    assert answer.hits


async def test_the_worker_reranks(start: Callable[..., Any], top: Path, tmp_path: Path) -> None:
    index, model = tmp_path / "index", make_reranker(tmp_path)
    editor = await start(top, index=index, rerankModel=str(model))
    await editor.until("ready", leg="vector", timeout=PATIENCE)
    # all of them hold this word
    query = "действие"
    plain = await until_answered(editor, "hybrid", lambda answer: answer.legs[:2] == ["lexical", "vector"], query)
    answer = await until_answered(editor, "rerank", lambda answer: answer.mode == "rerank", query)
    assert answer.legs[-1] == "rerank"
    score = load_reranker(str(model)).scores
    found = [hit.symbol for hit in answer.hits]
    assert found == in_process(top, index, "rerank", query, score=score)
    assert sorted(found) == sorted(NAMES)
    assert found != [hit.symbol for hit in plain.hits]


async def test_a_reranker_that_cannot_be_used_is_told(start: Callable[..., Any], top: Path, tmp_path: Path) -> None:
    editor = await start(top, rerankModel=str(tmp_path / "нет"))
    await editor.until("ready", timeout=PATIENCE)
    answer = await until_answered(editor, "rerank", lambda answer: "loaded" not in answer.route.reason)
    assert answer.mode != "rerank"
    assert "not reranked: the model нет cannot be used: there is no such folder" in answer.route.reason
