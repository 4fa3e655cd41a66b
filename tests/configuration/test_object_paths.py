"""From the path of a file to the object it is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.configuration.layout import Root, walk
from bsl_scout.configuration.object_paths import object_of_path
from bsl_scout.configuration.objects import is_metadata, object_file, object_files
from bsl_scout.configuration.side_files import side_files
from support import DEMO


@pytest.mark.parametrize(
    ("source_format", "path", "expected"),
    [
        ("designer", "Catalogs/А.xml", ("Catalogs/А.xml", "")),
        ("designer", "Catalogs/А/Ext/Predefined.xml", ("Catalogs/А.xml", "")),
        ("designer", "Catalogs/А.б/Forms/Ф/Ext/Form.xml", ("Catalogs/А.б.xml", "")),
        ("designer", "Catalogs/А.xml/Forms/Ф.xml", ("Catalogs/А.xml.xml", "")),
        ("designer", "Subsystems/А/Subsystems/Б.xml", ("Subsystems/А/Subsystems/Б.xml", "Subsystem.А.")),
        (
            "designer",
            "Subsystems/А/Subsystems/Б/Subsystems/В.xml",
            ("Subsystems/А/Subsystems/Б/Subsystems/В.xml", "Subsystem.А.Subsystem.Б."),
        ),
        ("designer", "Subsystems/Subsystems/Ext/Help.xml", ("Subsystems/Subsystems.xml", "")),
        ("designer", "Catalogs/А.txt", None),
        ("designer", "Ext/Content.xml", None),
        ("designer", "Anything/А.xml", None),
        ("designer", "Configuration.xml", None),
        ("edt", "src/Catalogs/А/А.mdo", ("src/Catalogs/А/А.mdo", "")),
        ("edt", "src/Catalogs/А/Forms/Ф/Form.form", ("src/Catalogs/А/А.mdo", "")),
        ("edt", "src/Roles/А/Rights.rights", ("src/Roles/А/А.mdo", "")),
        ("edt", "src/Subsystems/А/Subsystems/Б/Б.mdo", ("src/Subsystems/А/Subsystems/Б/Б.mdo", "Subsystem.А.")),
        ("edt", "src/Configuration/Configuration.mdo", None),
        ("edt", "Catalogs/А/А.mdo", None),
        ("v8unpack", "Catalog/А/Catalog.json", ("Catalog/А/Catalog.json", "")),
        ("v8unpack", "Catalog/А/CatalogForm/Ф/CatalogForm.json", ("Catalog/А/Catalog.json", "")),
        (
            "v8unpack",
            "Subsystem/А/Subsystem/Б/Subsystem.id.json",
            ("Subsystem/А/Subsystem/Б/Subsystem.json", "Subsystem.А."),
        ),
        ("v8unpack", "Configuration.json", None),
        ("plain", "Catalogs/А.xml", None),
    ],
)
@pytest.mark.parametrize("place", [".", "src/конфигурация"])
def test_paths(source_format: str, path: str, expected: tuple[str, str] | None, place: str) -> None:
    root = Root(place, "configuration", source_format, place, "К")
    base = "" if place == "." else f"{place}/"
    found = object_of_path(base + path, root)
    assert found == (expected and (base + expected[0], expected[1]))


@pytest.mark.parametrize("source_format", ["designer", "edt", "v8unpack"])
def test_an_external_object_owns_all_below_it(source_format: str) -> None:
    root = Root("x/Обмен", "external", source_format, "x/Обмен", "Обмен", "ExternalDataProcessor")
    own = {"designer": "x/Обмен.xml", "edt": "x/Обмен/Обмен.mdo", "v8unpack": "x/Обмен/ExternalDataProcessor.json"}
    for path in (own[source_format], "x/Обмен/Forms/Ф.xml"):
        assert object_of_path(path, root) == (own[source_format], "")


def check_all(top: Path, least: int) -> None:
    """Check that each object file and side file leads to what the walk over all objects found."""
    roots = {root.id: root for root in walk(top).roots}
    count = 0
    for root in roots.values():
        for file in object_files(top, [root]):
            own = [top / file.path, *(side for side, _ in side_files(top / file.path, root))]
            for path in own:
                assert is_metadata(path) or path.name == "ExternalDataProcessor.json"
                assert object_file(top, path.relative_to(top).as_posix(), root) == file
                count += 1
    assert count >= least


@pytest.mark.parametrize("name", ["demo", "demo_edt", "demo_extension", "demo_extension_edt"])
def test_every_file_of_the_demo(name: str) -> None:
    check_all(DEMO.parent / name, 4)


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("ssl_3_1", 4_000),
        ("testdata/edt_ssl_cc", 2_000),
        ("testdata/ordinary_xunitfor1c", 100),
        ("v8unpack_samples", 800),
    ],
)
def test_every_file_of_the_real_configurations(corpora: Path, name: str, least: int) -> None:
    check_all(corpora / name, least)
