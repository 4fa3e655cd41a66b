"""Any text at all, and damaged code: readers of BSL never raise, and what they tell lies inside the text."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bsl_scout.bsl import names
from bsl_scout.bsl.chunks import outline, parse
from bsl_scout.bsl.mask import mask
from bsl_scout.bsl.parser import analyse
from bsl_scout.bsl.scanner import scan
from bsl_scout.bsl.text import LineIndex, decode
from bsl_scout.features.semantic_tokens import semantic_tokens
from support import GRAMMARS

# BSL_SCOUT_FUZZ=20000 for a long run
fuzzed = settings(
    max_examples=int(os.environ.get("BSL_SCOUT_FUZZ", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
PIECES = (
    "Процедура ", "Функция ", "КонецПроцедуры", "КонецФункции\n", "Procedure ", "EndFunction", "А", "Б(", ")", "(",
    "\n", "\n\n", " ", "\t", ";", ",", '"', '""', "|", "//", "// текст\n", "&НаКлиенте\n", '&Вместо("А")\n', "&",
    "#", "#Если ", "#КонецЕсли\n", "#Область Х\n", "#КонецОбласти\n", "#Удаление\n", "#КонецУдаления\n",
    "#Вставка\n", "#КонецВставки\n", "Экспорт", "Асинх ", "Знач ", "Перем ", "Если ", "Тогда\n", "КонецЕсли;\n",
    "Возврат ", "Новый ", "'20240101'", "'", "1", ".", "=", "?", "~", "{", "}", "<", "ё", "İ", "ß", "𝄞", "\u2028",
    "\ufeff", "\0", "\x1c", "\r", "ǰ", "ﬀ", "\ud800",
)  # fmt: skip
TRICKY = [decode(path.read_bytes()).text for path in sorted((GRAMMARS / "corpus").glob("*.bsl"))]
random_text = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=60).map("".join)


@st.composite
def damaged_code(draw: st.DrawFn) -> str:
    """Real snippets cut, joined and interspersed."""
    text = draw(st.sampled_from(TRICKY))
    for _ in range(draw(st.integers(1, 4))):
        at, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        other = draw(st.one_of(st.just(""), st.sampled_from(PIECES), st.sampled_from(TRICKY)))
        text = text[:at] + other + (text[end:] if draw(st.booleans()) else text[at:])
    return text[:6_000]


# as `decode` gives them: line feeds only
texts = st.one_of(random_text, damaged_code()).map(lambda text: text.replace("\r\n", "\n").replace("\r", "\n"))


@fuzzed
@given(texts)
def test_procedures_lie_in_the_text_one_after_the_other(text: str) -> None:
    lines = text.count("\n")
    last = 0
    for procedure in scan(text, LineIndex(text)):
        assert last <= procedure.top <= procedure.start < procedure.end <= len(text)
        assert 0 <= procedure.line <= procedure.end_line <= lines
        assert procedure.name and procedure.name in text[procedure.start : procedure.end]
        last = procedure.end


@fuzzed
@given(texts)
def test_chunks_hold_the_text_and_their_parts_join_to_it(text: str) -> None:
    lines = text.count("\n")
    seen = set()
    for chunk in outline(text):
        assert chunk.key not in seen
        seen.add(chunk.key)
        assert 0 <= chunk.top_line <= chunk.line <= chunk.end_line <= lines
        whole = chunk.text
        if chunk.kind in ("procedure", "function"):
            assert whole in text
        parts = parse(chunk)
        assert [part.part for part in parts] == list(range(len(parts)))
        if chunk.kind in ("procedure", "function"):
            # further parts begin with the repeated signature
            pieces = [part.text if not part.part else part.text.split("\n", 1)[1] for part in parts]
            assert "".join(pieces) == whole
        for part in parts:
            # a chunk of what stands between procedures counts from its own first line
            assert all(0 <= chunk.top_line + call.line <= lines + whole.count("\n") for call in part.calls)


@fuzzed
@given(texts)
def test_a_mask_keeps_length_and_lines(text: str) -> None:
    masked = mask(text)
    assert len(masked) == len(text)
    assert [i for i, c in enumerate(masked) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]


@fuzzed
@given(texts)
def test_facts_and_colours_lie_in_the_text(text: str) -> None:
    facts = analyse(text, want_statements=True)
    assert all(0 <= offset <= len(text) for offset in facts.statements)
    assert list(facts.statements) == sorted(facts.statements)
    assert all(0 <= call.line <= text.count("\n") for call in facts.calls)
    rows = text.split("\n")
    before = (0, 0)
    for line, start, length, _ in semantic_tokens(text):
        assert before <= (line, start)
        assert length > 0 and start + length <= len(rows[line])
        before = (line, start + length)


@fuzzed
@given(texts)
def test_words_never_raise(text: str) -> None:
    words, notes = names.code_and_notes(text)
    assert all(isinstance(word, str) and word for word in [*words, *notes])
    assert all(term for term in names.text_terms(text))


@fuzzed
@given(st.binary(max_size=300))
def test_any_bytes_are_a_text(data: bytes) -> None:
    decoded = decode(data)
    assert "\r" not in decoded.text
    outline(decoded.text)


@fuzzed
@given(damaged_code(), st.sampled_from(TRICKY))
def test_a_procedure_behind_anything_is_found(text: str, other: str) -> None:
    """What is broken costs itself: a whole procedure at the end is there whatever stands before it."""
    whole = f"{text}{other}\nПроцедура ПоследняяИзВсех()\nКонецПроцедуры\n".replace("\r", "\n")
    found = scan(whole, LineIndex(whole))
    assert found[-1].name == "ПоследняяИзВсех"


# what the fuzzers found; each once raised, hung or told something wrong
SEEDS = [
    "А" + " " * 30_000,
    "&А(" + " " * 30_000 + "\nПроцедура Б()\nКонецПроцедуры",
]


@pytest.mark.parametrize("number", range(len(SEEDS)))
def test_seeds(number: int) -> None:
    for check in (
        test_procedures_lie_in_the_text_one_after_the_other, test_chunks_hold_the_text_and_their_parts_join_to_it,
        test_a_mask_keeps_length_and_lines, test_words_never_raise,
    ):  # fmt: skip
        check.hypothesis.inner_test(SEEDS[number])
