"""The mask keeps length and newlines of any text and leaves plain code as it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bsl_scout.bsl.mask import has_deleted_code, mask

SPECIAL = """
Процедура Функция КонецПроцедуры; КонецФункции Procedure EndFunction Экспорт Экспорт, Знач Перем Асинх Ждать
Новый New Новый( Новый_Файл( ).М() ?( ? ( ?\r\n( ( ) [ ] . , ; ;; = - + ~М: : " "" | 'abc' '' '20200101' '
//к #Удаление #КонецУдаления #Если #Иначе #КонецЕсли #Область #! # & &НаКлиенте &Ann( &Вместо("А")
ВызватьИсключение Raise; Выполнить( КонецЦикла; Если Тогда Иначе КонецЕсли Попытка Исключение КонецПопытки
.Процедура .Новый ё їжак 𝒜 😀
""".strip("\n").split()
BLANKS = [
    "\u00a0",
    "\ufeff",
    "\u2028",
    "\x85",
    "\x1f",
    "\ud800",
    "? (",
    "?\r\n(",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
]
FRAGMENTS = st.sampled_from([*SPECIAL, *BLANKS, "А", "Имя", "x", "1", "//", '"\n|', '"\n//'])
ANY_TEXT = st.lists(FRAGMENTS | st.text(max_size=3), max_size=60).map("".join)

NAMES = st.sampled_from(["А", "Запрос", "Сумма_1", "Item"])
VALUES = st.recursive(
    NAMES | st.sampled_from(["1", "2.5", '"текст"', '"а""б"', "'20200101'", "Истина", "Неопределено"]),
    lambda inner: (
        st.tuples(inner, st.sampled_from([" + ", " = ", " И ", " <> "]), inner).map("".join)
        | st.tuples(NAMES, inner).map(lambda pair: f"{pair[0]}({pair[1]})")
        | st.tuples(NAMES, NAMES, inner).map(lambda parts: f"{parts[0]}.{parts[1]}({parts[2]})")
        | st.tuples(inner, inner, inner).map(lambda parts: f"?({parts[0]}, {parts[1]}, {parts[2]})")
        | inner.map(lambda value: f"Новый Массив({value})")
        | inner.map(lambda value: f"НЕ {value}")
    ),
    max_leaves=8,
)
STATEMENTS = st.recursive(
    st.tuples(NAMES, VALUES).map(lambda pair: f"{pair[0]} = {pair[1]};")
    | VALUES.map(lambda value: f"Возврат {value};")
    | VALUES.map(lambda value: f"Сообщить({value}); // (комментарий"),
    lambda inner: (
        st.tuples(VALUES, inner).map(lambda pair: f"Если {pair[0]} Тогда\n{pair[1]}\nИначе\nКонецЕсли;")
        | inner.map(lambda body: f"Попытка\n{body}\nИсключение\nКонецПопытки;")
        | st.lists(inner, min_size=2, max_size=3).map("\n".join)
    ),
    max_leaves=6,
)


def newlines(text: str) -> list[tuple[int, str]]:
    return [(index, char) for index, char in enumerate(text) if char in "\r\n"]


def check_shape(text: str) -> None:
    masked = mask(text)
    assert len(masked) == len(text)
    assert newlines(masked) == newlines(text)


@settings(max_examples=400, deadline=None)
@given(ANY_TEXT)
def test_any_text_keeps_its_shape(text: str) -> None:
    check_shape(text)
    check_shape(mask(text))


@settings(max_examples=100, deadline=None)
@given(STATEMENTS)
def test_plain_code_stays(body: str) -> None:
    text = f"&НаСервере\nФункция Ф(А, Знач Б = 1) Экспорт\n#Область Имя\n{body}\n#КонецОбласти\nКонецФункции\n"
    assert mask(text) == text


CASES = {
    "grouping": ("А = (Б + (В)) * 2;", "А =  Б +  В   * 2;"),
    "grouping after a word": ("Если НЕ(А) Тогда", "Если НЕ А  Тогда"),
    "grouping after a comment": ("А = // к\n(Б);", "А = // к\n Б ;"),
    "call stays": ("А = Б(В).Г (1);", "А = Б(В).Г (1);"),
    "unclosed stays": ("А = (Б", "А = (Б"),
    "while": ("КонецЦикла;", "КонецЦикла "),
    "empty statements": ("А();;\nЕсли Б Тогда;", "А(); \nЕсли Б Тогда "),
    "signature": ("Процедура А(Б = -1);", "Процедура А(Б =  1) "),
    "bare raise": ("ВызватьИсключение;", "Break            ;"),
    "bare raise in English": ("Raise\nEndTry", "Break\nEndTry"),
    "raise with arguments": ("ВызватьИсключение(А, Б);", "ВызватьИсключение(А, Б);"),
    "raise with grouping": ("ВызватьИсключение (А) + Б;", "ВызватьИсключение  А  + Б;"),
    "keyword property": ("А.Новый = Б.Выполнить();", "А.xxxxx = Б.Выполнить();"),
    "keyword after a dot being typed": ("А.\nВозврат", "А.\nВозврат"),
    "new by type": ("А = Новый (Т);", "А = xxxxx (Т);"),
    "chain from new": ("Новый Файл(П).Имя", "xxxxx     (П).Имя"),
    "ternary with a blank": ("? (А, Б, В)", " ?(А, Б, В)"),
    "ternary on two lines": ("?\n(А, Б, В)", "x\n(А, Б, В)"),
    "chain from a ternary": ("? (А, Б, В).М()", "x (А, Б, В).М()"),
    "dates": ("А = '2020-01-01' + '' + '20200101'", 'А = "2020-01-01" + "" + \'20200101\''),
    "letters": ("Учёт = Ёлка;", "Учxт = xлка;"),
    "blanks": ("А\u00a0= Б", "А = Б"),
    "adjacent strings": ('"а" "б"', '"а   б"'),
    "adjacent strings on two lines": ('"а" // "\n"б"', '"а      \n|б"'),
    "spaced directive": ("# Область А", " #Область А"),
    "foreign directive": ('#Использовать "a', '//спользовать "a'),
    "spaced condition": ("# Если А\nИ (Б) Тогда", " #Если А\nИ  Б  Тогда"),
    "condition": ("#Если (А) Тогда", "#Если  А  Тогда"),
    "foreign annotation": ('&Тест("а)")\nА', " " * 11 + "\nА"),
    "known annotation": ('&Вместо("А")', '&Вместо("А")'),
    "export in a list": ("Перем А Экспорт, Б", "Перем А        , Б"),
    "await outside async": ("Ждать(1);", "xxxxx(1);"),
    "await in async": (
        "Асинх Функция А() Ждать (Б()); КонецФункции",
        "Асинх Функция А() Ждать  Б() ; КонецФункции",
    ),
    "strings and comments": ('А = "(\n//(\n|(" + Б; // (', 'А = "(\n//(\n|(" + Б; // ('),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_constructs(text: str, expected: str) -> None:
    assert mask(text) == expected
    check_shape(text)
    assert mask(expected) == expected


def test_deleted_code_disappears() -> None:
    text = '#Удаление\r\n\tА("\r\n\t#КонецУдаления\r\n#Delete\nБ();'
    assert has_deleted_code(text)
    assert not has_deleted_code("А = Удаление; //#Удаление")
    assert mask(text) == " " * 9 + "\r\n" + " " * 4 + "\r\n" + " " * 15 + "\r\n#Delete\nБ();"
