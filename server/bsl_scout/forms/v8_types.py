"""Types of attributes, columns and parameters in the platform's own notation."""

from __future__ import annotations

from bsl_scout.configuration.braces import at, is_pattern, pattern

from .v8_uuids import FindUuid

# v8unpack writes this instead of the type of the object that the form belongs to
_OWNER = "Родитель"
_MARK = "Ref#"


def read_types(node: object, owner: str | None, find_uuid: FindUuid) -> tuple[str, ...]:
    """Return the types of a description; a uuid that is not known stays `Ref#<uuid>`.

    `owner` is the type of the owner's object (`CatalogObject.X`), None where there is none.
    """
    if not isinstance(node, list) or not is_pattern(node):
        return ()
    types: list[str] = []
    for item in node[1:]:
        if at(item, 0) == '"#"' and at(item, 1) == _OWNER:
            types += [owner] if owner else []
            continue
        for name in pattern(['"Pattern"', item])[0]:
            meaning = find_uuid(name.removeprefix(_MARK)) if name.startswith(_MARK) else None
            types.append(meaning.name if meaning and meaning.kind == "type" else name)
    return tuple(types)
