"""What the side files of the real configurations hold against plain XPath over the files themselves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from lxml import etree

from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.model import ANY_LANGUAGE, MetadataField, MetadataObject
from bsl_scout.configuration.objects import read_objects

pytestmark = pytest.mark.corpora

NAMESPACES = {
    "p": "http://v8.1c.ru/8.3/xcf/predef",
    "r": "http://v8.1c.ru/8.2/roles",
    "f": "http://v8.1c.ru/8.3/xcf/logform",
    "d": "http://v8.1c.ru/8.1/data-composition-system/schema",
    "m": "http://v8.1c.ru/8.3/MDClasses",
    "xr": "http://v8.1c.ru/8.3/xcf/readable",
    "v8": "http://v8.1c.ru/8.1/data/core",
}


@lru_cache(maxsize=3)
def objects_of(top: Path) -> list[MetadataObject]:
    return read_objects(top, walk(top).roots)[0]


def roots_of(top: Path, pattern: str) -> Iterator[tuple[str, etree._Element]]:
    for path in sorted(top.rglob(pattern)):
        yield path.relative_to(top).as_posix(), etree.parse(str(path)).getroot()


def xpath(element: etree._Element, path: str) -> list[etree._Element]:
    return list(element.xpath(path, namespaces=NAMESPACES))


def value(element: etree._Element, path: str) -> str:
    return str(element.xpath(f"string({path})", namespaces=NAMESPACES)).strip()


def parts_of(top: Path, kind: str) -> list[tuple[MetadataObject, MetadataField]]:
    return [(item, part) for item in objects_of(top) for part in item.fields if part.kind == kind]


@pytest.mark.parametrize(("name", "count"), [("ssl_3_1", 220), ("testdata/designer_mega_cc", 480)])
def test_predefined_items(corpora: Path, name: str, count: int) -> None:
    top = corpora / name
    expected = [
        (path, value(item, "p:Name"), value(item, "p:Description"), value(item, "p:Code"), item.sourceline - 1)
        for path, root in roots_of(top, "Ext/Predefined.xml")
        for item in xpath(root, "//p:Item")
    ]
    found = [
        (part.path, part.name, part.synonym.get(ANY_LANGUAGE, ""), part.comment, part.line)
        for _, part in parts_of(top, "predefined")
    ]
    assert sorted(found, key=str) == sorted(expected, key=str)
    assert len(found) == count


@pytest.mark.parametrize(("name", "count"), [("ssl_3_1", 27), ("testdata/designer_mega_cc", 64)])
def test_queries_of_data_composition_schemas(corpora: Path, name: str, count: int) -> None:
    top = corpora / name
    texts = {part.path: part for _, part in parts_of(top, "template") if part.text}
    common = {item.path: item for item in objects_of(top) if item.kind == "CommonTemplate"}
    queries = 0
    for path, root in roots_of(top, "Ext/Template.xml"):
        if etree.QName(root).localname != "DataCompositionSchema":
            assert path not in texts
            continue
        if path.startswith("CommonTemplates/"):
            text = common["/".join(path.split("/")[:2]) + ".xml"].text
        else:
            part = texts.pop(path, None)
            assert part is not None or not value(root, "//d:query | //d:dataPath | //d:parameter"), path
            text = part.text if part else ""
        rows = set(text.split("\n"))
        for query in xpath(root, "//d:query[normalize-space()]"):
            assert query.text.strip("\n") in text
            queries += 1
        for field in xpath(root, "//d:field/d:dataPath | //d:calculatedField/d:dataPath | //d:parameter/d:name"):
            names = [field.text.strip(), value(field, "../d:title/v8:item[1]/v8:content")]
            assert any(all(part in row for part in names) for row in rows), (path, names)
    assert texts == {}
    assert queries == count


@pytest.mark.parametrize(
    ("name", "files", "counts"),
    [
        ("ssl_3_1", "Ext/Rights.xml", (5_443, 223)),
        ("testdata/designer_mega_cc", "Ext/Rights.xml", (15_624, 487)),
        ("testdata/edt_ssl_cc", "*.rights", (5_848, 191)),
    ],
)
def test_rights_and_restrictions(corpora: Path, name: str, files: str, counts: tuple[int, int]) -> None:
    top = corpora / name
    roles = {item.name: item for item in objects_of(top) if item.kind == "Role"}
    limits = granted = 0
    for path, root in roots_of(top, files):
        role = roles[path.split("/")[path.split("/").index("Roles") + 1]]
        counted = {
            value(item, "r:name"): len(xpath(item, "r:right[r:value = 'true']")) for item in xpath(root, "/*/r:object")
        }
        assert {name: len(rights) for name, rights in role.rights.items()} == {n: c for n, c in counted.items() if c}
        granted += sum(counted.values())
        conditions = [item for item in xpath(root, "//r:condition") if item.text and item.text.strip()]
        restrictions = [part for part in role.fields if part.kind == "restriction"]
        assert sorted((part.line, part.text) for part in restrictions) == sorted(
            (item.sourceline - 1, item.text.strip("\n")) for item in conditions
        )
        assert {part.path for part in restrictions} <= {path}
        limits += len(restrictions)
    assert (granted, limits) == counts


@pytest.mark.parametrize(
    ("name", "files", "settings", "prefix", "count"),
    [
        ("ssl_3_1", "Form.xml", "/*/f:Attributes/*/f:Settings", "f:", 141),
        ("testdata/designer_mega_cc", "Form.xml", "/*/f:Attributes/*/f:Settings", "f:", 294),
        ("testdata/edt_ssl_cc", "Form.form", "/*/attributes/extInfo", "", 137),
    ],
)
def test_queries_of_dynamic_lists(corpora: Path, name: str, files: str, settings: str, prefix: str, count: int) -> None:
    top = corpora / name
    texts = {(item.path, part.name): part.text for item, part in parts_of(top, "form")}
    common = {item.path: item.text for item in objects_of(top) if item.kind == "CommonForm"}
    names = ("QueryText", "MainTable") if prefix else ("queryText", "mainTable")
    queries = 0
    for path, root in roots_of(top, files):
        steps = [step for step in path.split("/")[:-1] if step != "Ext"]
        if prefix and path.split("/")[-2] != "Ext":
            continue  # the description of a form named Form
        owner = steps[: steps.index("Forms")] if "Forms" in steps else steps
        own = "/".join(owner) + (".xml" if prefix else f"/{owner[-1]}.mdo")
        text = texts[own, steps[-1]] if "Forms" in steps else common[own]
        values = [node.text.strip() for tag in names for node in xpath(root, f"{settings}/{prefix}{tag}[text()]")]
        assert sorted(text.split("\n")) == sorted("\n".join(values).split("\n")), path
        queries += len(xpath(root, f"{settings}/{prefix}{names[0]}[text()]"))
    assert queries == count


@pytest.mark.parametrize(("name", "count"), [("ssl_3_1", 74), ("testdata/designer_mega_cc", 160)])
def test_redefined_standard_attributes(corpora: Path, name: str, count: int) -> None:
    top = corpora / name
    total = 0
    for item in objects_of(top):
        root = etree.parse(str(top / item.path)).getroot()
        nodes = xpath(root, "//xr:StandardAttribute[xr:Synonym/v8:item[normalize-space(v8:content)]]")
        assert sorted(
            (part.name, part.line, *sorted(part.synonym.values())) for part in item.standard_attributes
        ) == sorted(
            (
                node.get("name"),
                node.sourceline - 1,
                *sorted(c.text.strip() for c in xpath(node, "xr:Synonym/*/v8:content")),
            )
            for node in nodes
        ), item.path
        total += len(nodes)
    assert total == count


def test_predefined_items_and_standard_attributes_of_edt(corpora: Path) -> None:
    top = corpora / "testdata/edt_ssl_cc"
    items = attributes = 0
    for item in objects_of(top):
        root = etree.parse(str(top / item.path)).getroot()
        nodes = xpath(root, "/*/predefined//*[@id and name]")
        found = [part for part in item.fields if part.kind == "predefined"]
        assert [(p.name, p.line) for p in found] == [(node.findtext("name"), node.sourceline - 1) for node in nodes]
        for part, node in zip(found, nodes, strict=True):
            assert part.comment == (node.findtext("code/value") or "").strip()
            assert part.synonym.get(ANY_LANGUAGE, "") == (node.findtext("description") or "").strip()
        own = xpath(root, "//standardAttributes[synonym/value]")
        assert [(p.name, p.line) for p in item.standard_attributes] == [
            (node.findtext("name"), node.sourceline - 1) for node in own
        ], item.path
        items += len(nodes)
        attributes += len(own)
    assert (items, attributes) == (285, 74)
