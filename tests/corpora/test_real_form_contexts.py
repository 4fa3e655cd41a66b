"""Contexts of the real forms: nothing of the machine in them, all limits kept, the sources untouched."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bsl_scout.forms import build_form_context, scan_forms, to_llm_prompt_fragment
from bsl_scout.forms.budget import share_budget
from bsl_scout.forms.fragment import whole_fragment
from bsl_scout.forms.sanitize import sanitize_paths

pytestmark = pytest.mark.corpora


def sources(top: Path) -> dict[str, tuple[int, int]]:
    stats = {path.relative_to(top).as_posix(): path.stat() for path in top.rglob("*")}
    return {name: (stat.st_size, stat.st_mtime_ns) for name, stat in stats.items()}


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("testdata/designer_cfe", 8),
        ("testdata/edt_tester_eng", 75),
        ("v8unpack_samples", 131),
        ("testdata/ordinary_xunitfor1c", 91),
    ],
)
def test_no_absolute_path_in_any_context(corpora: Path, tmp_path: Path, name: str, forms: int) -> None:
    top = tmp_path / "home" / "ivan" / "dump"
    shutil.copytree(corpora / name, top)
    before = sources(top)
    index = scan_forms(top)
    assert len(index.forms) == forms
    assert "ivan" not in "\n".join(index.scan_warnings)
    for entry in index.forms:
        context = build_form_context(entry, top)
        structure = to_llm_prompt_fragment(context, sections=["form", "summary"])
        assert sanitize_paths(structure) == structure, entry.form_path
        whole = to_llm_prompt_fragment(context)
        assert whole == f"{structure}\n{to_llm_prompt_fragment(context, sections=['bsl'])}"
        for told in (whole, repr(context.summary), repr(context.metadata)):
            assert "home/ivan" not in told and str(tmp_path) not in told, entry.form_path
        for limit in (1, 100, len(whole) - 1):
            assert to_llm_prompt_fragment(context, limit) == whole[:limit]
    assert sources(top) == before


def test_the_form_that_answers_is_there_under_a_limit(corpora: Path) -> None:
    top = corpora / "ssl_3_1"
    names = ("ВнешниеПользователи", "Пользователи")
    found = {(entry.object_type, entry.object_name, entry.form_name): entry for entry in scan_forms(top).forms}
    contexts = [build_form_context(found["Catalog", name, "ФормаЭлемента"], top) for name in names]
    shared = share_budget(contexts, 40_000, "как меняется пароль пользователя")
    assert len(shared.text) <= 40_000 and shared.forms == ()
    first, second = shared.text.split("\n\n# FORM ")
    assert first.startswith("# FORM Catalog/Пользователи/") and second.startswith("Catalog/ВнешниеПользователи/")
    assert "Процедура СменитьПароль(Команда)" in first and "procedures left out: " in first
    one = contexts[1]
    assert len(whole_fragment(one)) > 140_000
    cut = share_budget([one], 40_000)
    assert 39_000 < len(cut.text) <= 40_000
    assert "Процедура ПриСозданииНаСервере(" in cut.text and '"left_out": {' in cut.text
    assert f"… {cut.procedures} of 120 procedures left out: " in cut.text
