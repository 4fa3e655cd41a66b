"""Types as Russian code writes them."""

from __future__ import annotations

import pytest

from bsl_scout.configuration.full_names import kind_of_word
from bsl_scout.configuration.kinds import KINDS
from bsl_scout.configuration.type_names import spelled


@pytest.mark.parametrize(
    ("name", "russian"),
    [
        ("CatalogRef.Контрагенты", "СправочникСсылка.Контрагенты"),
        ("DocumentRef", "ДокументСсылка"),
        ("InformationRegisterRecordManager.Курсы", "РегистрСведенийМенеджерЗаписи.Курсы"),
        ("DocumentTabularSection.Заказ.Товары", "ДокументТабличнаяЧасть.Заказ.Товары"),
        ("String(50)", "Строка(50)"),
        ("Number(15,2)", "Число(15,2)"),
        ("Boolean", "Булево"),
        ("DefinedType.Владелец", "ОпределяемыйТип.Владелец"),
        ("Characteristic.Свойства", "Характеристика.Свойства"),
        ("Catalog.Валюты", "Справочник.Валюты"),
        ("BusinessProcessRoutePointRef.Задание", "ТочкаМаршрутаБизнесПроцессаСсылка.Задание"),
        # not known: a name of XDTO, a reference that could not be resolved
        ("string", "string"),
        ("Ref#e61ef7b8-f3e1-4f4b-8ac7-676e90524997", "Ref#e61ef7b8-f3e1-4f4b-8ac7-676e90524997"),
        ("НечтоСвоё.Catalog", "НечтоСвоё.Catalog"),
        ("", ""),
    ],
)
def test_a_type_is_spelled_in_the_script(name: str, russian: str) -> None:
    assert spelled(name, True) == russian
    assert spelled(name, False) == name


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.english)
def test_what_is_spelled_is_read_again(kind: object) -> None:
    english = f"{kind.english}Ref"  # type: ignore[attr-defined]
    assert kind_of_word(spelled(f"{english}.Х", True).split(".")[0]) is kind
