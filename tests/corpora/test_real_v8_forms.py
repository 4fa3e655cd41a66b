"""Forms of real v8unpack exports and Form.bin against an independent truth, a second reader and Form.xml."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from bsl_scout.forms.form_bin import form_bin_module, read_ordinary_form
from bsl_scout.forms.model import Form, FormPlace
from measure_forms import OF_THE_KIND, PART_ONLY, meanings, read_export_form

pytestmark = pytest.mark.corpora

LOGFORM = "{http://v8.1c.ru/8.3/xcf/logform}"
NO_ELEMENTS = {"Attribute", "Column", "Command", "Parameter"}


def test_forms_of_exports_equal_the_truth(corpora: Path, forms_truth: list[dict[str, Any]]) -> None:
    count: Counter[str] = Counter()
    for row in forms_truth:
        form = read_export_form(corpora / row["export"], row["form"])
        by_name = {e.name: e for e in form.elements}
        where = (row["export"], row["form"])
        for element in row["elements"]:
            own = by_name[element["name"]]
            assert own.type == element["family"], where
            if not element["open"] and row["form"] != PART_ONLY:
                assert own.data_path == element["data_path"], (where, own)
                count["bound" if own.data_path else "unbound"] += 1
            elif row["form"] != PART_ONLY:
                assert own.data_path is None, (where, own)
                count["open"] += 1
            handlers = [(h.event, h.procedure) for h in own.handlers]
            for event, procedure, _, _ in element["handlers"]:
                match = next(h for h in handlers if h[1] == procedure and event in (None, h[0]))
                handlers.remove(match)
                count["handlers"] += 1
            assert {event for event, _ in handlers} <= OF_THE_KIND, where
            count["handlers of the kind"] += len(handlers)
        if row["form"] == PART_ONLY:
            continue
        assert sorted(a.name for a in form.attributes) == sorted(row["attributes"])
        events = [(h.event, h.procedure) for h in form.events]
        assert len(events) == len(row["events"])
        for event, procedure, _, _ in row["events"]:
            assert any(h[1] == procedure and event in (None, h[0]) for h in events), where
        commands = [(c.name, c.actions[0].procedure if c.actions else None) for c in form.commands]
        assert sorted(commands, key=str) == sorted(((name, p) for name, p, _, _ in row["commands"]), key=str)
        count["events"] += len(events)
        count["commands"] += len(commands)
    assert count == {
        "bound": 163, "unbound": 129, "open": 46, "handlers": 28, "handlers of the kind": 15, "events": 26,
        "commands": 43,
    }  # fmt: skip


def test_what_stays_open_in_the_exports(corpora: Path) -> None:
    codes: Counter[str] = Counter()
    top = corpora / "v8unpack_samples"
    forms = 0
    for path in sorted(top.rglob("*.elem.json")):
        export = next(p for p in path.parents if p.suffix in (".cf", ".cfe", ".epf"))
        if path.name != f"{path.parent.parent.name}.elem.json":
            continue
        form = read_export_form(export, path.parent.relative_to(export).as_posix())
        forms += 1
        codes.update(warning.code for warning in form.warnings)
    assert forms == 131
    assert codes == {"binding-unproven": 36, "command-unknown": 15, "part-elsewhere": 5, "layout-unknown": 1}


def second_reader(data: bytes) -> list[Any]:
    """Return the form of a Form.bin by other means: its one or two pages as JSON."""
    pages = {m.start(): m for m in re.finditer(rb"\r\n([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{8}) \r\n", data)}
    (first,) = (page for page in pages.values() if data[page.end() :].startswith(b"\xef\xbb\xbf{27,"))
    size, held, following = (int(part, 16) for part in first.groups())
    whole = data[first.end() : first.end() + held]
    if size > held:
        whole += data[pages[following].end() :]
    text, depth = whole[:size].decode("utf-8-sig"), 0
    tokens: list[str] = []
    for token in re.findall(r'"(?:[^"]|"")*"|[^{},\s"]+|[{},]', text):
        if token in "," + "}" and tokens[-1] == ",":
            tokens.append('""')
        if token[0] not in '{},"' and tokens[-1][:2] == '"#':
            # a long value goes on behind a line break
            tokens[-1] = tokens[-1][:-1] + json.dumps(token)[1:]
            continue
        tokens.append({"{": "[", "}": "]", ",": ","}.get(token) or json.dumps(token))
        depth += (token == "{") - (token == "}")
        if depth == 0:
            break
    found: list[Any] = json.loads("".join(tokens))
    return found


def bare(value: Any) -> str:
    return str(value).strip('"')


def raw_bindings(form: list[Any]) -> dict[str, list[list[str]]]:
    """Return element id -> chain of the binding table."""
    return {row[0]: row[1][1:] for row in form[2][3][1:]}


def raw_names(form: list[Any]) -> dict[str, str]:
    """Return element id -> name, found anywhere by the mark of the name."""
    found: dict[str, str] = {}

    def look(node: Any) -> None:
        if isinstance(node, list):
            if len(node) > 5 and isinstance(node[-2], list) and node[-2][:1] == ["14"]:
                found[node[1]] = bare(node[-2][1])
            for item in node:
                look(item)

    look(form[1])
    return found


def uuid_names(root: Path) -> dict[str, str]:
    """Return uuid -> name of all attributes and tabular sections below a folder, by plain XPath."""
    found: dict[str, str] = {}
    for path in root.rglob("*.xml"):
        if "Ext" not in path.parts:
            for node in etree.parse(str(path)).iter("{*}Attribute", "{*}TabularSection"):
                if node.get("uuid"):
                    found[node.get("uuid")] = node.findtext("{*}Properties/{*}Name")
    return found


def test_form_bin_against_the_raw_binding_table(corpora: Path) -> None:
    count: Counter[str] = Counter()
    problems: Counter[str] = Counter()
    standard = {"-2": "Code", "-3": "Description", "-4": "Parent", "-5": "Owner"}
    for top in ("ordinary_xunitfor1c/Tests/cf/83", "ordinary_xunitfor1c/Tests/cf/83-no-modal", "mpl_vanessa_add"):
        root = corpora / "testdata" / top
        names = uuid_names(root)
        for path in sorted(root.rglob("Form.bin")):
            data = path.read_bytes()
            raw = second_reader(data)
            form = read_form_bin(root, path)
            elements, attributes = raw_names(raw), {row[0][0]: bare(row[4]) for row in raw[2][2][1:]}
            assert [a.name for a in form.attributes] == list(attributes.values())
            own = {e.id: e for e in form.elements if e.type != "CommandBarButton"}
            assert {key: e.name for key, e in own.items()} == elements
            bindings = raw_bindings(raw)
            for key, element in own.items():
                chain = bindings.get(key or "")
                if chain is None:
                    assert (element.data_path, element.problem) == (None, None)
                    continue
                count["rows"] += 1
                if element.data_path is None:
                    problems[re.sub(r"[0-9a-f]{8}-\S+", "<uuid>", element.problem or "")] += 1
                    continue
                steps = [attributes[chain[0][0]]]
                for segment in chain[1:]:
                    steps.append(names[segment[1]] if len(segment) == 2 else standard[segment[0]])
                assert element.data_path == ".".join(steps), path
                count["equal"] += 1
            count["handlers"] += sum(len(e.handlers) for e in form.elements) + len(form.events)
            text = json.dumps(raw, ensure_ascii=False)
            count["handlers in the text"] += text.count('"e1692cc2-605b-4535-84dd-28440238746c"')
            assert (form_bin_module(data) or "").splitlines() is not None
            problems.update(w.code for w in form.warnings if w.code != "binding-unproven")
            count["forms"] += 1
    # the only layout that stays open: a part of a settings composer
    assert problems == {
        "bound to 0 below ОбработкаОбъект.КомпоновщикНастроекКомпоновкиДанных, which is not known": 2,
    }
    assert count == {"forms": 32, "rows": 98, "equal": 96, "handlers": 121, "handlers in the text": 121}


def read_form_bin(root: Path, path: Path) -> Form:
    place = FormPlace("", "", "", "ordinary", "designer", "", "", "", path.parents[1].name, "")
    return read_ordinary_form(place, path.read_bytes(), meanings(root).get)


def test_exports_agree_with_form_xml(corpora: Path) -> None:
    count: Counter[str] = Counter()
    different: set[tuple[str, str, str]] = set()
    root = corpora / "testdata/ordinary_xunitfor1c/Tests/cf/83-no-modal/DataProcessors"
    for export in sorted((corpora / "v8unpack_samples/xDrivenDevelopment+xUnitFor1C").iterdir()):
        own = export.name.partition("_")[2].removesuffix(".epf")
        for folder in sorted((export / "Form").glob("*/")):
            source = root / own / "Forms" / folder.name / "Ext" / "Form.xml"
            if not source.is_file():
                continue
            form = read_export_form(export, f"Form/{folder.name}")
            top = etree.parse(str(source)).getroot()
            nodes = {
                n.get("name"): n
                for n in top.iter(f"{LOGFORM}*")
                if n.get("id") and n.get("name") and etree.QName(n).localname not in NO_ELEMENTS
            }
            count["forms"] += 1
            for element in form.elements:
                node = nodes.get(element.name)
                if node is None:
                    count["newer in the export"] += 1
                    continue
                count["elements"] += 1
                events = [(n.get("name"), n.text) for n in node.iterfind(f"{LOGFORM}Events/{LOGFORM}Event")]
                count["events"] += len(events)
                command = node.findtext(f"{LOGFORM}CommandName")
                caption = {
                    n.findtext("{*}lang"): (n.findtext("{*}content") or "").strip()
                    for n in node.iterfind(f"{LOGFORM}Title/*")
                }
                for what, ours, theirs in (
                    ("data path", element.data_path, node.findtext(f"{LOGFORM}DataPath")),
                    ("events", sorted((h.event or "", h.procedure) for h in element.handlers), sorted(events)),
                    ("command", element.command, None if command == "0" else command),
                    ("title", dict(element.title), caption),
                ):
                    count[f"{what} equal"] += ours == theirs
                    if ours != theirs:
                        different.add((own, element.name, what))
    # a part of a settings composer is not decoded; the export is newer than the dump and names a group
    assert different == {("СериализаторMXL", "КомпоновщикОтбор", "data path"), ("СериализаторMXL", "Группа2", "title")}
    assert count == {
        "forms": 19, "elements": 85, "newer in the export": 16, "events": 8, "events equal": 85,
        "command equal": 85, "data path equal": 84, "title equal": 84,
    }  # fmt: skip


def test_ordinary_forms_agree_with_form_bin(corpora: Path) -> None:
    root = corpora / "testdata/ordinary_xunitfor1c/Tests/cf/83-no-modal"
    same: Counter[str] = Counter()
    for export in sorted((corpora / "v8unpack_samples/xDrivenDevelopment+xUnitFor1C").iterdir()):
        own = export.name.partition("_")[2].removesuffix(".epf")
        for folder in sorted((export / "Form").glob("*/")):
            path = root / "DataProcessors" / own / "Forms" / folder.name / "Ext" / "Form.bin"
            if not path.is_file():
                continue
            ours, theirs = read_export_form(export, f"Form/{folder.name}"), read_form_bin(root, path)
            pairs = [(e, elements_of(theirs).get(key)) for key, e in elements_of(ours).items()]
            assert [a for a, b in pairs if b not in (None, a)] == [], own
            same[own] = sum(b is not None for _, b in pairs)
            same["newer in the export"] += sum(b is None for _, b in pairs)
            assert set(theirs.events) <= set(ours.events)
            assert [(x.name, x.main) for x in ours.attributes] == [(x.name, x.main) for x in theirs.attributes]
    assert same == {
        "xddGuidShow": 5, "xddTestRunner": 14, "xddTestsConvertIntoRebornFormat": 9,
        "ЗагрузчикИзПодсистемКонфигурации": 4, "СериализаторMXL": 28, "newer in the export": 2,
    }  # fmt: skip


def elements_of(form: Form) -> dict[str | None, Any]:
    """Return by id what the export and the dump must agree in; the menus of one form were written later."""
    return {e.id: (e.name, e.type, e.parent, e.title, e.data_path, e.proof, e.handlers)
            for e in form.elements if e.type != "CommandBarButton"}  # fmt: skip
