"""Side files of Designer dumps and EDT projects: predefined items, schemas, dynamic lists, rights."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.model import ANY_LANGUAGE, MetadataObject
from bsl_scout.configuration.objects import is_metadata, object_digest, object_files, read_objects
from support import DEMO, Write

MD = '<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:v8="v8" xmlns:xr="xr">'
ROOT = MD + "<Configuration><Properties><Name>К</Name></Properties></Configuration></MetaDataObject>"
CATALOG = (
    MD + "<Catalog><Properties><Name>Товары</Name><StandardAttributes>\n"
    '<xr:StandardAttribute name="Code"><xr:Synonym/></xr:StandardAttribute>\n'
    '<xr:StandardAttribute name="Description"><xr:Synonym><v8:item><v8:lang>ru</v8:lang><v8:content>Рабочее название'
    "</v8:content></v8:item></xr:Synonym></xr:StandardAttribute></StandardAttributes></Properties><ChildObjects>"
    "<TabularSection><Properties><Name>Состав</Name><StandardAttributes>"
    '<xr:StandardAttribute name="LineNumber"><xr:Synonym><v8:item><v8:lang>ru</v8:lang><v8:content>№ п/п</v8:content>'
    "</v8:item></xr:Synonym></xr:StandardAttribute></StandardAttributes></Properties></TabularSection>"
    "<Form>Список</Form><Template>Схема</Template><Template>Бланк</Template></ChildObjects></Catalog></MetaDataObject>"
)
MDO = (
    "<Catalog><name>Товары</name><standardAttributes><name>Code</name></standardAttributes>\n\n<standardAttributes>"
    "<name>Description</name><synonym><key>ru</key><value>Рабочее название</value></synonym></standardAttributes>"
    "<tabularSections><name>Состав</name><standardAttributes><name>LineNumber</name><synonym><key>ru</key><value>№ п/п"
    "</value></synonym></standardAttributes></tabularSections><forms><name>Список</name></forms>"
    "<templates><name>Схема</name></templates><templates><name>Бланк</name></templates><predefined>"
    "<items id='i1'><name>Услуги</name><description>Все услуги</description><code><value>01</value></code>"
    "<content id='i2'><name>Доставка</name></content></items>"
    "<items id='i3'><name>Прочее</name><type><types>String</types></type></items></predefined></Catalog>"
)
PREDEFINED = (
    '<PredefinedData xmlns="http://v8.1c.ru/8.3/xcf/predef" xmlns:v8="v8" xmlns:xs="xs">\n'
    '<Item id="i1"><Name>Услуги</Name>'
    "<Code>01</Code><Description>Все услуги</Description><IsFolder>true</IsFolder><ChildItems>\n"
    '<Item id="i2"><Name>Доставка</Name><Code/><Description/></Item></ChildItems></Item>'
    '<Item id="i3"><Name>Прочее</Name>'
    "<Type><v8:Type>xs:string</v8:Type></Type></Item></PredefinedData>"
)
FORM = (
    '<Form xmlns="http://v8.1c.ru/8.3/xcf/logform" xmlns:v8="v8"><Title><v8:item><v8:lang>ru</v8:lang>'
    "<v8:content>Наши\n товары</v8:content></v8:item></Title><ChildItems>"
    '<InputField name="Цена"><Title formatted="false"><v8:item><v8:lang>ru</v8:lang>'
    "<v8:content>Цена продажи</v8:content></v8:item><v8:item><v8:lang>en</v8:lang>"
    "<v8:content>Sale price</v8:content></v8:item></Title></InputField>"
    '<Button name="Ещё"><Title/></Button></ChildItems><Attributes><Attribute name="Список"><Settings>'
    "<QueryText>ВЫБРАТЬ 1\nИЗ Справочник.Товары</QueryText>"
    "<MainTable>Catalog.Товары</MainTable></Settings></Attribute></Attributes>"
    '<BaseForm><ChildItems><Page name="Старая"><Title><v8:item><v8:content>Старая страница</v8:content></v8:item>'
    "</Title></Page></ChildItems><Attributes><Attribute><Settings><QueryText>ВЫБРАТЬ 2</QueryText></Settings>"
    "</Attribute></Attributes>"
    "</BaseForm></Form>"
)
EDT_FORM = (
    "<Form><title><key>ru</key><value>Наши\n товары</value></title><items><name>Цена</name><title><key>ru</key>"
    "<value>Цена продажи</value></title><title><key>en</key><value>Sale price</value></title></items>"
    "<attributes><name>Список</name><extInfo><queryText>ВЫБРАТЬ 1\nИЗ Справочник.Товары</queryText>"
    "<mainTable>Catalog.Товары</mainTable></extInfo></attributes></Form>"
)
SCHEMA = (
    '<DataCompositionSchema xmlns="http://v8.1c.ru/8.1/data-composition-system/schema" xmlns:v8="v8">\n<dataSet>'
    "<field><dataPath>Цена</dataPath><field>Цена</field><title><v8:item><v8:content>Цена продажи</v8:content></v8:item>"
    "</title></field>\n<item><query>ВЫБРАТЬ Цена\nИЗ Справочник.Товары</query></item></dataSet><calculatedField>"
    "<dataPath>Наценка</dataPath><expression>Цена * 2</expression></calculatedField>"
    "<parameter><name>Склад</name></parameter><dataSetLink><parameter>Ссылка</parameter></dataSetLink></DataCompositionSchema>"
)
RIGHTS = (
    '<Rights xmlns="http://v8.1c.ru/8.2/roles">\n<object><name>Catalog.Товары</name><right><name>Read</name><value>true'
    "</value><restrictionByCondition><condition>ГДЕ Автор = &amp;Я\nИЛИ Общий</condition></restrictionByCondition>"
    "<restrictionByCondition><field>Цена</field><field>Код</field><condition>ГДЕ ЛОЖЬ</condition>"
    "</restrictionByCondition>"
    "</right><right><name>View</name><value>true</value></right><right><name>Delete</name><value>false</value></right>"
    "</object><object><name>Catalog.Прочее</name><right><name>Read</name><value>false</value></right></object>\n"
    "<restrictionTemplate><name>ДляОбъекта(Поле)</name><condition>// текст шаблона</condition></restrictionTemplate>"
    "</Rights>"
)
SHEET = "<document><text>DataCompositionSchema и QueryText тут ни при чём</text></document>"


def sidecar(kind: str, name: str) -> str:
    return f"{MD}<{kind}><Properties><Name>{name}</Name></Properties></{kind}></MetaDataObject>"


DESIGNER: dict[str, str | bytes] = {
    "Configuration.xml": ROOT,
    "Catalogs/Товары.xml": CATALOG,
    "Catalogs/Товары/Ext/Predefined.xml": PREDEFINED,
    "Catalogs/Товары/Forms/Список.xml": sidecar("Form", "Список"),
    "Catalogs/Товары/Forms/Список/Ext/Form.xml": FORM,
    "Catalogs/Товары/Templates/Схема.xml": sidecar("Template", "Схема"),
    "Catalogs/Товары/Templates/Схема/Ext/Template.xml": SCHEMA,
    "Catalogs/Товары/Templates/Бланк.xml": sidecar("Template", "Бланк"),
    "Catalogs/Товары/Templates/Бланк/Ext/Template.xml": SHEET,
    "CommonForms/Общая.xml": sidecar("CommonForm", "Общая"),
    "CommonForms/Общая/Ext/Form.xml": FORM,
    "CommonTemplates/Общий.xml": sidecar("CommonTemplate", "Общий"),
    "CommonTemplates/Общий/Ext/Template.xml": SCHEMA.encode("utf-16"),
    "Roles/Роль.xml": sidecar("Role", "Роль"),
    "Roles/Роль/Ext/Rights.xml": RIGHTS,
}
EDT: dict[str, str | bytes] = {
    "src/Configuration/Configuration.mdo": "<Configuration><name>К</name></Configuration>",
    "src/Catalogs/Товары/Товары.mdo": MDO,
    "src/Catalogs/Товары/Forms/Список/Form.form": EDT_FORM,
    "src/Catalogs/Товары/Templates/Схема/Template.dcs": SCHEMA,
    "src/CommonForms/Общая/Общая.mdo": "<CommonForm><name>Общая</name></CommonForm>",
    "src/CommonForms/Общая/Form.form": EDT_FORM,
    "src/CommonTemplates/Общий/Общий.mdo": "<CommonTemplate><name>Общий</name></CommonTemplate>",
    "src/CommonTemplates/Общий/Template.dcs": SCHEMA,
    "src/Roles/Роль/Роль.mdo": "<Role><name>Роль</name></Role>",
    "src/Roles/Роль/Rights.rights": RIGHTS,
}
FORMATS = pytest.mark.parametrize("files", [DESIGNER, EDT], ids=["designer", "edt"])
SIDE_NAMES = (".form", ".dcs", ".rights", "/Ext/Form.xml", "/Ext/Template.xml", "/Ext/Rights.xml", "/Predefined.xml")


def read(top: Path) -> tuple[dict[str, MetadataObject], list[tuple[str, str]]]:
    found, problems = read_objects(top, walk(top).roots)
    return {item.name: item for item in found}, [(problem.path, problem.message) for problem in problems]


@FORMATS
def test_what_side_files_tell(write: Write, files: dict[str, str | bytes]) -> None:
    top = write(files)
    found, problems = read(top)
    assert problems == []
    goods = found["Товары"]
    parts = {part.name: part for part in goods.fields}
    named = {name: part.name for name, part in goods.named_fields()}
    assert named["Справочник.Товары.ПредопределенныйЭлемент.Доставка"] == "Доставка"
    items = [parts[name] for name in ("Услуги", "Доставка", "Прочее")]
    assert [part.uuid for part in items] == ["i1", "i2", "i3"]
    assert [(part.synonym, part.comment) for part in items] == [
        ({ANY_LANGUAGE: "Все услуги"}, "01"),
        ({}, ""),
        ({}, ""),
    ]
    assert items[2].types == ("String",)
    if files is DESIGNER:
        assert [(part.path, part.line) for part in items[:2]] == [
            ("Catalogs/Товары/Ext/Predefined.xml", 1),
            ("Catalogs/Товары/Ext/Predefined.xml", 2),
        ]
    attributes = [(part.name, part.parent, part.synonym, part.line) for part in goods.standard_attributes]
    assert attributes == [
        ("Description", None, {"ru": "Рабочее название"}, 2),
        ("LineNumber", "Состав", {"ru": "№ п/п"}, 2),
    ]
    assert goods.field_name(goods.standard_attributes[1]) == (
        "Справочник.Товары.ТабличнаяЧасть.Состав.СтандартныйРеквизит.НомерСтроки"
    )
    form = parts["Список"]
    assert sorted(form.text.split("\n")) == ["Catalog.Товары", "ВЫБРАТЬ 1", "ИЗ Справочник.Товары"]
    assert form.captions.split("\n") == ["Наши товары", "Цена продажи — Sale price — Цена"]
    assert found["Общая"].captions == form.captions
    assert form.path is None
    schema = parts["Схема"]
    assert schema.text.split("\n") == [
        "ВЫБРАТЬ Цена", "ИЗ Справочник.Товары", "Цена — Цена продажи", "Наценка — Цена * 2", "Склад",
    ]  # fmt: skip
    assert schema.path in files
    assert schema.line == 2
    assert (parts["Бланк"].text, parts["Бланк"].path) == ("", None)
    assert found["Общая"].text == form.text
    assert found["Общий"].text == schema.text


@FORMATS
def test_rights_and_restrictions(write: Write, files: dict[str, str | bytes]) -> None:
    found, _ = read(write(files))
    role = found["Роль"]
    assert role.rights == {"Catalog.Товары": ("Read", "View")}
    start = "Роль.Роль.ОграничениеДоступа."
    assert [(name.removeprefix(start), part.text, part.line) for name, part in role.named_fields()] == [
        ("Справочник.Товары.Чтение", "ГДЕ Автор = &Я\nИЛИ Общий", 1),
        ("Справочник.Товары.Чтение(Цена, Код)", "ГДЕ ЛОЖЬ", 2),
        ("ДляОбъекта(Поле)", "// текст шаблона", 3),
    ]  # fmt: skip
    assert {part.path for part in role.fields} == {next(path for path in files if "ights" in path)}


@FORMATS
def test_every_side_file_counts_for_its_object(write: Write, files: dict[str, str | bytes]) -> None:
    top = write(files)
    root = walk(top).roots[0]
    sides = [path for path in files if path.endswith(SIDE_NAMES)]
    assert len(sides) == len(files) - (5 if files is EDT else 8)
    for side in sides:
        assert is_metadata(Path(side))
        before = {file.path: (file.size, file.mtime_ns) for file in object_files(top, [root])}
        digests = {path: object_digest(top, path, root) for path in before}
        data = (top / side).read_bytes()
        (top / side).write_bytes(data + b" ")
        os.utime(top / side, ns=(max(m for _, m in before.values()) + 10**9,) * 2)
        after = {file.path: (file.size, file.mtime_ns) for file in object_files(top, [root])}
        changed = [path for path in after if after[path] != before[path]]
        assert changed == [path for path in after if object_digest(top, path, root) != digests[path]]
        assert len(changed) == 1
        assert Path(side).parts[:2] == Path(changed[0]).with_suffix("").parts[:2] or files is EDT


READ = [path for files in (DESIGNER, EDT) for path in files if path.endswith(SIDE_NAMES) and files[path] != SHEET]


@pytest.mark.parametrize("side", READ)
def test_a_broken_side_file_costs_itself_only(write: Write, side: str) -> None:
    files = DESIGNER if side in DESIGNER else EDT
    whole, _ = read(write(files))
    data = files[side]
    broken = data[: len(data) // 2 * 2 - 20]
    found, problems = read(write({side: broken}))
    assert [(path, message.split(":")[0]) for path, message in problems] == [(side, "broken XML")]
    assert found.keys() == whole.keys()


def test_side_files_of_the_demo() -> None:
    found, problems = read(DEMO)
    assert problems == []
    assert [part.comment for part in found["Валюты"].fields if part.kind == "predefined"] == ["643", "156"]
    role = found["МенеджерПоПродажам"]
    assert "Read" in role.rights["Catalog.Контрагенты"]
    assert any(part.name == "Catalog.Контрагенты.Read" and "ОсновнойМенеджер" in part.text for part in role.fields)
    (template,) = [part for part in found["ОстаткиТоваров"].fields if part.kind == "template"]
    assert "Свободно — Свободный остаток" in template.text
    assert any(part.text for part in found["Контрагенты"].fields if part.kind == "form")
