"""What stands where in the headers of a v8unpack export, per metadata kind.

Facts: an object's header is `[1, body, count, collection, …]`; the collections are named by class uuids that are
the same in all configurations (v8unpack.md 1.2 and 1.6; all that occur in the samples were compared with the
folders of the export, the others are those of the platform's metadata classes). The body begins with the version
of its layout; generated types stand in it as pairs of a type and a value uuid.
"""

from __future__ import annotations

from dataclasses import dataclass

from .braces import at

# class uuid of an external object; a report is exported under the file name of a processor too
_EXTERNAL_KINDS = {
    "c3831ec8-d8d5-4f93-8a22-f9bfae07327f": "ExternalDataProcessor",
    "e41aff26-25cf-4bb6-b6c1-3f478a75f374": "ExternalReport",
}
# class uuid of a collection -> the kind of field it holds
COLLECTIONS: dict[str, str] = {
    uuid: kind
    for kind, *uuids in (
        line.split()
        for line in """
template 3daea016-69b7-4ed4-9453-127911372fe6
attribute cf4abea7-37b2-11d4-940f-008048da11f9 45e46cbc-3e24-4165-8b7b-cc98a6f80211
attribute 1a1b4fea-e093-470d-94ff-1d2f16cda2ab 31182525-9346-4595-81f8-6f91a72ebe06
attribute 6e65cbf5-daa8-4d8d-bef8-59723f4e5777 0dc22ad2-476a-4794-afae-cfa7ed251752
attribute 87c988de-ecbf-413b-87b0-b9516df05e28 8ddfb495-c5fc-46b9-bdc5-bcf58341bff0
attribute 7e7123e0-29e2-11d6-a3c7-0050bae0a776 ec6bb5e5-b7a8-4d75-bec9-658107a699cf
attribute a2207540-1400-11d6-a3c7-0050bae0a776 b64d9a42-1642-11d6-a3c7-0050bae0a776
attribute 9d28ee33-9c7e-4a1b-8f13-50aa9b36607b 1b304502-2216-440b-960f-60decd04bb5d
attribute 888744e1-b616-11d4-9436-004095e12fc7 5d24a9d1-098e-11d6-b9b8-0050bae0a95d
attribute c339c860-29e2-11d6-a3c7-0050bae0a776
tabular_section 932159f9-95b2-4e76-a8dd-8849fe5c5ded 21c53e09-8950-4b5e-a6a0-1054f1bbc274
tabular_section 52293f4b-f98c-43ea-a80f-41047ae7ab58 54e36536-7863-42fd-bea3-c5edd3122fdc
tabular_section 4c7fec95-d1bd-4508-8a01-f1db090d9af8 054aa8cf-faa6-4634-aef4-1087ca0d88fc
tabular_section a3fe6537-d787-40f7-8a06-419d2f0c1cfd ee865d4b-a458-48a0-b38f-5a26898feeb0
tabular_section b077d780-29e2-11d6-a3c7-0050bae0a776 2bcef0d1-0981-11d6-b9b8-0050bae0a95d
dimension 13134203-f60b-11d5-a3c7-0050bae0a776 b64d9a43-1642-11d6-a3c7-0050bae0a776
dimension 35b63b9d-0adf-4625-a047-10ae874c19a3 b12fc850-8210-43c8-ae05-89567e698fbb
dimension 437488c0-35e2-11d6-a3c7-0050bae0a776 3c456b74-4ea5-4b22-a957-e9fad9133b54
resource 13134202-f60b-11d5-a3c7-0050bae0a776 b64d9a41-1642-11d6-a3c7-0050bae0a776
resource 63405499-7491-4ce3-ac72-43433cbe4112 702b33ad-843e-41aa-8064-112cd38cc92c
enum_value bee0a08c-07eb-40c0-8544-5c364c171465
column 5aee69df-0513-4c6c-9815-103102471712
addressing_attribute e97c0570-251c-4566-b0f1-10686820f143
accounting_flag 78bd1243-c4df-46c3-8138-e147465cb9a4
ext_dimension_accounting_flag c70ca527-5042-4cad-a315-dcb4007e32a3
recalculation 274bf899-db0e-4df6-8ab5-67bf6371ec0b
subsystem 37f2fa9a-b276-11d4-9435-004095e12fc7
url_template ec6896c2-9b28-42d8-9140-48491146b8ea
method 21c96ea8-c8fc-424a-a0b4-e1ffb2fa1a73
operation 36186084-c23a-43bd-876c-a3a8ba1a9622
parameter b78a00b2-2260-4ef5-a70c-17889cfee695
integration_service_channel acb7e81f-0637-4ebd-88ff-954ba075ae51
table e3403acd-1c95-421b-87e4-4dfa29d38b52
cube 2bb208ca-e441-4023-9ab9-32a7807a85d0
function a98a108a-49a0-4dcf-bfd0-aa4b89eeb3f5
field c7075688-01c1-41ba-bd1c-1023c8189079
form fdf816d2-1ead-11d5-b975-0050bae0a95d fb880e93-47d7-4127-9357-a20e69c17545
form 87c509ab-3d38-4d67-b379-aca796298578 eb2b78a8-40a6-4b7e-b1b3-6ca9966cbc94
form 5372e285-03db-4f8c-8565-fe56f1aea40e a7f8f92a-7a4b-484b-937e-42d242e64144
form 3f7a8120-b71a-4265-98bf-4d9bc09b7719 3f58cbfb-4172-4e54-be49-561a579bb38b
form a3b368c0-29e2-11d6-a3c7-0050bae0a776 d5b0e5ed-256d-401c-9c36-f630cafd8a62
form 33f2e54b-37ce-4a7a-a569-b648d7aa4634 13134204-f60b-11d5-a3c7-0050bae0a776
form b64d9a44-1642-11d6-a3c7-0050bae0a776 d3b5d6eb-4ea2-4610-a3e2-624d4e815934
form a2cb086c-db98-43e4-a1a9-0760ab048f8d ec81ad10-ca07-11d5-b9a5-0050bae0a95d
form 00867c40-06b1-11d6-a3c7-0050bae0a776 b8533c0c-2342-4db3-91a2-c2b08cbf6b23
form 17816ebc-4068-496e-adc4-8879945a832f 3448e506-5add-4fce-a604-7305466b2d8e
command 4fe87c89-9ad4-43f6-9fdb-9dc83b3879c6 b544fc6a-2ba3-4885-8fb2-cb289fb6d65e
command d5207c64-11d5-4d46-bba2-55b7b07ff4eb 95b5e1d4-abfa-4a16-818d-a5b07b7d3f73
command 0df30176-6865-4787-9fc8-609eb144174f 2e90c75b-2f0c-4899-a7d4-5426eaefc96e
command 7a3e533c-f232-40d5-a932-6a311d2480bf f27c2152-a2c9-4c30-adb1-130f5eb2590f
command e7ff38c0-ec3c-47a0-ae90-20c73ca72246 45556acb-826a-4f73-898a-6025fc9536e1
command 6d8d73a7-ba29-401d-9032-3872ec2d6433 b44ba719-945c-445c-8aab-1088fa4df16e
command 99f328af-a77f-4572-a2d8-80ed20c81890 7162da60-f7fe-4d78-ad5d-e31700f9af18
command acdf0f11-2d59-4e37-9945-c6721871a8fe a49a35ce-120a-4c80-8eea-b0618479cd70
command 23fa3b84-220a-40e9-8331-e588bed87f7d 5bb6f09e-5d80-41f6-8070-9faa4d15b69b
command 4ee40ec7-3469-439f-adb4-aa26ce2d3ec3
""".strip().splitlines()
    )
    for uuid in uuids
}

