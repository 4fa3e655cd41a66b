"""Tells where a field of a dynamic list comes from when its query takes it from a table without changing it."""

from __future__ import annotations

import re
from functools import lru_cache

from bsl_scout.configuration.kinds import KIND_BY_NAME, KIND_BY_RUSSIAN

from .model import FindObject
from .types import Member, object_member, standard_names

_TOKEN = re.compile(r'"(?:[^"]|"")*"|//[^\n]*|[^\W\d]\w*|&\w+|\d+|\S')
_SELECT, _FROM, _AS = ("выбрать", "select"), ("из", "from"), ("как", "as")
_UNION = ("объединить", "union")
_TABLE_BEFORE = (*_FROM, "соединение", "join", ",")
_AFTER_SELECT = frozenset({"различные", "distinct", "разрешенные", "allowed"})
_TOP = ("первые", "top")
_END_OF_FIELDS = frozenset({*_FROM, "поместить", "into"})


def query_field(query: str, main_table: str | None, name: str, find_object: FindObject) -> Member | None:
    """Return the field of a query's result, None when it is not proven to be a plain field of one table.

    A standard attribute of the main table is named in English by a data path and as the query writes it there.
    Queries with unions, several statements or nested selects before the fields end are not looked into.
    """
    kind = (main_table or "").partition(".")[0]
    standard = standard_names(kind, name)
    unknown = _untyped(query, standard, name)
    parsed = _parsed(query)
    if parsed is None:
        return unknown
    fields, tables = parsed
    wanted = {name.casefold()} | set(map(str.casefold, standard or ()))
    sources = {source for alias, source in fields.items() if alias in wanted}
    if len(sources) != 1:
        return unknown
    table, _, field = sources.pop().partition(".")
    owner = tables.get(table)
    member = object_member(owner, field, find_object) if owner and field else None
    if member is None:
        return unknown
    # the name shown is that of the result, not of the table's field
    return Member(member.types, *(standard or ()))


def _untyped(query: str, standard: tuple[str, str] | None, name: str) -> Member | None:
    """Return a standard attribute without types when the name can be nothing else: the query has no such word."""
    if standard is None or name.casefold() != standard[0].casefold():
        return None
    own = re.search(rf"\b{re.escape(name)}\b", query, re.IGNORECASE)
    return None if own else Member((), *standard)


@lru_cache(maxsize=64)
def _parsed(query: str) -> tuple[dict[str, str], dict[str, str]] | None:
    """Return alias -> `table.field` of the plain fields and alias -> English full name of the tables."""
    tokens = [token for token in _TOKEN.findall(query) if not token.startswith("//")]
    low = [token.casefold() for token in tokens]
    if low.count(";") > (1 if low[-1:] == [";"] else 0) or any(word in low for word in _UNION):
        return None
    selects = [i for i, word in enumerate(low) if word in _SELECT]
    if not selects or selects[0] != 0:
        return None
    end = _end_of_fields(low)
    if end is None or (len(selects) > 1 and selects[1] < end):
        return None
    return _fields(low[1:end]), _tables(tokens, low, end)


def _end_of_fields(low: list[str]) -> int | None:
    depth = 0
    for i, word in enumerate(low):
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth == 0 and word in _END_OF_FIELDS:
            return i
    return None


def _fields(words: list[str]) -> dict[str, str]:
    while words and (words[0] in _AFTER_SELECT or words[0] in _TOP):
        words = words[2:] if words[0] in _TOP else words[1:]
    found: dict[str, str] = {}
    depth, item = 0, []
    for word in [*words, ","]:
        # the list may be extended by `{...}`, which brings no field of its own
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(word, 0)
        if word != "," or depth:
            item.append(word)
            continue
        alias, source = _plain(item)
        if alias:
            found[alias] = source
        item = []
    return found


def _plain(item: list[str]) -> tuple[str | None, str]:
    """Return alias and source of `Т.Поле [КАК Имя]`; of an expression its alias and no source."""
    alias = None
    if len(item) > 2 and item[-2] in _AS:
        alias, item = item[-1], item[:-2]
    source = "".join(item)
    plain = len(item) == 3 and item[1] == "."
    return alias or (item[-1] if plain else None), source if plain else ""


def _tables(tokens: list[str], low: list[str], start: int) -> dict[str, str]:
    """Return the tables of metadata by alias; a word that names two of them names none."""
    found: dict[str, str] = {}
    doubtful: set[str] = set()
    depth = 0
    for i in range(start, len(tokens) - 3):
        depth += {"(": 1, ")": -1}.get(low[i], 0)
        if depth or low[i] not in _TABLE_BEFORE or low[i + 2] != ".":
            continue
        kind = KIND_BY_RUSSIAN.get(low[i + 1]) or KIND_BY_NAME.get(tokens[i + 1])
        if kind is None:
            continue
        rest = low[i + 4 : i + 6]
        if rest[:1] in (["."], ["("]):
            # a virtual table or a tabular section has fields of its own
            continue
        alias = rest[1] if len(rest) == 2 and rest[0] in _AS else low[i + 3]
        if alias in found:
            doubtful.add(alias)
        found[alias] = f"{kind.english}.{tokens[i + 3]}"
    return {alias: name for alias, name in found.items() if alias not in doubtful}
