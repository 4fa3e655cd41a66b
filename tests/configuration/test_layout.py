"""Roots, modules and what a module belongs to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bsl_scout.configuration.layout import Root, module_address, walk
from support import Write

PURPOSE = "<ConfigurationExtensionPurpose>AddOn</ConfigurationExtensionPurpose>"
EXTENSION = f"<Configuration><Name>Расш</Name>{PURPOSE}</Configuration>"


def test_roots_of_all_formats_side_by_side(write: Write) -> None:
    top = write(
        {
            "cf/Configuration.xml": "<MetaDataObject><Configuration><Name>База</Name></Configuration></MetaDataObject>",
            "cf/CommonModules/М/Ext/Module.bsl": "",
            "cfe/Configuration.xml": f"<MetaDataObject>{EXTENSION}</MetaDataObject>",
            "edt/src/Configuration/Configuration.mdo": "<Configuration><name>Проект</name></Configuration>",
            "edt/src/CommonModules/М/Module.bsl": "",
            "dump/Configuration.json": '{"name": "Выгрузка"}',
            "epf/ExternalDataProcessor.json": '{"name": "Обработка"}',
            "scripts/a.os": "",
            "node_modules/x/b.bsl": "",
            ".git/c.bsl": "",
        }
    )
    layout = walk(top)
    assert [(r.id, r.kind, r.format, r.name) for r in layout.roots] == [
        (".", "plain", "plain", "sources"),
        ("cf", "configuration", "designer", "База"),
        ("cfe", "extension", "designer", "Расш"),
        ("dump", "configuration", "v8unpack", "Выгрузка"),
        ("edt", "configuration", "edt", "Проект"),
        ("epf", "external", "v8unpack", "Обработка"),
    ]
    assert [(f.path, layout.root_of(f.path).id) for f in layout.files] == [
        ("cf/CommonModules/М/Ext/Module.bsl", "cf"),
        ("edt/src/CommonModules/М/Module.bsl", "edt"),
        ("scripts/a.os", "."),
    ]
    assert layout.problems == []


def test_a_broken_root_file_is_a_problem_and_still_a_root(write: Write) -> None:
    layout = walk(write({"Configuration.xml": "<Configuration><Name>", "b/Configuration.json": "{"}))
    assert [(p.path, p.message.split(":")[0]) for p in layout.problems] == [
        ("Configuration.xml", "broken XML"),
        ("b/Configuration.json", "broken JSON"),
    ]
    assert [root.id for root in layout.roots] == [".", "b"]


def test_an_external_entity_is_not_read(write: Write) -> None:
    secret = write({"secret.txt": "тайна"}) / "secret.txt"
    text = f'<!DOCTYPE a [<!ENTITY e SYSTEM "{secret.as_uri()}">]><Configuration><Name>&e;</Name></Configuration>'
    layout = walk(write({"Configuration.xml": text}))
    assert "тайна" not in layout.roots[0].name


def test_one_module_is_a_root_of_its_own(write: Write) -> None:
    top = write({"a.bsl": "", "b.bsl": ""})
    layout = walk(top / "a.bsl")
    assert [file.path for file in layout.files] == ["a.bsl"]
    assert layout.roots == [Root(".", "plain", "plain", ".", "a")]


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        walk(tmp_path / "missing")


def test_links_to_folders_are_not_followed(write: Write) -> None:
    top = write({"a/b.bsl": ""})
    try:
        (top / "a" / "loop").symlink_to(top, target_is_directory=True)
    except OSError:
        pytest.skip("this system makes no symbolic links")
    assert [file.path for file in walk(top).files] == ["a/b.bsl"]


def test_a_name_that_is_no_text_is_told(write: Write) -> None:
    top = write({"a.bsl": ""})
    try:
        (top / "b\udcff.bsl").write_bytes(b"")
    except (OSError, UnicodeEncodeError):
        pytest.skip("this system has no such names")
    layout = walk(top)
    assert [file.path for file in layout.files] == ["a.bsl"]
    assert [(p.path, p.message) for p in layout.problems] == [("b\\udcff.bsl", "not read: not a valid name")]


def test_loops_pipes_and_ignored_folders(write: Write) -> None:
    top = write({"a.bsl": "", ".git/b.bsl": "", ".settings/c.bsl": "", "node_modules/d.bsl": ""})
    try:
        (top / "loop").symlink_to("loop")
        os.mkfifo(top / "pipe.bsl")
    except (OSError, AttributeError):
        pytest.skip("this system has no links or pipes")
    layout = walk(top)
    assert [file.path for file in layout.files] == [".settings/c.bsl", "a.bsl"]
    assert [problem.path for problem in layout.problems] in ([], ["loop"])


@pytest.mark.parametrize("text", ['{"name": "\\ud800"}', '{"name": 5}', "[]"])
def test_an_odd_name_of_a_root_can_be_stored(write: Write, text: str) -> None:
    (root,) = walk(write({"Configuration.json": text})).roots
    root.name.encode()


def test_suffixes_in_capitals(write: Write) -> None:
    assert [file.path for file in walk(write({"A.BSL": "", "B.Os": ""})).files] == ["A.BSL", "B.Os"]


DESIGNER = Root(".", "configuration", "designer", ".", "К")
EDT = Root("p", "configuration", "edt", "p", "К")
V8UNPACK = Root("v", "configuration", "v8unpack", "v", "К")
EXTERNAL = Root("e", "external", "v8unpack", "e", "Обр")
REPORT = Root("d/О", "external", "designer", "d/О", "О", "ExternalReport")
EDT_EXTERNAL = Root("p/src/ExternalReports/О", "external", "edt", "p/src/ExternalReports/О", "О", "ExternalReport")
PLAIN = Root(".", "plain", "plain", ".", "К")


@pytest.mark.parametrize(
    ("path", "root", "owner", "module"),
    [
        ("CommonModules/Х/Ext/Module.bsl", DESIGNER, "ОбщийМодуль.Х", "Модуль"),
        ("Documents/А/Ext/ObjectModule.bsl", DESIGNER, "Документ.А", "МодульОбъекта"),
        ("Documents/А/Forms/Ф/Ext/Form/Module.bsl", DESIGNER, "Документ.А.Форма.Ф", "Форма"),
        ("Catalogs/С/Commands/К/Ext/CommandModule.bsl", DESIGNER, "Справочник.С.Команда.К", "МодульКоманды"),
        ("CommonForms/Ф/Ext/Form/Module.bsl", DESIGNER, "ОбщаяФорма.Ф", "Форма"),
        ("Ext/SessionModule.bsl", DESIGNER, "Конфигурация", "МодульСеанса"),
        ("Constants/К/Ext/ValueManagerModule.bsl", DESIGNER, "Константа.К", "МодульМенеджераЗначения"),
        ("p/src/Documents/А/Forms/Ф/Module.bsl", EDT, "Документ.А.Форма.Ф", "Форма"),
        ("p/src/Configuration/SessionModule.bsl", EDT, "Конфигурация", "МодульСеанса"),
        ("v/Catalog/С/Catalog.mgr.bsl", V8UNPACK, "Справочник.С", "МодульМенеджера"),
        ("v/Catalog/С/CatalogForm/Ф/CatalogForm.obj.bsl", V8UNPACK, "Справочник.С.Форма.Ф", "Форма"),
        ("v/CommonModule/М/CommonModule.obj.bsl", V8UNPACK, "ОбщийМодуль.М", "Модуль"),
        (
            "v/InformationRegister/Р/InformationRegister.obj.bsl",
            V8UNPACK,
            "РегистрСведений.Р",
            "МодульНабораЗаписей",
        ),
        ("e/ExternalDataProcessor.obj.bsl", EXTERNAL, "ВнешняяОбработка.Обр", "МодульОбъекта"),
        ("e/Form/Ф/Form.obj.bsl", EXTERNAL, "ВнешняяОбработка.Обр.Форма.Ф", "Форма"),
        ("d/О/Ext/ObjectModule.bsl", REPORT, "ВнешнийОтчет.О", "МодульОбъекта"),
        ("d/О/Forms/Ф/Ext/Form/Module.bsl", REPORT, "ВнешнийОтчет.О.Форма.Ф", "Форма"),
        ("p/src/ExternalReports/О/ObjectModule.bsl", EDT_EXTERNAL, "ВнешнийОтчет.О", "МодульОбъекта"),
        ("p/src/ExternalReports/О/Forms/Ф/Module.bsl", EDT_EXTERNAL, "ВнешнийОтчет.О.Форма.Ф", "Форма"),
        ("lib/util.os", PLAIN, None, "Модуль"),
    ],
)
def test_what_a_module_belongs_to(path: str, root: Root, owner: str | None, module: str) -> None:
    address = module_address(path, root)
    assert (address.owner, address.module) == (owner, module)


def designer_external(kind: str, name: str) -> str:
    return f'<MetaDataObject><{kind} uuid="u"><Properties><Name>{name}</Name></Properties></{kind}></MetaDataObject>'


def test_external_objects_are_found_anywhere(write: Write) -> None:
    files: dict[str, str | bytes] = {
        "cf/Configuration.xml": "<Configuration><Name>К</Name></Configuration>",
        # a part of the configuration, and a part of another external object: neither is a root
        "cf/DataProcessors/О/Templates/Т/Ext/Template.xml": designer_external("ExternalReport", "Нет"),
        "cf/epf/Отчёт.xml": designer_external("ExternalReport", "Отчёт"),
        "cf/epf/Отчёт/Forms/Ф.xml": designer_external("ExternalReport", "Нет"),
        "cf/epf/Отчёт/Ext/ObjectModule.bsl": "",
        "cf/Рядом.xml": designer_external("ExternalDataProcessor", "Рядом"),
        "cf/epf/Другая.xml": designer_external("ExternalDataProcessor", "Иное"),
        "cf/epf/заметки.xml": "<a/>",
        "edt/src/ExternalDataProcessors/Э/Э.mdo": "<ExternalDataProcessor><name>Э</name></ExternalDataProcessor>",
        "edt/src/ExternalDataProcessors/Э/ObjectModule.bsl": "",
    }
    layout = walk(write(files))
    edt = "edt/src/ExternalDataProcessors/Э"
    assert [(root.path, root.kind, root.format, root.name, root.object_kind) for root in layout.roots] == [
        ("cf", "configuration", "designer", "К", ""),
        ("cf/Рядом", "external", "designer", "Рядом", "ExternalDataProcessor"),
        ("cf/epf/Другая", "external", "designer", "Иное", "ExternalDataProcessor"),
        ("cf/epf/Отчёт", "external", "designer", "Отчёт", "ExternalReport"),
        (edt, "external", "edt", "Э", "ExternalDataProcessor"),
    ]
    assert layout.problems == []
    for path, root in [
        ("cf/epf/Отчёт.xml", "cf/epf/Отчёт"),
        ("cf/epf/Отчёт/Ext/ObjectModule.bsl", "cf/epf/Отчёт"),
        ("cf/epf/заметки.xml", "cf"),
        (f"{edt}/ObjectModule.bsl", edt),
    ]:
        assert layout.root_of(path).path == root
    assert not layout.has_root("edt/readme.md")
    with pytest.raises(LookupError):
        layout.root_of("edt/readme.md")


CHOICE: dict[str, str | bytes] = {
    "cf/Configuration.xml": "<MetaDataObject><Configuration><Name>База</Name></Configuration></MetaDataObject>",
    "cf/CommonModules/М/Ext/Module.bsl": "",
    "edt/src/Configuration/Configuration.mdo": "<Configuration><name>Проект</name></Configuration>",
    "edt/src/CommonModules/М/Module.bsl": "",
    "внешние/Обмен.xml": '<MetaDataObject><ExternalDataProcessor uuid="1"><Properties><Name>Обмен</Name></Properties>'
    "</ExternalDataProcessor></MetaDataObject>",
    "внешние/Обмен/Ext/ObjectModule.bsl": "",
    "tools/a.os": "",
    "docs/readme.txt": "",
}


@pytest.mark.parametrize(
    ("chosen", "roots", "files", "wrong"),
    [
        (["cf"], ["cf"], ["cf/CommonModules/М/Ext/Module.bsl"], []),
        (["./cf/", "cf", "cf\\CommonModules"], ["cf"], ["cf/CommonModules/М/Ext/Module.bsl"], []),
        (["edt/src"], ["edt"], ["edt/src/CommonModules/М/Module.bsl"], []),
        (["tools"], ["."], ["tools/a.os"], []),
        (["внешние/Обмен"], ["внешние/Обмен"], ["внешние/Обмен/Ext/ObjectModule.bsl"], []),
        (["cf", "нет"], ["cf"], ["cf/CommonModules/М/Ext/Module.bsl"], [("нет", "absent")]),
        (["docs", "tools"], ["."], ["tools/a.os"], [("docs", "empty")]),
        (["tools/a.os", "", "a\0b"], ["."], [], [("tools/a.os", "absent"), ("", "absent"), ("a\0b", "absent")]),
        (
            ["..", "../..", "/", "cf/../../other"],
            ["."],
            [],
            [(n, "outside") for n in ("..", "../..", "/", "cf/../../other")],
        ),
        (["C:\\нет"], ["."], [], [("C:\\нет", "outside")]),
    ],
)
def test_chosen_folders(
    write: Write, chosen: list[str], roots: list[str], files: list[str], wrong: list[tuple[str, str]]
) -> None:
    layout = walk(write(CHOICE), chosen)
    assert [root.path for root in layout.roots] == roots
    assert [file.path for file in layout.files] == files
    assert [(one.name, one.reason) for one in layout.wrong] == wrong


def test_the_folder_itself_is_everything(write: Write) -> None:
    top = write(CHOICE)
    whole, chosen = walk(top), walk(top, ["cf", "."])
    assert (chosen.roots, chosen.files, chosen.wrong) == (whole.roots, whole.files, [])


def test_a_link_out_of_the_folder_is_outside(write: Write, tmp_path: Path) -> None:
    top = write({"a/x.bsl": ""})
    (tmp_path / "чужое").mkdir()
    (top / "ссылка").symlink_to(tmp_path / "чужое", target_is_directory=True)
    (top / "своя").symlink_to(top / "a", target_is_directory=True)
    (top / "петля").symlink_to(top / "петля")
    layout = walk(top, ["ссылка", "своя", "петля"])
    assert [file.path for file in layout.files] == ["a/x.bsl"]
    assert [(one.name, one.reason) for one in layout.wrong] == [("ссылка", "outside"), ("петля", "absent")]