# kind of field -> where its identity stands in the head of an item, the first that fits
IDENTITY_IN_ITEM: dict[str, tuple[tuple[int, ...], ...]] = {
    "tabular_section": ((1, 5, 1),),
    "url_template": ((2,),),
    "method": ((3,),),
}
# attributes and their kin: [version, [27, [2, identity, types], …], …]; of a sequence's dimension the inner list only
IDENTITY_OF_OTHERS: tuple[tuple[int, ...], ...] = ((1, 1, 1), (1, 1), (1,))

# folder of things with files of their own below an object's folder -> the kind of field
CHILD_FOLDERS = {
    "ExternalDataSourceTable": "table",
    "ExternalDataSourceCube": "cube",
    "CalculationRegisterRecalculations": "recalculation",
    "Subsystem": "subsystem",
}


def external_kind(header: object) -> str | None:
    """Return the kind of an exported external object, None when its header names none."""
    kind = at(header, 0, 3, 0)
    return _EXTERNAL_KINDS.get(kind) if isinstance(kind, str) else None


def child_kind(folder: str) -> str | None:
    """Return the kind of field that a folder below an object's folder holds, None when it holds none."""
    if folder in CHILD_FOLDERS:
        return CHILD_FOLDERS[folder]
    for suffix, kind in (("Form", "form"), ("Command", "command"), ("Template", "template")):
        if folder.endswith(suffix):
            return kind
    return None


