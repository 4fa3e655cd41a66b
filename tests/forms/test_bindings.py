"""What elements are bound to: handlers, types, shown paths, decoded identifiers, what is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.objects import read_objects
from bsl_scout.forms.bindings import module_procedures
from bsl_scout.forms.event_order import in_order
from bsl_scout.forms.model import Element, Form, Handler
from bsl_scout.forms.places import find_form
from bsl_scout.forms.reader import FormReader
from form_samples import CONFIGURATION, DESIGNER, FORM_HEAD, FORM_ID, MD_HEAD, MODULE, dump
from support import Write


def read(top: Path, form_id: str = FORM_ID) -> Form:
    roots = walk(top).roots
    objects, _ = read_objects(top, roots)
    reader = FormReader(top, roots, objects)
    place = find_form(reader.places, form_id)
    assert place
    return reader.read(place)


def element(form: Form, name: str) -> Element:
    return next(item for item in form.elements if item.name == name)


def bound(form: Form) -> dict[str, tuple[str | None, tuple[str, ...]]]:
    return {item.name: (item.display_path, item.types) for item in form.elements if item.data_path}


def test_types_and_shown_paths(write: Write) -> None:
    form = read(write(dump()))
    assert bound(form) == {
        "Покупатель": ("Объект.Покупатель", ("CatalogRef.Контрагенты",)),
        "Дата": ("Объект.Дата", ("Date",)),
        "Товары": ("Объект.Товары", ("DocumentTabularSection.Заказ.Товары",)),
        "ТоварыНомер": ("Объект.Товары.НомерСтроки", ("Number",)),
        "ТоварыЦена": ("Объект.Товары.Цена", ("Number",)),
        # a column that the form adds to the object's table
        "ТоварыФлаг": ("Объект.Товары.Флаг", ("Boolean",)),
        "Список": ("Список", ("DynamicList",)),
        "Печать": ("Печать", ()),
    }
    assert {item.proof for item in form.elements if item.data_path} == {"xml"}


def test_an_english_script_shows_standard_attributes_in_english(write: Write) -> None:
    form = read(write(dump(script="English")))
    assert element(form, "Дата").display_path == "Объект.Date"
    assert element(form, "ТоварыНомер").display_path == "Объект.Товары.LineNumber"


def test_handlers_are_found_in_the_module_of_the_form_by_name_without_case(write: Write) -> None:
    form = read(write({**dump(), "CommonModules/М/Ext/Module.bsl": "Процедура Нет()\nКонецПроцедуры"}))
    assert [(e.procedure, e.found, e.line) for e in form.events] == [("ПриОткрытии", True, 1), ("Нет", False, None)]
    (changed,) = element(form, "Покупатель").handlers
    assert (changed.found, changed.line) == (True, 5)
    assert element(form, "Товары").handlers[0].line == 11
    assert [(a.found, a.line) for a in form.commands[0].actions] == [(True, 8)]
    assert not element(form, "ПокупательПодсказка").handlers[0].found


def test_events_stand_in_one_order_however_they_are_written() -> None:
    def order(kind: str, *events: str) -> list[str | None]:
        return [item.event for item in in_order(kind, tuple(Handler(event, "П") for event in events))]

    written = ("OnOpen", "НеведомоеСобытие", "OnCreateAtServer", "OnReadAtServer", "BeforeWriteAtServer")
    assert order("DocumentForm", *written) == [
        "OnReadAtServer", "OnOpen", "НеведомоеСобытие", "BeforeWriteAtServer", "OnCreateAtServer"
    ]  # fmt: skip
    assert order("Form", "BeforeWriteAtServer", "OnCreateAtServer") == ["OnCreateAtServer", "BeforeWriteAtServer"]
    assert order("Table", "OnChange", "Selection") == ["Selection", "OnChange"]
    assert order("LabelField", "Click", "OnChange") == ["OnChange", "Click"]


def test_the_first_of_two_procedures_of_one_name_counts() -> None:
    text = "Процедура А()\nКонецПроцедуры\n\nфункция а()\nконецфункции\n" + MODULE
    assert module_procedures(text)["а"] == 0


FORM = (
    FORM_HEAD
    + """<ChildItems>{}</ChildItems><Attributes>
