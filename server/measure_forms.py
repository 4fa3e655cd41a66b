"""Prints how many facts of the forms of v8unpack exports are right, wrong and missing, ours beside v8unpack-agent.

`python3 server/measure_forms.py CORPORA TRUTH.json [PYTHON]`: the folder with v8unpack_samples, the decoded facts,
and the interpreter of a virtual environment with v8unpack-agent (without it only ours are measured).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from bsl_scout.configuration.kinds import KIND_BY_FOLDER
from bsl_scout.configuration.layout import walk
from bsl_scout.configuration.objects import read_objects
from bsl_scout.forms.elem_json import read_form_folder
from bsl_scout.forms.model import Form, FormPlace
from bsl_scout.forms.v8_uuids import UuidMeaning, uuid_meanings

PEER = "v8unpack-agent 0.2.0"
# the truth took the file of an included area for the form
PART_ONLY = "Form/СтраницыИПанели"
# events in the description of an element's kind, which the truth does not look into
OF_THE_KIND = frozenset({"Click", "URLProcessing", "StartChoice", "Clearing", "Opening"})
# the truth writes English names of standard attributes, the peer Russian ones
_ALIASES = {
    "Code": "Код", "Description": "Наименование", "Parent": "Родитель", "Owner": "Владелец", "Number": "Номер",
    "Date": "Дата", "LineNumber": "НомерСтроки", "Completed": "Завершен", "HeadTask": "ВедущаяЗадача",
    "Started": "Стартован",
}  # fmt: skip
_PEER_PROGRAM = """
import json, sys
from importlib.metadata import version
from pathlib import Path
from v8unpack_agent import build_form_summary
found = {}
for folder in json.load(sys.stdin):
    summary = build_form_summary(Path(folder))
    found[folder] = {
        "paths": {r["element"]: r["target"] for r in summary.relations if r["kind"] == "data"},
        "handlers": [[r["element"], r["target"]] for r in summary.relations if r["kind"] == "event"],
        "events": [e["name"] for e in summary.events if not e.get("element")],
        "commands": [[c["name"], c.get("handler")] for c in summary.commands],
    }
