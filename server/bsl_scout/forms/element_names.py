"""The kinds of form elements as the platform calls them in Russian: `ПолеВвода`, `Надпись`."""

from __future__ import annotations

# tags of Designer dumps, then the families and the elements of ordinary forms, as v8unpack names them
_RUSSIAN = dict(
    line.split()
    for line in """
AutoCommandBar КоманднаяПанель
Button Кнопка
ButtonGroup ГруппаКнопок
CalendarField ПолеКалендаря
ChartField ПолеДиаграммы
CheckBoxField ПолеФлажка
ColumnGroup ГруппаКолонок
CommandBar КоманднаяПанель
ContextMenu КонтекстноеМеню
DendrogramField ПолеДендрограммы
ExtendedTooltip РасширеннаяПодсказка
FormattedDocumentField ПолеФорматированногоДокумента
GanttChartField ПолеДиаграммыГанта
GeographicalSchemaField ПолеГеографическойСхемы
GraphicalSchemaField ПолеГрафическойСхемы
HTMLDocumentField ПолеHTMLДокумента
InputField ПолеВвода
LabelDecoration Надпись
LabelField ПолеНадписи
Page Страница
Pages Страницы
PeriodField ПолеПериода
PictureDecoration Картинка
PictureField ПолеКартинки
PlannerField ПолеПланировщика
Popup Подменю
ProgressBarField ПолеИндикатора
RadioButtonField ПолеПереключателя
SearchControlAddition УправлениеПоиском
SearchStringAddition СтрокаПоиска
SpreadSheetDocumentField ПолеТабличногоДокумента
Table Таблица
TextDocumentField ПолеТекстовогоДокумента
TrackBarField ПолеПолосыРегулирования
UsualGroup ОбычнаяГруппа
ViewStatusAddition СостояниеПросмотра
CalendarBox ПолеКалендаря
Chart Диаграмма
CheckBox Флажок
CommandPanel КоманднаяПанель
Decoration Декорация
Dendrogram Дендрограмма
Field Поле
FieldHtml ПолеHTMLДокумента
GanttChart ДиаграммаГанта
Group Группа
Image ПолеКартинки
Indicator Индикатор
ItemAddition Дополнение
Label Надпись
ListField ПолеСписка
Panel Панель
PivotChart СводнаяДиаграмма
RadioBtn Переключатель
SelectField ПолеВыбора
Separator Разделитель
TableField ТабличноеПоле
TrackBar ПолосаРегулирования
""".strip().splitlines()
)


def element_kind(kind: str, russian: bool) -> str:
    """Return the kind of an element as Russian code or the source calls it; one that is not known stays as it is."""
    return _RUSSIAN.get(kind, kind) if russian else kind
