"""What `bsl-scout form` prints: one form or several that share a budget."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bsl_scout.forms.budget import counted, share_budget
from bsl_scout.forms.context import FormContext
from bsl_scout.forms.fragment import estimated_tokens
from bsl_scout.forms.model import FormPlace
from bsl_scout.forms.places import similar_forms
from bsl_scout.output import absent

_ROWS = 20


def no_form(name: str, places: Sequence[FormPlace]) -> str:
    """Return that there is no form of a name, with the ids of those like it."""
    similar = similar_forms(places, name)
    more = [f"… and {len(similar) - _ROWS} more"] if len(similar) > _ROWS else []
    return absent(f"there is no form {name}", [*(place.id for place in similar[:_ROWS]), *more])


def show(contexts: list[FormContext], ids: list[str], arguments: argparse.Namespace, sections: list[str]) -> None:
    """Print the fragment of forms, by whose ids absent ones are named; on standard error what is wrong or missing."""
    for context in contexts:
        for warning in context.metadata["warnings"]:
            print(f"bsl-scout: {context.metadata['form_path']}: {warning}", file=sys.stderr)
    most, measure = (arguments.max_tokens, estimated_tokens) if arguments.max_tokens else (arguments.max_chars, len)
    shared = share_budget(contexts, most, arguments.question, sections, measure, ids)
    print(shared.text)
    left_out = (
        (len(shared.forms), "form"),
        (shared.procedures, "procedure"),
        (shared.rows, "row"),
    )
    if told := [counted(number, noun) for number, noun in left_out if number]:
        print(f"bsl-scout: left out, as marked in the text: {', '.join(told)}", file=sys.stderr)
