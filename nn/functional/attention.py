"""Attention as a function."""

from __future__ import annotations

import math
from typing import Any

from ...core import dtypes
from ...core.devices import HOST
from ...ops.attention import ATTENTION
from ...ops.fused_attention import MOST_FEATURES
from ...ops.statistics import MASKED_SOFTMAX, SOFTMAX
from ...tensor import Tensor
from ...tensor.arithmetic import add, mul
from ...tensor.contraction import matmul
from ...tensor.creation import full, ones
from ...tensor.diagonals import tril
from ...tensor.dispatch import apply
from ...tensor.drawing import BATCHES
from ...tensor.pointwise import logical_and, where
from ...tensor.random import place_of_draws
from ...tensor.reductions import along
from ...tensor.shaping import expand_to, reshape_to, result_in, transpose
from ...tensor.surface import surface
from ..errors import LayerShapeError
from .dropouts import dropout

LONG = 64
"""Keys from which scores may be made block by block."""
BLOCK = 2**17
"""Scores of a block, about."""
MOST_SCORES = 2**15
"""Scores from which attention is one operation in eager mode: its kernels make them at once, or block by block."""
MOST_TRACED_SCORES = 2**24
"""Scores from which a graph makes them in blocks: making them again costs more than it brings till memory is scarce."""

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
    enable_gqa: key and value may have fewer heads, the axis before the last two, of which each serves as many of query.
    Errors: RuntimeError where the heads of query are no multiple of those of key and value.
    """
    if enable_gqa:
        key, value = (_repeated(name, query, each) for name, each in (("key", key), ("value", value)))
    factor = 1.0 / math.sqrt(query.shape[-1] or 1) if scale is None else scale  # of no features, scores are 0
    if _is_fused(query, key, value, factor) and _goes_by_blocks(query, key, attn_mask, dropout_p):
        return _by_blocks(query, key, value, attn_mask, dropout_p, factor, is_causal)
    scores = mul(matmul(query, transpose(key, -2, -1)), factor)
    masked = attn_mask is not None
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
    shares = along(MASKED_SOFTMAX if masked else SOFTMAX, scores, -1, None)
    return matmul(dropout(shares, dropout_p) if dropout_p else shares, value)


def _is_fused(query: Value, key: Value, value: Value, factor: Any) -> bool:
    """Whether scores are not to be stored: where they are many, and where a kernel makes all of it on a device. See
    Note [Blocks of attention] and Note [Attention on devices]."""
    lead = query.shape[:-2]
    sizes = (*query.shape, *key.shape[-2:], *value.shape[-2:])
    if query.ndim < 2 or not all(type(each) is int for each in sizes) or type(factor) is not float:
        return False
    if tuple(key.shape[:-2]) != tuple(lead) or tuple(value.shape[:-2]) != tuple(lead) or 0 in sizes:
        return False
    if query.shape[-1] != key.shape[-1] or key.shape[-2] != value.shape[-2]:
        return False
    if {key.dtype, value.dtype} != {query.dtype}:
        return False
    if query.device != HOST:
        fits = max(query.shape[-1], value.shape[-1]) <= MOST_FEATURES and {key.device, value.device} == {query.device}
        return fits and query.dtype in (dtypes.float32, dtypes.float16, dtypes.bfloat16) and BATCHES.draw is None
    if query.dtype not in (dtypes.float32, dtypes.float64):
        return False
    most = MOST_SCORES if isinstance(query, Tensor) else MOST_TRACED_SCORES
    return key.shape[-2] >= LONG and math.prod(query.shape[:-1]) * key.shape[-2] >= most


def _goes_by_blocks(query: Value, key: Value, mask: Value | None, dropout_p: float) -> bool:
    """Whether a mask and a dropout can be had block by block: not where the mask wants a gradient, as large as it."""
    if dropout_p and (not 0 < dropout_p < 1 or BATCHES.draw is not None):
        return False
    if mask is None:
        return True
    scores = (*query.shape[:-1], key.shape[-2])
    fits = 2 <= mask.ndim <= len(scores) and mask.shape[-1] == scores[-1] and mask.device == query.device
    fits = fits and all(type(a) is int and a in (1, b) for a, b in zip(reversed(mask.shape), reversed(scores)))
    return fits and not mask.requires_grad and (mask.dtype.is_bool or mask.dtype == query.dtype)


def _by_blocks(
    query: Value, key: Value, value: Value, mask: Value | None, dropout_p: float, factor: float, is_causal: bool
) -> Value:
    outer = query.shape[:-2]
    lead = math.prod(outer)
    given = [reshape_to(each, (lead, *each.shape[-2:])) for each in (query, key, value)]
    attrs = {"scale": factor, "causal": is_causal, "rows": max(1, BLOCK // key.shape[-2])}
    if mask is not None:
        form = tuple(mask.shape[-2:])
        if math.prod(mask.shape[:-2]) != 1:
            mask = expand_to(mask, (*outer, *form))
        given.append(reshape_to(mask, (math.prod(mask.shape[:-2]), *form)))
    if dropout_p:
        given.append(place_of_draws((*query.shape[:-1], key.shape[-2]), query.dtype, query.device))
        kind = dtypes.float32 if query.dtype.is_narrow else query.dtype
        given.append(full((1,), 1 - dropout_p, dtype=kind, device=query.device))
    result = apply(ATTENTION[mask is not None, bool(dropout_p)], *given, **attrs)
    return result_in(result, (*query.shape[:-1], value.shape[-1]))


def _repeated(name: str, query: Value, x: Value) -> Value:
    """`x` with as many heads as `query` has."""
    if x.ndim < 3 or query.ndim < 3 or not x.shape[-3] or query.shape[-3] % x.shape[-3]:
        raise LayerShapeError(
            f"scaled_dot_product_attention: with enable_gqa, the heads of {name} (its axis before the last two) must "
            f"divide those of query; got {list(x.shape)} and {list(query.shape)}"
        )
    heads, times = x.shape[-3], query.shape[-3] // x.shape[-3]
    if times == 1:
        return x
    lead, form = x.shape[:-3], x.shape[-2:]
    groups = expand_to(reshape_to(x, (*lead, heads, 1, *form)), (*lead, heads, times, *form))
    return reshape_to(groups, (*lead, heads * times, *form))
