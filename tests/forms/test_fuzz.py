"""Forms whose sources were damaged: no crash, nothing that is not written, whatever is lost is named."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bsl_scout.forms.model import Form
from bsl_scout.forms.read import read_form
from form_samples import DESIGNER, EDT, place
from support import Write

TAG = re.compile(r"</?[^<>]+>")
LEAF = re.compile(r"<(\w+)[^<>]*(?:/>|>[^<>]*</\1>)")
DECODED = ("metadata-uuid", "attribute-id", "child-id", "standard-attribute")
# of each of the five ways
TIMES = 40


def truncated(text: str, chance: random.Random) -> bytes:
    return text.encode()[: chance.randrange(len(text.encode()))]


def wrong_nesting(text: str, chance: random.Random) -> bytes:
    """Swap two tags, take one away, or put a whole element where it does not belong."""
    if chance.random() < 0.5:
        moved = chance.choice(list(LEAF.finditer(text)))
        rest = text[: moved.start()] + text[moved.end() :]
        at = chance.choice([match.end() for match in TAG.finditer(rest)][:-1])
        return (rest[:at] + moved[0] + rest[at:]).encode()
    tags = list(TAG.finditer(text))
    one, two = sorted(chance.sample(range(len(tags)), 2))
    a, b = tags[one], tags[two]
    middle = text[a.end() : b.start()]
    swapped = (b[0], a[0]) if chance.random() < 0.7 else ("", b[0])
    return (text[: a.start()] + swapped[0] + middle + swapped[1] + text[b.end() :]).encode()


def swapped_types(text: str, chance: random.Random) -> bytes:
    """Swap the names of two pairs of elements, which leaves the XML well formed, or the values of two texts."""
    if chance.random() < 0.5:
        names = sorted(set(re.findall(r"<(\w+)[ >/]", text)))
        one, two = chance.sample(names, 2)
        swap = {one: two, two: one}
        return re.sub(r"(?<=[</])(\w+)(?=[ >/])", lambda m: swap.get(m[1], m[1]), text).encode()
    values = list(re.finditer(r"(?<=>)[^<>\n]+(?=<)", text))
    a, b = sorted(chance.sample(values, 2), key=lambda match: match.start())
    return (text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]).encode()


def deep(text: str, chance: random.Random) -> bytes:
    """Put a piece of the form hundreds or thousands of times into itself."""
    wrap = chance.choice(["ChildItems", "items", 'UsualGroup name="Г" id="1"', "handlers", "segments"])
    times = chance.choice([50, 240, 300, 5_000])
    at = chance.choice([match.end() for match in re.finditer(r"<ChildItems>|<items [^>]*>", text)])
    return (text[:at] + f"<{wrap}>" * times + f"</{wrap.split()[0]}>" * times + text[at:]).encode()


def random_bytes(text: str, chance: random.Random) -> bytes:
    """Put random bytes anywhere, or random letters into names and texts, which XML bears."""
    times = chance.choice([1, 3, 20, 200])
    if chance.random() < 0.5:
        data = bytearray(text.encode())
        for _ in range(times):
            data[chance.randrange(len(data))] = chance.randrange(256)
        return bytes(data)
    letters = list(text)
    places = [at for match in re.finditer(r'(?<=[>"])[^<>"]+(?=[<"])', text) for at in range(*match.span())]
    for at in chance.choices([at for at in places if "://" not in text[at - 60 : at + 60]], k=times):
        letters[at] = chance.choice("АбвXYZ019_.:/-~[] \n")
    return "".join(letters).encode()


def check(form: Form, data: bytes) -> None:
    """Check that every fact stands in the source, and that an empty form says why it is empty."""
    text = data.decode("utf-8", errors="replace")
    for element in form.elements:
        if element.data_path is not None:
            assert element.data_path in text or element.proof in DECODED
            assert element.proof is not None
        else:
            assert element.proof is None
        for handler in element.handlers:
            assert handler.procedure in text
        assert element.command is None or element.command in text
        head = re.split(r"[.\[]", element.data_path or "")[0]
        known = {attribute.name.casefold() for attribute in form.attributes} | {"items", ""}
        assert head.casefold() in known or element.problem, element
    assert all(handler.procedure in text for handler in form.events)
    if not form.elements:
        assert form.warnings
    assert all(warning.code and warning.text for warning in form.warnings)


Damage = Callable[[str, random.Random], bytes]
DAMAGES: tuple[Damage, ...] = (truncated, wrong_nesting, swapped_types, deep, random_bytes)
SOURCES = {"designer": DESIGNER, "edt": EDT}


def fuzz(top: Path, source_format: str, damage: Damage, times: int) -> int:
    """Read so many damaged sources, check each, and return how many still had elements."""
    chance = random.Random(f"{source_format} {damage.__name__}")
    where = place(source_format)
    path = top / where.path
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = 0
    for _ in range(times):
        data = damage(SOURCES[source_format], chance)
        path.write_bytes(data)
        form = read_form(top, where, lambda name: None, lambda uuid: None)
        check(form, data)
        whole += bool(form.elements)
    return whole


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("source_format", SOURCES)
def test_damaged_forms(tmp_path: Path, source_format: str, damage: Damage) -> None:
    whole = fuzz(tmp_path, source_format, damage, TIMES)
    # the check would see nothing if all were refused; only cut sources always are
    assert (whole > 0) == (damage is not truncated)


def test_the_check_sees_an_invented_path(write: Write) -> None:
    where = place()
    form = read_form(write({where.path: DESIGNER}), where, lambda name: None, lambda uuid: None)
    check(form, DESIGNER.encode())
    with pytest.raises(AssertionError):
        check(form, DESIGNER.replace("Объект.Покупатель", "Объект.Иное").encode())
