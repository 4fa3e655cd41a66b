"""Adapting the model to an index: it serves when it is better; the same content gives the same; damage is told."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from bsl_scout.encoding.loop import Settings
from bsl_scout.encoding.model import load_model
from bsl_scout.features.adaptation import (
    FEW_COMMENTS,
    LITTLE_CODE,
    NO_BETTER,
    OTHER_ENCODER,
    How,
    adapt,
    adapt_when_due,
    adaptation_of,
    is_due,
)
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.embedding import ADAPTED, adapted_folder, waiting
from bsl_scout.index.encoders import open_bsl
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from support import DEMO, copy_demo

SMALL = How(Settings(batch=64, rate=0.02, max_pieces=64), questions=30, least_questions=10, least_gain=-1.0)


def quietly(stage: str, done: int, total: int) -> None:
    pass


def served(folder: Path) -> tuple[str, str]:
    """Return what the vectors of an index are of, and the model that a searcher would ask them with."""
    with closing(Catalog(folder)) as catalog:
        where = adapted_folder(catalog, folder)
        assert not waiting(catalog)
        assert not catalog.rows("SELECT * FROM next_vectors")
        return str(catalog.meta("vector_model")), open_bsl(where).identity


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    refresh(DEMO, folder)
    return folder


@pytest.fixture
def index(indexed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(indexed, tmp_path / "index"))


def test_the_adapted_model_serves(index: Path) -> None:
    opened = Searcher(index)
    assert opened.search("остатки товаров", mode="hybrid").legs[:2] == ("lexical", "vector")
    stages = []
    told = adapt(index, lambda stage, done, total: stages.append(stage), SMALL)
    assert (told.state, told.reason, told.questions) == ("ready", "", 30)
    assert list(dict.fromkeys(stages)) == ["reading", "training", "testing", "embedding"]
    own, asked = served(index)
    assert own == asked != open_bsl().identity
    # an open searcher follows: its queries are of the new model, its weight is that of the test
    assert opened.search("остатки товаров", mode="hybrid").legs[:2] == ("lexical", "vector")
    assert opened._fusion.vector == told.weight
    opened.close()
    with closing(Catalog(index)) as catalog:
        assert adaptation_of(catalog) == told
        assert not is_due(catalog)


def test_the_same_content_gives_the_same_model(index: Path, tmp_path: Path) -> None:
    first = adapt(index, quietly, SMALL)
    # another history: the half of it, then all with one module changed, then as it is
    top, other = copy_demo(tmp_path / "demo"), tmp_path / "other"
    kept = tmp_path / "kept"
    (top / "CommonModules").rename(kept)
    refresh(top, other)
    kept.rename(top / "CommonModules")
    module = next(top.glob("CommonModules/*/Ext/Module.bsl"))
    text = module.read_bytes()
    module.write_bytes(text + "\nПроцедура Ещё()\n\tСообщить(1);\nКонецПроцедуры\n".encode())
    refresh(top, other)
    module.write_bytes(text)
    refresh(top, other)
    second = adapt(other, quietly, SMALL)
    assert second.last != first.last
    assert (second.before, second.after, second.weight) == (first.before, first.after, first.weight)
    assert served(index) == served(other)


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (How(SMALL.training, questions=30, least_questions=10, least_gain=1.0), NO_BETTER),
        (How(SMALL.training, least_questions=1000), FEW_COMMENTS),
        (How(Settings(batch=100_000), least_questions=10), LITTLE_CODE),
    ],
)
def test_a_model_that_is_refused(index: Path, how: How, reason: str) -> None:
    before = served(index)
    told = adapt(index, quietly, how)
    assert (told.state, told.reason) == ("refused", reason)
    assert served(index) == before
    # not tried again for the same content
    assert adapt_when_due(index, no_step, how) == told


def test_another_encoder_is_not_adapted(index: Path) -> None:
    with closing(Catalog(index)) as catalog:
        catalog.set_meta("wanted_encoder", "some/model")
        before = catalog.meta("adaptation")
    told = adapt_when_due(index, no_step, SMALL)
    assert (told.state, told.reason) == ("refused", OTHER_ENCODER)
    with closing(Catalog(index)) as catalog:
        assert catalog.meta("adaptation") == before


def no_step(stage: str, done: int, total: int) -> None:
    raise AssertionError(stage)


def test_when_it_is_due_again(index: Path, tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    told = adapt(index, quietly, SMALL)
    modules = sorted(top.rglob("*.bsl"))
    for count, due in ((2, False), (len(modules), True)):
        for module in modules[:count]:
            module.write_bytes(module.read_bytes().replace("Возврат".encode(), "Возврат ".encode() + b" " * count))
        refresh(top, index)
        # what is new has vectors of the adapted model
        own, asked = served(index)
        assert own == asked != open_bsl().identity
        with closing(Catalog(index)) as catalog:
            assert is_due(catalog, SMALL) is due
    again = adapt_when_due(index, quietly, SMALL)
    assert again.last > told.last
    # the model of before is gone
    assert len(list(index.glob("model-*"))) == 1


def test_another_shipped_model_makes_it_due(index: Path) -> None:
    adapt(index, quietly, SMALL)
    with closing(Catalog(index)) as catalog:
        catalog.set_meta("adaptation", str(catalog.meta("adaptation")).replace('"base": "1 ', '"base": "0 '))
        assert is_due(catalog)
        catalog.set_meta("adaptation", '{"state": "ready"}')
        assert adaptation_of(catalog) is None


@pytest.mark.parametrize("damage", ["missing", "weights"])
def test_without_its_file_the_shipped_model_serves(index: Path, damage: str) -> None:
    adapt(index, quietly, SMALL)
    with closing(Catalog(index)) as catalog:
        where = adapted_folder(catalog, index)
    assert where
    if damage == "missing":
        shutil.rmtree(where)
    else:
        weights = where / "0_StaticEmbedding" / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[:-10])
        load_model.__globals__["_load"].cache_clear()
    opened = Searcher(index)
    # words answer until the writer has seen it
    assert opened.search("остатки товаров", mode="hybrid").mode == "lexical"
    problems = refresh(DEMO, index).problems
    told = [problem.message for problem in problems if "adapted" in problem.message]
    assert len(told) == 1
    assert str(index) not in told[0]
    assert served(index) == (open_bsl().identity,) * 2
    assert opened.search("остатки товаров", mode="hybrid").legs[:2] == ("lexical", "vector")
    assert opened._fusion.vector == 0.6
    opened.close()
    with closing(Catalog(index)) as catalog:
        assert is_due(catalog)
    assert not [p for p in refresh(DEMO, index).problems if "adapted" in p.message]


class Stop(Exception):
    pass


@pytest.mark.parametrize("when", ["reading", "training", "testing", "embedding"])
def test_stopped_at_any_stage_it_leaves_the_index_as_it_was(index: Path, when: str) -> None:
    before = served_now(index)

    def stop(stage: str, done: int, total: int) -> None:
        if stage == when:
            raise Stop

    with pytest.raises(Stop):
        adapt(index, stop, SMALL)
    assert served_now(index) == before
    told = adapt_when_due(index, quietly, SMALL)
    assert told.state == "ready"
    assert served_now(index) != before


def served_now(folder: Path) -> tuple[str, object]:
    with closing(Catalog(folder)) as catalog:
        return str(catalog.meta("vector_model")), catalog.meta(ADAPTED)


def test_a_save_goes_between(index: Path, tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    module = next(top.glob("CommonModules/*/Ext/Module.bsl"))
    path = module.relative_to(top).as_posix()
    saves = 0

    def save(stage: str, done: int, total: int) -> None:
        nonlocal saves
        if stage in ("testing", "embedding") and saves < 3:
            saves += 1
            added = f"\nПроцедура Новая{saves}()\n\tСообщить({saves});\nКонецПроцедуры\n"
            module.write_bytes(module.read_bytes() + added.encode())
            assert refresh(top, index, paths=[path], patience=0.0).changes.added == 1

    assert adapt(index, save, SMALL).state == "ready"
    assert saves == 3
    own, asked = served(index)
    assert own == asked
    opened = Searcher(index)
    assert [hit.symbol for hit in opened.search("Новая3", mode="vector").hits][:1] == ["Новая3"]
    opened.close()
