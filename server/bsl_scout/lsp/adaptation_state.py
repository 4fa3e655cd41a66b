"""How far the model is adapted to a folder."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AdaptationState:
    """How far the model is adapted to a folder: `state` is off, waiting, training, embedding, ready or refused.

    It is encoding while the vectors of another model are made, which is not adapted.

    `done` and `total` count the steps of a stage. `gain` is what the test gained, `weight` that of the vectors,
    `reason` why the adapted model was refused or adapting failed.
    """

    state: str = "off"
    done: int = 0
    total: int = 0
    gain: float = 0.0
    weight: float = 0.0
    reason: str = ""
