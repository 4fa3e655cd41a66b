"""The events of forms, their elements and objects in both languages.

Facts: the English names are those of the `Event` elements of forms and of event subscriptions in Designer dumps,
the Russian ones those that the Designer gives to handlers (an element's name comes before them).
"""

from __future__ import annotations

FORM_EVENTS: dict[str, str] = dict(
    line.split()
    for line in """
AdditionalDetailProcessing ОбработкаДополнительнойРасшифровки
AfterDeleteRow ПослеУдаления
AfterWrite ПослеЗаписи
AfterWriteAtServer ПослеЗаписиНаСервере
AutoComplete АвтоПодбор
BeforeAddRow ПередНачаломДобавления
BeforeClose ПередЗакрытием
BeforeCollapse ПередСворачиванием
BeforeDeleteRow ПередУдалением
BeforeEditEnd ПередОкончаниемРедактирования
BeforeExpand ПередРазворачиванием
BeforeLoadDataFromSettingsAtServer ПередЗагрузкойДанныхИзНастроекНаСервере
BeforeLoadUserSettingsAtServer ПередЗагрузкойПользовательскихНастроекНаСервере
BeforeLoadVariantAtServer ПередЗагрузкойВариантаНаСервере
BeforeRowChange ПередНачаломИзменения
BeforeStartEdit ПередНачаломРедактирования
BeforeWrite ПередЗаписью
BeforeWriteAtServer ПередЗаписьюНаСервере
ChoiceProcessing ОбработкаВыбора
Clearing Очистка
Click Нажатие
Creating Создание
DetailProcessing ОбработкаРасшифровки
DocumentComplete ДокументСформирован
Drag Перетаскивание
DragCheck ПроверкаПеретаскивания
DragEnd ОкончаниеПеретаскивания
DragStart НачалоПеретаскивания
EditTextChange ИзменениеТекстаРедактирования
ExternalEvent ВнешнееСобытие
FillCheckProcessingAtServer ОбработкаПроверкиЗаполненияНаСервере
NavigationProcessing ОбработкаПерехода
NewWriteProcessing ОбработкаЗаписиНового
NotificationProcessing ОбработкаОповещения
OnActivate ПриАктивизации
OnActivateCell ПриАктивизацииЯчейки
OnActivateField ПриАктивизацииПоля
OnActivateRow ПриАктивизацииСтроки
OnChange ПриИзменении
OnClick ПриНажатии
OnClose ПриЗакрытии
OnCreateAtServer ПриСозданииНаСервере
OnCurrentPageChange ПриСменеСтраницы
OnCurrentRepresentationPeriodChange ПриСменеТекущегоПериодаОтображения
OnEditEnd ПриОкончанииРедактирования
OnGetDataAtServer ПриПолученииДанныхНаСервере
OnLoadDataFromSettingsAtServer ПриЗагрузкеДанныхИзНастроекНаСервере
OnLoadUserSettingsAtServer ПриЗагрузкеПользовательскихНастроекНаСервере
OnLoadVariantAtServer ПриЗагрузкеВариантаНаСервере
OnMainServerAvailabilityChange ПриИзмененииДоступностиОсновногоСервера
OnOpen ПриОткрытии
OnPeriodOutput ПриВыводеПериода
OnReadAtServer ПриЧтенииНаСервере
OnReopen ПриПовторномОткрытии
OnSaveDataInSettingsAtServer ПриСохраненииДанныхВНастройкахНаСервере
OnSaveUserSettingsAtServer ПриСохраненииПользовательскихНастроекНаСервере
OnSaveVariantAtServer ПриСохраненииВариантаНаСервере
OnStartEdit ПриНачалеРедактирования
OnUpdateUserSettingSetAtServer ПриОбновленииСоставаПользовательскихНастроекНаСервере
OnWriteAtServer ПриЗаписиНаСервере
Opening Открытие
Selection Выбор
StartChoice НачалоВыбора
TextEditEnd ОкончаниеВводаТекста
Tuning Регулирование
URLGetProcessing ОбработкаПолученияНавигационнойСсылки
URLProcessing ОбработкаНавигационнойСсылки
ValueChoice ВыборЗначения
""".strip().splitlines()
)
OBJECT_EVENTS: dict[str, str] = dict(
    line.split()
    for line in """
BeforeDelete ПередУдалением
BeforeWrite ПередЗаписью
ChoiceDataGetProcessing ОбработкаПолученияДанныхВыбора
FillCheckProcessing ОбработкаПроверкиЗаполнения
Filling ОбработкаЗаполнения
FormGetProcessing ОбработкаПолученияФормы
OnCopy ПриКопировании
OnReceiveDataFromMaster ПриПолученииДанныхОтГлавного
OnReceiveDataFromSlave ПриПолученииДанныхОтПодчиненного
OnSendDataToMaster ПриОтправкеДанныхГлавному
OnSendDataToSlave ПриОтправкеДанныхПодчиненному
OnSendNodeDataToSlave ПриОтправкеДанныхУзлаПодчиненному
OnSetNewCode ПриУстановкеНовогоКода
OnSetNewNumber ПриУстановкеНовогоНомера
OnWrite ПриЗаписи
Posting ОбработкаПроведения
PresentationFieldsGetProcessing ОбработкаПолученияПолейПредставления
PresentationGetProcessing ОбработкаПолученияПредставления
UndoPosting ОбработкаУдаленияПроведения
""".strip().splitlines()
)
_RUSSIAN = {english.casefold(): russian for english, russian in (OBJECT_EVENTS | FORM_EVENTS).items()}
# ПередУдалением is an event of a row in a form and another one of an object
_ENGLISH_OF_FORMS = {russian.casefold(): english for english, russian in FORM_EVENTS.items()}
_ENGLISH_OF_OBJECTS = {russian.casefold(): english for english, russian in OBJECT_EVENTS.items()}


def russian_event(english: str) -> str | None:
    """Return the Russian name of an event of a form, an element or an object, None when it is not known."""
    return _RUSSIAN.get(english.casefold())


def english_form_event(russian: str) -> str | None:
    """Return the English name of an event of a form or an element, None when it is not known."""
    return _ENGLISH_OF_FORMS.get(russian.casefold())


def english_object_event(russian: str) -> str | None:
    """Return the English name of an event of an object, None when it is not known."""
    return _ENGLISH_OF_OBJECTS.get(russian.casefold())
