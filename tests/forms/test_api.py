"""The Python API of forms: the same names and promises for every format."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

import bsl_scout.forms
from bsl_scout.forms import (
    FormContext,
    FormEntry,
    build_form_context,
    build_form_summary,
    parse_elem_json,
    scan_forms,
    to_llm_prompt_fragment,
)
from form_samples import DESIGNER, DOCUMENT, EDT, MODULE, SOURCE, dump
from support import DEMO, REPOSITORY, Write, copy_demo
from v8_samples import EXPORT, export, form_bin, managed, ordinary

DEMO_EDT = REPOSITORY / "tests" / "fixtures" / "demo_edt"
NAMES = [
    "DecodeResult",
    "ElemIndexResult",
    "FormContext",
    "FormEntry",
    "FormScanIndex",
    "FormSummary",
    "build_form_context",
    "build_form_summary",
    "decode_object_attributes",
    "parse_elem_json",
    "scan_forms",
    "to_llm_prompt_fragment",
]
BUCKETS = ["elements", "attributes", "commands", "events", "relations", "warnings"]
FORM_FOLDER = "Documents/Заказ/Forms/Форма"
MODULE_PATH = f"{FORM_FOLDER}/Ext/Form/Module.bsl"
PROJECT = "src/Documents/Заказ"


def child(code: str, **environment: str) -> str:
    """Return what a program prints in a clean process."""
    own = {**os.environ, "PYTHONIOENCODING": "utf-8", **environment}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", env=own).stdout


def edt_project() -> dict[str, str | bytes]:
    return {
        "DT-INF/PROJECT.PMF": "Manifest-Version: 1.0\n",
        "src/Configuration/Configuration.mdo": '<mdclass:Configuration xmlns:mdclass="http://g5.1c.ru/v8/dt/metadata/'
        'mdclass"><name>К</name><documents>Document.Заказ</documents></mdclass:Configuration>',
        f"{PROJECT}/Заказ.mdo": '<mdclass:Document xmlns:mdclass="http://g5.1c.ru/v8/dt/metadata/mdclass">'
        "<name>Заказ</name><forms><name>Форма</name></forms></mdclass:Document>",
        f"{PROJECT}/Forms/Форма/Form.form": EDT,
        f"{PROJECT}/Forms/Форма/Module.bsl": MODULE,
    }


def ordinary_dump() -> dict[str, str | bytes]:
    files = {name: data for name, data in dump().items() if name not in (SOURCE, MODULE_PATH)}
    return {**files, f"{FORM_FOLDER}/Ext/Form.bin": form_bin(MODULE)}


FORMATS: dict[str, dict[str, str | bytes]] = {
    "designer": dump(),
    "edt": edt_project(),
    "v8unpack managed": export(managed(), MODULE),
    "v8unpack ordinary": export(ordinary(), MODULE),
    "designer ordinary": ordinary_dump(),
}


def only_entry(top: Path) -> FormEntry:
    (entry,) = scan_forms(top).forms
    return entry


def only_context(top: Path) -> FormContext:
    return build_form_context(only_entry(top), top)


def listing(top: Path) -> dict[str, tuple[int, int, int]]:
    """Return size, time and mode of everything below a folder, and of the folder."""
    stats = {path.relative_to(top).as_posix(): path.stat() for path in (top, *top.rglob("*"))}
    return {name: (stat.st_size, stat.st_mtime_ns, stat.st_mode) for name, stat in stats.items()}


def all_contexts(top: Path) -> dict[tuple[str, str, str, str], FormContext]:
    forms = scan_forms(top).forms
    keyed = {(e.object_type, e.object_name, e.container_name, e.form_name): build_form_context(e, top) for e in forms}
    assert len(keyed) == len(forms)
    return keyed


def test_every_name_can_be_imported() -> None:
    assert bsl_scout.forms.__all__ == NAMES
    for name in NAMES:
        assert getattr(bsl_scout.forms, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'scan_form'"):
        bsl_scout.forms.scan_form  # noqa: B018


def test_nothing_is_loaded_before_first_use() -> None:
    loaded = "sorted(n for n in sys.modules if n.startswith('bsl_scout') or n in ('lxml', 'tree_sitter', 'pygls'))"
    code = (
        f"import sys; import bsl_scout; print({loaded}); import bsl_scout.forms; print({loaded}); "
        f"from bsl_scout.forms import scan_forms; print('bsl_scout.forms.scan' in {loaded}, scan_forms.__name__)"
    )
    assert child(code).splitlines() == ["['bsl_scout']", "['bsl_scout', 'bsl_scout.forms']", "True scan_forms"]


@pytest.mark.parametrize("files", FORMATS.values(), ids=FORMATS)
def test_the_context_of_every_format(write: Write, files: dict[str, str | bytes]) -> None:
    top = write(files)
    entry = only_entry(top)
    assert (entry.object_type, entry.object_name, entry.container_name, entry.form_name) == (
        "Document", "Заказ", "DocumentForm", "Форма",
    )  # fmt: skip
    context = build_form_context(entry, top)
    assert [field.name for field in dataclasses.fields(FormContext)] == [
        "form_name", "container_name", "object_type", "object_name", "bsl_text", "summary", "metadata",
    ]  # fmt: skip
    with pytest.raises(dataclasses.FrozenInstanceError):
        context.form_name = "Иная"  # type: ignore[misc]
    assert list(context.metadata) == [
        "form_path", "elem_json_path", "bsl_sha256", "elem_sha256", "has_bsl", "warnings",
    ]  # fmt: skip
    assert (top / context.metadata["form_path"]).is_dir()
    assert (top / context.metadata["elem_json_path"]).is_file()
    assert context.bsl_text == MODULE
    assert context.metadata["has_bsl"] is True
    assert [field.name for field in dataclasses.fields(context.summary)] == BUCKETS
    assert context.summary.elements and context.summary.attributes and context.summary.relations
    assert (entry.elem_sha256, entry.bsl_sha256) == (context.metadata["elem_sha256"], context.metadata["bsl_sha256"])
    assert parse_elem_json(entry.form_path).elements == context.summary.elements
    assert build_form_summary(entry.form_path) == context.summary
    # the entry stays a card of pointers
    assert "Процедура" not in repr(entry) and "Покупатель" not in repr(entry)


@pytest.mark.parametrize("module", [None, "", "\ufeff", MODULE], ids=["none", "empty", "mark", "text"])
@pytest.mark.parametrize("source_format", FORMATS)
def test_the_module_is_none_or_empty_or_a_text(write: Write, source_format: str, module: str | None) -> None:
    files = dict(FORMATS[source_format])
    if source_format == "designer ordinary":
        files[f"{FORM_FOLDER}/Ext/Form.bin"] = form_bin(module)
    else:
        path = next(name for name in files if name.endswith(".bsl"))
        del files[path]
        if module is not None:
            files[path] = module
    context = only_context(write(files))
    assert context.bsl_text == (module.strip("\ufeff") if module else module)
    assert context.metadata["has_bsl"] == (module is not None)
    assert (context.metadata["bsl_sha256"] is None) == (module is None)
    fragment = to_llm_prompt_fragment(context, sections=["bsl"])
    assert fragment == ("## BSL\n(the form has no module)" if module is None else f"## BSL\n{context.bsl_text}")


@pytest.mark.parametrize("source_format", FORMATS)
def test_a_missing_structure_gives_empty_buckets_and_a_warning(write: Write, source_format: str) -> None:
    top = write(FORMATS[source_format])
    entry = only_entry(top)
    (top / entry.elem_json_path).unlink()
    context = build_form_context(entry, top)
    # of an export only one of two files is gone
    empty = {"elements", "attributes"} if "v8unpack" in source_format else set(BUCKETS[:5])
    assert {bucket for bucket in BUCKETS if not getattr(context.summary, bucket)} >= empty
    assert context.summary.warnings == context.metadata["warnings"] != []
    assert context.metadata["elem_sha256"] is None
    assert context.bsl_text == (None if source_format == "designer ordinary" else MODULE)


def test_a_missing_folder_starts_no_parser(write: Write) -> None:
    top = write(dump())
    entry = only_entry(top)
    for path in (SOURCE, MODULE_PATH):
        (top / path).unlink()
    refuse = mock.Mock(side_effect=AssertionError("the parser was started"))
    with (
        mock.patch("bsl_scout.configuration.safe_xml.etree.fromstring", refuse),
        mock.patch("bsl_scout.forms.scan.read_objects", refuse),
        mock.patch("bsl_scout.forms.folders.walk", refuse),
    ):
        context = build_form_context(entry, top)
        index = parse_elem_json(top / "Нет" / "Форма")
        summary = build_form_summary(top / "Нет" / "Форма")
    assert context.metadata["warnings"] == [
        f"{SOURCE} is absent",
        f"{MODULE_PATH} is not read: No such file or directory",
    ]
    assert (index.elem_index_ok, index.elements, index.warnings) == (False, [], ["no form is in Форма"])
    assert (summary.elements, summary.warnings) == ([], ["no form is in Форма"])


def test_the_parser_is_started_for_a_form_that_is_there(write: Write) -> None:
    # else the test before could not fail
    top = write(dump())
    with (
        mock.patch("bsl_scout.configuration.safe_xml.etree.fromstring", side_effect=AssertionError("started")),
        pytest.raises(AssertionError, match="started"),
    ):
        only_context(top)


@pytest.mark.parametrize("source_format", FORMATS)
def test_nothing_is_written_into_the_sources(write: Write, source_format: str) -> None:
    top = write(FORMATS[source_format])
    for path in (*top.rglob("*"), top):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = listing(top)
    try:
        index = scan_forms(top)
        index.resolve_reference_type("00000000-0000-0000-0000-000000000000")
        for entry in index.forms:
            to_llm_prompt_fragment(build_form_context(entry, top))
            parse_elem_json(entry.form_path)
            build_form_summary(entry.form_path)
        assert listing(top) == before
    finally:
        for path in (top, *top.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.mark.parametrize("top", [DEMO, DEMO_EDT], ids=["designer", "edt"])
def test_two_runs_are_equal_whatever_the_hash_seed(top: Path) -> None:
    code = (
        "import sys; from bsl_scout.forms import build_form_context, scan_forms, to_llm_prompt_fragment\n"
        "for entry in scan_forms(sys.argv[1]).forms:\n"
        "    print(to_llm_prompt_fragment(build_form_context(entry, sys.argv[1])))"
    )
    code = f"import sys; sys.argv.append({str(top)!r})\n{code}"
    first, second = (child(code, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first == second
    assert first.count("# FORM ") == 9


def test_both_formats_of_the_demo_give_the_same_context() -> None:
    designer, edt = all_contexts(DEMO), all_contexts(DEMO_EDT)
    assert list(designer) == list(edt)
    assert len(designer) == 9
    own = {"form_path", "elem_json_path", "bsl_sha256", "elem_sha256"}
    for key, one in designer.items():
        other = edt[key]
        assert one.bsl_text == other.bsl_text, key
        assert one.summary == other.summary, key
        assert {k: v for k, v in one.metadata.items() if k not in own} == {
            k: v for k, v in other.metadata.items() if k not in own
        }
        assert to_llm_prompt_fragment(one) == to_llm_prompt_fragment(other)


def test_types_by_uuid_are_named_by_the_scan() -> None:
    index = scan_forms(DEMO)
    text = (DEMO / "Catalogs/Контрагенты.xml").read_text(encoding="utf-8-sig")
    found = re.search(r'name="CatalogRef\.Контрагенты".*?<xr:TypeId>([^<]+)<', text, re.DOTALL)
    assert found is not None
    assert index.resolve_reference_type(found[1].upper()) == "CatalogRef.Контрагенты"
    assert index.resolve_reference_type("00000000-0000-0000-0000-000000000000") is None


def test_no_local_path_stands_in_what_is_handed_on(tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "home" / "ivan" / "dump")
    (top / SOURCE).parent.mkdir(parents=True)
    (top / SOURCE).write_text(DESIGNER[:900], encoding="utf-8")
    (top / "Documents/Заказ.xml").write_text(DOCUMENT, encoding="utf-8")
    for context in all_contexts(top).values():
        told = f"{context!r}\n{to_llm_prompt_fragment(context)}"
        assert "ivan" not in told and str(tmp_path) not in told
    broken = next(one for one in all_contexts(top).values() if one.object_name == "Заказ")
    assert broken.metadata["warnings"][0].startswith(f"{SOURCE}: broken XML")


def test_a_scan_needs_a_folder(tmp_path: Path) -> None:
    assert scan_forms(tmp_path).forms == []
    with pytest.raises(NotADirectoryError, match="needs a folder") as told:
        scan_forms(tmp_path / "нет")
    assert str(tmp_path) not in str(told.value)


def test_an_exported_folder_is_read_alone(write: Write) -> None:
    top = write({name: data for name, data in export(managed(), MODULE).items() if name != "Configuration.json"})
    found = parse_elem_json(top / EXPORT)
    assert found.elem_index_ok
    bound = {row["name"]: row.get("data_path") for row in found.elements}
    assert bound["Один"] == "Выбор"
    # its metadata is not there, so a uuid stands for nothing
    assert bound["Клиент"] is None
