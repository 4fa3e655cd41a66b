"""Hostile and broken object files: each is one named problem, and everything else is read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bsl_scout.configuration.layout import Problem, walk
from bsl_scout.configuration.objects import read_objects
from bsl_scout.configuration.safe_xml import MAX_BYTES
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import refresh
from support import Write

HEAD = '<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses">'
DECLARED = '<?xml version="1.0" encoding="{}"?>'


def catalog(name: str = "Битый", uuid: str = "b", inner: str = "") -> str:
    return (
        f'{HEAD}<Catalog uuid="{uuid}"><Properties><Name>{name}</Name></Properties>'
        f"<ChildObjects>{inner}</ChildObjects></Catalog></MetaDataObject>"
    )


def attribute(name: str, uuid: str) -> str:
    return f'<Attribute uuid="{uuid}"><Properties><Name>{name}</Name></Properties></Attribute>'


def configuration(*names: str) -> str:
    listed = "".join(f"<Catalog>{name}</Catalog>" for name in names)
    properties = "<Properties><Name>Проверка</Name></Properties>"
    return f"{HEAD}<Configuration>{properties}<ChildObjects>{listed}</ChildObjects></Configuration></MetaDataObject>"


LAUGHS = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
BROKEN: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "broken XML"),
    "truncated": (catalog().encode()[:-30], "broken XML"),
    "NUL": (catalog().replace("Битый", "Би\0тый").encode(), "broken XML"),
    "deep": (b"<a>" * 100_000 + b"</a>" * 100_000, "broken XML"),
    "laughs": (f'<!DOCTYPE a [<!ENTITY e0 "ха">{LAUGHS}]><a>&e9;</a>'.encode(), "XML"),
    "external": (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "document type"),
    "UTF-16 is UTF-8": ((DECLARED.format("UTF-16") + catalog()).encode(), "declares UTF-16 but is not UTF-16"),
    "windows-1251 is UTF-8": (
        (DECLARED.format("windows-1251") + catalog()).encode(),
        "declares windows-1251 but is UTF-8",
    ),
    "UTF-8 is windows-1251": ((DECLARED.format("UTF-8") + catalog()).encode("cp1251"), "broken XML"),
    "not XML": ("это не XML".encode(), "broken XML"),
}
# what is read although its declaration is strange: the bytes say clearly what they are
CLEAR = {
    "BOM": b"\xef\xbb\xbf" + (DECLARED.format("windows-1251") + catalog()).encode(),
    "UTF-8 is UTF-16": (DECLARED.format("UTF-8") + catalog()).encode("utf-16"),
    "windows-1251": (DECLARED.format("windows-1251") + catalog()).encode("cp1251"),
    "declared ASCII": (DECLARED.format("windows-1251") + catalog("Broken")).encode(),
}


def read(top: Path) -> tuple[list[str], list[Problem]]:
    layout = walk(top)
    found, problems = read_objects(top, layout.roots)
    assert not any(str(top) in problem.message for problem in problems)
    return [item.full_name for item in found], layout.problems + problems


def indexed(top: Path, folder: Path) -> tuple[set[str], list[Problem]]:
    report = refresh(top, folder)
    assert report.problems == refresh(top, folder).problems
    opened = Catalog(folder)
    try:
        return opened.object_names("."), report.problems
    finally:
        opened.close()


def dump(write: Write, files: dict[str, str | bytes], *listed: str) -> Path:
    whole = {"Catalogs/Целый.xml": catalog("Целый", "w", attribute("Цвет", "w1"))}
    return write({"Configuration.xml": configuration("Целый", *listed), **whole, **files})


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_costs_only_itself(write: Write, tmp_path: Path, name: str) -> None:
    data, reason = BROKEN[name]
    top = dump(write, {"Catalogs/Битый.xml": data}, "Битый")
    names, problems = read(top)
    assert names == ["Catalog.Целый"]
    told = {problem.path: problem.message for problem in problems}
    assert set(told) == {"Catalogs/Битый.xml", "Configuration.xml"}
    assert reason in told["Catalogs/Битый.xml"]
    assert "\n" not in told["Catalogs/Битый.xml"]
    assert told["Configuration.xml"] == "lists Catalog.Битый, whose file is absent or broken"
    assert indexed(top, tmp_path / "index") == ({"Catalog.Целый"}, sorted(problems, key=lambda problem: problem.path))


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_configuration_keeps_its_objects(write: Write, name: str) -> None:
    data, reason = BROKEN[name]
    top = dump(write, {"Configuration.xml": data})
    names, problems = read(top)
    assert names == ["Catalog.Целый"]
    assert [problem.path for problem in problems] == ["Configuration.xml"]
    assert reason in problems[0].message


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_mdo_costs_only_itself(write: Write, name: str) -> None:
    data, reason = BROKEN[name]
    whole = "<Catalog uuid='w'><name>Целый</name></Catalog>"
    top = write(
        {
            "src/Configuration/Configuration.mdo": "<Configuration><name>К</name></Configuration>",
            "src/Catalogs/Битый/Битый.mdo": data,
            "src/Catalogs/Целый/Целый.mdo": whole,
        }
    )
    names, problems = read(top)
    # what is well-formed without being an .mdo holds no object
    assert names == ["Catalog.Целый"]
    assert [problem.path for problem in problems] == ["src/Catalogs/Битый/Битый.mdo"]
    assert reason in problems[0].message


@pytest.mark.parametrize("side", ["Catalogs/Битый/Forms/Форма.xml", "ExchangePlans/План/Ext/Content.xml"])
def test_a_broken_side_file_keeps_its_object(write: Write, side: str) -> None:
    plan = catalog("План", "p").replace("Catalog", "ExchangePlan")
    form = f'{HEAD}<Form uuid="f"><Properties><Name>Форма</Name></Properties></Form></MetaDataObject>'
    files: dict[str, str | bytes] = {
        "Catalogs/Битый.xml": catalog(inner="<Form>Форма</Form>"),
        "Catalogs/Битый/Forms/Форма.xml": form,
        "ExchangePlans/План.xml": plan,
        "ExchangePlans/План/Ext/Content.xml": "<C><Item><Metadata>Catalog.Битый</Metadata></Item></C>",
    }
    top = dump(write, files, "Битый")
    found, problems = read_objects(top, walk(top).roots)
    plan_found = next(item for item in found if item.name == "План")
    assert (plan_found.links, problems) == ((("content", "Catalog.Битый"),), [])
    (top / side).write_bytes(b"<a>")
    names, problems = read(top)
    assert sorted(names) == ["Catalog.Битый", "Catalog.Целый", "ExchangePlan.План"]
    assert [problem.path for problem in problems] == [side]


def test_a_folder_that_vanishes_is_not_fatal(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    top = dump(write, {})
    roots = walk(top).roots

    def iterdir(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", iterdir)
    found, problems = read_objects(top, roots)
    assert found == []
    assert problems == [Problem("Configuration.xml", "lists Catalog.Целый, whose file is absent or broken")]


@pytest.mark.parametrize("name", CLEAR)
def test_a_clear_encoding_is_read(write: Write, name: str) -> None:
    stem = "Broken" if name == "declared ASCII" else "Битый"
    names, problems = read(dump(write, {f"Catalogs/{stem}.xml": CLEAR[name]}, stem))
    assert (sorted(names), problems) == (sorted(["Catalog.Целый", f"Catalog.{stem}"]), [])


def test_a_huge_file_is_neither_parsed_nor_hashed(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = dump(write, {"Catalogs/Битый.xml": ""})
    huge = top / "Catalogs/Битый.xml"
    with huge.open("wb") as file:
        file.truncate(500 * 1024 * 1024)
    whole = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        assert path.stat().st_size <= MAX_BYTES
        return whole(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    names, problems = read(top)
    assert names == ["Catalog.Целый"]
    message = "not read: 500 MB is too large for XML of a configuration"
    assert problems == [Problem("Catalogs/Битый.xml", message)]
    assert indexed(top, tmp_path / "index") == ({"Catalog.Целый"}, problems)


def test_absent_files_are_named(write: Write) -> None:
    inner = "<Form>Форма</Form><Template>Макет</Template>"
    top = dump(write, {"Catalogs/Битый.xml": catalog(inner=inner)}, "Битый", "Нет")
    names, problems = read(top)
    assert names == ["Catalog.Битый", "Catalog.Целый"]
    assert problems == [
        Problem("Catalogs/Битый/Forms/Форма.xml", "listed in Битый.xml but absent"),
        Problem("Catalogs/Битый/Templates/Макет.xml", "listed in Битый.xml but absent"),
        Problem("Configuration.xml", "lists Catalog.Нет, whose file is absent or broken"),
    ]


def test_duplicates_are_named_and_read(write: Write, tmp_path: Path) -> None:
    fields = attribute("Цвет", "f1") + attribute("цвет", "f2") + attribute("Вес", "f1")
    top = dump(
        write,
        {
            "Catalogs/Битый.xml": catalog("Битый", "w", fields),
            "Catalogs/Второй.xml": catalog("Битый", "v"),
        },
        "Битый",
    )
    names, problems = read(top)
    assert sorted(names) == ["Catalog.Битый", "Catalog.Битый", "Catalog.Целый"]
    assert problems == [
        Problem("Catalogs/Битый.xml", "has two fields called Справочник.Битый.Реквизит.цвет"),
        Problem("Catalogs/Битый.xml", "has the uuid f1 twice"),
        Problem("Catalogs/Второй.xml", "holds an object that is called Битый"),
        Problem("Catalogs/Второй.xml", "is called Catalog.Битый like Catalogs/Битый.xml"),
        Problem("Catalogs/Целый.xml", "has the uuid w of Catalogs/Битый.xml"),
    ]
    _, told = indexed(top, tmp_path / "index")
    assert [(problem.path, problem.message) for problem in told] == [
        (
            "Catalogs/Битый.xml",
            "has two fields called Справочник.Битый.Реквизит.цвет; has the uuid f1 twice",
        ),
        # those that only a look at all files finds stand before those of one file
        ("Catalogs/Второй.xml", "is called Catalog.Битый like Catalogs/Битый.xml"),
        ("Catalogs/Второй.xml", "holds an object that is called Битый"),
        ("Catalogs/Целый.xml", "has the uuid w of Catalogs/Битый.xml"),
    ]


def test_two_roots_may_have_the_same_object(write: Write) -> None:
    whole = {f"{root}/Catalogs/Битый.xml": catalog() for root in "ab"}
    top = write({f"{root}/Configuration.xml": configuration("Битый") for root in "ab"} | whole)
    names, problems = read(top)
    assert (names, problems) == (["Catalog.Битый", "Catalog.Битый"], [])


def test_an_unknown_kind_is_named_once(write: Write) -> None:
    palette = "<PaletteColor>Синий</PaletteColor><PaletteColor>Красный</PaletteColor>"
    text = configuration("Целый").replace("</ChildObjects>", palette + "</ChildObjects>")
    names, problems = read(dump(write, {"Configuration.xml": text}))
    assert names == ["Catalog.Целый"]
    assert problems == [Problem("Configuration.xml", "lists 2 of the kind PaletteColor, which is not known here")]


def test_unknown_elements_of_a_newer_version_are_skipped(write: Write) -> None:
    mdo = (
        '<mdclass:Catalog xmlns:mdclass="http://g5.1c.ru/v8/dt/metadata/mdclass" uuid="n">'
        "<newest><deep>1</deep></newest><name>Новый</name>"
        '<attributes uuid="n1"><name>Цвет</name><newer>x</newer><type><types>Hologram</types></type></attributes>'
        '<holograms uuid="n2"><name>Голограмма</name></holograms></mdclass:Catalog>'
    )
    listed = "<mdclass:Configuration xmlns:mdclass='m'><name>К</name><catalogs>Catalog.Новый</catalogs>"
    top = write(
        {
            "src/Configuration/Configuration.mdo": listed + "<holograms>Hologram.А</holograms></mdclass:Configuration>",
            "src/Catalogs/Новый/Новый.mdo": mdo,
        }
    )
    (found,), problems = read_objects(top, walk(top).roots)
    assert [(name, part.types) for name, part in found.named_fields()] == [
        ("Справочник.Новый.Реквизит.Цвет", ("Hologram",))
    ]
    assert problems == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a file's name be any bytes")
def test_a_name_that_is_no_text_is_a_problem(write: Write, tmp_path: Path) -> None:
    top = dump(write, {})
    (top / "Catalogs" / os.fsdecode(b"\xff.xml")).write_text(catalog())
    names, problems = read(top)
    assert names == ["Catalog.Целый"]
    assert problems == [Problem("Catalogs/\\udcff.xml", "not read: not a valid name")]
    assert indexed(top, tmp_path / "index") == ({"Catalog.Целый"}, problems)
