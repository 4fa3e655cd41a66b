"""Thousands of events at once: one refresh runs, one waits, and the server answers meanwhile."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from server_process import start_server
from support import copy_demo

pytestmark = pytest.mark.asyncio


async def test_two_thousand_events_are_two_refreshes_at_most(tmp_path: Path) -> None:
    top = copy_demo(tmp_path / "demo")
    module = "// Пульт.\nПроцедура Кнопка{0}() Экспорт\nКонецПроцедуры\n"
    pulled = [top / "CommonModules" / f"Пульт{number}" / "Ext" / "Module.bsl" for number in range(2_000)]
    server = await start_server(top, tmp_path / "index")
    try:
        await server.until_quiet(60)
        for number, path in enumerate(pulled):
            path.parent.mkdir(parents=True)
            path.write_text(module.format(number), encoding="utf-8")
        server.forget_states()
        # an editor tells them in batches
        for start in range(0, 2_000, 100):
            server.tell_changed(pulled[start : start + 100])
        waited = []
        while not server.statuses or server.statuses[-1].indexed < 2_051 or server.statuses[-1].pending:
            begun = time.monotonic()
            assert (await server.find("сумма словами")).hits[0].symbol == "СуммаСловами"
            waited.append(time.monotonic() - begun)
        # each refresh tells when it begins and when it is over
        assert len([status for status in server.statuses if status.pending == 0]) <= 6
        assert (await server.find("Кнопка1999")).hits[0].symbol == "Кнопка1999"
        assert len(waited) > 2
    finally:
        await server.end()
