"""Form.xml and Form.form: elements, attributes, commands, events, parameters, and where they stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bsl_scout.configuration.safe_xml import parse_xml
from bsl_scout.forms.designer_xml import read_designer_form
from bsl_scout.forms.edt_form import read_edt_form
from bsl_scout.forms.model import Element, Form, Handler
from bsl_scout.forms.read import read_form
from form_samples import DESIGNER, EDT, FORM_HEAD, place
from support import Write

ELEMENTS = [
    # name, type, parent, data path, command, generated
    ("Панель", "AutoCommandBar", None, None, None, True),
    ("Записать", "Button", "Панель", None, "Form.StandardCommand.Write", False),
    ("ЗаписатьПодсказка", "ExtendedTooltip", "Записать", None, None, True),
    ("Шапка", "UsualGroup", None, None, None, False),
    ("ШапкаПодсказка", "ExtendedTooltip", "Шапка", None, None, True),
    ("Покупатель", "InputField", "Шапка", "Объект.Покупатель", None, False),
    ("ПокупательМеню", "ContextMenu", "Покупатель", None, None, True),
    # it has a handler: more than the platform adds by itself
    ("ПокупательПодсказка", "ExtendedTooltip", "Покупатель", None, None, False),
    ("Дата", "LabelField", "Шапка", "Объект.Date", None, False),
    ("Товары", "Table", None, "Объект.Товары", None, False),
    ("ТоварыМеню", "ContextMenu", "Товары", None, None, True),
    ("ТоварыПанель", "AutoCommandBar", "Товары", None, None, True),
    ("Подбор", "Button", "ТоварыПанель", None, "Form.Command.Подбор", False),
    # placed by hand
    ("Поиск", "SearchStringAddition", "ТоварыПанель", None, None, False),
    ("ТоварыПоиск", "SearchStringAddition", "Товары", None, None, True),
    ("ТоварыНомер", "LabelField", "Товары", "Объект.Товары.LineNumber", None, False),
    ("ТоварыЦена", "InputField", "Товары", "Объект.Товары.Цена", None, False),
    ("ТоварыФлаг", "CheckBoxField", "Товары", "Объект.Товары.Флаг", None, False),
    ("Список", "Table", None, "Список", None, False),
    ("Надпись", "LabelDecoration", None, None, None, False),
    ("Картинка", "PictureDecoration", None, None, None, False),
    ("Печать", "SpreadSheetDocumentField", None, "Печать", None, False),
    ("Кнопки", "ButtonGroup", None, None, None, False),
]


def designer(text: str) -> Form:
    return read_designer_form(parse_xml(text.encode()), place())


def edt(text: str) -> Form:
    return read_edt_form(parse_xml(text.encode()), place("edt"))


def handlers(items: tuple[Handler, ...]) -> list[tuple[str | None, str]]:
    return [(item.event, item.procedure) for item in items]


@pytest.mark.parametrize("form", [designer(DESIGNER), edt(EDT)], ids=["designer", "edt"])
def test_all_that_a_form_tells(form: Form) -> None:
    assert [(e.name, e.type, e.parent, e.data_path, e.command, e.generated) for e in form.elements] == ELEMENTS
    named = {element.name: element for element in form.elements}
    assert named["Покупатель"].title == {"ru": "Кому"}
    assert (named["Покупатель"].id, named["Покупатель"].proof) == ("5", "xml")
    assert handlers(named["Покупатель"].handlers) == [("OnChange", "покупательприизменении")]
    assert handlers(named["ПокупательПодсказка"].handlers) == [("URLProcessing", "Ссылка")]
    assert handlers(named["Товары"].handlers) == [("OnActivateRow", "Строка")]
    assert handlers(form.events) == [("OnOpen", "ПриОткрытии"), ("BeforeClose", "Нет")]
    assert [(c.name, dict(c.title), handlers(c.actions)) for c in form.commands] == [
        ("Подбор", {"ru": "Подобрать"}, [("Action", "Подбор")]),
        ("Пустая", {}, []),
    ]
    assert [(p.name, p.types, p.key) for p in form.parameters] == [("Ключ", ("AnyIBRef",), True)]
    object_, listing, kinds, table, sheet = form.attributes
    assert (object_.types, object_.main, object_.id) == (("DocumentObject.Заказ",), True, "1")
    assert [(c.name, c.types, c.table) for c in object_.columns] == [("Флаг", ("Boolean",), "Объект.Товары")]
    assert (listing.main_table, listing.main) == ("Document.Заказ", False)
    assert listing.query == "ВЫБРАТЬ З.Ссылка ИЗ Документ.Заказ КАК З"
    assert (kinds.types, kinds.item_types, kinds.title) == (("ValueListType",), ("String",), {"ru": "Виды цен"})
    assert [(c.name, c.types, c.table) for c in table.columns] == [("Сумма", ("Number(15,2)",), None)]
    assert (sheet.types, sheet.query) == ((), None)
    assert form.warnings == ()


def line_with(text: str, piece: str) -> int:
    return text[: text.index(piece)].count("\n")


def test_lines_in_a_dump() -> None:
    form = designer(DESIGNER)
    named = {element.name: element for element in form.elements}
    assert named["Покупатель"].line == line_with(DESIGNER, '<InputField name="Покупатель"')
    assert named["Покупатель"].path_line == line_with(DESIGNER, "<DataPath>Объект.Покупатель")
    assert named["Записать"].command_line == line_with(DESIGNER, "<CommandName>Form.StandardCommand.Write")
    assert named["Покупатель"].handlers[0].source_line == line_with(DESIGNER, '<Event name="OnChange"')
    assert form.events[0].source_line == line_with(DESIGNER, '<Event name="OnOpen"')
    assert form.attributes[1].line == line_with(DESIGNER, '<Attribute name="Список"')
    assert form.attributes[0].columns[0].line == line_with(DESIGNER, '<Column name="Флаг"')
    assert form.commands[0].line == line_with(DESIGNER, '<Command name="Подбор"')
    assert form.commands[0].actions[0].source_line == line_with(DESIGNER, "<Action>Подбор")
    assert form.parameters[0].line == line_with(DESIGNER, '<Parameter name="Ключ"')


def test_lines_in_a_project() -> None:
    form = edt(EDT)
    named = {element.name: element for element in form.elements}
    assert named["Покупатель"].line == line_with(EDT, '<items xsi:type="form:FormField"><name>Покупатель')
    assert named["Подбор"].command_line == line_with(EDT, "<commandName>Form.Command.Подбор")
    assert form.events[1].source_line == line_with(EDT, "<handlers><event>BeforeClose")
    assert form.attributes[2].line == line_with(EDT, "<attributes><name>Виды")
    assert form.commands[0].actions[0].source_line == line_with(EDT, "<handler><name>Подбор")


EXTENSION = (
    FORM_HEAD
    + """<Events><Event name="OnOpen" callType="Before">До</Event><Event name="OnOpen" callType="After">После</Event>
