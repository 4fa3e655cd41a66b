"""Damaged forms: no crash, no binding that the source does not prove, problems named."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from bsl_scout.forms.elem_json import read_elem_json
from bsl_scout.forms.form_bin import read_ordinary_form
from bsl_scout.forms.model import PROOFS, Form
from bsl_scout.forms.v8_uuids import UuidMeaning
from v8_samples import (
    MANAGED,
    MEANINGS,
    ORDINARY,
    ORDINARY_MEANINGS,
    braces,
    container,
    dumped,
    form_bin,
    managed,
    ordinary,
    ordinary_body,
)

STANDARD = {"Number", "Date", "LineNumber"}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return every (container, key) of nested lists and dicts."""
    found: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        item = stack.pop()
        keys: Any = list(item) if isinstance(item, dict) else range(len(item)) if isinstance(item, list) else ()
        for key in keys:
            found.append((item, key))
            stack.append(item[key])
    return found


def mutate(value: Any, chance: random.Random) -> None:
    """Damage nested lists and dicts in place, once to four times."""
    for _ in range(chance.randint(1, 4)):
        holder, key = chance.choice(places(value))
        kind = chance.randrange(8)
        other_holder, other = chance.choice(places(value))
        if kind == 0:
            del holder[key]
        elif kind == 1:
            holder[key] = chance.choice([None, 5, True, "", "x", [], {}, "-5", "999999999999", '"', "0"])
        elif kind == 2:
            holder[key] = [holder[key]]
        elif kind == 3:
            holder[key] = copy.deepcopy(other_holder[other])
        elif kind == 4 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        elif kind == 5 and isinstance(holder, list):
            chance.shuffle(holder)
        elif kind == 6:
            deep: Any = "1"
            for _ in range(chance.choice([5, 100])):
                deep = ["1", deep]
            holder[key] = deep
        elif isinstance(holder[key], str) and holder[key]:
            at = chance.randrange(len(holder[key]))
            holder[key] = holder[key][:at] + chance.choice('0189-"aЯ,{}') + holder[key][at + 1 :]


def damage(data: bytes, chance: random.Random) -> bytes:
    kind = chance.randrange(4)
    at = chance.randrange(len(data))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + chance.randbytes(chance.randint(1, 40)) + data[at:]
    if kind == 2:
        return data[:at] + data[at + chance.randint(1, 200) :]
    return bytes(byte if chance.random() > 0.01 else chance.randrange(256) for byte in data)


def check_form(form: Form, source: str, meanings: dict[str, UuidMeaning]) -> None:
    """Every step of a path is an attribute of the form, a name in the source or of a uuid in it; all is told."""
    heads = {attribute.name for attribute in form.attributes}
    told = {warning.element for warning in form.warnings}
    known = {m.name for uuid, m in meanings.items() if uuid in source}
    for element in form.elements:
        if element.data_path is None:
            assert element.proof is None
            assert element.problem is None or element.name in told
            continue
        assert element.proof in PROOFS
        assert element.problem is None
        head = next((head for head in heads if f"{element.data_path}.".startswith(f"{head}.")), None)
        assert head is not None, element
        rest = element.data_path[len(head) + 1 :]
        steps = rest.split(".") if rest else []
        assert all(step in known | STANDARD or step in source for step in steps), element


# of each kind of source
TIMES = 200


def fuzz_elem_json(sample: str, times: int) -> tuple[int, int]:
    """Read so many damaged forms, check each; return how many lost most of their elements, and how many told it."""
    place, meanings = (MANAGED, MEANINGS) if sample == "managed" else (ORDINARY, ORDINARY_MEANINGS)
    make = managed if sample == "managed" else ordinary
    whole = read_elem_json(place, *map(dumped, make()), meanings.get)
    lost = told = 0
    for seed in range(times):
        chance = random.Random(f"{sample}{seed}")
        elem, form = make()
        mutate(chance.choice([elem, form]), chance)
        datas = [dumped(elem), dumped(form)]
        if seed % 4 == 0:
            side = chance.randrange(2)
            datas[side] = damage(datas[side], chance)
        found = read_elem_json(place, datas[0], datas[1], meanings.get)
        check_form(found, b"\n".join(datas).decode(errors="replace"), meanings)
        if len(found.elements) < len(whole.elements) // 2:
            lost += 1
            told += bool(found.warnings)
    return lost, told


def fuzz_form_bin(times: int) -> int:
    """Read so many damaged containers, check each; return how many were told to be broken."""
    told = 0
    for seed in range(times):
        chance = random.Random(f"bin{seed}")
        if seed % 2:
            data = damage(form_bin(), chance)
        else:
            body = ordinary_body()
            mutate(body, chance)
            text = braces(body).strip()
            if seed % 10 == 0:
                text = text.replace("{1}", "{" * 20_000 + "}" * 20_000)
            data = container({"form": text.encode("utf-8", errors="replace"), "module": b""})
        form = read_ordinary_form(ORDINARY, data, ORDINARY_MEANINGS.get)
        check_form(form, data.decode(errors="replace"), ORDINARY_MEANINGS)
        assert form.elements or form.warnings
        told += "form-bin-broken" in {warning.code for warning in form.warnings}
    return told


@pytest.mark.parametrize("sample", ["managed", "ordinary"])
def test_elem_json(sample: str) -> None:
    lost, told = fuzz_elem_json(sample, TIMES)
    assert lost == told
    assert lost > 5


def test_form_bin() -> None:
    assert fuzz_form_bin(TIMES) > 20


def test_a_random_text_is_no_form() -> None:
    for seed in range(50):
        data = random.Random(seed).randbytes(3000)
        assert read_elem_json(MANAGED, data, data, MEANINGS.get).warnings
        assert read_ordinary_form(ORDINARY, data, MEANINGS.get).warnings
    assert json.loads(dumped(managed()[0]))["props"]
