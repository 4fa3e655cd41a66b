"""Trains the BSL model on configurations and writes it as a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bsl_scout.encoding.loop import Settings
from bsl_scout.encoding.model import save_model
from bsl_scout.encoding.pairs import make_pairs, without_copies, without_held
from bsl_scout.encoding.training import train_rows, train_tokenizer
from bsl_scout.index.training_texts import read_training_texts

Show = Callable[[int, int, float], None]


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """What a model was trained on: procedures, those held out, pairs, and the tokenizer's pieces."""

    procedures: int
    held: int
    pairs: int
    pieces: int
    settings: dict[str, object]


def train(
    tops: Sequence[Path],
    out: Path,
    hold_out: Sequence[str] = (),
    settings: Settings | None = None,
    show: Show | None = None,
) -> TrainingReport:
    """Train a model on the configurations, write it to `out` and return what it was trained on.

    Raises OSError for a folder that cannot be read or written, ValueError when there is nothing to train on.
    """
    settings = settings or Settings()
    texts = read_training_texts(tops, hold_out)
    procedures = without_copies(without_held(texts.procedures, texts.held))
    pairs = make_pairs(procedures, texts.titled, settings.seed)
    if len(pairs) < settings.batch:
        raise ValueError(f"too little to train on: {len(pairs)} pairs of texts, at least {settings.batch} are needed")
    tokenizer = train_tokenizer(pairs, settings.pieces, settings.seed)
    rows = train_rows(tokenizer, pairs, settings, show=show)
    save_model(out, tokenizer, rows)
    return TrainingReport(len(procedures), len(texts.held), len(pairs), tokenizer.get_vocab_size(), asdict(settings))
