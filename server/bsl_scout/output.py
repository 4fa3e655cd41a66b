"""How the command line shows its results: JSON shapes of the contract, and text for people."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bsl_scout.configuration.chosen_roots import WrongRoot
from bsl_scout.configuration.layout import Problem
from bsl_scout.configuration.model import MetadataField, MetadataObject, shown
from bsl_scout.features.symbols import symbol_kind
from bsl_scout.forms.model import Column, Form, FormCommand, FormPlace, FormWarning, Handler
from bsl_scout.forms.sources import FormFiles
from bsl_scout.index.indexer import Progress as ShowProgress
from bsl_scout.index.indexer import StageProgress
from bsl_scout.index.schema import ChunkRow
from bsl_scout.retrieval.hits import Hit
from bsl_scout.retrieval.metrics import METRICS
from bsl_scout.retrieval.router import Route
from bsl_scout.retrieval.search import Answer

_PROBLEM_LINES = 20
# what is outside procedures has no name of its own
_OUTSIDE = {"<header>": "head of the module", "<body>": "body of the module"}
# what makes a folder one of sources, as the editor tells it too
_LOOKED_FOR = "Configuration.xml/.mdo/.json, ExternalDataProcessor, ExternalReport, *.bsl, *.os"
NO_SOURCES = f"no 1C sources here; looked for {_LOOKED_FOR}"


@contextmanager
def progress() -> Iterator[ShowProgress]:
    """Show a bar on standard error while the block runs; nothing when that is no terminal."""
    with index_progress() as (_, show):
        yield show


@contextmanager
def index_progress() -> Iterator[tuple[StageProgress, ShowProgress]]:
    """Show bars of objects, modules and vectors on standard error, each once there is something to do."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        tasks = {name: bar.add_task(name, total=None, visible=False) for name in ("objects", "modules", "vectors")}

        def show(stage: str, done: int, total: int) -> None:
            bar.update(tasks[stage], completed=done, total=total, visible=True)

        yield show, partial(show, "vectors")


@contextmanager
def training_progress() -> Iterator[Callable[[int, int, float], None]]:
    """Show a bar of training steps with their loss on standard error while the block runs."""
    console = Console(stderr=True)
    columns = (TextColumn("steps"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[loss]:.3f}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("steps", total=None, loss=0.0)
        yield lambda step, steps, loss: bar.update(task, completed=step, total=steps, loss=loss)


@contextmanager
def adapting_progress() -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar of steps with their stage on standard error while the block runs."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda stage, done, total: bar.update(task, description=stage, completed=done, total=total or None)


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


def print_problems(problems: Sequence[Problem]) -> None:
    """Print problems to standard error; equal ones of many files are counted together."""
    messages = Counter(problem.message for problem in problems)
    for message, times in messages.most_common(_PROBLEM_LINES):
        paths = [problem.path for problem in problems if problem.message == message]
        more = f" and {times - 1} more" if times > 1 else ""
        print(f"problem: {paths[0]}{more}: {message}", file=sys.stderr)
    if len(messages) > _PROBLEM_LINES:
        print(f"… {len(messages) - _PROBLEM_LINES} more kinds of problems, see --json", file=sys.stderr)


def print_empty(folders: Sequence[WrongRoot]) -> None:
    """Print to standard error which folders of `--root` hold nothing to index."""
    for one in folders:
        print(f"bsl-scout: --root {one.name}: it holds no 1C sources", file=sys.stderr)


def absent(told: str, similar: Sequence[str]) -> str:
    """Return that something is not there, with the names of what is like it."""
    return "\n".join([f"{told}, similar ones:" if similar else told, *(f"  {name}" for name in similar)])


def print_json(value: Any) -> None:
    """Print what a command has to tell as JSON."""
    print(json.dumps(value, ensure_ascii=False, indent=1))


def answer_json(answer: Answer, route: Route, indexed: int, pending: int) -> dict[str, Any]:
    """Return the JSON of `search`; lines become 1-based."""
    return {
        "query": answer.query,
        "mode": answer.mode,
        "route": asdict(route),
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
        "also": [{"path": copy.path, "symbol": copy.symbol, "line": copy.line + 1} for copy in hit.also],
    }


def print_answer(answer: Answer) -> None:
    """Print the hits of a search for a person."""
    if not answer.hits:
        print("nothing found")
    elif not answer.convincing:
        print("nothing convincing found; the nearest:")
    for hit in answer.hits:
        place = f"{hit.owner} · {hit.words}" if hit.owner else hit.path
        name = _OUTSIDE.get(hit.symbol, hit.symbol)
        # the full name of metadata begins with its owner
        whole = hit.owner and f"{hit.symbol}.".startswith(f"{hit.owner}.")
        print(f"{hit.rank:>3}. {name}" if whole else f"{hit.rank:>3}. {name}  [{place}]")
        print(f"     {hit.path}:{hit.line + 1}")
        if hit.snippet:
            print(f"     {hit.snippet}")
        if hit.also:
            print(f"     the same in {len(hit.also)} more: {hit.also[0].path}:{hit.also[0].line + 1}")
    sys.stdout.flush()
    print(f"     {answer.elapsed_ms:.1f} ms, legs: {', '.join(answer.legs)}", file=sys.stderr)


def print_symbols(rows: Sequence[ChunkRow], wanted: str) -> None:
    """Print symbols for a person; without any that there are none, beside the list, which may go to another program."""
    for row in rows:
        print(f"{row.path}:{row.line + 1}\t{symbol_kind(row)}\t{row.name}")
    if not rows:
        print(f"no symbols found: {wanted}" if wanted else "no procedures or functions here", file=sys.stderr)


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


def object_json(item: MetadataObject, whole: bool = False) -> dict[str, Any]:
    """Return the JSON of one metadata object, with the texts it holds when it is shown whole; lines become 1-based."""
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
        "rights": {name: list(rights) for name, rights in item.rights.items()},
        "fields": [_field_json(name, part, whole) for name, part in item.named_fields()],
        "standard_attributes": [_field_json(item.field_name(part), part, whole) for part in item.standard_attributes],
        **({"text": item.text} if whole and item.text else {}),
    }


