"""Forms of the real configurations against what plain XPath finds in their sources: nothing more, nothing less."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.objects import read_objects
from bsl_scout.forms.model import Form, Handler
from bsl_scout.forms.places import find_form
from bsl_scout.forms.reader import FormReader

pytestmark = pytest.mark.corpora

NS = {"f": "http://v8.1c.ru/8.3/xcf/logform", "v8": "http://v8.1c.ru/8.1/data/core"}
XSI = "{http://www.w3.org/2001/XMLSchema-instance}type"
KIN = ("ContextMenu", "ExtendedTooltip", "AutoCommandBar", "SearchStringAddition", "ViewStatusAddition",
       "SearchControlAddition")  # fmt: skip
EDT_ELEMENTS = "items", *(kind[0].lower() + kind[1:] for kind in KIN)
PROCEDURE = re.compile(r"^[ \t]*(?:Асинх\s+|Async\s+)?(?:Процедура|Функция|Procedure|Function)\s+(\w+)", re.I | re.M)


@cache
def reader_of(top: Path) -> FormReader:
    roots = walk(top).roots
    objects, _ = read_objects(top, roots)
    return FormReader(top, roots, objects)


@cache
def forms_of(top: Path) -> list[Form]:
    reader = reader_of(top)
    return [reader.read(place) for place in reader.places]


def procedures(top: Path, form: Form) -> dict[str, int]:
    """Return the 1-based lines of the procedures of a form's module."""
    if form.place.module is None:
        return {}
    text = (top / form.place.module).read_text(encoding="utf-8-sig")
    found: dict[str, int] = {}
    for match in PROCEDURE.finditer(text):
        found.setdefault(match[1].lower(), text.count("\n", 0, match.start(1)) + 1)
    return found


def written(node: etree._Element, path: str) -> list[str]:
    return [text.strip() for text in node.xpath(f"{path}/text()", namespaces=NS) if text.strip()]


def check_handlers(handlers: tuple[Handler, ...], known: dict[str, int], counts: Counter[str], what: str) -> None:
    for handler in handlers:
        line = known.get(handler.procedure.lower())
        assert (handler.found, handler.line) == (line is not None, None if line is None else line - 1), handler
        counts[what] += 1
        counts[f"{what} found"] += handler.found


def plain(path: str) -> str | None:
    """Return a written path as names, None for one of identifiers."""
    path = path.removeprefix("~")
    return None if path[:1].isdigit() else path


def check_designer(top: Path, form: Form, counts: Counter[str]) -> None:
    root = etree.parse(str(top / form.place.path)).getroot()
    for copy in root.xpath("f:BaseForm", namespaces=NS):
        root.remove(copy)
    nodes = root.xpath(
        "//*[string(@name) and @id][not(ancestor-or-self::f:Attributes or ancestor-or-self::f:Commands)]", namespaces=NS
    )
    assert [(e.name, e.type, e.id) for e in form.elements] == [
        (node.get("name"), etree.QName(node).localname, node.get("id")) for node in nodes
    ]
    known = procedures(top, form)
    for element, node in zip(form.elements, nodes, strict=True):
        above = node.xpath("ancestor::*[string(@name) and @id][1]/@name", namespaces=NS)
        assert element.parent == (above[0] if above else None)
        paths = written(node, "f:DataPath")
        assert [element.data_path] == ([plain(path) for path in paths] or [None]) or element.proof != "xml"
        assert bool(element.data_path) <= bool(paths)
        commands = written(node, "f:CommandName")
        assert [element.command] == (commands or [None])
        pairs = [(n.get("name"), n.text) for n in node.xpath("f:Events/f:Event", namespaces=NS)]
        assert [(h.event_id or h.event, h.procedure) for h in element.handlers] == pairs
        assert element.line == node.sourceline - 1
        check_handlers(element.handlers, known, counts, "events")
        counts["paths"] += bool(paths)
        counts["bound"] += element.data_path is not None
        in_children = etree.QName(node.getparent()).localname == "ChildItems"
        assert element.generated == (element.type in KIN and not in_children and not pairs)
    events = root.xpath("f:Events/f:Event", namespaces=NS)
    assert [(h.event_id or h.event, h.procedure) for h in form.events] == [(n.get("name"), n.text) for n in events]
    check_handlers(form.events, known, counts, "events")
    attributes = root.xpath("f:Attributes/f:Attribute", namespaces=NS)
    assert [(a.name, [c.name for c in a.columns], a.main) for a in form.attributes] == [
        (
            node.get("name"),
            node.xpath("f:Columns//f:Column/@name", namespaces=NS),
            written(node, "f:MainAttribute") == ["true"],
        )
        for node in attributes
    ]
    for attribute, node in zip(form.attributes, attributes, strict=True):
        types = written(node, "f:Type/*[self::v8:Type or self::v8:TypeSet]") if len(node) else []
        assert len(attribute.types) == len(types)
        assert [attribute.main_table or ""] == (written(node, "f:Settings/f:MainTable") or [""])
        assert bool(attribute.query) == bool(written(node, "f:Settings/f:QueryText"))
    nodes = root.xpath("f:Commands/f:Command", namespaces=NS)
    assert [(c.name, [a.procedure for a in c.actions]) for c in form.commands] == [
        (node.get("name"), written(node, "f:Action")) for node in nodes
    ]
    for command in form.commands:
        check_handlers(command.actions, known, counts, "actions")
    assert [(p.name, p.key) for p in form.parameters] == [
        (node.get("name"), written(node, "f:KeyParameter") == ["true"])
        for node in root.xpath("f:Parameters/f:Parameter", namespaces=NS)
    ]
    check_problems(form, counts)