@dataclass(frozen=True, slots=True)
class Slots:
    """Where a kind's identity and the type uuids of its generated types stand in a body.

    `versions` are the layouts in which this was seen; in others only what stands before the identity is read.
    """

    kind: str
    versions: frozenset[str]
    identity: tuple[int, ...]
    types: tuple[tuple[str, int], ...]


def _slots(line: str) -> Slots:
    kind, versions, where, *types = line.split()
    pairs = ((name, int(position)) for name, _, position in (item.partition(":") for item in types))
    return Slots(kind, frozenset(versions.split(",")), tuple(map(int, where.split("."))), tuple(pairs))


# kind, layout versions, path of the identity, name of a generated type : its position
SLOTS: tuple[Slots, ...] = tuple(
    _slots(line)
    for line in """
AccountingRegister 21 15.1 Record:1 ExtDimensions:3 RecordSet:5 RecordKey:7 Selection:9 List:11 Manager:13
AccountingRegister 22 16.1 Record:2 ExtDimensions:4 RecordSet:6 RecordKey:8 Selection:10 List:12 Manager:14
AccumulationRegister 28 13.1 Record:1 Manager:3 Selection:5 List:7 RecordSet:9 RecordKey:11
BusinessProcess 30 1 Object:3 Ref:5 Selection:7 List:9 Manager:11 RoutePointRef:13
CalculationRegister 21 15.1 Record:1 Manager:3 Selection:5 List:7 RecordSet:9 RecordKey:11 Recalcs:13
Catalog 56,57 9.1 Object:1 Ref:3 Selection:5 List:7 Manager:34
ChartOfAccounts 32 15.1 Object:1 Ref:3 Selection:5 List:7 Manager:9 ExtDimensionTypes:11 ExtDimensionTypesRow:13
ChartOfCalculationTypes 35 1.1 Object:2 Ref:4 Selection:6 List:8 Manager:10
ChartOfCharacteristicTypes 34 13.1 Object:1 Ref:3 Selection:5 List:7 Characteristic:9 Manager:11
Constant 16 1.1.1 Manager:2 ValueManager:4 ValueKey:13
DataProcessor 17 3.1 Object:1 Manager:7
DefinedType 0 3 DefinedType:1
Document 40 9.1 Object:1 Ref:3 Selection:5 List:7 Manager:26
DocumentJournal 26 3.1 List:1 Manager:8 Selection:10
Enum 20 5.1 Ref:1 Manager:3 List:7
ExchangePlan 35,36,37 12 Object:1 Ref:3 Selection:5 List:7 Manager:9
ExternalDataProcessor 4 3.1 Object:1
ExternalReport - 3.1 Object:1
FilterCriterion 14 5.1 Manager:1 List:3
InformationRegister 33 15.1 Record:1 Manager:3 Selection:5 List:7 RecordSet:9 RecordKey:11 RecordManager:13
IntegrationService 0 1 Manager:2
Report 19,20 3.1 Object:1 Manager:12
SettingsStorage 2 1.1 Manager:2
Task 33 1 Object:3 Ref:5 Selection:7 List:9 Manager:11
""".strip().splitlines()
)
# generated types that are named without their kind
BARE_TYPES = frozenset({"Characteristic", "DefinedType"})
