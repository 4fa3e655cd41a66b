"""Makes the training pairs of the BSL model: two texts that mean the same, taken from code and metadata."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from bsl_scout.bsl.names import MESSAGE, is_keyword
from bsl_scout.bsl.text import fold

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n")
_WORD = re.compile(r"\w+")
# words of a text that training looks at: what stands further below says little new
BODY_WORDS = 120
_MIN_WORDS, _MAX_WORDS = 3, 40
_CODE_LINES = 8
# openings of doc comments that say nothing of the procedure
_BOILERPLATE = re.compile(
    r"^(?:см\.?|see|для процедуры|для функции|при\b|параметры|parameters|возвращаемое значение|returns?\b|"
    r"обработчик события|устарела|deprecated|только для внутреннего|for internal use|this procedure is|)",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"^\s*(?:параметры|возвращаемое значение|пример|примеры|варианты вызова|parameters|returns|return value|example|"
    r"examples|call options)\s*:?",
    re.IGNORECASE | re.MULTILINE,
)
# marks for tools
_MARKUP = re.compile(r"@|BSLLS|//|АПК|\W*$")
_PLACEHOLDER = re.compile(r"%\d+|\[[^\]\n]*\]|%\w+%|#\w+#|[|\"]")


@dataclass(frozen=True, slots=True)
class Procedure:
    """What training knows of a procedure.

    `code` is its text without the doc comment, `owner` tells the object by uuid (or by name without one) and
    module, the same in both editions of a configuration; `number` counts within the module.
    """

    name: str
    path: tuple[str, ...]
    parameters: tuple[str, ...]
    doc: str
    code: str
    owner: tuple[str, ...]
    number: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Titled:
    """Texts that say what something is called, by people (`titles`) and in code (`names`)."""

    titles: tuple[str, ...]
    names: tuple[str, ...]


Pair = tuple[str, str]


def make_pairs(procedures: Sequence[Procedure], titled: Iterable[Titled], seed: int) -> list[Pair]:
    """Return the pairs of all kinds in an order that depends on the seed only, no pair twice."""
    pairs: dict[Pair, None] = {}
    for procedure in procedures:
        for pair in procedure_pairs(procedure):
            pairs[pair] = None
    for pair in twin_pairs(procedures):
        pairs[pair] = None
    for item in titled:
        for pair in titled_pairs(item):
            pairs[pair] = None
    found = [pair for pair in pairs if pair[0] and pair[1] and fold(pair[0]) != fold(pair[1])]
    random.Random(seed).shuffle(found)
    return found


def procedure_pairs(procedure: Procedure) -> Iterator[Pair]:
    """Yield what is said about a procedure with the procedure, its own words left out where they are the query."""
    body = body_text(procedure.code, procedure.name)
    placed = " ".join([*procedure.path[-3:], procedure.name, *procedure.parameters])
    yield procedure.name, body
    sentence = first_sentence(procedure.doc, procedure.name)
    if sentence:
        # twice: it is nearest to what people ask
        yield sentence, f"{procedure.name} {body}"
        yield sentence, placed
        doc = description(procedure.doc)
        if len(doc) > len(sentence) + 20:
            yield doc, f"{procedure.name} {body}"
    yield from comment_pairs(procedure.code)
    for message in messages(procedure.code)[:2]:
        yield message, f"{procedure.name} {body}"
    words = body.split()
    if len(words) >= 60:
        half = len(words) // 2
        yield " ".join(words[:half]), " ".join(words[half:])


def twin_pairs(procedures: Sequence[Procedure]) -> Iterator[Pair]:
    """Yield names and comments of procedures with those of their twins in the other language.

    Modules of one object (by uuid) with as many procedures are twins; their procedures stand in the same order.
    """
    modules: dict[tuple[str, ...], dict[bool, list[Procedure]]] = {}
    for procedure in procedures:
        modules.setdefault(procedure.owner, {}).setdefault(_is_russian(procedure.name), []).append(procedure)
    for sides in modules.values():
        russian, english = sides.get(True, []), sides.get(False, [])
        if len(russian) != len(english):
            continue
        for one, other in zip(russian, english, strict=True):
            if one.number != other.number:
                continue
            yield one.name, other.name
            own, foreign = first_sentence(one.doc, one.name), first_sentence(other.doc, other.name)
            if foreign:
                yield foreign, f"{one.name} {body_text(one.code, one.name)}"
                if own:
                    yield own, foreign
            if own:
                yield own, f"{other.name} {body_text(other.code, other.name)}"


def titled_pairs(item: Titled) -> Iterator[Pair]:
    """Yield each title with the next one and with each name."""
    titles = [title for title in dict.fromkeys(item.titles) if title]
    yield from pairwise(titles)
    for title in titles:
        for name in item.names:
            yield title, name


@lru_cache(maxsize=8)
def body_text(code: str, name: str = "") -> str:
    """Return the words of code that say something, at most BODY_WORDS of them, a procedure's own name left out."""
    words = []
    for match in _WORD.finditer(code):
        if not is_keyword(match[0]) and match[0] != name:
            words.append(match[0])
            if len(words) >= BODY_WORDS:
                break
    return " ".join(words)