def check_problems(form: Form, counts: Counter[str]) -> None:
    """Check that a problem is told for every path and command that begins with nothing, and for no other."""
    attributes = {attribute.name for attribute in form.attributes}
    commands = {command.name for command in form.commands}
    for element in form.elements:
        head = re.split(r"[.\[]", element.data_path or "")[0]
        command = element.command or ""
        own = command.startswith("Form.Command.")
        known = head in attributes | {"Items", "Элементы", ""} and (
            not own or command.removeprefix("Form.Command.") in commands
        )
        assert known == (element.problem is None) or command[:1].isdigit() or element.data_path is None, element
        counts["own commands"] += own
        counts["own commands found"] += own and element.problem is None
        counts["elements"] += 1
        counts["problems"] += element.problem is not None
    assert len(form.warnings) - (not form.place.module and bool(form.events)) >= 0
    counts["forms"] += 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "ssl_3_1",
            {"forms": 874, "elements": 54_757, "events": 5_075, "events found": 5_075, "actions": 2_611,
             "actions found": 2_611, "own commands": 3_297, "own commands found": 3_297, "paths": 6_280,
             "bound": 6_280},
        ),
        (
            "testdata/designer_mega_cc",
            {"forms": 1_789, "elements": 111_885, "events": 9_991, "events found": 9_909, "actions": 5_254,
             "actions found": 5_241, "own commands": 6_657, "own commands found": 6_657, "paths": 13_114,
             "bound": 13_114},
        ),
        (
            "testdata/designer_cfe",
            {"forms": 8, "actions": 19, "actions found": 16, "paths": 45, "bound": 42, "problems": 28},
        ),
    ],
)  # fmt: skip
def test_designer(corpora: Path, name: str, expected: dict[str, int]) -> None:
    top, counts = corpora / name, Counter[str]()
    forms = forms_of(top)
    sources = {p.relative_to(top).as_posix() for p in top.rglob("Form.xml") if p.parent.name == "Ext"}
    assert {form.place.path for form in forms} == sources
    for form in forms:
        check_designer(top, form, counts)
    assert {key: counts[key] for key in expected} == expected


def segments(node: etree._Element) -> str | None:
    found = node.xpath("dataPath//segments/text()")
    return found[0].removeprefix("~") if found else None


