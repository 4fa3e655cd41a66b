"""Length-preserving mask that hides from tree-sitter-bsl 0.1.6 what its grammar has no rule for.

Only the shape of the code survives a mask, so names and texts are always read from the original.
"""

from __future__ import annotations

import io
import re

__all__ = ["has_deleted_code", "mask"]

# What a keyword does to the tokens around it; every other keyword only starts an expression.
_OPENS, _MIDDLE, _CLOSES, _END_DO, _END_PROC = "opens", "middle", "closes", "end do", "end procedure"
_NEW, _RAISE, _PROC, _EXPORT, _AWAIT, _ASYNC = "new", "raise", "procedure", "export", "await", "async"
_KEYWORD, _NAME, _PROC_NAME, _TYPE_NAME, _SIGNATURE = "keyword", "name", "procedure name", "type", "signature"
_STRING, _LABEL, _START, _EXECUTE = "string", "label", "start", "execute"
_GROUP, _CALL, _TERNARY = "group", "call", "ternary"

_KEYWORDS: dict[str, str] = {
    word: role
    for role, words in {
        _OPENS: "тогда then цикл do попытка try",
        _MIDDLE: "иначе else исключение except",
        _CLOSES: "конецесли endif конецпопытки endtry иначеесли elsif",
        _END_DO: "конеццикла enddo",
        _END_PROC: "конецпроцедуры endprocedure конецфункции endfunction",
        _NEW: "новый new",
        _RAISE: "вызватьисключение raise",
        _PROC: "процедура procedure функция function",
        _EXPORT: "экспорт export",
        _AWAIT: "ждать await",
        _ASYNC: "асинх async",
        _KEYWORD: "если if для for каждого each из in по to пока while перейти goto возврат return прервать"
        " break продолжить continue перем var знач val истина true ложь false неопределено undefined null"
        " добавитьобработчик addhandler удалитьобработчик removehandler и and или or не not",
        _EXECUTE: "выполнить execute",
    }.items()
    for word in words.split()
}
_ENDS_STATEMENT = frozenset({_MIDDLE, _CLOSES, _END_DO, _END_PROC})
_NO_SEMICOLON_AFTER = frozenset({";", _OPENS, _MIDDLE, _END_DO, _END_PROC, _SIGNATURE, _LABEL, _START})
_CALLABLE = frozenset({_NAME, _STRING, ")", "]"})

_UNUSUAL = re.compile(r"[^ -~\t-\rа-яА-Я]")
_ALIEN = re.compile(r"[^\W\d_a-zA-Zа-яА-Я]+|[^\x00-\x7f\S]|[\x1c-\x1f\u200b\ufeff]")
_TOKEN = re.compile(
    r"""(\w+)
    | (//[^\n]*)
    | ("[^"\n]*(?:""[^"\n]*|\n[^\S\n]*(?:\|[^"\n]*|//[^\n]*|(?=\n)))*"?)
    | (\?\s*\()
    | ('[^'"\n]*')
    | (\#[^\S\r\n]*(?i:если|if|иначеесли|elsif)\b)
    | (\#[^\r\n]*)
    | (&[^\S\n]*\w+)
    | (\S)""",
    re.VERBOSE,
)
_WORD, _COMMENT, _TEXT, _QUESTION, _DATE, _CONDITION, _DIRECTIVE, _ANNOTATION, _PUNCTUATION = range(1, 10)
_GOOD_DATE = re.compile(r"'(?:\d{8}|\d{10}|\d{12}|\d{14})'")
_GOOD_DIRECTIVE = re.compile(
    r"\s*\#(?:(?:область|region)\s+\w+|(?:иначе|else|конецесли|endif|конецобласти|endregion|вставка|insert"
    r"|конецвставки|endinsert|удаление|delete|конецудаления|enddelete))\s*(?://.*)?",
    re.IGNORECASE,
)
_GOOD_ANNOTATION = re.compile(
    r"&\s*(?:(наклиенте|насервере|насерверебезконтекста|наклиентенасервере|наклиентенасерверебезконтекста"
    r"|atclient|atserver|atservernocontext|atclientatserver|atclientatservernocontext)"
    r"|перед|before|после|after|вместо|around|изменениеиконтроль|changeandvalidate)",
    re.IGNORECASE,
)
_ARGUMENTS = re.compile(r'\s*\((?:[^()"]|"[^"\n]*"|\([^()]*\))*\)')
_DELETED = re.compile(
    r"^[^\S\n]*\#[^\S\n]*(?:(удаление|delete)|конецудаления|enddelete)\b[^\r\n]*",
    re.IGNORECASE | re.MULTILINE,
)


