"""Links of extensions to their base: objects by uuid or name, procedures by annotation, and the reasons of none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from bsl_scout.configuration.extensions import (
    FOREIGN_BASE,
    NO_BASE,
    NO_MODULE,
    NO_NAME,
    NO_OBJECT,
    NO_PROCEDURE,
    NOT_ADOPTED,
    PARTIAL_BASE,
    SEVERAL_BASES,
    SEVERAL_OBJECTS,
    Base,
    Change,
    ModuleProcedure,
    ObjectFacts,
    ObjectLink,
    bases,
    changes_in,
    facts_of,
    link_changes,
    link_objects,
)
from bsl_scout.configuration.layout import Root
from bsl_scout.configuration.model import MetadataObject


def root(name: str, kind: str = "configuration") -> Root:
    return Root(name, kind, "designer", name, name)


def item(place: str, name: str, uuid: str | None, extends: str | None = None) -> ObjectFacts:
    return ObjectFacts(place, f"{place}/{name}.xml", f"Catalog.{name}", f"Справочник.{name}", uuid, extends)


EXTENSION = root("e", "extension")


def linked(roots: list[Root], objects: list[ObjectFacts]) -> tuple[dict[str, Base], list[ObjectLink]]:
    known = bases(roots, objects)
    return known, link_objects(objects, known)


def told(link: ObjectLink) -> tuple[str | None, str | None, str | None]:
    return (link.base.path if link.base else None, link.proof, link.reason)


def test_a_uuid_links_whatever_the_name() -> None:
    objects = [item("b", "Товары", "U1"), item("e", "Номенклатура", "own", "u1"), item("e", "Свой", "own2")]
    known, links = linked([root("b"), EXTENSION], objects)
    assert known == {"e": Base("b", "uuid")}
    assert [told(link) for link in links] == [("b/Товары.xml", "uuid", None)]


def test_a_name_links_only_without_a_uuid() -> None:
    objects = [
        item("b", "Товары", "u1"),
        item("e", "товары", "x", ""),
        item("e", "Цены", "z", ""),
    ]
    _, links = linked([root("b"), EXTENSION], [*objects, item("e", "Всё", "q", "u1")])
    assert [told(link) for link in links] == [
        ("b/Товары.xml", "name", None),
        (None, None, NO_OBJECT),
        ("b/Товары.xml", "uuid", None),
    ]


def test_a_base_that_lacks_an_adopted_object_is_not_linked_by_name() -> None:
    objects = [
        item("b", "Товары", "u1"),
        item("b", "Склады", "u2"),
        item("e", "Товары", "x", "u1"),
        item("e", "Склады", "y", "other"),
        item("e", "товары", "z", ""),
    ]
    known, links = linked([root("b"), EXTENSION], objects)
    assert known["e"] == Base("b", "uuid", whole=False)
    assert [told(link) for link in links] == [
        ("b/Товары.xml", "uuid", None),
        (None, None, NO_OBJECT),
        (None, None, PARTIAL_BASE),
    ]


@pytest.mark.parametrize(
    ("configurations", "objects", "base"),
    [
        ([], [], Base(None, reason=NO_BASE)),
        (["b"], [], Base("b", "name")),
        (["b", "c"], [], Base(None, reason=SEVERAL_BASES)),
        # one of them has the adopted object
        (["b", "c"], [("b", "u1"), ("b", "u2")], Base("b", "uuid")),
        (["b", "c"], [("b", "u1")], Base("b", "uuid", whole=False)),
        # both have it: two copies of one configuration
        (["b", "c"], [("b", "u1"), ("c", "u1")], Base(None, reason=SEVERAL_BASES)),
        # only one has all that any of them has
        (["b", "c"], [("b", "u1"), ("c", "u1"), ("c", "u2")], Base("c", "uuid")),
        # each lacks what the other has
        (["b", "c"], [("b", "u1"), ("c", "u2")], Base(None, reason=SEVERAL_BASES)),
        (["b", "c"], [("b", "u9")], Base(None, reason=FOREIGN_BASE)),
        # an extension is no base
        (["b"], [("f", "u1")], Base(None, reason=FOREIGN_BASE)),
    ],
)
def test_the_base_is_proven_or_left_open(configurations: list[str], objects: list[tuple[str, str]], base: Base) -> None:
    adopted = [item("e", "А", "x", "u1"), item("e", "Б", "y", "u2")] if objects else [item("e", "А", "x", "")]
    facts = [item(place, f"О{uuid}", uuid) for place, uuid in objects]
    roots = [root(name) for name in configurations] + [root("f", "extension"), EXTENSION, root(".", "plain")]
    known, links = linked(roots, [*facts, *adopted])
    assert known["e"] == base
    if base.root is None:
        assert {told(link) for link in links} == {(None, None, base.reason)}


def test_two_objects_of_one_uuid_are_not_chosen_from() -> None:
    _, links = linked([root("b"), EXTENSION], [item("b", "А", "u"), item("b", "Б", "u"), item("e", "А", "x", "u")])
    assert [told(link) for link in links] == [(None, None, SEVERAL_OBJECTS)]


def test_facts_of_an_object() -> None:
    own = MetadataObject("Catalog", "А", "Catalog.А", "А.xml", "e", "u")
    assert facts_of(own) == ObjectFacts("e", "А.xml", "Catalog.А", "Справочник.А", "u", None)
    assert facts_of(replace(own, adopted=True)).extends == ""
    assert facts_of(replace(own, adopted=True, extends="b")).extends == "b"


def test_annotations_in_both_languages() -> None:
    annotations = [("НаСервере", None), ("Вместо", "А"), ("Перед", "Б"), ("после", "В"), ("ИзменениеИКонтроль", "Г")]
    english = [("AtServer", None), ("Around", "А"), ("Before", "Б"), ("AFTER", "В"), ("ChangeAndValidate", "Г")]
    expected = (("around", "А"), ("before", "Б"), ("after", "В"), ("change_and_validate", "Г"))
    assert changes_in(annotations) == changes_in(english) == expected


def change(owner: str | None, module: str, name: str | None, links: list[ObjectLink], base: Base) -> Change:
    """Return the link of one procedure to a base that has `А` in the object module and the form of `Товары`."""
    procedure = ModuleProcedure("e", "e.bsl", owner, module, "Моя", 0, (("after", name),))
    places = {
        ("b", "Справочник.Товары", "МодульОбъекта"),
        ("b", "Справочник.Товары.Форма.Список", "Форма"),
        ("b", "Конфигурация", "МодульСеанса"),
    }

    def inside(*place: str) -> Mapping[str, ModuleProcedure] | None:
        target = ModuleProcedure(place[0], "b.bsl", place[1], place[2], "А", 7)
        return {"а": target} if place in places else None

    (found,) = link_changes([procedure], {"e": base}, links, inside)
    return found


PROVEN = Base("b", "uuid")
LINK = ObjectLink(item("e", "Товары", "x", "u1"), item("b", "Товары", "u1"), "uuid")
RENAMED = ObjectLink(item("e", "Номенклатура", "x", "u1"), item("b", "Товары", "u1"), "uuid")
LOST = ObjectLink(item("e", "Товары", "x", "u1"), None, reason=NO_OBJECT)


@pytest.mark.parametrize(
    ("owner", "module", "name", "link", "base", "reason"),
    [
        ("Справочник.Товары", "МодульОбъекта", "а", LINK, PROVEN, None),
        ("Справочник.Номенклатура", "МодульОбъекта", "А", RENAMED, PROVEN, None),
        ("Справочник.Товары.Форма.Список", "Форма", "А", LINK, PROVEN, None),
        ("Конфигурация", "МодульСеанса", "А", LINK, PROVEN, None),
        ("Справочник.Товары", "МодульОбъекта", "Б", LINK, PROVEN, NO_PROCEDURE),
        ("Справочник.Товары", "МодульОбъекта", None, LINK, PROVEN, NO_NAME),
        ("Справочник.Товары", "МодульМенеджера", "А", LINK, PROVEN, NO_MODULE),
        ("Справочник.Товары.Форма.Выбор", "Форма", "А", LINK, PROVEN, NO_MODULE),
        ("Справочник.Склады", "МодульОбъекта", "А", LINK, PROVEN, NOT_ADOPTED),
        ("Справочник.Товары", "МодульОбъекта", "А", LOST, PROVEN, NO_OBJECT),
        ("Конфигурация", "МодульСеанса", "А", LINK, Base("b", "uuid", whole=False), PARTIAL_BASE),
        ("Конфигурация", "МодульСеанса", "А", LINK, Base(None, reason=SEVERAL_BASES), SEVERAL_BASES),
        (None, "Модуль", "А", LINK, PROVEN, NOT_ADOPTED),
    ],
)
def test_a_change_is_linked_or_told_missing(
    owner: str | None, module: str, name: str | None, link: ObjectLink, base: Base, reason: str | None
) -> None:
    found = change(owner, module, name, [link], base)
    assert (found.how, found.name, found.reason) == ("after", name, reason)
    assert (found.base.line if found.base else None, found.proof) == ((7, "uuid") if reason is None else (None, None))
