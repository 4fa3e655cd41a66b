"""Prints the paired difference to the rebuilt peer: `compare_peer.py EVAL.json BASELINE.json`, nDCG@10 over questions.

EVAL.json is what `bsl-scout eval SSL --gold ssl_dev.jsonl --mode hybrid --json` printed, BASELINE.json the peer's
figures per question that came with the judgements.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

_SAMPLES = 10_000


def main() -> int:
    """Print a row for each level: mean and 95 % bootstrap interval of ours minus the peer's."""
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    ours = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["per_question"]
    peer = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))["hybrid"]
    random = np.random.default_rng(0)
    for level in ("file", "symbol"):
        own = {row["id"]: row["ndcg@10"] for row in ours if row["level"] == level and row["mode"] == "hybrid"}
        differences = np.array([own[number] - row["ndcg10"] for number, row in peer[level].items() if number in own])
        means = differences[random.integers(0, len(differences), (_SAMPLES, len(differences)))].mean(axis=1)
        low, high = np.percentile(means, [2.5, 97.5])
        print(f"{level}: {differences.mean():+.3f} [{low:+.3f}; {high:+.3f}] over {len(differences)} questions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
