"""The fragment of a form: whole by default, never longer than it may be, always the same."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bsl_scout.forms import FormContext, build_form_context, scan_forms, to_llm_prompt_fragment
from bsl_scout.forms.summary import FormSummary
from support import DEMO

TITLE = "# FORM Document/ЗаказПокупателя/DocumentForm/ФормаДокумента"


@cache
def order() -> FormContext:
    index = scan_forms(DEMO)
    (entry,) = (e for e in index.forms if (e.object_name, e.form_name) == ("ЗаказПокупателя", "ФормаДокумента"))
    return build_form_context(entry, DEMO)


def words(text: str) -> int:
    return len(text.split())


def test_the_fragment_is_whole_by_default() -> None:
    text = to_llm_prompt_fragment(order())
    head, rest = text.split("\n## SUMMARY\n", 1)
    summary, module = rest.split("\n## BSL\n", 1)
    assert (head, module) == (TITLE, order().bsl_text)
    held = json.loads(summary)
    assert list(held) == ["elements", "attributes", "commands", "events", "relations", "warnings"]
    bound = {row["name"]: row for row in held["elements"]}
    assert bound["Контрагент"]["data_path"] == "Объект.Контрагент"
    assert not [name for name in bound if name.endswith("РасширеннаяПодсказка")]
    assert ("command", "Form.Command.Зарезервировать") in [(row["kind"], row["target"]) for row in held["relations"]]
    assert to_llm_prompt_fragment(order(), -1) == text


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 60_000))
def test_a_positive_limit_is_hard_and_gives_a_prefix(limit: int) -> None:
    whole = to_llm_prompt_fragment(order())
    assert to_llm_prompt_fragment(order(), limit) == whole[:limit]


@pytest.mark.parametrize("limit", [0, -2, -3, -1000])
def test_no_room(limit: int) -> None:
    assert to_llm_prompt_fragment(order(), limit) == ""


@settings(max_examples=60, deadline=None)
@given(st.integers(-5, 3_000), st.one_of(st.just(-1), st.integers(1, 30_000)))
def test_a_budget_of_tokens_by_the_callers_counter(most: int, limit: int) -> None:
    whole = to_llm_prompt_fragment(order())
    text = to_llm_prompt_fragment(order(), limit, max_tokens=most, count_tokens=words)
    assert whole.startswith(text)
    assert words(text) <= max(most, 0)
    assert limit == -1 or len(text) <= limit
    longer = whole[: len(text) + 1]
    assert text == whole or len(text) == limit or words(longer) > max(most, 0) or text == ""


def test_a_counter_and_a_budget_belong_together() -> None:
    with pytest.raises(ValueError, match="given together"):
        to_llm_prompt_fragment(order(), max_tokens=5)
    with pytest.raises(ValueError, match="given together"):
        to_llm_prompt_fragment(order(), count_tokens=words)


def test_sections_are_chosen() -> None:
    assert to_llm_prompt_fragment(order(), sections=["form"]) == TITLE
    assert to_llm_prompt_fragment(order(), sections=["bsl"]) == f"## BSL\n{order().bsl_text}"
    assert to_llm_prompt_fragment(order(), sections=[]) == ""
    both = to_llm_prompt_fragment(order(), sections=["summary", "form"])
    assert both.startswith(f"{TITLE}\n## SUMMARY\n{{") and "## BSL" not in both
    with pytest.raises(ValueError, match="unknown section 'structure': one of form, summary, bsl"):
        to_llm_prompt_fragment(order(), sections=["form", "structure"])


def test_texts_are_cleaned_at_the_border() -> None:
    # a caller may make a context by hand
    summary = FormSummary(
        elements=[{"name": "Э", "title": r"C:\Users\ivan\dump\a.txt"}],
        warnings=["/home/ivan/dump/Catalog/Объект/CatalogForm/Форма is absent"],
    )
    context = FormContext("/home/ivan/Форма", "CatalogForm", "Catalog", "Объект", None, summary, {})
    text = to_llm_prompt_fragment(context)
    assert "ivan" not in text and "C:" not in text
    assert ".../Catalog/Объект/CatalogForm/Форма is absent" in text
    assert text.endswith("## BSL\n(the form has no module)")


def test_a_form_is_named_by_what_it_has() -> None:
    context = FormContext("Форма", "Form", "", "", "", FormSummary(), {})
    assert to_llm_prompt_fragment(context, sections=["form", "bsl"]) == "# FORM Form/Форма\n## BSL\n"
