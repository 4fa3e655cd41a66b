"""What the rows of callers say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bsl_scout.index.schema import ChunkRow
from bsl_scout.lsp.call_texts import place_text

ROW = ChunkRow(1, "a/Module.bsl", ".", None, "", "", "", 0, "procedure", "П", (), False, False, (), 0, 1, 0, None, b"")


@pytest.mark.parametrize(
    ("owner", "module", "words", "expected"),
    [
        ("Справочник.Банки.Форма.Список", "Форма", "модуль формы", "Банки · модуль формы Список · Справочник"),
        ("Документ.Анкета", "МодульОбъекта", "модуль объекта", "Анкета · модуль объекта · Документ"),
        ("ОбщийМодуль.Почта", "Модуль", "модуль", "Почта · ОбщийМодуль"),
        ("Конфигурация", "МодульСеанса", "модуль сеанса", "Конфигурация · модуль сеанса"),
        (None, "Модуль", "модуль", "a/Module.bsl"),
    ],
)
def test_the_name_goes_first(owner: str | None, module: str, words: str, expected: str) -> None:
    assert place_text(replace(ROW, owner=owner, module=module, words=words)) == expected
