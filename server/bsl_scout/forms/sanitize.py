"""Takes what tells of the machine out of a text: absolute paths lose all but their useful tail.

Recognised: POSIX, Windows and UNC paths, `\\\\?\\`, `file:` addresses, `~`, `$HOME` and `%USERPROFILE%` with their kin.
Drive letters, hosts, shares and the names of users go; up to four last parts stay: `.../Catalog/Объект/Form`.
"""

from __future__ import annotations

import re

_KEPT = 4
# a text that is no path may follow a path at once
_STOP = r"\s\"'`<>|*?:;,(){}\[\]«»"
_PART = rf"[^{_STOP}/\\]"
# roots of file systems: a single step below `/` is taken for a path only with one of these names
_ROOTS = "home|root|tmp|usr|var|opt|mnt|media|etc|users|private|srv|proc|dev|run|volumes|work|data|workspace"
_START = rf"""
    file:/+(?:localhost/)?(?:[a-z](?::|%3a|\|)/+)?          # file:///C:/x, file:///x
  | (?<!\\)\\{{2,}}[?.]\\+(?:unc\\+)?(?:[a-z]:[\\/]*)?                     # \\?\C:\x, \\?\UNC\host\share
  | (?<![\w.])[a-z]:[\\/]+                                   # C:\x, C:/x
  | (?<![\w\\/.:])(?:\\{{2,}}(?={_PART})|//(?={_PART}+/{_PART}))  # \\host\share
  | (?<![\w.~/\\])~{_PART}*[\\/]                             # ~/x, ~user/x
  | (?<!\w)(?:\$\{{?\w+\}}?|%\w+%)[\\/]                       # $HOME/x, %USERPROFILE%\x
  | (?<![\w.~/\\<>)\]*&=?%+#-])/(?={_PART}+[\\/]+{_PART}|(?:{_ROOTS})(?![\w-]))   # /x/y, /root
"""
# a path goes on over a space as long as the next word has a separator: C:\Program Files\1cv8
_PATH = re.compile(
    rf"(?P<start>{_START})(?P<rest>(?:{_PART}|[\\/])*(?:\ +{_PART}+[\\/](?:{_PART}|[\\/])*)*)",
    re.IGNORECASE | re.VERBOSE,
)
_SEPARATORS = re.compile(r"[\\/]+")
_PEOPLE = frozenset({"home", "users", "documents and settings", "пользователи"})


def sanitize_paths(text: str) -> str:
    """Return a text without absolute paths; what was one becomes `.../` and its last parts. Idempotent."""
    return _PATH.sub(_tail, text)


def _tail(match: re.Match[str]) -> str:
    start, rest = match["start"].lower(), match["rest"]
    parts = [part for part in _SEPARATORS.split(rest) if part not in ("", ".", "..", "~")]
    trailing = len(rest) - len(rest.rstrip("."))
    end = "." * trailing if trailing and parts else ""
    if end:
        parts[-1] = parts[-1].rstrip(".")
    network = (start.startswith("\\\\") and "unc" in start) or re.fullmatch(r"\\{2,}|//", start) is not None
    if network:
        # the host and the share
        parts = parts[2:]
    if start == "/" and parts and parts[0].lower() == "root":
        parts = parts[1:]
    kept: list[str] = []
    skip = False
    for part in parts:
        if skip:
            skip = False
        elif part.lower() in _PEOPLE:
            # the next one is somebody's name
            skip = True
        elif part:
            kept.append(part)
    return "/".join(["...", *kept[-_KEPT:]]) + end