def _field_json(full_name: str, part: MetadataField, whole: bool) -> dict[str, Any]:
    return {
        "name": part.name,
        "kind": part.kind,
        "parent": part.parent,
        "full_name": full_name,
        "synonym": shown(part.synonym),
        "types": list(part.types),
        "line": None if part.line is None else part.line + 1,
        **({"path": part.path} if part.path else {}),
        **({"comment": part.comment} if part.comment else {}),
        **({"handler": part.handler} if part.handler else {}),
        **({"text": part.text} if whole and part.text else {}),
    }


def print_object(item: MetadataObject, whole: bool) -> None:
    """Print an object for a person, with its fields when it is shown whole."""
    synonym = shown(item.synonym)
    print(f"{item.russian_name}{f'  ({synonym})' if synonym else ''}  {item.path}")
    if not whole:
        return
    for relation, target in item.links:
        print(f"    {relation}: {target}")
    for name, rights in item.rights.items():
        print(f"    {name}: {', '.join(rights)}")
    standard = [(item.field_name(part), part) for part in item.standard_attributes]
    for name, part in (*item.named_fields(), *standard):
        title = shown(part.synonym)
        types = ", ".join(part.types)
        short = name.removeprefix(item.russian_name + ".")
        print(f"    {short}{f'  ({title})' if title else ''}{f': {types}' if types else ''}")


def place_json(place: FormPlace) -> dict[str, Any]:
    """Return the JSON of one form in the list of forms."""
    return {
        "id": place.id,
        "id_en": place.id_en,
        "kind": place.kind,
        "format": place.format,
        "path": place.path,
        "module": place.module,
    }


def form_json(form: Form, files: FormFiles, whole: bool) -> dict[str, Any]:
    """Return the JSON of a form, its generated elements too when `whole`; lines become 1-based."""
    place = form.place
    warnings = [_warning_json(item) for item in form.warnings]
    return {
        "id": place.id,
        "kind": place.kind,
        "format": place.format,
        "path": place.path,
        "module": place.module,
        "elements": [
            {
                "name": item.name,
                "type": item.type,
                "parent": item.parent,
                "title": shown(item.title),
                "data_path": item.data_path,
                "display_path": item.display_path,
                "proof": item.proof,
                "types": list(item.types),
                "command": item.command,
                "handlers": [_handler_json(handler) for handler in item.handlers],
                "problem": item.problem,
            }
            for item in form.elements
            if whole or not item.generated
        ],
        "attributes": [
            {
                "name": item.name,
                "types": list(item.types),
                "main": item.main,
                "columns": [_column_json(column) for column in item.columns],
                **({"main_table": item.main_table, "query": item.query} if item.main_table or item.query else {}),
            }
            for item in form.attributes
        ],
        "commands": [_command_json(item) for item in form.commands],
        "events": [_handler_json(item) for item in form.events],
        "parameters": [{"name": item.name, "types": list(item.types), "key": item.key} for item in form.parameters],
        "warnings": warnings,
        "metadata": {
            "form_path": files.form_path,
            "elem_json_path": files.elem_json_path,
            "bsl_sha256": files.bsl_sha256,
            "elem_sha256": files.elem_sha256,
            "has_bsl": files.has_bsl,
            "warnings": warnings,
        },
    }


def _handler_json(handler: Handler) -> dict[str, Any]:
    return {
        "event": handler.event,
        "procedure": handler.procedure,
        **_status(handler),
        "call_type": handler.call_type,
        **({"event_id": handler.event_id} if handler.event_id else {}),
    }


def _status(handler: Handler) -> dict[str, Any]:
    line = None if handler.line is None else handler.line + 1
    return {"status": "found" if handler.found else "missing", "line": line}


def _column_json(column: Column) -> dict[str, Any]:
    table = {"table": column.table} if column.table else {}
    return {"name": column.name, "types": list(column.types), **table}


def _command_json(command: FormCommand) -> dict[str, Any]:
    """Return the JSON of a command: its first action, and all when an extension adds one before and one after."""
    first = command.actions[0] if command.actions else None
    return {
        "name": command.name,
        "title": shown(command.title),
        "procedure": first.procedure if first else None,
        **(_status(first) if first else {"status": None, "line": None}),
        "call_type": first.call_type if first else None,
        **({"actions": [_handler_json(item) for item in command.actions]} if len(command.actions) > 1 else {}),
    }


def _warning_json(warning: FormWarning) -> dict[str, Any]:
    return {"code": warning.code, "text": warning.text, "element": warning.element}


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
