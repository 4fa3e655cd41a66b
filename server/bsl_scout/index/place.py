"""Where the index of a folder of sources is kept."""

from __future__ import annotations

import os
from pathlib import Path

from bsl_scout.bsl.text import content_hash


def index_folder(top: Path, base: Path) -> Path:
    """Return the folder of a root's index below `base`: readable, and unique for the root's full path."""
    # unlike Path.resolve this gives a path for a loop of links too
    full = os.path.realpath(top)
    name = Path(full).name[:40].encode("utf-8", errors="replace").decode("utf-8")
    return base / f"{name}-{content_hash(os.path.normcase(full)).hex()[:12]}"
