"""Metadata objects of Designer dumps and EDT projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.configuration.objects import read_objects
from bsl_scout.configuration.safe_xml import MAX_BYTES, XmlError, parse_xml, read_xml
from bsl_scout.features.objects import named_objects
from support import DEMO, Write, run_cli

HEAD = (
    '<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:v8="http://v8.1c.ru/8.1/data/core" '
    'xmlns:cfg="http://v8.1c.ru/8.1/data/enterprise/current-config" xmlns:xs="http://www.w3.org/2001/XMLSchema">'
)
CONFIGURATION = "<Configuration><Properties><Name>К</Name></Properties><ChildObjects>{}</ChildObjects></Configuration>"
CATALOG = (
    '<Catalog uuid="u1"><Properties><Name>Товары</Name><Synonym><v8:item><v8:lang>en</v8:lang><v8:content>Goods'
    "</v8:content></v8:item><v8:item><v8:lang>ru</v8:lang><v8:content>Товары и услуги</v8:content></v8:item></Synonym>"
    "<Comment>склад</Comment></Properties><ChildObjects>\n"
    '<Attribute uuid="u2"><Properties><Name>Цена</Name><Type><v8:Type>xs:decimal</v8:Type><v8:Type>cfg:EnumRef.Виды'
    "</v8:Type><v8:Type>xs:string</v8:Type><v8:TypeSet>cfg:DefinedType.Сумма</v8:TypeSet><v8:NumberQualifiers>"
    "<v8:Digits>15</v8:Digits><v8:FractionDigits>2</v8:FractionDigits></v8:NumberQualifiers><v8:StringQualifiers>"
    "<v8:Length>50</v8:Length></v8:StringQualifiers></Type></Properties></Attribute>\n"
    "<TabularSection><Properties><Name>Состав</Name></Properties><ChildObjects><Attribute><Properties><Name>Цена</Name>"
    "<Type><v8:Type>xs:dateTime</v8:Type></Type></Properties></Attribute></ChildObjects></TabularSection>"
    "<Unheard><Properties><Name>Новое</Name></Properties></Unheard><Form>Форма</Form></ChildObjects></Catalog>"
)
MDO = (
    '<mdclass:Catalog xmlns:mdclass="http://g5.1c.ru/v8/dt/metadata/mdclass" uuid="u1"><name>Товары</name>'
    "<synonym><key>ru</key><value>Товары и услуги</value></synonym><synonym><key>en</key><value>Goods</value></synonym>"
    "<comment>склад</comment>\n<attributes uuid='u2'><name>Цена</name><type><types>Number</types><types>EnumRef.Виды"
    "</types><types>String</types><types>DefinedType.Сумма</types><stringQualifiers><length>50</length>"
    "</stringQualifiers><numberQualifiers><precision>15</precision><scale>2</scale></numberQualifiers></type>"
    "</attributes>\n<tabularSections><name>Состав</name><attributes><name>Цена</name><type><types>Date</types></type>"
    "</attributes></tabularSections><unheard><name>Новое</name></unheard><forms><name>Форма</name></forms>"
    "</mdclass:Catalog>"
)


def designer(write: Write, files: dict[str, str], listed: str = "<Catalog>Товары</Catalog>") -> Path:
    dump: dict[str, str | bytes] = {"Configuration.xml": HEAD + CONFIGURATION.format(listed) + "</MetaDataObject>"}
    for path, body in files.items():
        dump[path] = HEAD + body + "</MetaDataObject>"
    return write(dump)


def read(top: Path) -> tuple[list[MetadataObject], dict[str, str]]:
    found, problems = read_objects(top, walk(top).roots)
    return found, {problem.path: problem.message for problem in problems}


def facts(item: MetadataObject) -> list[tuple[str, tuple[str, ...]]]:
    return [(name, part.types) for name, part in item.named_fields() if part.name != "Новое"]


def test_the_same_object_in_designer_and_edt(write: Write) -> None:
    form = '<Form uuid="u3"><Properties><Name>Форма</Name></Properties></Form>'
    files = {"Catalogs/Товары.xml": CATALOG, "Catalogs/Товары/Forms/Форма.xml": form}
    (one,), problems = read(designer(write, files))
    assert problems == {}
    assert (one.full_name, one.russian_name, one.uuid, one.comment) == (
        "Catalog.Товары",
        "Справочник.Товары",
        "u1",
        "склад",
    )
    assert one.synonym == {"en": "Goods", "ru": "Товары и услуги"}
    assert facts(one) == [
        ("Справочник.Товары.Реквизит.Цена", ("Number(15,2)", "EnumRef.Виды", "String(50)", "DefinedType.Сумма")),
        ("Справочник.Товары.ТабличнаяЧасть.Состав", ()),
        ("Справочник.Товары.ТабличнаяЧасть.Состав.Реквизит.Цена", ("Date",)),
        ("Справочник.Товары.Форма.Форма", ()),
    ]
    assert [part.line for part in one.fields[:2]] == [1, 2]
    assert one.fields[-1].uuid == "u3"
    edt = write(
        {
            "edt/src/Configuration/Configuration.mdo": "<Configuration><name>К</name></Configuration>",
            "edt/src/Catalogs/Товары/Товары.mdo": MDO,
        }
    )
    (two,), _ = read(edt / "edt")
    assert facts(two) == facts(one)
    assert (two.full_name, two.uuid, two.synonym, two.comment) == (one.full_name, one.uuid, one.synonym, one.comment)
    assert [part.line for part in two.fields[:2]] == [1, 2]


def test_broken_and_absent_files_cost_themselves_only(write: Write) -> None:
    listed = "<Catalog>Товары</Catalog><Catalog>Нет</Catalog><Catalog>Битый</Catalog>"
    top = designer(write, {"Catalogs/Товары.xml": CATALOG}, listed)
    write(
        {
            "Catalogs/Битый.xml": HEAD + "<Catalog>",
            "Enums/Кодировка.xml": b"<?xml version='1.0' encoding='no-such'?><a/>",
        }
    )
    found, problems = read_objects(top, walk(top).roots)
    assert [item.name for item in found] == ["Товары"]
    told = [(problem.path, problem.message.split(":")[0]) for problem in problems]
    assert ("Catalogs/Битый.xml", "broken XML") in told
    assert ("Enums/Кодировка.xml", "broken XML") in told
    assert ("Catalogs/Товары/Forms/Форма.xml", "listed in Товары.xml but absent") in told
    assert ("Configuration.xml", "lists Catalog.Нет, whose file is absent or broken") in told
    assert not any(str(top) in problem.message for problem in problems)


@pytest.mark.parametrize(
    "data",
    [
        b"<a>" * 5_000 + b"</a>" * 5_000,
        b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        b"<a><b></a>",
        b"",
        b"\0\1\2",
    ],
    ids=["deep", "entity", "external", "nesting", "empty", "binary"],
)
def test_hostile_xml_is_refused(data: bytes) -> None:
    with pytest.raises(XmlError):
        parse_xml(data)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.xml"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(XmlError, match="too large"):
        read_xml(path)


@pytest.mark.parametrize("name", ["Документ.ЗаказПокупателя", "document.заказпокупателя", "DOCUMENT.ЗаказПокупателя"])
def test_names_in_both_languages(name: str) -> None:
    found, problems = read(DEMO)
    assert problems == {}
    (item,) = named_objects(found, name)
    assert item.path == "Documents/ЗаказПокупателя.xml"


def test_links_of_the_demo() -> None:
    found, _ = read(DEMO)
    subscription = next(item for item in found if item.kind == "EventSubscription")
    assert {relation for relation, _ in subscription.links} == {"event", "handler", "source"}
    assert dict(subscription.links)["handler"].startswith("CommonModule.")
    job = next(item for item in found if item.kind == "ScheduledJob")
    assert dict(job.links)["method"].startswith("CommonModule.")
    service = next(item for item in found if item.kind == "HTTPService")
    methods = [part for part in service.fields if part.kind == "method"]
    assert len(methods) == 5
    assert all(part.handler and part.parent for part in methods)
    assert any("." in item.full_name.removeprefix("Subsystem.") for item in found if item.kind == "Subsystem")


def test_the_command_prints_and_tells_what_is_not_there() -> None:
    done = run_cli("objects", DEMO, "Документ.ЗаказПокупателя")
    assert "ТабличнаяЧасть.Товары.Реквизит.Количество" in done.stdout
    absent = run_cli("objects", DEMO, "Документ.Нет", check=False)
    assert (absent.returncode, absent.stdout) == (1, "")
    assert "there is no object" in absent.stderr


def test_external_objects_in_designer_and_edt(write: Write) -> None:
    body = (
        '<ExternalReport uuid="u1"><Properties><Name>Отчёт</Name></Properties><ChildObjects>'
        "<Attribute><Properties><Name>Период</Name><Type><v8:Type>xs:dateTime</v8:Type></Type></Properties></Attribute>"
        "<Form>Форма</Form><Template>Схема</Template></ChildObjects></ExternalReport>"
    )
    side = '<{0} uuid="{2}"><Properties><Name>{1}</Name></Properties></{0}>'
    files: dict[str, str | bytes] = {
        path: HEAD + text + "</MetaDataObject>"
        for path, text in {
            "d/Отчёт.xml": body,
            "d/Отчёт/Forms/Форма.xml": side.format("Form", "Форма", "u2"),
            "d/Отчёт/Templates/Схема.xml": side.format("Template", "Схема", "u3"),
        }.items()
    }
    mdo = (
        '<mdclass:ExternalReport xmlns:mdclass="http://g5.1c.ru/v8/dt/metadata/mdclass" uuid="u1"><name>Отчёт</name>'
        "<attributes><name>Период</name><type><types>Date</types></type></attributes><forms uuid='u2'>"
        "<name>Форма</name></forms><templates uuid='u3'><name>Схема</name></templates></mdclass:ExternalReport>"
    )
    found, problems = read(write({**files, "p/src/ExternalReports/Отчёт/Отчёт.mdo": mdo}))
    assert problems == {}
    assert [item.path for item in found] == ["d/Отчёт.xml", "p/src/ExternalReports/Отчёт/Отчёт.mdo"]
    for item in found:
        assert (item.full_name, item.uuid) == ("ExternalReport.Отчёт", "u1")
        assert facts(item) == [
            ("ВнешнийОтчет.Отчёт.Реквизит.Период", ("Date",)),
            ("ВнешнийОтчет.Отчёт.Форма.Форма", ()),
            ("ВнешнийОтчет.Отчёт.Макет.Схема", ()),
        ]
        assert [part.uuid for part in item.fields[1:]] == ["u2", "u3"]


def test_types_are_spelled_alike_in_both_formats(write: Write) -> None:
    spelled = {
        "cfg:AnyIBRef": "AnyRef",
        "v8:ValueListType": "ValueList",
        "dcsset:SettingsComposer": "DataCompositionSettingsComposer",
        "fch:FlowchartContextType": "GraphicalSchema",
        "v8:UUID": "UUID",
    }
    types = "".join(f"<v8:Type>{name}</v8:Type>" for name in spelled)
    dump = (
        f'<Catalog><Properties><Name>Т</Name></Properties><ChildObjects><Attribute uuid="1"><Properties><Name>А</Name>'
        f"<Type>{types}</Type></Properties></Attribute></ChildObjects></Catalog>"
    )
    (one,), _ = read(designer(write, {"Catalogs/Т.xml": dump}, "<Catalog>Т</Catalog>"))
    types = "".join(f"<types>{name}</types>" for name in spelled.values())
    project = write(
        {
            "edt/src/Configuration/Configuration.mdo": '<mdclass:Configuration xmlns:mdclass="m"><name>К</name>'
            "<catalogs>Catalog.Т</catalogs></mdclass:Configuration>",
            "edt/src/Catalogs/Т/Т.mdo": '<mdclass:Catalog xmlns:mdclass="m"><name>Т</name><attributes><name>А</name>'
            f"<type>{types}</type></attributes></mdclass:Catalog>",
        }
    )
    (two,), _ = read(project / "edt")
    assert one.fields[0].types == two.fields[0].types
    assert one.fields[0].types == tuple(name.partition(":")[2] for name in spelled)


def test_types_of_services_have_no_prefix(write: Write) -> None:
    service = (
        "<WebService><Properties><Name>С</Name></Properties><ChildObjects><Operation><Properties><Name>Ping</Name>"
        "<XDTOReturningValueType>xs:string</XDTOReturningValueType></Properties><ChildObjects><Parameter><Properties>"
        "<Name>П</Name><XDTOValueType>v8:UUID</XDTOValueType></Properties></Parameter></ChildObjects></Operation>"
        "</ChildObjects></WebService>"
    )
    (found,), _ = read(designer(write, {"WebServices/С.xml": service}, "<WebService>С</WebService>"))
    assert [part.types for part in found.fields] == [("string",), ("UUID",)]
