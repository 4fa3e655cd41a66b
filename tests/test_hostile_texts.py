"""Texts made to be slow: whatever stands in a module, a query or a form, no pattern takes the square of its length."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import product

import pytest

from bsl_scout.bsl import chunks, mask, names, parser
from bsl_scout.features import form_scope, objects, outline, places, symbols
from bsl_scout.forms import queries, sanitize
from bsl_scout.forms import written as form_names
from bsl_scout.lsp import convert
from bsl_scout.retrieval import messages, router

SIZE = 30_000
# what grows with the square takes 2 s and more at this size
SECONDS = 1.0
PIECES = (
    '"', "//", "&", "(", ")", " ", "\xa0", "\n", "\t", "а", "aA", "1", "_", ".", "|", "#", "'", "{", "%", "«", "<", "@",
    "-", "=", ";", '""', "#Если ", "Процедура ", "Процедура А(", 'Функция А(Б = "', '&А("', "&А(", "Экспорт ",
    "//\n", "{А.Б(", "НФ-1", "Знач ", "АА", "А.", "ru = '", "/home/а", "C:\\а", "\\\\", "ВЫБРАТЬ ", "КАК А, ", "\n\n",
)  # fmt: skip
# what stands before and behind a long row of one piece
AROUND = (("", ""), ("А", "Б"), ("#", "\n"), ("&А(", "\nПроцедура Б()\nКонецПроцедуры"), ("<A>", "</A>"), ('"', "|"))


def _texts() -> list[tuple[str, str]]:
    found = []
    for piece, (before, behind) in product(PIECES, AROUND):
        row = (piece * (SIZE // len(piece) + 1))[:SIZE]
        found.append((f"{before!r} {piece!r} {behind!r}", before + row + behind))
    return found


READERS: dict[str, Callable[[str], object]] = {
    "outline": chunks.outline,
    "mask": mask.mask,
    "deleted code": mask.has_deleted_code,
    "words and notes": names.code_and_notes,
    "terms": names.text_terms,
    "words": names.words,
    "route": router.route,
    "message words": messages.message_words,
    "message": lambda text: messages.match_message(messages.message_words("Отгруженный заказ нельзя отменить"), text),
    "places": places.find_places,
    "dotted": lambda text: objects.dotted_at(text, len(text)),
    "lines": convert.editor_lines,
    "name": lambda text: symbols.match_quality(text, f"{text}Х"),
    "outline of XML": lambda text: outline.outline(f"<a>{text}</a>", "Catalogs/А.xml"),
    "names of a form": form_names._NAMES.fullmatch,
    "paths": sanitize.sanitize_paths,
    "query": lambda text: list(queries._TOKEN.finditer(text)),
    "borders": form_scope._BORDER.match,
}


@pytest.mark.parametrize("reader", READERS)
def test_no_text_takes_the_square_of_its_length(reader: str) -> None:
    read = READERS[reader]
    slow = []
    for name, text in _texts():
        begun = time.process_time()
        read(text)
        taken = time.process_time() - begun
        if taken > SECONDS:
            slow.append(f"{name}: {taken:.1f} s")
    assert not slow


@pytest.mark.parametrize("piece", ['"а', "А-1", "&А|"])
def test_what_is_no_code_is_given_up(monkeypatch: pytest.MonkeyPatch, piece: str) -> None:
    monkeypatch.setattr(parser, "_PARSE_MICROSECONDS", 100_000)
    monkeypatch.setattr(parser, "_PARSE_MICROSECONDS_EACH", 0)
    parser._parser.cache_clear()
    try:
        begun = time.process_time()
        facts = parser.analyse(piece * 100_000, want_statements=True)
        assert time.process_time() - begun < SECONDS
        assert (facts.calls, facts.errors) == ((), 1)
        # the next text is read from its beginning
        assert [call.name for call in parser.analyse("Процедура А()\n\tБ(1);\nКонецПроцедуры").calls] == ["Б"]
    finally:
        parser._parser.cache_clear()
