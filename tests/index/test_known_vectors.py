"""Renamed, copied and returning files: the encoder gets new texts only, the vectors are those of a fresh index."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bsl_scout.index import known_vectors
from bsl_scout.index.catalog import Catalog
from bsl_scout.index.chunk_texts import Source
from bsl_scout.index.encoders import BslEncoder, Floats, OtherEncoder
from bsl_scout.index.indexer import refresh
from bsl_scout.index.known_vectors import source_digest
from bsl_scout.index.next_vectors import make_next_vectors
from bsl_scout.index.schema import ChunkRow
from support import DEMO, Write, check_postings, index_state, index_vectors
from tiny_models import make_encoder

MODULE = "\n".join(f"Процедура Действие{n}()\n\tЗаписать{n}();\nКонецПроцедуры\n" for n in range(5))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the chunks that encoders were asked for."""
    names: list[str] = []
    for encoder in (BslEncoder, OtherEncoder):

        def noted(self: object, chunks: Sequence[Source], made: object = encoder.chunk_vectors) -> Floats:
            names.extend(chunk.name for chunk in chunks)
            return made(self, chunks)  # type: ignore[operator,no-any-return]

        monkeypatch.setattr(encoder, "chunk_vectors", noted)
    return names


def check_fresh(top: Path, folder: Path, fresh: Path) -> None:
    """Check that an index is what a new one would be, and that its vectors are."""
    shutil.rmtree(fresh, ignore_errors=True)
    refresh(top, fresh)
    assert index_state(folder) == index_state(fresh)
    check_postings(folder)
    found, expected = index_vectors(folder), index_vectors(fresh)
    assert found.keys() == expected.keys()
    assert all(abs(found[place] - expected[place]).max() <= 1 for place in expected)


def test_what_a_vector_is_made_from() -> None:
    one = Source("А", "Процедура А()", 0, 0, "Заказы")
    others = [
        Source("Б", "Процедура А()", 0, 0, "Заказы"),
        Source("А", "Процедура А(Б)", 0, 0, "Заказы"),
        Source("А", "Процедура А()", 1, 0, "Заказы"),
        Source("А", "Процедура А()", 0, 1, "Заказы"),
        Source("А", "Процедура А()", 0, 0, "Склады"),
        Source("А", "Процедура А()", 0, 0, "Заказы", metadata=True),
    ]
    assert len({source_digest(source) for source in (one, *others)}) == 7
    assert source_digest(one) == source_digest(Source("А", "Процедура А()", 0, 0, "Заказы"))
    assert -(2**63) <= source_digest(one) < 2**63


def test_a_renamed_module_and_a_copy(write: Write, tmp_path: Path, asked: list[str]) -> None:
    top, folder = write({"А/М.bsl": MODULE}), tmp_path / "index"
    refresh(top, folder)
    assert len(asked) == 5
    (top / "А").rename(top / "Б")
    report = refresh(top, folder)
    assert report.vectors and (report.changes.added, report.changes.removed) == (5, 5)
    write({"Копия.bsl": MODULE, "Другой.bsl": MODULE.replace("Действие4", "Действие5")})
    assert refresh(top, folder).vectors
    assert asked[5:] == ["Действие5"]
    check_fresh(top, folder, tmp_path / "fresh")


def test_copies_are_made_once(write: Write, tmp_path: Path, asked: list[str]) -> None:
    top, folder = write({f"{n}.bsl": MODULE for n in range(3)}), tmp_path / "index"
    assert refresh(top, folder).vectors
    assert sorted(asked) == [f"Действие{n}" for n in range(5)]
    check_fresh(top, folder, tmp_path / "fresh")


