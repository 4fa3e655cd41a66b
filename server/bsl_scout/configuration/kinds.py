"""The one table of metadata kinds: English and Russian names and the folder of each kind in a dump."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A metadata kind: `Document`, `Документ`, the folder `Documents`."""

    english: str
    russian: str
    folder: str


KINDS: tuple[Kind, ...] = tuple(
    Kind(*line.split())
    for line in """
AccountingRegister РегистрБухгалтерии AccountingRegisters
AccumulationRegister РегистрНакопления AccumulationRegisters
Bot Бот Bots
BusinessProcess БизнесПроцесс BusinessProcesses
CalculationRegister РегистрРасчета CalculationRegisters
Catalog Справочник Catalogs
ChartOfAccounts ПланСчетов ChartsOfAccounts
ChartOfCalculationTypes ПланВидовРасчета ChartsOfCalculationTypes
ChartOfCharacteristicTypes ПланВидовХарактеристик ChartsOfCharacteristicTypes
CommandGroup ГруппаКоманд CommandGroups
CommonAttribute ОбщийРеквизит CommonAttributes
CommonCommand ОбщаяКоманда CommonCommands
CommonForm ОбщаяФорма CommonForms
CommonModule ОбщийМодуль CommonModules
CommonPicture ОбщаяКартинка CommonPictures
CommonTemplate ОбщийМакет CommonTemplates
Constant Константа Constants
DataProcessor Обработка DataProcessors
DefinedType ОпределяемыйТип DefinedTypes
Document Документ Documents
DocumentJournal ЖурналДокументов DocumentJournals
DocumentNumerator НумераторДокументов DocumentNumerators
Enum Перечисление Enums
EventSubscription ПодпискаНаСобытие EventSubscriptions
ExchangePlan ПланОбмена ExchangePlans
ExternalDataProcessor ВнешняяОбработка ExternalDataProcessors
ExternalDataSource ВнешнийИсточникДанных ExternalDataSources
ExternalReport ВнешнийОтчет ExternalReports
FilterCriterion КритерийОтбора FilterCriteria
FunctionalOption ФункциональнаяОпция FunctionalOptions
FunctionalOptionsParameter ПараметрФункциональныхОпций FunctionalOptionsParameters
HTTPService HTTPСервис HTTPServices
InformationRegister РегистрСведений InformationRegisters
IntegrationService СервисИнтеграции IntegrationServices
Language Язык Languages
Report Отчет Reports
Role Роль Roles
ScheduledJob РегламентноеЗадание ScheduledJobs
Sequence Последовательность Sequences
SessionParameter ПараметрСеанса SessionParameters
SettingsStorage ХранилищеНастроек SettingsStorages
Style Стиль Styles
StyleItem ЭлементСтиля StyleItems
Subsystem Подсистема Subsystems
Task Задача Tasks
WebService WebСервис WebServices
WebSocketClient WebSocketКлиент WebSocketClients
WSReference WSСсылка WSReferences
XDTOPackage ПакетXDTO XDTOPackages
""".strip().splitlines()
)
# v8unpack names a kind's folder by its English name in the singular
KIND_BY_FOLDER = {kind.folder: kind for kind in KINDS} | {kind.english: kind for kind in KINDS}
KIND_BY_FOLDER["ChartOfCharacteristicType"] = KIND_BY_FOLDER["ChartOfCharacteristicTypes"]

# file name without extension -> (Russian module name as the platform's call stack writes it, module in words)
MODULES: dict[str, tuple[str, str]] = {
    "Module": ("Модуль", "модуль"),
    "ObjectModule": ("МодульОбъекта", "модуль объекта"),
    "ManagerModule": ("МодульМенеджера", "модуль менеджера"),
    "RecordSetModule": ("МодульНабораЗаписей", "модуль набора записей"),
    "ValueManagerModule": ("МодульМенеджераЗначения", "модуль менеджера значения"),
    "CommandModule": ("МодульКоманды", "модуль команды"),
    "SessionModule": ("МодульСеанса", "модуль сеанса"),
    "ManagedApplicationModule": ("МодульУправляемогоПриложения", "модуль управляемого приложения"),
    "OrdinaryApplicationModule": ("МодульОбычногоПриложения", "модуль обычного приложения"),
    "ExternalConnectionModule": ("МодульВнешнегоСоединения", "модуль внешнего соединения"),
    "Form": ("Форма", "модуль формы"),
}

