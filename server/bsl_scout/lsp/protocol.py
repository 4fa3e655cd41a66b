"""The messages of BSL Scout beyond the language server protocol; extension/src/protocol.ts mirrors them.

Wire types are attrs classes: pygls writes their fields in camelCase. Every field has a default, because a
request whose parameters do not fit is never answered.
"""

from __future__ import annotations

from typing import Any

import attrs
from pygls.protocol import LanguageServerProtocol

FIND_LOGIC = "bslScout/findLogic"
INDEX_STATUS = "bslScout/indexStatus"
REBUILD_INDEX = "bslScout/rebuildIndex"


@attrs.frozen
class FindLogicParams:
    """What is asked: `mode`, `top` and `collection` as on the command line."""

    query: str = ""
    mode: str = "auto"
    top: int = 20
    collection: str = "all"


@attrs.frozen
class FindLogicRequest:
    """The request around FindLogicParams."""

    id: int | str
    params: FindLogicParams = attrs.field(factory=FindLogicParams)
    method: str = FIND_LOGIC
    jsonrpc: str = "2.0"


@attrs.frozen
class RebuildIndexParams:
    """Nothing to say."""


@attrs.frozen
class RebuildIndexRequest:
    """The request around RebuildIndexParams."""

    id: int | str
    params: RebuildIndexParams = attrs.field(factory=RebuildIndexParams)
    method: str = REBUILD_INDEX
    jsonrpc: str = "2.0"


@attrs.frozen
class WireRoute:
    """Which mode answered and why."""

    mode: str = ""
    reason: str = ""
    confidence: float = 0.0


@attrs.frozen
class Freshness:
    """How many modules are indexed and how many wait."""

    indexed: int = 0
    pending: int = 0


@attrs.frozen
class WireHit:
    """One hit; lines and columns are 1-based, `matches` are UTF-16 spans inside the snippet."""

    rank: int = 0
    root: str = ""
    path: str = ""
    uri: str = ""
    symbol: str = ""
    kind: str = ""
    line: int = 1
    end_line: int = 1
    column: int = 1
    score: float = 0.0
    ranks: dict[str, int] = attrs.field(factory=dict)
    owner: str | None = None
    module: str = ""
    words: str = ""
    synonym: str | None = None
    snippet: str = ""
    snippet_line: int = 1
    matches: list[list[int]] = attrs.field(factory=list)
    also: list[str] = attrs.field(factory=list)


@attrs.frozen
class FindLogicResult:
    """The answer to a query."""

    query: str = ""
    mode: str = ""
    route: WireRoute = attrs.field(factory=WireRoute)
    legs: list[str] = attrs.field(factory=list)
    convincing: bool = False
    fresh: Freshness = attrs.field(factory=Freshness)
    elapsed_ms: float = 0.0
    hits: list[WireHit] = attrs.field(factory=list)


@attrs.frozen
class IndexStatus:
    """The state of all indexes: starting, indexing, ready, failed, locked or empty."""

    state: str = "starting"
    indexed: int = 0
    pending: int = 0
    legs: list[str] = attrs.field(factory=list)
    message: str = ""


class ScoutProtocol(LanguageServerProtocol):
    """Tells pygls the types of our requests."""

    def get_message_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        """Return the type of a request's message."""
        own = {FIND_LOGIC: FindLogicRequest, REBUILD_INDEX: RebuildIndexRequest}
        return own.get(method) or super().get_message_type(method)
