"""Prints the figures of the BSL model and of fusion (docs/evaluation.md), on SSL 3.1 and its relevance judgements.

`python3 server/dev.py measure held-out MODEL`  first doc sentences of subsystems that MODEL never saw
`python3 server/dev.py measure fusion [MODEL]`  modes, fusion rules and what each part of the ranking adds
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from bsl_scout.bsl import chunks
from bsl_scout.bsl.chunks import Chunk
from bsl_scout.bsl.text import content_hash, decode, fold
from bsl_scout.configuration.layout import module_address, walk
from bsl_scout.configuration.objects import read_objects
from bsl_scout.encoding.pairs import first_sentence
from bsl_scout.index import encoders
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.embedding import embed_missing
from bsl_scout.index.encoders import open_bsl
from bsl_scout.index.lexical import DEFAULT, FLAT
from bsl_scout.index.training_texts import subsystem_objects
from bsl_scout.retrieval.evaluation import DEPTH, Ask, Question, evaluate
from bsl_scout.retrieval.fusion import Fusion
from bsl_scout.retrieval.prior import Prior
from bsl_scout.retrieval.search import Searcher

# whole subsystems, large and small, that the measured model must not have seen
HELD_OUT = (
    "МашиночитаемыеДоверенности",
    "УправлениеДоступом",
    "Пользователи",
    "Валюты",
    "ОтправкаSMS",
    "УдалениеПомеченныхОбъектов",
    "Мультиязычность",
    "Банки",
    "КонтактнаяИнформация",
    "ПоискИУдалениеДублей",
    "Печать",
    "НапоминанияПользователя",
    "ЭлектроннаяПодпись",
    "КонтрольВеденияУчета",
    "ОценкаПроизводительности",
)
# every second question, so that the pass stays within minutes
_EVERY = 2


def held_out(top: Path, indexed: Callable[..., Any], show: Callable[[dict[str, Any], str], None]) -> None:
    """Ask with first doc sentences of the held-out subsystems in an index without any doc comments."""
    questions = sentence_questions(top)
    with without_docs(), indexed(top, vectors=True) as folder:
        print(f"{len(questions)} doc sentences of {len(HELD_OUT)} subsystems\n")
        modes = {
            "flat BM25": ask(folder, "lexical", FLAT),
            "lexical": ask(folder, "lexical"),
            "vector": ask(folder, "vector", fusion=Fusion(prior=0, file=0)),
            "hybrid without prior and file": ask(folder, "hybrid", fusion=Fusion(prior=0, file=0)),
            "hybrid": ask(folder, "hybrid"),
        }
        report = evaluate(modes, questions)
        show(report, "flat BM25")
        show(report, "hybrid")
        with weights([encoders.TEXT, 0.0, 0.0, 0.0, 0.0]):
            embed_again(folder)
            print("\nvectors of the text only")
            show(evaluate({"vector": modes["vector"]}, questions), "vector")


def fusion(top: Path, questions: list[Question], indexed: Callable[..., Any], show: Callable[..., None]) -> None:
    """Compare modes and rules of fusion, and leave out one part of the ranking at a time."""
    shipped = Fusion()
    with indexed(top, vectors=True) as folder:
        modes = {
            "hybrid": ask(folder, "hybrid"),
            "lexical": ask(folder, "lexical"),
            "vector": ask(folder, "vector"),
            "vector without prior": ask(folder, "vector", fusion=replace(shipped, prior=0)),
            "without prior": ask(folder, "hybrid", fusion=replace(shipped, prior=0)),
            "without file context": ask(folder, "hybrid", fusion=replace(shipped, file=0)),
            "without both": ask(folder, "hybrid", fusion=replace(shipped, prior=0, file=0)),
            "RRF k 60": ask(folder, "hybrid", fusion=replace(shipped, method="rrf")),
            "RRF k 10": ask(folder, "hybrid", fusion=replace(shipped, method="rrf", k=10)),
        }
        show(evaluate(modes, questions), "hybrid")
        names = ("text", "name", "doc", "context", "notes")
        whole = encoders.WEIGHTS
        for left_out in range(1, len(names)):
            chosen = [weight if part != left_out else 0.0 for part, weight in enumerate(whole)]
            with weights(chosen):
                embed_again(folder)
                print(f"\nvectors without {names[left_out]}")
                show(evaluate({"hybrid": ask(folder, "hybrid"), "vector": ask(folder, "vector")}, questions), "hybrid")


def ask(
    folder: Path, mode: str, scheme: Any = DEFAULT, fusion: Fusion | None = None, prior: Prior | None = None
) -> Ask:
    """Return the search of an index in one mode."""
    searcher = Searcher(folder, scheme, fusion, prior)
    return lambda query: searcher.search(query, DEPTH, mode=mode)


def held_out_owners(top: Path) -> set[str]:
    """Return the full names of the objects in held-out subsystems."""
    return {item.russian_name for item in subsystem_objects(read_objects(top, walk(top).roots)[0], HELD_OUT)}


def sentence_questions(top: Path) -> list[Question]:
    """Return first doc sentences of procedures in held-out subsystems; right are all procedures with that code."""
    layout, owners = walk(top), held_out_owners(top)
    asked: dict[str, bytes] = {}
    places: dict[bytes, dict[tuple[str, str | None], int]] = {}
    for file in layout.files:
        owner = module_address(file.path, layout.root_of(file.path)).owner or ""
        for chunk in chunks.outline(decode((top / file.path).read_bytes()).text):
            digest = content_hash(chunk.name, chunks.uncommented(chunk))
            if chunk.kind in ("procedure", "function"):
                places.setdefault(digest, {})[(file.path, fold(chunk.name))] = 2
                sentence = first_sentence(chunk.doc, chunk.name)
                if sentence and ".".join(owner.split(".")[:2]) in owners:
                    asked.setdefault(sentence, digest)
    chosen = list(asked.items())[::_EVERY]
    return [Question(str(n), text, "ru", "doc", places[digest]) for n, (text, digest) in enumerate(chosen)]


def embed_again(folder: Path) -> None:
    """Make the vectors of an index anew."""
    catalog = Catalog(folder)
    catalog.set_meta("vector_model", "")
    embed_missing(catalog, open_bsl())
    catalog.close()


@contextmanager
def without_docs() -> Iterator[None]:
    """Index as if no procedure had a doc comment."""
    outline = chunks.outline

    def bare(text: str) -> list[Chunk]:
        found = outline(text)
        for chunk in found:
            if chunk.name:
                chunk.text, chunk.doc = chunks.uncommented(chunk), ""
                chunk.text_line = chunk.top_line = chunk.line
        return found

    with mock.patch("bsl_scout.bsl.chunks.outline", bare):
        yield


@contextmanager
def weights(chosen: list[float]) -> Iterator[None]:
    """Make vectors with other weights of their parts."""
    with mock.patch.object(encoders, "WEIGHTS", tuple(chosen)):
        yield
