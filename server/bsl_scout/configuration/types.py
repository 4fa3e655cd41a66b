"""Types by uuid: those of the platform, and the resolution of `Ref#<uuid>` over the objects of a root."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from .model import MetadataField, MetadataObject

# Platform types as a Designer dump spells them (v8unpack.md 1.6; the references to all objects of a kind also
# by public readers of configurations that agree with each other)
PLATFORM_TYPES = dict(
    line.split()
    for line in """
acf6192e-81ca-46ef-93a6-5a6968b78663 ValueTable
4772b3b4-f4a3-49c0-a1a5-8cb5961511a3 ValueListType
fc01b5df-97fe-449b-83d4-218a090e681e UUID
2fdc88ec-7c9b-43cd-8ba5-873f043bdd88 StandardPeriod
e603c0f2-92fb-4d47-8f38-a44a381cf235 ValueTree
e199ca70-93cf-46ce-a54b-6edc88c3a296 ValueStorage
280f5f0e-9c8a-49cc-bf6d-4d296cc17a63 AnyIBRef
38bfd075-3e63-4aaa-a93e-94521380d579 DocumentRef
e61ef7b8-f3e1-4f4b-8ac7-676e90524997 CatalogRef
214fa4d8-6ba4-4748-a5e1-6332b5887780 BusinessProcessRef
0a52f9de-73ea-4507-81e8-66217bead73a ExchangePlanRef
474c3bf6-08b5-4ddc-a2ad-989cedf11583 EnumRef
6291e9b3-8df5-44e1-b6b2-d9fe008016c0 TaskRef
99892482-ed55-4fb5-a7f7-20888820a758 ChartOfCharacteristicTypesRef
ac606d60-0209-4159-8e4c-794bc091ce38 ChartOfAccountsRef
b1b064f3-ae38-49bf-8c6d-390c65fd94af ComparisonType
cab0d12b-3c88-4993-8edc-8c3827cadc7d SettingsComposer
65abad24-838b-4987-8b35-ed9e2bd4d9c8 DynamicList
""".strip().splitlines()
)
_MARK = "Ref#"
_REF = re.compile(r"Ref#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")


def names_by_uuid(item: MetadataObject) -> dict[str, str]:
    """Return what an object lends a name to: its generated types, and itself for links."""
    names = dict(item.generated)
    if item.uuid:
        names[item.uuid] = item.full_name
    return names


def unresolved(item: MetadataObject) -> frozenset[str]:
    """Return the uuids that an object's types and links still name by `Ref#`."""
    types = [name for part in item.fields for name in part.types]
    targets = [target for _, target in item.links]
    return frozenset(uuid for text in (*item.types, *types, *targets) if _MARK in text for uuid in _REF.findall(text))


def resolved(item: MetadataObject, names: Mapping[str, str]) -> MetadataObject:
    """Return the object with each `Ref#<uuid>` in `names` replaced; an unknown uuid stays as it is."""
    if not any(uuid in names for uuid in unresolved(item)):
        return item

    def name(text: str) -> str:
        return _REF.sub(lambda match: names.get(match[1], match[0]), text) if _MARK in text else text

    def field(part: MetadataField) -> MetadataField:
        types = tuple(map(name, part.types))
        return part if types == part.types else replace(part, types=types)

    return replace(
        item,
        types=tuple(map(name, item.types)),
        fields=tuple(map(field, item.fields)),
        links=tuple((relation, name(target)) for relation, target in item.links),
    )


def resolve_types(objects: Sequence[MetadataObject]) -> list[MetadataObject]:
    """Return the objects with the types and links resolved that an object of the same root names."""
    by_root: dict[str, dict[str, str]] = {}
    if any(unresolved(item) for item in objects):
        by_root = _names(objects)
    return [resolved(item, by_root.get(item.root, {})) for item in objects]


def _names(objects: Iterable[MetadataObject]) -> dict[str, dict[str, str]]:
    by_root: dict[str, dict[str, str]] = {}
    for item in objects:
        by_root.setdefault(item.root, {}).update(names_by_uuid(item))
    return by_root