<Attribute name="Объект" id="1"><Type><v8:Type>cfg:DocumentObject.Заказ</v8:Type></Type><Columns>
<AdditionalColumns table="Объект.Товары"><Column name="Скидка" id="7"><Type>
<v8:Type>xs:boolean</v8:Type></Type></Column></AdditionalColumns></Columns></Attribute>
<Attribute name="Таблица" id="2"><Type><v8:Type>v8:ValueTable</v8:Type></Type><Columns>
<Column name="Date" id="1"><Type><v8:Type>xs:string</v8:Type></Type></Column>
<Column name="Кто" id="2"><Type><v8:Type>cfg:DefinedType.Кто</v8:Type></Type></Column></Columns></Attribute>
<Attribute name="Простой" id="3"><Type><v8:Type>cfg:DynamicList</v8:Type></Type><Settings xsi:type="DynamicList">
<MainTable>Document.Заказ</MainTable></Settings></Attribute>
<Attribute name="Запрос" id="4"><Type><v8:Type>cfg:DynamicList</v8:Type></Type><Settings xsi:type="DynamicList">
<ManualQuery>true</ManualQuery><QueryText>{}</QueryText><MainTable>Document.Заказ</MainTable></Settings></Attribute>
<Attribute name="Период" id="5"><Type><v8:Type>v8:StandardPeriod</v8:Type></Type></Attribute>
<Attribute name="Набор" id="6"><Type><v8:Type>cfg:ConstantsSet</v8:Type></Type></Attribute>
<Attribute name="Виды" id="8"><Type><v8:Type>v8:ValueListType</v8:Type></Type><Settings xsi:type="v8:TypeDescription">
<v8:Type>xs:string</v8:Type></Settings></Attribute>
</Attributes></Form>"""
)
MORE = {
    "Constants/Курс.xml": MD_HEAD + "<Constant><Properties><Name>Курс</Name><Type><v8:Type>xs:decimal</v8:Type></Type>"
    "</Properties></Constant></MetaDataObject>",
    "DefinedTypes/Кто.xml": MD_HEAD
    + "<DefinedType><Properties><Name>Кто</Name><Type><v8:Type>cfg:CatalogRef.Контрагенты"
    "</v8:Type><v8:Type>cfg:DocumentRef.Заказ</v8:Type></Type></Properties></DefinedType></MetaDataObject>",
    "Catalogs/Контрагенты.xml": MD_HEAD + "<Catalog><Properties><Name>Контрагенты</Name><CodeLength>9</CodeLength>"
    "<CodeType>Number</CodeType><DescriptionLength>100</DescriptionLength></Properties><ChildObjects><Attribute>"
    "<Properties><Name>ИНН</Name><Type><v8:Type>xs:string</v8:Type></Type></Properties></Attribute></ChildObjects>"
    "</Catalog></MetaDataObject>",
    "CommonAttributes/Область.xml": MD_HEAD
    + "<CommonAttribute><Properties><Name>Область</Name><Type><v8:Type>xs:boolean"
    '</v8:Type></Type><Content><i><Metadata xmlns="x">Document.Заказ</Metadata></i></Content></Properties>'
    "</CommonAttribute></MetaDataObject>",
}
QUERY = (
    "ВЫБРАТЬ РАЗРЕШЕННЫЕ З.Ссылка, З.Покупатель КАК Кто, К.ИНН, К.ИНН + 1 КАК Больше, З.Номер КАК Покупатель, "
    "Т.Цена // З.Цена КАК Цена\nИЗ Документ.Заказ КАК З ЛЕВОЕ СОЕДИНЕНИЕ Справочник.Контрагенты КАК К ПО ИСТИНА "
    "ЛЕВОЕ СОЕДИНЕНИЕ Документ.Заказ.Товары КАК Т ПО ИСТИНА"
)
UUID = "00000000-0000-0000-0000-00000000000"


def field(path: str, query: str = QUERY) -> str:
    return FORM.format(f'<InputField name="Ц" id="1"><DataPath>{path}</DataPath></InputField>', query)


@pytest.mark.parametrize(
    ("path", "shown", "types"),
    [
        ("Объект.Number", "Объект.Номер", ("String(11)",)),
        ("Объект.Ref", "Объект.Ссылка", ("DocumentRef.Заказ",)),
        ("Объект.Posted", "Объект.Проведен", ("Boolean",)),
        ("Объект.Покупатель.Code", "Объект.Покупатель.Код", ("Number(9,0)",)),
        ("Объект.Покупатель.Description", "Объект.Покупатель.Наименование", ("String(100)",)),
        ("Объект.Покупатель.ИНН", "Объект.Покупатель.ИНН", ("String",)),
        ("Объект.Область", "Объект.Область", ("Boolean",)),
        ("Объект.Товары.RowsCount", "Объект.Товары.КоличествоСтрок", ("Number",)),
        ("Объект.Товары[0].Скидка", "Объект.Товары[0].Скидка", ("Boolean",)),
        # an own column of this name is no standard attribute
        ("Таблица.Date", "Таблица.Date", ("String",)),
        ("Таблица.Кто.Ref", "Таблица.Кто.Ссылка", ("CatalogRef.Контрагенты", "DocumentRef.Заказ")),
        ("Таблица.Кто.Number", "Таблица.Кто.Номер", ("String(11)",)),
        ("Простой.Date", "Простой.Дата", ("Date",)),
        ("Простой.Покупатель.ИНН", "Простой.Покупатель.ИНН", ("String",)),
        ("Простой.DefaultPicture", "Простой.СтандартнаяКартинка", ("Picture",)),
        ("Период.StartDate", "Период.ДатаНачала", ("Date",)),
        ("Набор.Курс", "Набор.Курс", ("Number",)),
        ("Виды.Value", "Виды.Значение", ("String",)),
        ("Виды.Presentation", "Виды.Представление", ("String",)),
        ("Запрос.Ref", "Запрос.Ссылка", ("DocumentRef.Заказ",)),
        ("Запрос.Кто", "Запрос.Кто", ("CatalogRef.Контрагенты",)),
        ("Запрос.ИНН", "Запрос.ИНН", ("String",)),
        # the query calls another field so
        ("Запрос.Покупатель", "Запрос.Покупатель", ("String(11)",)),
        ("Запрос.Больше", "Запрос.Больше", ()),
        # of a tabular section that the query joins
        ("Запрос.Цена", "Запрос.Цена", ()),
        ("Запрос.Posted", "Запрос.Проведен", ()),
        ("Объект.Неведомое", "Объект.Неведомое", ()),
        ("Таблица.Нет.Date", "Таблица.Нет.Date", ()),
    ],
)
def test_what_a_path_leads_to(write: Write, path: str, shown: str, types: tuple[str, ...]) -> None:
    form = read(write({**dump(field(path)), **MORE}))
    item = element(form, "Ц")
    assert (item.data_path, item.display_path, item.types, item.problem) == (path, shown, types, None)


@pytest.mark.parametrize(
    "query",
    [
        "ВЫБРАТЬ З.Покупатель ИЗ Документ.Заказ КАК З ОБЪЕДИНИТЬ ВСЕ ВЫБРАТЬ 1 ИЗ Документ.Заказ",
        "ВЫБРАТЬ 1 КАК А ПОМЕСТИТЬ ВТ; ВЫБРАТЬ З.Покупатель ИЗ Документ.Заказ КАК З",
        "ВЫБРАТЬ (ВЫБРАТЬ З.Покупатель ИЗ Документ.Заказ КАК З) КАК Покупатель ИЗ Документ.Заказ КАК З",
        "ВЫБРАТЬ З.Покупатель ИЗ (ВЫБРАТЬ 1 КАК Покупатель) КАК З",
        "ВЫБРАТЬ З.Покупатель ИЗ Документ.Заказ КАК З, Справочник.Контрагенты КАК З",
        "ВЫБРАТЬ З.Покупатель ИЗ РегистрСведений.Х.СрезПоследних(, ) КАК З",
        "Покупатель ИЗ Документ.Заказ КАК Покупатель",
        "ВЫБРАТЬ",
        "((",
    ],
)
def test_a_field_that_a_query_does_not_prove_has_no_types(write: Write, query: str) -> None:
    form = read(write({**dump(field("Запрос.Покупатель", query)), **MORE}))
    assert element(form, "Ц").types == ()


@pytest.mark.parametrize(
    ("path", "names", "proof", "types"),
    [
        (f"1/0:{UUID}2", "Объект.Покупатель", "metadata-uuid", ("CatalogRef.Контрагенты",)),
        (f"1/0:{UUID}3", "Объект.Товары", "metadata-uuid", ("DocumentTabularSection.Заказ.Товары",)),
        (f"1/0:{UUID}3/0:{UUID}4", "Объект.Товары.Цена", "metadata-uuid", ("Number",)),
        (f"3/0:{UUID}2", "Простой.Покупатель", "metadata-uuid", ("CatalogRef.Контрагенты",)),
        ("2", "Таблица", "attribute-id", ("ValueTable",)),
        ("2/1", "Таблица.Date", "child-id", ("String",)),
        ("1/-3", "Объект.Date", "standard-attribute", ("Date",)),
        (f"1/0:{UUID}3/-2", "Объект.Товары.LineNumber", "standard-attribute", ("Number",)),
    ],
)
def test_paths_of_identifiers(write: Write, path: str, names: str, proof: str, types: tuple[str, ...]) -> None:
    item = element(read(write({**dump(field(path)), **MORE})), "Ц")
    assert (item.data_path, item.proof, item.types, item.problem) == (names, proof, types, None)


@pytest.mark.parametrize(
    "path", [f"1/0:{UUID}9", f"1/0:{UUID}4", f"9/0:{UUID}9", "2/9", "9", "1/-55", "2/-2", f"1/6:{UUID}2"]
)
def test_identifiers_that_stand_for_nothing_known(write: Write, path: str) -> None:
    form = read(write({**dump(field(path)), **MORE}))
    item = element(form, "Ц")
    assert (item.data_path, item.proof, item.display_path, item.types) == (None, None, None, ())
    assert path in (item.problem or "")
    assert [(w.code, w.element) for w in form.warnings] == [("path-undecoded", "Ц")]


def test_what_a_path_begins_with_and_is_not_there(write: Write) -> None:
    form = read(write({**dump(field("Нет.Поле")), **MORE}))
    item = element(form, "Ц")
    assert (item.data_path, item.proof, item.types) == ("Нет.Поле", "xml", ())
    assert item.problem == "the form has no attribute Нет"
    assert [(w.code, w.element) for w in form.warnings] == [("path-absent", "Ц")]


def test_the_current_row_of_a_table(write: Write) -> None:
    items = (
        '<Table name="Т" id="1"><DataPath>Объект.Товары</DataPath></Table>'
        '<InputField name="А" id="2"><DataPath>Items.Т.CurrentData.Скидка</DataPath></InputField>'
        '<InputField name="Б" id="3"><DataPath>Items.Т.CurrentData.LineNumber</DataPath></InputField>'
        '<InputField name="В" id="4"><DataPath>Items.Нет.CurrentData.Х</DataPath></InputField>'
        '<Table name="Г" id="5"><DataPath>Items.Г.CurrentData.Х</DataPath></Table>'
    )
    form = read(write({**dump(FORM.format(items, "")), **MORE}))
    shown = bound(form)
    assert shown["А"] == ("Элементы.Т.ТекущиеДанные.Скидка", ("Boolean",))
    assert shown["Б"] == ("Элементы.Т.ТекущиеДанные.НомерСтроки", ("Number",))
    assert element(form, "В").problem == "the form has no element Нет"
    assert (element(form, "Г").types, element(form, "Г").problem) == ((), None)


def test_commands_that_are_not_there(write: Write) -> None:
    names = ["Form.Command.Подбор", "Form.Command.Нет", "0", f"6:{UUID}1", "Form.StandardCommand.Write"]
    items = "".join(
        f'<Button name="К{i}" id="{i}"><CommandName>{n}</CommandName></Button>' for i, n in enumerate(names)
    )
    top = write(dump(DESIGNER.replace("<ChildItems>\n<UsualGroup", f"<ChildItems>{items}\n<UsualGroup")))
    form = read(top)
    problems = {item.command: item.problem for item in form.elements if item.name.startswith("К") and item.command}
    assert problems == {
        "Form.Command.Подбор": None,
        "Form.Command.Нет": "the form has no command Нет",
        "0": "the source names the command by an identifier that stands for nothing known: 0",
        f"6:{UUID}1": f"the source names the command by an identifier that stands for nothing known: 6:{UUID}1",
        "Form.StandardCommand.Write": None,
    }
    assert [w.code for w in form.warnings] == ["command-unknown"] * 3


def test_external_objects_find_the_only_configuration(write: Write) -> None:
    file = (
        MD_HEAD + '<ExternalDataProcessor uuid="e"><Properties><Name>О</Name></Properties><ChildObjects>'
        "<Form>Ф</Form></ChildObjects></ExternalDataProcessor></MetaDataObject>"
    )
    configuration: dict[str, str | bytes] = {f"cf/{path}": content for path, content in dump().items()}
    outside = {"epf/О.xml": file, "epf/О/Forms/Ф/Ext/Form.xml": field("Объект.Покупатель")}
    form = read(write({**configuration, **outside}), "ВнешняяОбработка.О.Форма.Ф")
    assert element(form, "Ц").types == ("CatalogRef.Контрагенты",)
    second: dict[str, str | bytes] = {f"other/{path}": content for path, content in dump().items()}
    form = read(write(second), "ВнешняяОбработка.О.Форма.Ф")
    # which of two it is meant for is not known
    assert element(form, "Ц").types == ()


EXTENSION_FORM = (
    FORM_HEAD + f'<ChildItems><InputField name="Ц" id="1"><DataPath>1/0:{UUID}7</DataPath></InputField></ChildItems>'
    "<Attributes/></Form>"
)
ADOPTED = (
    MD_HEAD + f'<Document uuid="{UUID}6"><Properties><ObjectBelonging>Adopted</ObjectBelonging><Name>Заказ</Name>'
    f"<ExtendedConfigurationObject>{UUID}1</ExtendedConfigurationObject></Properties><ChildObjects>"
    f'<Attribute uuid="{UUID}7"><Properties><Name>Покупатель</Name><Type>'
    "<v8:Type>cfg:CatalogRef.Контрагенты</v8:Type></Type></Properties></Attribute></ChildObjects></Document></MetaDataObject>"
)


def extension() -> dict[str, str | bytes]:
    head = CONFIGURATION.format("Russian").replace(
        "<Name>", "<ConfigurationExtensionPurpose>AddOn</ConfigurationExtensionPurpose><Name>"
    )
    files = {**dump(EXTENSION_FORM), "Configuration.xml": head, "Documents/Заказ.xml": ADOPTED}
    return {f"ext/{path}": content for path, content in files.items()}


def test_an_extension_takes_the_attributes_of_the_form_it_adopts(write: Write) -> None:
    base: dict[str, str | bytes] = {f"base/{path}": content for path, content in dump().items()}
    form = read(write({**base, **extension()}), f"ext:{FORM_ID}")
    item = element(form, "Ц")
    assert (item.data_path, item.proof) == ("Объект.Покупатель", "metadata-uuid")
    assert item.types == ("CatalogRef.Контрагенты",)
    assert form.attributes == ()


def test_an_extension_alone_does_not_guess_the_name_of_the_attribute(write: Write) -> None:
    item = element(read(write(extension())), "Ц")
    assert (item.data_path, item.display_path, item.proof) == (None, None, None)
    assert "names Документ.Заказ.Реквизит.Покупатель" in (item.problem or "")
    assert item.types == ("CatalogRef.Контрагенты",)
