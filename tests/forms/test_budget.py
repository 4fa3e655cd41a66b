"""Several forms in one text: the limit is hard, structures come first, and every cut is marked."""

from __future__ import annotations

import json
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

MARK = re.compile(r"^… (\d+) of (\d+) procedures? left out", re.MULTILINE)
LINES = re.compile(r"^… (\d+) lines? of (\w+) left out", re.MULTILINE)
ABSENT = re.compile(r"^… (\d+) (forms?) left out", re.MULTILINE)
ID = "Документ.ЗаказПокупателя.Форма.ФормаДокумента"
ASKED = "как заполняются цены"


@cache
def demo() -> tuple[FormContext, ...]:
    return tuple(build_form_context(entry, DEMO) for entry in scan_forms(DEMO).forms)


def form(module: str | None, name: str = "Ф", handlers: tuple[str, ...] = ()) -> FormContext:
    summary = FormSummary(events=[{"event": "OnOpen", "procedure": one, "status": "found"} for one in handlers])
    return FormContext(name, "Form", "DataProcessor", "О", module, summary, {"warnings": []})


def procedures(*names: str, calls: str = "") -> str:
    return "\n".join(f"Процедура {name}()\n\t{calls}А = 1;\nКонецПроцедуры\n" for name in names)


def long(*names: str, calls: str = "") -> str:
    """Procedures of about 300 characters each."""
    return procedures(*names, calls=f"// {'слово ' * 40}\n\t{calls}")


def served(contexts: tuple[FormContext, ...], text: str) -> dict[str, str]:
    """The text of each form that is there, by its title."""
    titles = [form_title(context) for context in contexts]
    parts = re.split(r"^# FORM (.*)$", text, flags=re.MULTILINE)
    assert len(set(parts[1::2])) == len(parts[1::2]) and set(parts[1::2]) <= set(titles)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def check_shared(contexts: tuple[FormContext, ...], shared: Shared) -> None:
    """Whatever is not there is told: forms by name, procedures and rows by counts."""
    if "…\n\n… " in shared.text or shared.text.endswith("…"):
        # a limit without room for the least of the first form: it is cut, and says so
        assert shared.text.count("# FORM ") <= 1
        return
    there = served(contexts, shared.text)
    absent = [form_title(context) for context in contexts if form_title(context) not in there]
    assert sorted(shared.forms) == sorted(absent)
    told = ABSENT.search(shared.text)
    assert (int(told[1]) if told else 0) == len(absent)
    gone = rows = 0
    for context in contexts:
        text = there.get(form_title(context))
        if text is not None:
            gone += check_procedures(context, text)
            rows += check_structure(context, text)
    assert (shared.procedures, shared.rows) == (gone, rows)


def check_procedures(context: FormContext, text: str) -> int:
    """How many procedures are not there, which has to be told."""
    every = [chunk for chunk in outline(context.bsl_text or "") if chunk.kind in ("procedure", "function")]
    partly = {match[2] for match in LINES.finditer(text)}
    gone = sum(chunk.text.strip("\n") not in text and chunk.name not in partly for chunk in every)
    mark = MARK.search(text)
    assert (int(mark[1]), int(mark[2])) == (gone, len(every)) if mark else not gone
    if not mark and not partly and context.bsl_text is not None:
        assert context.bsl_text in text or "… the lines outside of procedures left out" in text
    return gone


def check_structure(context: FormContext, text: str) -> int:
    """How many rows are not there, which has to be told; relations are told by the other rows."""
    whole = json.loads(summary_json(context.summary))
    found = json.loads(text.partition("## SUMMARY\n")[2].partition("\n## BSL")[0])
    left_out = found.pop("left_out", {})
    assert {bucket: len(whole[bucket]) - len(found[bucket]) for bucket in whole} == {
        bucket: left_out.get(bucket, 0) for bucket in whole
    }
    for bucket, rows in found.items():
        plain = [{k: v for k, v in row.items() if k != "proof"} for row in rows] if bucket == "elements" else rows
        assert all(row in whole[bucket] for row in plain)
    return sum(count for bucket, count in left_out.items() if bucket != "relations")


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


def three() -> tuple[FormContext, ...]:
    names = [
        "CommonForm/МоиЗадачи/CommonForm/МоиЗадачи",
        "Document/ЗаказПокупателя/DocumentForm/ФормаДокумента",
        "DataProcessor/УстановкаЦен/Form/Форма",
    ]
    return tuple(next(context for context in demo() if form_title(context) == name) for name in names)


@pytest.mark.parametrize("limit", [4_000, 8_000, 12_000, 16_000])
def test_the_forms_that_answer_are_there_with_the_procedures_that_answer(limit: int) -> None:
    shared = share_budget(three(), limit, ASKED)
    assert len(shared.text) <= limit
    check_shared(three(), shared)
    assert list(served(three(), shared.text)) == [form_title(three()[1]), form_title(three()[2])]
    for name in ("ЗаполнитьЦены(Команда)", "ЗаполнитьЦеныНаСервере()", "ЗаполнитьТаблицу(Команда)"):
        assert f"Процедура {name}" in shared.text
    assert '{"name": "ТоварыЗаполнитьЦены", "type": "Button"' in shared.text
    assert shared.text.endswith(f"… 1 form left out: {form_title(three()[0])}")


