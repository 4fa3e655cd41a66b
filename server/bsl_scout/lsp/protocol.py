"""The messages of BSL Scout beyond the language server protocol; extension/src/protocol.ts and methods.ts mirror them.

Wire types are attrs classes: pygls writes their fields in camelCase. Every field of parameters has a default; no
field of a result has one, because pygls leaves out what equals its default.
"""

from __future__ import annotations

from typing import Any

import attrs
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

from .editor_documents import EditorWorkspace

DIAGNOSTICS = "bslScout/diagnostics"
FIND_LOGIC = "bslScout/findLogic"
INDEX_STATUS = "bslScout/indexStatus"
LOG_LEVEL = "bslScout/logLevel"
FORM_CONTEXT = "bslScout/formContext"
FORMS = "bslScout/forms"
OBJECT_NAMES = "bslScout/objectNames"
PROCEDURE_CONTEXT = "bslScout/procedureContext"
REBUILD_INDEX = "bslScout/rebuildIndex"
STOP_INDEXING = "bslScout/stopIndexing"
_REQUESTS = frozenset(
    {DIAGNOSTICS, FIND_LOGIC, FORM_CONTEXT, FORMS, OBJECT_NAMES, PROCEDURE_CONTEXT, REBUILD_INDEX, STOP_INDEXING}
)


@attrs.frozen
class FindLogicParams:
    """What is asked: `mode`, `top` and `collection` as on the command line.

    With a `uri` and a 1-based `line` the procedure there is asked about instead of the query: what is similar to it.
    """

    query: str = ""
    mode: str = "auto"
    top: int = 20
    collection: str = "all"
    uri: str = ""
    line: int = 0


@attrs.frozen
class ObjectNamesParams:
    """The beginning of an object's name or synonym, after the `@` of a query."""

    query: str = ""
    limit: int = 50


@attrs.frozen
class ScoutRequest:
    """A request of ours."""

    id: int | str
    method: str
    # taken as it comes and checked by the handler: pygls never answers parameters that do not fit a type
    params: Any = None
    jsonrpc: str = "2.0"


@attrs.frozen
class WireRoute:
    """Which mode answered and why: `code` is the name of the reason, for a client that tells it in its own words.

    `names` are what the reason tells: a name that no object has and those like it, or modules that are not here.
    """

    mode: str
    reason: str
    confidence: float
    code: str
    names: list[str]


@attrs.frozen
class Freshness:
    """How many modules are indexed and how many wait."""

    indexed: int
    pending: int


@attrs.frozen
class WireCopy:
    """Another place of the same code as a hit's."""

    path: str
    symbol: str
    line: int


@attrs.frozen
class WireHit:
    """One hit; lines and columns are 1-based, `matches` are UTF-16 spans inside the snippet.

    `translated`: what a span holds when it translates words of the query, with these words.
    """

    rank: int
    root: str
    path: str
    uri: str
    symbol: str
    kind: str
    line: int
    end_line: int
    column: int
    score: float
    ranks: dict[str, int]
    owner: str | None
    module: str
    words: str
    synonym: str | None
    snippet: str
    snippet_line: int
    matches: list[list[int]]
    also: list[WireCopy]
    translated: dict[str, str]


@attrs.frozen
class FindLogicResult:
    """The answer to a query."""

    query: str
    mode: str
    route: WireRoute
    legs: list[str]
    convincing: bool
    fresh: Freshness
    elapsed_ms: float
    hits: list[WireHit]


@attrs.frozen
class WireObjectName:
    """An object to narrow a query to: its full Russian name, and what people call it."""

    name: str
    title: str


@attrs.frozen
class ObjectNamesResult:
    """The objects that answer, the best first."""

    names: list[WireObjectName]


@attrs.frozen
class FormContextParams:
    """Which forms: their ids or relative paths, or the document (source or module) of one."""

    uri: str = ""
    forms: list[str] = attrs.Factory(list)
    sections: list[str] = attrs.Factory(lambda: ["form", "summary", "bsl"])
    max_chars: int = -1
    question: str = ""


@attrs.frozen
class FormContextResult:
    """The text of forms for the chat of an LLM, and how whole it is."""

    text: str
    forms: list[str]
    characters: int
    tokens: int
    warnings: list[str]
    left_out_rows: int
    left_out_procedures: int
    left_out_forms: list[str]


@attrs.frozen
class FormsParams:
    """The beginning of a form's name, id or synonym, and the document in front."""

    query: str = ""
    limit: int = 200
    uri: str = ""