def has_deleted_code(text: str) -> bool:
    """Whether the text has `#Удаление` blocks, whose code is absent from the module being extended."""
    return "#" in text and _DELETED.search(text) is not None


def mask(text: str) -> str:
    """The text with unsupported constructs replaced, of the same length and with the same newlines."""
    if "#" in text:
        text = _without_deleted_code(text)
    if _UNUSUAL.search(text):
        text = _ALIEN.sub(_replace_alien, text)
    return _Masking(text).run()


def _without_deleted_code(text: str) -> str:
    start = None
    for match in _DELETED.finditer(text):
        if match[1]:
            start = match.start() if start is None else start
        elif start is not None:
            text = text[:start] + _blank(text[start : match.end()]) + text[match.end() :]
            start = None
    return text


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)


def _replace_alien(match: re.Match[str]) -> str:
    return ("x" if match[0].isalpha() else " ") * len(match[0])


def _sign_moved(token: str) -> str:
    """The token with its first character (`#`, `&`) moved next to the word after it."""
    word = token[1:].lstrip()
    return token[0].rjust(len(token) - len(word)) + word


def _directive(line: str) -> str:
    """The preprocessor line as the grammar reads it, or a comment when it has no rule for it."""
    joined = _sign_moved(line)
    if _GOOD_DIRECTIVE.fullmatch(joined):
        return joined
    return "//" + line[2:] if len(line) > 1 else " "


class _Open:
    """An opening parenthesis: why it is there and what else has to change with it."""

    __slots__ = ("commas", "kind", "new", "position", "type_name")

    def __init__(self, kind: str, position: int, new: tuple[int, int], type_name: tuple[int, int]) -> None:
        self.kind, self.position, self.new, self.type_name = kind, position, new, type_name
        self.commas = False


