"""Metadata objects of v8unpack exports: facts of the header, names of types by uuid, problems that cost themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bsl_scout.configuration.braces import identity, literal, pattern, references
from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.model import MetadataField, MetadataObject
from bsl_scout.configuration.objects import is_metadata, object_digest, object_files, read_object, read_objects
from support import Write

NIL = "00000000-0000-0000-0000-000000000000"
APART = "в отдельном файле"
CATALOG_ATTRIBUTES = "cf4abea7-37b2-11d4-940f-008048da11f9"
CATALOG_SECTIONS = "932159f9-95b2-4e76-a8dd-8849fe5c5ded"
CATALOG_FORMS = "fdf816d2-1ead-11d5-b975-0050bae0a95d"
SECTION_ATTRIBUTES = "888744e1-b616-11d4-9436-004095e12fc7"
ENUM_VALUES = "bee0a08c-07eb-40c0-8544-5c364c171465"


def uid(value: int) -> str:
    return f"{value:08x}-0000-4000-8000-000000000000"


def named(name: str, uuid: str = APART, synonym: str = "", comment: str = "") -> list[object]:
    text = ["1", '"ru"', f'"{synonym}"'] if synonym else ["0"]
    return ["3", ["1", "0", uuid], f'"{name}"', text, f'"{comment}"', "0", "0", NIL, "0"]


def attribute(name: str, uuid: str, *types: object) -> list[object]:
    return [["5", ["27", ["2", named(name, uuid, name.lower()), ['"Pattern"', *types]], "0"], "0"], "0"]


def collection(kind: str, *items: object) -> list[object]:
    return [kind, str(len(items)), *items]


def exported(folder: str, name: str, row: object, uuid: str, **more: object) -> dict[str, str | bytes]:
    """Return the two files of an object."""
    own = {"name": name, "name2": {"ru": f"{name} синоним", "en": name}, "comment": "слово", "header": [row], **more}
    path = f"{folder}/{name}/{folder.rpartition('/')[2]}"
    return {f"{path}.json": json.dumps(own), f"{path}.id.json": json.dumps({"uuid": uuid})}


def catalog(name: str, base: int, *collections: list[object], version: str = "56") -> dict[str, str | bytes]:
    body = [version, *(uid(base + i) for i in range(1, 9)), ["0", named(name)], *["0"] * 51]
    body[12] = body[32] = ["0", "0"]
    body[34], body[35] = uid(base + 34), uid(base + 35)
    return exported("Catalog", name, ["1", body, str(len(collections)), *collections], uid(base))


def enum(name: str, base: int) -> dict[str, str | bytes]:
    values = collection(ENUM_VALUES, [["0", named("Первое", uid(base + 50), "Первое значение")], "0"])
    body = ["20", *(uid(base + i) for i in range(1, 5)), ["0", named(name)], "1", uid(base + 7), uid(base + 8)]
    return exported("Enum", name, ["1", body, "1", values], uid(base))


ROOT: dict[str, str | bytes] = {"Configuration.json": json.dumps({"name": "К"})}
SECTION = [
    ["1", ["11", uid(61), uid(62), uid(63), uid(64), ["0", named("Состав", uid(60))], "0"], "1"],
    "1",
    collection(SECTION_ATTRIBUTES, attribute("Цена", uid(65), ['"N"', "15", "2", "1"])),
]
GOODS = catalog(
    "Товары",
    0x100,
    collection(
        CATALOG_ATTRIBUTES,
        attribute("Вид", uid(0x150), ['"#"', uid(0x201)], ['"S"', "50", "1"], ['"B"']),
        attribute("Родня", uid(0x151), ['"#"', uid(0x103)], ['"#"', uid(0x999)], ['"D"', '"D"']),
    ),
    collection(CATALOG_SECTIONS, SECTION),
    collection(CATALOG_FORMS, uid(0x170)),
)
FORM = exported("Catalog/Товары/CatalogForm", "ФормаЭлемента", ["1", "0", "0"], uid(0x170), form=[[]])


def read(top: Path) -> tuple[dict[str, MetadataObject], list[tuple[str, str]]]:
    found, problems = read_objects(top, walk(top).roots)
    return {item.full_name: item for item in found}, [(problem.path, problem.message) for problem in problems]


def facts(item: MetadataObject) -> dict[str, tuple[str, ...]]:
    return {name: part.types for name, part in item.named_fields()}


def test_an_object_with_its_fields_and_named_types(write: Write) -> None:
    found, problems = read(write({**ROOT, **GOODS, **FORM, **enum("Виды", 0x200)}))
    assert problems == []
    item = found["Catalog.Товары"]
    assert (item.uuid, item.synonym, item.comment) == (
        uid(0x100),
        {"ru": "Товары синоним", "en": "Товары"},
        "слово",
    )
    assert facts(item) == {
        "Справочник.Товары.Реквизит.Вид": ("EnumRef.Виды", "String(50)", "Boolean"),
        "Справочник.Товары.Реквизит.Родня": ("CatalogRef.Товары", f"Ref#{uid(0x999)}", "Date"),
        "Справочник.Товары.ТабличнаяЧасть.Состав": (),
        "Справочник.Товары.ТабличнаяЧасть.Состав.Реквизит.Цена": ("Number(15,2)",),
        "Справочник.Товары.Форма.ФормаЭлемента": (),
    }
    form = item.fields[-1]
    assert (form.uuid, form.synonym["ru"], form.comment) == (uid(0x170), "ФормаЭлемента синоним", "слово")
    assert item.generated == {
        uid(0x101): "CatalogObject.Товары",
        uid(0x103): "CatalogRef.Товары",
        uid(0x105): "CatalogSelection.Товары",
        uid(0x107): "CatalogList.Товары",
        uid(0x122): "CatalogManager.Товары",
    }
    (value,) = found["Enum.Виды"].fields
    assert value == MetadataField("Первое", "enum_value", None, {"ru": "Первое значение"}, (), uid(0x232), None)


def test_handlers_sources_and_content_name_other_objects(write: Write) -> None:
    module = exported("CommonModule", "Склад", ["1", ["12", named("Склад"), *"01000001"], "0"], uid(1))
    event = ["1", named("Подписка"), ['"Pattern"', ['"#"', uid(0x101)]], '"OnWrite_ПриЗаписи"', uid(1), '"Записано"']
    job = ["2", named("Задание"), '""', '""', "1", "0", uid(7), '"Ночью"', "3", "10"]
    empty = ["1", named("Пустая"), ['"Pattern"'], '"_"', NIL, '""']
    reference = ['"#"', "157fa490-4ce9-11d4-9415-008048da11f9", ["1", uid(0x100)]]
    subsystem = ["21", named("Склады"), "1", ["0", "0"], "1", ["4"], ["0"], ["0", "1", reference]]
    nested = exported("Subsystem/Склады/Subsystem", "Учёт", ["1", [*subsystem[:7], ["0", "0"]], "0"], uid(5))
    children = collection("37f2fa9a-b276-11d4-9435-004095e12fc7", uid(5))
    found, problems = read(
        write(
            {
                **ROOT,
                **module,
                **catalog("Товары", 0x100),
                **exported("EventSubscription", "Подписка", ["1", event, "0"], uid(2)),
                **exported("EventSubscription", "Пустая", ["1", empty, "0"], uid(3)),
                **exported("ScheduledJob", "Задание", ["1", job, "0"], uid(4)),
                **exported("Subsystem", "Склады", ["1", subsystem, "1", children], uid(6)),
                **nested,
            }
        )
    )
    assert problems == []
    assert found["CommonModule.Склад"].flags == ("Server", "ServerCall")
    assert found["EventSubscription.Подписка"].links == (
        ("event", "OnWrite"),
        ("handler", "CommonModule.Склад.Записано"),
        ("source", "CatalogObject.Товары"),
    )
    assert found["EventSubscription.Пустая"].links == ()
    # no object of the root has this uuid: it is not named
    assert found["ScheduledJob.Задание"].links == (("method", f"Ref#{uid(7)}.Ночью"),)
    assert found["Subsystem.Склады"].links == (("content", "Catalog.Товары"),)
    assert [(part.kind, part.name) for part in found["Subsystem.Склады"].fields] == [("subsystem", "Учёт")]
    assert found["Subsystem.Склады.Subsystem.Учёт"].uuid == uid(5)


def test_two_roots_do_not_name_each_others_types(write: Write) -> None:
    one = {f"a/{path}": text for path, text in {**ROOT, **GOODS, **FORM}.items()}
    two = {f"b/{path}": text for path, text in {**ROOT, **enum("Виды", 0x200)}.items()}
    found, _ = read(write(one | two))
    assert facts(found["Catalog.Товары"])["Справочник.Товары.Реквизит.Вид"][0] == f"Ref#{uid(0x201)}"


def external(name: str, kind: str) -> dict[str, str | bytes]:
    body = ["4", uid(0x11), uid(0x12), ["0", named(name)], NIL, '""', NIL]
    attributes = collection("ec6bb5e5-b7a8-4d75-bec9-658107a699cf", attribute("Путь", uid(0x13), ['"S"']))
    row = ["1", [uid(0x14)], "1", [kind, ["1", body, "1", attributes]], []]
    own = {"name": name, "name2": {}, "comment": "", "uuid": uid(0x10), "header": [row]}
    return {"ExternalDataProcessor.json": json.dumps(own)}


@pytest.mark.parametrize(
    ("kind", "english", "russian"),
    [
        ("c3831ec8-d8d5-4f93-8a22-f9bfae07327f", "ExternalDataProcessor", "ВнешняяОбработка"),
        ("e41aff26-25cf-4bb6-b6c1-3f478a75f374", "ExternalReport", "ВнешнийОтчет"),
    ],
)
def test_external_objects(write: Write, kind: str, english: str, russian: str) -> None:
    form = exported("Form", "Форма", ["1", "0", "0"], uid(0x15))
    # an area included into a form is a folder of modules only
    files = {**external("Загрузка", kind), **form, "Form/область/код.bsl": ""}
    top = write({f"dir/{path}": text for path, text in files.items()})
    (root,) = walk(top).roots[-1:]
    assert (root.id, root.kind, root.object_kind, root.name) == ("dir", "external", english, "Загрузка")
    found, problems = read(top)
    assert problems == []
    item = found[f"{english}.Загрузка"]
    assert (item.uuid, item.russian_name) == (uid(0x10), f"{russian}.Загрузка")
    assert item.generated == {uid(0x11): f"{english}Object.Загрузка"}
    assert [(part.kind, part.name, part.types) for part in item.fields] == [
        ("attribute", "Путь", ("String",)),
        ("form", "Форма", ()),
    ]


def test_broken_files_cost_themselves_only(write: Write) -> None:
    deep = '{"name": "Глубокий", "header": ' + "[" * 10_000 + "]" * 10_000 + "}"
    shaped = attribute("Дно", uid(1), ['"S"'])
    for _ in range(50):
        shaped = [shaped[0], "1", collection(CATALOG_ATTRIBUTES, shaped)]
    files = {
        **ROOT,
        **GOODS,
        **catalog("Вложенный", 0x300, collection(CATALOG_ATTRIBUTES, shaped)),
        **catalog("Странный", 0x400, collection(uid(8), ["0"]), collection(CATALOG_ATTRIBUTES, ["5"]), version="1"),
        **catalog("Незнакомый", 0x500, collection(CATALOG_ATTRIBUTES, attribute("А", uid(2), ['"Q"'], "x", ['"B"']))),
        "Catalog/Глубокий/Catalog.json": deep,
        "Catalog/Битый/Catalog.json": "{",
        "Catalog/Список/Catalog.json": "[]",
        "Catalog/Безымянный/Catalog.json": "{}",
        "Catalog/Байты/Catalog.json": b'{"name": "\xff"}',
        "Catalog/Число/Catalog.json": '{"name": 1' + "0" * 5_000 + "}",
        "Catalog/Пустой/Catalog.json": '{"name": "Пустой", "name2": [], "comment": 1, "header": {"a": 1}}',
        "Catalog/Пустой/Catalog.id.json": '{"uuid": "не тот"}',
        "Catalog/Суррогат/Catalog.json": '{"name": "\\ud800", "header": []}',
    }
    top = write(files)
    found, problems = read(top)
    # a parser without a limit of its own reads the deep one too
    names = {item.name for item in found.values()} - {"Глубокий"}
    assert names == {"Товары", "Вложенный", "Странный", "Незнакомый", "Пустой", "?"}
    told = dict(problems)
    assert ("Catalog/Товары/Catalog.json", f"lists form {uid(0x170)}, whose file is absent or broken") in problems
    assert len(facts(found["Catalog.Товары"])) == 4
    assert "Catalog/Глубокий/Catalog.json" in told
    assert told["Catalog/Битый/Catalog.json"].startswith("broken JSON: ")
    assert told["Catalog/Список/Catalog.json"] == "broken JSON: an object is expected"
    assert told["Catalog/Безымянный/Catalog.json"] == "not recognised: no name"
    assert told["Catalog/Байты/Catalog.json"] == "broken JSON: not UTF-8"
    assert told["Catalog/Число/Catalog.json"] == "broken JSON: a number is too long"
    assert told["Catalog/Пустой/Catalog.id.json"] == "not recognised: no uuid"
    assert told["Catalog/Суррогат/Catalog.id.json"] == "not read: No such file or directory"
    strange = [message for path, message in problems if path == "Catalog/Странный/Catalog.json"]
    assert strange == [
        f"collection {uid(8)} is not known: 1 fields are left out",
        "attribute 1 is not recognised",
        "layout 1 of Catalog is not known: some of its types are left out",
    ]
    assert "CatalogRef.Странный" in found["Catalog.Странный"].generated.values()
    assert "CatalogManager.Странный" not in found["Catalog.Странный"].generated.values()
    assert told["Catalog/Незнакомый/Catalog.json"] == 'А: types not recognised: "Q", ?'
    assert found["Catalog.Незнакомый"].fields[0].types == ("Boolean",)
    assert "a collection of the header is not recognised" in told["Catalog/Вложенный/Catalog.json"]
    assert not any(str(top) in message for _, message in problems)


def test_the_digest_follows_every_file_of_an_object(write: Write) -> None:
    top = write({**ROOT, **GOODS, **FORM})
    (root,) = walk(top).roots
    (file,) = object_files(top, [root])
    assert file.path == "Catalog/Товары/Catalog.json"
    before = object_digest(top, file.path, root)
    assert before is not None
    for path in ("Catalog/Товары/Catalog.id.json", "Catalog/Товары/CatalogForm/ФормаЭлемента/CatalogForm.json"):
        assert is_metadata(top / path)
        (top / path).write_bytes((top / path).read_bytes() + b" ")
        after = object_digest(top, file.path, root)
        assert after not in (None, before)
        before = after
    # alone it tells the uuid only: a name takes the other objects of the root
    alone, _ = read_object(top, file.path, root, "")
    assert alone is not None
    assert alone.fields[0].types[0] == f"Ref#{uid(0x201)}"


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ('"Имя"', "Имя"),
        ('"a ""b"" c"', 'a "b" c'),
        ('""', ""),
        ('"', None),
        ("Имя", None),
        (["Имя"], None),
        (None, None),
    ],
)
def test_string_literals(node: object, expected: str | None) -> None:
    assert literal(node) == expected


@pytest.mark.parametrize(
    "node",
    [None, "x", [], ["3"], ["3", ["1", "0", 5], '"И"', ["0"], '""'], ["3", [], '"И"', ["1", '"ru"'], '""']],
)
def test_shapes_that_name_nothing(node: object) -> None:
    assert identity(node) is None
    assert references(node) is None
    assert pattern(node) == ((), [])


def test_an_adopted_thing_tells_what_it_extends() -> None:
    controlled = [uid(1), "2", uid(2), "3"]
    own = identity(["2", ["1", "0", APART], '"И"', ["0"], '""', "1", "2", *controlled, uid(9)])
    assert own is not None
    assert (own.adopted, own.extends, own.uuid) == (True, uid(9), None)
    own = identity(named("И", uid(4)))
    assert own is not None
    assert (own.adopted, own.extends, own.uuid) == (False, None, uid(4))
