"""The command that trains: one seed gives one model, hold-out keeps subsystems out, too little is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from bsl_scout.encoding.loop import Settings
from bsl_scout.encoding.model import load_model
from bsl_scout.features.train import train
from bsl_scout.index.training_texts import read_training_texts
from support import DEMO, run_cli

SMALL = Settings(pieces=800, dimensions=16, matryoshka=(8,), batch=64, epochs=2)
SUBSYSTEM = "Продажи"


def test_the_same_seed_gives_the_same_model(tmp_path: Path) -> None:
    reports = [train([DEMO], tmp_path / name, settings=SMALL) for name in ("one", "two")]
    assert reports[0] == reports[1]
    assert reports[0].procedures > 200
    assert reports[0].pairs > 400
    first, second = (load_model(tmp_path / name) for name in ("one", "two"))
    assert first.digest == second.digest
    assert first.dimensions == 16


def test_another_process_writes_the_same_bytes(tmp_path: Path) -> None:
    # hash tables lie otherwise in each process, those of tokenizers too
    for name in ("one", "two"):
        run_cli("train", DEMO, DEMO.with_name("demo_edt"), "--out", tmp_path / name)
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert len(files) == 4
    for path in files:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes(), path


def test_hold_out_keeps_a_subsystem_out() -> None:
    whole, part = read_training_texts([DEMO]), read_training_texts([DEMO], [SUBSYSTEM])
    assert not whole.held
    assert part.held
    assert part.held_owners
    assert len(part.procedures) + len(part.held) == len(whole.procedures)
    assert len(part.titled) < len(whole.titled)
    names = {owner.split(".")[1] for owner in part.held_owners}
    assert not any(procedure.path[:1] and procedure.path[0] in names for procedure in part.procedures)


def test_too_little_is_told(tmp_path: Path) -> None:
    (tmp_path / "М.bsl").write_text("Процедура А()\nКонецПроцедуры", encoding="utf-8")
    done = run_cli("train", tmp_path, "--out", tmp_path / "model", check=False)
    assert done.returncode == 2
    assert "too little to train on" in done.stderr
    with pytest.raises(OSError, match="absent"):
        train([tmp_path / "absent"], tmp_path / "model")