@pytest.mark.parametrize("events", [False, True], ids=["walk", "events"])
def test_a_renamed_object(tmp_path: Path, asked: list[str], events: bool) -> None:
    """Its fields are called otherwise; its code is not, as long as synonym and subsystems are the same."""
    top, folder = tmp_path / "work", tmp_path / "index"
    shutil.copytree(DEMO, top)
    refresh(top, folder)
    asked.clear()
    changed = []
    for path in sorted(top.rglob("*.xml")):
        text = path.read_text("utf-8-sig")
        new = text.replace("<Name>Контрагенты</Name>", "<Name>Партнеры</Name>")
        for kind in ("Catalog", "CatalogRef", "CatalogObject", "CatalogManager", "CatalogSelection", "CatalogList"):
            new = new.replace(f"{kind}.Контрагенты<", f"{kind}.Партнеры<").replace(
                f"{kind}.Контрагенты.", f"{kind}.Партнеры."
            )
        if new != text:
            path.write_text(new, "utf-8-sig")
            changed.append(path.relative_to(top).as_posix())
    catalogs = top / "Catalogs"
    for name in ("Контрагенты", "Контрагенты.xml"):
        (catalogs / name).rename(catalogs / name.replace("Контрагенты", "Партнеры"))
        changed += [f"Catalogs/{name}", f"Catalogs/{name.replace('Контрагенты', 'Партнеры')}"]
    code = {row.name for row in _procedures(folder) if row.path.startswith("Catalogs/Контрагенты/")}
    report = refresh(top, folder, paths=changed if events else None)
    assert report.vectors and report.changes.removed
    assert len(code) > 3 and "Контрагенты" not in asked
    assert "Партнеры" in asked and not code & set(asked)
    check_fresh(top, folder, tmp_path / "fresh")


def test_a_module_that_belongs_to_something_else_gets_its_own(tmp_path: Path, asked: list[str]) -> None:
    top, folder = tmp_path / "work", tmp_path / "index"
    shutil.copytree(DEMO, top)
    refresh(top, folder)
    asked.clear()
    module = next((top / "Catalogs" / "Контрагенты").rglob("*.bsl")).relative_to(top / "Catalogs" / "Контрагенты")
    target = top / "Catalogs" / "Номенклатура" / module
    target.parent.mkdir(parents=True, exist_ok=True)
    (top / "Catalogs" / "Контрагенты" / module).replace(target)
    moved = {row.name for row in _procedures(folder) if row.path.endswith(f"Контрагенты/{module.as_posix()}")}
    refresh(top, folder)
    assert moved and moved <= set(asked)
    check_fresh(top, folder, tmp_path / "fresh")


def test_a_configuration_moved_below_another_folder(tmp_path: Path, asked: list[str]) -> None:
    top, folder = tmp_path / "work", tmp_path / "index"
    shutil.copytree(DEMO, top / "cf")
    refresh(top, folder)
    asked.clear()
    (top / "src").mkdir()
    (top / "cf").rename(top / "src" / "cf")
    assert refresh(top, folder).vectors
    assert not asked
    check_fresh(top, folder, tmp_path / "fresh")


def test_another_branch_without_a_folder_and_back(tmp_path: Path, asked: list[str]) -> None:
    top, folder = tmp_path / "work", tmp_path / "index"
    shutil.copytree(DEMO, top)
    refresh(top, folder)
    asked.clear()
    (top / "Documents").rename(tmp_path / "aside")
    (top / "Новый.bsl").write_text("Процедура Новая()\nКонецПроцедуры\n", "utf-8")
    assert refresh(top, folder).changes.removed > 20
    check_fresh(top, folder, tmp_path / "fresh")
    asked.clear()
    (tmp_path / "aside").rename(top / "Documents")
    (top / "Новый.bsl").unlink()
    assert refresh(top, folder).changes.added > 20
    assert not asked
    check_fresh(top, folder, tmp_path / "fresh")
    with closing(Catalog(folder)) as catalog:
        # what serves again is not kept twice
        assert [name for (name,) in catalog.rows("SELECT count(*) FROM gone_vectors")] == [1]


