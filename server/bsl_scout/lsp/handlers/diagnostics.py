"""bslScout/diagnostics: the state of every folder with its index, the last errors, the versions."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

import attrs

from bsl_scout.features.diagnostics import DAMAGED, Content, IndexFacts, index_facts, moment, versions
from bsl_scout.forms.sanitize import sanitize_paths

from ..convert import uri_of
from ..folder import Folder
from ..problem_texts import problem_text
from ..protocol import (
    DiagnosticsResult,
    FolderDiagnostics,
    WireAdaptation,
    WireContent,
    WireError,
    WireProblem,
    WireProgress,
    WireRoot,
    WireVectors,
    WireVersions,
)
from ..server import ScoutServer, legs_of


async def on_diagnostics(ls: ScoutServer, given: Any) -> DiagnosticsResult:
    """Return what there is to tell; a folder whose index cannot be read says so and hides no other."""
    folders = list(ls.folders.all.values())
    facts = await ls.in_background(ls.navigating, partial(_facts, folders))
    own = versions()
    for folder, one in zip(folders, facts, strict=True):
        if one.state == DAMAGED and folder.state in ("ready", "failed", "paused"):
            # nobody else may have read what is damaged
            folder.tell_damaged()
    return DiagnosticsResult(
        [_folder(ls, folder, one) for folder, one in zip(folders, facts, strict=True)],
        [WireError(moment(one.at) or "", one.level, one.message) for one in ls.log.last()],
        WireVersions(own.server, own.python, own.sqlite, own.system),
    )


def _facts(folders: list[Folder], cancelled: threading.Event) -> list[IndexFacts]:
    facts = []
    for folder in folders:
        # under a lock that `close` waits for: a file that is open here could not be deleted on Windows
        with folder.symbols_lock:
            facts.append(index_facts(folder.index))
    return facts


def _folder(ls: ScoutServer, folder: Folder, facts: IndexFacts) -> FolderDiagnostics:
    store, told = ls.folders.store, folder.adaptation
    return FolderDiagnostics(
        name=folder.top.name,
        # what paths are relative to
        uri=uri_of(folder.base),
        state=folder.state,
        message=sanitize_paths("; ".join(ls.messages([folder]))),
        indexed=folder.indexed,
        pending=folder.pending,
        progress=WireProgress(*folder.stage),
        waiting=len(folder.wanted),
        legs=legs_of([folder]),
        store=f"{store.kind}-server" if store.url else store.kind,
        store_problem=folder.source_problem,
        encoder_problem=folder.encoder_problem,
        adaptation=WireAdaptation(told.state, told.done, told.total, told.gain, told.weight, told.reason),
        index=facts.state,
        index_problem=facts.problem,
        bytes=facts.bytes,
        content=_content(facts.content, ls.locale) if facts.content else None,
    )


def _content(content: Content, locale: str) -> WireContent:
    vectors = content.vectors
    return WireContent(
        roots=[WireRoot(root.name, root.kind, root.format, root.path) for root in content.roots],
        vectors=WireVectors(**{field.name: getattr(vectors, field.name) for field in attrs.fields(WireVectors)}),
        problems=[
            WireProblem(one.path, problem_text(one.message, locale), one.kind, one.line) for one in content.problems
        ],
        **{name: getattr(content, name) for name in _SAME},
    )


_SAME = tuple(field.name for field in attrs.fields(WireContent) if field.name not in ("roots", "vectors", "problems"))