@attrs.frozen
class WireForm:
    """A form to choose: its Russian id, what object and form are called, its source."""

    id: str
    title: str
    path: str
    uri: str


@attrs.frozen
class FormsResult:
    """The forms that answer, the best first; `current` is the id of the form that the document belongs to, or ""."""

    forms: list[WireForm]
    current: str


@attrs.frozen
class ProcedureContextParams:
    """Which procedure: a module and a 1-based line of it; at most so many characters, -1 for no limit."""

    uri: str = ""
    line: int = 0
    max_chars: int = -1


@attrs.frozen
class ProcedureContextResult:
    """The text of a procedure for the chat of an LLM, and what is left out of it."""

    text: str
    name: str
    characters: int
    tokens: int
    left_out_lines: int
    left_out_calls: int
    left_out_callers: int
    left_out_object_rows: int


@attrs.frozen
class WireAdaptation:
    """How far the model is adapted to the folders: off, waiting, training, embedding, ready or refused.

    `done` and `total` are steps of the stage, `gain` what the test gained (0 to 1), `weight` that of the vectors;
    of several folders in the same state those of the first.
    """

    state: str
    done: int
    total: int
    gain: float
    weight: float
    reason: str


@attrs.frozen
class WireProgress:
    """How many files of a stage (objects, then modules) are done, and of how many; the stage is empty in between."""

    stage: str
    done: int
    total: int


@attrs.frozen
class IndexStatus:
    """The state of all indexes: starting, indexing, ready, failed, locked, empty, missing or full."""

    state: str
    indexed: int
    pending: int
    progress: WireProgress
    legs: list[str]
    message: str
    adaptation: WireAdaptation


@attrs.frozen
class WireRoot:
    """Sources that were found below a folder."""

    name: str
    kind: str
    format: str
    path: str


@attrs.frozen
class WireVectors:
    """The vectors of an index and the models that made them; empty names stand for the BSL model."""

    count: int
    missing: int
    dimensions: int
    model: str
    wanted: str
    adapted: bool


@attrs.frozen
class WireProblem:
    """What is wrong with a file, in the client's language; `line` is 1-based, null where none is known."""

    path: str
    message: str
    kind: str
    line: int | None


@attrs.frozen
class WireContent:
    """What an index holds; moments are UTC in ISO 8601, null where they are not known."""

    roots: list[WireRoot]
    files: int
    procedures: int
    objects: int
    forms: int
    code_chunks: int
    metadata_chunks: int
    vectors: WireVectors
    created: str | None
    refreshed: str | None
    walked: str | None
    pending: int
    problems: list[WireProblem]


@attrs.frozen
class FolderDiagnostics:
    """A folder: how the server sees it, and its index as it is on disk; `content` is null where it cannot be read."""

    name: str
    uri: str
    state: str
    message: str
    indexed: int
    pending: int
    progress: WireProgress
    waiting: int
    legs: list[str]
    store: str
    store_problem: str
    encoder_problem: str
    adaptation: WireAdaptation
    index: str
    index_problem: str
    bytes: dict[str, int]
    content: WireContent | None


@attrs.frozen
class WireError:
    """A warning or an error of the server's log, without paths of this machine; `at` is UTC in ISO 8601."""

    at: str
    level: str
    message: str


@attrs.frozen
class WireVersions:
    """What the server runs on."""

    server: str
    python: str
    sqlite: str
    system: str


@attrs.frozen
class DiagnosticsResult:
    """All folders, the last warnings and errors (the newest first), the versions."""

    folders: list[FolderDiagnostics]
    errors: list[WireError]
    versions: WireVersions


class ScoutProtocol(LanguageServerProtocol):
    """Tells pygls the types of our requests, and answers those that do not fit theirs."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as an object; pygls would leave a request that does not fit its type without an answer."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            number = data.get("id")
            if "method" in data and isinstance(number, int | str) and not isinstance(number, bool):
                self._send_response(number, error=error.to_response_error())
            raise

    def count_lines_as_editors(self) -> None:
        """Have changes of documents applied to lines as clients count them."""
        made = self.workspace
        folders = list(made.folders.values())
        self._workspace = EditorWorkspace(
            made.root_uri, self._server._text_document_sync_kind, folders, made.position_encoding
        )

    def get_message_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        """Return the type of a request's message."""
        return ScoutRequest if method in _REQUESTS else super().get_message_type(method)
