"""The log of the server: on standard error from the level that the client wants, and its last warnings at hand."""

from __future__ import annotations

import logging
import sys
from collections import deque
from dataclasses import dataclass

from bsl_scout.forms.sanitize import sanitize_paths

# as the editor calls them; `trace` tells no more than `debug`: the messages of the protocol are traced by the client
LEVELS = {
    "off": logging.CRITICAL + 1,
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
    "trace": logging.DEBUG,
}
_KEPT, _MOST_CHARACTERS = 20, 500


@dataclass(frozen=True, slots=True)
class Told:
    """A record of the log that may be shown to anyone: `at` in seconds since 1970, `level` error or warning."""

    at: float
    level: str
    message: str


class ServerLog(logging.Handler):
    """Keeps the last warnings and errors, without absolute paths, whatever level the log on standard error has."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._last: deque[Told] = deque(maxlen=_KEPT)
        self._stream = logging.StreamHandler(sys.stderr)
        self._stream.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))

    def start(self) -> None:
        """Take in the log of this process."""
        root = logging.getLogger()
        root.addHandler(self)
        root.addHandler(self._stream)
        # it would write whole messages, with the texts of modules
        logging.getLogger("pygls").setLevel(logging.WARNING)
        self.set_level("info")

    def set_level(self, name: str) -> None:
        """Log on standard error from a level on: off, error, warning, info, debug or trace; another name is ignored."""
        level = LEVELS.get(name)
        if level is None:
            return
        self._stream.setLevel(level)
        # what is kept does not depend on what is shown
        logging.getLogger().setLevel(min(level, logging.WARNING))

    def last(self) -> list[Told]:
        """Return the last warnings and errors, the newest first."""
        return list(reversed(self._last))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record as one line; a longer one is cut and says so."""
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            text = f"{text}: {type(error).__name__}: {error}"
        line = sanitize_paths(" ".join(text.split()))
        if len(line) > _MOST_CHARACTERS:
            line = f"{line[:_MOST_CHARACTERS]}… (+{len(line) - _MOST_CHARACTERS})"
        level = "error" if record.levelno >= logging.ERROR else "warning"
        self._last.append(Told(record.created, level, line))
