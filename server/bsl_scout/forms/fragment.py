"""The text of a form for the chat of an LLM: `# FORM`, `## SUMMARY`, `## BSL`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from .sanitize import sanitize_paths
from .summary import summary_json

if TYPE_CHECKING:
    from .context import FormContext

SECTIONS = ("form", "summary", "bsl")
NO_MODULE = "(the form has no module)"
# characters of a mixture of Russian text and code in one token of today's models, roughly
_CHARS_PER_TOKEN = 3


def to_llm_prompt_fragment(
    context: FormContext,
    max_chars: int = -1,
    *,
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
    sections: Collection[str] = SECTIONS,
) -> str:
    """Return the fragment of a form: whole by default, at most `max_chars` characters when that is positive.

    A limit takes a prefix of it; `budget.share_budget` keeps procedures whole and says what is left out.
    0 and anything below -1 give an empty text. With `max_tokens` and the caller's `count_tokens` the text is also
    cut to so many tokens. Raises ValueError for unknown sections, or when only one of the two is given.
    """
    if (max_tokens is None) != (count_tokens is None):
        raise ValueError("max_tokens and count_tokens are given together")
    text = whole_fragment(context, sections)
    if max_chars == 0 or max_chars < -1:
        return ""
    kept = text if max_chars == -1 else text[:max_chars]
    return kept if max_tokens is None or count_tokens is None else _within(kept, max_tokens, count_tokens)


def whole_fragment(context: FormContext, sections: Collection[str] = SECTIONS) -> str:
    """Return the fragment of a form uncut; raises ValueError for unknown sections."""
    unknown = [name for name in sections if name not in SECTIONS]
    if unknown:
        raise ValueError(f"unknown section {unknown[0]!r}: one of {', '.join(SECTIONS)}")
    parts = []
    if "form" in sections:
        parts.append(f"# FORM {form_title(context)}")
    if "summary" in sections:
        parts.append(f"## SUMMARY\n{summary_json(context.summary)}")
    if "bsl" in sections:
        parts.append(f"## BSL\n{NO_MODULE if context.bsl_text is None else context.bsl_text}")
    return "\n".join(parts)


def form_title(context: FormContext) -> str:
    """Return type, object, container and form in one row; what a form does not have is left out."""
    parts = (context.object_type, context.object_name, context.container_name, context.form_name)
    # a path that a part holds would hide behind the separator
    return "/".join(sanitize_paths(part) for part in parts if part)


def _within(text: str, most: int, count: Callable[[str], int]) -> str:
    """Return the longest prefix of a text, found by bisection, that has at most so many tokens."""
    if most <= 0:
        return ""
    if count(text) <= most:
        return text
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if count(text[:middle]) <= most else (low, middle)
    return text[:low]


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has; models differ by a third either way."""
    return -(-len(text) // _CHARS_PER_TOKEN)
