"""The extension agrees with the server and the documents; its own unit tests look at its texts and commands."""

from __future__ import annotations

import json
import re

import attrs
import pytest

from bsl_scout import __version__
from bsl_scout.configuration.kinds import FIELD_WORDS, KINDS
from bsl_scout.features.problems import KINDS as PROBLEM_KINDS
from bsl_scout.lsp import protocol
from bsl_scout.lsp.log import LEVELS
from support import PACKAGE, REPOSITORY

EXTENSION = REPOSITORY / "extension"
MANIFEST = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def interface(name: str) -> set[str]:
    """Return the fields of an interface of protocol.ts."""
    text = (EXTENSION / "src" / "protocol.ts").read_text(encoding="utf-8")
    body = re.search(rf"export interface {name} {{\n(.*?)\n}}", text, re.DOTALL)
    assert body, name
    return set(re.findall(r"^  (\w+)\??:", body[1], re.MULTILINE))


def test_one_version() -> None:
    assert MANIFEST["version"] == __version__


@pytest.mark.parametrize(("page", "empty"), [("settings.md", "пусто"), ("settings.en.md", "empty")])
def test_every_setting_is_documented(page: str, empty: str) -> None:
    document = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    documented = re.findall(r"^\| `(bslScout\.[\w.]+)` \| `?([^|`]*?)`? \| ([\w-]+) \|", document, re.MULTILINE)
    declared = {}
    for group in MANIFEST["contributes"]["configuration"]:
        declared.update(group["properties"])
    assert {name for name, _, _ in documented} == set(declared)
    for name, default, scope in documented:
        assert declared[name]["scope"] == scope
        value = declared[name]["default"]
        assert (json.dumps(value) if isinstance(value, bool) else str(value or empty)) == default


def test_what_starts_programs_is_not_taken_from_a_folder() -> None:
    restricted = MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert {"bslScout.pythonPath", "bslScout.wheelhouse", "bslScout.pip.extraArgs"} <= set(restricted)
    declared = {}
    for group in MANIFEST["contributes"]["configuration"]:
        declared.update(group["properties"])
    assert all(declared[name]["scope"] in ("machine", "machine-overridable") for name in restricted)


@pytest.mark.parametrize(
    ("python", "typescript"),
    [
        (protocol.FindLogicParams, "FindLogicParams"),
        (protocol.WireHit, "Hit"),
        (protocol.WireCopy, "Copy"),
        (protocol.FindLogicResult, "Answer"),
        (protocol.IndexStatus, "IndexStatus"),
        (protocol.WireAdaptation, "Adaptation"),
        (protocol.WireProgress, "Progress"),
        (protocol.ObjectNamesParams, "ObjectNamesParams"),
        (protocol.WireObjectName, "ObjectName"),
        (protocol.ObjectNamesResult, "ObjectNames"),
        (protocol.FormContextParams, "FormContextParams"),
        (protocol.FormContextResult, "FormContext"),
        (protocol.ProcedureContextParams, "ProcedureContextParams"),
        (protocol.ProcedureContextResult, "ProcedureContext"),
        (protocol.FormsParams, "FormsParams"),
        (protocol.WireForm, "FormTitle"),
        (protocol.FormsResult, "Forms"),
        (protocol.WireRoot, "SourcesRoot"),
        (protocol.WireVectors, "VectorFacts"),
        (protocol.WireProblem, "Problem"),
        (protocol.WireContent, "IndexContent"),
        (protocol.FolderDiagnostics, "FolderDiagnostics"),
        (protocol.WireError, "LoggedError"),
        (protocol.WireVersions, "ServerVersions"),
        (protocol.DiagnosticsResult, "Diagnostics"),
    ],
)
def test_both_sides_know_the_same_fields(python: type, typescript: str) -> None:
    assert {camel(field.name) for field in attrs.fields(python)} == interface(typescript)


