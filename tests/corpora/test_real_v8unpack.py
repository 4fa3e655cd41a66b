"""Metadata of the real v8unpack exports against the raw JSON read another way and against Designer dumps."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bsl_scout.configuration.layout import Problem, walk
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.configuration.objects import read_objects
from bsl_scout.configuration.types import unresolved

pytestmark = pytest.mark.corpora

# class uuids of the samples by hand: what a list of identities below one of them is called
NAMED = {
    "cf4abea7": "attribute", "45e46cbc": "attribute", "1a1b4fea": "attribute", "6e65cbf5": "attribute",
    "0dc22ad2": "attribute", "ec6bb5e5": "attribute", "888744e1": "attribute", "5d24a9d1": "attribute",
    "932159f9": "tabular_section", "21c53e09": "tabular_section", "52293f4b": "tabular_section",
    "4c7fec95": "tabular_section", "054aa8cf": "tabular_section", "2bcef0d1": "tabular_section",
    "13134203": "dimension", "13134202": "resource", "bee0a08c": "enum_value", "5aee69df": "column",
    "78bd1243": "accounting_flag", "c70ca527": "ext_dimension_accounting_flag", "ec6896c2": "url_template",
    "21c96ea8": "method", "acb7e81f": "integration_service_channel", "a98a108a": "function", "c7075688": "field",
}  # fmt: skip


def whole(top: Path) -> tuple[list[MetadataObject], list[Problem]]:
    return read_objects(top, walk(top).roots)


def by_name(top: Path) -> dict[str, MetadataObject]:
    found, problems = whole(top)
    assert problems == []
    return {item.full_name: item for item in found}


def is_root(folder: Path) -> bool:
    return any((folder / f"Configuration{kind}.json").is_file() for kind in ("", "Extension"))


def raw_objects(top: Path) -> Iterator[Path]:
    """Yield the object files: in a folder of the object in a folder of the kind, straight below a root."""
    for path in sorted(top.rglob("*.json")):
        in_folders = path.name.count(".") == 1 and path.parent.parent.name == path.stem and is_root(path.parents[2])
        if in_folders or path.name == "ExternalDataProcessor.json":
            yield path


def raw_names(node: object, kind: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield kind, name and synonym of everything that is named inside a header, by a search through the tree."""
    if not isinstance(node, list):
        return
    if node and isinstance(node[0], str) and node[0][:8] in NAMED and len(node[0]) == 36:
        kind = NAMED[node[0][:8]]
    head = node[1] if len(node) > 3 else None
    if isinstance(head, list) and len(head) == 3 and head[0] in "01" and head[1] == "0" and kind:
        texts = [text.strip('"').replace('""', '"') for text in node[3][1:]]
        yield kind, node[2].strip('"'), texts[texts.index("ru") + 1].strip() if "ru" in texts else ""
    for item in node:
        yield from raw_names(item, kind)


def test_every_object_and_field_of_the_samples(corpora: Path) -> None:
    top = corpora / "v8unpack_samples"
    found, problems = whole(top)
    assert problems == []
    by_path = {item.path: item for item in found}
    kinds: Counter[str] = Counter()
    fields: Counter[str] = Counter()
    for path in raw_objects(top):
        value = json.loads(path.read_text(encoding="utf-8"))
        item = by_path.pop(path.relative_to(top).as_posix())
        kinds[path.stem] += 1
        assert item.kind.rstrip("s") == path.stem.rstrip("s")
        assert (item.name, item.comment) == (value["name"], value["comment"].strip())
        assert item.synonym == {key: text.strip() for key, text in value["name2"].items() if text.strip()}
        beside = path.with_name(f"{path.stem}.id.json")
        ids = json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else value
        assert item.uuid == ids["uuid"]
        headers = [value["header"]]
        for nested in ("ExternalDataSourceTable", "ExternalDataSourceCube"):
            for inner in path.parent.glob(f"{nested}/*/{nested}.json"):
                headers.append(json.loads(inner.read_text(encoding="utf-8"))["header"])
        expected = Counter(entry for header in headers for entry in raw_names(header))
        own = [part for part in item.fields if part.kind in NAMED.values()]
        assert Counter((part.kind, part.name, part.synonym.get("ru", "")) for part in own) == expected, item.path
        for folder in sorted(path.parent.rglob("*.json")):
            if folder.name.count(".") == 1 and folder.parent != path.parent:
                raw = json.loads(folder.read_text(encoding="utf-8"))
                steps = folder.relative_to(path.parent).parts
                key = (raw["name"], steps[1] if len(steps) > 3 else None)
                (part,) = [p for p in item.fields if (p.name, p.parent) == key and steps[-3].lower().endswith(p.kind)]
                assert part.synonym == {key: text.strip() for key, text in raw["name2"].items() if text.strip()}
                fields[part.kind] += 1
    assert by_path == {}
    assert sum(kinds.values()) == len(found) == 188
    assert kinds["Catalog"] == 20
    assert kinds["ExternalDataProcessor"] == 51
    # counted by `find`
    assert fields == Counter(form=122, template=110, command=24, table=1, cube=1)
    # every type of these roots has a name
    assert [item.full_name for item in found if unresolved(item)] == []


