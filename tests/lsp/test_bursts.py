"""Thousands of events at once: one refresh runs, one waits, and the server answers meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from server_process import start_server
from support import Write, copy_demo
from v8_samples import catalog, configuration

pytestmark = pytest.mark.asyncio


MODULE = "// Пульт.\nПроцедура Кнопка{0}() Экспорт\nКонецПроцедуры\n"


def designer(top: Path) -> dict[Path, str]:
    """Return modules that a pull brings."""
    return {
        top / "CommonModules" / f"Пульт{number}" / "Ext" / "Module.bsl": MODULE.format(number)
        for number in range(2_000)
    }


def v8unpack(top: Path) -> dict[Path, str]:
    """Return objects with their modules that a pull brings."""
    files: dict[Path, str] = {}
    for number in range(500):
        found = catalog(f"Пульт{number}", 0x1000 + 0x100 * number, Склад=0x100)
        files |= {top / path: str(content) for path, content in found.items()}
        files[top / f"Catalog/Пульт{number}/Catalog.obj.bsl"] = MODULE.format(number)
        files[top / f"Catalog/Пульт{number}/Catalog.mgr.bsl"] = MODULE.format(1_500 + number)
    return files


@pytest.mark.parametrize("pull", [designer, v8unpack])
async def test_two_thousand_events_are_two_refreshes_at_most(
    pull: Callable[[Path], dict[Path, str]], write: Write, tmp_path: Path
) -> None:
    top = copy_demo(tmp_path / "demo") if pull is designer else write(configuration())
    pulled = pull(top)
    assert len(pulled) == 2_000
    server = await start_server(top, tmp_path / "index")
    try:
        await server.until_quiet(60)
        indexed = server.statuses[-1].indexed + sum(path.suffix == ".bsl" for path in pulled)
        for path, text in pulled.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        server.forget_states()
        # an editor tells them in batches
        for start in range(0, 2_000, 100):
            server.tell_changed(list(pulled)[start : start + 100])
        waited = []
        while not server.statuses or server.statuses[-1].indexed < indexed or server.statuses[-1].pending:
            begun = time.monotonic()
            assert (await server.find("сумма словами")).hits[0].symbol == "СуммаСловами"
            waited.append(time.monotonic() - begun)
        # each refresh tells when it begins and when it is over
        assert len([status for status in server.statuses if status.pending == 0]) <= 6
        assert (await server.find("Кнопка1999")).hits[0].symbol == "Кнопка1999"
        if pull is v8unpack:
            assert (await server.find("Пульт499")).hits[0].symbol == "Справочник.Пульт499"
        assert len(waited) > 2
    finally:
        await server.end()
