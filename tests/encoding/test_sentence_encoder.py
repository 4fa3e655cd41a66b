"""Models of sentence-transformers: real ones, tiny and random, behave as the library says; absent ones are told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bsl_scout.encoding import sentence_encoder
from bsl_scout.encoding.model import SHIPPED, ModelError, load_model
from bsl_scout.encoding.sentence_encoder import (
    MAX_TOKENS,
    load_reranker,
    load_sentence_encoder,
    model_key,
    shown_name,
)
from tiny_models import make_encoder, make_reranker

TEXTS = ["Пересчитать сумму в валюту", "Отправить письмо", "Пересчитать сумму в валюту", ""]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("models"))


def test_vectors_are_those_of_the_library_at_length_one(folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(folder), device="cpu").encode(TEXTS)
    made = load_sentence_encoder(str(folder))
    vectors = made.passages(TEXTS)
    assert (made.dimensions, vectors.shape, vectors.dtype) == (32, (4, 32), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert vectors == pytest.approx(plain / np.linalg.norm(plain, axis=1, keepdims=True), abs=1e-5)
    assert made.query(TEXTS[1]) == pytest.approx(vectors[1], abs=1e-5)
    assert np.array_equal(vectors, made.passages(TEXTS))
    assert made.passages([]).shape == (0, 32)


def test_a_long_text_is_cut_at_the_limit_of_the_model(folder: Path) -> None:
    made = load_sentence_encoder(str(folder))
    start = "а" * 62
    same, other = made.passages([start + "б" * 500, start + "в" * 900])
    assert same == pytest.approx(other, abs=1e-5)
    # with a model that takes more, our own limit holds
    made.model.max_seq_length = 100_000
    sentence_encoder._limit(made.model)
    assert made.model.max_seq_length == MAX_TOKENS


def test_prompts_of_the_model_go_before_those_of_its_name(tmp_path: Path, folder: Path) -> None:
    own = make_encoder(tmp_path, 2, prompts={"query": "q: ", "document": "d: "})
    made = load_sentence_encoder(str(own))
    assert made.prompts == ("q: ", "d: ")
    bare = load_sentence_encoder(str(folder)).prompts
    assert bare == ("", "")
    renamed = own.rename(own.with_name("my-e5-base"))
    assert load_sentence_encoder(str(renamed)).prompts == ("q: ", "d: ")


@pytest.mark.parametrize(
    ("name", "prompts"),
    [
        ("multilingual-e5-small", ("query: ", "passage: ")),
        ("E5", ("query: ", "passage: ")),
        ("multilingual-e5-large-instruct", ("", "")),
        ("rue5t", ("", "")),
    ],
)
def test_models_of_the_e5_family_get_their_prefixes(tmp_path: Path, name: str, prompts: tuple[str, str]) -> None:
    encoder = load_sentence_encoder(str(make_encoder(tmp_path).rename(tmp_path / name)))
    assert encoder.prompts == prompts
    query, passage = encoder.query("письмо"), encoder.passages(["письмо"])[0]
    assert (query @ passage < 0.9999) == (prompts != ("", ""))
    if prompts[0]:
        plain = encoder.model.encode(["query: письмо", "passage: письмо"])
        plain /= np.linalg.norm(plain, axis=1, keepdims=True)
        assert np.stack([query, passage]) == pytest.approx(plain, abs=1e-5)


def test_the_shipped_model_opens_as_one_of_the_library() -> None:
    made, own = load_sentence_encoder(str(SHIPPED)), load_model()
    for text in ("пересчитать сумму в валюту", "отправить письмо"):
        assert made.query(text) == pytest.approx(own.query(text), abs=1e-4)


def test_a_reranker_gives_the_scores_of_the_library(tmp_path: Path) -> None:
    from sentence_transformers import CrossEncoder

    folder = make_reranker(tmp_path)
    pairs = [("валюта", text) for text in TEXTS]
    scores = load_reranker(str(folder)).scores("валюта", TEXTS)
    assert scores == pytest.approx(CrossEncoder(str(folder), device="cpu").predict(pairs).tolist(), abs=1e-5)
    assert scores[0] == pytest.approx(scores[2], abs=1e-6)
    assert max(scores) - min(scores) > 0.01
    assert load_reranker(str(folder)).scores("валюта", []) == []


def test_a_classifier_is_no_reranker(tmp_path: Path) -> None:
    folder = make_reranker(tmp_path, labels=3)
    with pytest.raises(ModelError, match="cross-1 cannot be used: it gives 3 scores for a pair of texts, not one"):
        load_reranker(str(folder))


def test_the_key_follows_the_files_and_the_name(tmp_path: Path, folder: Path) -> None:
    assert model_key("intfloat/multilingual-e5-small") == "intfloat/multilingual-e5-small"
    before = model_key(str(folder))
    assert before == model_key(str(folder) + "/") and str(folder.parent) not in before
    (folder / "note.txt").write_text("x", encoding="utf-8")
    assert model_key(str(folder)) != before


@pytest.mark.parametrize("load", [load_sentence_encoder, load_reranker])
def test_what_cannot_be_used_is_told_without_a_path(tmp_path: Path, load, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(name: str) -> str:
        with pytest.raises(ModelError) as caught:
            load(name)
        text = str(caught.value)
        assert "\n" not in text and str(tmp_path) not in text
        return text

    assert told(str(tmp_path / "нет")) == "the model нет cannot be used: there is no such folder"
    assert told("C:\\Users\\me\\e5") == "the model e5 cannot be used: there is no such folder"
    (tmp_path / "пусто").mkdir()
    assert told(str(tmp_path / "пусто")).startswith(
        "the model пусто cannot be used: the folder holds no model that can be read ("
    )
    broken = make_encoder(tmp_path, 7)
    (broken / "model.safetensors").write_bytes(b"torn")
    assert told(str(broken)).startswith("the model tiny-7 cannot be used: the folder holds no model that can be read (")
    # nothing listens there, as when there is no network
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    assert told("intfloat/no-such-model").startswith(
        "the model intfloat/no-such-model cannot be used: it was not downloaded before and cannot be now ("
    )


def test_without_the_extra_its_name_is_told() -> None:
    # in a process of its own: the library is loaded here
    code = """
import sys
sys.modules["sentence_transformers"] = None
from bsl_scout.encoding.model import ModelError
from bsl_scout.encoding.sentence_encoder import load_sentence_encoder
try:
    load_sentence_encoder("intfloat/multilingual-e5-small")
except ModelError as error:
    print(error)
print("torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    told, torch = done.stdout.splitlines()
    assert told == (
        "the model intfloat/multilingual-e5-small cannot be used: sentence_transformers is not installed: "
        "pip install 'bsl-scout[models]'"
    )
    assert torch == "False"


def test_only_the_name_of_a_folder_is_shown() -> None:
    assert shown_name("intfloat/multilingual-e5-small") == "intfloat/multilingual-e5-small"
    assert shown_name("/home/me/models/my-e5/") == "my-e5"
    assert shown_name("~/models/my-e5") == "my-e5"
    assert shown_name("D:\\models\\my-e5") == "my-e5"
