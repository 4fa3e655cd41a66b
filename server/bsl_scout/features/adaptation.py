"""Adapts the shipped model to the configuration of an index: training, a test of what it gained, new vectors.

The result depends on the content of the index alone, not on how it came about, and on the machine's arithmetic.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

from bsl_scout.bsl import names
from bsl_scout.bsl.text import fold
from bsl_scout.encoding.loop import Bags, Settings, make_bags, training_steps
from bsl_scout.encoding.model import BslModel, Floats, load_model
from bsl_scout.encoding.pairs import Pair, Procedure, first_sentence, make_pairs, without_copies, without_held
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.embedding import (
    ADAPTATION,
    ADAPTED,
    NEXT,
    embed_missing,
    present_encoder,
    take_over,
    texts_of,
    waiting,
    wanted_encoder,
)
from bsl_scout.index.encoders import bsl_stamp, chunk_vectors, open_bsl
from bsl_scout.index.lexical import DEFAULT
from bsl_scout.index.own_texts import own_procedures, own_titles
from bsl_scout.index.snapshot import Snapshot
from bsl_scout.index.vectors import WEIGHT
from bsl_scout.index.writer_lock import writing
from bsl_scout.retrieval.metrics import interval
from bsl_scout.retrieval.self_test import Question, Trial, best_trial, by_meaning, by_words

# A change of what is done here must change this number: configurations are then adapted to anew
VERSION = 1
_FOLDER = "model-"
# why an adapted model is refused: too few doc comments to test with, too little code, no better on the test; another
# model was chosen to make the vectors
FEW_COMMENTS, LITTLE_CODE, NO_BETTER, OTHER_ENCODER = "few-comments", "little-code", "no-better", "other-encoder"

# told stage, done and total at each step; it may wait, and raise to stop
Checkpoint = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class How:
    """The choices of adapting, measured in docs/adr/0011-adaptation.md."""

    training: Settings = field(default_factory=lambda: Settings(rate=0.01, max_pieces=64))
    # epochs of a small configuration, steps of a big one: some 15 seconds of one core
    epochs: int = 3
    steps: int = 450
    # at most so many doc sentences, and a quarter of all: those asked are not learnt from
    questions: int = 300
    least_questions: int = 40
    pool: int = 6_000
    # what the test must gain at least, as the mean of values from 0 to 1
    least_gain: float = 0.0
    # the part of the code that must be new for another time
    changed: float = 0.2


@dataclass(frozen=True, slots=True)
class Adaptation:
    """What came of adapting: `state` is ready or refused, `reason` why refused.

    `before` and `after` are how well the questions were answered (0 to 1) with the shipped model and with the
    adapted one, each at its best weight, `low` and `high` the 95 % interval of the difference; `weight` is that of
    the vectors. `base` tells the shipped model, `last` the last chunk that was there.
    """

    state: str
    base: str
    last: int
    reason: str = ""
    questions: int = 0
    before: float = 0.0
    after: float = 0.0
    low: float = 0.0
    high: float = 0.0
    weight: float = 0.0


def adaptation_of(catalog: Catalog) -> Adaptation | None:
    """Return what came of adapting to the content of an index, None when that was never tried."""
    told = catalog.meta(ADAPTATION)
    try:
        return Adaptation(**json.loads(str(told))) if told else None
    except (ValueError, TypeError):
        # written by another version
        return None


def is_due(catalog: Catalog, how: How | None = None) -> bool:
    """Return whether the model is to be adapted: never tried with this shipped one, or much of the code is new."""
    told = adaptation_of(catalog)
    if told is None or told.base != _base():
        return True
    code = "SELECT count(*) FROM chunks WHERE title IS NULL AND id > ?"
    (new,), (total,) = (catalog.rows(code, above)[0] for above in (told.last, 0))
    return bool(new > (how or How()).changed * total)


def adapt_when_due(folder: Path, checkpoint: Checkpoint, how: How | None = None) -> Adaptation:
    """Return what came of adapting, now or before when that still holds; raises what `adapt` raises."""
    with closing(Catalog(folder)) as catalog:
        if wanted_encoder(catalog) or present_encoder(catalog):
            return Adaptation("refused", _base(), 0, OTHER_ENCODER)
        told = None if is_due(catalog, how) else adaptation_of(catalog)
    return told or adapt(folder, checkpoint, how)


def adapt(folder: Path, checkpoint: Checkpoint, how: How | None = None) -> Adaptation:
    """Adapt the model to the index in a folder whose chunks all have vectors, and return what came of it.

    The adapted model serves with its vectors from one moment to the next, if it answers the test better. Raises
    what the checkpoint raises, IndexLockedError when another process writes, OSError, ModelError and what a catalog
    raises; the index is then as before.
    """
    how = how or How()
    with closing(Catalog(folder)) as catalog:
        told, model = _trained(catalog, how, checkpoint)
        if told.state == "ready":
            _hand_over(catalog, folder, _save(folder, model), told, checkpoint)
        else:
            with writing(folder), catalog.transaction():
                catalog.set_meta(ADAPTATION, _json(told))
        return told


def _trained(catalog: Catalog, how: How, checkpoint: Checkpoint) -> tuple[Adaptation, BslModel]:
    """Return what came of training and testing, and the model that is the better one."""
    shipped, last = load_model(), catalog.last_ids()[0]
    procedures: list[tuple[int, Procedure]] = []
    for some in own_procedures(catalog):
        procedures += some
        checkpoint("reading", 0, 0)
    questions, held = _questions(procedures, how)
    told = Adaptation("refused", _base(), last, questions=len(questions))
    if len(questions) < how.least_questions:
        return replace(told, reason=FEW_COMMENTS), shipped
    kept = without_copies(without_held((one for _, one in procedures), held))
    rows = _train(shipped, make_pairs(kept, own_titles(catalog), how.training.seed), how, checkpoint)
    if rows is None:
        return replace(told, reason=LITTLE_CODE), shipped
    adapted = shipped.with_rows(rows)
    before, after = _trials(catalog, [shipped, adapted], questions, procedures, how, checkpoint)
    shipped.forget()
    gained = interval((after.gains - before.gains).tolist())
    told = replace(
        told,
        before=round(before.mean, 4),
        after=round(after.mean, 4),
        low=round(gained.low, 4),
        high=round(gained.high, 4),
        weight=after.weight,
    )
    if gained.mean > how.least_gain:
        return replace(told, state="ready"), adapted
    return replace(told, reason=NO_BETTER), shipped


def _base() -> str:
    return f"{VERSION} {load_model().digest.hex()}"


def _json(told: Adaptation) -> str:
    return json.dumps(asdict(told))


def _questions(procedures: Sequence[tuple[int, Procedure]], how: How) -> tuple[list[Question], list[Procedure]]:
    """Return questions, some doc sentences of the configuration, and the procedures that they are of."""
    by_sentence: dict[str, list[tuple[int, Procedure]]] = {}
    by_digest: dict[bytes, list[int]] = {}
    for chunk, procedure in procedures:
        by_digest.setdefault(procedure.digest, []).append(chunk)
        sentence = first_sentence(procedure.doc, procedure.name)
        if sentence:
            by_sentence.setdefault(fold(sentence), []).append((chunk, procedure))
    count = min(how.questions, len(by_sentence) // 4)
    chosen = random.Random(how.training.seed).sample(list(by_sentence), count)
    questions, held = [], []
    for sentence in chosen:
        own = by_sentence[sentence]
        right = {chunk for _, procedure in own for chunk in by_digest[procedure.digest]}
        questions.append(Question(sentence, frozenset(right)))
        held += [procedure for _, procedure in own]
    return questions, held


def _train(model: BslModel, pairs: Sequence[Pair], how: How, checkpoint: Checkpoint) -> Floats | None:
    """Return the rows trained further on pairs of texts, None when these are too few."""
    settings = how.training
    pairs = pairs[: how.steps * settings.batch]
    if len(pairs) < settings.batch:
        return None
    epochs = max(min(how.epochs, how.steps * settings.batch // len(pairs)), 1)
    sides = [_bags(model, [pair[side] for pair in pairs], settings.max_pieces, checkpoint) for side in (0, 1)]
    rows = model.rows.copy()
    for step, steps, _ in training_steps(rows, sides, replace(settings, epochs=epochs)):
        checkpoint("training", step + 1, steps)
    # as the file keeps them: what is tested is what will serve
    kept: Floats = rows.astype(np.float16).astype(np.float32)
    return kept


def _bags(model: BslModel, texts: Sequence[str], most: int, checkpoint: Checkpoint) -> Bags:
    pieces = []
    for number, text in enumerate(texts):
        pieces.append(model.pieces(names.words(text))[:most])
        if number % 1000 == 0:
            checkpoint("reading", 0, 0)
    return make_bags(pieces)


def _trials(
    catalog: Catalog,
    models: Sequence[BslModel],
    questions: Sequence[Question],
    procedures: Sequence[tuple[int, Procedure]],
    how: How,
    checkpoint: Checkpoint,
) -> list[Trial]:
    """Return how well each model answers with the words beside it, among procedures without their doc comments."""
    right = {chunk for question in questions for chunk in question.right}
    others = [chunk for chunk, _ in procedures if chunk not in right]
    others = random.Random(how.training.seed).sample(others, min(how.pool, len(others)))
    pool = np.array(sorted(right | set(others)), np.int64)
    texts = [replace(one, doc=()) for one in texts_of(catalog, pool.tolist())]
    checkpoint("testing", 0, 0)
    with catalog.reading():
        words = by_words(Snapshot(catalog, DEFAULT), questions, pool)
    trials = []
    for model in models:
        checkpoint("testing", 0, 0)
        vectors = chunk_vectors(model, texts)
        asked = np.stack([model.query(question.text) for question in questions])
        trials.append(best_trial(questions, words, by_meaning(pool, vectors, asked)))
    return trials


def _save(folder: Path, model: BslModel) -> Path:
    """Write a model into the folder of the index, whole or not at all, and return where."""
    draft = folder / f"{_FOLDER}draft"
    shutil.rmtree(draft, ignore_errors=True)
    path = folder / f"{_FOLDER}{model.save(draft).hex()[:16]}"
    if path.exists():
        shutil.rmtree(draft)
    else:
        draft.rename(path)
    return path


def _hand_over(catalog: Catalog, folder: Path, path: Path, told: Adaptation, checkpoint: Checkpoint) -> None:
    """Embed every chunk with the model in a folder, then let it serve."""
    encoder = open_bsl(path)
    also = {ADAPTED: path.name, "vector_stamp": bsl_stamp(path), WEIGHT: str(told.weight), ADAPTATION: _json(told)}
    done = 0
    while True:
        # a save goes between two batches
        with writing(folder):
            done += embed_missing(catalog, encoder, cancelled=_after_one(), generation=NEXT)
            if take_over(catalog, **also):
                break
        checkpoint("embedding", done, done + waiting(catalog, NEXT))
    for other in folder.glob(f"{_FOLDER}*"):
        if other != path:
            # one that another process is just reading may stay until the next time
            shutil.rmtree(other, ignore_errors=True)


def _after_one() -> Callable[[], bool]:
    return iter((False, True)).__next__