<Event name="bf0ac0e1-6053-4a92-9f57-d8ebed0dcbb1">ПоКоду</Event>
<Event name="BF0AC0E1-bcbb-4dfe-8fc4-0b1923b461a6">Известное</Event></Events>
<ChildItems><InputField name="Поле" id="1"><DataPath>{}</DataPath></InputField></ChildItems>
<Commands><Command name="К" id="1"><Action callType="Before">А</Action><Action callType="After">Б</Action></Command>
</Commands>
<BaseForm version="2.10"><ChildItems><InputField name="Копия" id="1"/></ChildItems>
<Events><Event name="OnOpen">Основной</Event></Events></BaseForm></Form>"""
)


def test_a_form_of_an_extension() -> None:
    form = designer(EXTENSION.format("Объект.А"))
    assert [element.name for element in form.elements] == ["Поле"]
    assert [(e.event, e.procedure, e.call_type, e.event_id) for e in form.events] == [
        ("OnOpen", "До", "Before", None),
        ("OnOpen", "После", "After", None),
        (None, "ПоКоду", None, "bf0ac0e1-6053-4a92-9f57-d8ebed0dcbb1"),
        ("BeforeWriteAtServer", "Известное", None, "BF0AC0E1-bcbb-4dfe-8fc4-0b1923b461a6"),
    ]
    assert [(a.procedure, a.call_type) for a in form.commands[0].actions] == [("А", "Before"), ("Б", "After")]


def test_an_edt_handler_of_an_extension() -> None:
    form = edt(
        '<form:Form xmlns:form="http://g5.1c.ru/v8/dt/form" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        '<handlers xsi:type="form:EventHandlerExtension"><event>OnOpen</event><name>Вместо</name>'
        "<callType>Override</callType></handlers><formCommands><name>К</name>"
        '<action xsi:type="form:FormCommandHandlerContainer"><handler xsi:type="form:CommandHandlerExtension">'
        "<name>А</name><callType>After</callType></handler></action></formCommands></form:Form>"
    )
    assert [(e.event, e.procedure, e.call_type) for e in form.events] == [("OnOpen", "Вместо", "Override")]
    assert [(a.procedure, a.call_type) for a in form.commands[0].actions] == [("А", "After")]


@pytest.mark.parametrize(
    ("written", "path", "problem"),
    [
        ("~Список.Ref", "Список.Ref", None),
        ("А[0].Б", "А[0].Б", None),
        ("1/0:00000000-0000-0000-0000-000000000002", "1/0:00000000-0000-0000-0000-000000000002", None),
        ("", None, "empty data path"),
        ("Объект. Б", None, "no data path"),
        ("Объект..Б", None, "no data path"),
        ("#", None, "no data path"),
    ],
)
def test_written_paths(written: str, path: str | None, problem: str | None) -> None:
    (element,) = designer(EXTENSION.format(written)).elements
    assert element.data_path == path
    assert element.proof == ("xml" if path and not path.startswith("1/") else None)
    assert (element.problem is None) == (problem is None)
    assert problem is None or problem in (element.problem or "")


def test_what_is_no_form() -> None:
    for form in (designer("<Form/>"), designer(EDT), edt(DESIGNER), edt("<form/>")):
        assert form.elements == ()
        assert [warning.code for warning in form.warnings] == ["not-a-form"]


def test_a_tooltip_keeps_its_kind_without_a_handler() -> None:
    element = next(e for e in designer(DESIGNER).elements if e.name == "ШапкаПодсказка")
    assert replace(element, line=None) == Element("ШапкаПодсказка", "ExtendedTooltip", "Шапка", "4", generated=True)


def test_parts_without_a_name_are_told(write: Write) -> None:
    designer = DESIGNER.replace(' name="Надпись"', "").replace('<Command name="Пустая" id="2"/>', '<Command id="2"/>')
    edt = EDT.replace("<name>Надпись</name>", "").replace("<formCommands><name>Пустая</name>", "<formCommands>")
    for source_format, text in (("designer", designer), ("edt", edt)):
        where = place(source_format)
        form = read_form(write({where.path: text}), where, lambda name: None, lambda uuid: None)
        told = [warning for warning in form.warnings if warning.code == "unnamed"]
        assert [warning.text for warning in told] == ["parts of the form without a name are left out: 2"], source_format
        assert "Надпись" not in {element.name for element in form.elements}
