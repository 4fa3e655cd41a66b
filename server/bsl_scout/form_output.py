"""What `bsl-scout form` prints: one form, whole or cut, or several that share a budget."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bsl_scout.forms.budget import share_budget
from bsl_scout.forms.context import FormContext
from bsl_scout.forms.fragment import cut_fragment, estimated_tokens, whole_fragment
from bsl_scout.forms.model import FormPlace
from bsl_scout.forms.places import similar_forms

_ROWS = 20


def no_form(name: str, places: Sequence[FormPlace]) -> str:
    """Return that there is no form of a name, with the ids of those like it."""
    similar = similar_forms(places, name)
    more = [f"  … and {len(similar) - _ROWS} more"] if len(similar) > _ROWS else []
    rows = [f"  {place.id}" for place in similar[:_ROWS]]
    return "\n".join([f"there is no form {name}{', similar ones:' if rows else ''}", *rows, *more])


def show(contexts: list[FormContext], arguments: argparse.Namespace, sections: list[str]) -> None:
    """Print the fragment of forms, and on standard error what is wrong with them or left out."""
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
