"""The one home of decoding, line numbers and case folding of BSL text."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

_UTF8_BOM = b"\xef\xbb\xbf"
_REPLACEMENT = "\ufffd"
# More NULs than this share of a file: an image of a compiled (password-protected) module, not text
_BINARY_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with line feeds only, and what was wrong with the bytes (None when nothing was)."""

    text: str
    problem: str | None = None


def decode(data: bytes) -> Decoded:
    """Return the text of a module's bytes; never raises.

    UTF-8 with or without a byte order mark and UTF-16 with one are read as such. Other bytes are
    Windows-1251 when they hold more letters that way, else UTF-8 with the broken bytes replaced.
    Carriage returns are normalised, so line numbers agree with an editor's and hashes ignore them.
    """
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        return Decoded("", "the module is empty")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", errors="replace")
        bad = text.count(_REPLACEMENT)
        return Decoded(unix(text), f"{bad} characters are not valid UTF-16" if bad else None)
    nuls = data.count(0)
    if nuls > len(data) * _BINARY_SHARE:
        return Decoded("", "binary content (a module protected by a password?), not read")
    problem = None
    if nuls:
        data = data.replace(b"\0", b" ")
        problem = f"{nuls} NUL bytes read as spaces"
    body = data
    try:
        return Decoded(_plain(body.decode("utf-8")), problem)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
    text = body.decode("utf-8", errors="replace")
    broken = text.count(_REPLACEMENT)
    if broken > sum(map(len, _runs_beyond_ascii(text))) - broken:
        return Decoded(
            _plain(body.removeprefix(_UTF8_BOM).decode("cp1251", errors="replace")), "not UTF-8, read as Windows-1251"
        )
    return Decoded(_plain(text), f"{broken} broken UTF-8 sequences, the first on line {line}, replaced")


def _runs_beyond_ascii(text: str) -> list[str]:
    return "".join(c if c > "\x7f" else " " for c in text).split()


def _plain(text: str) -> str:
    """Return the text without byte order marks at its beginning, other invisible marks as spaces."""
    text = text.lstrip("\ufeff")
    if "\ufeff" in text or "\u200b" in text:
        text = text.replace("\ufeff", " ").replace("\u200b", " ")
    return unix(text)


def unix(text: str) -> str:
    """Return a text with `\\n` at the end of each line."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def lower(text: str) -> str:
    """Return the text in lower case with every character at its old index."""
    low = text.lower()
    # a few letters (such as U+0130) become two in lower case and would shift all offsets
    return low if len(low) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


def fold(word: str) -> str:
    """Return the word as the index and name comparison know it: case-folded, ё as е."""
    return word.casefold().replace("ё", "е")


def content_hash(*parts: str) -> bytes:
    """Return a 16-byte digest of the parts; equal texts that differ in line ends only give equal digests."""
    # one long update: thousands of short ones take longer than the hashing itself
    data = "\0".join(parts).replace("\r", "").encode("utf-8", errors="surrogatepass")
    return blake2b(data, digest_size=16).digest()


def bytes_hash(*parts: bytes) -> bytes:
    """Return a 16-byte digest of files' bytes; carriage returns do not count."""
    return blake2b(b"\0".join(parts).replace(b"\r", b""), digest_size=16).digest()


class LineIndex:
    """Maps offsets of a text with line feeds to 0-based lines."""

    __slots__ = ("starts",)

    def __init__(self, text: str) -> None:
        characters = np.frombuffer(text.encode("utf-32-le", errors="surrogatepass"), "<u4")
        self.starts: list[int] = [0, *(np.flatnonzero(characters == ord("\n")) + 1).tolist()]

    def line(self, offset: int) -> int:
        """Return the 0-based line that holds the offset."""
        return bisect_right(self.starts, offset) - 1
