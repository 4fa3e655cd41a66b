"""The command line: index, search, symbols, objects, forms, form, eval, train; docs/command-line.md has their JSON."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import platformdirs

from bsl_scout import form_output, index_output, output, procedure_output
from bsl_scout.arguments import DONE, NOT_FOUND, WRONG, AbsentError, Command, CommandError, check_chosen, make_parser
from bsl_scout.bsl.text import decode
from bsl_scout.configuration.objects import read_objects
from bsl_scout.encoding.loop import Settings
from bsl_scout.encoding.model import ModelError
from bsl_scout.encoding.sentence_encoder import load_reranker
from bsl_scout.features.adaptation import Adaptation, adapt_when_due, adaptation_of
from bsl_scout.features.diagnostics import index_facts
from bsl_scout.features.find_logic import find_logic
from bsl_scout.features.form_choice import forms_about
from bsl_scout.features.form_sources import at_own_sources
from bsl_scout.features.procedure_context import module_problem, named_context, similar_procedures
from bsl_scout.features.procedure_fragment import procedure_fragment
from bsl_scout.features.similar import similar_to
from bsl_scout.features.symbols import SymbolTable, find_symbols
from bsl_scout.forms.context import context_of
from bsl_scout.forms.fragment import SECTIONS, estimated_tokens
from bsl_scout.forms.reader import FormReader
from bsl_scout.forms.sources import form_files
from bsl_scout.index.catalog import Catalog, CatalogUnavailableError, DamagedCatalogError
from bsl_scout.index.indexer import Report, refresh
from bsl_scout.index.place import index_folder
from bsl_scout.index.vectors import EXACT, VectorSource, VectorsUnavailableError
from bsl_scout.index.writer_lock import IndexFolderError, IndexLockedError
from bsl_scout.named_places import named_form, named_line, top_of
from bsl_scout.retrieval.evaluation import DEPTH, Ask, evaluate, load_questions
from bsl_scout.retrieval.language import Language
from bsl_scout.retrieval.rerank import RerankUnavailableError, Score
from bsl_scout.retrieval.router import Route
from bsl_scout.retrieval.search import Answer, Searcher
from bsl_scout.retrieval.synonyms import load_synonyms
from bsl_scout.source_commands import forms, objects, unreadable, walk_sources


class UnwritableIndexError(CommandError):
    """The index cannot be brought up to date; one that is there may still answer."""


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the named thing does not exist, 2 wrong arguments."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a Windows pipe has the old code page: Russian words must pass whole both ways
            stream.reconfigure(encoding="utf-8", errors="replace")
    arguments = make_parser(_COMMANDS).parse(argv)
    command: Command = arguments.command
    try:
        check_chosen(arguments)
        try:
            return command(arguments)
        except DamagedCatalogError:
            # found while reading: what a refresh does not touch it cannot notice
            print("bsl-scout: the index file was damaged and is made anew", file=sys.stderr)
            arguments.rebuild = True
            return command(arguments)
    except CommandError as error:
        print(f"bsl-scout: {error}", file=sys.stderr)
        return WRONG
    except AbsentError as error:
        print(f"bsl-scout: {error}", file=sys.stderr)
        return NOT_FOUND
    except BrokenPipeError:
        # the reader (head, a closed pager) has had enough; Python would complain once more at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        print("bsl-scout: stopped", file=sys.stderr)
        return 130


def _folder(arguments: argparse.Namespace) -> Path:
    base = arguments.index_dir or Path(platformdirs.user_cache_dir("bsl-scout", appauthor=False))
    return index_folder(arguments.root, base)


def _refresh(arguments: argparse.Namespace, patience: float = 10.0) -> Report:
    top = Path(os.path.realpath(arguments.root))
    if arguments.index_dir and Path(os.path.realpath(arguments.index_dir)).is_relative_to(top):
        raise CommandError("the index folder must not lie inside the sources")
    try:
        with output.index_progress() as (show, show_vectors):
            rebuild, arguments.rebuild = arguments.rebuild, False
            report = refresh(
                arguments.root,
                _folder(arguments),
                show,
                rebuild=rebuild,
                patience=patience,
                vectors=not getattr(arguments, "no_vectors", False),
                encoder=getattr(arguments, "encoder", None),
                vector_progress=show_vectors,
                chosen=arguments.chosen,
            )
    except (IndexFolderError, CatalogUnavailableError) as error:
        raise UnwritableIndexError(f"cannot write the index: {error}") from error
    except OSError as error:
        raise unreadable(arguments, error) from error
    output.print_empty(report.wrong_roots)
    return report


def _source(arguments: argparse.Namespace) -> VectorSource | None:
    """Return the vector store that was asked for, brought up to date; None for that of the index itself."""
    if getattr(arguments, "store", EXACT) == EXACT:
        if getattr(arguments, "chroma_url", ""):
            raise CommandError("--chroma-url goes with --store chroma")
        return None
    from bsl_scout.index.chroma_index import ChromaIndex

    # a command that is run once more after a damage goes on with the store that it has
    index: ChromaIndex = arguments.source or ChromaIndex(_folder(arguments), arguments.chroma_url)
    arguments.source = index
    try:
        with output.progress() as show:
            index.follow(show)
    except VectorsUnavailableError as error:
        print(f"bsl-scout: no search by meaning: {error}", file=sys.stderr)
    return index


def _score(arguments: argparse.Namespace) -> Score | None:
    """Return how texts are scored by the model that was asked for; it is loaded when it is first needed."""
    name = arguments.rerank_model

    def score(query: str, texts: Sequence[str]) -> Sequence[float]:
        try:
            return load_reranker(name).scores(query, texts)
        except ModelError as error:
            raise RerankUnavailableError(str(error)) from error

    return score if name else None


def _searcher(arguments: argparse.Namespace) -> Searcher:
    """Return a searcher of the index, brought up to date unless another process is just doing that."""
    language = Language()
    if getattr(arguments, "synonyms", None):
        synonyms, problems = load_synonyms(arguments.synonyms)
        output.print_problems(problems)
        language = Language(synonyms=synonyms)
    try:
        report = _refresh(arguments, patience=1.0)
    except (IndexLockedError, UnwritableIndexError) as error:
        searcher = Searcher.open(_folder(arguments), _source(arguments))
        if searcher is None:
            raise CommandError(f"{error}, and there is nothing to search yet") from error
        print(f"bsl-scout: {error}; the answer comes from what it has so far", file=sys.stderr)
        searcher.language = language
        return searcher
    if not report.has_sources:
        output.print_problems(report.problems)
        raise AbsentError(output.NO_SOURCES)
    if arguments.root.is_file() and not report.chunks:
        # why there is nothing to find: it is empty, or protected
        output.print_problems(report.problems)
    searcher = Searcher(_folder(arguments), source=_source(arguments))
    searcher.language = language
    searcher.learn()
    return searcher


def _index(arguments: argparse.Namespace) -> int:
    if arguments.adapt and arguments.no_vectors:
        raise CommandError("--adapt makes vectors, --no-vectors forbids them")
    if arguments.no_refresh and arguments.root.exists():
        index_output.show(index_facts(_folder(arguments)), None, None, arguments.json)
        return DONE
    try:
        report, adaptation = _refresh(arguments), _adaptation(arguments)
    except IndexLockedError as error:
        raise CommandError(str(error)) from error
    _source(arguments)
    index_output.show(index_facts(_folder(arguments)), report, adaptation, arguments.json)
    if not report.has_sources:
        raise AbsentError(output.NO_SOURCES)
    return DONE


def _adaptation(arguments: argparse.Namespace) -> Adaptation | None:
    """Return what came of adapting the model to the index, now when that is asked for and due."""
    folder = _folder(arguments)
    if not arguments.adapt:
        with closing(Catalog(folder)) as catalog:
            return adaptation_of(catalog)
    try:
        with output.adapting_progress() as show:
            return adapt_when_due(folder, show)
    except (IndexFolderError, CatalogUnavailableError, ModelError) as error:
        raise CommandError(f"cannot adapt the model: {error}") from error


def _search(arguments: argparse.Namespace) -> int:
    if arguments.similar is not None:
        return _similar(arguments)
    if arguments.query is not None and not arguments.query.strip():
        raise CommandError("QUERY is empty")
    searcher, top = _searcher(arguments), top_of(arguments.root)
    queries = [arguments.query] if arguments.query is not None else output.typed_lines()
    for query in queries:
        if not query.strip() and arguments.query is None:
            continue
        answer, route = find_logic(
            searcher, query, arguments.mode, arguments.top, arguments.collection, _score(arguments), top
        )
        if arguments.query is None and not arguments.json and not sys.stdin.isatty():
            print(query)
        if route.names:
            # what is printed so far comes first, also when both go to one file
            sys.stdout.flush()
            print(f"bsl-scout: {route.reason}", file=sys.stderr)
        _show_answer(arguments, searcher, at_own_sources(top, answer), route)
    searcher.close()
    return NOT_FOUND if arguments.query is not None and route.code == "unknown-name" and not answer.hits else DONE


def _similar(arguments: argparse.Namespace) -> int:
    if arguments.query is not None or (arguments.mode, arguments.collection) != ("auto", "all"):
        raise CommandError("--similar goes without QUERY, --mode and --collection")
    path, line = named_line(top := top_of(arguments.root), arguments.similar)
    with closing(_searcher(arguments)) as searcher:
        try:
            text = decode((top / path).read_bytes()).text if searcher.catalog.file(path) else ""
        except OSError as error:
            raise unreadable(arguments, error) from error
        answer, route = similar_to(searcher, path, text, line, arguments.top)
        if route.code == "no-procedure":
            problem = module_problem(searcher.catalog, f"{path}:{line}")
            told = f"no procedure of the index is at {arguments.similar}"
            raise AbsentError(f"{told}: {problem}" if problem else told)
        if route.code != "similar":
            print(f"bsl-scout: {route.reason}", file=sys.stderr)
        _show_answer(arguments, searcher, answer, route)
    return DONE


def _show_answer(arguments: argparse.Namespace, searcher: Searcher, answer: Answer, route: Route) -> None:
    if arguments.json:
        output.print_json(output.answer_json(answer, route, *searcher.freshness()))
    else:
        output.print_answer(answer)


def _symbols(arguments: argparse.Namespace) -> int:
    with closing(_searcher(arguments)) as searcher:
        rows = find_symbols(searcher.catalog, arguments.query, arguments.kind, arguments.limit)
    if arguments.json:
        output.print_json([output.symbol_json(row) for row in rows])
    else:
        output.print_symbols(rows, arguments.query or arguments.kind or "")
    return DONE


def _form(arguments: argparse.Namespace) -> int:
    sections = [name for name in arguments.sections.split(",") if name]
    if not sections or not set(sections) <= set(SECTIONS):
        raise CommandError(f"--sections takes some of {','.join(SECTIONS)}")
    if not arguments.forms and not arguments.question:
        raise CommandError("name a form, or ask a --question that chooses some")
    if arguments.json and len(arguments.forms) != 1:
        raise CommandError("--json shows exactly one FORM")
    try:
        layout = walk_sources(arguments)
        objects, _ = read_objects(arguments.root, layout.roots)
        reader = FormReader(arguments.root, layout.roots, objects)
    except OSError as error:
        raise unreadable(arguments, error) from error
    places = []
    for name in arguments.forms:
        place = named_form(reader.places, arguments.root, name)
        if place is None:
            print(f"bsl-scout: {form_output.no_form(name, reader.places)}", file=sys.stderr)
            return NOT_FOUND
        places.append(place)
    if arguments.json:
        form = reader.read(places[0])
        output.print_json(output.form_json(form, form_files(arguments.root, places[0]), arguments.all))
        return DONE
    if not places:
        with closing(_searcher(arguments)) as searcher:
            places = forms_about(searcher, reader.places, arguments.question)
        if not places:
            print("bsl-scout: no form answers the question", file=sys.stderr)
            return NOT_FOUND
    contexts = [context_of(arguments.root, reader.read(place)) for place in places]
    form_output.show(contexts, [place.id for place in places], arguments, sections)
    return DONE


def _procedure(arguments: argparse.Namespace) -> int:
    with closing(_searcher(arguments)) as searcher:
        try:
            rows, context = named_context(top_of(arguments.root), searcher.catalog, arguments.name)
        except OSError as error:
            raise unreadable(arguments, error) from error
        if context is None:
            similar = [] if rows else similar_procedures(SymbolTable(searcher.catalog), arguments.name)
            problem = module_problem(searcher.catalog, arguments.name)
            raise AbsentError(procedure_output.not_one(arguments.name, rows, similar, problem))
    most, measure = (arguments.max_tokens, estimated_tokens) if arguments.max_tokens else (arguments.max_chars, len)
    procedure_output.show(context, procedure_fragment(context, most, measure), arguments.json)
    return DONE


def _eval(arguments: argparse.Namespace) -> int:
    try:
        questions = load_questions(arguments.gold)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CommandError(f"cannot read the questions: {arguments.gold}: {reason}") from error
    except ValueError as error:
        raise CommandError(f"cannot read the questions: {error}") from error
    searcher, score = _searcher(arguments), _score(arguments)

    def asking(mode: str) -> Ask:
        if mode == "flat":
            return searcher.okapi(DEPTH)
        top = top_of(arguments.root)
        return lambda query: at_own_sources(top, find_logic(searcher, query, mode, DEPTH, score=score)[0])

    modes = list(dict.fromkeys(arguments.mode or ["hybrid", "lexical", "vector"]))
    report = evaluate({mode: asking(mode) for mode in modes}, questions)
    if arguments.json:
        output.print_json(report)
    else:
        output.print_evaluation(report)
    searcher.close()
    return DONE


def _train(arguments: argparse.Namespace) -> int:
    # the tokenizers library is loaded only where it is needed
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
        output.print_json(asdict(report))
    else:
        print(f"{report.procedures} procedures, {report.held} held out, {report.pairs} pairs, {report.pieces} pieces")
    return DONE


_COMMANDS: dict[str, Command] = {
    "index": _index,
    "search": _search,
    "symbols": _symbols,
    "objects": objects,
    "forms": forms,
    "form": _form,
    "procedure": _procedure,
    "eval": _eval,
    "train": _train,
}

if __name__ == "__main__":
    sys.exit(main())
