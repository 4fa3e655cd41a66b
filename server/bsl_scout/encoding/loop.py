"""The training loop of the BSL model, in numpy alone: neither training nor adapting needs torch.

Loss: MultipleNegativesRankingLoss in both directions (Henderson et al. 2017: the other texts of a batch are the
negatives) over the first 32, 64 and all dimensions (Matryoshka, Kusupati et al. 2022), rows moved by Adam.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of a training run; the same ones with the same pairs give the same model."""

    seed: int = 1
    pieces: int = 16_000
    dimensions: int = 128
    matryoshka: tuple[int, ...] = (32, 64)
    batch: int = 512
    epochs: int = 3
    rate: float = 0.02
    scale: float = 20.0
    max_pieces: int = 160


@dataclass(frozen=True, slots=True)
class Bags:
    """The pieces of many texts one after another; text i has `ids[starts[i]:starts[i + 1]]`."""

    ids: Ints
    starts: Ints

    def take(self, texts: Ints) -> Bags:
        """Return the bags of some of the texts, in that order."""
        sizes = self.starts[texts + 1] - self.starts[texts]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        inner = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        return Bags(self.ids[np.repeat(self.starts[texts], sizes) + inner], starts)


def make_bags(texts: Sequence[Sequence[int]]) -> Bags:
    """Return the bags of texts given as their pieces; one without any has the unknown piece."""
    texts = [ids or (0,) for ids in texts]
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    flat = np.fromiter((piece for ids in texts for piece in ids), np.int64, int(sizes.sum()))
    return Bags(flat, np.concatenate(([0], np.cumsum(sizes))))


def training_steps(rows: Floats, sides: Sequence[Bags], settings: Settings) -> Iterator[tuple[int, int, float]]:
    """Move the rows towards what the pairs want, batch by batch; yield after each its number, how many, mean loss."""
    generator = np.random.default_rng([settings.seed, 1])
    optimiser = _Adam(rows)
    count = len(sides[0].starts) - 1
    steps = max(count // settings.batch, 1) * settings.epochs
    mean_loss = 0.0
    for step, chosen in enumerate(_batches(count, settings, generator)):
        # linear warm-up over a tenth, then linear decay
        part = step / steps
        rate = settings.rate * min(part / 0.1, (1 - part) / 0.9)
        loss, ids, gradient = _step(rows, [side.take(chosen) for side in sides], settings)
        optimiser.move(ids, gradient, max(rate, settings.rate * 0.01))
        mean_loss = loss if step == 0 else mean_loss * 0.98 + loss * 0.02
        yield step, steps, mean_loss


def _batches(count: int, settings: Settings, generator: np.random.Generator) -> Iterator[Ints]:
    size = min(settings.batch, count)
    for _ in range(settings.epochs):
        order = generator.permutation(count)
        for first in range(0, count - size + 1, size):
            yield order[first : first + size]


def pool(rows: Floats, texts: Bags) -> Floats:
    """Return the mean of each text's rows."""
    sums: Floats = np.add.reduceat(rows[texts.ids], texts.starts[:-1], axis=0)
    return sums / np.diff(texts.starts).astype(np.float32)[:, None]


def _step(rows: Floats, sides: Sequence[Bags], settings: Settings) -> tuple[float, Ints, Floats]:
    """Return the loss of one batch, the pieces it holds and the gradient of their rows."""
    means = [pool(rows, side) for side in sides]
    gradients = [np.zeros_like(mean) for mean in means]
    widths = (*settings.matryoshka, settings.dimensions)
    total = 0.0
    for width in widths:
        loss, *parts = _ranking_loss(means[0][:, :width], means[1][:, :width], settings.scale)
        total += loss / len(widths)
        for gradient, part in zip(gradients, parts, strict=True):
            gradient[:, :width] += part / len(widths)
    ids = np.concatenate([side.ids for side in sides])
    shares = [
        np.repeat(gradient / np.diff(side.starts).astype(np.float32)[:, None], np.diff(side.starts), axis=0)
        for gradient, side in zip(gradients, sides, strict=True)
    ]
    order = np.argsort(ids, kind="stable")
    sorted_ids = ids[order]
    first = np.flatnonzero(np.concatenate(([True], sorted_ids[1:] != sorted_ids[:-1])))
    summed: Floats = np.add.reduceat(np.concatenate(shares)[order], first, axis=0)
    return total, sorted_ids[first], summed


def _ranking_loss(left: Floats, right: Floats, scale: float) -> tuple[float, Floats, Floats]:
    """Return the symmetric loss of two aligned sets of vectors and its gradients."""
    count = len(left)
    sizes = [np.linalg.norm(side, axis=1, keepdims=True) + 1e-8 for side in (left, right)]
    a, b = left / sizes[0], right / sizes[1]
    scores = scale * (a @ b.T)
    rowwise, columnwise = _softmax(scores), _softmax(scores.T).T
    own = np.arange(count)
    loss = -float(np.log(rowwise[own, own] + 1e-12).mean() + np.log(columnwise[own, own] + 1e-12).mean()) / 2
    change = (rowwise + columnwise) / (2 * count)
    change[own, own] -= 1 / count
    change *= scale
    of_a, of_b = change @ b, change.T @ a
    # through the division by the length
    of_a = (of_a - a * (of_a * a).sum(axis=1, keepdims=True)) / sizes[0]
    of_b = (of_b - b * (of_b * b).sum(axis=1, keepdims=True)) / sizes[1]
    return loss, of_a, of_b


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Floats = powers / powers.sum(axis=1, keepdims=True)
    return found


class _Adam:
    """Adam (Kingma and Ba 2015) that moves only the rows a batch has touched."""

    def __init__(self, rows: Floats) -> None:
        self._rows = rows
        self._mean = np.zeros_like(rows)
        self._square = np.zeros_like(rows)
        self._steps = 0

    def move(self, ids: Ints, gradient: Floats, rate: float) -> None:
        self._steps += 1
        mean = self._mean[ids] * 0.9 + gradient * 0.1
        square = self._square[ids] * 0.999 + gradient**2 * 0.001
        self._mean[ids], self._square[ids] = mean, square
        mean = mean / (1 - 0.9**self._steps)
        square = square / (1 - 0.999**self._steps)
        self._rows[ids] -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
