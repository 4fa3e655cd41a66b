"""How the command line shows an index: what a refresh did to it, and what there is to tell about it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from typing import Any

from bsl_scout.configuration.layout import Problem
from bsl_scout.features.adaptation import Adaptation
from bsl_scout.features.diagnostics import Content, IndexFacts, versions
from bsl_scout.index.indexer import Report
from bsl_scout.output import print_problems


def show(facts: IndexFacts, report: Report | None, adaptation: Adaptation | None, as_json: bool) -> None:
    """Print an index, after a refresh what that did; without one the adaptation is the one that is noted in it."""
    if as_json:
        print(json.dumps(index_json(facts, report, adaptation), ensure_ascii=False, indent=1))
    elif report:
        print_report(report, adaptation)
    else:
        print_facts(facts)


def index_json(facts: IndexFacts, report: Report | None, adaptation: Adaptation | None) -> dict[str, Any]:
    """Return the JSON of `index`; `report` is None when nothing was refreshed."""
    content = facts.content
    if report is None and content:
        adaptation = content.adaptation
    return {
        **(_content_json(content) if content else {}),
        "changed": report and asdict(report.changes),
        "seconds": report and report.seconds,
        "adaptation": _adaptation_json(adaptation),
        "rebuilt": report and report.rebuilt,
        "index": {
            "state": facts.state,
            "problem": facts.problem,
            "bytes": facts.bytes,
            **(
                {name: getattr(content, name) for name in ("created", "refreshed", "walked", "pending")}
                if content
                else {}
            ),
        },
        "versions": asdict(versions()),
    }


def _content_json(content: Content) -> dict[str, Any]:
    return {
        "roots": [
            {"id": r.id, "kind": r.kind, "format": r.format, "path": r.path, "name": r.name} for r in content.roots
        ],
        "files": content.files,
        "procedures": content.procedures,
        "objects": content.objects,
        "forms": content.forms,
        "chunks": {"code": content.code_chunks, "metadata": content.metadata_chunks, "form": 0},
        "vectors": asdict(content.vectors),
        "legs": ["lexical", "vector"] if content.vectors.count and not content.vectors.missing else ["lexical"],
        "problems": [asdict(problem) for problem in content.problems],
    }


def _adaptation_json(told: Adaptation | None) -> dict[str, Any]:
    if told is None:
        return {"state": "off"}
    shown = ("state", "reason", "questions", "before", "after", "low", "high", "weight")
    return {name: getattr(told, name) for name in shown}


def print_report(report: Report, adaptation: Adaptation | None) -> None:
    """Print what `index` did; equal problems of many files are counted together."""
    changes = report.changes
    print(
        f"{report.files} modules, {report.procedures} procedures, {report.objects} objects, {report.chunks} chunks in "
        f"{report.seconds:.1f} s ({changes.added} added, {changes.updated} updated, "
        f"{changes.removed} removed, {changes.unchanged} unchanged)"
    )
    if report.rebuilt:
        print(f"rebuilt: {report.rebuilt}")
    if adaptation:
        tested = f"{adaptation.before:.3f} to {adaptation.after:.3f} on {adaptation.questions} doc sentences"
        reason = f", {adaptation.reason}" if adaptation.reason else ""
        print(f"adapted model: {adaptation.state}{reason} ({tested})")
    print_problems(report.problems)


def print_facts(facts: IndexFacts) -> None:
    """Print what there is to tell about an index; equal problems of many files are counted together."""
    size = sum(facts.bytes.values()) / 1e6
    reason = f" ({facts.problem})" if facts.problem else ""
    print(f"index: {facts.state}{reason}, {size:.1f} MB")
    content = facts.content
    if content is None:
        return
    for root in content.roots:
        print(f"{root.kind} {root.name}, {root.format}: {root.path}")
    chunks = content.code_chunks + content.metadata_chunks
    print(
        f"{content.files} modules, {content.procedures} procedures, {content.objects} objects, {content.forms} forms, "
        f"{chunks} chunks, {content.vectors.count} vectors of {content.vectors.model or 'the BSL model'}"
    )
    told = (content.created, content.refreshed, content.walked)
    made, refreshed, walked = (one or "not known" for one in told)
    print(f"made: {made}; refreshed: {refreshed}; all sources looked at: {walked}; waiting: {content.pending}")
    kinds = Counter(problem.kind for problem in content.problems)
    if kinds:
        print(f"problems: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}", file=sys.stderr)
    print_problems([Problem(problem.path, problem.message) for problem in content.problems])
