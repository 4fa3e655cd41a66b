"""Metadata objects by their full names."""

from __future__ import annotations

from collections.abc import Sequence

from bsl_scout.bsl.text import fold
from bsl_scout.configuration.model import MetadataObject


def named_objects(objects: Sequence[MetadataObject], name: str) -> list[MetadataObject]:
    """Return the objects with this full name, Russian or English, case and ё aside; several roots may have it."""
    wanted = fold(name)
    return [item for item in objects if wanted in (fold(item.full_name), fold(item.russian_name))]
