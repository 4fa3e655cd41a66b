"""The order in which a Designer dump writes the events of a form or element, whatever order they were given in.

Measured on 2,700 Form.xml of dumps: in each of the types below no two events ever stand in both orders. An EDT
project writes the common events and those of the type apart; in this order forms of both formats are the same.
"""

from __future__ import annotations

from .model import Handler

_FORM = """AfterWrite OnSaveDataInSettingsAtServer ChoiceProcessing AfterWriteAtServer BeforeLoadVariantAtServer
NotificationProcessing OnReadAtServer OnOpen BeforeLoadUserSettingsAtServer BeforeClose ExternalEvent OnReopen
OnSaveVariantAtServer URLGetProcessing OnLoadDataFromSettingsAtServer BeforeWrite NavigationProcessing
OnLoadUserSettingsAtServer OnLoadVariantAtServer OnSaveUserSettingsAtServer OnCreateAtServer BeforeWriteAtServer
OnMainServerAvailabilityChange OnUpdateUserSettingSetAtServer OnWriteAtServer OnClose FillCheckProcessingAtServer
BeforeLoadDataFromSettingsAtServer URLProcessing"""
_OTHER = """DocumentComplete DragCheck OnChange Click OnClick OnCurrentRepresentationPeriodChange OnEditEnd DragStart
BeforeStartEdit OnPeriodOutput Selection OnActivate DragEnd URLProcessing"""
_ORDER = {
    "Form": _FORM,
    # a document has an event of its own for this
    "DocumentForm": _FORM.replace("OnCreateAtServer BeforeWriteAtServer", "BeforeWriteAtServer OnCreateAtServer"),
    "Table": """DragCheck OnEditEnd ValueChoice Selection BeforeAddRow BeforeDeleteRow BeforeEditEnd OnActivateRow
    DragStart BeforeExpand Drag BeforeCollapse OnActivateField ChoiceProcessing NewWriteProcessing OnGetDataAtServer
    BeforeRowChange DragEnd OnStartEdit AfterDeleteRow OnActivateCell OnChange""",
    "InputField": """OnChange AutoComplete EditTextChange StartChoice Opening Creating Clearing TextEditEnd
    ChoiceProcessing""",
    "SpreadSheetDocumentField": """AdditionalDetailProcessing OnChange DragCheck OnActivate Selection
    DetailProcessing BeforeWrite Drag DragEnd""",
}
_RANKS = {kind: {event: rank for rank, event in enumerate(order.split())} for kind, order in _ORDER.items()}
_OTHER_RANKS = {event: rank for rank, event in enumerate(_OTHER.split())}


def in_order(kind: str, handlers: tuple[Handler, ...]) -> tuple[Handler, ...]:
    """Return handlers in the order of their events; `kind` is an element's type, Form or DocumentForm.

    An event that the order does not know stays behind the one before it.
    """
    if len(handlers) < 2:
        return handlers
    ranks = _RANKS.get(kind, _OTHER_RANKS)
    rank, ranked = -1, []
    for handler in handlers:
        rank = ranks.get(handler.event or "", rank)
        ranked.append((rank, handler))
    return tuple(handler for _, handler in sorted(ranked, key=lambda pair: pair[0]))
