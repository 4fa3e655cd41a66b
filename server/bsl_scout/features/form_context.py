"""Forms as context for the chat of an LLM, and the list of forms to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bsl_scout.forms.budget import share_budget
from bsl_scout.forms.context import context_of
from bsl_scout.forms.fragment import SECTIONS, estimated_tokens
from bsl_scout.forms.model import FormPlace
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.metadata import TITLE_SEPARATOR

from .form_store import FormStore
from .symbols import best_names


@dataclass(frozen=True, slots=True)
class Copied:
    """A text for the chat: of which forms, about how many tokens, what is not known, and what was left out."""

    text: str
    forms: tuple[str, ...]
    tokens: int
    warnings: tuple[str, ...] = ()
    left_out_rows: int = 0
    left_out_procedures: int = 0
    left_out_forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FormTitle:
    """A form to choose: its Russian id, what object and form are called, the path of its source."""

    id: str
    title: str
    path: str


def copy_forms(
    top: Path,
    store: FormStore,
    places: Sequence[FormPlace],
    max_chars: int = -1,
    question: str = "",
    sections: Sequence[str] = SECTIONS,
) -> Copied:
    """Return the context of forms under one budget, what is nearest to the question first and every cut marked.

    Forms that are left out are named by their Russian ids, as the list of forms names them. Raises ValueError for
    unknown sections.
    """
    contexts = [context_of(top, store.form(place)) for place in places]
    warnings = tuple(f"{one.form_name}: {text}" for one in contexts for text in one.metadata["warnings"])
    ids = tuple(place.id for place in places)
    shared = share_budget(contexts, max_chars, question, sections, names=ids)
    tokens = estimated_tokens(shared.text)
    return Copied(shared.text, ids, tokens, warnings, shared.rows, shared.procedures, shared.forms)


def form_titles(catalog: Catalog, places: Sequence[FormPlace], query: str, limit: int) -> list[FormTitle]:
    """Return the forms whose name, object or synonyms answer what was typed, the best first."""
    titles = _titles(catalog)
    named = []
    for place in places:
        # a common form is an object of its own: it has no owner to be named first
        owner, part, own = place.id.rpartition(":")[2].partition(".Форма.")
        keys = [owner, f"{owner}.{own}"] if part else [owner]
        words = [titles.get((place.root, key), "") for key in keys]
        named.append(FormTitle(place.id, " · ".join(word for word in words if word), place.path))
    names = [[one.id.rpartition(".")[2], one.id, *one.title.split(" · "), one.title] for one in named]
    return [named[index] for index in best_names(query, names, limit)]


def _titles(catalog: Catalog) -> dict[tuple[str, str], str]:
    """Return the first synonym of objects by root and full name, of forms by root, object and form."""
    rows = catalog.rows(
        "SELECT f.root, f.owner, c.kind, c.name, c.title FROM chunks c JOIN files f ON f.id = c.file "
        "WHERE c.kind IN ('object', 'form') AND c.part = 0 AND c.title IS NOT NULL"
    )
    return {
        (root, owner if kind == "object" else f"{owner}.{name}"): title.split(TITLE_SEPARATOR)[0]
        for root, owner, kind, name, title in rows
        if owner
    }