def description(doc: str) -> str:
    """Return what a doc comment says before its sections of parameters, result and examples."""
    section = _SECTION.search(doc)
    return " ".join((doc[: section.start()] if section else doc).split())


def first_sentence(doc: str, name: str) -> str | None:
    """Return the first sentence of a doc comment when it says more than the name, else None."""
    section = _SECTION.search(doc)
    text = (doc[: section.start()] if section else doc).strip()
    sentence = " ".join(_SENTENCE.split(text)[0].split()) if text else ""
    words = _WORD.findall(sentence)
    if not _MIN_WORDS <= len(words) <= _MAX_WORDS or (_BOILERPLATE.match(sentence) or [""])[0]:
        return None
    if "".join(map(fold, words)) == fold(name):
        return None
    return sentence


def comment_pairs(code: str) -> Iterator[Pair]:
    """Yield each inner comment of three words or more with the code that follows it."""
    lines = code.split("\n")
    row = 0
    while row < len(lines):
        comment: list[str] = []
        while row < len(lines) and lines[row].strip().startswith("//"):
            comment.append(lines[row].strip().lstrip("/ "))
            row += 1
        if comment:
            following = body_text("\n".join(lines[row : row + _CODE_LINES]))
            text = " ".join(comment)
            if _MARKUP.match(text):
                continue
            if _MIN_WORDS <= len(_WORD.findall(text)) <= _MAX_WORDS and len(following.split()) >= _MIN_WORDS:
                yield text, following
        else:
            row += 1


def messages(code: str) -> list[str]:
    """Return the texts of НСтр in code, without placeholders."""
    found = []
    for match in MESSAGE.finditer(code):
        text = " ".join(_PLACEHOLDER.sub(" ", match[1]).split())
        if _MIN_WORDS <= len(_WORD.findall(text)) <= _MAX_WORDS:
            found.append(text)
    return found


def without_held(procedures: Iterable[Procedure], held: Iterable[Procedure]) -> list[Procedure]:
    """Return the procedures that share neither a body nor a first doc sentence with a held-out one."""
    digests: set[bytes] = set()
    sentences: set[str] = set()
    for procedure in held:
        digests.add(procedure.digest)
        sentence = first_sentence(procedure.doc, procedure.name)
        if sentence:
            sentences.add(fold(sentence))
    kept = []
    for procedure in procedures:
        sentence = first_sentence(procedure.doc, procedure.name)
        if procedure.digest not in digests and not (sentence and fold(sentence) in sentences):
            kept.append(procedure)
    return kept


def without_copies(procedures: Iterable[Procedure]) -> list[Procedure]:
    """Return the procedures, of those with the same body and owner's module only the first."""
    seen: dict[tuple[bytes, tuple[str, ...]], Procedure] = {}
    for procedure in procedures:
        seen.setdefault((procedure.digest, procedure.owner), procedure)
    return list(seen.values())


def _is_russian(name: str) -> bool:
    return any("а" <= letter <= "я" or letter == "ё" for letter in name.lower())