def check_edt(top: Path, form: Form, counts: Counter[str]) -> None:
    root = etree.parse(str(top / form.place.path)).getroot()
    nodes = [node for node in root.iter(*EDT_ELEMENTS) if node.find("name") is not None]
    by_line = {(node.sourceline - 1, node.findtext("name")): node for node in nodes}
    assert len(by_line) == len(nodes) == len(form.elements)
    known = procedures(top, form)
    for element in form.elements:
        node = by_line.pop((element.line, element.name))
        above = node.getparent()
        assert element.parent == (None if above is root else above.findtext("name"))
        path = segments(node)
        assert element.data_path == path or (path or "")[:1].isdigit()
        assert element.command == (node.findtext("commandName") or None)
        pairs = [(n.findtext("event"), n.findtext("name")) for n in node.xpath("handlers | extInfo/handlers")]
        assert sorted((h.event_id or h.event or "", h.procedure) for h in element.handlers) == sorted(pairs)
        check_handlers(element.handlers, known, counts, "events")
        counts["paths"] += path is not None
        counts["bound"] += element.data_path is not None
        assert element.generated == (node.tag != "items" and not pairs)
    events = [(n.findtext("event"), n.findtext("name")) for n in root.xpath("handlers | extInfo/handlers")]
    assert sorted((h.event_id or h.event or "", h.procedure) for h in form.events) == sorted(events)
    check_handlers(form.events, known, counts, "events")
    assert [(a.name, [c.name for c in a.columns], list(a.types) != []) for a in form.attributes] == [
        (
            node.findtext("name"),
            node.xpath("columns/name/text()") + node.xpath("additionalColumns/columns/name/text()"),
            bool(node.xpath("valueType/types")),
        )
        for node in root.xpath("attributes")
    ]
    lists = [node for node in root.xpath("attributes/extInfo") if node.get(XSI) == "form:DynamicListExtInfo"]
    told = [(a.main_table, a.query is not None) for a in form.attributes if a.main_table or a.query]
    assert told == [(node.findtext("mainTable"), node.find("queryText") is not None) for node in lists]
    assert [(c.name, [a.procedure for a in c.actions]) for c in form.commands] == [
        (node.findtext("name"), node.xpath("action//handler/name/text()")) for node in root.xpath("formCommands")
    ]
    for command in form.commands:
        check_handlers(command.actions, known, counts, "actions")
    assert [(p.name, p.key) for p in form.parameters] == [
        (node.findtext("name"), node.findtext("keyParameter") == "true") for node in root.xpath("parameters")
    ]
    check_problems(form, counts)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "edt_ssl_cc",
            {"forms": 791, "events": 4_718, "events found": 4_718, "actions": 2_413, "actions found": 2_413,
             "paths": 5_785, "bound": 5_785},
        ),
        ("edt_yaxunit", {"forms": 8, "events": 27, "events found": 27, "actions": 27, "actions found": 27}),
        (
            "edt_tester_eng",
            # four events by uuid name procedures that are not there; one path is written by numbers
            {"forms": 75, "events": 320, "events found": 316, "actions": 135, "actions found": 135, "paths": 731,
             "bound": 731, "problems": 0},
        ),
    ],
)  # fmt: skip
def test_edt(corpora: Path, name: str, expected: dict[str, int]) -> None:
    top, counts = corpora / "testdata" / name, Counter[str]()
    forms = forms_of(top)
    assert {form.place.path for form in forms} == {
        p.relative_to(top).as_posix() for p in top.rglob("Form.form") if p.parent.name != "BaseForm"
    }
    for form in forms:
        check_edt(top, form, counts)
    assert {key: counts[key] for key in expected} == expected


def test_a_path_by_number_in_a_real_form(corpora: Path) -> None:
    forms = forms_of(corpora / "testdata" / "edt_tester_eng")
    form = next(form for form in forms if form.place.id_en == "Catalog.Versions.Form.Form")
    element = next(element for element in form.elements if element.name == "Parent")
    assert (element.data_path, element.proof) == ("Object.Parent", "standard-attribute")
    assert element.types == ("CatalogRef.Versions",)


def test_what_an_extension_writes_by_identifiers(corpora: Path) -> None:
    """The extension alone does not tell the name of the form's main attribute; with its configuration it is known."""
    path = "Catalogs/узЗадачи/Forms/ФормаЭлемента/Ext/Form.xml"
    names = {"Исполнитель", "Статус", "Важность"}
    alone = reader_of(corpora / "testdata" / "designer_cfe")
    place = find_form(alone.places, f"tasks_ICQ/{path}")
    assert place
    form = alone.read(place)
    problems = {e.name: e.problem for e in form.elements if e.problem and e.command is None}
    assert set(problems) == names
    for name, problem in problems.items():
        assert problem and problem.endswith(f"names Справочник.узЗадачи.Реквизит.{name}")
    commands = [e.problem for e in form.elements if e.problem and e.command]
    assert len(commands) == 25
    assert all(problem and problem.endswith(": 0") for problem in commands)
    both = reader_of(corpora / "testdata")
    place = find_form(both.places, f"designer_cfe/tasks_ICQ/{path}")
    assert place
    bound = {e.name: e for e in both.read(place).elements if e.name in names}
    assert {e.data_path for e in bound.values()} == {f"Объект.{name}" for name in names}
    assert {e.proof for e in bound.values()} == {"metadata-uuid"}
    assert bound["Исполнитель"].types == ("CatalogRef.Пользователи",)


