"""What the call hierarchy says of callers, in Russian and English."""

from __future__ import annotations

from bsl_scout.features.callers import Caller, Callers
from bsl_scout.index.schema import ChunkRow

_DOUBTS = {
    "module-variable": (
        "возможно: модуль получен в переменную по имени",
        "possible: the module is given to a variable by its name",
    ),
    "unknown": ("возможно: неизвестно, чей это метод", "possible: it is not known whose method this is"),
    "variable": (
        "возможно: имя модуля может быть занято переменной",
        "possible: a variable may have the name of the module",
    ),
    "text": ("возможно: имя стоит в строке", "possible: the name stands in a string"),
}
_NO_PROCEDURE = (
    # what to do first: a notification shows the beginning only
    "поставьте курсор внутрь процедуры: здесь нет ни одной из индекса",
    "put the cursor into a procedure: none of the index is here",
)
_NO_FOLDER = ("этого модуля нет ни в одной папке индекса", "no indexed folder holds this document")
_OUTSIDE = {"header": ("<до процедур>", "<above the procedures>"), "body": ("<тело модуля>", "<body of the module>")}


def doubt_text(proof: str, locale: str) -> str:
    """Return why a call is possible only, empty for one that is proven."""
    texts = _DOUBTS.get(proof)
    return texts[0 if locale == "ru" else 1] if texts else ""


def no_procedure_text(locale: str) -> str:
    """Return that a place is in no procedure, and what to do."""
    return _NO_PROCEDURE[0 if locale == "ru" else 1]


def no_folder_text(locale: str) -> str:
    """Return that a document is in no folder that is indexed."""
    return _NO_FOLDER[0 if locale == "ru" else 1]


def caller_detail(caller: Caller, locale: str) -> str:
    """Return the place of a caller; of a doubtful one that it is, before, and why, behind: rows are cut at the end."""
    doubt, _, reason = doubt_text(caller.proof, locale).partition(": ")
    return " · ".join(part for part in (doubt, place_text(caller.row), reason) if part)


def place_text(row: ChunkRow) -> str:
    """Return what a procedure belongs to, its name first: `Контрагенты · модуль формы ФормаСписка · Справочник`."""
    kind, *names = (row.owner or "").split(".")
    if not names:
        return " · ".join(part for part in (kind, row.words) if part) if row.owner else row.path
    # a common module has one module only: nothing to tell apart
    module = "" if row.module == "Модуль" else " ".join([row.words, *names[2:]])
    return " · ".join(part for part in (names[0], module, kind) if part)


def caller_name(row: ChunkRow, locale: str) -> str:
    """Return the name of a procedure, or what stands outside of all."""
    outside = _OUTSIDE.get(row.kind)
    return row.name or (outside[0 if locale == "ru" else 1] if outside else row.key)


def left_out_text(callers: Callers, locale: str) -> str:
    """Return how much is not shown."""
    russian = locale == "ru"
    parts = []
    if callers.more_possible:
        more = callers.more_possible
        parts.append(f"… не показано возможных: {more}" if russian else f"… {more} possible ones are not shown")
    if callers.unread:
        unread = callers.unread
        parts.append(f"… не просмотрено мест: {unread}" if russian else f"… {unread} places were not looked at")
    return "; ".join(parts)
