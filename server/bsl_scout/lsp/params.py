"""Parameters of our own requests: checked by hand, because pygls never answers what does not fit a type."""

from __future__ import annotations

from typing import Any, TypeVar

import attrs

from .server import invalid

P = TypeVar("P")


def checked(given: Any, kind: type[P]) -> P:
    """Return the parameters of a request; raises a clean error for what does not fit them."""
    if not isinstance(given, dict):
        raise invalid("parameters are an object")
    values: dict[str, Any] = {}
    for field in attrs.fields(kind):  # type: ignore[arg-type]
        if field.name not in given and _camel(field.name) not in given:
            continue
        value = given[field.name] if field.name in given else given[_camel(field.name)]
        expected = type(field.default) if isinstance(field.default, (str, int)) else list
        fits = isinstance(value, expected) and isinstance(value, bool) == (expected is bool)
        if not fits or (expected is list and not all(isinstance(one, str) for one in value)):
            names = {int: "a number", str: "a text", list: "a list of texts", bool: "true or false"}
            raise invalid(f"{field.name} must be {names[expected]}")
        values[field.name] = value
    return kind(**values)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