class _Masking:
    """One pass over the tokens of a text; `role` is the part the previous significant token plays."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out = io.StringIO(text, newline="")
        self.stack: list[_Open] = []
        self.role = _START
        self.span = (0, 0)
        self.new = (0, 0)
        self.closed: _Open | None = None
        self.is_async = False
        self.role_before_condition: str | None = None

    def run(self) -> str:
        """The masked text."""
        skip_to, role_of = 0, _KEYWORDS.get
        for match in _TOKEN.finditer(self.text):
            token, start = match.lastindex, match.start()
            if token == _COMMENT or start < skip_to:
                continue
            if token == _WORD:
                word, previous = match[0], self.role
                role = role_of(word.lower(), _NAME)
                if role is _NAME and previous is not _NEW and previous is not _PROC:
                    self.role, self.closed = role, None
                else:
                    self._special_word(word, role, start, match.end())
            elif token == _PUNCTUATION:
                char = match[0]
                if char in "=*/<>%]~":
                    self.role, self.closed = char, None
                else:
                    self._punctuation(char, start)
            elif token == _DIRECTIVE:
                self._write(start, _directive(match[0]))
            elif token == _ANNOTATION:
                skip_to = self._annotation(match[0], start, match.end())
            else:
                self._literal(token or 0, match[0], start, match.end())
        self._finish_raise()
        return self.out.getvalue()

    def _write(self, start: int, replacement: str) -> None:
        self.out.seek(start)
        self.out.write(replacement)

    def _erase(self, start: int, end: int) -> None:
        self._write(start, _blank(self.text[start:end]))

    def _special_word(self, word: str, role: str, start: int, end: int) -> None:
        self.closed = None
        previous = self.role
        # a dot at the end of a line is code being typed: the next line keeps its keyword
        if role is not _NAME and previous == "." and "\n" not in self.text[self.span[0] : start]:
            if role is not _EXECUTE:
                self._write(start, "x" * len(word))
            role = _NAME
        if role is _NAME:
            if previous is _NEW:
                self.new, role = self.span, _TYPE_NAME
            elif previous is _PROC:
                role = _PROC_NAME
        elif role is _AWAIT and not self.is_async:
            # outside asynchronous methods the word is an ordinary name
            self._write(start, "x" * len(word))
            role = _NAME
        elif role is _PROC:
            self.stack.clear()
            self.is_async = previous is _ASYNC
        elif role is _EXPORT and previous is _SIGNATURE:
            role = _SIGNATURE
        elif role in _ENDS_STATEMENT:
            self.stack.clear()
            if previous is _RAISE:
                self._finish_raise()
        elif self.role_before_condition is not None and role is _OPENS:
            role, self.role_before_condition = self.role_before_condition, None
        self.role, self.span = role, (start, end)

    def _punctuation(self, char: str, start: int) -> None:
        previous = self.role
        if char == "(":
            self._open(start)
            return
        if char == ")":
            self._close(start)
            return
        if char == ";":
            self._finish_raise()
            if previous in _NO_SEMICOLON_AFTER:
                self._write(start, " ")
            self.stack.clear()
        elif char == ",":
            if self.stack:
                self.stack[-1].commas = True
            if previous is _EXPORT:
                self._erase(*self.span)
        elif char in ".[" and self.closed is not None:
            self._hide_chain_start(self.closed)
        elif char in "-+" and self.stack and self.stack[-1].kind is _SIGNATURE:
            self._write(start, " ")
        elif char == ":":
            char = _LABEL
        self.closed = None
        self.role, self.span = char, (start, start + 1)

    def _open(self, start: int) -> None:
        previous, kind = self.role, _GROUP
        if previous is _NEW:
            self._write(self.span[0], "x" * (self.span[1] - self.span[0]))
            kind = _CALL
        elif previous is _RAISE:
            kind = _RAISE
        elif previous is _PROC_NAME:
            kind = _SIGNATURE
        elif previous is _TYPE_NAME:
            kind = _NEW
        elif previous in _CALLABLE:
            kind = _CALL
        self.stack.append(_Open(kind, start, self.new, self.span))
        self.closed = None
        self.role = "("

    def _close(self, start: int) -> None:
        role = ")"
        if self.stack:
            opened = self.stack.pop()
            kind = opened.kind
            if kind is _GROUP or (kind is _RAISE and not opened.commas):
                self._write(opened.position, " ")
                self._write(start, " ")
            else:
                self.closed = opened if kind is _NEW or kind is _TERNARY else None
                role = _SIGNATURE if kind is _SIGNATURE else ")"
        self.role = role

    def _hide_chain_start(self, opened: _Open) -> None:
        """Makes a call of `Новый Тип(...)` or `?(...)` that a member access follows."""
        if opened.kind is _TERNARY:
            self._write(opened.position, " ")
            self._write(opened.new[0], "x")
            return
        self._write(opened.new[0], "x" * (opened.new[1] - opened.new[0]))
        self._erase(*opened.type_name)

    def _finish_raise(self) -> None:
        if self.role is _RAISE:
            self._write(self.span[0], "Break".ljust(self.span[1] - self.span[0]))

    def _annotation(self, token: str, start: int, end: int) -> int:
        """Where the tokens go on: an annotation unknown to the grammar disappears with its arguments."""
        known = _GOOD_ANNOTATION.fullmatch(token)
        arguments = _ARGUMENTS.match(self.text, end)
        if known and (known[1] or arguments):
            self._write(start, _sign_moved(token))
            return arguments.end() if arguments else end
        if arguments:
            end = arguments.end()
        self._erase(start, end)
        return end

    def _literal(self, token: int, value: str, start: int, end: int) -> None:
        self.closed = None
        if token == _CONDITION:
            self._write(start, _sign_moved(value))
            self.role_before_condition, self.role = self.role, _KEYWORD
            return
        if token == _QUESTION:
            question = end - 2
            self._write(start, _blank(value[:-1]))
            if value[-2] in "\r\n":
                # no room for `?(`: a call of the same shape
                question = start
                self._write(start, "x")
            else:
                self._write(question, "?(")
            self.stack.append(_Open(_TERNARY, question, (start, start + 1), self.span))
            self.role = "("
            return
        if token == _TEXT and self.role is _STRING:
            self._join_strings(start)
        elif token == _DATE and not _GOOD_DATE.fullmatch(value):
            self._write(start, f'"{value[1:-1]}"')
        closed = token == _TEXT and len(value) > 1 and value[-1] == '"'
        self.role, self.span = _STRING if closed else _NAME, (start, end)

    def _join_strings(self, start: int) -> None:
        """Adjacent literals become one; over a line border the second part gets the `|` it needs."""
        gap = self.span[1] - 1
        self._erase(gap, start + 1)
        if "\n" in self.text[gap:start]:
            self._write(start, "|")
