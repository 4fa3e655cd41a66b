"""Training: the gradient is right, a seed gives one model, and what belongs together ends up near."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models

from bsl_scout.encoding import loop, training
from bsl_scout.encoding.loop import Bags, Settings
from bsl_scout.encoding.model import SHIPPED, ModelError, load_model, save_model
from bsl_scout.encoding.training import bags, train_rows, train_tokenizer

WORDS = tuple("остаток товар склад письмо почта адрес курс валюта банк пароль вход роль печать бланк форма".split())  # noqa: SIM905
NAMES = tuple(
    "Balance Goods Store Letter Mail Address Rate Currency Bank Password Login Role Print Blank Form".split()  # noqa: SIM905
)
SMALL = Settings(pieces=200, dimensions=16, matryoshka=(8,), batch=32, epochs=30, rate=0.05)


def small_pairs() -> list[tuple[str, str]]:
    chooser = np.random.default_rng(3)
    picks = [chooser.choice(len(WORDS), 3, replace=False) for _ in range(160)]
    return [(" ".join(WORDS[i] for i in pick), "".join(NAMES[i] for i in pick)) for pick in picks]


@pytest.fixture(scope="module")
def trained():
    pairs = small_pairs()
    tokenizer = train_tokenizer(pairs, SMALL.pieces, SMALL.seed)
    return pairs, tokenizer, train_rows(tokenizer, pairs, SMALL)


def test_the_tokenizer_splits_and_folds(trained) -> None:
    _, tokenizer, _ = trained
    whole = tokenizer.normalizer.normalize_str("ПересчитатьВВалюту НДСПоставщика ДатаНДС18 Ёлка HTTPЗапрос my_var")
    assert whole == "пересчитать в валюту ндс поставщика дата ндс 18 елка http запрос my var"
    joined = tokenizer.encode("ОстатокТовар", add_special_tokens=False).ids
    assert joined == tokenizer.encode("остаток товар", add_special_tokens=False).ids


def test_pieces_have_an_order_of_their_own() -> None:
    # what tokenizers writes for the same texts in two processes: letters that it keeps without need get the lowest
    # scores in the order of a hash table, and so do the numbers of equally good pieces and the last digits
    known = [("склад", -4.0), ("товар", -5.0), ("курс", -5.0), ("а", -6.0), ("ж", -9.0)]
    one = [(training.UNKNOWN, 0.0), ("к", -9.0), ("ъ", -8.9999), ("э", -8.9998), *known]
    other = [(training.UNKNOWN, 0.0), ("э", -9.0), ("к", -8.9999), ("ъ", -8.9998), known[0], *known[2:], known[1]]
    other = [(piece, score + 1e-12) for piece, score in other]
    ordered = [training._in_order(Tokenizer(models.Unigram(vocab, 0))).to_str() for vocab in (one, other)]
    assert ordered[0] == ordered[1]
    vocab = json.loads(ordered[0])["model"]["vocab"]
    assert [piece for piece, _ in vocab] == [training.UNKNOWN, "склад", "курс", "товар", "а", "ж", "к", "ъ", "э"]
    scores = [score for _, score in vocab[1:]]
    assert scores == sorted(scores, reverse=True)


def test_the_gradient_is_that_of_the_loss() -> None:
    generator = np.random.default_rng(1)
    rows = generator.normal(size=(9, 6)).astype(np.float64)
    left = Bags(np.array([0, 1, 2, 2, 3]), np.array([0, 2, 4, 5]))
    right = Bags(np.array([4, 5, 6, 1, 8]), np.array([0, 1, 3, 5]))
    settings = Settings(dimensions=6, matryoshka=(3,), scale=5.0)
    _, ids, gradient = loop._step(rows, [left, right], settings)
    assert ids.tolist() == [0, 1, 2, 3, 4, 5, 6, 8]
    for place, piece in enumerate(ids):
        for column in range(6):
            moved = rows.copy()
            moved[piece, column] += 1e-5
            above = loop._step(moved, [left, right], settings)[0]
            moved[piece, column] -= 2e-5
            below = loop._step(moved, [left, right], settings)[0]
            assert gradient[place, column] == pytest.approx((above - below) / 2e-5, abs=1e-4)


def test_pairs_end_up_near_and_the_seed_decides(trained) -> None:
    pairs, tokenizer, rows = trained
    again = train_rows(tokenizer, pairs, SMALL)
    assert np.array_equal(rows, again)
    sides = [loop.pool(rows, bags(tokenizer, [pair[side] for pair in pairs[:40]], 50)) for side in (0, 1)]
    a, b = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in sides)
    own = (a @ b.T).argmax(axis=1) == np.arange(40)
    assert own.mean() > 0.8


def test_a_model_comes_back_from_its_folder(tmp_path: Path) -> None:
    tokenizer = Tokenizer.from_file(str(SHIPPED / "0_StaticEmbedding" / "tokenizer.json"))
    rows = np.random.default_rng(1).normal(size=(tokenizer.get_vocab_size(), 16)).astype(np.float32)
    digest = save_model(tmp_path / "model", tokenizer, rows)
    model = load_model(tmp_path / "model")
    assert model.digest == digest
    text = "сумма прописью в валюте"
    mean = rows[tokenizer.encode(text, add_special_tokens=False).ids].mean(axis=0)
    query = model.query(f"«{text}!»")
    assert query == pytest.approx(mean / np.linalg.norm(mean), abs=2e-3)
    assert model.vectors([model.pieces(text.split())])[0] == pytest.approx(query, abs=1e-6)
    assert not model.vectors([[]]).any()
    # a word in single letters was never seen: it says nothing
    assert not model.query("ъыъыъыъ").any()
    assert model.query(f"{text} ъыъыъыъ") == pytest.approx(query)


@pytest.mark.parametrize("damage", ["missing", "weights", "header", "tokenizer", "modules"])
def test_a_damaged_model_is_told(trained, tmp_path: Path, damage: str) -> None:
    _, tokenizer, rows = trained
    folder = tmp_path / "model"
    save_model(folder, tokenizer, rows)
    inner = folder / "0_StaticEmbedding"
    if damage == "missing":
        (inner / "model.safetensors").unlink()
    elif damage == "weights":
        data = (inner / "model.safetensors").read_bytes()
        (inner / "model.safetensors").write_bytes(data[:-100])
    elif damage == "header":
        (inner / "model.safetensors").write_bytes(b"\x05")
    elif damage == "tokenizer":
        (inner / "tokenizer.json").write_text("{}", encoding="utf-8")
    else:
        (folder / "modules.json").write_text("[]", encoding="utf-8")
    with pytest.raises(ModelError) as told:
        load_model(folder)
    assert str(tmp_path) not in str(told.value)
