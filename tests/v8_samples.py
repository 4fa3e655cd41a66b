"""Small forms in the platform's own notation, written for the tests: managed, ordinary, and their container."""

from __future__ import annotations

import copy
import json
import struct
from typing import Any

from bsl_scout.forms.model import FormPlace
from bsl_scout.forms.v8_uuids import UuidMeaning

ELEMENT = "02023637-7868-4a5f-8576-835a76e0c9ba"
COMMAND = "409b9a53-7f7e-4178-86c1-33176c7c7a7a"
ADDED = "5bdad865-f2c5-434b-8041-ba4aad3b6687"
BUTTON = "a9f3b1ac-f51b-431e-b102-55a69acdecad"
HANDLER = "e1692cc2-605b-4535-84dd-28440238746c"
ON_CHANGE = "fe115cc8-9e33-4684-a166-bd5136fe7a9f"
START_CHOICE = "1960479b-4d89-4eba-8b39-0aa802020558"
ON_OPEN = "3ccc650e-f631-4cae-8e33-3eaac610b5f9"
UNKNOWN_EVENT = "00000000-0000-4000-8000-00000000e000"
GOODS, PRICE, CLIENT, TREE, REF, TABLE_OF_LIST = (f"00000000-0000-4000-8000-00000000000{i}" for i in range(1, 7))
ALIEN = "00000000-0000-4000-8000-0000000000ff"
MEANINGS = {
    GOODS: UuidMeaning("tabular_section", "Товары", "Document.Заказ"),
    PRICE: UuidMeaning("attribute", "Цена", "Document.Заказ", "Товары"),
    CLIENT: UuidMeaning("attribute", "Клиент", "Document.Заказ"),
    TREE: UuidMeaning("attribute", "Дерево", "Document.Заказ"),
    REF: UuidMeaning("type", "CatalogRef.Клиенты", "Catalog.Клиенты"),
    TABLE_OF_LIST: UuidMeaning("object", "Document.Заказ", "Document.Заказ"),
    ALIEN: UuidMeaning("attribute", "Чужой", "Catalog.Клиенты"),
}
MANAGED = FormPlace("", "", "", "managed", "v8unpack", "Document", "Заказ", "DocumentForm", "Форма", "Форма")
ORDINARY = FormPlace("", "", "", "ordinary", "v8unpack", "Document", "Заказ", "DocumentForm", "Форма", "Форма")


