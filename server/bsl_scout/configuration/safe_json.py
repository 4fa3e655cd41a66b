"""Safe reading of JSON: bounded size and depth, errors in words fit for the user."""

from __future__ import annotations

import json
from pathlib import Path

from .safe_xml import MAX_BYTES


class JsonError(Exception):
    """The file could not be read; the text is fit for the user and names no path."""


def read_json(path: Path) -> dict[str, object]:
    """Return the object of a JSON file; raises JsonError, also when the file holds anything but an object."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise JsonError(f"not read: {size // (1024 * 1024)} MB is too large for JSON of a configuration")
        data = path.read_bytes()
    except OSError as error:
        raise JsonError(f"not read: {error.strerror or type(error).__name__}") from error
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise JsonError("broken JSON: not UTF-8") from error
    except json.JSONDecodeError as error:
        raise JsonError(f"broken JSON: {error.msg}, line {error.lineno}") from error
    except (ValueError, RecursionError) as error:
        # a number of thousands of digits, lists in lists without end
        reason = "nested too deep" if isinstance(error, RecursionError) else "a number is too long"
        raise JsonError(f"broken JSON: {reason}") from error
    if not isinstance(value, dict):
        raise JsonError("broken JSON: an object is expected")
    return value
