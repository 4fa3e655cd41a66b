"""Types and full names as a configuration with Russian script writes them: `СправочникСсылка.Х`, `Строка(50)`."""

from __future__ import annotations

import re

from .full_names import TYPE_ENDINGS
from .kinds import KINDS

# what types other than those of objects are called in code
_PLATFORM = dict(
    line.split()
    for line in """
AnyIBRef ЛюбаяСсылка
Array Массив
BinaryData ДвоичныеДанные
Boolean Булево
BusinessProcessRoutePointRef ТочкаМаршрутаБизнесПроцессаСсылка
Characteristic Характеристика
Chart Диаграмма
Color Цвет
ComparisonType ВидСравнения
ConstantsSet НаборКонстант
Date Дата
DynamicList ДинамическийСписок
FixedArray ФиксированныйМассив
FixedMap ФиксированноеСоответствие
FixedStructure ФиксированнаяСтруктура
Font Шрифт
FormattedDocument ФорматированныйДокумент
FormattedString ФорматированнаяСтрока
GanttChart ДиаграммаГанта
Map Соответствие
Number Число
Picture Картинка
ReportBuilder ПостроительОтчета
SettingsComposer КомпоновщикНастроекКомпоновкиДанных
SpreadsheetDocument ТабличныйДокумент
StandardBeginningDate СтандартнаяДатаНачала
StandardPeriod СтандартныйПериод
String Строка
Structure Структура
TextDocument ТекстовыйДокумент
TypeDescription ОписаниеТипов
UUID УникальныйИдентификатор
ValueListType СписокЗначений
ValueStorage ХранилищеЗначения
ValueTable ТаблицаЗначений
ValueTree ДеревоЗначений
""".strip().splitlines()
)
_OF_OBJECTS = {
    kind.english + english: kind.russian + russian
    for kind in KINDS
    for english, russian in (("", ""), ("TabularSection", "ТабличнаяЧасть"), *TYPE_ENDINGS)
}
_RUSSIAN = {**_OF_OBJECTS, **_PLATFORM}
_HEAD = re.compile(r"^[A-Za-z]+(?=$|[.(])")


def spelled(name: str, russian: bool) -> str:
    """Return a type (`CatalogRef.X`, `Number(15,2)`) or full name (`Catalog.X`) in the script of a configuration.

    What is not known stays as it is.
    """
    return _HEAD.sub(lambda head: _RUSSIAN.get(head[0], head[0]), name) if russian else name
