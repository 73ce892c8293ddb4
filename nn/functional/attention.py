"""Attention as a function."""

from __future__ import annotations

import math
from typing import Any

from ...core import dtypes
from ...ops.statistics import SOFTMAX
from ...tensor.arithmetic import add, mul
from ...tensor.contraction import matmul
from ...tensor.creation import ones
from ...tensor.diagonals import tril
from ...tensor.pointwise import eq, logical_and, masked_fill, where
from ...tensor.promotion import to_dtype
from ...tensor.reductions import along
from ...tensor.reductions import sum as total
from ...tensor.shaping import transpose
from ...tensor.surface import surface
from ..errors import LayerArgumentError
from .dropouts import dropout

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


@surface
def scaled_dot_product_attention(
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Value:
    """``softmax(query @ key.T * scale + mask) @ value``.

    attn_mask: bools say what takes part, floats are added.   scale: 1 over the root of the last size by default.
    Errors: LayerArgumentError for grouped queries.
    """
    if enable_gqa:
        raise LayerArgumentError("scaled_dot_product_attention: enable_gqa is not supported; repeat key and value")
    causal = None
    factor = 1.0 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = mul(matmul(query, transpose(key, -2, -1)), factor)
    if is_causal:
        causal = tril(ones(query.shape[-2], key.shape[-2], dtype=dtypes.bool_, device=query.device))
        if attn_mask is None:
            attn_mask = causal
        elif attn_mask.dtype.is_bool:
            attn_mask = logical_and(attn_mask, causal)
        else:
            attn_mask = where(causal, attn_mask, -math.inf)
    if attn_mask is not None and attn_mask.dtype.is_bool:
        scores = where(attn_mask, scores, -math.inf)
    elif attn_mask is not None:
        scores = add(scores, attn_mask)
    shares = along(SOFTMAX, scores, -1, None)
    if attn_mask is not None and attn_mask.dtype.is_bool and attn_mask is not causal:
        shares = masked_fill(shares, eq(total(to_dtype(attn_mask, dtypes.int64), -1, keepdim=True), 0), 0.0)
    return matmul(dropout(shares, dropout_p) if dropout_p else shares, value)
