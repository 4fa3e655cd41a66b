"""One model of a form for all source formats: elements, what they are bound to and by which proof, handlers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bsl_scout.configuration.model import MetadataObject

# Where a data path comes from: the source writes it, or it is decoded from the identifiers of the export.
PROOFS = (
    "xml",
    "attribute-id",
    "child-id",
    "list-field",
    "table-address",
    "metadata-uuid",
    "standard-attribute",
)

# English full name of a metadata object (`Catalog.Контрагенты`) -> the object, None when the sources have none
FindObject = Callable[[str], MetadataObject | None]


@dataclass(frozen=True, slots=True)
class Handler:
    """A procedure that a form names for an event.

    `event` is the English name, None when the source gives an identifier (`event_id`) that is not known;
    `line` is the 0-based line of the procedure in the form's module, None when it is missing there;
    `source_line` the 0-based line of the form's source, None where that has no lines.
    """

    event: str | None
    procedure: str
    found: bool = False
    line: int | None = None
    call_type: str | None = None
    event_id: str | None = None
    source_line: int | None = None


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a form, in the order of the source, parents before their children.

    `type` is the Designer tag (`InputField`) where the format tells it, else the family (`Field`); `data_path`
    is written as the platform writes it (standard attributes in English, no leading `~`), None when the element
    is not bound, or when it is and the binding is not proven: then `problem` says why. `generated` marks what
    the platform adds by itself (context menus, extended tooltips and their kin) and nobody gave a handler to.
    `command` is the command a button runs, as the platform writes it (`Form.Command.X`). Lines are 0-based in
    the form's source: of the element, of its data path, of its command.
    """

    name: str
    type: str
    parent: str | None = None
    id: str | None = None
    title: Mapping[str, str] = field(default_factory=dict)
    data_path: str | None = None
    display_path: str | None = None
    proof: str | None = None
    types: tuple[str, ...] = ()
    command: str | None = None
    handlers: tuple[Handler, ...] = ()
    problem: str | None = None
    generated: bool = False
    line: int | None = None
    path_line: int | None = None
    command_line: int | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a form attribute: of a value table, added to an object's table, or a field of a dynamic list."""

    name: str
    types: tuple[str, ...] = ()
    title: Mapping[str, str] = field(default_factory=dict)
    id: str | None = None
    # of a column added to a table of the object: `Объект.Товары`
    table: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class FormAttribute:
    """An attribute of a form; `main_table` and `query` are those of a dynamic list.

    `query` is None when the list reads its main table itself; `item_types` are those of a value list's items.
    """

    name: str
    types: tuple[str, ...] = ()
    main: bool = False
    columns: tuple[Column, ...] = ()
    title: Mapping[str, str] = field(default_factory=dict)
    id: str | None = None
    main_table: str | None = None
    query: str | None = None
    line: int | None = None
    item_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FormCommand:
    """A command of a form and the handlers of its action (an extension may have one before and one after)."""

    name: str
    title: Mapping[str, str] = field(default_factory=dict)
    actions: tuple[Handler, ...] = ()
    id: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class FormParameter:
    """A parameter of a form; `key` tells a key parameter."""

    name: str
    types: tuple[str, ...] = ()
    key: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class FormWarning:
    """What is not known of a form, and why: a code, a text without local paths, the element it is about."""

    code: str
    text: str
    element: str | None = None


@dataclass(frozen=True, slots=True)
class FormPlace:
    """Where a form is and what it belongs to, told by the paths of its sources alone.

    `id` is Russian (`Документ.Заказ.Форма.ФормаДокумента`, `ОбщаяФорма.Х`, `ВнешняяОбработка.Х.Форма.Y`), `id_en`
    the same in English; `container` the English kind of the form (`DocumentForm`, `CommonForm`, `Form`, …);
    `path` the Form.xml, Form.form, Form.bin or v8unpack folder of the form, `module` its module, None without
    one; all paths are relative to the top with `/`.
    """

    id: str
    id_en: str
    root: str
    kind: str
    format: str
    object_type: str
    object_name: str
    container: str
    name: str
    path: str
    module: str | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """A form that was read: everything the format tells, with handlers found in its own module."""

    place: FormPlace
    elements: tuple[Element, ...] = ()
    attributes: tuple[FormAttribute, ...] = ()
    commands: tuple[FormCommand, ...] = ()
    events: tuple[Handler, ...] = ()
    parameters: tuple[FormParameter, ...] = ()
    warnings: tuple[FormWarning, ...] = ()