def text(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def caption(value: str) -> list[Any]:
    return ["1", "1", [text("ru"), text(value)]] if value else ["1", "0"]


def events(*pairs: tuple[str, str]) -> list[Any]:
    flat = [item for uuid, procedure in pairs for item in (uuid, text(procedure))]
    return [str(len(pairs)), *flat, "1", "0", *(item for uuid, _ in pairs for item in (uuid, "0", "1"))]


def chain(*segments: list[str]) -> list[Any]:
    return [str(len(segments)), *segments]


def field_raw(own: str, name: str, bound: list[Any], counted: bool = False, *tail: Any) -> list[Any]:
    """Return the raw list of a field; with `counted` a counter moves everything by one."""
    head = ["1", ["0", ["0"]]] if counted else ["0"]
    return ["37", [own, ELEMENT], "0", *head, "0", "2", text(name), "1", "0", caption(name), caption(""), bound,
            ["0"], *tail]  # fmt: skip


def table_raw(own: str, name: str, bound: list[Any], *tail: Any) -> list[Any]:
    return ["55", [own, ELEMENT], "0", "0", "0", text(name), "0", "0", "0", caption(name), caption(""), bound, *tail]


def button_raw(own: str, name: str, command: list[str]) -> list[Any]:
    return ["31", [own, ELEMENT], "0", "0", "0", text(name), caption(name), "1", command, ["0"]]


def bar_raw(own: str, name: str, *children: Any) -> list[Any]:
    return ["22", [own, ELEMENT], "0", "0", "0", "9", text(name), caption(""), caption(""), *children]


def attribute(own: str, name: str, types: list[Any], main: str = "0", bag: list[Any] | None = None) -> dict[str, Any]:
    raw = ["9", [own], "0", text(name), caption(name), [text("Pattern"), *types], ["0"], ["0"], ["0", "0"],
           ["0", "0"], main, main, "0", "0", bag or ["0", "0"], ["0", "0"]]  # fmt: skip
    return {"name": name, "id": own, "raw": raw}


def column(own: str, name: str) -> list[Any]:
    return ["5", own, "0", text(name), caption(name), [text("Pattern"), [text("N"), "10", "2", "0"]]]


def dynamic_list() -> list[Any]:
    fields = {"QueryText": ["S", "ВЫБРАТЬ 1"], "MainTable": ["#", "", TABLE_OF_LIST], "FieldsMapItemId0": ["N", "1"],
              "FieldsMapItemName0": ["S", "Контакт"], "FieldsMapItemId1": ["N", "7"],
              "FieldsMapItemName1": ["S", "Контакт.Имя"]}  # fmt: skip
    flat: list[Any] = []
    for name, (kind, *values) in fields.items():
        value = [text(values[0])] if kind == "S" else values
        flat += [text(name), [text(kind), *value]]
    return ["0", str(len(fields)), *flat]


def managed() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return elem.json and form JSON of a managed form with every kind of chain."""
    table = attribute("3", "Итоги", [[text("#"), "acf6192e-81ca-46ef-93a6-5a6968b78663"]])
    table["child"] = [{"name": "Сумма", "id": "1", "raw": column("1", "Сумма")}]
    props = [
        attribute("1", "Объект", [[text("#"), "Родитель"]], "1"),
        attribute("2", "Список", [[text("#"), "65abad24-838b-4987-8b35-ed9e2bd4d9c8"]], bag=dynamic_list()),
        table,
        attribute("4", "Выбор", [[text("#"), REF], [text("S"), "50", "1"], [text("#"), ON_OPEN]]),
    ]
    bound: dict[str, list[Any]] = {
        "Один": chain(["4"]),
        "Номер": chain(["1"], ["-2"]),
        "Клиент": chain(["1"], ["0", CLIENT]),
        "ИмяКонтакта": chain(["2"], ["1"], ["7"]),
        "Сумма": chain(["3"], ["1"]),
        "Добавлена": chain(["1"], ["0", TREE], ["2", ADDED]),
        "Ничей": chain(),
        "Неизвестный": chain(["1"], ["0", ON_OPEN]),
        "ЧужойРеквизит": chain(["1"], ["0", ALIEN]),
        "ТекущаяСтрока": chain(["20", ELEMENT], ["10008"]),
        "НеизвестныйСтандартный": chain(["1"], ["-77"]),
        # the name of an attribute is no evidence
        "Выбор": chain(),
    }
    data: dict[str, Any] = {}
    tree: list[Any] = [{"name": "Группа", "type": "Group", "child": []}]
    data["Группа"] = {"ver": 4, "raw": bar_raw("90", "Группа")}
    for position, (name, link) in enumerate(bound.items()):
        tail: list[Any] = []
        if name == "Один":
            tail = [events((ON_CHANGE, "ОдинПриИзменении"), (UNKNOWN_EVENT, "ОдинЧтоТо"), (ON_OPEN, "")),
                    ["36", events((START_CHOICE, "ОдинНачалоВыбора"))]]  # fmt: skip
        data[f"Группа/{name}"] = {"ver": 4, "raw": field_raw(str(position + 1), name, link, position % 2 == 1, *tail)}
        tree[0]["child"].append({"name": name, "type": "Field"})
    bar = bar_raw("21", "ТоварыПанель", "1", BUTTON, button_raw("22", "Заполнить", ["1", COMMAND]))
    data["Товары"] = {"ver": 4, "raw": table_raw("20", "Товары", chain(["1"], ["0", GOODS]), bar)}
    rows = {"ТоварыЦена": chain(["1"], ["0", GOODS], ["0", PRICE]), "ТоварыНомер": chain(["1"], ["0", GOODS], ["-2"])}
    for name, link in rows.items():
        data[f"Товары/{name}"] = {"ver": 4, "raw": field_raw(f"3{len(name)}", name, link)}
    tree.append({"name": "Товары", "type": "Table", "child": [{"name": name, "type": "Field"} for name in rows]})
    commands = [{"name": "Заполнить", "id": "1", "raw": ["9", ["1", COMMAND], text("Заполнить"), caption("Заполнить"),
                 caption(""), ["0"], ["0"], ["4"], text("ЗаполнитьТовары"), "3", "0", "0", ["0", "0"], "1", "0", "1",
                 "0", "0", "2"]}]  # fmt: skip
    params = [{"name": "Ключ", "raw": ["0", text("Ключ"), [text("Pattern"), [text("B")]], "1"]}]
    elem = {"params": params, "props": props, "commands": commands, "tree": tree, "data": data}
    taken = "Дочерние элементы отдельно"
    added = ["0", chain(["1"], ["0", TREE]), "1", column("2", "Отметка")]
    root = ["50", "0", events((ON_OPEN, "ПриОткрытии")), taken]
    body = ["4", root, "Код в отдельном файле", ["4", taken, "1", added, "0"], ["0", taken], ["0", taken], ["0", "0"]]
    return elem, {"name": "Форма", "Тип формы": "1", "form": [[body]]}


def ordinary_element(kind: str, own: str, name: str, inside: list[Any], *children: Any) -> list[Any]:
    return [kind, own, inside, ["8", "0"], ["14", text(name), "0", "0", "0", "0"], [str(len(children)), *children]]


def procedure(name: str) -> list[Any]:
    return ["3", text(name), ["1", text(name)]]


FIELD, PANEL = "381ed624-9217-4e63-85db-c4c3cb87daae", "09ccdc77-ea1a-4a6d-ab1c-3435eada2433"
LABEL, BAR = "0fc7e20d-f241-460c-bdf4-5ad88e5474a5", "e69bf21d-97b2-4f37-86db-675aea9ec2cb"
ACTION_UUID = "00000000-0000-4000-8000-0000000000aa"


def ordinary_body() -> list[Any]:
    """Return the body of an ordinary form as Form.bin holds it."""
    changed = ["2147483647", HANDLER, procedure("КлиентПриИзменении")]
    choice = ["2", HANDLER, procedure("КлиентНачалоВыбора")]
    button = ["8", text("Печать"), "0", "1", caption("Печать"), "1", ACTION_UUID, "1", "1e2", "0"]
    menu = ["5", ["6", ACTION_UUID, "1", HANDLER, procedure("НапечататьЗаказ")], "1", ["5", ACTION_UUID, button]]
    elements = [
        ordinary_element(LABEL, "1", "Надпись", ["3", ["7", caption("Клиент:")]]),
        ordinary_element(
            PANEL, "2", "Панель", ["1"],
            ordinary_element(FIELD, "3", "ПолеКлиента", ["9", ["2", changed, choice]]),
            ordinary_element(FIELD, "4", "Номер", ["9"]),
        ),
        ordinary_element(BAR, "5", "Панель действий", menu),
        ordinary_element(FIELD, "6", "Свободное", ["9"]),
        ordinary_element(FIELD, "7", "ВСтроке", ["9"]),
        ordinary_element(UNKNOWN_EVENT, "8", "Неведомое", ["1"]),
    ]  # fmt: skip
    attributes = [
        [["1"], "0", "0", "1", text("ДокументОбъект"), [text("Pattern"), [text("#"), ON_CHANGE]]],
        [["2"], "0", "0", text("Свободное"), [text("Pattern"), [text("S")]]],
    ]
    table = [["3", chain(["1"], ["0", CLIENT])], ["4", chain(["1"], ["-2"])],
             ["7", chain(["-2"], ["5"], ["0"], ["0", PRICE])]]  # fmt: skip
    root = [PANEL, ["1"], [str(len(elements)), *elements]]
    return [
        "27",
        ["18", [caption("Заказ"), "1", "1"], root, "400"],
        [["1"], "8", [str(len(attributes)), *attributes], [str(len(table)), *table]],
        [UNKNOWN_EVENT, "1", ["2", "0", ["1", ["30001", HANDLER, procedure("ПередЗаписью")]]]],
        ["1", ["70001", HANDLER, procedure("ПриОткрытии")]],
    ]


ORDINARY_MEANINGS = MEANINGS | {ON_CHANGE: UuidMeaning("type", "DocumentObject.Заказ", "Document.Заказ")}


def ordinary() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the same form as v8unpack takes it apart: elements and attributes in the elem.json."""
    body = ordinary_body()
    taken = "Дочерние элементы отдельно"
    data: dict[str, Any] = {}
    tree: list[Any] = []
    for raw in copy.deepcopy(body[1][2][2][1:]):
        name = raw[4][1].strip('"')
        node = {"name": name, "type": "x", "page": "Страница1"}
        if len(raw[5]) > 1:
            node["child"] = []
            for inner in raw[5][1:]:
                inner_name = inner[4][1].strip('"')
                node["child"].append({"name": inner_name, "type": "x", "page": "Внутри"})
                data[f"Страница1/{name}/Внутри/{inner_name}"] = {"id": inner[1], "ver": 27, "raw": inner}
            raw[5] = [taken]
        data[f"Страница1/{name}"] = {"id": raw[1], "ver": 27, "raw": raw}
        tree.append(node)
    data["-pages-"] = ["Страница1"]
    props = [{"name": raw[4].strip('"') if isinstance(raw[4], str) else raw[3].strip('"'), "id": raw[0][0], "raw": raw}
             for raw in body[2][2][1:]]  # fmt: skip
    body[1][2][2] = [taken]
    body[2][2] = [taken]
    return ({"params": [], "props": props, "commands": [], "tree": tree, "data": data},
            {"name": "Форма", "Тип формы": "0", "form": [[body]]})  # fmt: skip


def braces(node: Any) -> str:
    """Return nested lists as a brace list with the line breaks of the platform."""
    if isinstance(node, list):
        return "\r\n{" + ",".join(braces(item) for item in node) + "}"
    return str(node)


def dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def block(data: bytes, page: int = 512) -> bytes:
    size = max(page, len(data))
    return f"\r\n{len(data):08x} {size:08x} 7fffffff \r\n".encode() + data.ljust(size, b"\0")


def container(parts: dict[str, bytes]) -> bytes:
    """Return a v8 container as the platform writes it."""
    out = bytearray(b"\xff\xff\xff\x7f" + struct.pack("<III", 512, len(parts), 0))
    address = len(out) + len(block(b""))
    listing, blocks = b"", b""
    for name, data in parts.items():
        head = block(b"\0" * 20 + name.encode("utf-16-le") + b"\0" * 4, 0)
        listing += struct.pack("<III", address, address + len(head), 0x7FFFFFFF)
        both = head + block(data)
        blocks += both
        address += len(both)
    return bytes(out + block(listing) + blocks)


def form_bin(module: str | None = "Процедура ПриОткрытии()\r\nКонецПроцедуры\r\n") -> bytes:
    parts = {"form": b"\xef\xbb\xbf" + braces(ordinary_body()).strip().encode()}
    if module is not None:
        parts["module"] = b"\xef\xbb\xbf" + module.encode()
    return container(parts)


EXPORT = "Document/Заказ/DocumentForm/Форма"


def export(parts: tuple[dict[str, Any], dict[str, Any]], module: str | None) -> dict[str, str | bytes]:
    """Return the files of an export with one form, without the metadata of its object."""
    elem, form = parts
    files: dict[str, str | bytes] = {
        "Configuration.json": json.dumps({"name": "К"}),
        f"{EXPORT}/DocumentForm.elem.json": dumped(elem),
        f"{EXPORT}/DocumentForm.json": dumped(form),
    }
    return files if module is None else {**files, f"{EXPORT}/DocumentForm.obj.bsl": module}


_ATTRIBUTES = "cf4abea7-37b2-11d4-940f-008048da11f9"
_APART = "в отдельном файле"


def uid(value: int) -> str:
    """Return a uuid that begins with a number."""
    return f"{value:08x}-0000-4000-8000-000000000000"


def catalog(name: str, base: int, **attributes: int) -> dict[str, str | bytes]:
    """Return the files of an exported catalog whose attributes have the reference types of others."""
    items = [
        [["5", ["27", ["2", ["3", ["1", "0", uid(base + 50)], f'"{field}"', ["0"], '""'],
         ['"Pattern"', ['"#"', uid(other + 3)]]]]], "0"]
        for field, other in attributes.items()
    ]  # fmt: skip
    identity = ["0", ["3", ["1", "0", _APART], f'"{name}"', ["0"], '""']]
    body: list[object] = ["56", *(uid(base + i) for i in range(1, 9)), identity, *["0"] * 51]
    body[12] = body[32] = ["0", "0"]
    body[34] = uid(base + 34)
    own = {"name": name, "header": [["1", body, "1", [_ATTRIBUTES, str(len(items)), *items]]]}
    path = f"Catalog/{name}/Catalog"
    return {f"{path}.json": json.dumps(own), f"{path}.id.json": json.dumps({"uuid": uid(base)})}


def configuration() -> dict[str, str | bytes]:
    """Return the files of an export: a common module, a form, catalogs with modules that borrow each other's types."""
    module = "// Пишет сумму словами.\nФункция СуммаСловами(Сумма) Экспорт\n\tВозврат Сумма;\nКонецФункции\n"
    files = export(managed(), "Процедура ПриОткрытии(Отказ)\n\tОтказ = Ложь;\nКонецПроцедуры\n")
    files["CommonModule/Печать/CommonModule.obj.bsl"] = module
    for number in range(1, 6):
        files |= catalog(f"Склад{number}", 0x100 * number, Родитель=0x100 * (number % 5 + 1))
        text = f"Процедура Заполнить{number}()\n\tЗаписать();\nКонецПроцедуры\n"
        files[f"Catalog/Склад{number}/Catalog.obj.bsl"] = text
    for path, content in files.items():
        if path.endswith(".json"):
            # several lines, as the exporter writes them
            files[path] = json.dumps(json.loads(content), ensure_ascii=False, indent=2)
    return files
