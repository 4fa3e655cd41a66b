"""What is wrong with files, in Russian; the index keeps the messages in English."""

from __future__ import annotations

import re

from bsl_scout.configuration.kinds import KIND_BY_NAME

_ABSENT = "файла нет или он повреждён"
# the first that fits the whole message says it; what libraries and the system add stays in their language
_RUSSIAN = tuple(
    (re.compile(pattern, re.DOTALL), text)
    for pattern, text in (
        (r"the module is empty", r"модуль пуст"),
        (r"binary content \(.*", r"двоичное содержимое (модуль закрыт паролем?), не прочитан"),
        (r"(\d+) NUL bytes read as spaces", r"нулевые байты (\1) прочитаны как пробелы"),
        (r"(\d+) characters are not valid UTF-16", r"недопустимых знаков UTF-16: \1"),
        (r"not UTF-8, read as Windows-1251", r"не UTF-8, прочитан как Windows-1251"),
        (
            r"(\d+) broken UTF-8 sequences, the first on line (\d+), replaced",
            r"повреждённых последовательностей UTF-8: \1, первая в строке \2; заменены",
        ),
        (r"broken (XML|JSON): not UTF-8", r"повреждённый \1: не UTF-8"),
        (r"broken (XML|JSON): an object is expected", r"повреждённый \1: ожидается объект"),
        (r"broken (XML|JSON): (.*)", r"повреждённый \1: \2"),
        (r"not read: (\d+) MB is too large for (\w+) .*", r"не прочитан: \1 МБ — слишком много для \2 конфигурации"),
        (r"not read: a document type is not .*", r"не прочитан: в XML конфигурации не бывает DOCTYPE"),
        (r"not read: declares (\S+) but is not \S+", r"не прочитан: объявлена кодировка \1, а на деле другая"),
        (r"not read: declares (\S+) but is UTF-8", r"не прочитан: объявлена кодировка \1, а на деле UTF-8"),
        (r"not read: not a valid name", r"не прочитан: недопустимое имя"),
        (r"not read: a link that leads outside", r"не прочитан: ссылка ведёт за пределы папки"),
        (r"not read: (.*)", r"не прочитан: \1"),
        (r"folder not read: (.*)", r"папка не прочитана: \1"),
        (r"folders deeper than (\d+) levels are not read", r"папки глубже \1 уровней не читаются"),
        (r"lists (\d+) of the kind (.+), which is .*", r"в составе есть объекты неизвестного вида \2: \1"),
        (r"lists (.+), whose file is absent or broken", rf"в составе есть \1, но {_ABSENT}"),
        (r"listed in (.+) but absent", r"есть в составе \1, но файла нет"),
        (r"is called (\S+) like (.*)", r"имя \1 уже занято: \2"),
        (r"has the uuid (\S+) of (.*)", r"тот же uuid \1, что у \2"),
        (r"has the uuid (\S+) twice", r"uuid \1 встречается дважды"),
        (r"has two fields called (.*)", r"два поля с именем \1"),
        (r"holds an object that is called (.*)", r"внутри объект с другим именем: \1"),
        (r"not recognised: no uuid", r"не распознан: нет uuid"),
        (r"not recognised: no name", r"не распознан: нет имени"),
        (r"not recognised: no known kind of object", r"не распознан: неизвестный вид объекта"),
        (
            r"layout (.+) of (.+) is not known: .*",
            r"неизвестная раскладка \1 у \2: типы опущены полностью или частично",
        ),
        (r"collection (\S+) is not known: (\d+) fields are left out", r"неизвестная коллекция \1: опущено полей: \2"),
        (r"a collection of the header is not recognised", r"не распознана коллекция заголовка"),
        (r"header not recognised: its fields are left out", r"не распознан заголовок: его поля опущены"),
        (r"(.+): types not recognised: (.*)", r"\1: не распознаны типы: \2"),
        (r"(.+) is not recognised", r"не распознано: \1"),
        (r"(.+) not recognised", r"не распознано: \1"),
        (
            r"(.*?); search goes on with the vectors of (.*)",
            r"\1; поиск по смыслу идёт по прежним векторам (\2)",
        ),
        (r"(.*?); search goes on by words only", r"\1; поиск идёт только по словам"),
        (r"the model adapted to this configuration is given up: (.*)", r"дообученная модель оставлена: \1"),
    )
)
# these messages name objects as the sources do
_WITH_NAMES = ("lists ", "is called ")
_FULL_NAME = re.compile(r"\b([A-Z][A-Za-z]+)\.(?=\w)")


def problem_text(message: str, locale: str) -> str:
    """Return a message in the language of the client; one of no known form stays as it is."""
    if locale != "ru":
        return message
    for pattern, text in _RUSSIAN:
        found = pattern.fullmatch(message)
        if found:
            told = found.expand(text)
            return _FULL_NAME.sub(_russian_kind, told) if message.startswith(_WITH_NAMES) else told
    return message


def _russian_kind(found: re.Match[str]) -> str:
    kind = KIND_BY_NAME.get(found[1])
    return f"{kind.russian}." if kind else found[0]
