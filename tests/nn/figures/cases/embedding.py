"""Embeddings with norms and frequencies, and bags of them."""

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {"w": (6, 3), "f": (2, 4), "g": (7,)}
CLASSES: dict[str, list[Any]] = {
    "i": [1, 1, 4, 0, 5, 4, 1],
    "rows": [[1, 4, 1, 0], [4, 4, 5, 4]],
    "o": [0, 2, 2, 5],
    "ends": [0, 2, 2, 5, 7],
}
BAG = "F.embedding_bag"

CASES = {
    "by frequency": "F.embedding(i, w, scale_grad_by_freq=True)",
    "by frequency with padding": "F.embedding(rows, w, 4, scale_grad_by_freq=True)",
    "Embedding by frequency": "fixed(nn.Embedding(6, 3, 1, scale_grad_by_freq=True))(rows)",
    "Embedding with a norm": "(lambda m: (m(rows), m.weight))(fixed(nn.Embedding(6, 3, max_norm=0.7)))",
    "Embedding with a norm of order 1": "(lambda m: (m(i), m.weight))(fixed(nn.Embedding(6, 3, None, 1.5, 1.0)))",
    "from_pretrained": "nn.Embedding.from_pretrained(w.detach() * 1, False, 4, 1.5, 3.0, True)(rows) + w[0]",
    "bags of rows": f"{BAG}(rows, w)",
    "bags of rows, sum": f"{BAG}(rows, w, mode='sum')",
    "bags of rows, max": f"{BAG}(rows, w, mode='max')",
    "bags of rows, padding": f"{BAG}(rows, w, padding_idx=4)",
    "bags of rows, sum, padding": f"{BAG}(rows, w, mode='sum', padding_idx=-2)",
    "bags of rows, max, padding": f"{BAG}(rows, w, mode='max', padding_idx=4)",
    "weighted rows": f"{BAG}(rows, w, mode='sum', per_sample_weights=f)",
    "weighted rows, padding": f"{BAG}(rows, w, mode='sum', per_sample_weights=f, padding_idx=4)",
    "bags": f"{BAG}(i, w, o)",
    "bags, sum": f"{BAG}(i, w, o, mode='sum')",
    "bags, max": f"{BAG}(i, w, o, mode='max')",
    "bags, padding": f"{BAG}(i, w, o, padding_idx=1)",
    "bags, max, padding": f"{BAG}(i, w, o, mode='max', padding_idx=1)",
    "bags, last offset": f"{BAG}(i, w, ends, mode='sum', include_last_offset=True)",
    "bags, max, last offset": f"{BAG}(i, w, ends, mode='max', include_last_offset=True)",
    "weighted bags": f"{BAG}(i, w, o, mode='sum', per_sample_weights=g)",
    "bags of int32": f"{BAG}(i.int(), w, o.int())",
    "EmbeddingBag": "fixed(nn.EmbeddingBag(6, 3))(i, o)",
    "EmbeddingBag with a norm": "(lambda m: (m(rows), m.weight))(fixed(nn.EmbeddingBag(6, 3, 0.7, mode='sum')))",
    "EmbeddingBag from_pretrained": "nn.EmbeddingBag.from_pretrained(w.detach(), False, mode='max')(rows) + w[0]",
    "EmbeddingBag, weighted": "fixed(nn.EmbeddingBag(6, 3, mode='sum', padding_idx=5))(rows, per_sample_weights=f)",
}

FIRST_ORDER = tuple(case for case in CASES if "weighted" in case)
"""PyTorch has no second derivative of these."""
