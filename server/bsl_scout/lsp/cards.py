"""Cards of procedures and metadata objects as Markdown, in the language of the editor."""

from __future__ import annotations

from bsl_scout.configuration.model import shown
from bsl_scout.features.hover import Card
from bsl_scout.features.object_card import ObjectCard, Section

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
    "extended_by": ("Расширен в", "Extended in"),
    "bound_to": ("Связан с", "Bound to"),
    "command": ("Команда", "Command"),
    "unknown": ("Не известно", "Not known"),
    "handlers": ("Обработчики", "Handlers"),
    "handles": ("Обрабатывает", "Handles"),
    "main_table": ("Основная таблица", "Main table"),
    "columns": ("Колонки", "Columns"),
    "elements": ("Элементы", "Elements"),
}
_MORE = ("… и ещё {}", "… and {} more")
_CALLED_BY = ("Вызывается из", "Called by")
# a section with one short row stands on one line
_SHORT = 80
_SPECIAL = str.maketrans({letter: f"\\{letter}" for letter in "\\`*_{}[]<>()#+-!|~"})


def procedure_markdown(card: Card, locale: str) -> str:
    """Return the card of a procedure."""
    doc = "\n".join(f"{escaped(line)}  " for line in card.doc.split("\n")) if card.doc else ""
    parts = [f"```bsl\n{card.header}\n```\n{escaped(card.place)}", doc]
    if card.called_by:
        parts.append(f"**{_in(_CALLED_BY, locale)}:** {', '.join(map(escaped, card.called_by))}")
    return "\n\n".join(part for part in parts if part).strip()


def object_markdown(card: ObjectCard, locale: str) -> str:
    """Return the card of a metadata object or field."""
    first = shown(card.synonym)
    every = dict.fromkeys([first, *card.synonym.values()] if first else ())
    titles = " · ".join(f"«{escaped(title)}»" for title in every if title)
    parts = [f"**{escaped(card.name)}**", titles, escaped(card.comment)]
    parts += [_section(section, locale) for section in card.sections]
    return "\n\n".join(part for part in parts if part)


def _section(section: Section, locale: str) -> str:
    heading = _in(_HEADINGS[section.key], locale)
    told = section.key in ("unknown", "handlers", "handles")
    rows = [escaped(row_text(row, locale) if told else row) for row in section.rows]
    if section.more:
        rows.append(_in(_MORE, locale).format(section.more))
    if len(rows) == 1 and len(rows[0]) <= _SHORT:
        return f"**{heading}:** {rows[0]}"
    return f"**{heading}**\n" + "\n".join(f"- {row}" for row in rows)


def escaped(text: str) -> str:
    """Return a text of the sources that Markdown shows as it is."""
    return text.translate(_SPECIAL)


def _in(words: tuple[str, str], locale: str) -> str:
    return words[0] if locale == "ru" else words[1]
