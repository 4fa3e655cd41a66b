"""Event handlers in the platform's own notation (v8unpack.md 1.7) and the English names of the events."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bsl_scout.configuration.braces import is_uuid, literal, number

from .model import Handler

# Events of managed forms and their elements. All but the last six lines of the table in v8unpack.md 1.7; the
# others by forms of the samples that exist as Form.xml too.
_MANAGED = dict(
    line.split()
    for line in """
fe115cc8-9e33-4684-a166-bd5136fe7a9f OnChange
3ccc650e-f631-4cae-8e33-3eaac610b5f9 OnOpen
9f2e5ddb-3492-4f5d-8f0d-416b8d1d5c5b OnCreateAtServer
1282f000-23b6-4887-87f4-9e8e79db3d32 Selection
60edb81d-887b-478e-94ee-7fef2b13393d OnActivateRow
01d80ddd-dce5-4db3-beb5-f63c97cb05b9 OnEditEnd
de65638d-a806-4a76-bc10-f62bbc86e0e7 AfterDeleteRow
ca21cd18-35b2-4281-b5c8-016ecc8da8ac OnClose
8bfdb5eb-62dc-4851-8a2c-e983526356bf ChoiceProcessing
1d632984-de3c-4b4b-ad9f-d69682a10182 ChoiceProcessing
bf0ac0e1-bcbb-4dfe-8fc4-0b1923b461a6 BeforeWriteAtServer
8f42e083-be92-4102-b1f0-fa58452c1a63 BeforeWriteAtServer
3699f6a3-9a2a-4c82-a775-6ff4824a08ca NotificationProcessing
52dbb775-1631-4fd5-8c55-1615b5881dac BeforeClose
390d5e4b-e732-4c88-8748-9e211a416984 OnReadAtServer
c1bc0d3e-d35e-4207-a06b-ece68ed25314 OnWriteAtServer
047d4d09-961c-4bdc-8519-eef10674c35b AfterWrite
e73d6384-49d2-4885-a752-a674d6ff7742 FillCheckProcessingAtServer
2391e7b8-7235-45d7-ab7e-6ff3dc086396 BeforeAddRow
1960479b-4d89-4eba-8b39-0aa802020558 StartChoice
b50dc41b-c15a-4ebe-a17f-d01e51c47de6 Clearing
ac5a9c5a-5f1d-4fc5-b88c-a187038c16d1 Opening
11707a99-4eb9-4373-bc8c-84891483a034 Click
d710ea07-5c96-4c43-ab6e-e138d3653780 URLProcessing
6e973761-8683-47fa-a609-4e230950294d OnActivateField
""".strip().splitlines()
)

# class uuid of an element of an ordinary form -> family, as v8unpack names it
ORDINARY_CLASSES = dict(
    line.split()
    for line in """
381ed624-9217-4e63-85db-c4c3cb87daae Field
35af3d93-d7c7-4a2e-a8eb-bac87a1a3f26 CheckBox
782e569a-79a7-4a4f-a936-b48d013936ec RadioBtn
64483e7f-3833-48e2-8c75-2c31aac49f6e SelectField
e69bf21d-97b2-4f37-86db-675aea9ec2cb CommandPanel
6ff79819-710e-4145-97cd-1618da79e3e2 Button
151ef23e-6bb2-4681-83d0-35bc2217230c Image
90db814a-c75f-4b54-bc96-df62e554d67d Group
ea83fe3a-ac3c-4cce-8045-3dddf35b28b1 Table
236a17b3-7f44-46d9-a907-75f9cdc61ab5 TableField
09ccdc77-ea1a-4a6d-ab1c-3435eada2433 Panel
0fc7e20d-f241-460c-bdf4-5ad88e5474a5 Label
19f8b798-314e-4b4e-8121-905b2a7a03f5 ListField
36e52348-5d60-4770-8e89-a16ed50a2006 Separator
d92a805c-98ae-4750-9158-d9ce7cec2f20 FieldHtml
b1db1f86-abbb-4cf0-8852-fe6ae21650c2 Indicator
e3c063d8-ef92-41be-9c89-b70290b5368b CalendarBox
6c06cd5d-8481-4b6f-a90a-7a97a8bb8bef TrackBar
14c4a229-bfc3-42fe-9ce1-2da049fd0109 TextDocumentField
42248403-7748-49da-b782-e4438fd7bff3 GraphicalSchemaField
ad37194e-555e-4305-b718-5dca84baf145 GeographicalSchemaField
a8b97779-1a4b-4059-b09c-807f86d2a461 Chart
e5fdc112-5c84-4a16-9728-72b85692b6e2 GanttChart
a26da99e-184a-4823-b0d6-62816d38dc4e PivotChart
984981b1-622d-4ebc-94f7-885f0cdfb59a Dendrogram
""".strip().splitlines()
)
# class of an element -> number -> event (v8unpack.md 1.7); `Form` has the events of the form itself
_ORDINARY: dict[tuple[str, str], str] = {
    (family, pair.partition(":")[0]): pair.partition(":")[2]
    for family, *pairs in (
        line.split()
        for line in """
