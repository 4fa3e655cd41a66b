"""Damaged files of metadata objects: reading never raises, and what is lost is told."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bsl_scout.configuration.layout import Root, walk
from bsl_scout.configuration.objects import absent_objects, object_digest, object_files, read_object, read_objects
from bsl_scout.index.metadata import metadata_entries
from support import DEMO
from v8_samples import configuration

fuzzed = settings(
    max_examples=int(os.environ.get("BSL_SCOUT_FUZZ", "60")), deadline=None, suppress_health_check=list(HealthCheck)
)
TAG = re.compile(rb"</?[^<>]+>")
VALUES = (
    b"",
    b"-1",
    b"99999999999999999999",
    b"true",
    b"\xff",
    b"\0",
    b"&lt;",
    b"&x;",
    b"<a/>",
    b"]]>",
    "ё".encode(),
    b"%n",
)


class Tree:
    """A copy of a demo configuration one file of which is damaged at a time."""

    def __init__(self, name: str, folder: Path) -> None:
        self.top = folder / name
        if name == "v8unpack":
            for path, content in configuration().items():
                (self.top / path).parent.mkdir(parents=True, exist_ok=True)
                (self.top / path).write_bytes(content if isinstance(content, bytes) else content.encode())
        else:
            shutil.copytree(DEMO.parent / name, self.top)
        self.roots = walk(self.top).roots
        self.files = list(object_files(self.top, self.roots))
        self.names = {item.path: item.full_name for item in read_objects(self.top, self.roots)[0]}
        self.side = sorted(
            str(path.relative_to(self.top))
            for path in self.top.rglob("*")
            if path.suffix in (".xml", ".mdo", ".form", ".rights", ".dcs", ".json")
        )

    def root_of(self, path: str) -> Root:
        return max(
            (root for root in self.roots if root.path in (".", path.split("/")[0])), key=lambda root: len(root.path)
        )


@pytest.fixture(scope="module", params=["demo", "demo_edt", "v8unpack"])
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return Tree(request.param, tmp_path_factory.mktemp("fuzz"))


def damaged(data: bytes, draw: st.DrawFn) -> bytes:
    tags = list(TAG.finditer(data))
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 5))
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            data = data[:at] + draw(st.binary(max_size=8)) + data[at:]
        elif kind == 2 and tags:
            one, two = draw(st.sampled_from(tags)), draw(st.sampled_from(tags))
            data = data.replace(one[0], two[0])
        elif kind == 3:
            data = re.sub(
                rb">[^<>]{1,60}<", b">" + draw(st.sampled_from(VALUES)) + b"<", data, count=draw(st.integers(1, 9))
            )
        elif kind == 4:
            data = data[:at] + data[at : at + 200] * draw(st.sampled_from([2, 50, 400])) + data[at:]
        else:
            data = re.sub(
                rb'"[^"<>]{0,60}"', b'"' + draw(st.sampled_from(VALUES)) + b'"', data, count=draw(st.integers(1, 5))
            )
    return data


@fuzzed
@given(draw=st.data())
def test_damaged_objects(tree: Tree, draw: st.DataObject) -> None:
    """Damage one file of an object, its own or one beside it; read the object as the index does."""
    file = draw.draw(st.sampled_from(tree.files))
    beside = [path for path in tree.side if path.startswith(file.path.rpartition(".")[0] + "/")]
    path = tree.top / draw.draw(st.sampled_from([file.path, *beside]))
    whole = path.read_bytes()
    try:
        path.write_bytes(damaged(whole, draw.draw))
        root = tree.root_of(file.path)
        found, problems = read_object(tree.top, file.path, root, file.prefix)
        if found is None and not problems and not file.prefix:
            # well-formed and no object: the configuration, which lists it, tells that
            gone = tree.names[file.path]
            told = absent_objects(tree.top, root, set(tree.names.values()) - {gone})
            assert any(gone in problem.message for problem in told)
        object_digest(tree.top, file.path, root)
        for problem in problems:
            assert problem.message and "\n" not in problem.message
            assert str(tree.top) not in problem.message
        if found:
            assert found.name and found.russian_name
            for entries in metadata_entries(found):
                for entry in entries:
                    # as SQLite stores it
                    entry.chunk.text.encode()
    finally:
        path.write_bytes(whole)
