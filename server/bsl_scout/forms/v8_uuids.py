"""What a uuid of the metadata means: an object, a field of it, a generated type."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bsl_scout.configuration.model import MetadataObject


@dataclass(frozen=True, slots=True)
class UuidMeaning:
    """The thing a uuid belongs to.

    `kind` is that of the field (`attribute`, `tabular_section`, `command`, …), `object` or `type`; `name` the name
    of the field, the full name of the object (`Catalog.X`) or of the type (`CatalogRef.X`); `owner` the full name
    of the object a field stands in, `parent` the tabular section, `types` the types of the field.
    """

    kind: str
    name: str
    owner: str
    parent: str | None = None
    types: tuple[str, ...] = ()


# None when the sources have no such uuid, or several that mean different things
FindUuid = Callable[[str], UuidMeaning | None]


def uuid_meanings(objects: Iterable[MetadataObject]) -> dict[str, UuidMeaning | None]:
    """Return what each uuid of the objects of one root means, None for one that means several things."""
    found: dict[str, UuidMeaning | None] = {}

    def tell(uuid: str | None, meaning: UuidMeaning) -> None:
        if uuid:
            found[uuid] = meaning if found.get(uuid, meaning) == meaning else None

    for item in objects:
        tell(item.uuid, UuidMeaning("object", item.full_name, item.full_name))
        for uuid, name in item.generated.items():
            tell(uuid, UuidMeaning("type", name, item.full_name))
        for part in item.fields:
            tell(part.uuid, UuidMeaning(part.kind, part.name, item.full_name, part.parent, part.types))
    return found