print(json.dumps([version("v8unpack-agent"), found]))
"""


@cache
def meanings(root: Path) -> dict[str, UuidMeaning | None]:
    """Return what the uuids of an export or dump mean."""
    found, _ = read_objects(root, walk(root).roots)
    return uuid_meanings(found)


def place_of(export: Path, form: str) -> FormPlace:
    """Return the place of a form by its folder in the export."""
    *owner, container, name = form.split("/")
    # an external object need not be called as its file
    kind, own = "ExternalDataProcessor", walk(export).roots[0].name
    if container == "CommonForm":
        kind, own = "CommonForm", name
    elif owner:
        kind, own = KIND_BY_FOLDER[owner[0]].english, owner[1]
    return FormPlace("", "", "", "managed", "v8unpack", kind, own, container, name, form)


def read_export_form(export: Path, form: str) -> Form:
    """Return a form by its folder in the export."""
    return read_form_folder(place_of(export, form), export / form, meanings(export).get)


def ours(form: Form) -> dict[str, Any]:
    """Return the facts that are compared."""
    return {
        "paths": {e.name: e.data_path for e in form.elements if e.data_path},
        "handlers": [[e.name, h.procedure] for e in form.elements for h in e.handlers],
        "of the kind": [[e.name, h.procedure] for e in form.elements for h in e.handlers if h.event in OF_THE_KIND],
        "events": [h.procedure for h in form.events],
        "commands": [[c.name, a.procedure] for c in form.commands for a in c.actions],
    }


def compare(row: dict[str, Any], facts: dict[str, Any], beyond: list[list[str]], count: Counter[str]) -> None:
    """Count right, wrong and missing facts of a form; `beyond` are true handlers that the truth does not hold."""
    bound = f"bindings, {row['kind']}"
    for element in row["elements"]:
        if element["open"]:
            continue
        true, said = _plain(element["data_path"]), _plain(facts["paths"].get(element["name"]))
        if said and said != true:
            count[f"{bound}/wrong"] += 1
        if true:
            count[f"{bound}/right" if said == true else f"{bound}/missing"] += said in (true, None)
    elements = {element["name"] for element in row["elements"]}
    handlers = [(e["name"], procedure) for e in row["elements"] for _, procedure, _, _ in e["handlers"]]
    said_handlers = [(name, procedure) for name, procedure in facts["handlers"] if name in elements]
    known = {(name, procedure) for name, procedure in beyond}
    commands = [(name, procedure) for name, procedure, _, _ in row["commands"] if procedure]
    for what, true_facts, said_facts in (
        ("element handlers", handlers, [pair for pair in said_handlers if pair in handlers or pair not in known]),
        ("form events", [procedure for _, procedure, _, _ in row["events"]], facts["events"]),
        ("commands", commands, [(name, procedure) for name, procedure in facts["commands"]]),
    ):
        right = Counter(map(str, true_facts)) & Counter(map(str, said_facts))
        count[f"{what}/right"] += right.total()
        count[f"{what}/wrong"] += len(said_facts) - right.total()
        count[f"{what}/missing"] += len(true_facts) - right.total()


def _plain(path: str | None) -> str | None:
    return ".".join(_ALIASES.get(step, step) for step in path.split(".")) if path else None


def peer_facts(python: str, corpora: Path, folders: list[Path]) -> dict[str, Any] | None:
    """Return what the peer says of a copy of the forms, None when it is not installed."""
    with tempfile.TemporaryDirectory() as scratch:
        # the peer may look at the whole export, and may write into it
        copy = Path(scratch, "exports")
        shutil.copytree(corpora / "v8unpack_samples", copy)
        copies = {str(copy / folder.relative_to(corpora / "v8unpack_samples")): str(folder) for folder in folders}
        command = [python, "-c", _PEER_PROGRAM]
        try:
            done = subprocess.run(command, input=json.dumps(list(copies)), capture_output=True, text=True)
        except OSError as error:
            print(f"{PEER} is not measured: {error.strerror}", file=sys.stderr)
            return None
        if done.returncode:
            print(f"{PEER} is not measured: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
            return None
        version, found = json.loads(done.stdout)
        print(f"the peer is v8unpack-agent {version}")
        return {copies[copied]: facts for copied, facts in found.items()}


def main() -> int:
    """Print the table."""
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    corpora = Path(sys.argv[1])
    rows = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    rows = [row for row in rows if row["form"] != PART_ONLY]
    folders = [corpora / row["export"] / row["form"] for row in rows]
    if len(sys.argv) < 4:
        print(f"{PEER} is not measured: name the interpreter of an environment that has it", file=sys.stderr)
    peer = peer_facts(sys.argv[3], corpora, folders) if len(sys.argv) == 4 else None
    counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    beyond = 0
    for row, folder in zip(rows, folders, strict=True):
        facts = ours(read_export_form(corpora / row["export"], row["form"]))
        true = {(e["name"], procedure) for e in row["elements"] for _, procedure, _, _ in e["handlers"]}
        beyond += sum(name in {e["name"] for e in row["elements"]} and (name, procedure) not in true
                      for name, procedure in facts["of the kind"])  # fmt: skip
        compare(row, facts, facts["of the kind"], counts[0])
        if peer is not None:
            compare(row, peer[str(folder)], facts["of the kind"], counts[1])
    names = ("bindings, managed", "bindings, ordinary", "element handlers", "form events", "commands")
    print("| | ours right | wrong | missing | peer right | wrong | missing |\n|---|---|---|---|---|---|---|")
    for name in names:
        cells = [
            "" if index and peer is None else str(count[f"{name}/{what}"])
            for index, count in enumerate(counts)
            for what in ("right", "wrong", "missing")
        ]
        print(f"| {name} | {' | '.join(cells)} |")
    print(f"{len(rows)} forms; {beyond} handlers more stand where the truth does not look")
    return 0


if __name__ == "__main__":
    sys.exit(main())
