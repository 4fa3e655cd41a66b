"""What kind each problem of an index is, and where it is to be looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bsl_scout.configuration.layout import Problem
from bsl_scout.forms.sanitize import sanitize_paths

# kinds in the order in which they are told: what costs most comes first
MODEL, UNREADABLE, PROTECTED, BROKEN, ABSENT = "model", "unreadable", "protected", "broken", "absent"
ENCODING, DUPLICATE, UNKNOWN, EMPTY, OTHER = "encoding", "duplicate", "unknown", "empty", "other"
KINDS = (MODEL, UNREADABLE, PROTECTED, BROKEN, ABSENT, ENCODING, DUPLICATE, UNKNOWN, EMPTY, OTHER)

_SIGNS = (
    (EMPTY, r"the module is empty"),
    (PROTECTED, r"binary content"),
    (ENCODING, r"not UTF-8|not read: declares|\d+ (?:NUL bytes|broken UTF-8|characters are not valid)"),
    (BROKEN, r"broken (?:XML|JSON)"),
    (UNREADABLE, r"not read: |folder not read: |folders deeper than"),
    (ABSENT, r"lists .* whose file is absent or broken|listed in .* but absent"),
    (DUPLICATE, r"is called .* like |has the uuid |has two fields called |holds an object that is called "),
    (UNKNOWN, r"lists \d+ of the kind |layout |collection |.*not recognised"),
    (MODEL, r".*\bmodel\b"),
)
# the problem of a file beside the object's own stands among those of the object: path: message; path: message
_BESIDE = re.compile(r"([^:;]+\.\w+): (.+)", re.DOTALL)
_LINE = re.compile(r"\bline (\d+)")


@dataclass(frozen=True, slots=True)
class FoundProblem:
    """A problem with its kind, the relative path of the file that it is in and its 1-based line there if it has one."""

    path: str
    message: str
    kind: str
    line: int | None


def found_problems(problem: Problem) -> Iterator[FoundProblem]:
    """Yield a stored problem as what it tells: those of an object's files stand in one, with `; ` between them."""
    for message in problem.message.split("; ") if problem.path != "." else [problem.message]:
        beside = _BESIDE.fullmatch(message)
        path, text = (beside[1], beside[2]) if beside and "/" in beside[1] else (problem.path, message)
        lines = _LINE.findall(text)
        # of two tags that do not match the second line is where reading ended
        line = int(lines[-1]) if lines else None
        yield FoundProblem(path, sanitize_paths(text), kind_of(text, problem.path), line or None)


def kind_of(message: str, path: str = "") -> str:
    """Return the kind of a message, OTHER when it has none of the known forms."""
    signs = _SIGNS if path == "." else _SIGNS[:-1]
    return next((kind for kind, sign in signs if re.match(sign, message)), OTHER)
