"""Makes the vectors of another encoder in the background, while an index is searched and saves go on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from bsl_scout.encoding.model import ModelError

from .catalog import Catalog
from .embedding import embed_next, waiting, wanted_encoder, without_encoder
from .writer_lock import writing

STAGE = "embedding"


def make_next_vectors(folder: Path, checkpoint: Callable[[str, int, int], None]) -> dict[str, Any]:
    """Make the vectors of the encoder that an index wants, let them serve, and return how that ended.

    `vectors` tells whether every chunk has its vector, `problem` what stands in the way. The checkpoint is told stage,
    done and total after each batch; it may wait, and raise to stop: what was done is kept. Raises IndexLockedError
    when another process writes, and what a catalog raises.
    """
    with closing(Catalog(folder)) as catalog:

        def progress(done: int, total: int) -> None:
            checkpoint(STAGE, done, total)

        try:
            # a save may have brought further chunks meanwhile
            while wanted_encoder(catalog) and not embed_next(
                catalog, folder, progress=progress, hold=lambda: writing(folder)
            ):
                checkpoint(STAGE, 0, 0)
        except ModelError as error:
            return {
                "vectors": not waiting(catalog),
                "problem": f"{error}; search goes on {without_encoder(catalog, folder)}",
            }
        return {"vectors": not waiting(catalog), "problem": ""}
