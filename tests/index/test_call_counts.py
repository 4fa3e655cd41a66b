"""How often procedures of common modules are called, as chunks come and go; what search makes of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bsl_scout.index.call_counts import call_targets
from bsl_scout.index.catalog import Catalog, DamagedCatalogError
from bsl_scout.index.indexer import refresh
from bsl_scout.retrieval.search import Searcher
from support import copy_demo

CALLER = "CommonModules/ПечатьДокументов/Ext/Module.bsl"
NEW = "CommonModules/StringTools/Ext/Новый.bsl"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return copy_demo(tmp_path / "demo")


def counted(index: Path) -> dict[str, int]:
    """Return the counts as they are stored; they have to be those of the calls that are stored."""
    catalog = Catalog(index)
    stored = dict(catalog.rows("SELECT target, chunks FROM call_counts"))
    expected: Counter[str] = Counter()
    for (chunk,) in catalog.rows("SELECT chunk FROM forward"):
        called = {
            f"{call.receiver}.{call.name}" for call in catalog.calls(chunk) if (call.receiver or ".").isidentifier()
        }
        targets = set(call_targets(called))
        expected.update(targets | {target[6:] for target in targets if target.startswith(("модуль", "module"))})
    catalog.close()
    assert stored == expected
    return stored


def test_counts_follow_the_files(top: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    refresh(top, index, vectors=False)
    before = counted(index)
    target = "курсывалютсервер.курснадату"
    code = """
Процедура Первая()
\tКурсыВалютСервер.КурсНаДату(1);
\tкурсывалютсервер.КурсНаДату(2);
КонецПроцедуры
Процедура Вторая()
\tМодульКурсыВалютСервер = ОбщегоНазначения.ОбщийМодуль("КурсыВалютСервер");
\tМодульКурсыВалютСервер.КурсНаДату(3);
\tСправочники.КурсыВалютСервер.КурсНаДату(4);
КонецПроцедуры
"""
    (top / NEW).write_text(code, encoding="utf-8")
    refresh(top, index, vectors=False)
    # two calls in one procedure are one place; that through a variable counts, that of a catalog's manager does not
    assert counted(index)[target] == before.get(target, 0) + 2
    (top / NEW).write_text(code.replace("КурсНаДату(3)", "Другое(3)"), encoding="utf-8")
    refresh(top, index, paths=[NEW], vectors=False)
    assert counted(index)[target] == before.get(target, 0) + 1
    (top / NEW).unlink()
    refresh(top, index, vectors=False)
    assert counted(index) == before
    (top / CALLER).write_text("", encoding="utf-8")
    refresh(top, index, vectors=False)
    gone = before.keys() - counted(index).keys()
    assert gone, "no row is left of what nothing calls any more"


def test_what_is_rolled_back_is_not_counted(top: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    refresh(top, index, vectors=False)
    catalog = Catalog(index)
    (chunk,) = catalog.rows("SELECT max(chunk) FROM forward WHERE calls LIKE '%КурсНаДату%'")[0]
    with pytest.raises(RuntimeError), catalog.transaction():
        catalog.remove_chunks([chunk])
        raise RuntimeError
    with catalog.transaction():
        catalog.store_counts()
    catalog.close()
    counted(index)


@pytest.mark.parametrize("calls", ["[[", "5", "[1]", '[["а"]]', '[["а", 5, 1]]'])
def test_damaged_calls_are_damage(top: Path, tmp_path: Path, calls: str) -> None:
    index = tmp_path / "index"
    refresh(top, index, vectors=False)
    catalog = Catalog(index)
    (chunk,) = catalog.rows("SELECT max(chunk) FROM forward")[0]
    catalog.write("UPDATE forward SET calls = ? WHERE chunk = ?", [(calls, chunk)])
    with pytest.raises(DamagedCatalogError), catalog.transaction():
        catalog.remove_chunks([chunk])
    catalog.close()


def test_of_two_alike_the_called_one_comes_first(tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    modules = ("ПечатьДокументов", "ОбщегоНазначения")
    code = "\nФункция НаклеитьЯрлыкЯщика(Ящик) Экспорт\n\tВозврат {};\nКонецФункции\n"
    for number, name in enumerate(modules):
        path = top / f"CommonModules/{name}/Ext/Module.bsl"
        path.write_text(path.read_text(encoding="utf-8-sig") + code.format(number), encoding="utf-8")
    for called in modules:
        calls = "".join(f"Процедура П{n}()\n\t{called}.НаклеитьЯрлыкЯщика(1);\nКонецПроцедуры\n" for n in range(30))
        (top / NEW).write_text(calls, encoding="utf-8")
        refresh(top, tmp_path / "index")
        searcher = Searcher(tmp_path / "index")
        hits = searcher.search("наклеить ярлык ящика", 5, mode="hybrid").hits
        assert (hits[0].symbol, hits[0].owner) == ("НаклеитьЯрлыкЯщика", f"ОбщийМодуль.{called}")
        searcher.close()