KIND_BY_NAME = {kind.english: kind for kind in KINDS}
KIND_BY_RUSSIAN = {kind.russian.casefold(): kind for kind in KINDS}

# kind of a field -> its word in a full name in Russian
FIELD_WORDS = {
    "attribute": "Реквизит",
    "tabular_section": "ТабличнаяЧасть",
    "dimension": "Измерение",
    "resource": "Ресурс",
    "enum_value": "ЗначениеПеречисления",
    "form": "Форма",
    "command": "Команда",
    "template": "Макет",
    "column": "Графа",
    "addressing_attribute": "РеквизитАдресации",
    "accounting_flag": "ПризнакУчета",
    "ext_dimension_accounting_flag": "ПризнакУчетаСубконто",
    "recalculation": "Перерасчет",
    "subsystem": "Подсистема",
    "url_template": "ШаблонURL",
    "method": "Метод",
    "operation": "Операция",
    "parameter": "Параметр",
    "table": "Таблица",
    "cube": "Куб",
    "function": "Функция",
    "field": "Поле",
    "integration_service_channel": "КаналСервисаИнтеграции",
    "predefined": "ПредопределенныйЭлемент",
    "restriction": "ОграничениеДоступа",
    "standard_attribute": "СтандартныйРеквизит",
}

# standard attributes as the sources name them -> as the platform's Russian language does
STANDARD_ATTRIBUTES: dict[str, str] = dict(
    line.split()
    for line in """
Account Счет
ActionPeriod ПериодДействия
ActionPeriodIsBasic ПериодДействияБазовый
Active Активность
BegOfActionPeriod ПериодДействияНачало
BegOfBasePeriod БазовыйПериодНачало
BusinessProcess БизнесПроцесс
CalculationType ВидРасчета
Code Код
Completed Завершен
Date Дата
DeletionMark ПометкаУдаления
Description Наименование
EndOfActionPeriod ПериодДействияКонец
EndOfBasePeriod БазовыйПериодКонец
ExchangeDate ДатаОбмена
Executed Выполнена
HeadTask ВедущаяЗадача
IsFolder ЭтоГруппа
LineNumber НомерСтроки
Number Номер
OffBalance Забалансовый
Order Порядок
Owner Владелец
Parent Родитель
Period Период
Posted Проведен
Predefined Предопределенный
PredefinedDataName ИмяПредопределенныхДанных
ReceivedNo НомерПринятого
Recorder Регистратор
RecordType ВидДвижения
Ref Ссылка
RegistrationPeriod ПериодРегистрации
ReversingEntry Сторно
RoutePoint ТочкаМаршрута
SentNo НомерОтправленного
Started Стартован
ThisNode ЭтотУзел
Type Тип
ValueType ТипЗначения
""".strip().splitlines()
)
# the rights that an access restriction can be for
_RESTRICTED_RIGHTS = {"Read": "Чтение", "Insert": "Добавление", "Update": "Изменение", "Delete": "Удаление"}


def russian_field(kind: str) -> str:
    """Return the Russian word of a kind of field, the kind itself when it has none here."""
    return FIELD_WORDS.get(kind, kind)


def russian_part(kind: str, name: str) -> str:
    """Return the name of a field as a Russian full name has it.

    Only standard attributes (`Description`) and restrictions (`Catalog.X.Read`) have names of the platform in it.
    """
    if kind == "standard_attribute":
        return STANDARD_ATTRIBUTES.get(name, name)
    owner, dot, right = name.rpartition(".")
    if kind != "restriction" or not dot:
        return name
    english, _, rest = owner.partition(".")
    russian = KIND_BY_NAME[english].russian if english in KIND_BY_NAME else english
    right, bracket, columns = right.partition("(")
    return f"{russian}.{rest}.{_RESTRICTED_RIGHTS.get(right, right)}{bracket}{columns}"
