"""Real models of sentence-transformers, tiny and random but for a seed, written into folders without any network."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the extra `models` is not installed")
pytest.importorskip("sentence_transformers", reason="the extra `models` is not installed")

from sentence_transformers import SentenceTransformer  # noqa: E402
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer  # noqa: E402
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors  # noqa: E402
from transformers import (  # noqa: E402
    BertConfig,
    BertForSequenceClassification,
    BertModel,
    PreTrainedTokenizerFast,
)

LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюяabcdefghijklmnopqrstuvwxyz0123456789_:;=().,&"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def make_encoder(folder: Path, seed: int = 1, dimensions: int = 32, prompts: dict[str, str] | None = None) -> Path:
    """Write a bi-encoder of 64 tokens at most and return its folder."""
    bare = folder / "bert"
    torch.manual_seed(seed)
    BertModel(config(dimensions), add_pooling_layer=False).save_pretrained(bare)
    tokenizer().save_pretrained(bare)
    modules = [Transformer(str(bare), max_seq_length=64), Pooling(dimensions, "mean")]
    made = folder / f"tiny-{seed}"
    SentenceTransformer(modules=modules, prompts=prompts, device="cpu").save(str(made))
    return made


def make_reranker(folder: Path, seed: int = 1, labels: int = 1) -> Path:
    """Write a cross-encoder and return its folder."""
    made = folder / f"cross-{seed}"
    torch.manual_seed(seed)
    network = BertForSequenceClassification(config(32, num_labels=labels))
    network.save_pretrained(made)
    tokenizer().save_pretrained(made)
    return made


def config(dimensions: int, **more: int) -> BertConfig:
    return BertConfig(
        vocab_size=2 * len(LETTERS) + len(SPECIAL),
        hidden_size=dimensions,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=2 * dimensions,
        max_position_embeddings=128,
        # small random numbers give nearly one answer to everything
        initializer_range=0.5,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        **more,
    )


def tokenizer() -> PreTrainedTokenizerFast:
    """Return a tokenizer of single letters."""
    pieces = [*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    made = Tokenizer(models.WordPiece({piece: n for n, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=128,
    )