def test_types_of_attributes_of_objects(corpora: Path) -> None:
    """`Объект.Реквизит` has the types that the object's own file gives, tabular sections included."""
    top, checked = corpora / "ssl_3_1", 0
    folders = {"CatalogObject": "Catalogs", "DocumentObject": "Documents", "DataProcessorObject": "DataProcessors"}
    for form in forms_of(top):
        main = next((a for a in form.attributes if a.main and a.types[0].split(".")[0] in folders), None)
        if main is None:
            continue
        kind, _, name = main.types[0].partition(".")
        root = etree.parse(str(top / folders[kind] / f"{name}.xml")).getroot()
        for element in form.elements:
            steps = re.sub(r"\[\d+\]", "", element.data_path or "").split(".")
            if steps[0] != main.name or len(steps) not in (2, 3):
                continue
            above = "/*[local-name()='ChildObjects']/*[*/*[local-name()='Name']='{}']"
            found = root.xpath("/*/*" + "".join(above.format(step) for step in steps[1:]))
            if not found:
                continue
            types = found[0].xpath(
                "*[local-name()='Properties']/*[local-name()='Type']/*[local-name()='Type' or local-name()='TypeSet']"
            )
            section = etree.QName(found[0]).localname == "TabularSection"
            if not section:
                assert len(element.types) == len(types)
                for spelled, node in zip(element.types, types, strict=True):
                    word = node.text.split(":")[1]
                    assert spelled.startswith(word) or word in ("string", "boolean", "decimal", "dateTime")
            else:
                assert len(element.types) == 1
                assert element.types[0].endswith(f"TabularSection.{name}.{steps[1]}")
            checked += 1
    assert checked > 800


def test_shown_paths_hold_no_english_standard_attributes(corpora: Path) -> None:
    """In a Russian configuration the standard attributes of objects and plain lists are shown in Russian."""
    english = re.compile(r"\.(?:Ref|Description|Code|Number|Date|Parent|Owner|DeletionMark|LineNumber|Posted)$")
    left = Counter[str]()
    for form in forms_of(corpora / "ssl_3_1"):
        for element in form.elements:
            if element.data_path and english.search(element.data_path):
                left["shown" if english.search(element.display_path or "") else "translated"] += 1
    assert left["translated"] > 400
    # of lists whose query has a word like it, and rows of settings
    assert left["shown"] < 10


def test_events_of_twins_in_both_formats_stand_in_one_order(corpora: Path) -> None:
    dumped = {form.place.id: form for form in forms_of(corpora / "ssl_3_1")}
    compared = 0
    for form in forms_of(corpora / "testdata" / "edt_ssl_cc"):
        twin = dumped.get(form.place.id)
        if twin is None:
            continue
        named = {element.name: element.handlers for element in twin.elements}
        pairs = [(form.events, twin.events), *((e.handlers, named.get(e.name, ())) for e in form.elements)]
        for one, two in pairs:
            events, others = [item.event for item in one], [item.event for item in two]
            # the two are of different versions: some handlers are in one only
            if len(events) > 1 and sorted(map(str, events)) == sorted(map(str, others)):
                assert events == others, form.place.id
                compared += 1
    assert compared > 700


def test_handlers_of_exports_are_found_as_the_truth_says(corpora: Path, forms_truth: list[dict[str, Any]]) -> None:
    top, found = corpora / "v8unpack_samples", 0
    forms = {f"v8unpack_samples/{form.place.path}": form for form in forms_of(top)}
    for row in forms_truth:
        form = forms[f"{row['export']}/{row['form']}"]
        assert (form.place.module is not None) == row["module"]
        handlers = [*form.events, *(handler for element in form.elements for handler in element.handlers)]
        handlers += [action for command in form.commands for action in command.actions]
        own = {
            h.procedure: ("found" if h.found else "missing", None if h.line is None else h.line + 1) for h in handlers
        }
        rows = [*row["events"], *row["commands"], *(h for element in row["elements"] for h in element["handlers"])]
        for _, name, status, line in rows:
            if name:
                assert own[name] == (status, line), (form.place.id, name)
                found += status == "found"
    assert found > 80


def test_ordinary_forms_bring_their_modules(corpora: Path) -> None:
    for name, missing in (("ordinary_xunitfor1c", 2), ("mpl_vanessa_add", 1)):
        forms = [form for form in forms_of(corpora / "testdata" / name) if form.place.kind == "ordinary"]
        handlers = [h for form in forms for e in form.elements for h in e.handlers] + [
            h for form in forms for h in form.events
        ]
        assert len(handlers) > 40
        assert sum(not handler.found for handler in handlers) == missing
        bound = [element for form in forms for element in form.elements if element.data_path]
        assert all(element.types and element.proof for element in bound)
