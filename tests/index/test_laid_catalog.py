"""What an index answers with unsaved documents over it is what it answers once they are saved."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bsl_scout.features.callers import callees_of, callers_of
from bsl_scout.features.find_logic import find_logic
from bsl_scout.features.procedure_at import enclosing
from bsl_scout.features.similar import similar_to
from bsl_scout.features.symbols import SymbolTable
from bsl_scout.index.call_counts import call_targets
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.embedding import ENCODER, SERVING
from bsl_scout.index.encoders import other_identity
from bsl_scout.index.indexer import refresh
from bsl_scout.index.laid_catalog import LaidCatalog
from bsl_scout.index.unsaved import home_of, unsaved
from bsl_scout.index.vectors import VectorQuery
from bsl_scout.retrieval.search import Searcher
from support import copy_demo

PRINTING = "CommonModules/ПечатьДокументов/Ext/Module.bsl"
RATES = "CommonModules/КурсыВалютСервер/Ext/Module.bsl"
ORDER = "Documents/ЗаказПокупателя/Forms/ФормаДокумента/Ext/Form/Module.bsl"
NEW = "CommonModules/StringTools/Ext/Совсем новый.bsl"
QUERIES = (
    "сумма словами", "курс на дату", "заказ покупателя", "товары изменение", "ярлык ящика", "фасовочный",
    "@ОбщийМодуль.ПечатьДокументов", "Отгруженный заказ нельзя распровести", "номер для печати",
)  # fmt: skip
NAMES = ("СуммаСловами", "КурсНаДату", "НапечататьЯрлыкЯщика", "Проба", "Инициализировать", "НомерДляПечати")
MODULES = ("КурсыВалютСервер", "ПечатьДокументов", "ОбщегоНазначения")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The demo and its index."""
    folder = tmp_path_factory.mktemp("laid")
    top = copy_demo(folder / "demo")
    refresh(top, folder / "index")
    return top, folder / "index"


@pytest.fixture
def reader(indexed: tuple[Path, Path]) -> Iterator[Searcher]:
    searcher = Searcher(indexed[1])
    searcher.learn()
    yield searcher
    searcher.close()


def lay(searcher: Searcher, texts: Mapping[str, str]) -> None:
    """Lay documents over the index of a searcher, and make all vectors that are missing."""
    homes = {path: home_of(searcher.catalog, path) for path in texts}
    found = {path: unsaved(home, texts[path]) for path, home in homes.items() if home}
    searcher.catalog.unsaved = {path: one for path, one in found.items() if one}
    while searcher.learn_unsaved():
        pass


def text_of(top: Path, path: str) -> str:
    return (top / path).read_text(encoding="utf-8-sig")


def answers(searcher: Searcher) -> dict[str, Any]:
    """Return what a searcher answers, without numbers and times."""
    found: dict[str, Any] = {}
    for query in QUERIES:
        for mode in ("auto", "lexical", "hybrid", "vector"):
            answer, route = find_logic(searcher, query, mode, 30)
            hits = [replace(hit, score=round(hit.score, 3)) for hit in answer.hits]
            found[f"{mode}: {query}"] = hits, answer.legs, answer.convincing, route
    catalog = LaidCatalog(searcher._folder)
    catalog.unsaved = searcher.catalog.unsaved
    with catalog.reading():
        symbols = SymbolTable(catalog)
        for name in NAMES:
            rows = symbols.named(name)
            found[f"named {name}"] = [replace(row, id=0) for row in rows]
            found[f"find {name}"] = [replace(row, id=0) for row in symbols.find(name[:5], 30)]
            found[f"callers {name}"] = [_calls(callers_of(symbols, row).found) for row in rows]
            found[f"callees {name}"] = [_calls(callees_of(symbols, row)) for row in rows]
        found["procedures"] = [replace(row, id=0) for row in catalog.procedures()]
        found["modules"] = catalog.modules()
        counts = catalog.call_counts(call_targets(f"{module}.{name}" for module in MODULES for name in NAMES))
        found["calls"] = {target: count for target, count in counts.items() if count}
    catalog.close()
    return found


def _calls(callers: Any) -> list[Any]:
    return [(one.row.path, one.row.key, one.proof, one.places) for one in callers]


def same_as_saved(indexed: tuple[Path, Path], reader: Searcher, texts: Mapping[str, str], tmp_path: Path) -> None:
    top, index = (shutil.copytree(one, tmp_path / one.name) for one in indexed)
    for path, text in texts.items():
        # as an editor on Windows writes it
        (top / path).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    refresh(top, index, paths=list(texts))
    saved = Searcher(index)
    saved.learn()
    expected = answers(saved)
    saved.close()
    lay(reader, texts)
    assert answers(reader) == expected


