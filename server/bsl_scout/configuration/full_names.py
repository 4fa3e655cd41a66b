"""Names of metadata objects as code, queries, XML sources and people write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bsl_scout.bsl.text import fold

from .kinds import KINDS, Kind

# the collections of the platform's global context and of `Метаданные`; in English they have the folders' names
_RUSSIAN_PLURALS = dict(
    line.split()
    for line in """
AccountingRegister РегистрыБухгалтерии
AccumulationRegister РегистрыНакопления
Bot Боты
BusinessProcess БизнесПроцессы
CalculationRegister РегистрыРасчета
Catalog Справочники
ChartOfAccounts ПланыСчетов
ChartOfCalculationTypes ПланыВидовРасчета
ChartOfCharacteristicTypes ПланыВидовХарактеристик
CommandGroup ГруппыКоманд
CommonAttribute ОбщиеРеквизиты
CommonCommand ОбщиеКоманды
CommonForm ОбщиеФормы
CommonModule ОбщиеМодули
CommonPicture ОбщиеКартинки
CommonTemplate ОбщиеМакеты
Constant Константы
DataProcessor Обработки
DefinedType ОпределяемыеТипы
Document Документы
DocumentJournal ЖурналыДокументов
DocumentNumerator НумераторыДокументов
Enum Перечисления
EventSubscription ПодпискиНаСобытия
ExchangePlan ПланыОбмена
ExternalDataProcessor ВнешниеОбработки
ExternalDataSource ВнешниеИсточникиДанных
ExternalReport ВнешниеОтчеты
FilterCriterion КритерииОтбора
FunctionalOption ФункциональныеОпции
FunctionalOptionsParameter ПараметрыФункциональныхОпций
HTTPService HTTPСервисы
InformationRegister РегистрыСведений
IntegrationService СервисыИнтеграции
Language Языки
Report Отчеты
Role Роли
ScheduledJob РегламентныеЗадания
Sequence Последовательности
SessionParameter ПараметрыСеанса
SettingsStorage ХранилищаНастроек
Style Стили
StyleItem ЭлементыСтиля
Subsystem Подсистемы
Task Задачи
WebService WebСервисы
WebSocketClient WebSocketКлиенты
WSReference WSСсылки
XDTOPackage ПакетыXDTO
""".strip().splitlines()
)
# what the platform adds to the name of a kind in the names of its types: `СправочникСсылка`, `CatalogRef`
TYPE_ENDINGS = (
    ("Ref", "Ссылка"),
    ("Object", "Объект"),
    ("Selection", "Выборка"),
    ("List", "Список"),
    ("Manager", "Менеджер"),
    ("RecordSet", "НаборЗаписей"),
    ("RecordKey", "КлючЗаписи"),
    ("RecordManager", "МенеджерЗаписи"),
    ("ValueManager", "МенеджерЗначения"),
    ("RoutePointRef", "ТочкаМаршрутаСсылка"),
)
_METADATA = frozenset({"метаданные", "metadata"})


def _kind_words() -> dict[str, Kind]:
    words: dict[str, Kind] = {}
    for kind in KINDS:
        for word in (kind.english, kind.russian, kind.folder, _RUSSIAN_PLURALS[kind.english]):
            words[fold(word)] = kind
        for english, russian in TYPE_ENDINGS:
            words[fold(kind.english + english)] = kind
            words[fold(kind.russian + russian)] = kind
    by_name = {kind.english: kind for kind in KINDS}
    words["characteristic"] = words["характеристика"] = by_name["ChartOfCharacteristicTypes"]
    return words


_KIND_WORDS = _kind_words()
_COLLECTIONS = frozenset(fold(word) for kind in KINDS for word in (kind.folder, _RUSSIAN_PLURALS[kind.english]))


@dataclass(frozen=True, slots=True)
class ObjectName:
    """A name that a text writes: the English full name of the object, and what follows it.

    `first` and `last` are the places of the kind and of the object's own name in the parts that were given.
    """

    full_name: str
    rest: tuple[str, ...]
    first: int
    last: int


def kind_of_word(word: str) -> Kind | None:
    """Return the kind that a word names in any spelling: Справочник, Catalogs, СправочникСсылка, CatalogRef."""
    return _KIND_WORDS.get(fold(word))


def is_collection(word: str) -> bool:
    """Return whether a word is a collection of the platform's global context: Справочники, Catalogs."""
    return fold(word) in _COLLECTIONS


def object_name(parts: Sequence[str]) -> ObjectName | None:
    """Return the object that the parts of a dotted name name, None when they name none.

    `Справочники.Х`, `СправочникСсылка.Х`, `Catalog.X.Form.Y`, `Метаданные.Документы.Х.Реквизиты.Y`,
    `Подсистема.А.Подсистема.Б` (one object whose name has both).
    """
    first = 1 if parts and fold(parts[0]) in _METADATA else 0
    kind = kind_of_word(parts[first]) if len(parts) > first + 1 else None
    if kind is None:
        return None
    names = [f"{kind.english}.{parts[first + 1]}"]
    last = first + 1
    while kind.english == "Subsystem" and len(parts) > last + 2 and kind_of_word(parts[last + 1]) is kind:
        names.append(f"Subsystem.{parts[last + 2]}")
        last += 2
    return ObjectName(".".join(names), tuple(parts[last + 1 :]), first, last)
