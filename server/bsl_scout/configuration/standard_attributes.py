"""The standard attributes of metadata kinds in both languages of the platform.

The English names are those of `<xr:StandardAttribute name="…">` in Designer dumps (a corpora test compares them).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StandardAttribute:
    """A standard attribute: `Description`, `Наименование`."""

    english: str
    russian: str


_REFERENCE = "Ref Ссылка DeletionMark ПометкаУдаления"
_PREDEFINED = "Predefined Предопределенный PredefinedDataName ИмяПредопределенныхДанных"
_RECORDS = "Period Период Recorder Регистратор LineNumber НомерСтроки Active Активность"
# the key of tabular sections, which are no kind of their own
TABULAR_SECTION = "TabularSection"

_TABLE: dict[str, dict[str, StandardAttribute]] = {}
for _kind, _words in {
    "AccountingRegister": f"{_RECORDS} Account Счет AccountDr СчетДт AccountCr СчетКт RecordType ВидДвижения",
    "AccumulationRegister": f"{_RECORDS} RecordType ВидДвижения",
    "BusinessProcess": f"{_REFERENCE} Number Номер Date Дата Completed Завершен HeadTask ВедущаяЗадача"
    " Started Стартован",
    "CalculationRegister": "RegistrationPeriod ПериодРегистрации Recorder Регистратор LineNumber НомерСтроки"
    " Active Активность CalculationType ВидРасчета ReversingEntry Сторно ActionPeriod ПериодДействия"
    " BegOfActionPeriod ПериодДействияНачало EndOfActionPeriod ПериодДействияКонец"
    " BegOfBasePeriod БазовыйПериодНачало EndOfBasePeriod БазовыйПериодКонец",
    "Catalog": f"{_REFERENCE} {_PREDEFINED} Code Код Description Наименование Owner Владелец Parent Родитель"
    " IsFolder ЭтоГруппа",
    "ChartOfAccounts": f"{_REFERENCE} {_PREDEFINED} Code Код Description Наименование Parent Родитель"
    " Order Порядок Type Вид OffBalance Забалансовый",
    "ChartOfCalculationTypes": f"{_REFERENCE} {_PREDEFINED} Code Код Description Наименование"
    " ActionPeriodIsBasic ПериодДействияБазовый",
    "ChartOfCharacteristicTypes": f"{_REFERENCE} {_PREDEFINED} Code Код Description Наименование"
    " Parent Родитель IsFolder ЭтоГруппа ValueType ТипЗначения",
    "Document": f"{_REFERENCE} Number Номер Date Дата Posted Проведен",
    "DocumentJournal": f"{_REFERENCE} Number Номер Date Дата Posted Проведен Type Тип",
    "Enum": "Ref Ссылка Order Порядок",
    "ExchangePlan": f"{_REFERENCE} Code Код Description Наименование SentNo НомерОтправленного"
    " ReceivedNo НомерПринятого ThisNode ЭтотУзел ExchangeDate ДатаОбмена",
    "InformationRegister": _RECORDS,
    "Report": "SettingsComposer КомпоновщикНастроек",
    TABULAR_SECTION: "LineNumber НомерСтроки",
    "Task": f"{_REFERENCE} Number Номер Date Дата Description Наименование Executed Выполнена"
    " BusinessProcess БизнесПроцесс RoutePoint ТочкаМаршрута",
}.items():
    _row = _words.split()
    _TABLE[_kind] = {}
    for _english, _russian in zip(_row[::2], _row[1::2], strict=True):
        _TABLE[_kind][_english.casefold()] = _TABLE[_kind][_russian.casefold()] = StandardAttribute(_english, _russian)


def standard_attribute(kind: str, name: str) -> StandardAttribute | None:
    """Return the standard attribute of a kind by its name in either language, None when it has no such."""
    return _TABLE.get(kind, {}).get(name.casefold())


def standard_attributes(kind: str) -> list[StandardAttribute]:
    """Return the standard attributes of a kind."""
    return list(dict.fromkeys(_TABLE.get(kind, {}).values()))
