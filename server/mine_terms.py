"""Writes retrieval/terms.tsv: Russian and English words that mean the same, by the twins of two configurations.

`python server/mine_terms.py RUSSIAN ENGLISH [--without PATHS_FILE]`: two folders whose objects and fields share
their uuids, as SSL 3.1 and its English edition do. Names and synonyms of twins are pairs, and so are the names of
procedures that stand at the same place in twin modules with as many procedures. PATHS_FILE names Russian files, one
a line, whose objects are left out: to measure the table on questions about them.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from bsl_scout.bsl.names import stem
from bsl_scout.bsl.text import decode, fold
from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.configuration.objects import read_objects
from bsl_scout.retrieval.dictionary import Pair, align, terms, words

TABLE = Path(__file__).parent / "bsl_scout" / "retrieval" / "terms.tsv"
HEAD = """# Russian and English words that mean the same, with a weight; written by server/mine_terms.py
# from the names of 1C:Standard Subsystems Library 3.1 and its English edition (c) 1C-Soft, CC BY 4.0
"""
PROCEDURE = re.compile(r"^[ \t]*(?:Процедура|Функция|Procedure|Function)[ \t]+(\w+)", re.IGNORECASE | re.MULTILINE)
RUSSIAN = re.compile(r"[А-Яа-яЁё]")
MODULES = ("Module", "ManagerModule", "ObjectModule", "RecordSetModule", "ValueManagerModule")


def main() -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("russian", type=Path)
    parser.add_argument("english", type=Path)
    parser.add_argument("--without", type=Path)
    parser.add_argument("--output", type=Path, default=TABLE)
    arguments = parser.parse_args()
    without = arguments.without.read_text(encoding="utf-8").splitlines() if arguments.without else []
    texts = list(pairs_of_texts(arguments.russian, arguments.english, without))
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for text in (text for pair in texts for text in pair):
        for word in words(text):
            spellings[stem(fold(word))][fold(word)] += 1
    pairs: list[Pair] = [(terms(left), terms(right)) for left, right in dict.fromkeys(texts)]
    found = {pair: weight for pair, weight in align(pairs).items() if worth_keeping(*pair)}
    lines = []
    for (russian, english), weight in found.items():
        spelled = [spellings[term].most_common(1)[0][0] for term in (russian, english)]
        lines.append(f"{spelled[0]}\t{spelled[1]}\t{weight:.2f}\n")
    arguments.output.write_text(HEAD + "".join(sorted(lines)), encoding="utf-8")
    print(f"{len(pairs)} pairs of names, {len(lines)} pairs of words")
    return 0


def worth_keeping(russian: str, english: str) -> bool:
    """Return whether the words are of the two languages and not mere letters."""
    return bool(RUSSIAN.search(russian)) and not RUSSIAN.search(english) and min(len(russian), len(english)) > 1


def pairs_of_texts(russian: Path, english: Path, without: list[str]) -> Iterator[tuple[str, str]]:
    """Yield names and synonyms that mean the same."""
    twins = {item.uuid: item for item in objects(english) if not RUSSIAN.search(item.name)}
    for item in objects(russian):
        twin = twins.get(item.uuid)
        if twin is None or any(path.startswith(folder(item.path)) for path in without):
            continue
        yield from names(item.name, twin.name, item.synonym.get("ru"), twin.synonym.get("en"))
        parts = {part.uuid: part for part in twin.fields if part.uuid}
        for part in item.fields:
            if part.uuid in parts:
                other = parts[part.uuid]
                yield from names(part.name, other.name, part.synonym.get("ru"), other.synonym.get("en"))
        for module in MODULES:
            files = [
                Path(top, folder(one.path), "Ext", f"{module}.bsl") for top, one in ((russian, item), (english, twin))
            ]
            if all(file.is_file() for file in files):
                lists = [PROCEDURE.findall(decode(file.read_bytes()).text) for file in files]
                if len(lists[0]) == len(lists[1]):
                    yield from zip(*lists, strict=True)


def names(left: str, right: str, left_synonym: str | None, right_synonym: str | None) -> Iterator[tuple[str, str]]:
    """Yield the pair of names and the pair of synonyms."""
    yield left, right
    if left_synonym and right_synonym:
        yield left_synonym, right_synonym


def objects(top: Path) -> list[MetadataObject]:
    """Return the objects of a configuration."""
    return read_objects(top, walk(top).roots)[0]


def folder(path: str) -> str:
    """Return the folder of an object by the path of its XML."""
    return path.removesuffix(".xml")


if __name__ == "__main__":
    sys.exit(main())
