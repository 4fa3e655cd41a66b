"""How the command line shows its results: JSON shapes of the contract, and text for people."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bsl_scout.configuration.layout import Problem
from bsl_scout.configuration.model import MetadataObject, shown
from bsl_scout.features.symbols import symbol_kind
from bsl_scout.index.indexer import Progress as ShowProgress
from bsl_scout.index.indexer import Report
from bsl_scout.index.schema import ChunkRow
from bsl_scout.retrieval.metrics import METRICS
from bsl_scout.retrieval.router import Route
from bsl_scout.retrieval.search import Answer, Hit

_PROBLEM_LINES = 20


@contextmanager
def progress() -> Iterator[ShowProgress]:
    """Show a bar of files on standard error while the block runs; nothing when that is no terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("modules"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("modules", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def typed_lines() -> Iterator[str]:
    """Yield the lines of standard input, with a prompt when a person types them."""
    interactive = sys.stdin.isatty()
    while True:
        if interactive:
            print("\nfind logic> ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            return
        yield line.rstrip("\n")


def report_json(report: Report) -> dict[str, Any]:
    """Return the JSON of `index`."""
    changes = report.changes
    return {
        "roots": [
            {"id": r.id, "kind": r.kind, "format": r.format, "path": r.path, "name": r.name} for r in report.roots
        ],
        "files": report.files,
        "procedures": report.procedures,
        "objects": report.objects,
        # not counted before forms are read
        "forms": None,
        "chunks": {"code": report.code_chunks, "metadata": report.metadata_chunks, "form": 0},
        "changed": {
            "added": changes.added,
            "updated": changes.updated,
            "removed": changes.removed,
            "unchanged": changes.unchanged,
        },
        "seconds": report.seconds,
        "legs": ["lexical"],
        "rebuilt": report.rebuilt,
        "problems": [{"path": p.path, "message": p.message} for p in report.problems],
    }


def print_report(report: Report) -> None:
    """Print what `index` did; equal problems of many files are counted together."""
    changes = report.changes
    print(
        f"{report.files} modules, {report.procedures} procedures, {report.objects} objects, {report.chunks} chunks in "
        f"{report.seconds:.1f} s ({changes.added} added, {changes.updated} updated, "
        f"{changes.removed} removed, {changes.unchanged} unchanged)"
    )
    if report.rebuilt:
        print(f"rebuilt: {report.rebuilt}")
    print_problems(report.problems)


def print_problems(problems: Sequence[Problem]) -> None:
    """Print problems to standard error; equal ones of many files are counted together."""
    messages = Counter(problem.message for problem in problems)
    for message, times in messages.most_common(_PROBLEM_LINES):
        paths = [problem.path for problem in problems if problem.message == message]
        more = f" and {times - 1} more" if times > 1 else ""
        print(f"problem: {paths[0]}{more}: {message}", file=sys.stderr)
    if len(messages) > _PROBLEM_LINES:
        print(f"… {len(messages) - _PROBLEM_LINES} more kinds of problems, see --json", file=sys.stderr)


def answer_json(answer: Answer, route: Route, indexed: int, pending: int) -> dict[str, Any]:
    """Return the JSON of `search`; lines become 1-based."""
    return {
        "query": answer.query,
        "mode": answer.mode,
        "route": {"mode": route.mode, "reason": route.reason, "confidence": route.confidence},
        "legs": list(answer.legs),
        "convincing": answer.convincing,
        "fresh": {"indexed": indexed, "pending": pending},
        "elapsed_ms": answer.elapsed_ms,
        "hits": [_hit_json(hit) for hit in answer.hits],
    }


def _hit_json(hit: Hit) -> dict[str, Any]:
    return {
        "rank": hit.rank,
        "root": hit.root,
        "path": hit.path,
        "symbol": hit.symbol,
        "kind": hit.kind,
        "line": hit.line + 1,
        "end_line": hit.end_line + 1,
        "score": hit.score,
        "ranks": hit.ranks,
        "owner": hit.owner,
        "module": hit.module,
        "synonym": hit.synonym,
        "snippet": hit.snippet,
        "snippet_line": hit.snippet_line + 1,
        "also": [],
    }


def print_answer(answer: Answer) -> None:
    """Print the hits of a search for a person."""
    if not answer.hits:
        print("nothing found")
    elif not answer.convincing:
        print("nothing convincing found; the nearest:")
    for hit in answer.hits:
        place = f"{hit.owner} · {hit.words}" if hit.owner else hit.path
        print(f"{hit.rank:>3}. {hit.symbol}  [{place}]")
        print(f"     {hit.path}:{hit.line + 1}")
        if hit.snippet:
            print(f"     {hit.snippet}")
    print(f"     {answer.elapsed_ms:.1f} ms, legs: {', '.join(answer.legs)}", file=sys.stderr)


def symbol_json(row: ChunkRow) -> dict[str, Any]:
    """Return the JSON of one symbol; lines become 1-based."""
    if row.kind == "object":
        container = row.words
    elif row.title is not None:
        container = row.owner or row.path
    else:
        container = f"{row.owner}.{row.module}" if row.owner else row.path
    return {
        "name": row.name,
        "kind": symbol_kind(row),
        "container": container,
        "path": row.path,
        "line": row.line + 1,
        "end_line": row.end_line + 1,
        "export": row.export,
        "async": row.is_async,
    }


def object_json(item: MetadataObject) -> dict[str, Any]:
    """Return the JSON of one metadata object; lines become 1-based."""
    return {
        "name": item.russian_name,
        "name_en": item.full_name,
        "root": item.root,
        "path": item.path,
        "line": item.line + 1,
        "uuid": item.uuid,
        "synonym": shown(item.synonym),
        "synonyms": dict(item.synonym),
        "comment": item.comment,
        "types": list(item.types),
        "adopted": item.adopted,
        "flags": list(item.flags),
        "links": [{"relation": relation, "target": target} for relation, target in item.links],
        "fields": [
            {
                "name": part.name,
                "kind": part.kind,
                "parent": part.parent,
                "full_name": name,
                "synonym": shown(part.synonym),
                "types": list(part.types),
                "line": None if part.line is None else part.line + 1,
                **({"handler": part.handler} if part.handler else {}),
            }
            for name, part in item.named_fields()
        ],
    }


def print_object(item: MetadataObject, whole: bool) -> None:
    """Print an object for a person, with its fields when it is shown whole."""
    synonym = shown(item.synonym)
    print(f"{item.russian_name}{f'  ({synonym})' if synonym else ''}  {item.path}")
    if not whole:
        return
    for relation, target in item.links:
        print(f"    {relation}: {target}")
    for name, part in item.named_fields():
        title = shown(part.synonym)
        types = ", ".join(part.types)
        short = name.removeprefix(item.russian_name + ".")
        print(f"    {short}{f'  ({title})' if title else ''}{f': {types}' if types else ''}")


def print_evaluation(report: dict[str, Any]) -> None:
    """Print the tables of an evaluation."""
    console = Console(width=140, soft_wrap=True)
    table = Table("mode", "level", "questions", *METRICS, title="means with 95 % intervals")
    for mode, levels in report["modes"].items():
        for level in ("file", "symbol"):
            groups = {"all": levels[level]["all"], **levels[level]["by_kind"]}
            for name, values in groups.items():
                row = [_cell(values[metric]) for metric in METRICS]
                table.add_row(mode, f"{level} {name}", str(values["questions"]), *row)
    console.print(table)
    for mode, values in report["modes"].items():
        none, latency = values["none"], values["latency_ms"]
        print(
            f"{mode}: {none['flagged']} of {none['total']} questions without an answer are called not "
            f"convincing; p50 {latency['p50']} ms, p95 {latency['p95']} ms"
        )
    for row in report["paired"]:
        print(f"{row['a']} - {row['b']}, {row['level']} {row['metric']}: {_cell(row)}")


def _cell(value: dict[str, float | None]) -> str:
    if value["mean"] is None:
        return "-"
    return f"{value['mean']:.3f} [{value['low']:.3f};{value['high']:.3f}]"
