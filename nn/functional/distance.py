"""Distances and angles between vectors."""

from __future__ import annotations

from typing import Any

from ...tensor.arithmetic import div, mul
from ...tensor.pointwise import clamp
from ...tensor.reductions import norm
from ...tensor.reductions import sum as total
from ...tensor.surface import surface

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


@surface
def cosine_similarity(x1: Value, x2: Value, dim: int = 1, eps: float = 1e-8) -> Value:
    """The cosine of the angle between two tensors along `dim`; norms count as `eps` at least."""
    lengths = [clamp(norm(each, 2, dim, keepdim=True), min=eps) for each in (x1, x2)]
    return total(mul(div(x1, lengths[0]), div(x2, lengths[1])), dim)
