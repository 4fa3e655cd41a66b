"""Chooses the mode that answers a query: words for names and codes, vectors for questions, both in doubt."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bsl_scout.bsl.names import split_identifier
from bsl_scout.bsl.text import fold
from bsl_scout.configuration.full_names import object_name

from .exact_names import DOTTED

_MAX_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Route:
    """Which mode answered, why, and how sure the choice is (0 to 1); `code` is the reason's name for translations.

    `names` are what such a reason tells: a name that no object has and those like it, objects that were taken for such
    a name, or modules that are not here.
    """

    mode: str
    reason: str
    confidence: float
    code: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Sign:
    """What was seen in a query: the mode it speaks for, its name, what to tell, how sure, where it stands."""

    mode: str
    code: str
    reason: str
    confidence: float
    begin: int = -1


def _stems(text: str) -> str:
    """Return a pattern for words that begin with any of these."""
    return rf"\b(?:{'|'.join(text.split())})\w*"


def _phrases(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_UUID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE)
# codes of business life and of trackers: НФ-001, УТ-1042, М-11, OS-6a
_CODE = re.compile(r"(?<![\w-])[A-ZА-ЯЁ]{1,8}-\d{1,6}[а-яёa-z]?(?![\w-])")
_QUOTED = re.compile(r"«[^»\n]{2,}»|“[^”\n]{2,}”|\"[^\"\n]{2,}\"|(?<!\w)'[^'\n]{2,}'(?!\w)")
_WORD = re.compile(r"[^\W\d]\w*")
# a call, an assignment to a name or a member, a comparison, a directive, a statement of the query language
_FRAGMENT = re.compile(
    r"\w\([^()\n]*\)\s*(?:;|\.|$)|\w\(\)|;\s*(?:$|\n)|^\s*[\w.]+(?:\[[^\]\n]*\])?\s*=\s*\S|<>|^\s*[#&][^\W\d]\w+"
    r"|\b(?:конецесли|конеццикла|конецпопытки|конецпроцедуры|конецфункции|endif|enddo|endtry|endprocedure|endfunction)\b"
    r"|^\s*(?:выбрать|select)\s.+\s(?:из|from)\s",
    re.IGNORECASE | re.MULTILINE,
)
# names of companies and techniques that only look like identifiers
_PRODUCTS = """whatsapp github gitlab javascript typescript youtube onescript powershell postgresql mysql libreoffice
openoffice docflow iphone ipad macos oauth openid sharepoint rabbitmq activex webdav bitbucket"""
_DOMAIN = re.compile(r"\.(?:ru|com|org|net|xml|json|docx?|xlsx?|pdf|zip|txt|dll|exe|js|html?|png|jpe?g|dt|cf|epf)$")

# things of the program itself that stand in code under these very words
_STRUCTURE = _phrases(
    r"\bдвижени(?:й|я|ям|ями|ях)\b",
    r"\bпроводк(?:а|и|е|у|ой|ам|ами|ах)\b|\bпроводок\b",
    r"\b(?:пиш\w+|запис\w+|попада\w+)\s+в\s+(?:\w+\s+)?регистр\w*",
    r"\bна\s+основании\b",
    r"\bсвязанн\w+\s+документ\w*|\bструктур\w+\s+подчиненност\w*",
    r"\b(?:перед|при|после)\s+(?:запис(?:и|ью)|проведени(?:и|ем|я)|открыти(?:и|ем|я)|создании\s+на\s+сервере|"
    r"копировании|установке\s+нового\s+номера)\b|\bобработк\w+\s+(?:проведени|заполнени|удалени)\w+",
    r"\b(?:before|on|after)\s+(?:write|writing|posting|opening)\b|\bregister\s+records?\b|\bposting\s+entries\b",
    r"\bwrites?\s+to\s+(?:the\s+)?\w*\s*register\b|\bbased\s+on\s+(?:a|an|the)\b|\brelated\s+documents?\b",
)
_QUESTION = _phrases(
    r"^как\s+(?!только\b)|\bкаким\s+образом\b|\bкак\s+(?:\w+\s+)?\w+(?:ть|ться|чь|йти)\b",
    r"\b(?:скаж|знает|знаю|понять|понимаю|узна|интересно|вопрос)\w*[\s,:]+как\b",
    r"\b(?:почему|зачем|отчего|с\s+чего\s+вдруг|из-за\s+чего|по\s+какой\s+причине|в\s+чем\s+(?:причина|дело|разница))\b",
    r"\bчто\s+(?:делать|будет|происходит|случится)\b|\b(?:можно|нужно|надо|стоит)\s+ли\b|\bчем\s+отлича\w+",
    r"\bчто\s+такое\b|\bдля\s+чего\b",
    r"\b(?:how\s+(?:to|do|does|did|can|could|should|is|are|we|i)|why|what\s+(?:is\s+the|are\s+the|happens|should|if))\b",
    r"\bhow\s+come\b|\bwhat\s+does\b|\bwhat's\b|\bhow's\b",
)
_ADVICE = _phrases(
    _stems("инструкци гайд мануал пошагов посовет подскаж объясн растолку рекомендац туториал"),
    r"\b(?:лучш|хорош|правильн)\w*\s+практик\w*|\bбест\s+практис\w*|\b(?:обмен\w*\s+)?опыт(?:а|у|ом|е)?\b",
    r"\bсовет(?:ы|ов|ам)?\b|\bс\s+чего\s+начать\b|\bпример\w*\s+(?:использовани|применени|работы)\w*",
    r"\b(?:best|good)\s+practices?\b|\b(?:guides?|guidelines?|tutorials?|instructions?|walkthrough|howto|advice|tips)\b",
    r"\b(?:your|our|my|anyone's?)\s+experience\b|\bexperience\s+(?:of|with)\b|\brecommend\w*|\bexplain\w*",
)
_SYMPTOM = _phrases(
    r"\bне\s+(?:с?работа|запуска|открыва|печата|отправля|приход|грузи|загружа|сохраня|провод|обновля|заполня|счита|"
    r"показыва|отобража|видн?[оиаы]|уход|выгружа|находи|реагиру|отклика|подключа|нажима|получа|могу|удается|хочет)\w*",
    r"\b(?:зависа|вылета|тормоз|глюч|виснет|виснут|падает\s+(?:с\s+)?ошибк|пропада|лага)\w*|\bперестал\w*",
    r"\b(?:not\s+working|(?:doesn't|does\s+not|don't|do\s+not|won't|isn't|can't|cannot)\s+\w+|fails?\s+to|crash\w*|hangs?)\b",
)
_EVERYDAY = _phrases(
    _stems(
        r"""юзер админ(?:а|у|ом|ы|ов|ка|ить)?\b эсэмэс смск мыл[оа]\b воркер бэкап бекап автобэкап прог[аеу]\b базенк
        костыл баг[и]?\b глюк косяк прикрути запили вытащ вытян перекин раскид скинуть скину подчист подтян выкинуть
        воткн впихн закин накат залит[ьи] подруби выруби отруби пухн пухл галочк крестик окошк кнопочк табличк циферк
        челов чел\b коллег начальник бухгалтер[шк] нормальн красив шустр быстреньк логин разлогин залогин"""
    ),
    r"\b(?:чтобы|чтоб|так\s+что|хочу|хотим|хочется|мне\s+нужно|нам\s+надо)\b",
    r"\b(?:so\s+that|i\s+(?:want|need)|we\s+(?:want|need)|kick\s+out|get\s+rid\s+of)\b",
)
_DOCUMENTS = _phrases(
    _stems("требовани регламент confluence конфлюенс вики техзадани спецификаци jira постановк"),
    r"\bтз\b|\bтехническ\w+\s+задани\w+|\b(?:requirements?|specifications?|regulations?|wiki|specs?)\b",
)


def route(query: str, known: Callable[[str], bool] | None = None) -> Route:
    """Return the mode for a query with its reason: `lexical`, `vector` or `hybrid`, never anything else.

    `known` tells whether a word is an identifier of the index, whatever its case; without it only words that
    look like identifiers are taken for them.
    """
    text = query[:_MAX_CHARS]
    exact = _exact(text, known)
    # what is quoted or a name is no speech: "как" in «Как заполнить» is the interface's
    speech = fold(_QUOTED.sub(" ", text))
    asked = _asked(speech)
    if exact and asked:
        both = f"{exact.reason}, and {asked.reason}"
        return Route("hybrid", both, round(min(exact.confidence, asked.confidence) - 0.1, 2), "mixed")
    if exact:
        return Route(exact.mode, exact.reason, exact.confidence, exact.code)
    if _DOCUMENTS.search(speech):
        return Route("hybrid", "the query asks for what documents say", 0.7, "documents")
    structure = _STRUCTURE.search(speech)
    if structure and asked:
        return Route("hybrid", f"the query names a part of the program, and {asked.reason}", 0.6, "mixed")
    if structure:
        return Route("lexical", f"code has the words of the query: {structure[0]}", 0.7, "structure")
    if asked:
        return Route(asked.mode, asked.reason, asked.confidence, asked.code)
    return Route("hybrid", "nothing speaks for one mode alone", 0.5, "no-signs")


def _exact(text: str, known: Callable[[str], bool] | None) -> _Sign | None:
    """Return the sign that a query writes something as the sources do, None when it does not."""
    if _UUID.search(text):
        return _Sign("lexical", "uuid", "the query holds a UUID", 0.95)
    if any(object_name(match[0].split(".")) for match in DOTTED.finditer(text)):
        return _Sign("lexical", "full-name", "the query holds the full name of an object", 0.95)
    if _FRAGMENT.search(text):
        return _Sign("lexical", "fragment", "the query is a piece of code", 0.9)
    quoted = _QUOTED.search(text)
    if quoted:
        return _Sign("lexical", "quoted", "the query quotes a text", 0.85)
    named = next((word for word in _identifiers(text) if fold(word) not in _PRODUCTS.split()), None)
    if named:
        return _Sign("lexical", "identifier", f"the query holds an identifier: {named}", 0.9)
    code = _CODE.search(text)
    if code:
        return _Sign("lexical", "code", f"the query holds a code: {code[0]}", 0.9)
    named = _known_name(text, known) if known else None
    if named:
        return _Sign("lexical", "known-name", f"the index knows this name: {named}", 0.85)
    return None


def _identifiers(text: str) -> list[str]:
    """Return the words that are spelled like identifiers: CamelCase, with underscores, members after a dot."""
    found = [m[0] for m in DOTTED.finditer(text) if not _DOMAIN.search(fold(m[0])) and not _abbreviation(m[0])]
    for match in _WORD.finditer(text):
        word = match[0]
        parts = split_identifier(word)
        # ИНН and ОКТМО are abbreviations, УФЭБСФормат is a name
        camel = len(parts) > 1 and any(p[0].isupper() and len(p) > 1 for p in parts[1:]) and not word.isupper()
        if camel or ("_" in word.strip("_") and len(word) > 3) or (word.startswith("_") and len(word) > 2):
            found.append(word)
    return found


def _abbreviation(dotted: str) -> bool:
    """Return whether a dotted word is `т.е`, `и.о` or two sentences without a space between them."""
    return any(len(part) < 3 or part.islower() != dotted.islower() for part in dotted.split(".")) or dotted.islower()


def _known_name(text: str, known: Callable[[str], bool]) -> str | None:
    """Return the name that a query consists of, or one that stands capitalised inside it."""
    words = _WORD.findall(text)
    alone = words if len(words) == 1 else []
    # the first word of a query may have its capital from being first
    inside = [word for word in words[1:] if word[0].isupper() and not word.isupper()]
    return next((word for word in [*alone, *inside] if known(word)), None)


def _asked(speech: str) -> _Sign | None:
    """Return the sign that a query is asked as people speak, the surest one."""
    if _QUESTION.search(speech):
        return _Sign("vector", "question", "the query asks how or why", 0.85)
    if _ADVICE.search(speech):
        return _Sign("vector", "advice", "the query asks for advice", 0.85)
    if _SYMPTOM.search(speech):
        return _Sign("vector", "symptom", "the query describes what goes wrong", 0.75)
    if _EVERYDAY.search(speech):
        return _Sign("vector", "everyday", "the query is told in everyday words", 0.65)
    return None
