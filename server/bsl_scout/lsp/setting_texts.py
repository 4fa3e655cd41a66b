"""What is wrong with a folder or with entries of settings, in the words of the client's language."""

from __future__ import annotations

from collections.abc import Sequence

from bsl_scout.configuration.chosen_roots import ABSENT, EMPTY, OUTSIDE

NO_TEXT = "no text"
_WRONG_ROOTS = {
    ABSENT: ("нет такой папки", "there is no such folder"),
    OUTSIDE: ("это вне папки рабочей области", "it is outside the workspace folder"),
    EMPTY: ("там нет исходников 1С", "it holds no 1C sources"),
    NO_TEXT: ("это не список имён папок", "it is no list of names of folders"),
}


def folder_text(state: str, name: str, message: str, locale: str) -> str:
    """Return what is told of a folder in a state beside that state; empty when that says everything."""
    if state == "missing":
        return f"Папка «{name}» недоступна." if locale == "ru" else f"The folder “{name}” cannot be reached."
    return "" if state == "full" else message


def wrong_synonyms_text(entries: Sequence[str], locale: str) -> str:
    """Return what is wrong with the entries of the setting of synonyms that are none."""
    listed = ", ".join(f"«{one}»" for one in entries)
    hint = "нужны две фразы и = между ними" if locale == "ru" else "two phrases with = between them are needed"
    return f"bslScout.search.synonyms: {listed}: {hint}"


def wrong_root_text(name: str, reason: str, locale: str) -> str:
    """Return what is wrong with an entry of the setting that names roots."""
    return f"bslScout.roots: «{name}»: {_WRONG_ROOTS[reason][0 if locale == 'ru' else 1]}"