def test_both_sides_know_the_same_methods() -> None:
    methods = {protocol.FIND_LOGIC, protocol.INDEX_STATUS, protocol.OBJECT_NAMES}
    methods |= {protocol.REBUILD_INDEX, protocol.STOP_INDEXING}
    methods |= {protocol.DIAGNOSTICS, protocol.LOG_LEVEL}
    methods |= {protocol.FORM_CONTEXT, protocol.FORMS, protocol.PROCEDURE_CONTEXT}
    text = (EXTENSION / "src" / "methods.ts").read_text(encoding="utf-8")
    assert set(re.findall(r"'(bslScout/\w+)'", text)) == methods
    document = (REPOSITORY / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^## (bslScout/\w+)", document, re.MULTILINE)) == methods
    for type_ in (
        protocol.FindLogicParams,
        protocol.WireHit,
        protocol.FindLogicResult,
        protocol.IndexStatus,
        protocol.WireAdaptation,
        protocol.WireProgress,
        protocol.DiagnosticsResult,
        protocol.FolderDiagnostics,
        protocol.WireContent,
        protocol.WireRoot,
        protocol.WireVectors,
        protocol.WireProblem,
        protocol.WireError,
        protocol.WireVersions,
    ):
        for field in attrs.fields(type_):
            assert f"`{camel(field.name)}`" in document, field.name


def test_the_editor_tells_every_reason_in_its_own_words() -> None:
    sources = [*(PACKAGE / "retrieval").glob("*.py"), *(PACKAGE / "features").glob("*.py")]
    sources.append(PACKAGE / "lsp/handlers/find_logic.py")
    codes: set[str] = set()
    for source in sources:
        text = source.read_text(encoding="utf-8")
        codes.update(re.findall(r'_Sign\("\w+", "([\w-]+)"', text))
        codes.update(re.findall(r'(?:Route|_nothing)\([^\n]*, "([\w-]+)"(?:, [^\n"]*)?\)', text))
        for line in (
            re.findall(r"^ +code(?:, names)? = (.*)$", text, re.MULTILINE) if source.name == "find_logic.py" else ()
        ):
            codes.update(re.findall(r'(?<!== )"([\w-]+)"', line))
    some = {"uuid", "mixed", "words", "narrowed", "place", "no-vectors", "similar", "no-index"}
    assert some | {"unknown-name", "no-module"} <= codes
    texts = (EXTENSION / "src" / "modes.ts").read_text(encoding="utf-8")
    assert {code for code in codes if f"case '{code}':" not in texts} == set()


def test_the_editor_knows_every_kind_of_problem() -> None:
    text = (EXTENSION / "src" / "problemKinds.ts").read_text(encoding="utf-8")
    assert set(re.findall(r"case '([\w-]+)':", text)) == set(PROBLEM_KINDS)


def test_the_editor_knows_every_level_of_the_log() -> None:
    text = (EXTENSION / "src" / "serverLog.ts").read_text(encoding="utf-8")
    listed = re.search(r"LEVELS = \[(.*?)\]", text)
    assert listed
    assert set(re.findall(r"'(\w+)'", listed[1])) == set(LEVELS)


def test_the_editor_knows_every_kind_of_hit() -> None:
    icons = (EXTENSION / "src" / "format.ts").read_text(encoding="utf-8")
    words = (EXTENSION / "src" / "place.ts").read_text(encoding="utf-8")
    plain = {"attribute", "addressing_attribute", "column", "field"}
    for kind, russian in FIELD_WORDS.items():
        assert kind in plain or f"case '{kind}':" in icons, kind
        assert f"  {russian}: '" in words, russian


def test_the_editor_tells_of_the_folders_of_every_kind() -> None:
    text = (EXTENSION / "src" / "selector.ts").read_text(encoding="utf-8")
    listed = re.search(r"FOLDERS = `\n(.*?)\n`", text, re.DOTALL)
    assert listed
    assert set(listed[1].split()) == {kind.folder for kind in KINDS}


def test_every_kind_of_object_has_a_name_in_english() -> None:
    text = (EXTENSION / "src" / "place.ts").read_text(encoding="utf-8")
    named = text.partition("const ENGLISH: ")[2].partition("};")[0]
    assert [kind.russian for kind in KINDS if f"  {kind.russian}: '" not in named] == []
