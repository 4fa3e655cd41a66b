"""Several forms in one text: the limit is hard, structures come first, and every cut is marked."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bsl_scout.bsl.chunks import outline
from bsl_scout.forms import FormContext, build_form_context, scan_forms
from bsl_scout.forms.budget import Shared, share_budget
from bsl_scout.forms.fragment import form_title, whole_fragment
from bsl_scout.forms.summary import FormSummary, summary_json
from support import DEMO

MARK = re.compile(
    r"… (\d+) of (\d+) procedures left out|… the lines outside of procedures left out|…$|… \d+ forms left"
)


@cache
def demo() -> tuple[FormContext, ...]:
    return tuple(build_form_context(entry, DEMO) for entry in scan_forms(DEMO).forms)


def form(module: str | None, name: str = "Ф", handlers: tuple[str, ...] = ()) -> FormContext:
    summary = FormSummary(events=[{"event": "OnOpen", "procedure": one, "status": "found"} for one in handlers])
    return FormContext(name, "Form", "DataProcessor", "О", module, summary, {"warnings": []})


def procedures(*names: str, calls: str = "") -> str:
    return "\n".join(f"Процедура {name}()\n\t{calls}А = 1;\nКонецПроцедуры\n" for name in names)


def check_shared(contexts: tuple[FormContext, ...], shared: Shared) -> None:
    """Whatever is not there is told; structures are there whole or not at all."""
    heads = [
        f"# FORM {form_title(context)}\n## SUMMARY\n{summary_json(context.summary)}\n## BSL" for context in contexts
    ]
    served = [head in shared.text for head in heads]
    if shared.text.endswith("…"):
        # a limit without room for the least that has to be said
        assert not any(served)
        return
    absent = [form_title(context) for context, there in zip(contexts, served, strict=True) if not there]
    assert list(shared.forms) == absent
    assert bool(absent) == ("forms left out" in shared.text)
    gone = sum(int(match[1]) for match in MARK.finditer(shared.text) if match[1])
    assert gone == shared.procedures
    there = 0
    for context in (one for one, kept in zip(contexts, served, strict=True) if kept):
        for chunk in outline(context.bsl_text or ""):
            if chunk.kind in ("procedure", "function"):
                there += chunk.text.strip("\n") not in shared.text
    assert there == gone
    whole = "\n\n".join(whole_fragment(context) for context in contexts)
    assert shared.text == whole or MARK.search(shared.text)


def test_without_a_limit_everything_is_whole() -> None:
    shared = share_budget(demo())
    assert shared == Shared("\n\n".join(map(whole_fragment, demo())))
    assert share_budget(demo(), len(shared.text) + 80 * len(demo())) == shared


@pytest.mark.parametrize("limit", [0, -2, -100])
def test_no_room_at_all(limit: int) -> None:
    shared = share_budget(demo(), limit)
    assert (shared.text, len(shared.forms)) == ("", 9)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 120_000), st.sampled_from(["", "заполнить цены", "контрагент"]))
def test_the_limit_is_hard_and_every_cut_is_marked(limit: int, question: str) -> None:
    shared = share_budget(demo(), limit, question)
    assert len(shared.text) <= limit
    check_shared(demo(), shared)


@pytest.mark.parametrize("limit", range(1, 400, 3))
def test_small_limits(limit: int) -> None:
    contexts = (form(procedures("Один", "Два")), form("// только слова " * 9, "Г"), form(None, "Д"))
    shared = share_budget(contexts, limit)
    assert len(shared.text) <= limit
    check_shared(contexts, shared)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 40_000))
def test_a_measure_of_the_caller(limit: int) -> None:
    def tokens(text: str) -> int:
        return len(re.findall(r"\w{1,4}|\S", text))

    shared = share_budget(demo(), limit, measure=tokens)
    assert tokens(shared.text) <= limit
    check_shared(demo(), shared)


def test_structures_come_before_any_procedure() -> None:
    contexts = (form(procedures("Один", "Два", "Три")), form(procedures("Четыре"), "Г"))
    heads = len(share_budget(contexts, sections=["form", "summary"]).text)
    shared = share_budget(contexts, heads + 2 * 80 + 20)
    assert shared.forms == ()
    assert shared.text.count("## SUMMARY") == 2
    assert shared.procedures == 4
    assert "Процедура" not in shared.text
    assert "… 3 of 3 procedures left out" in shared.text and "… 1 of 1 procedures left out" in shared.text


def test_handlers_come_first_then_what_they_call() -> None:
    module = procedures("Прочее") + procedures("Вызвана") + procedures("Открытие", calls="Вызвана(); ")
    context = form(module, handlers=("открытие",))
    head = len(share_budget([context], sections=["form", "summary"]).text)
    found = []
    for room in (60, 120, 190):
        text = share_budget([context], head + 90 + room).text
        found.append([name for name in ("Открытие", "Вызвана", "Прочее") if f"Процедура {name}()" in text])
    assert found == [["Открытие"], ["Открытие", "Вызвана"], ["Открытие", "Вызвана", "Прочее"]]


def test_what_the_question_names_comes_before_handlers() -> None:
    module = procedures("ПересчитатьСкидку", "Открытие")
    context = form(module, handlers=("Открытие",))
    limit = len(share_budget([context], sections=["form", "summary"]).text) + 90 + 65
    assert "Процедура Открытие" in share_budget([context], limit).text
    asked = share_budget([context], limit, "как считается скидка").text
    assert "Процедура ПересчитатьСкидку" in asked and "Процедура Открытие" not in asked
    assert "… 1 of 2 procedures left out" in asked


def test_what_stands_outside_of_procedures_is_told_when_it_goes() -> None:
    module = "Перем А; // " + "слово " * 60 + "\n\n" + procedures("Один")
    context = form(module)
    limit = len(whole_fragment(context)) - 200
    shared = share_budget([context], limit)
    assert "Процедура Один()" in shared.text
    assert shared.text.endswith("… the lines outside of procedures left out")
    assert shared.procedures == 0


def test_a_module_without_procedures_does_not_pass_the_limit() -> None:
    context = form("// " + "слово " * 100)
    shared = share_budget([context], 300)
    assert len(shared.text) <= 300
    assert shared.text.endswith("… the lines outside of procedures left out")


def test_sections() -> None:
    shared = share_budget(demo(), 2_000, sections=["form"])
    assert shared.text.count("# FORM ") == 9
    assert "## " not in shared.text
