"""The command line: index, search, symbols, objects, forms, form, eval, train; docs/command-line.md has their JSON."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import platformdirs

from bsl_scout import __version__, output
from bsl_scout.configuration.layout import Problem, walk
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.configuration.objects import read_objects
from bsl_scout.features.find_logic import MODES, find_logic
from bsl_scout.features.form_choice import forms_about
from bsl_scout.features.objects import named_objects
from bsl_scout.features.symbols import KINDS, find_symbols, symbol_kind
from bsl_scout.forms.budget import share_budget
from bsl_scout.forms.context import FormContext, context_of
from bsl_scout.forms.fragment import SECTIONS, cut_fragment, estimated_tokens, whole_fragment
from bsl_scout.forms.model import FormPlace
from bsl_scout.forms.places import find_form, find_forms
from bsl_scout.forms.reader import FormReader
from bsl_scout.forms.sources import form_files
from bsl_scout.index.catalog import CatalogUnavailableError, DamagedCatalogError
from bsl_scout.index.indexer import Report, refresh
from bsl_scout.index.place import index_folder
from bsl_scout.index.writer_lock import IndexFolderError, IndexLockedError
from bsl_scout.retrieval.evaluation import DEPTH, Ask, evaluate, load_questions
from bsl_scout.retrieval.search import COLLECTIONS, Searcher

EVAL_MODES = (*MODES, "flat")
_DONE, _ABSENT, _WRONG = 0, 1, 2

_TRAIN = "Train the model of meaning on configurations; the same folders and seed give the same model."


class CommandError(Exception):
    """Wrong arguments or an unreadable folder; its text is the one line that the user sees."""


class UnwritableIndexError(CommandError):
    """The index cannot be brought up to date; one that is there may still answer."""


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the named thing does not exist, 2 wrong arguments."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a Windows pipe has the old code page: Russian words must pass whole both ways
            stream.reconfigure(encoding="utf-8", errors="replace")
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        try:
            return command(arguments)
        except DamagedCatalogError:
            # found while reading: what a refresh does not touch it cannot notice
            print("bsl-scout: the index file was damaged and is made anew", file=sys.stderr)
            arguments.rebuild = True
            return command(arguments)
    except CommandError as error:
        print(f"bsl-scout: {error}", file=sys.stderr)
        return _WRONG
    except BrokenPipeError:
        # the reader (head, a closed pager) has had enough; Python would complain once more at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _DONE
    except KeyboardInterrupt:
        print("bsl-scout: stopped", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bsl-scout", description="Finds business logic in 1C:Enterprise configurations, offline."
    )
    parser.add_argument("--version", action="version", version=f"bsl-scout {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help, description=help)
        sub.add_argument("root", type=Path, metavar="ROOT", help="folder of the sources, or one module")
        sub.add_argument("--json", action="store_true", help="print JSON")
        sub.add_argument("--index-dir", type=Path, metavar="DIR", help="where the index is kept")
        sub.set_defaults(command=command, rebuild=False)
        return sub

    index = add("index", _index, "Bring the index of ROOT up to date.")
    index.add_argument("--no-vectors", action="store_true", help="words only: makes no vectors")
    search = add("search", _search, "Find procedures by what they do; without QUERY one query a line is read.")
    search.add_argument("query", nargs="?", metavar="QUERY")
    search.add_argument("--mode", choices=MODES, default="auto")
    search.add_argument("--top", type=_positive, default=10, metavar="N")
    search.add_argument("--collection", choices=COLLECTIONS, default="all")
    symbols = add("symbols", _symbols, "List procedures and functions, or all symbols that answer QUERY.")
    symbols.add_argument("query", nargs="?", default="", metavar="QUERY")
    symbols.add_argument("--kind", choices=KINDS)
    symbols.add_argument("--limit", type=_positive, metavar="N")
    objects = add("objects", _objects, "List metadata objects with their fields, all or the one with this name.")
    objects.add_argument("name", nargs="?", metavar="NAME", help="full name, Russian or English: Документ.Заказ")
    add("forms", _forms, "List the forms.")
    form = add("form", _form, "Print forms as a fragment for the chat of an LLM.")
    form.add_argument(
        "forms", nargs="*", metavar="FORM", help="id, Russian or English, or path: Документ.Заказ.Форма.ФормаДокумента"
    )
    form.add_argument(
        "--all", action="store_true", help="with --json: context menus, extended tooltips and their kin too"
    )
    form.add_argument("--max-chars", type=int, default=-1, metavar="N", help="at most so many characters; -1: all")
    form.add_argument("--max-tokens", type=_positive, metavar="N", help="at most about so many tokens")
    form.add_argument("--sections", default=",".join(SECTIONS), metavar="LIST", help="of form,summary,bsl")
    form.add_argument(
        "--question", default="", metavar="TEXT", help="what the forms are wanted for; alone it chooses them"
    )
    evaluation = add("eval", _eval, "Measure search on questions with judgements.")
    evaluation.add_argument("--gold", type=Path, required=True, metavar="FILE.jsonl")
    evaluation.add_argument(
        "--mode",
        action="append",
        choices=EVAL_MODES,
        help="repeat to compare modes; `flat` is rank_bm25's BM25Okapi over the same words without weights",
    )
    training = commands.add_parser("train", help=_TRAIN, description=_TRAIN)
    training.add_argument("roots", type=Path, nargs="+", metavar="CONFIGURATION", help="folders of sources")
    training.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the model is written")
    training.add_argument("--hold-out", default="", metavar="SUBSYSTEMS", help="names with commas: not trained on")
    training.add_argument("--seed", type=_positive, default=1, metavar="N")
    training.add_argument("--json", action="store_true", help="print JSON")
    training.set_defaults(command=_train)
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def _folder(arguments: argparse.Namespace) -> Path:
    base = arguments.index_dir or Path(platformdirs.user_cache_dir("bsl-scout", appauthor=False))
    return index_folder(arguments.root, base)


def _refresh(arguments: argparse.Namespace, patience: float = 10.0) -> Report:
    top = Path(os.path.realpath(arguments.root))
    if arguments.index_dir and Path(os.path.realpath(arguments.index_dir)).is_relative_to(top):
        raise CommandError("the index folder must not lie inside the sources")
    try:
        with output.progress() as show:
            rebuild, arguments.rebuild = arguments.rebuild, False
            vectors = not getattr(arguments, "no_vectors", False)
            return refresh(
                arguments.root, _folder(arguments), show, rebuild=rebuild, patience=patience, vectors=vectors
            )
    except (IndexFolderError, CatalogUnavailableError) as error:
        raise UnwritableIndexError(f"cannot write the index: {error}") from error
    except OSError as error:
        raise _unreadable(arguments, error) from error


def _searcher(arguments: argparse.Namespace) -> Searcher:
    """Return a searcher of the index, brought up to date unless another process is just doing that."""
    try:
        _refresh(arguments, patience=1.0)
    except (IndexLockedError, UnwritableIndexError) as error:
        searcher = Searcher.open(_folder(arguments))
        if searcher is None:
            raise CommandError(f"{error}, and there is nothing to search yet") from error
        print(f"bsl-scout: {error}; the answer comes from what it has so far", file=sys.stderr)
        return searcher
    searcher = Searcher(_folder(arguments))
    searcher.learn()
    return searcher


def _index(arguments: argparse.Namespace) -> int:
    try:
        report = _refresh(arguments)
    except IndexLockedError as error:
        raise CommandError(str(error)) from error
    if arguments.json:
        _print_json(output.report_json(report))
    else:
        output.print_report(report)
    return _DONE


def _search(arguments: argparse.Namespace) -> int:
    searcher = _searcher(arguments)
    queries = [arguments.query] if arguments.query is not None else output.typed_lines()
    for query in queries:
        if not query.strip() and arguments.query is None:
            continue
        answer, route = find_logic(searcher, query, arguments.mode, arguments.top, arguments.collection)
        if arguments.json:
            _print_json(output.answer_json(answer, route, *searcher.freshness()))
        else:
            output.print_answer(answer)
    searcher.close()
    return _DONE


def _symbols(arguments: argparse.Namespace) -> int:
    searcher = _searcher(arguments)
    rows = find_symbols(searcher.catalog, arguments.query, arguments.kind, arguments.limit)
    if arguments.json:
        _print_json([output.symbol_json(row) for row in rows])
    else:
        for row in rows:
            print(f"{row.path}:{row.line + 1}\t{symbol_kind(row)}\t{row.name}")
    searcher.close()
    return _DONE


def _objects(arguments: argparse.Namespace) -> int:
    found, problems = _read_objects(arguments)
    if arguments.name:
        found = named_objects(found, arguments.name)
        if not found:
            print(f"bsl-scout: there is no object {arguments.name}", file=sys.stderr)
            return _ABSENT
    if arguments.json:
        _print_json([output.object_json(item, whole=bool(arguments.name)) for item in found])
    else:
        for item in found:
            output.print_object(item, whole=bool(arguments.name))
        output.print_problems(problems)
    return _DONE


def _forms(arguments: argparse.Namespace) -> int:
    try:
        layout = walk(arguments.root)
        places = find_forms(arguments.root, layout.roots)
    except OSError as error:
        raise _unreadable(arguments, error) from error
    if arguments.json:
        _print_json([output.place_json(place) for place in places])
    else:
        for place in places:
            print(f"{place.id}\t{place.path}")
        output.print_problems(layout.problems)
    return _DONE


def _form(arguments: argparse.Namespace) -> int:
    sections = [name for name in arguments.sections.split(",") if name]
    if not sections or not set(sections) <= set(SECTIONS):
        raise CommandError(f"--sections takes some of {','.join(SECTIONS)}")
    if not arguments.forms and not arguments.question:
        raise CommandError("name a form, or ask a --question that chooses some")
    if arguments.json and len(arguments.forms) != 1:
        raise CommandError("--json shows exactly one FORM")
    try:
        layout = walk(arguments.root)
        objects, _ = read_objects(arguments.root, layout.roots)
        reader = FormReader(arguments.root, layout.roots, objects)
    except OSError as error:
        raise _unreadable(arguments, error) from error
    places = []
    for name in arguments.forms:
        place = _named_form(reader.places, arguments.root, name)
        if place is None:
            print(f"bsl-scout: there is no form {name}", file=sys.stderr)
            return _ABSENT
        places.append(place)
    if arguments.json:
        form = reader.read(places[0])
        _print_json(output.form_json(form, form_files(arguments.root, places[0]), arguments.all))
        return _DONE
    if not places:
        searcher = _searcher(arguments)
        places = forms_about(searcher, reader.places, arguments.question)
        searcher.close()
        if not places:
            print("bsl-scout: no form answers the question", file=sys.stderr)
            return _ABSENT
    contexts = [context_of(arguments.root, reader.read(place)) for place in places]
    _print_forms(contexts, arguments, sections)
    return _DONE


def _print_forms(contexts: list[FormContext], arguments: argparse.Namespace, sections: list[str]) -> None:
    for context in contexts:
        for warning in context.metadata["warnings"]:
            print(f"bsl-scout: {context.metadata['form_path']}: {warning}", file=sys.stderr)
    if len(contexts) == 1 and not arguments.question:
        tokens = {"max_tokens": arguments.max_tokens, "count_tokens": estimated_tokens} if arguments.max_tokens else {}
        fragment = cut_fragment(whole_fragment(contexts[0], sections), arguments.max_chars, **tokens)
        print(fragment.text)
        if fragment.left_out:
            print(f"bsl-scout: {fragment.left_out} characters are cut off the end", file=sys.stderr)
        return
    most, measure = (arguments.max_tokens, estimated_tokens) if arguments.max_tokens else (arguments.max_chars, len)
    shared = share_budget(contexts, most, arguments.question, sections, measure)
    print(shared.text)
    if shared.forms or shared.procedures:
        left_out = f"{shared.procedures} procedures and {len(shared.forms)} forms"
        print(f"bsl-scout: {left_out} are left out, as marked in the text", file=sys.stderr)


def _named_form(places: list[FormPlace], root: Path, name: str) -> FormPlace | None:
    """Return the form of an id, a path below the root, or a path as the shell completes it."""
    found = find_form(places, name)
    if found:
        return found
    top, path = Path(os.path.realpath(root)), Path(os.path.realpath(name))
    return find_form(places, path.relative_to(top).as_posix()) if path.is_relative_to(top) else None


def _read_objects(arguments: argparse.Namespace) -> tuple[list[MetadataObject], list[Problem]]:
    try:
        layout = walk(arguments.root)
        found, problems = read_objects(arguments.root, layout.roots)
    except OSError as error:
        raise _unreadable(arguments, error) from error
    return found, layout.problems + problems


def _unreadable(arguments: argparse.Namespace, error: OSError) -> CommandError:
    # str(error) would tell absolute paths
    reason = error.strerror or type(error).__name__
    return CommandError(f"cannot read {arguments.root.name or arguments.root}: {reason}")


def _eval(arguments: argparse.Namespace) -> int:
    try:
        questions = load_questions(arguments.gold)
    except (OSError, ValueError) as error:
        reason = (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)
        raise CommandError(f"cannot read the questions: {reason}") from error
    searcher = _searcher(arguments)

    def asking(mode: str) -> Ask:
        if mode == "flat":
            return searcher.okapi(DEPTH)
        return lambda query: find_logic(searcher, query, mode, DEPTH)[0]

    modes = list(dict.fromkeys(arguments.mode or ["hybrid", "lexical", "vector"]))
    report = evaluate({mode: asking(mode) for mode in modes}, questions)
    if arguments.json:
        _print_json(report)
    else:
        output.print_evaluation(report)
    searcher.close()
    return _DONE


def _train(arguments: argparse.Namespace) -> int:
    # the tokenizers library is loaded only where it is needed
    from bsl_scout.encoding.training import Settings
    from bsl_scout.features.train import train

    hold_out = [name.strip() for name in arguments.hold_out.split(",") if name.strip()]
    try:
        with output.training_progress() as show:
            report = train(arguments.roots, arguments.out, hold_out, Settings(seed=arguments.seed), show)
    except OSError as error:
        raise CommandError(f"cannot train: {error.strerror or type(error).__name__}") from error
    except ValueError as error:
        raise CommandError(f"cannot train: {error}") from error
    if arguments.json:
        _print_json(asdict(report))
    else:
        print(f"{report.procedures} procedures, {report.held} held out, {report.pairs} pairs, {report.pieces} pieces")
    return _DONE


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    sys.exit(main())