Field 1:StartListChoice 2:StartChoice 3:Clearing 4:Tuning 5:Opening 7:ChoiceProcessing 10:TextEditEnd 11:AutoComplete
Button 0:Click
Label 0:Click
Image 0:Click
Panel 0:OnCurrentPageChange
Table 34:Selection 35:OnActivateRow 37:OnActivateCell 40:BeforeAddRow 41:BeforeRowChange 42:BeforeDeleteRow
Table 43:OnStartEdit 44:BeforeEditEnd 45:OnCheckChange 47:OnRowOutput 49:OnEditEnd 51:AfterDeleteRow
Table 52:ChoiceProcessing 53:OnGetDataAt
Form 70000:BeforeOpen 70001:OnOpen 70002:BeforeClose 70003:OnClose 70009:RefreshDisplay
""".strip().splitlines()
    )
    for pair in pairs
}
# the same number in every class that holds a value
_CHANGED_NUMBER, _CHANGED = "2147483647", "OnChange"
# stands before the procedure of an event of an ordinary form
HANDLER_CLASS = "e1692cc2-605b-4535-84dd-28440238746c"
# kind of a menu button that is a line
_SEPARATOR = "2"
# what a button of a command bar or of a menu does
ACTION = "Action"


def managed_event(event_id: str) -> str | None:
    """Return the English name of an event of a managed form by its identifier, None when it is not known."""
    return _MANAGED.get(event_id.lower())


def managed_handlers(node: object) -> list[Handler] | None:
    """Return the handlers of `[n, event, "Procedure", …]`, None when the node is no such list.

    An event without a procedure is left out; behind the pairs stand numbers and the events again.
    """
    if not isinstance(node, list) or len(node) < 3:
        return None
    count = number(node[0])
    if not count or len(node) < 1 + 2 * count:
        return None
    events, procedures = node[1 : 2 * count : 2], [literal(item) for item in node[2 : 2 * count + 1 : 2]]
    if not all(is_uuid(event) for event in events) or None in procedures:
        return None
    return [
        Handler(_MANAGED.get(event), procedure, event_id=event)
        for event, procedure in zip(events, procedures, strict=True)
        if procedure
    ]


def has_more_handlers(node: list[object]) -> bool:
    """Return whether procedures stand behind the pairs too: those of an extension, whose layout is not known."""
    count = number(node[0]) or 0
    return any(literal(item) for item in node[1 + 2 * count :])


def ordinary_handlers(node: object, family: str) -> list[Handler]:
    """Return the handlers below a node: `[number, class, ["3", "Procedure", …]]`, in the order of the source.

    A control inside the node (the cell of a column) begins with its class; its events are those of that class.
    """
    found: list[Handler] = []
    for item, inside in _lists(node, family):
        event = item[0] if len(item) >= 3 and item[1] == HANDLER_CLASS else None
        if isinstance(event, str) and event.isascii() and event.isdigit():
            procedure = _procedure(item[2])
            if procedure:
                name = _CHANGED if event == _CHANGED_NUMBER else _ORDINARY.get((inside, event))
                found.append(Handler(name, procedure, event_id=event))
    return found


def ordinary_actions(node: object) -> Iterator[tuple[str, str, Handler | None, object]]:
    """Yield uuid, name, handler (None: an action of the platform) and title of each menu button below a node.

    Actions are `[6 or 7, uuid, "1", class, ["3", "Procedure", …]]`; a menu names them as `uuid, [8, "Name", …]`.
    """
    procedures: dict[str, str] = {}
    named: dict[str, tuple[str, object]] = {}
    for item, _ in _lists(node, ""):
        if len(item) >= 5 and item[3] == HANDLER_CLASS and is_uuid(item[1]):
            procedure = _procedure(item[4])
            if procedure:
                procedures[str(item[1])] = procedure
        for uuid, button in pairwise(item):
            if is_uuid(uuid) and isinstance(button, list) and len(button) > 4 and button[0] in ("8", "9", "10"):
                name = literal(button[1])
                if name and not (len(button) > 9 and button[9] == _SEPARATOR):
                    named.setdefault(str(uuid), (name, button[4]))
    for uuid, (name, title) in named.items():
        handler = Handler(ACTION, procedures.pop(uuid), event_id=uuid) if uuid in procedures else None
        yield uuid, name, handler, title
    for uuid, procedure in procedures.items():
        yield uuid, "", Handler(ACTION, procedure, event_id=uuid), None


def _procedure(node: object) -> str | None:
    return literal(node[1]) if isinstance(node, list) and len(node) > 1 and node[0] in ("2", "3") else None


def _lists(node: object, family: str) -> Iterator[tuple[list[object], str]]:
    """Yield a node and all lists below it in the order of the source, each with the class it belongs to."""
    stack = [(node, family)]
    while stack:
        item, inside = stack.pop()
        if not isinstance(item, list):
            continue
        if item and isinstance(item[0], str):
            inside = ORDINARY_CLASSES.get(item[0], inside)
        yield item, inside
        stack.extend((inner, inside) for inner in reversed(item))
