"""Reads `Ext/Form.bin` of an ordinary form: a v8 container with the form as a brace list and the module.

The library v8unpack is not used for it: it writes the parts into folders instead of returning them, and it
decodes only two of the layouts of an ordinary form. The container is small: a header of 16 bytes, then blocks of
`\\r\\n<size> <page> <next> \\r\\n` in hexadecimal and their bytes; the first block lists the addresses of name and
data of each part (formats.md 8).
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from .model import Form, FormPlace, FormWarning
from .v8_ordinary import read_ordinary
from .v8_uuids import FindUuid

SIGNATURE = b"\xff\xff\xff\x7f"
_END = 0x7FFFFFFF
_BLOCK = re.compile(rb"\r\n([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{8}) \r\n", re.IGNORECASE)
_HEADER_SIZE = 31
_CONTAINER_HEADER = 16
# created and modified (8 bytes each) and flags stand before the name of a part
_NAME_OFFSET = 20
_MAX_PARTS = 64
# more than any form measured; a chain of pages that goes on longer is broken
_MAX_BYTES = 64 * 1024 * 1024
_TOKEN = re.compile(r'"(?:[^"]|"")*"|[{},]|[^{},"]+')
_SPACE = re.compile(r"\s+")


class FormBinError(Exception):
    """The container or the brace list is broken; the text is fit for the user."""


@dataclass(frozen=True, slots=True)
class FormBin:
    """The parts of a Form.bin: the brace list of the form, and its module (None when there is none)."""

    form: list[object]
    module: str | None


def read_container(data: bytes) -> dict[str, bytes]:
    """Return the parts of a v8 container by name; raises FormBinError."""
    if data[:4] != SIGNATURE or len(data) < _CONTAINER_HEADER + _HEADER_SIZE:
        raise FormBinError("broken Form.bin: it does not begin as a v8 container")
    listing = _block(data, _CONTAINER_HEADER)
    parts: dict[str, bytes] = {}
    for name_at, data_at, end in struct.iter_unpack("<III", listing[: len(listing) // 12 * 12]):
        if end != _END:
            break
        if len(parts) >= _MAX_PARTS:
            raise FormBinError("broken Form.bin: too many parts")
        name = _block(data, name_at)[_NAME_OFFSET:].decode("utf-16-le", errors="replace").rstrip("\0")
        parts[name] = b"" if data_at == _END else _block(data, data_at)
    return parts


def _block(data: bytes, address: int) -> bytes:
    """Return the bytes of the block that begins at an address, following its chain of pages."""
    pieces: list[bytes] = []
    missing, seen = -1, set[int]()
    while address != _END:
        head = _BLOCK.match(data, address)
        if head is None or address in seen:
            raise FormBinError(f"broken Form.bin: no block at {address:#x}")
        seen.add(address)
        size, page, following = (int(part, 16) for part in head.groups())
        if missing < 0:
            missing = size
            if size > min(len(data), _MAX_BYTES):
                raise FormBinError("broken Form.bin: a block is larger than the file")
        piece = data[address + _HEADER_SIZE : address + _HEADER_SIZE + min(page, missing)]
        pieces.append(piece)
        missing -= len(piece)
        if missing <= 0:
            break
        address = following
    if missing > 0:
        raise FormBinError("broken Form.bin: a block ends too early")
    return b"".join(pieces)


def read_form_bin(data: bytes) -> FormBin:
    """Return the form and the module of a Form.bin; raises FormBinError when the form cannot be read."""
    parts = read_container(data)
    if "form" not in parts:
        raise FormBinError("broken Form.bin: it holds no form")
    try:
        text = parts["form"].decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormBinError("broken Form.bin: the form is not UTF-8") from error
    return FormBin(parse_braces(text), _module(parts))


def form_bin_module(data: bytes) -> str | None:
    """Return the text of the module inside a Form.bin, None when there is none; raises FormBinError.

    Where a dump has `Ext/Form/Module.bsl` beside the Form.bin, that file is the module.
    """
    return _module(read_container(data))


def _module(parts: dict[str, bytes]) -> str | None:
    if "module" not in parts:
        return None
    try:
        return parts["module"].decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormBinError("broken Form.bin: the module is not UTF-8") from error


def parse_braces(text: str) -> list[object]:
    """Return a brace list as nested lists of strings, string literals with their quotes; raises FormBinError.

    Never recursive: the depth is that of the data.
    """
    top: list[object] = []
    stack: list[list[object]] = [top]
    # whether a value was read since the last comma or opening brace
    filled = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "{":
            inner: list[object] = []
            stack[-1].append(inner)
            stack.append(inner)
            filled = False
        elif token == "}":
            if not filled and stack[-1]:
                stack[-1].append("")
            stack.pop()
            if not stack:
                raise FormBinError("broken Form.bin: a closing brace too many")
            filled = True
        elif token == ",":
            if not filled:
                stack[-1].append("")
            filled = False
        elif token[0] == '"':
            stack[-1].append(token)
            filled = True
        else:
            atom = _SPACE.sub("", token)
            if atom:
                stack[-1].append(atom)
                filled = True
    if len(stack) != 1 or len(top) != 1 or not isinstance(top[0], list):
        raise FormBinError("broken Form.bin: the braces of the form do not match")
    return top[0]


def read_ordinary_form(place: FormPlace, data: bytes, find_uuid: FindUuid) -> Form:
    """Return the ordinary form of a Form.bin; what cannot be read is told by a warning."""
    try:
        body = read_form_bin(data).form
    except FormBinError as error:
        return Form(place, warnings=(FormWarning("form-bin-broken", str(error)),))
    return read_ordinary(place, body, find_uuid)