@pytest.mark.parametrize("seed", range(4))
def test_answers_are_those_of_the_saved_documents(
    indexed: tuple[Path, Path], reader: Searcher, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    paths = sorted(path.relative_to(indexed[0]).as_posix() for path in indexed[0].rglob("*.bsl"))
    texts = {path: _edited(text_of(indexed[0], path), chance) for path in chance.sample(paths, 5)}
    texts[NEW] = "// Клеит ярлык на фасовочный ящик.\nПроцедура НапечататьЯрлыкЯщика() Экспорт\nКонецПроцедуры\n"
    same_as_saved(indexed, reader, texts, tmp_path)


def _edited(text: str, chance: random.Random) -> str:
    """Return a module with lines added, removed and moved, and words exchanged."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(lines) + 1)
        match chance.randrange(5):
            case 0:
                lines[at:at] = [
                    "Процедура Проба(Ярлык)",
                    "\tСуммаСловами(1); // 🙂 фасовочный",
                    "\tКурсыВалютСервер.КурсНаДату(1);",
                    "КонецПроцедуры",
                    "",
                ]
            case 1:
                del lines[at : at + chance.randint(1, 12)]
            case 2:
                lines[at:at] = [""] * chance.randint(1, 3)
            case 3:
                lines = [line.replace("НаДату", "НаДень").replace("Заказ", "Ящик") for line in lines]
            case 4:
                lines[at:at] = lines[: chance.randint(1, 20)]
    return "\n".join(lines)


@pytest.mark.parametrize("text", ["", "\ufeff", "Процедура", "// одни слова\n", "А = 1;\x00\x0c\u2028Б = \ud800;"])
def test_odd_documents_are_laid_over(indexed: tuple[Path, Path], reader: Searcher, text: str) -> None:
    lay(reader, {PRINTING: text})
    assert PRINTING not in {hit.path for hit in reader.search("сумма словами").hits if hit.symbol == "СуммаСловами"}


def test_a_long_procedure_is_laid_over_in_parts(indexed: tuple[Path, Path], reader: Searcher, tmp_path: Path) -> None:
    body = "".join(f"\tЯщик{number} = СуммаСловами(Фасовочный{number});\n" for number in range(400))
    text = text_of(indexed[0], PRINTING)
    text = text.replace("Функция СуммаСловами", f"Процедура Проба()\n{body}КонецПроцедуры\n\nФункция СуммаСловами", 1)
    same_as_saved(indexed, reader, {PRINTING: text}, tmp_path)


def test_lines_of_what_only_moved_are_those_of_the_document(indexed: tuple[Path, Path], reader: Searcher) -> None:
    before = {hit.symbol: hit for hit in reader.search("сумма словами", mode="hybrid").hits}["СуммаСловами"]
    lay(reader, {PRINTING: "\n\n\n" + text_of(indexed[0], PRINTING)})
    after = {hit.symbol: hit for hit in reader.search("сумма словами", mode="hybrid").hits}["СуммаСловами"]
    lines = [(hit.line, hit.end_line, hit.snippet_line) for hit in (before, after)]
    assert lines[1] == tuple(line + 3 for line in lines[0])
    assert (after.snippet, after.score, after.ranks) == (before.snippet, before.score, before.ranks)


def test_what_is_taken_away_again_leaves_no_trace(indexed: tuple[Path, Path], reader: Searcher) -> None:
    before = answers(reader)
    catalog_file = indexed[1] / "catalog.sqlite"
    content = catalog_file.read_bytes()
    lay(reader, {PRINTING: "Процедура Проба()\nКонецПроцедуры\n", NEW: "Процедура Вторая()\nКонецПроцедуры\n"})
    assert answers(reader) != before
    lay(reader, {})
    assert answers(reader) == before
    assert reader.catalog.overlay is None
    assert catalog_file.read_bytes() == content


def test_a_saved_document_counts_once(indexed: tuple[Path, Path], tmp_path: Path) -> None:
    top, index = (shutil.copytree(one, tmp_path / one.name) for one in indexed)
    reader = Searcher(index)
    text = text_of(top, PRINTING) + "\nПроцедура НапечататьЯрлыкЯщика()\nКонецПроцедуры\n"
    lay(reader, {PRINTING: text})
    places = [(hit.symbol, hit.line) for hit in reader.search("ярлык ящика").hits]
    assert places[0][0] == "НапечататьЯрлыкЯщика"
    (top / PRINTING).write_text(text, encoding="utf-8")
    reader.follow(refresh(top, index, paths=[PRINTING]).generation)
    assert [(hit.symbol, hit.line) for hit in reader.search("ярлык ящика").hits] == places
    assert reader.catalog.overlay is None
    # another file is saved while a document is not: numbers begin above those of the file again
    lay(reader, {RATES: "Процедура Проба()\nКонецПроцедуры\n" + text_of(top, RATES)})
    assert reader.search("проба").hits[0].symbol == "Проба"
    (top / PRINTING).write_text(text + "\nПроцедура Чужая()\nКонецПроцедуры\n", encoding="utf-8")
    reader.follow(refresh(top, index, paths=[PRINTING]).generation)
    assert [reader.search(name).hits[0].symbol for name in ("чужая", "проба")] == ["Чужая", "Проба"]
    reader.close()


def test_what_is_similar_to_an_unsaved_procedure(indexed: tuple[Path, Path], reader: Searcher) -> None:
    text = text_of(indexed[0], PRINTING)
    copy = text[text.index("// Записывает денежную") : text.index("#КонецОбласти")].replace("СуммаСловами", "Прописью")
    text = text.replace("// Записывает денежную", f"{copy}\n// Записывает денежную", 1)
    line = text[: text.index("Функция Прописью")].count("\n")
    lay(reader, {PRINTING: text})
    answer, route = similar_to(reader, PRINTING, text, line + 1)
    assert (route.code, answer.hits[0].symbol, answer.convincing) == ("similar", "СуммаСловами", True)
    with reader.catalog.reading():
        row = enclosing(reader.catalog, PRINTING, text, line)
    assert row and (row.name, row.line) == ("Прописью", line)


def test_what_has_no_place_in_the_index_is_left_out(indexed: tuple[Path, Path], reader: Searcher) -> None:
    catalog = reader.catalog
    assert home_of(catalog, "node_modules/а/Module.bsl") is None
    assert home_of(catalog, "Documents/Заметки.txt") is None
    script = home_of(catalog, "scripts/сборка.os")
    assert script and (script.digest, script.address.owner) == (None, None)
    known = home_of(catalog, PRINTING)
    assert known and known.address.owner == "ОбщийМодуль.ПечатьДокументов"
    # line ends and a byte order mark are no difference
    text = (indexed[0] / PRINTING).read_bytes().decode("utf-8")
    assert unsaved(known, text) is None
    assert unsaved(known, text.replace("\r\n", "\n")) is None


def test_what_was_made_of_a_document_is_kept_while_another_part_is_typed(
    indexed: tuple[Path, Path], reader: Searcher
) -> None:
    home = home_of(reader.catalog, PRINTING)
    assert home
    new = "Процедура Проба()\n\tЯщик = 1;\nКонецПроцедуры\n"
    first = unsaved(home, new + text_of(indexed[0], PRINTING))
    second = unsaved(home, f"\n\n{new}Процедура Вторая()\nКонецПроцедуры\n{text_of(indexed[0], PRINTING)}", first)
    assert first and second
    assert second.entries["проба"][0].words is first.entries["проба"][0].words
    assert [one.entries["проба"][0].chunk.line for one in (first, second)] == [0, 2]
    assert first.entries["проба"][0].chunk.calls == second.entries["проба"][0].chunk.calls


class Elsewhere:
    """A process with another encoder: it knows the chunks of the file only."""

    def __init__(self, chunks: list[int]) -> None:
        self.chunks = np.array(chunks)

    def nearest(self, query: VectorQuery, alive: Any) -> tuple[Any, Any]:
        assert alive[self.chunks].all() and query.top > len(self.chunks)
        return self.chunks, np.linspace(0.9, 0.5, len(self.chunks), dtype=np.float32)


def test_with_another_encoder_words_find_what_is_not_saved(indexed: tuple[Path, Path], tmp_path: Path) -> None:
    index = shutil.copytree(indexed[1], tmp_path / "index")
    catalog = Catalog(index)
    catalog.set_meta(ENCODER, "м/м")
    catalog.set_meta(SERVING.model, other_identity("м/м"))
    rows = [row for row in catalog.procedures(PRINTING) if row.name in ("СуммаСловами", "СчетНаОплату")]
    catalog.close()
    reader = Searcher(index, elsewhere=Elsewhere([row.id for row in rows]))
    text = text_of(indexed[0], PRINTING)
    before = find_logic(reader, "сумма словами", "vector")
    assert {hit.symbol for hit in before[0].hits} == {"СуммаСловами", "СчетНаОплату"}
    lay(reader, {PRINTING: text.replace("Функция СуммаСловами", "Функция Прописью")})
    answer, route = find_logic(reader, "сумма словами", "vector")
    assert [hit.symbol for hit in answer.hits] == ["СчетНаОплату"]
    assert (route.code, route.reason) == ("vectors-note", "what is not saved yet is found by words only")
    answer, _ = find_logic(reader, "сумма словами прописью", "hybrid")
    assert answer.legs[:2] == ("lexical", "vector") and "Прописью" in {hit.symbol for hit in answer.hits}
    # nothing new in the document, only moved: nothing to say
    lay(reader, {PRINTING: f"\n\n{text}"})
    assert "not saved" not in find_logic(reader, "сумма словами", "vector")[1].reason
    reader.close()


def test_vectors_of_another_store_stand_beside_those_of_documents(indexed: tuple[Path, Path], reader: Searcher) -> None:
    rows = [row for row in reader.catalog.procedures(PRINTING) if row.name in ("СуммаСловами", "СчетНаОплату")]
    other = Searcher(indexed[1], source=Elsewhere([row.id for row in rows]))
    lay(other, {PRINTING: text_of(indexed[0], PRINTING).replace("Функция СуммаСловами", "Функция СуммаПрописью")})
    answer, route = find_logic(other, "сумма прописью", "vector")
    # the one that was replaced is known to the store still
    assert {hit.symbol for hit in answer.hits} == {"СчетНаОплату", "СуммаПрописью"}
    assert route.code == "asked"
    other.close()
