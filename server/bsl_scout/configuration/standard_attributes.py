"""The standard attributes of each kind of object in both languages, and their numbers in v8unpack exports.

Facts: the English names are those of the `StandardAttribute` elements of Designer dumps, the Russian ones those of
the platform's built-in language; the numbers are those measured in forms (v8unpack.md 1.4). An attribute without a
number there has none here: an unknown number stays unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# the pseudo-kinds of tables that stand inside an object
TABULAR_SECTION = "TabularSection"
EXT_DIMENSION_TYPES = "ExtDimensionTypes"


@dataclass(frozen=True, slots=True)
class StandardAttribute:
    """`Description`, `Наименование`, and -3: its number in a data path of an exported form, None when not known."""

    english: str
    russian: str
    number: int | None = None


def _attribute(text: str) -> StandardAttribute:
    english, russian, *number = text.split("/")
    return StandardAttribute(english, russian, int(number[0]) if number else None)


_COMMON = "Ref/Ссылка DeletionMark/ПометкаУдаления"
_DEFINED = "Predefined/Предопределенный PredefinedDataName/ИмяПредопределенныхДанных"
_RECORD = "Recorder/Регистратор LineNumber/НомерСтроки Active/Активность"
STANDARD_ATTRIBUTES: dict[str, tuple[StandardAttribute, ...]] = {
    kind: tuple(map(_attribute, texts.split()))
    for kind, texts in {
        "Catalog": f"Code/Код/-2 Description/Наименование/-3 Parent/Родитель/-4 Owner/Владелец/-5 IsFolder/ЭтоГруппа "
        f"{_COMMON} {_DEFINED}",
        "Document": f"Number/Номер/-2 Date/Дата/-3 Posted/Проведен {_COMMON}",
        "DocumentJournal": f"Type/Тип Number/Номер Date/Дата Posted/Проведен {_COMMON}",
        "Enum": "Ref/Ссылка Order/Порядок",
        "ExchangePlan": "Code/Код/-2 Description/Наименование/-3 SentNo/НомерОтправленного/-9 "
        f"ReceivedNo/НомерПринятого/-10 ThisNode/ЭтотУзел ExchangeDate/ДатаОбмена {_COMMON}",
        "ChartOfCharacteristicTypes": "Parent/Родитель/-6 Code/Код/-8 Description/Наименование/-9 "
        f"ValueType/ТипЗначения/-11 IsFolder/ЭтоГруппа {_COMMON} {_DEFINED}",
        "ChartOfAccounts": "Parent/Родитель/-6 Code/Код/-7 Description/Наименование/-8 Type/Вид/-10 "
        f"OffBalance/Забалансовый/-11 Order/Порядок {_COMMON} {_DEFINED}",
        "ChartOfCalculationTypes": "Code/Код Description/Наименование ActionPeriodIsBasic/ПериодДействияБазовый "
        f"{_COMMON} {_DEFINED}",
        "BusinessProcess": "Number/Номер/-2 Date/Дата/-3 Completed/Завершен/-7 HeadTask/ВедущаяЗадача/-8 "
        f"Started/Стартован/-9 {_COMMON}",
        "Task": "Number/Номер/-2 Date/Дата/-3 BusinessProcess/БизнесПроцесс/-7 RoutePoint/ТочкаМаршрута/-8 "
        f"Description/Наименование/-9 Executed/Выполнена/-10 {_COMMON}",
        "InformationRegister": f"Period/Период/-2 {_RECORD}",
        "AccumulationRegister": f"Period/Период {_RECORD} RecordType/ВидДвижения",
        "AccountingRegister": f"Period/Период {_RECORD} RecordType/ВидДвижения Account/Счет AccountDr/СчетДт "
        "AccountCr/СчетКт PeriodAdjustment/УточнениеПериода",
        "CalculationRegister": f"RegistrationPeriod/ПериодРегистрации {_RECORD} CalculationType/ВидРасчета "
        "ActionPeriod/ПериодДействия BegOfActionPeriod/ПериодДействияНачало EndOfActionPeriod/ПериодДействияКонец "
        "BegOfBasePeriod/БазовыйПериодНачало EndOfBasePeriod/БазовыйПериодКонец ReversingEntry/Сторно",
        TABULAR_SECTION: "LineNumber/НомерСтроки/-2",
        EXT_DIMENSION_TYPES: "LineNumber/НомерСтроки ExtDimensionType/ВидСубконто TurnoversOnly/ТолькоОбороты "
        "Predefined/Предопределенное",
    }.items()
}
# the extra dimensions of an accounting register are numbered: ExtDimensionTypeDr1 is ВидСубконтоДт1
_ENGLISH_DIMENSION = re.compile(r"ExtDimension(Type)?(Dr|Cr)?([1-9]\d?)", re.IGNORECASE)
_RUSSIAN_DIMENSION = re.compile(r"(Вид)?Субконто(Дт|Кт)?([1-9]\d?)", re.IGNORECASE)
_SIDES = {"dr": "Дт", "cr": "Кт", "дт": "Dr", "кт": "Cr"}

_BY_ENGLISH = {kind: {a.english.casefold(): a for a in found} for kind, found in STANDARD_ATTRIBUTES.items()}
_BY_RUSSIAN = {kind: {a.russian.casefold(): a for a in found} for kind, found in STANDARD_ATTRIBUTES.items()}
_BY_NUMBER = {kind: {a.number: a for a in found if a.number is not None} for kind, found in STANDARD_ATTRIBUTES.items()}


def russian_attribute(kind: str, english: str) -> str | None:
    """Return the Russian name of a standard attribute of a kind, None when the kind has none of this name."""
    found = _BY_ENGLISH.get(kind, {}).get(english.casefold())
    if found:
        return found.russian
    match = _ENGLISH_DIMENSION.fullmatch(english) if kind == "AccountingRegister" else None
    return f"{'Вид' if match[1] else ''}Субконто{_side(match[2])}{match[3]}" if match else None


def english_attribute(kind: str, russian: str) -> str | None:
    """Return the English name of a standard attribute of a kind, None when the kind has none of this name."""
    found = _BY_RUSSIAN.get(kind, {}).get(russian.casefold())
    if found:
        return found.english
    match = _RUSSIAN_DIMENSION.fullmatch(russian) if kind == "AccountingRegister" else None
    return f"ExtDimension{'Type' if match[1] else ''}{_side(match[2])}{match[3]}" if match else None


def numbered_attribute(kind: str, number: int) -> StandardAttribute | None:
    """Return the standard attribute with this number in the forms of a v8unpack export, None when it is not known."""
    return _BY_NUMBER.get(kind, {}).get(number)


def _side(text: str | None) -> str:
    return _SIDES[text.casefold()] if text else ""