def test_the_nearest_form_comes_first_when_all_is_whole() -> None:
    assert next(iter(served(three(), share_budget(three(), -1, ASKED).text))) == form_title(three()[1])


@pytest.mark.parametrize("limit", range(700, 4_000, 100))
def test_the_best_form_is_never_left_out(limit: int) -> None:
    shared = share_budget(three(), limit, ASKED)
    assert form_title(three()[1]) in served(three(), shared.text)
    assert limit < 1_000 or "Процедура ЗаполнитьЦены" in shared.text


def test_many_near_forms_leave_room_for_the_procedure_that_answers() -> None:
    near = tuple(form(long("ЗаписатьЦены"), f"Цены{number}") for number in range(19))
    contexts = (*near, form(long("ЗаполнитьЦены"), "Цены"))
    shared = share_budget(contexts, 2_000, ASKED)
    check_shared(contexts, shared)
    assert len(shared.text) <= 2_000 and shared.forms
    assert "Процедура ЗаполнитьЦены()" in shared.text


def test_a_long_procedure_that_answers_is_cut_with_a_mark() -> None:
    module = "Процедура ЗаполнитьЦены()\n" + "\tЦена = Цена + 1;\n" * 500 + "КонецПроцедуры\n" + procedures("Один")
    contexts = (form(module),)
    shared = share_budget(contexts, 2_000, ASKED)
    assert len(shared.text) <= 2_000
    check_shared(contexts, shared)
    assert "Процедура ЗаполнитьЦены()" in shared.text and LINES.search(shared.text)


def test_one_form_keeps_whole_procedures_handlers_first_and_lists_the_others() -> None:
    (order,) = (context for context in demo() if form_title(context) == form_title(three()[1]))
    shared = share_budget([order], 15_000)
    check_shared((order,), shared)
    assert shared.text.startswith(f"# FORM {form_title(order)}\n## SUMMARY\n")
    assert "Процедура ПриСозданииНаСервере(" in shared.text
    told = re.search(r"\n… \d+ of 34 procedures left out: (.*)$", shared.text)
    gone = {
        chunk.name
        for chunk in outline(order.bsl_text or "")
        if chunk.kind in ("procedure", "function") and chunk.text.strip("\n") not in shared.text
    }
    assert told and set(told[1].split(", ")) == gone


def test_relations_go_before_rows_and_elements_keep_the_proofs() -> None:
    (order,) = (context for context in demo() if form_title(context) == form_title(three()[1]))
    whole = json.loads(summary_json(order.summary))
    shared = share_budget([order], 13_000, sections=["form", "summary"])
    found = json.loads(shared.text.partition("## SUMMARY\n")[2])
    assert (found["left_out"], shared.rows) == ({"relations": len(whole["relations"])}, 0)
    proofs = {row["element"]: row["proof"] for row in whole["relations"] if row["kind"] == "data"}
    assert {row["name"]: row["proof"] for row in found["elements"] if "proof" in row} == proofs


def test_forms_left_out_bear_the_names_of_the_caller() -> None:
    shared = share_budget(three()[:2], 4_000, "мои задачи", names=["ОбщаяФорма.МоиЗадачи", ID])
    assert shared.forms == (ID,)
    assert shared.text.endswith(f"… 1 form left out: {ID}")


def test_names_without_room_are_counted() -> None:
    contexts = tuple(form(procedures("Один"), f"ОченьДлинноеИмяФормы{number}") for number in range(30))
    shared = share_budget(contexts, 1_000)
    check_shared(contexts, shared)
    assert re.search(r"… \d+ forms left out: .* and \d+ more$", shared.text)


def test_structures_come_before_any_procedure() -> None:
    contexts = (form(long("Один", "Два", "Три"), handlers=("Один",)), form(long("Четыре"), "Г", ("Четыре",)))
    heads = len(share_budget(contexts, sections=["form", "summary"]).text)
    shared = share_budget(contexts, heads + 2 * 80 + 200)
    assert (shared.forms, shared.rows) == ((), 0)
    assert shared.procedures == 4
    assert "Процедура" not in shared.text
    assert "… 3 of 3 procedures left out" in shared.text and "… 1 of 1 procedure left out" in shared.text


def test_handlers_come_first_then_what_they_call() -> None:
    module = long("Прочее") + long("Вызвана") + long("Открытие", calls="Вызвана(); ")
    context = form(module, handlers=("открытие",))
    head = len(share_budget([context], sections=["form", "summary"]).text)
    found = []
    for room in (350, 650, 950):
        text = share_budget([context], head + 120 + room).text
        found.append([name for name in ("Открытие", "Вызвана", "Прочее") if f"Процедура {name}()" in text])
    assert found == [["Открытие"], ["Открытие", "Вызвана"], ["Открытие", "Вызвана", "Прочее"]]


def test_what_the_question_names_comes_before_handlers() -> None:
    module = long("ПересчитатьСкидку", "Открытие")
    context = form(module, handlers=("Открытие",))
    limit = len(share_budget([context], sections=["form", "summary"]).text) + 120 + 350
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
