"""An index as texts to learn from."""

from __future__ import annotations

from pathlib import Path

from bsl_scout.index.catalog import Catalog
from bsl_scout.index.indexer import refresh
from bsl_scout.index.own_texts import own_procedures, own_titles
from support import DEMO, Write

MODULE = """#Область Расчёты
// Пересчитывает сумму в другую валюту.
// Параметры: Сумма
&НаСервере
Функция Пересчитать(Сумма, Знач Курс) Экспорт
	Возврат Сумма * Курс; // не забыть округлить до копеек
КонецФункции
#КонецОбласти
Процедура Короткая()
КонецПроцедуры
"""


def test_a_procedure(write: Write, tmp_path: Path) -> None:
    long = "Процедура Длинная()\n" + "\tСообщить(ОченьДлинноеИмяПеременной);\n" * 300 + "КонецПроцедуры\n"
    refresh(write({"б/М.bsl": MODULE, "а/М.bsl": long}), tmp_path / "index")
    catalog = Catalog(tmp_path / "index")
    batches = list(own_procedures(catalog))
    names = {row.id: row.name for row in catalog.procedures()}
    catalog.close()
    found = [one for batch in batches for one in batch]
    # in the order of paths; the short one says nothing, the long one stands once
    assert [(names[chunk], procedure.name) for chunk, procedure in found] == [
        ("Длинная", "Длинная"), ("Пересчитать", "Пересчитать")
    ]  # fmt: skip
    procedure = found[1][1]
    assert procedure.doc == "Пересчитывает сумму в другую валюту.\nПараметры: Сумма"
    assert procedure.code.startswith("Функция Пересчитать(")
    assert procedure.code.rstrip().endswith("КонецФункции")
    assert procedure.parameters == ("Сумма", "Курс")
    assert (procedure.path[-1], procedure.number) == ("Расчёты", 1)


def test_titles(tmp_path: Path) -> None:
    refresh(DEMO, tmp_path)
    catalog = Catalog(tmp_path)
    found = {item.names[0]: item.titles for item in own_titles(catalog)}
    catalog.close()
    assert found["ЗаказПокупателя"][0] == "Заказ покупателя"
    assert all(name not in titles for name, titles in found.items())
