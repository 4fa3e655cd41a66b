"""The arguments of the command line; docs/command-line.md tells of each."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bsl_scout import __version__
from bsl_scout.configuration.chosen_roots import ABSENT, OUTSIDE, chosen_folders
from bsl_scout.features.find_logic import MODES
from bsl_scout.features.symbols import KINDS
from bsl_scout.forms.fragment import SECTIONS
from bsl_scout.index.vectors import CHROMA, EXACT
from bsl_scout.retrieval.search import COLLECTIONS

# exit codes: done, the named thing does not exist, wrong arguments
DONE, NOT_FOUND, WRONG = 0, 1, 2
Command = Callable[[argparse.Namespace], int]


class AbsentError(Exception):
    """What the command is about does not exist; the text tells what that is."""


class CommandError(Exception):
    """Wrong arguments or an unreadable folder; its text is the one line that the user sees."""


EVAL_MODES = (*MODES, "flat")
_TRAIN = "Train the model of meaning on configurations; the same folders and seed give the same model."


class AnyOrderParser(argparse.ArgumentParser):
    """Takes `ROOT --top 5 QUERY` too: argparse gives up a positional that may be missing at the first option."""

    def parse(self, words: Sequence[str] | None) -> argparse.Namespace:
        """Return the arguments, those of the program when `words` is None; ends it when some are wrong."""
        found, rest = self.parse_known_args(words)
        late = getattr(found, "late", None)
        if late and rest and not any(word.startswith("-") for word in rest):
            if isinstance(getattr(found, late), list):
                setattr(found, late, [*getattr(found, late), *rest])
                rest = []
            elif not getattr(found, late) and len(rest) == 1:
                setattr(found, late, rest.pop())
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found


def make_parser(commands: Mapping[str, Command]) -> AnyOrderParser:
    """Return the parser of all arguments; what it returns names the command's function as `command`."""
    parser = AnyOrderParser(
        prog="bsl-scout", description="Finds business logic in 1C:Enterprise configurations, offline."
    )
    parser.add_argument("--version", action="version", version=f"bsl-scout {__version__}")
    subs = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, help: str) -> argparse.ArgumentParser:
        sub = subs.add_parser(name, help=help, description=help)
        sub.add_argument("root", type=Path, metavar="ROOT", help="folder of the sources, or one module")
        sub.add_argument("--json", action="store_true", help="print JSON")
        sub.add_argument("--index-dir", type=Path, metavar="DIR", help="where the index is kept")
        sub.add_argument(
            "--root",
            action="append",
            dest="chosen",
            default=[],
            metavar="FOLDER",
            help="of ROOT only this folder, relative to it; repeat for several",
        )
        sub.set_defaults(command=commands[name], rebuild=False, source=None)
        return sub

    index = add("index", "Bring the index of ROOT up to date.")
    index.add_argument("--no-vectors", action="store_true", help="words only: makes no vectors")
    index.add_argument("--no-refresh", action="store_true", help="tells what there is and changes nothing")
    index.add_argument(
        "--adapt", action="store_true", help="let the model of meaning learn from ROOT: 45 s per 38,000 procedures"
    )
    search = add("search", "Find procedures by what they do; without QUERY one query a line is read.")
    search.add_argument("query", nargs="?", metavar="QUERY")
    search.set_defaults(late="query")
    search.add_argument(
        "--similar",
        metavar="PATH:LINE",
        help="instead of QUERY: what is nearest to the procedure at a line of a module",
    )
    search.add_argument("--mode", choices=MODES, default="auto")
    search.add_argument("--top", type=_positive, default=10, metavar="N")
    search.add_argument("--collection", choices=COLLECTIONS, default="all")
    _takes_synonyms(search)
    symbols = add("symbols", "List procedures and functions, or all symbols that answer QUERY.")
    symbols.add_argument("query", nargs="?", default="", metavar="QUERY")
    symbols.add_argument("--kind", choices=KINDS)
    symbols.add_argument("--limit", type=_positive, metavar="N")
    symbols.set_defaults(no_vectors=True, late="query")
    objects = add("objects", "List metadata objects with their fields, all or the one with this name.")
    objects.add_argument("name", nargs="?", metavar="NAME", help="full name, Russian or English: Документ.Заказ")
    objects.set_defaults(late="name")
    add("forms", "List the forms.")
    form = add("form", "Print forms as a fragment for the chat of an LLM.")
    form.set_defaults(no_vectors=True, late="forms")
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
    procedure = add("procedure", "Print a procedure with its surroundings for the chat of an LLM.")
    procedure.set_defaults(no_vectors=True)
    procedure.add_argument("name", metavar="NAME", help="Имя, Модуль.Имя, or PATH:LINE of a line of it")
    procedure.add_argument("--max-chars", type=int, default=-1, metavar="N", help="at most so many characters; -1: all")
    procedure.add_argument("--max-tokens", type=_positive, metavar="N", help="at most about so many tokens")
    evaluation = add("eval", "Measure search on questions with judgements.")
    evaluation.add_argument("--gold", type=Path, required=True, metavar="FILE.jsonl")
    evaluation.add_argument(
        "--mode",
        action="append",
        choices=EVAL_MODES,
        help="repeat to compare modes; `flat` is rank_bm25's BM25Okapi over the same words without weights",
    )
    for sub in (index, search, evaluation):
        sub.add_argument("--store", choices=(EXACT, CHROMA), default=EXACT, help="where vectors are searched")
        sub.add_argument("--chroma-url", default="", metavar="URL", help="of a Chroma server; without it, embedded")
        sub.add_argument(
            "--encoder",
            metavar="MODEL",
            help="name or folder of a sentence-transformers model that makes the vectors; an empty name: the shipped "
            "model; without the option the one chosen last",
        )
    for sub in (search, evaluation):
        sub.add_argument(
            "--rerank-model", default="", metavar="MODEL", help="name or folder of a cross-encoder, for --mode rerank"
        )
    _takes_synonyms(evaluation)
    training = subs.add_parser("train", help=_TRAIN, description=_TRAIN)
    training.add_argument("roots", type=Path, nargs="+", metavar="CONFIGURATION", help="folders of sources")
    training.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the model is written")
    training.add_argument("--hold-out", default="", metavar="SUBSYSTEMS", help="names with commas: not trained on")
    training.add_argument("--seed", type=_positive, default=1, metavar="N")
    training.add_argument("--json", action="store_true", help="print JSON")
    training.set_defaults(command=commands["train"])
    return parser


def check_chosen(arguments: argparse.Namespace) -> None:
    """Raise CommandError unless the folders of `--root` are there; a ROOT that is absent is left to the command."""
    chosen = getattr(arguments, "chosen", [])
    if chosen and arguments.root.is_file():
        raise CommandError("--root chooses folders of ROOT, which is one module")
    told = {ABSENT: "there is no such folder in ROOT", OUTSIDE: "it is outside ROOT"}
    for one in chosen_folders(arguments.root, chosen)[1] if chosen and arguments.root.is_dir() else ():
        raise CommandError(f"--root {one.name}: {told[one.reason]}")


def _takes_synonyms(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--synonyms", type=Path, metavar="FILE", help="words that mean the same, a group a line: НДС = налог"
    )


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)
