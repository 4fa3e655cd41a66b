"""Texts and values as the catalog stores them."""

from __future__ import annotations

import json
import zlib


class DamagedCatalogError(Exception):
    """The file is no database, or not a whole one."""


_PLAIN_BYTES = 400


# a text of code fits into one byte a letter nearly always, and deflating half the bytes takes half the time
def pack(text: str) -> bytes:
    """Return a text as it is stored."""
    try:
        data, mark = text.encode("cp1251"), b"1"
    except UnicodeEncodeError:
        data, mark = text.encode(), b"8"
    # a short text gains little, and deflating it costs as much as a longer one
    return mark + (b"z" + zlib.compress(data, 1) if len(data) > _PLAIN_BYTES else b"=" + data)


def unpack(packed: bytes) -> str:
    """Return a stored text; raises DamagedCatalogError."""
    try:
        data = zlib.decompress(packed[2:]) if packed[1:2] == b"z" else packed[2:]
        return data.decode("cp1251" if packed[:1] == b"1" else "utf-8")
    except (zlib.error, UnicodeDecodeError) as error:
        raise DamagedCatalogError("a stored text is damaged") from error


# one encoder for all rows: json.dumps with options makes a new one each time
to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
