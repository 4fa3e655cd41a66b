"""Texts about forms in Russian: everything that a reader can tell of an element has one."""

from __future__ import annotations

import ast
import re

import pytest

from bsl_scout.lsp.form_texts import problem_text, proof_text, row_text
from support import PACKAGE

# where the readers make the `problem` of an element
TELLING = re.compile(
    r"bound to |the form has no (?:attribute|element|command) |the source (?:names|writes|holds|has) "
    r"|the export has no|its layout is"
)


def told() -> set[str]:
    """Return the texts in the code of the readers, with a name in the place of every value."""
    found = set()
    for path in sorted((PACKAGE / "forms").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = ""
            if isinstance(node, ast.JoinedStr):
                text = "".join(str(v.value) if isinstance(v, ast.Constant) else "Имя7" for v in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
                text = node.value
            if TELLING.match(text):
                found.add(text)
    return found


def test_everything_that_is_told_of_an_element_has_a_russian_text() -> None:
    texts = {text for text in told() if len(text) > 20 and text.strip() == text}
    # these are put together of parts
    texts -= {
        "bound to a part of Имя7: such a chain is not decoded",
        "the source has no attribute of the form with id Имя7, of which the path Имя7 names",
    }
    texts |= {
        "bound to a part of the element Имя7: such a chain is not decoded",
        "bound to a part of an element with the unknown id Имя7: such a chain is not decoded",
        "the source has no attribute of the form with id Имя7, of which the path Имя7 names Имя7",
    }
    assert len(texts) >= 14
    for text in sorted(texts):
        russian = problem_text(text, "ru")
        assert russian != text, text
        assert not re.search(r"[a-z]{3}", russian), russian
        assert russian.count("Имя7") == text.count("Имя7"), text
        assert problem_text(text, "en") == text


@pytest.mark.parametrize(
    ("row", "russian"),
    [
        (
            "ПриИзменении (OnChange) → КтоПри — the form's module has no such procedure",
            "ПриИзменении (OnChange) → КтоПри — в модуле формы нет такой процедуры",
        ),
        ("the form's module has no such procedure", "в модуле формы нет такой процедуры"),
        ("Command · Подбор", "Команда · Подбор"),
        ("Action → Подбор:9", "Действие → Подбор:9"),
        ("OnChange · Command (InputField)", "OnChange · Command (InputField)"),
        ("the form has no attribute НетТакого", "в форме нет реквизита НетТакого"),
    ],
)
def test_rows_of_cards(row: str, russian: str) -> None:
    assert row_text(row, "ru") == russian
    assert row_text(row, "en") == row


def test_every_proof_is_told_in_words() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "forms").glob("*.py"))
    proofs = set(re.findall(r'(?:proof = [^\n]*|Binding\([^\n]*|types, )"([a-z]+(?:-[a-z]+)*)"', sources)) - {"managed"}
    assert {"attribute-id", "child-id", "list-field", "metadata-uuid", "standard-attribute", "table-address"} <= proofs
    for proof in proofs | {"xml"}:
        for locale in ("ru", "en"):
            assert proof not in proof_text(f"Объект.Цена ({proof})", locale)
    assert proof_text("Объект.Цена (xml)", "ru") == "Объект.Цена (путь написан в исходнике)"
    assert proof_text("Объект.Цена", "ru") == "Объект.Цена"
