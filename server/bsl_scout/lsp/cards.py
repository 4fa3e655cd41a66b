"""Cards of procedures and metadata objects as Markdown, in the language of the editor."""

from __future__ import annotations

from collections.abc import Callable

from bsl_scout.configuration import extensions
from bsl_scout.configuration.model import shown
from bsl_scout.features.changes import Made
from bsl_scout.features.hover import Card
from bsl_scout.features.object_card import ObjectCard, Row, Section

from .form_texts import row_text

# key of a section -> heading in Russian and English
_HEADINGS = {
    "types": ("Тип", "Type"),
    "flags": ("Свойства модуля", "Module properties"),
    "event": ("Событие", "Event"),
    "handler": ("Обработчик", "Handler"),
    "method": ("Метод", "Method"),
    "location": ("Хранение", "Stored in"),
    "source": ("Источник", "Source"),
    "owner": ("Владелец", "Owner"),
    "register_records": ("Движения", "Register records"),
    "based_on": ("Вводится на основании", "Based on"),
    "document": ("Документы", "Documents"),
    "of": ("Объект", "Object"),
    "fields": ("Состав", "Fields"),
    "forms": ("Формы", "Forms"),
    "commands": ("Команды", "Commands"),
    "templates": ("Макеты", "Templates"),
    "modules": ("Модули", "Modules"),
    "used_by": ("Используется в", "Used in"),
    "extends": ("Расширяет", "Extends"),
    "extends_unknown": ("Заимствован, но откуда — неизвестно", "Adopted, but what from is not known"),
    "extended_by": ("Расширен в", "Extended in"),
    "bound_to": ("Связан с", "Bound to"),
    "command": ("Команда", "Command"),
    "unknown": ("Неизвестно", "Not known"),
    "handlers": ("Обработчики", "Handlers"),
    "handles": ("Обрабатывает", "Handles"),
    "main_table": ("Основная таблица", "Main table"),
    "columns": ("Колонки", "Columns"),
    "elements": ("Элементы", "Elements"),
}
_MORE = ("… и ещё {}", "… and {} more")
_CALLED_BY = ("Вызывается из", "Called by")
_CHANGES = ("Изменяет", "Changes")
_CHANGED_BY = ("Изменена расширением", "Changed by extension")
_NOT_KNOWN = ("неизвестно, что именно", "what exactly is not known")
# values of CHANGES as they stand in code
_HOW = {
    "around": ("&Вместо", "&Around"),
    "before": ("&Перед", "&Before"),
    "after": ("&После", "&After"),
    "change_and_validate": ("&ИзменениеИКонтроль", "&ChangeAndValidate"),
}
_PROOF = {
    "uuid": ("объект найден по uuid", "the object is found by its uuid"),
    "name": ("объект найден по имени", "the object is found by its name"),
}
_REASONS = {
    extensions.NO_BASE: "основная конфигурация не открыта",
    extensions.FOREIGN_BASE: "ни в одной открытой конфигурации нет заимствованных объектов",
    extensions.SEVERAL_BASES: "основной может быть любая из нескольких открытых конфигураций",
    extensions.PARTIAL_BASE: "в открытой конфигурации есть не все заимствованные объекты",
    extensions.NO_OBJECT: "в основной конфигурации нет такого объекта",
    extensions.SEVERAL_OBJECTS: "в основной конфигурации несколько таких объектов",
    extensions.NOT_ADOPTED: "ни один заимствованный объект не владеет модулем",
    extensions.NO_MODULE: "в основной конфигурации нет такого модуля",
    extensions.NO_PROCEDURE: "в модуле основной конфигурации нет такой процедуры",
    extensions.NO_NAME: "в аннотации не названа процедура",
}
# the link to a 0-based line of a file of the index
Address = Callable[[str, int], str]
# a section with one short row stands on one line
_SHORT = 80
_SPECIAL = str.maketrans({letter: f"\\{letter}" for letter in "\\`*_{}[]<>()#+-!|~"})


def procedure_markdown(card: Card, locale: str) -> str:
    """Return the card of a procedure."""
    doc = "\n".join(f"{escaped(line)}  " for line in card.doc.split("\n")) if card.doc else ""
    parts = [f"```bsl\n{card.header}\n```\n{escaped(card.place)}", doc]
    if card.called_by:
        parts.append(f"**{_in(_CALLED_BY, locale)}:** {', '.join(map(escaped, card.called_by))}")
    parts += [f"**{_in(_CHANGES, locale)}:** {_made(one, locale)}" for one in card.changes]
    changed_by = [f"{escaped(one.root)}: {_in(_HOW[one.how], locale)} {escaped(one.name)}" for one in card.changed_by]
    if changed_by:
        parts.append(f"**{_in(_CHANGED_BY, locale)}:** " + "; ".join(changed_by))
    return "\n\n".join(part for part in parts if part).strip()


def _made(made: Made, locale: str) -> str:
    what = f"{_in(_HOW[made.how], locale)} {escaped(made.name)}".rstrip()
    if made.reason:
        return f"{what} — {_in(_NOT_KNOWN, locale)}: {_reason(made.reason, locale)}"
    return f"{what} — {escaped(made.place)} · {escaped(made.root)} ({_in(_PROOF[made.proof], locale)})"


def _reason(reason: str, locale: str) -> str:
    """Return why a link of an extension is not known; the reasons are written in English."""
    return _in((_REASONS[reason], reason), locale)


def object_markdown(card: ObjectCard, locale: str, address: Address) -> str:
    """Return the card of a metadata object or field; procedures are links to their `address`."""
    first = shown(card.synonym)
    every = dict.fromkeys([first, *card.synonym.values()] if first else ())
    titles = " · ".join(f"«{escaped(title)}»" for title in every if title)
    parts = [f"**{escaped(card.name)}**", titles, escaped(card.comment)]
    parts += [_section(section, locale, address) for section in card.sections]
    return "\n\n".join(part for part in parts if part)


def _section(section: Section, locale: str, address: Address) -> str:
    heading = _in(_HEADINGS[section.key], locale)
    rows = [_row(section.key, row, locale, address) for row in section.rows]
    if section.more:
        rows.append(_in(_MORE, locale).format(section.more))
    if len(rows) == 1 and len(str(section.rows[0])) <= _SHORT:
        return f"**{heading}:** {rows[0]}"
    return f"**{heading}**\n" + "\n".join(f"- {row}" for row in rows)


def _row(key: str, row: str | Row, locale: str, address: Address) -> str:
    if isinstance(row, Row):
        before, after = (escaped(row_text(part, locale)) for part in (row.before, row.after))
        name = escaped(row.name)
        if row.path is None or row.line is None:
            return f"{before}{name}{after}"
        return f"{before}[{name}]({address(row.path, row.line)}){after}"
    if key == "extends_unknown":
        return escaped(_reason(row, locale))
    return escaped(row_text(row, locale) if key in ("unknown", "handles") else row)


def escaped(text: str) -> str:
    """Return a text of the sources that Markdown shows as it is."""
    return text.translate(_SPECIAL)


def _in(words: tuple[str, str], locale: str) -> str:
    return words[0] if locale == "ru" else words[1]
