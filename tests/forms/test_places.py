"""Where forms are: ids in both languages, paths, extensions and external objects in all formats."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.configuration.layout import Root, walk
from bsl_scout.forms.model import FormPlace
from bsl_scout.forms.places import find_form, find_forms
from support import Write

CONFIGURATION = (
    "<MetaDataObject><Configuration><Properties><Name>К</Name>{}</Properties></Configuration></MetaDataObject>"
)
EXTENSION = "<ConfigurationExtensionPurpose>AddOn</ConfigurationExtensionPurpose>"
FORM = "Catalogs/Товары/Forms/{}/Ext/Form.xml"


def ids(places: list[FormPlace]) -> list[str]:
    return [place.id for place in places]


@pytest.fixture
def dump(write: Write) -> Path:
    return write(
        {
            "Configuration.xml": CONFIGURATION.format(""),
            FORM.format("Form"): "<Form/>",
            # the sidecar of a form that is called Form
            "Catalogs/Товары/Forms/Form.xml": "<MetaDataObject/>",
            "Catalogs/Товары/Forms/Form/Ext/Form/Module.bsl": "",
            "Catalogs/Товары/Forms/Обычная/Ext/Form.bin": b"\xff\xff\xff\x7f",
            "Catalogs/Товары/Forms/БезИсточника.xml": "<MetaDataObject/>",
            "CommonForms/Ещё/Ext/Form.xml": "<Form/>",
            "CommonForms/Ещё.xml": "<MetaDataObject/>",
            "ExternalDataSources/Б/Tables/Т/Forms/Ф/Ext/Form.xml": "<Form/>",
            "Documents/Заказ/Ext/Form.xml": "<Form/>",
        }
    )


def test_designer(dump: Path) -> None:
    places = find_forms(dump, walk(dump).roots)
    assert [(p.id, p.id_en, p.kind, p.container, p.object_type, p.object_name) for p in places] == [
        ("Справочник.Товары.Форма.Form", "Catalog.Товары.Form.Form", "managed", "CatalogForm", "Catalog", "Товары"),
        ("Справочник.Товары.Форма.Обычная", "Catalog.Товары.Form.Обычная", "ordinary", "CatalogForm", "Catalog",
         "Товары"),
        ("ОбщаяФорма.Ещё", "CommonForm.Ещё", "managed", "CommonForm", "CommonForm", "Ещё"),
        ("ВнешнийИсточникДанных.Б.Таблица.Т.Форма.Ф", "ExternalDataSource.Б.Table.Т.Form.Ф", "managed",
         "ExternalDataSourceTableForm", "ExternalDataSource", "Б.Table.Т"),
    ]  # fmt: skip
    assert places[0].module == "Catalogs/Товары/Forms/Form/Ext/Form/Module.bsl"
    assert places[1].module is None


@pytest.mark.parametrize(
    "text",
    [
        "Справочник.Товары.Форма.Form",
        "справочник.товары.форма.form",
        "CATALOG.товары.FORM.form",
        "Catalog.Товары.Форма.Form",
        "Catalogs/Товары/Forms/Form/Ext/Form.xml",
        "Catalogs/Товары/Forms/Form/Ext/Form/Module.bsl",
        "./Catalogs/Товары/Forms/Form/",
        "Catalogs\\Товары\\Forms\\Form.xml",
    ],
)
def test_a_form_by_id_and_path(dump: Path, text: str) -> None:
    found = find_form(find_forms(dump, walk(dump).roots), text)
    assert found
    assert found.id == "Справочник.Товары.Форма.Form"


def test_a_form_by_a_name_with_yo(dump: Path) -> None:
    places = find_forms(dump, walk(dump).roots)
    found = find_form(places, "общаяформа.еще")
    assert found
    assert found.id == "ОбщаяФорма.Ещё"
    assert find_form(places, "ОбщаяФорма.Нет") is None
    assert find_form(places, "Catalogs/Товары") is None
    assert find_form(places, "") is None


def test_the_configuration_keeps_an_id_that_an_extension_has_too(write: Write) -> None:
    top = write(
        {
            "a_ext/Configuration.xml": CONFIGURATION.format(EXTENSION),
            "a_ext/" + FORM.format("Ф"): "<Form/>",
            "a_ext/" + FORM.format("Своя"): "<Form/>",
            "cf/Configuration.xml": CONFIGURATION.format(""),
            "cf/" + FORM.format("Ф"): "<Form/>",
        }
    )
    places = find_forms(top, walk(top).roots)
    assert ids(places) == [
        "Справочник.Товары.Форма.Своя",
        "a_ext:Справочник.Товары.Форма.Ф",
        "Справочник.Товары.Форма.Ф",
    ]
    found = find_form(places, "A_EXT:Catalog.Товары.Form.Ф")
    assert found
    assert found.path.startswith("a_ext/")


def test_edt_leaves_copies_of_base_forms_out(write: Write) -> None:
    top = write(
        {
            "src/Configuration/Configuration.mdo": "<Configuration><name>К</name></Configuration>",
            "src/Catalogs/Товары/Forms/Ф/Form.form": "<Form/>",
            "src/Catalogs/Товары/Forms/Ф/BaseForm/Form.form": "<Form/>",
            "src/Catalogs/Товары/Forms/Ф/Module.bsl": "",
            "src/CommonForms/О/Form.form": "<Form/>",
        }
    )
    places = find_forms(top, walk(top).roots)
    assert ids(places) == ["Справочник.Товары.Форма.Ф", "ОбщаяФорма.О"]
    assert places[0].module == "src/Catalogs/Товары/Forms/Ф/Module.bsl"


def test_v8unpack(write: Write) -> None:
    top = write(
        {
            "Configuration.json": "{}",
            "Catalog/Товары/CatalogForm/Ф/CatalogForm.elem.json": "{}",
            "Catalog/Товары/CatalogForm/Ф/CatalogForm.json": '{\n  "Тип формы": "0"\n}',
            "Catalog/Товары/CatalogForm/Ф/CatalogForm.obj.bsl": "",
            "Catalog/Товары/CatalogForm/Пустая/CatalogForm.id.json": "{}",
            "CommonForm/О/CommonForm.elem.json": "{}",
            "CommonForm/О/CommonForm.json": '{\n  "Тип формы": "1"\n}',
            "Report/О/ReportForm/Ф/ReportForm.elem.json": "{}",
            "DataProcessor/Обр/Form/Ф/Form.elem.json": "{}",
        }
    )
    places = find_forms(top, walk(top).roots)
    assert [(p.id, p.kind, p.container, p.path) for p in places] == [
        ("Справочник.Товары.Форма.Ф", "ordinary", "CatalogForm", "Catalog/Товары/CatalogForm/Ф"),
        ("ОбщаяФорма.О", "managed", "CommonForm", "CommonForm/О"),
        ("Обработка.Обр.Форма.Ф", "managed", "Form", "DataProcessor/Обр/Form/Ф"),
        ("Отчет.О.Форма.Ф", "managed", "ReportForm", "Report/О/ReportForm/Ф"),
    ]
    assert places[0].module == "Catalog/Товары/CatalogForm/Ф/CatalogForm.obj.bsl"
    for text in ("Catalog/Товары/CatalogForm/Ф", "Catalog/Товары/CatalogForm/Ф/CatalogForm.elem.json"):
        assert find_form(places, text) == places[0]


def test_external_objects_of_all_formats(write: Write) -> None:
    top = write(
        {
            "epf/Обр/Обр/Forms/Ф/Ext/Form.xml": "<Form/>",
            "edt/src/ExternalReports/Отч/Forms/Ф/Form.form": "<Form/>",
            "v8/Form/Ф/Form.elem.json": "{}",
        }
    )
    roots = [
        Root("a", "external", "designer", "epf/Обр/Обр", "Обр", "ExternalDataProcessor"),
        Root("b", "external", "edt", "edt/src/ExternalReports/Отч", "Отч", "ExternalReport"),
        Root("c", "external", "v8unpack", "v8", "Старая", "ExternalDataProcessor"),
    ]
    assert [(p.id, p.id_en, p.container) for p in find_forms(top, roots)] == [
        ("ВнешнийОтчет.Отч.Форма.Ф", "ExternalReport.Отч.Form.Ф", "ReportForm"),
        ("ВнешняяОбработка.Обр.Форма.Ф", "ExternalDataProcessor.Обр.Form.Ф", "Form"),
        ("ВнешняяОбработка.Старая.Форма.Ф", "ExternalDataProcessor.Старая.Form.Ф", "Form"),
    ]
    # the top itself may be the object
    here = [Root(".", "external", "edt", ".", "Отч", "ExternalReport")]
    assert len(find_forms(top / "edt/src/ExternalReports/Отч", here)) == 1
