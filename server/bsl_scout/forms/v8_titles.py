"""Captions in the platform's own notation: `[1, n, ["language", "text"], …]`."""

from __future__ import annotations

from bsl_scout.configuration.braces import literal, number

# how deep below its description an element's own caption stands
_DEPTH = 3
# the look that all elements of ordinary forms have begins with these numbers and holds the tooltip
_LOOKS = ("8", "10", "11", "12", "13", "14", "15")


def title(node: object) -> dict[str, str] | None:
    """Return a caption by language, None when the node is something else; `#` is "any language" of the platform."""
    if not isinstance(node, list) or len(node) < 2 or node[0] != "1" or number(node[1]) != len(node) - 2:
        return None
    texts: dict[str, str] = {}
    for pair in node[2:]:
        if not isinstance(pair, list) or len(pair) != 2:
            return None
        language, text = literal(pair[0]), literal(pair[1])
        if language is None or text is None:
            return None
        if text.strip():
            texts[language] = text.replace("\r\n", "\n").strip()
    return texts


def find_title(node: object) -> dict[str, str]:
    """Return the first caption in the description of an ordinary element, empty without one."""
    level = [node]
    for _ in range(_DEPTH):
        below: list[object] = []
        for item in level:
            for inner in item if isinstance(item, list) else ():
                found = title(inner)
                if found is not None:
                    return found
                if isinstance(inner, list) and inner and not (len(inner) > 10 and inner[0] in _LOOKS):
                    below.append(inner)
        level = below
    return {}