def same_facts(one: MetadataObject, two: MetadataObject) -> dict[tuple[str, str | None, str], object]:
    """Return the fields that differ in types or synonym; an old dump calls AnyIBRef AnyRef."""
    sides = [
        {
            (part.kind, part.parent, part.name): (
                tuple(sorted(name.replace("AnyIBRef", "AnyRef") for name in part.types)),
                dict(part.synonym),
                part.comment,
                part.handler,
            )
            for part in item.fields
        }
        for item in (one, two)
    ]
    return {
        key: sides[0].get(key) for key in sides[0].keys() | sides[1].keys() if sides[0].get(key) != sides[1].get(key)
    }


def test_an_extension_in_both_formats(corpora: Path) -> None:
    unpacked = by_name(corpora / "v8unpack_samples/BlizD+Tasks/45b9e65a_ICQ_1.0.cfe")
    dumped = by_name(corpora / "testdata/designer_cfe/tasks_ICQ")
    assert unpacked.keys() == dumped.keys()
    assert len(unpacked) == 14
    for name, one in unpacked.items():
        two = dumped[name]
        assert same_facts(one, two) == {}
        for fact in ("uuid", "synonym", "comment", "types", "flags", "links", "adopted", "extends", "generated"):
            assert getattr(one, fact) == getattr(two, fact), (name, fact)
        uuids = [{(part.name, part.parent): part.uuid for part in item.fields} for item in (one, two)]
        assert uuids[0] == uuids[1]
    assert sum(item.adopted for item in unpacked.values()) > 3
    assert any(item.generated for item in unpacked.values())


def test_processors_in_both_formats(corpora: Path) -> None:
    unpacked = by_name(corpora / "v8unpack_samples/xDrivenDevelopment+xUnitFor1C")
    dumped = by_name(corpora / "testdata/ordinary_xunitfor1c/Tests/cf/83")
    pairs = {name: (one, dumped.get(name.replace("External", ""))) for name, one in unpacked.items()}
    compared = {name: (one, two) for name, (one, two) in pairs.items() if two is not None}
    assert len(compared) == 19
    differ: dict[str, set[tuple[str, str]]] = {}
    for one, two in compared.values():
        assert (one.name, one.synonym, one.comment) == (two.name, two.synonym, two.comment)
        fields = same_facts(one, two)
        if fields:
            differ[one.name] = {(kind, part) for kind, _, part in fields if kind != "template"}
    # two processors were changed between the dump and the file
    assert differ == {
        "xddTestRunner": {("attribute", "ИспользуемыйПрефиксПодсистемы"), ("attribute", "ПутьФайлаНастроек")},
        "СериализаторMXL": {
            ("attribute", "УровеньВыгрузки"),
            ("form", "ФормаСтруктурыПодчиненности"),
            ("form", "ФормаСтруктурыСсылокОбъекта"),
            ("form", "ФормаУстановкиПодчиненныхРегистраторовПоДереву"),
        },
    }
    assert sum(len(one.fields) for one, _ in compared.values()) > 60


def test_external_objects_of_a_designer_dump(corpora: Path) -> None:
    top = corpora / "testdata/mpl_vanessa_add"
    layout = walk(top)
    external = [root for root in layout.roots if root.kind == "external"]
    plain = [path for path in top.rglob("*.xml") if b"<ExternalDataProcessor uuid" in path.read_bytes()[:4096]]
    assert len(external) == len(plain) == 84
    found, problems = read_objects(top, external)
    assert problems == []
    assert {item.path for item in found} == {path.relative_to(top).as_posix() for path in plain}
    assert {item.kind for item in found} == {"ExternalDataProcessor"}
    forms = [part for item in found for part in item.fields if part.kind == "form"]
    assert len(forms) == sum(len(list(path.with_suffix("").glob("Forms/*.xml"))) for path in plain)
    assert all(part.uuid for part in forms)
