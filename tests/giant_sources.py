"""Sources of unusual size, for tests and benchmarks: a giant module, a giant procedure, an object of many forms."""

from __future__ import annotations

from pathlib import Path

HEAD = '<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:v8="http://v8.1c.ru/8.1/data/core">'
MODULE = "CommonModules/Гигант/Ext/Module.bsl"
QUERY_CHARS = 10_000


def giant_module(size: int) -> str:
    """Return a module of so many bytes: procedures of some twenty lines, no two alike."""
    pieces, number = [], 0
    while size > 0:
        lines = "".join(f"\tОстаток{number + i} = Остатки.Получить(Склад{i}, Товар{number});\n" for i in range(18))
        pieces.append(f"// Считает остаток {number}.\nФункция Остаток{number}(Склад) Экспорт\n{lines}КонецФункции\n\n")
        size -= len(pieces[-1].encode())
        number += 1
    return "".join(pieces)


def giant_procedure(characters: int) -> str:
    """Return one procedure of so many characters, nested blocks and a long text among its statements."""
    row = '\tЕсли Сумма{0} > {0} Тогда Запрос.Текст = "ВЫБРАТЬ\n\t| Поле{0} КАК Поле"; Иначе Сумма{0} = 0; КонецЕсли;\n'
    rows, size = [], 0
    while size < characters:
        rows.append(row.format(len(rows)))
        size += len(rows[-1])
    return f"Процедура Гигант()\n{''.join(rows)}КонецПроцедуры\n"


def object_with_forms(top: Path, count: int) -> None:
    """Write a configuration whose one catalog has so many forms, each with a module."""
    forms = "".join(f"<Form>Форма{number}</Form>" for number in range(count))
    files = {
        "Configuration.xml": f"{HEAD}<Configuration><Properties><Name>К</Name></Properties><ChildObjects>"
        "<Catalog>Много</Catalog></ChildObjects></Configuration></MetaDataObject>",
        "Catalogs/Много.xml": f'{HEAD}<Catalog uuid="c"><Properties><Name>Много</Name></Properties><ChildObjects>'
        f"{forms}</ChildObjects></Catalog></MetaDataObject>",
    }
    for number in range(count):
        base = f"Catalogs/Много/Forms/Форма{number}"
        files[f"{base}.xml"] = (
            f'{HEAD}<Form uuid="f{number}"><Properties><Name>Форма{number}</Name><FormType>Managed</FormType>'
            "</Properties></Form></MetaDataObject>"
        )
        files[f"{base}/Ext/Form.xml"] = (
            '<Form xmlns="http://v8.1c.ru/8.3/xcf/logform"><ChildItems>'
            f'<InputField name="Поле{number}" id="1"><DataPath>Объект.Description</DataPath></InputField>'
            "</ChildItems></Form>"
        )
        files[f"{base}/Ext/Form/Module.bsl"] = f"Процедура ПриОткрытии{number}()\nКонецПроцедуры\n"
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def long_query(words: str = "остаток склад товар получить ") -> str:
    """Return a query of 10,000 characters."""
    numbered = "".join(f"{words}{number} " for number in range(QUERY_CHARS // len(words)))
    return numbered[:QUERY_CHARS]