def test_only_the_last_removed_are_kept(
    write: Write, tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_vectors, "MOST_GONE", 2)
    top, folder = write({"А.bsl": MODULE, "Б.bsl": MODULE.replace("Записать", "Прочитать")}), tmp_path / "index"
    refresh(top, folder)
    (top / "А.bsl").unlink()
    refresh(top, folder)
    write({"В.bsl": "Процедура Третья()\nКонецПроцедуры\n"})
    refresh(top, folder)
    asked.clear()
    write({"А.bsl": MODULE})
    refresh(top, folder)
    assert sorted(asked) == ["Действие0", "Действие1", "Действие2"]


def test_another_encoder_gets_all_texts_and_keeps_its_own(write: Write, tmp_path: Path, asked: list[str]) -> None:
    model = make_encoder(tmp_path / "models", dimensions=32)
    # without the other module the sources would be gone, and the index is kept then
    top, folder = write({"А.bsl": MODULE, "Я.bsl": ""}), tmp_path / "index"
    refresh(top, folder)
    (top / "А.bsl").unlink()
    refresh(top, folder)
    write({"А.bsl": MODULE})
    asked.clear()
    assert refresh(top, folder, encoder=str(model)).vectors
    assert len(asked) == 5, "vectors of another model serve nothing"
    (top / "А.bsl").rename(top / "Б.bsl")
    assert refresh(top, folder).vectors
    assert len(asked) == 5
    assert {len(vector) for vector in index_vectors(folder).values()} == {32}


def test_the_vectors_that_come_later_are_taken_over_too(write: Write, tmp_path: Path, asked: list[str]) -> None:
    """In the language server another encoder works between the refreshes."""
    model = str(make_encoder(tmp_path / "models", dimensions=32))
    top, folder = write({"А.bsl": MODULE}), tmp_path / "index"
    refresh(top, folder)
    asked.clear()
    refresh(top, folder, encoder=model, encode_later=True)
    # a copy that comes while the others are on their way
    write({"Б.bsl": MODULE})
    refresh(top, folder, encoder=model, encode_later=True)
    assert make_next_vectors(folder, lambda *_: None)["vectors"]
    assert len(asked) == 5
    for change in ("renamed", "rebuilt"):
        if change == "renamed":
            (top / "А.bsl").rename(top / "В.bsl")
        refresh(top, folder, encoder=model, encode_later=True, rebuild=change == "rebuilt")
        assert make_next_vectors(folder, lambda *_: None) == {"vectors": True, "problem": ""}
        assert len(asked) == 5
        assert {len(vector) for vector in index_vectors(folder).values()} == {32}


@pytest.mark.parametrize("version", ["older", None], ids=["another version", "asked for"])
def test_a_new_index_takes_over_the_vectors_and_the_encoder(
    write: Write, tmp_path: Path, asked: list[str], version: str | None
) -> None:
    model = make_encoder(tmp_path / "models", dimensions=32)
    top, folder = write({"А.bsl": MODULE}), tmp_path / "index"
    refresh(top, folder, encoder=str(model))
    before = index_vectors(folder)
    if version:
        with closing(Catalog(folder)) as catalog:
            catalog.set_meta("version", version)
    asked.clear()
    report = refresh(top, folder, rebuild=version is None)
    assert report.rebuilt and report.vectors and report.changes.added == 5
    assert not asked
    after = index_vectors(folder)
    assert after.keys() == before.keys() and all((after[place] == before[place]).all() for place in before)


def test_a_catalog_without_such_vectors_is_made_anew(write: Write, tmp_path: Path, asked: list[str]) -> None:
    top, folder = write({"А.bsl": MODULE}), tmp_path / "index"
    refresh(top, folder)
    with closing(Catalog(folder)) as catalog:
        catalog.set_meta("version", "older")
        catalog.rows("DROP TABLE gone_vectors")
        catalog.rows("DROP INDEX vectors_source")
        catalog.rows("ALTER TABLE vectors DROP COLUMN source")
    asked.clear()
    assert refresh(top, folder).vectors
    assert len(asked) == 5
    check_fresh(top, folder, tmp_path / "fresh")


def _procedures(folder: Path) -> list[ChunkRow]:
    with closing(Catalog(folder)) as catalog:
        return list(catalog.procedures())
