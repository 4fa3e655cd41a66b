"""Composes Designer configurations of a given size: `python server/compose.py 180k FOLDER`.

A configuration of that size cannot be had, so it is made of copies of real ones: the Standard Subsystems Library and
designer_mega_cc of the corpora (Russian and English modules, several authors). Each copy takes some of the objects with
their modules and forms, gives each object another name and changes a part of the words, in code, texts and names alike,
so that hashes, terms and vectors of the copies differ and the vocabulary grows as that of a real configuration. The
same size gives the same files.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from bsl_scout.bsl.names import KEYWORDS
from bsl_scout.configuration.kinds import KINDS
from bsl_scout.configuration.standard_attributes import STANDARD_ATTRIBUTES

SOURCES = ("ssl_3_1", "testdata/designer_mega_cc")
# what the names of a copy's objects end with
SUFFIXES = """Торговли Складов Производства Казначейства Розницы Зарплаты Логистики Ремонтов Бюджетов Закупок Клиентов
Активов Качества Лаборатории Транспорта Филиалов Подрядов Аренды Питания Страхования"""
# one word of so many is another word in a copy
CHANGED = 8
# words of more than this share of the modules are the same in all copies
COMMON = 0.05
# chunks that one copy gives at most: half of what the smaller source has, so that copies differ in what they hold
CHUNKS_PER_COPY = 45_000
LEAST_COPIES = 4

_TOKEN = re.compile(r"(?<![<:/\w])[^\W\d]\w*|(?<=/)[А-Яа-яЁё]\w*")
_PART = re.compile(r"[А-ЯЁ]?[а-яё]+|[А-ЯЁ]+(?![а-яё])|[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[\W\d_]+|.")
_LATIN = re.compile(r"[A-Za-z]\w*")
_UUID = re.compile(r"\b([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b")
_ROUTINE = re.compile(
    rb"^(?:\xef\xbb\xbf)?\s*(?:\xd0\x9f\xd1\x80\xd0\xbe\xd1\x86\xd0\xb5\xd0\xb4\xd1\x83\xd1\x80\xd0\xb0"
    rb"|\xd0\xa4\xd1\x83\xd0\xbd\xd0\xba\xd1\x86\xd0\xb8\xd1\x8f|Procedure|Function)\s",
    re.M,
)
_FIELD = re.compile(rb"<(?:Attribute|Dimension|Resource|EnumValue|Command|Form|Template|TabularSection)[ >]")
_SYLLABLES = "ба ве ги до ду ел жи за ин ка ко ла ле ми мо на не ор па пе ри ро са се та ти ум фо ха це чи ша эк юр"


@dataclass(frozen=True, slots=True)
class Unit:
    """A metadata object: its file and the folder of what belongs to it, and about how many chunks they give."""

    kind: str
    name: str
    files: tuple[Path, ...]
    chunks: int


def main() -> int:
    """Compose a configuration as the arguments say."""
    from bench_figures import corpora

    size, folder = sys.argv[1:]
    top = corpora()
    if top is None:
        print("the corpora are not here: name their folder in BSL_SCOUT_CORPORA", file=sys.stderr)
        return 1
    compose(top, Path(folder), int(size.removesuffix("k")) * 1000)
    return 0


def compose(corpora: Path, folder: Path, chunks: int) -> None:
    """Write a configuration of about so many chunks; the folder must not exist yet."""
    folder.mkdir(parents=True)
    copies = max(LEAST_COPIES, -(-chunks // CHUNKS_PER_COPY))
    children: dict[tuple[str, str], None] = {}
    tops = [corpora / source for source in SOURCES]
    sources = [(top, list(units(top)), kept_words(top)) for top in tops]
    for number in range(copies):
        source, found, kept = sources[number % len(sources)]
        words = Words(number, {unit.name for unit in found}, kept)
        left = chunks // copies
        for unit in sorted(found, key=lambda unit: _hash(f"{number} {unit.kind} {unit.name}")):
            if left <= 0:
                break
            child = (unit.kind, words.changed(unit.name))
            if child in children:
                # a name that is a common word is the same in all copies: the first has it
                continue
            left -= unit.chunks
            children[child] = None
            for path in unit.files:
                words.write(source, path, folder)
    first = tops[0]
    for path in sorted([*(first / "Languages").rglob("*"), *(first / "Ext").rglob("*")]):
        if path.is_file():
            target = folder / path.relative_to(first)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    languages = [("Language", path.stem) for path in sorted((first / "Languages").glob("*.xml"))]
    order = {kind.english: place for place, kind in enumerate(KINDS)}
    write_configuration(folder, [*languages, *sorted(children, key=lambda child: order[child[0]])])


def units(source: Path) -> Iterator[Unit]:
    """Yield the objects of a configuration, languages apart, in the order of their paths."""
    for kind in sorted(KINDS, key=lambda kind: kind.folder):
        if kind.english == "Language":
            continue
        for path in sorted((source / kind.folder).glob("*.xml")):
            below = sorted(one for one in path.with_suffix("").rglob("*") if one.is_file())
            chunks = 1 + len(_FIELD.findall(path.read_bytes()))
            chunks += sum(1 + len(_ROUTINE.findall(one.read_bytes())) for one in below if one.suffix == ".bsl")
            yield Unit(kind.english, path.stem, (path, *below), chunks)


def kept_words(source: Path) -> frozenset[str]:
    """Return the words that every copy of a source keeps.

    The Latin ones of its XML files, the platform's own among them, and parts of words that many modules have:
    configurations differ in their rare words.
    """
    found: set[str] = set()
    for path in source.rglob("*.xml"):
        found.update(_LATIN.findall(path.read_text(encoding="utf-8-sig", errors="replace")))
    modules = sorted(source.rglob("*.bsl"))
    often: Counter[str] = Counter()
    for path in modules:
        tokens = set(_TOKEN.findall(path.read_text(encoding="utf-8-sig", errors="replace")))
        often.update({part.lower() for token in tokens for part in _PART.findall(token)})
    return frozenset(found) | {part for part, count in often.items() if count > len(modules) * COMMON}


class Words(dict[str, str]):
    """What each word of a source is in one copy of it."""

    def __init__(self, copy: int, objects: set[str], kept: frozenset[str]) -> None:
        super().__init__()
        self._copy = copy
        self._objects = objects
        self._kept = kept | _PLATFORM
        again, place = divmod(copy, len(SUFFIXES.split()))
        self._suffix = SUFFIXES.split()[place] + (str(again) if again else "")
        self._mask = int.from_bytes(hashlib.sha256(f"uuid {copy}".encode()).digest()[:4], "big")

    def __missing__(self, word: str) -> str:
        if word in self._objects and word.lower() not in self._kept:
            new = "".join(map(self._part, _PART.findall(word))) + self._suffix
        elif word in self._kept or word.lower() in KEYWORDS:
            new = word
        else:
            new = "".join(map(self._part, _PART.findall(word)))
        self[word] = new
        return new

    def _part(self, part: str) -> str:
        number = _hash(f"{self._copy} {part.lower()}")
        if number % CHANGED or len(part) < 3 or part.lower() in self._kept:
            return part
        syllables = _SYLLABLES.split()
        made = ""
        while len(made) < len(part):
            number, choice = divmod(number // CHANGED if not made else number, len(syllables))
            made += syllables[choice]
        made = made[: len(part)]
        return made.upper() if part.isupper() else made.capitalize() if part[0].isupper() else made

    def changed(self, text: str) -> str:
        """Return a text as it is in this copy."""
        return _TOKEN.sub(lambda match: self[match.group()], text)

    def write(self, source: Path, path: Path, folder: Path) -> None:
        """Write a file of the source as it is in this copy."""
        parts = path.relative_to(source).parts
        target = folder.joinpath(*(parts[:1]), *map(self.changed, parts[1:-1]))
        target.mkdir(parents=True, exist_ok=True)
        target /= self.changed(path.stem) + path.suffix if len(parts) > 1 else path.name
        data = path.read_bytes()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            target.write_bytes(data)
            return
        text = _UUID.sub(lambda match: f"{int(match[1], 16) ^ self._mask:08x}{match[2]}", self.changed(text))
        target.write_bytes(text.encode())


def write_configuration(folder: Path, children: list[tuple[str, str]]) -> None:
    """Write the file that makes the folder a configuration."""
    listed = "\n".join(f"\t\t\t<{kind}>{name}</{kind}>" for kind, name in children)
    (folder / "Configuration.xml").write_text(
        f"""<?xml version="1.0" encoding="UTF-8"?>
