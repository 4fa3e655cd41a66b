"""All words of a name in its order are that name before those with the same stems."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from support import Write

LONGER = "// Отправляет письмо. Отправить письмо можно и позже.\nПроцедура ОтправитьПисьма() Экспорт\nКонецПроцедуры\n"


@pytest.mark.parametrize("query", ["отправить письмо", "Отправить  Письмо", "ОТПРАВИТЬ ПИСЬМО!"])
def test_the_name_in_words_comes_first(write: Write, tmp_path: Path, query: str) -> None:
    shorter = "Процедура ОтправитьПисьмо()\n\tЖдать();\nКонецПроцедуры\n"
    # words that are in half of all chunks weigh nothing
    others = "".join(f"Процедура Другая{number}()\nКонецПроцедуры\n" for number in range(20))
    top = write({"CommonModules/Почта/Ext/Module.bsl": LONGER + shorter + others})
    refresh(top, tmp_path / "index")
    searcher = Searcher(tmp_path / "index")
    assert [hit.symbol for hit in searcher.search(query).hits[:2]] == ["ОтправитьПисьмо", "ОтправитьПисьма"]
    # the words in another order are no name
    assert searcher.search("письмо отправить").hits[0].symbol == "ОтправитьПисьма"
    searcher.close()
