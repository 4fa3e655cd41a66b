"""One small form written as a Designer dump and as an EDT project write it, with its configuration."""

from __future__ import annotations

from bsl_scout.forms.model import FormPlace

FORM_HEAD = (
    '<Form xmlns="http://v8.1c.ru/8.3/xcf/logform" xmlns:v8="http://v8.1c.ru/8.1/data/core" '
    'xmlns:cfg="http://v8.1c.ru/8.1/data/enterprise/current-config" xmlns:xs="http://www.w3.org/2001/XMLSchema" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xr="http://v8.1c.ru/8.3/xcf/readable">'
)
DESIGNER = (
    FORM_HEAD
    + """
<Title><v8:item><v8:lang>ru</v8:lang><v8:content>Заказ</v8:content></v8:item></Title>
<AutoCommandBar name="Панель" id="-1"><ChildItems>
<Button name="Записать" id="1"><CommandName>Form.StandardCommand.Write</CommandName>
<ExtendedTooltip name="ЗаписатьПодсказка" id="2"/></Button>
</ChildItems></AutoCommandBar>
<Events><Event name="OnOpen">ПриОткрытии</Event><Event name="BeforeClose">Нет</Event></Events>
<ChildItems>
<UsualGroup name="Шапка" id="3"><ExtendedTooltip name="ШапкаПодсказка" id="4"/><ChildItems>
<InputField name="Покупатель" id="5">
<DataPath>Объект.Покупатель</DataPath>
<Title><v8:item><v8:lang>ru</v8:lang><v8:content>Кому</v8:content></v8:item></Title>
<ChoiceParameterLinks><xr:Link><xr:DataPath xsi:type="xs:string">Объект.Чужой</xr:DataPath></xr:Link>
</ChoiceParameterLinks>
<ContextMenu name="ПокупательМеню" id="6"/>
<ExtendedTooltip name="ПокупательПодсказка" id="7"><Events><Event name="URLProcessing">Ссылка</Event></Events>
</ExtendedTooltip>
<Events><Event name="OnChange">покупательприизменении</Event></Events>
</InputField>
<LabelField name="Дата" id="8"><DataPath>Объект.Date</DataPath></LabelField>
</ChildItems></UsualGroup>
<Table name="Товары" id="9"><DataPath>Объект.Товары</DataPath>
<ContextMenu name="ТоварыМеню" id="10"/><AutoCommandBar name="ТоварыПанель" id="11"><ChildItems>
<Button name="Подбор" id="12"><CommandName>Form.Command.Подбор</CommandName></Button>
<SearchStringAddition name="Поиск" id="13"/></ChildItems></AutoCommandBar>
<SearchStringAddition name="ТоварыПоиск" id="14"/>
<Events><Event name="OnActivateRow">Строка</Event></Events>
<ChildItems>
<LabelField name="ТоварыНомер" id="15"><DataPath>Объект.Товары.LineNumber</DataPath></LabelField>
<InputField name="ТоварыЦена" id="16"><DataPath>Объект.Товары.Цена</DataPath></InputField>
<CheckBoxField name="ТоварыФлаг" id="17"><DataPath>Объект.Товары.Флаг</DataPath></CheckBoxField>
</ChildItems></Table>
<Table name="Список" id="18"><DataPath>~Список</DataPath></Table>
<LabelDecoration name="Надпись" id="19"/><PictureDecoration name="Картинка" id="20"/>
<SpreadSheetDocumentField name="Печать" id="21"><DataPath>Печать</DataPath></SpreadSheetDocumentField>
<ButtonGroup name="Кнопки" id="22"/>
</ChildItems>
<Attributes>
<Attribute name="Объект" id="1"><Type><v8:Type>cfg:DocumentObject.Заказ</v8:Type></Type>
<MainAttribute>true</MainAttribute>
<Columns><AdditionalColumns table="Объект.Товары"><Column name="Флаг" id="1"><Type><v8:Type>xs:boolean</v8:Type>
</Type></Column>
</AdditionalColumns></Columns></Attribute>
<Attribute name="Список" id="2"><Type><v8:Type>cfg:DynamicList</v8:Type></Type><Settings xsi:type="DynamicList">
<ManualQuery>true</ManualQuery><QueryText>ВЫБРАТЬ З.Ссылка ИЗ Документ.Заказ КАК З</QueryText>
<MainTable>Document.Заказ</MainTable></Settings></Attribute>
<Attribute name="Виды" id="3"><Title><v8:item><v8:lang>ru</v8:lang><v8:content>Виды цен</v8:content></v8:item></Title>
<Type><v8:Type>v8:ValueListType</v8:Type></Type><Settings xsi:type="v8:TypeDescription">
<v8:Type>xs:string</v8:Type></Settings></Attribute>
<Attribute name="Таблица" id="4"><Type><v8:Type>v8:ValueTable</v8:Type></Type><Columns>
<Column name="Сумма" id="1"><Type><v8:Type>xs:decimal</v8:Type><v8:NumberQualifiers><v8:Digits>15</v8:Digits>
<v8:FractionDigits>2</v8:FractionDigits></v8:NumberQualifiers></Type></Column></Columns></Attribute>
<Attribute name="Печать" id="5"><Type/></Attribute>
</Attributes>
<Commands><Command name="Подбор" id="1"><Title><v8:item><v8:lang>ru</v8:lang><v8:content>Подобрать</v8:content>
</v8:item></Title>
<Action>Подбор</Action></Command><Command name="Пустая" id="2"/></Commands>
<Parameters><Parameter name="Ключ"><Type><v8:TypeSet>cfg:AnyIBRef</v8:TypeSet></Type><KeyParameter>true</KeyParameter>
</Parameter></Parameters>
</Form>
"""
)
EDT = """<form:Form xmlns:form="http://g5.1c.ru/v8/dt/form" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<title><key>ru</key><value>Заказ</value></title>
<items xsi:type="form:FormGroup"><name>Шапка</name><id>3</id>
<items xsi:type="form:FormField"><name>Покупатель</name><id>5</id><title><key>ru</key><value>Кому</value></title>
<dataPath xsi:type="form:DataPath"><segments>Объект.Покупатель</segments></dataPath>
<handlers><event>OnChange</event><name>покупательприизменении</name></handlers>
<extendedTooltip><name>ПокупательПодсказка</name><id>7</id><type>Label</type>
<extInfo xsi:type="form:LabelDecorationExtInfo">
<handlers><event>URLProcessing</event><name>Ссылка</name></handlers></extInfo></extendedTooltip>
<contextMenu><name>ПокупательМеню</name><id>6</id></contextMenu><type>InputField</type>
<extInfo xsi:type="form:InputFieldExtInfo"><choiceParameterLinks><datapath xsi:type="form:DataPath">
<segments>Объект.Чужой</segments>
</datapath></choiceParameterLinks></extInfo></items>
<items xsi:type="form:FormField"><name>Дата</name><id>8</id><dataPath xsi:type="form:MultiLanguageDataPath">
<paths xsi:type="form:DataPath"><segments>Объект.Date</segments></paths></dataPath><type>LabelField</type></items>
<extendedTooltip><name>ШапкаПодсказка</name><id>4</id></extendedTooltip><type>UsualGroup</type></items>
<items xsi:type="form:Table"><name>Товары</name><id>9</id>
<dataPath xsi:type="form:DataPath"><segments>Объект.Товары</segments></dataPath>
<items xsi:type="form:FormField"><name>ТоварыНомер</name><id>15</id>
<dataPath xsi:type="form:DataPath"><segments>Объект.Товары.LineNumber</segments></dataPath><type>LabelField</type>
</items>
<items xsi:type="form:FormField"><name>ТоварыЦена</name><id>16</id>
<dataPath xsi:type="form:DataPath"><segments>Объект.Товары.Цена</segments></dataPath><type>InputField</type></items>
<items xsi:type="form:FormField"><name>ТоварыФлаг</name><id>17</id>
<dataPath xsi:type="form:DataPath"><segments>Объект.Товары.Флаг</segments></dataPath><type>CheckBoxField</type></items>
<autoCommandBar><name>ТоварыПанель</name><id>11</id><items xsi:type="form:Button"><name>Подбор</name><id>12</id>
<commandName>Form.Command.Подбор</commandName></items>
<items xsi:type="form:Addition"><name>Поиск</name><id>13</id><source>Товары</source></items></autoCommandBar>
<searchStringAddition><name>ТоварыПоиск</name><id>14</id></searchStringAddition>
<contextMenu><name>ТоварыМеню</name><id>10</id></contextMenu>
<extInfo xsi:type="form:DynamicListTableExtInfo"><handlers><event>OnActivateRow</event><name>Строка</name></handlers>
</extInfo>
</items>
<items xsi:type="form:Table"><name>Список</name><id>18</id>
<dataPath xsi:type="form:DataPath"><segments>Список</segments></dataPath></items>
<items xsi:type="form:Decoration"><name>Надпись</name><id>19</id><type>Label</type></items>
<items xsi:type="form:Decoration"><name>Картинка</name><id>20</id></items>
<items xsi:type="form:FormField"><name>Печать</name><id>21</id>
<dataPath xsi:type="form:DataPath"><segments>Печать</segments></dataPath><type>SpreadsheetDocumentField</type></items>
<items xsi:type="form:FormGroup"><name>Кнопки</name><id>22</id></items>
<autoCommandBar><name>Панель</name><id>-1</id><items xsi:type="form:Button"><name>Записать</name><id>1</id>
<commandName>Form.StandardCommand.Write</commandName><type>CommandBarButton</type>
<extendedTooltip><name>ЗаписатьПодсказка</name><id>2</id></extendedTooltip></items></autoCommandBar>
<handlers><event>OnOpen</event><name>ПриОткрытии</name></handlers>
<attributes><name>Объект</name><id>1</id><valueType><types>DocumentObject.Заказ</types></valueType><main>true</main>
<additionalColumns><tablePath xsi:type="form:DataPath"><segments>Объект.Товары</segments></tablePath>
<columns><name>Флаг</name><id>1</id><valueType><types>Boolean</types></valueType></columns></additionalColumns>
</attributes>
<attributes><name>Список</name><id>2</id><valueType><types>DynamicList</types></valueType>
<extInfo xsi:type="form:DynamicListExtInfo"><queryText>ВЫБРАТЬ З.Ссылка ИЗ Документ.Заказ КАК З</queryText>
<fields xsi:type="schema:DataCompositionSchemaDataSetField" xmlns:schema="s"><dataPath>Ссылка</dataPath></fields>
<mainTable>Document.Заказ</mainTable><customQuery>true</customQuery></extInfo></attributes>
<attributes><name>Виды</name><title><key>ru</key><value>Виды цен</value></title><id>3</id>
<valueType><types>ValueList</types></valueType>
<extInfo xsi:type="form:ValueListExtInfo"><itemValueType><types>String</types></itemValueType></extInfo></attributes>
<attributes><name>Таблица</name><id>4</id><valueType><types>ValueTable</types></valueType>
<columns><name>Сумма</name><id>1</id><valueType><types>Number</types>
<numberQualifiers><precision>15</precision><scale>2</scale></numberQualifiers></valueType></columns></attributes>
<attributes><name>Печать</name><id>5</id></attributes>
<formCommands><name>Подбор</name><title><key>ru</key><value>Подобрать</value></title><id>1</id>
<action xsi:type="form:FormCommandHandlerContainer"><handler><name>Подбор</name></handler></action></formCommands>
<formCommands><name>Пустая</name><id>2</id></formCommands>
<parameters><name>Ключ</name><valueType><types>AnyRef</types></valueType><keyParameter>true</keyParameter></parameters>
<extInfo xsi:type="form:DocumentFormExtInfo"><handlers><event>BeforeClose</event><name>Нет</name></handlers></extInfo>
</form:Form>
"""
MODULE = """&НаКлиенте
Процедура ПриОткрытии(Отказ)
КонецПроцедуры

&НаКлиенте
Процедура ПокупательПриИзменении(Элемент)
КонецПроцедуры

Процедура Подбор(Команда)
КонецПроцедуры

Асинх Процедура Строка(Элемент)
КонецПроцедуры
"""
MD_HEAD = (
    '<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:v8="http://v8.1c.ru/8.1/data/core" '
    'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:cfg="http://v8.1c.ru/8.1/data/enterprise/current-config">'
)
DOCUMENT = (
    MD_HEAD
    + """<Document uuid="00000000-0000-0000-0000-000000000001"><Properties><Name>Заказ</Name>
<NumberType>String</NumberType><NumberLength>11</NumberLength></Properties><ChildObjects>
<Attribute uuid="00000000-0000-0000-0000-000000000002"><Properties><Name>Покупатель</Name>
<Type><v8:Type>cfg:CatalogRef.Контрагенты</v8:Type></Type></Properties></Attribute>
<TabularSection uuid="00000000-0000-0000-0000-000000000003"><Properties><Name>Товары</Name></Properties><ChildObjects>
<Attribute uuid="00000000-0000-0000-0000-000000000004"><Properties><Name>Цена</Name><Type><v8:Type>xs:decimal</v8:Type>
</Type></Properties></Attribute></ChildObjects></TabularSection><Form>Форма</Form></ChildObjects></Document>
</MetaDataObject>"""
)
CONFIGURATION = MD_HEAD + (
    "<Configuration><Properties><Name>К</Name><ScriptVariant>{}</ScriptVariant></Properties>"
    "<ChildObjects><Document>Заказ</Document></ChildObjects></Configuration></MetaDataObject>"
)
SIDECAR = MD_HEAD + '<Form uuid="u"><Properties><Name>Форма</Name></Properties></Form></MetaDataObject>'
SOURCE = "Documents/Заказ/Forms/Форма/Ext/Form.xml"
FORM_ID = "Документ.Заказ.Форма.Форма"


def dump(form: str = DESIGNER, script: str = "Russian") -> dict[str, str | bytes]:
    """Return the files of a Designer dump with the form."""
    return {
        "Configuration.xml": CONFIGURATION.format(script),
        "Documents/Заказ.xml": DOCUMENT,
        "Documents/Заказ/Forms/Форма.xml": SIDECAR,
        SOURCE: form,
        "Documents/Заказ/Forms/Форма/Ext/Form/Module.bsl": MODULE,
    }


def place(source_format: str = "designer", module: str | None = None) -> FormPlace:
    """Return a place for a form that is read apart from any configuration."""
    return FormPlace(
        FORM_ID,
        "Document.Заказ.Form.Форма",
        ".",
        "managed",
        source_format,
        "Document",
        "Заказ",
        "DocumentForm",
        "Форма",
        SOURCE if source_format == "designer" else "Form.form",
        module,
    )
