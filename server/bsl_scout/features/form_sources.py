"""Lets hits that are forms land in the source of the form, not in the description of the object that has it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bsl_scout.forms.places import own_source
from bsl_scout.retrieval.hits import Hit
from bsl_scout.retrieval.search import Answer


def at_own_sources(top: Path, answer: Answer) -> Answer:
    """Return an answer whose forms are at the beginning of their own sources (paths below `top`).

    A form whose source is not there, or is none that an editor shows as text, stays where it is described.
    """
    return replace(answer, hits=[_at_own_source(top, hit) if hit.is_form else hit for hit in answer.hits])


def _at_own_source(top: Path, hit: Hit) -> Hit:
    path = own_source(top, hit.path, hit.symbol)
    return replace(hit, path=path, line=0, end_line=0, snippet_line=0) if path else hit
