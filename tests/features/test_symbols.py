"""Finding procedures by name."""

from __future__ import annotations

import pytest

from bsl_scout.features.symbols import best_names, match_quality


@pytest.mark.parametrize(
    ("query", "name", "quality"),
    [
        ("", "Любая", 0),
        ("пересчитатьввалюту", "ПересчитатьВВалюту", 0),
        ("учетсчетов", "УчётСчётов", 0),
        ("пересч", "ПересчитатьВВалюту", 1),
        ("ПерВал", "ПересчитатьВВалюту", 2),
        ("ПВВ", "ПересчитатьВВалюту", 2),
        ("ЗапКИ", "ЗаполнитьКонтактнуюИнформацию", 2),
        ("зап", "ЗаполнитьКонтактнуюИнформацию", 1),
        ("GetCon", "GetContactInformation", 1),
        ("GCI", "GetContactInformation", 2),
        ("зап конт", "ЗаполнитьКонтактнуюИнформацию", 2),
        # letters in a row begin one abbreviation, or a word each, or some of both
        ("УстСвойствПользИБ", "УстановитьСвойстваПользователяИБ", 2),
        ("СвойПользИБ", "УстановитьСвойстваПользователяИБ", 2),
        ("ПользИБ", "ПользователиИнформационнойБазы", 2),
        ("ОтпрSMS", "ОтправитьSMS", 2),
        ("ОтпрSms", "ОтправитьSMS", 2),
        ("ОтпрSMSСооб", "ОтправитьSMSСообщение", 2),
        ("УСПИБ", "УстановитьСвойстваПользователяИБ", 2),
        ("ПИБ", "ПользовательИБ", 2),
        ("СИБ", "СИПользователяИБ", 2),
        ("ДанXML", "ЗагрузитьДанныеВXML", 2),
        ("НастСУ", "НастройкиСУБДУзла", 2),
        ("SetUPropIB", "SetUserPropertiesIB", 2),
        ("SUPIB", "SetUserPropertiesIB", 2),
        ("SendSMS", "SendTheSMSNow", 2),
        ("GetHTTPResp", "GetHTTPServiceResponse", 2),
        ("GetHR", "GetHTTPResponse", 2),
        ("ПользБ", "УстановитьСвойстваПользователяИБ", None),
        ("ПВВ", "ПолеВвода", None),
        ("ОтпрSMX", "ОтправитьSMS", None),
        ("SendSMS", "SendMailSoon", None),
        ("валют", "ПересчитатьВВалюту", 3),
        ("ВалПер", "ПересчитатьВВалюту", None),
        ("налог", "ПересчитатьВВалюту", None),
    ],
)
def test_quality(query: str, name: str, quality: int | None) -> None:
    assert match_quality(query, name) == quality


def test_the_best_names_answer_abbreviations_too() -> None:
    names = [["ОтправитьСообщение"], ["ОтправитьSMSСейчас"], ["Отправка", "Отправка SMS"], ["ОтправитьSMS"]]
    assert best_names("ОтпрSMS", names) == [2, 3, 1]
    assert best_names("ОтпСоо", names) == [0]