<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:v8="http://v8.1c.ru/8.1/data/core" version="2.20">
\t<Configuration uuid="{uuid5(NAMESPACE_URL, f"composed {len(children)}")}">
\t\t<Properties>
\t\t\t<Name>СоставнаяКонфигурация</Name>
\t\t\t<Synonym>
\t\t\t\t<v8:item>
\t\t\t\t\t<v8:lang>ru</v8:lang>
\t\t\t\t\t<v8:content>Составная конфигурация</v8:content>
\t\t\t\t</v8:item>
\t\t\t</Synonym>
\t\t\t<ScriptVariant>Russian</ScriptVariant>
\t\t\t<DefaultLanguage>Language.Русский</DefaultLanguage>
\t\t</Properties>
\t\t<ChildObjects>
{listed}
\t\t</ChildObjects>
\t</Configuration>
</MetaDataObject>
""",
        encoding="utf-8",
    )


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


# names that code and XML share with the platform: what belongs to what is told by them
_PLATFORM = (
    frozenset(word for kind in KINDS for word in (kind.english, kind.russian, kind.folder))
    | frozenset(
        name for attributes in STANDARD_ATTRIBUTES.values() for one in attributes for name in (one.english, one.russian)
    )
    | frozenset(["Form", "Forms", "Template", "Templates", "Ext", "Module", "Объект", "Форма", "Макет"])
)


if __name__ == "__main__":
    sys.exit(main())
