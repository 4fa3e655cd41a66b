"""Objects, fields, synonyms and types of the real configurations against a count by plain XPath."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.objects import read_objects

pytestmark = pytest.mark.corpora

NAMESPACES = {
    "m": "http://v8.1c.ru/8.3/MDClasses",
    "v8": "http://v8.1c.ru/8.1/data/core",
    "xr": "http://v8.1c.ru/8.3/xcf/readable",
}
PRIMITIVES = {"xs:string": "String", "xs:boolean": "Boolean", "xs:decimal": "Number", "xs:dateTime": "Date"}


# types that EDT spells otherwise than a Designer dump
EDT_TYPES = {
    "ValueList": "ValueListType",
    "AnyRef": "AnyIBRef",
    "DataCompositionSettingsComposer": "SettingsComposer",
}


def bare(types: tuple[str, ...]) -> list[str]:
    """Return types without their qualifiers."""
    return [name.split("(")[0] for name in types]


def designer_types(element: etree._Element, path: str) -> list[str]:
    found = []
    for item in element.xpath(f"{path}/v8:Type | {path}/v8:TypeSet", namespaces=NAMESPACES):
        found.append(PRIMITIVES.get(item.text, item.text.split(":")[-1]))
    return found


def edt_types(element: etree._Element) -> list[str]:
    return [EDT_TYPES.get(node.text, node.text) for node in element.xpath("type/types")]


def synonym(element: etree._Element) -> dict[str, str]:
    items = element.xpath("m:Properties/m:Synonym/v8:item", namespaces=NAMESPACES)
    pairs = [[item.xpath(f"string(v8:{tag})", namespaces=NAMESPACES) for tag in ("lang", "content")] for item in items]
    return {language: text.strip() for language, text in pairs if text.strip()}


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("ssl_3_1", 2_723),
        ("testdata/designer_mega_cc", 5_610),
        *(
            (f"testdata/designer_cfe/{name}", None)
            for name in ("tasks_BAS", "tasks_ICQ", "prometheus", "events_handlers")
        ),
        ("testdata/designer_cfe/pdm_YAXUnit", None),
    ],
)
def test_designer(corpora: Path, name: str, count: int | None) -> None:
    top = corpora / name
    found, problems = read_objects(top, walk(top).roots)
    by_path = {item.path: item for item in found}
    kinds: Counter[str] = Counter()
    for path in sorted(top.rglob("*.xml")):
        steps = path.relative_to(top).parts
        if "Ext" in steps or {"Forms", "Templates"} & set(steps[:-1]) or len(steps) < 2:
            continue
        (element,) = etree.parse(str(path)).getroot()
        item = by_path.pop("/".join(steps))
        kinds[etree.QName(element).localname] += 1
        assert item.kind == etree.QName(element).localname
        assert item.name == element.xpath("string(m:Properties/m:Name)", namespaces=NAMESPACES)
        assert item.uuid == element.get("uuid")
        assert item.synonym == synonym(element)
        assert bare(item.types) == designer_types(element, "m:Properties/m:Type")
        nodes = element.xpath(".//m:ChildObjects/*", namespaces=NAMESPACES)
        # test_real_side_files holds the others
        parts = [part for part in item.fields if part.kind not in ("predefined", "restriction")]
        assert len(parts) == len(nodes), item.path
        for part, node in zip(parts, nodes, strict=True):
            inner = node.xpath("string(m:Properties/m:Name)", namespaces=NAMESPACES) or node.text.strip()
            assert part.name == inner
            assert part.path or part.line == node.sourceline - 1
            if part.kind not in ("form", "template"):
                assert part.synonym == synonym(node)
            if part.kind not in ("operation", "parameter"):
                assert bare(part.types) == designer_types(node, "m:Properties/m:Type")
    assert by_path == {}
    assert kinds == Counter(item.kind for item in found)
    assert count is None or len(found) == count
    if name == "testdata/designer_mega_cc":
        # one configuration in two languages: the objects of one have the uuids of the other
        assert {problem.message.partition(" the uuid ")[0] for problem in problems} == {"has"}
        assert len(problems) > 2_000
    else:
        assert problems == []


def test_forms_of_ssl_have_synonyms(corpora: Path) -> None:
    top = corpora / "ssl_3_1"
    found, _ = read_objects(top, walk(top).roots)
    forms = [(item, part) for item in found for part in item.fields if part.kind == "form"]
    for item, part in forms:
        side = (top / item.path).with_suffix("") / "Forms" / f"{part.name}.xml"
        (element,) = etree.parse(str(side)).getroot()
        assert (part.uuid, part.synonym) == (element.get("uuid"), synonym(element))
    assert len(forms) > 700


def test_types_of_one_library_are_spelled_alike(corpora: Path) -> None:
    ssl, edt = corpora / "ssl_3_1", corpora / "testdata/edt_ssl_cc"
    types = []
    for top in (ssl, edt):
        found, _ = read_objects(top, walk(top).roots)
        parts = ((item.field_name(part), part.types) for item in found for part in item.fields)
        # without a dot they are of the platform, not of the configuration, which differs between the versions
        types.append({name: {one for one in bare(own) if "." not in one} for name, own in parts if len(own) == 1})
    same = types[0].keys() & types[1].keys()
    differing = {name for name in same if types[0][name] and types[1][name] and types[0][name] != types[1][name]}
    assert len(same) > 3_000
    assert differing == set()


@pytest.mark.parametrize("name", ["edt_ssl_cc", "edt_yaxunit", "edt_tester_eng"])
def test_edt(corpora: Path, name: str) -> None:
    top = corpora / "testdata" / name
    found, problems = read_objects(top, walk(top).roots)
    languages = Counter((item.path, item.name, item.uuid) for item in found if item.kind == "Language")
    by_path = {item.path: item for item in found if item.kind != "Language"}
    for path in sorted(top.rglob("*.mdo")):
        root = etree.parse(str(path)).getroot()
        if path.name == "Configuration.mdo":
            place = path.relative_to(top).as_posix()
            languages.subtract((place, node.findtext("name"), node.get("uuid")) for node in root.findall("languages"))
            continue
        item = by_path.pop(path.relative_to(top).as_posix())
        assert item.kind == etree.QName(root).localname
        assert (item.name, item.uuid) == (root.findtext("name"), root.get("uuid"))
        pairs = [(node.findtext("key"), (node.findtext("value") or "").strip()) for node in root.findall("synonym")]
        assert item.synonym == {key: value for key, value in pairs if value}
        assert bare(item.types) == edt_types(root)
        for tag, kind in (
            ("attributes", "attribute"),
            ("tabularSections", "tabular_section"),
            ("dimensions", "dimension"),
            ("resources", "resource"),
            ("enumValues", "enum_value"),
            ("forms", "form"),
            ("commands", "command"),
            ("templates", "template"),
        ):
            nodes = [node for node in root.iter(tag) if node.findtext("name")]
            parts = [part for part in item.fields if part.kind == kind]
            assert [part.name for part in parts] == [node.findtext("name") for node in nodes], (item.path, tag)
            for part, node in zip(parts, nodes, strict=True):
                assert bare(part.types) == edt_types(node)
                assert part.line == node.sourceline - 1
    assert by_path == {}
    assert set(languages.values()) == {0}
    missing = [problem for problem in problems if "absent or broken" in problem.message]
    assert len(missing) == len(problems)
    # this project really lists objects that are not there
    assert bool(missing) == (name != "edt_yaxunit")
