"""Prints what unsaved documents cost a search: python3 server/bench_unsaved.py INDEX SOURCES QUESTIONS.

INDEX is the folder of the catalog.sqlite of SOURCES, QUESTIONS a file of questions (`query` in each line of JSON).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench_figures import percentiles
from bsl_scout.bsl.text import decode
from bsl_scout.features.find_logic import find_logic
from bsl_scout.index.unsaved import home_of, unsaved
from bsl_scout.retrieval.search import Searcher

_ADDED = (
    "// Клеит ярлык на фасовочный ящик.\nПроцедура НапечататьЯрлыкЯщика{0}() Экспорт\n\tЯщик = {0};\nКонецПроцедуры\n"
)
_MODULES = (
    "SELECT f.path FROM files f JOIN chunks c ON c.file = f.id WHERE f.kind = 'module' GROUP BY f.id "
    "HAVING count(*) BETWEEN 30 AND 60 ORDER BY f.path"
)
_GIANT = 5_000_000


def main() -> int:
    """Measure with no, one and twenty unsaved modules of 30 to 60 procedures, then with a new one of 5 MB."""
    searcher, top = Searcher(Path(sys.argv[1])), Path(sys.argv[2])
    searcher.learn()
    lines = Path(sys.argv[3]).read_text(encoding="utf-8").splitlines()
    queries = [json.loads(line)["query"] for line in lines]
    paths = [path for (path,) in searcher.catalog.rows(_MODULES)]
    for count in (0, 1, 20):
        searcher.catalog.unsaved = {}
        for number, path in enumerate(paths[:count]):
            _type(searcher, path, _ADDED.format(number) + _text(top / path))
        _take_in(searcher)
        for mode in ("lexical", "hybrid"):
            _asked(searcher, queries, mode)
            print(f"| {count} unsaved, {mode} | {percentiles(_asked(searcher, queries, mode))} |")
        if count:
            text = _text(top / paths[0])
            changes = [_ADDED.format(100 + number) + text for number in range(20)]
            made = [_milliseconds(partial(_type, searcher, paths[0], one)) for one in changes[:1]]
            taken = []
            for one in changes[1:]:
                made.append(_milliseconds(partial(_type, searcher, paths[0], one)))
                taken.append(_milliseconds(partial(_take_in, searcher)))
            print(f"| {count} unsaved, a change is cut and turned into words | {percentiles(made)} |")
            print(f"| {count} unsaved, a change is taken in | {percentiles(taken)} |")
    whole = "".join(_text(top / path) for (path,) in searcher.catalog.rows(_MODULES))
    giant = whole[: _GIANT * len(whole) // len(whole.encode())]
    new = f"{paths[0].rpartition('/')[0]}/Новый.bsl"
    for what, text in (("a new module of 5 MB", giant), ("a line in it", f"\n{giant}")):
        made_in = _milliseconds(partial(_type, searcher, new, text))
        print(f"| {what}: cut; taken in | {made_in:.0f}; {_milliseconds(searcher.learn_unsaved):.0f} ms |")
    searcher.close()
    return 0


def _text(path: Path) -> str:
    return decode(path.read_bytes()).text


def _type(searcher: Searcher, path: str, text: str) -> None:
    home, known = home_of(searcher.catalog, path), dict(searcher.catalog.unsaved)
    document = unsaved(home, text, known.get(path)) if home else None
    searcher.catalog.unsaved = {**known, path: document} if document else known


def _take_in(searcher: Searcher) -> None:
    while searcher.learn_unsaved():
        pass


def _asked(searcher: Searcher, queries: list[str], mode: str) -> list[float]:
    return [_milliseconds(partial(find_logic, searcher, query, mode)) for query in queries]


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    sys.exit(main())
