"""Prints the retrieval figures of the decision records, on SSL 3.1 and its relevance judgements.

`python3 server/dev.py measure fields`      flat BM25, weights by repetition, weights with separate lengths
`python3 server/dev.py measure word-forms`  words as they are, lemmas, stems, stems without derivation
`python3 server/dev.py measure parts`       the size at which long procedures are cut
`python3 server/dev.py measure titles`      from what a field or an object is called to it
`python3 server/dev.py measure messages`    from the text of a message to the procedure that builds it
`python3 server/dev.py measure texts`       from words of a query text to the template or form that holds it
`python3 server/dev.py measure held-out M`  the model in the folder M on subsystems that it never saw
`python3 server/dev.py measure e5 M`        the same model, flat BM25 and multilingual-e5-small on a pool
`python3 server/dev.py measure fusion [M]`  modes, rules of fusion and what each part of the ranking adds
`python3 server/dev.py measure prior`       what calls, regions and synonyms add, on all judged questions
`python3 server/dev.py measure typos`       questions with a slip of the finger, with and without their correction
`python3 server/dev.py measure names`       from the words of a procedure's name to it, and the judged questions
`python3 server/dev.py measure unread`      names with a word unknown to the model, and the judged questions
`python3 server/dev.py measure crosslingual`  questions in one language on code in the other, and slang, with expansions
`python3 server/dev.py measure adaptation [M]`  the model adapted to a configuration, and as it is
`python3 server/dev.py measure none`        how many questions without an answer are said to be not convincing
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest import mock

import measure_adaptation
import measure_e5
import measure_model
import measure_names
import measure_prior
import measure_typos
import measure_unread
from bsl_scout.bsl import chunks, names
from bsl_scout.bsl.text import fold
from bsl_scout.configuration.kinds import KIND_BY_NAME
from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.model import MetadataField, MetadataObject, shown
from bsl_scout.configuration.objects import read_objects
from bsl_scout.encoding import model
from bsl_scout.index.indexer import refresh
from bsl_scout.index.lexical import DEFAULT, FLAT, Scheme
from bsl_scout.index.metadata import HEAD_ROWS
from bsl_scout.index.schema import TEXTS
from bsl_scout.retrieval.dictionary import Dictionary, build_dictionary, built_in, dictionary_of, mined, own_pairs
from bsl_scout.retrieval.evaluation import DEPTH, Ask, Question, evaluate, load_questions
from bsl_scout.retrieval.language import Language
from bsl_scout.retrieval.search import Answer, Searcher
from bsl_scout.retrieval.synonyms import Synonyms, load_synonyms, make_synonyms

LEMMA_WORDS = 300_000
DEV = 80  # the questions of ssl_dev.jsonl stand before those of ssl_dev_extra.jsonl
OWN_GOLD = Path(__file__).resolve().parent.parent / "tests" / "gold"


def main() -> int:
    """Run the measurement that the first argument names."""
    measurements: dict[str, Callable[[Path, list[Question]], None]] = {
        "fields": fields,
        "word-forms": word_forms,
        "parts": parts,
        "messages": messages,
        "titles": titles,
        "texts": texts,
        "held-out": lambda top, _: measure_model.held_out(top, indexed, show),
        "e5": lambda top, _: measure_e5.measure(top, indexed, show),
        "fusion": lambda top, questions: measure_model.fusion(top, questions[:DEV], indexed, show),
        "prior": prior,
        "typos": lambda top, questions: searched(top, measure_typos.measure, about_ssl(questions)),
        "names": lambda top, questions: searched(top, measure_names.measure, about_ssl(questions)),
        "unread": lambda top, questions: searched(top, measure_unread.measure, about_ssl(questions)),
        "crosslingual": crosslingual,
        "none": none,
        "adaptation": adaptation,
    }
    if len(sys.argv) == 3:
        model.SHIPPED = Path(sys.argv[2])
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in measurements:
        print(f"name one of: {', '.join(measurements)}", file=sys.stderr)
        return 2
    corpora, gold = os.environ.get("BSL_SCOUT_CORPORA"), os.environ.get("BSL_SCOUT_GOLD")
    if not corpora or not gold:
        return 1
    questions = [q for name in ("ssl_dev", "ssl_dev_extra") for q in load_questions(Path(gold, f"{name}.jsonl"))]
    measurements[sys.argv[1]](Path(corpora, "ssl_3_1"), questions)
    return 0


@contextmanager
def indexed(top: Path, vectors: bool = False) -> Iterator[Path]:
    """Index into a folder that is gone afterwards."""
    names.stem.cache_clear()
    names.identifier_terms.cache_clear()
    with tempfile.TemporaryDirectory() as folder:
        refresh(top, Path(folder), vectors=vectors)
        yield Path(folder)


def searched(top: Path, measurement: Callable[..., None], groups: Mapping[str, Sequence[Question]]) -> None:
    """Run a measurement on groups of questions about a configuration, with a searcher of it."""
    with indexed(top, vectors=True) as folder:
        searcher = Searcher(folder)
        searcher.learn()
        measurement(searcher, groups, show)
        searcher.close()


def fields(top: Path, questions: list[Question]) -> None:
    """Compare flat BM25 with field weights, by repetition and with separate lengths."""
    schemes = {
        "repetition (shipped)": DEFAULT,
        "repetition, k1 and b of rank_bm25": Scheme(DEFAULT.weights, joint=True),
        # the best of 120 random settings each, by file and symbol nDCG@10 on gold and on doc sentences
        "separate lengths, the same weights": Scheme(DEFAULT.weights, k1=DEFAULT.k1, b=DEFAULT.b),
        "separate lengths, own best setting": Scheme(
            (12.0, 4.0, 2.0, 4.0, 1.5, 1.0), k1=3.0, b=(0.75, 0.75, 0.5, 0.6, 0.5, 0.6)
        ),
        "flat": FLAT,
    }
    with indexed(top) as folder:
        searchers = {name: Searcher(folder, scheme) for name, scheme in schemes.items()}
        report = evaluate({name: asking(searcher) for name, searcher in searchers.items()}, questions)
        for baseline in ("flat", "repetition (shipped)"):
            show(report, baseline)
        for searcher in searchers.values():
            searcher.close()


def word_forms(top: Path, questions: list[Question]) -> None:
    """Compare ways to make one term of the forms of a word."""
    import pymorphy3

    analyzer = pymorphy3.MorphAnalyzer()
    shipped = names.stem.__wrapped__

    @lru_cache(LEMMA_WORDS)
    def lemma(word: str) -> str:
        return analyzer.parse(word)[0].normal_form.replace("ё", "е") if cyrillic(word) else shipped(word)

    @lru_cache(LEMMA_WORDS)
    def snowball(word: str) -> str:
        return names._RUSSIAN(word) if cyrillic(word) else shipped(word)

    variants = {
        "stems without derivation": names.stem,
        "stems": snowball,
        "lemmas": lemma,
        "words as they are": lru_cache(LEMMA_WORDS)(lambda word: word),
    }
    compare_indexes(
        top, questions, {name: ("bsl_scout.bsl.names.stem", stem) for name, stem in variants.items()}, "stems"
    )


def cyrillic(word: str) -> bool:
    """Return whether a word has a Russian letter."""
    return bool(names._CYRILLIC.search(word))


def parts(top: Path, questions: list[Question]) -> None:
    """Compare sizes of the parts of long procedures."""
    sizes = (1_000, 2_000, chunks.PART_CHARS, 1_000_000)
    variants = {str(size): ("bsl_scout.bsl.chunks.PART_CHARS", size) for size in sizes}
    compare_indexes(top, questions, variants, str(sizes[-1]))


MESSAGES = 300
ITEMS = ("predefined", "standard_attribute")
VALUES = ("Иванов И. И.", "15", "01.02.2024", "Реализация 0000-000123 от 01.02.2024", "Основной склад", "Болт М8")


def messages(top: Path, questions: list[Question]) -> None:
    """Ask with messages whose placeholders are filled in; right is any procedure that has the template."""
    chooser = random.Random(4)
    with indexed(top) as folder:
        searcher = Searcher(folder)
        builders: dict[str, set[tuple[str, str]]] = {}
        for row in searcher.catalog.procedures():
            for template in names.MESSAGE.findall(searcher.catalog.text(row.id)):
                text = " ".join(template.replace("|", " ").split())
                if len(re.findall(r"\w{2,}", text)) >= 5:
                    builders.setdefault(text, set()).add((row.path, row.name))
        asked = chooser.sample(sorted(builders), MESSAGES)
        ranks = []
        for text in asked:
            query = re.sub(r"%\d|\[[^\]]*\]", lambda _: chooser.choice(VALUES), text)
            hits = searcher.search(query).hits
            ranks.append(next((hit.rank for hit in hits if (hit.path, hit.symbol) in builders[text]), 0))
        searcher.close()
    for depth in (1, 3):
        share = sum(0 < rank <= depth for rank in ranks) / len(ranks)
        print(f"right among the first {depth}: {share:.1%} of {len(ranks)} messages")


def titles(top: Path, questions: list[Question]) -> None:
    """Ask with synonyms; right is any field of that object (any object of that kind) with that synonym.

    Predefined items and standard attributes are asked for apart from the fields that a configuration defines.
    """
    objects, _ = read_objects(top, walk(top).roots)
    named = [item for item in objects if shown(item.synonym) and item.kind in KIND_BY_NAME]
    fields = [(item, part) for item in named for part in item.fields if shown(part.synonym) and part.kind not in ITEMS]
    chooser = random.Random(7)
    with indexed(top) as folder:
        searcher = Searcher(folder)
        print(f"fields: right among the first three {_first_three(searcher, chooser.sample(fields, MESSAGES)):.1%}")
        right = 0
        for item in chooser.sample(named, MESSAGES):
            same = {
                fold(other.russian_name)
                for other in named
                if other.kind == item.kind and shown(other.synonym) == shown(item.synonym)
            }
            hits = searcher.search(f"{KIND_BY_NAME[item.kind].russian} {shown(item.synonym)}").hits
            right += bool(hits) and fold(hits[0].symbol) in same
        print(f"objects: right at the first place {right / MESSAGES:.1%}")
        items = [
            (item, part)
            for item in named
            for part in (*item.fields, *item.standard_attributes)
            if shown(part.synonym) and part.kind in ITEMS
        ]
        print(f"{len(items)} items: right among the first three {_first_three(searcher, items):.1%}")
        searcher.close()


def _first_three(searcher: Searcher, asked: Sequence[tuple[MetadataObject, MetadataField]]) -> float:
    """Return how often a field of that object with that synonym is among the first three hits."""
    right = 0
    for item, part in asked:
        named = [p for p in (*item.fields, *item.standard_attributes) if shown(p.synonym) == shown(part.synonym)]
        same = {fold(item.field_name(p)) for p in named}
        hits = searcher.search(f"{shown(part.synonym)}, {shown(item.synonym)}").hits
        right += any(fold(hit.symbol) in same for hit in hits[:3])
    return right / len(asked)


def texts(top: Path, questions: list[Question]) -> None:
    """Ask with four words of a schema or a dynamic list; right is the template or form, at several shares."""
    print("| share | among the first ten of all | of metadata | of forms |\n|---|---|---|---|")
    with indexed(top) as folder:
        for share in (0.2, 0.35, 0.5, 0.6, 0.7):
            chooser = random.Random(3)
            with mock.patch("bsl_scout.retrieval.shares._TEXT", share):
                searcher = Searcher(folder)
                asked = []
                held = [row[0] for row in searcher.catalog.forward_above(0) if row[3] == TEXTS]
                for chunk in held:
                    rows = searcher.catalog.text(chunk).split("\n")
                    words = list(
                        dict.fromkeys(re.findall(r"[А-Яа-яЁё]*[а-яё][А-Яа-яЁё]{4,}", "\n".join(rows[HEAD_ROWS:])))
                    )
                    if ".ОграничениеДоступа." not in rows[0] and len(words) >= 4:
                        asked.append((rows[0], " ".join(chooser.sample(words, 4))))
                cells = []
                for collection in ("all", "metadata", "form"):
                    wanted = [pair for pair in asked if collection != "form" or ".Форма." in pair[0]]
                    right = sum(
                        any(hit.symbol == name for hit in searcher.search(query, 10, collection).hits)
                        for name, query in wanted
                    )
                    cells.append(f"{right / len(wanted):.0%} of {len(wanted)}")
                searcher.close()
            print(f"| {share} | {' | '.join(cells)} |")


def about_ssl(questions: Sequence[Question]) -> dict[str, Sequence[Question]]:
    """Return the groups of Russian questions about SSL 3.1."""
    everyday = [question for question, _ in own_questions("everyday")]
    return {"gold/ssl_dev": questions[:DEV], "gold/ssl_dev_extra": questions[DEV:], "everyday words": everyday}


def prior(top: Path, questions: list[Question]) -> None:
    """Compare weights of the prior, and what synonyms do, on every group of questions."""
    by_root: dict[str, list[Question]] = {}
    for question, root in own_questions("crosslingual"):
        by_root.setdefault(root, []).append(question)
    own = about_ssl(questions)
    found: dict[str, measure_prior.Values] = {}
    for root, asked in by_root.items():
        with measure_prior.without_twins(top.parent / root) as folder:
            groups = {**(own if root == top.name else {}), f"in the other language, {root}": asked}
            found |= measure_prior.measure(folder, groups, indexed, show)
    print("\nall but gold/ssl_dev, which the settings were chosen on")
    measure_prior.show_together([values for name, values in found.items() if name != "gold/ssl_dev"])


def crosslingual(top: Path, questions: list[Question]) -> None:
    """Ask with and without translations and synonyms: other-language, everyday and the given questions."""
    synonyms, _ = load_synonyms()
    by_root: dict[str, list[Question]] = {}
    for question, root in own_questions("crosslingual"):
        by_root.setdefault(root, []).append(question)
    everyday = [question for question, _ in own_questions("everyday")]
    for root, asked in by_root.items():
        with measure_prior.without_twins(top.parent / root) as folder, indexed(folder) as index:
            searcher = Searcher(index)
            own = mined(own_pairs(searcher.catalog))
            whole = dictionary_of(searcher.catalog)
            variants: dict[str, tuple[Dictionary | None, Synonyms | None]] = {
                "words of the query": (None, None),
                "own dictionary": (build_dictionary(own), None),
                "built-in dictionary": (build_dictionary(built_in()), None),
                "both": (whole, None),
                "both and synonyms": (whole, synonyms),
            }
            groups = {root: asked}
            if root == top.name:
                groups |= {"everyday words": everyday, "gold/ssl_dev and extra": questions}
            for name, chosen in groups.items():
                print(f"\n{name}, {sum(bool(q.relevant) for q in chosen)} questions")
                modes = {variant: expanding(searcher, *tables) for variant, tables in variants.items()}
                show(evaluate(modes, chosen), "words of the query")
            searcher.close()


def adaptation(top: Path, questions: list[Question]) -> None:
    """Compare the model as it is with itself adapted to the configuration."""
    by_root: dict[str, list[Question]] = {}
    for question, root in own_questions("crosslingual"):
        by_root.setdefault(root, []).append(question)
    tester, add = "testdata/edt_tester_eng", "testdata/mpl_vanessa_add"
    measure_adaptation.measure(top.parent / tester, {"Russian questions": by_root[tester]}, indexed, show)
    measure_adaptation.measure(top.parent / add, {}, indexed, show)
    groups = {
        "gold/ssl_dev": questions[:DEV],
        "gold/ssl_dev_extra": questions[DEV:],
        "of both, about subsystems that are held out": measure_adaptation.about_held_out(top, questions),
        "English questions": by_root[top.name],
        "everyday words": [question for question, _ in own_questions("everyday")],
    }
    measure_adaptation.measure(top, groups, indexed, show)


def expanding(searcher: Searcher, dictionary: Dictionary | None, synonyms: Synonyms | None) -> Ask:
    """Return the search of a searcher that scores a query together with its expansions."""
    language = Language(dictionary or build_dictionary(), synonyms or make_synonyms(()))

    def ask(query: str) -> Answer:
        with mock.patch.object(searcher, "language", language):
            return searcher.search(query, DEPTH)

    return ask


def own_questions(name: str) -> list[tuple[Question, str]]:
    """Return the questions of a file of tests/gold with the folders of the corpora that they are about."""
    path = OWN_GOLD / f"{name}.jsonl"
    roots = [json.loads(line)["root"] for line in path.read_text(encoding="utf-8").splitlines()]
    return list(zip(load_questions(path), roots, strict=True))


def none(top: Path, questions: list[Question]) -> None:
    """Print how many questions are called not convincing: with an answer (should be none), without one (all)."""
    path = OWN_GOLD / "none.jsonl"
    parts = [json.loads(line)["part"] for line in path.read_text(encoding="utf-8").splitlines()]
    empty = list(zip(load_questions(path), parts, strict=True))
    groups = {
        "with an answer, gold/ssl_dev and extra": [q for q in questions if q.relevant],
        "with an answer, everyday words": [q for q, _ in own_questions("everyday")],
        "with an answer, in English": [q for q, root in own_questions("crosslingual") if root == top.name],
        "without, gold/ssl_dev": [q for q in questions if not q.relevant],
        "without, tuning part": [q for q, part in empty if part == "tune"],
        "without, untouched part": [q for q, part in empty if part == "test"],
    }
    with indexed(top, vectors=True) as folder:
        searcher = Searcher(folder)
        searcher.learn()
        for mode in ("lexical", "hybrid"):
            for name, asked in groups.items():
                flagged = sum(not searcher.search(question.query, mode=mode).convincing for question in asked)
                print(f"{mode}, {name}: {flagged} of {len(asked)} flagged ({flagged / len(asked):.0%})")
        searcher.close()


def compare_indexes(
    top: Path, questions: list[Question], variants: Mapping[str, tuple[str, Any]], baseline: str
) -> None:
    """Index once per variant (a name to patch and its value) and print the comparison."""
    answers: dict[str, dict[str, Any]] = {}
    for name, (target, value) in variants.items():
        with mock.patch(target, value), indexed(top) as folder:
            searcher = Searcher(folder)
            answers[name] = {question.query: searcher.search(question.query, DEPTH) for question in questions}
            searcher.close()
    modes: dict[str, Ask] = {name: found.__getitem__ for name, found in answers.items()}
    show(evaluate(modes, questions), baseline)


def asking(searcher: Searcher) -> Ask:
    """Return the search of one searcher to the depth of evaluations."""
    return lambda query: searcher.search(query, DEPTH)


def show(report: dict[str, Any], baseline: str) -> None:
    """Print the means and the paired differences from a baseline as Markdown."""
    print("| variant | file nDCG@10 | file Recall@10 | symbol nDCG@10 | symbol Recall@10 |\n|---|---|---|---|---|")
    for mode, values in report["modes"].items():
        means = [values[level]["all"][metric] for level in ("file", "symbol") for metric in ("ndcg@10", "recall@10")]
        print(f"| {mode} | " + " | ".join(f"{m['mean']:.3f} [{m['low']:.3f};{m['high']:.3f}]" for m in means) + " |")
    print(f"\npaired nDCG@10 differences from `{baseline}` with 95 % intervals:")
    for row in report["paired"]:
        if row["metric"] == "ndcg@10" and baseline in (row["a"], row["b"]):
            sign = 1 if row["b"] == baseline else -1
            low, high = sorted((sign * row["low"], sign * row["high"]))
            other = row["a"] if row["b"] == baseline else row["b"]
            print(f"{other}, {row['level']}: {sign * row['mean']:+.3f} [{low:+.3f};{high:+.3f}]")


if __name__ == "__main__":
    sys.exit(main())
