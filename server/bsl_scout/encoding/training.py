"""Trains the BSL model: a tokenizer, and a static embedding whose text vector is the mean of its pieces' rows."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

import numpy as np
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from .loop import Bags, Floats, Settings, make_bags, training_steps
from .pairs import Pair

_CAMEL = "(?<=[a-zа-яё0-9])(?=[A-ZА-ЯЁ])|(?<=[A-ZА-ЯЁ])(?=[A-ZА-ЯЁ][a-zа-яё])|(?<=[A-ZА-ЯЁa-zа-яё])(?=[0-9])"
UNKNOWN = "[UNK]"
# what tokenizers adds to the score of each further letter that it keeps without need
_LETTER_STEP = 0.0001


def train_tokenizer(pairs: Sequence[Pair], pieces: int, seed: int) -> Tokenizer:
    """Return a Unigram tokenizer of the pairs' texts; it splits CamelCase and folds case and ё itself."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(_CAMEL), " "),
            normalizers.Replace("_", " "),
            normalizers.Lowercase(),
            normalizers.Replace("ё", "е"),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=False)]
    )
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    random.Random(seed).shuffle(texts)
    trainer = trainers.UnigramTrainer(
        vocab_size=pieces, special_tokens=[UNKNOWN], unk_token=UNKNOWN, show_progress=False, max_piece_length=14
    )
    tokenizer.train_from_iterator(texts[:120_000], trainer)
    return _in_order(tokenizer)


def _in_order(tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer with its pieces in an order of their own.

    The trainer numbers equally good pieces as its hash tables happen to lie, and the last digits of scores differ
    too. To letters that no text needs it gives scores from the lowest one up, in the order of a hash table.
    """
    state = json.loads(tokenizer.to_str())
    scores = {piece: score for piece, score in state["model"]["vocab"] if piece != UNKNOWN}
    lowest = min(scores.values(), default=0.0)
    window = lowest + _LETTER_STEP * sum(len(piece) == 1 for piece in scores)
    letters = sorted(piece for piece, score in scores.items() if len(piece) == 1 and score <= window)
    rest = sorted((-round(score, 6), piece) for piece, score in scores.items() if piece not in set(letters))
    ordered = [(piece, -negative) for negative, piece in rest]
    ordered += [(piece, round(lowest - 1 - number / 10_000, 6)) for number, piece in enumerate(letters)]
    state["model"].update(vocab=[(UNKNOWN, 0.0), *ordered], unk_id=0)
    return Tokenizer.from_str(json.dumps(state, ensure_ascii=False))


def bags(tokenizer: Tokenizer, texts: Sequence[str], max_pieces: int) -> Bags:
    """Return the pieces of the texts, at most `max_pieces` of each; a text without any has the unknown piece."""
    ids: list[Sequence[int]] = []
    for first in range(0, len(texts), 10_000):
        encoded = tokenizer.encode_batch_fast(list(texts[first : first + 10_000]), add_special_tokens=False)
        ids += [one.ids[:max_pieces] for one in encoded]
    return make_bags(ids)


def train_rows(
    tokenizer: Tokenizer,
    pairs: Sequence[Pair],
    settings: Settings,
    rows: Floats | None = None,
    show: Callable[[int, int, float], None] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Floats:
    """Return the row of each piece, trained on the pairs from random rows or from given ones.

    `show` is told step, number of steps and the mean loss now and then; a cancelled run returns what it has.
    """
    if rows is None:
        generator = np.random.default_rng(settings.seed)
        rows = generator.normal(0, 0.1, (tokenizer.get_vocab_size(), settings.dimensions)).astype(np.float32)
    else:
        rows = rows.astype(np.float32)
    sides = [bags(tokenizer, [pair[side] for pair in pairs], settings.max_pieces) for side in (0, 1)]
    for step, steps, loss in training_steps(rows, sides, settings):
        if cancelled():
            break
        if show and step % 50 == 0:
            show(step, steps, loss)
    return rows
