"""How the command line shows the context of a procedure."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from bsl_scout.features.procedure_context import ProcedureContext
from bsl_scout.features.procedure_fragment import ProcedureFragment
from bsl_scout.index.schema import ChunkRow
from bsl_scout.output import absent

_ROWS = 20


def show(context: ProcedureContext, fragment: ProcedureFragment, as_json: bool) -> None:
    """Print the text and, on standard error, what is left out of it; or everything as JSON."""
    if as_json:
        print(json.dumps(procedure_json(context, fragment), ensure_ascii=False, indent=1))
        return
    print(fragment.text)
    if fragment.is_cut:
        print(f"bsl-scout: {left_out(fragment)}, as marked in the text", file=sys.stderr)


def procedure_json(context: ProcedureContext, fragment: ProcedureFragment) -> dict[str, Any]:
    """Return the JSON of a procedure's context; lines become 1-based."""
    return {
        "name": context.name,
        "place": context.place,
        "path": context.path,
        "text": fragment.text,
        "left_out": {
            "lines": fragment.lines,
            "calls": fragment.calls,
            "callers": fragment.callers,
            "object_rows": fragment.object_rows,
        },
        "calls": [
            {"place": one.place, "signature": one.signature, "doc": one.doc, "proof": one.proof}
            for one in context.calls
        ],
        "unresolved": list(context.unresolved),
        "callers": [
            {
                "path": one.row.path,
                "symbol": one.row.name or one.row.key,
                "owner": one.row.owner,
                "lines": [place.line + 1 for place in one.places],
                "proof": one.proof,
                "certain": one.certain,
            }
            for one in context.callers.found
        ],
        "more_possible": context.callers.more_possible,
        "handles": list(context.bindings),
        "named_by": list(context.metadata),
    }


def not_one(name: str, rows: Sequence[ChunkRow], similar: Sequence[ChunkRow], problem: str) -> str:
    """Return that there is no procedure of a name and which are like it, or that there are several and where.

    `problem` is what is wrong with the module that the name is a line of.
    """
    if problem and not rows:
        return f"there is no procedure {name}: {problem}"
    if not rows:
        return absent(f"there is no procedure {name}", [f"{row.name}  {row.path}:{row.line + 1}" for row in similar])
    places = [f"  {row.path}:{row.line + 1}" for row in rows[:_ROWS]]
    more = [f"  … and {len(rows) - _ROWS} more"] if len(rows) > _ROWS else []
    return "\n".join([f"there are {len(rows)} procedures {name}, name one:", *places, *more])


def left_out(fragment: ProcedureFragment) -> str:
    """Return what is left out of a fragment, in one row."""
    counts = {
        "lines": fragment.lines,
        "rows of calls": fragment.calls,
        "callers": fragment.callers,
        "rows of the object": fragment.object_rows,
    }
    return "left out: " + ", ".join(f"{count} {what}" for what, count in counts.items() if count)
