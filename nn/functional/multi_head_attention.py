"""Attention of several heads, with its projections, as a function."""

# Note [Masks of attention]
# Bools in the masks of multi-head attention say what is left out; those of `scaled_dot_product_attention` say what
# takes part. Here they become floats, minus infinity where something is left out, and are added up.

from __future__ import annotations

import math
from typing import Any

from ...tensor.arithmetic import add, mul
from ...tensor.contraction import linear, matmul
from ...tensor.creation import zeros
from ...tensor.joining import cat, chunk, split
from ...tensor.pointwise import masked_fill
from ...tensor.reductions import mean
from ...tensor.shaping import expand_to, permute, reshape_to, transpose, unsqueeze
from ...tensor.surface import surface
from ..errors import AttentionShapeError, LayerDtypeError, LayerShapeError
from .activations import softmax
from .attention import scaled_dot_product_attention
from .dropouts import dropout
from .padding import pad

Value = Any
_Three = tuple[Value, Value, Value]


def _check_axes(query: Value, key: Value, value: Value, padding: Value | None, mask: Value | None, heads: int) -> bool:
    """Whether there is a batch. Errors: AssertionError for numbers of axes that do not fit, as PyTorch has it."""
    rank = query.ndim
    if rank not in (2, 3):
        raise AttentionShapeError(
            f"query should be unbatched 2D or batched 3D tensor but received {rank}-D query tensor"
        )
    if key.ndim != rank or value.ndim != rank:
        raise AttentionShapeError(
            f"For a {rank}-D query, expected key and value to be {rank}-D but found {key.ndim}-D and {value.ndim}-D"
        )
    if padding is not None and padding.ndim != rank - 1:
        raise AttentionShapeError(
            f"For a {rank}-D query, expected key_padding_mask to be None or {rank - 1}-D but found {padding.ndim}-D"
        )
    if mask is not None and mask.ndim not in (2, 3):
        raise AttentionShapeError(
            f"For a {rank}-D query, expected attn_mask to be None, 2-D or 3-D but found {mask.ndim}-D"
        )
    if mask is not None and rank == 2 and mask.ndim == 3:
        expected = (heads, query.shape[0], key.shape[0])
        if tuple(mask.shape) != expected:
            raise AttentionShapeError(f"Expected attn_mask shape to be {expected} but got {list(mask.shape)}")
    return rank == 3


def _additive(name: str, mask: Value | None, like: Value) -> Value | None:
    """A mask as floats to add, in the dtype of `like`. See Note [Masks of attention].

    Errors: RuntimeError for a mask of integers.
    """
    if mask is None or mask.dtype.is_float:
        return mask
    if not mask.dtype.is_bool:
        raise LayerDtypeError(f"only bool and floating types of {name} are supported, got {mask.dtype}")
    return masked_fill(zeros(tuple(mask.shape), dtype=like.dtype, device=like.device), mask, -math.inf)


def _projected(query: Value, key: Value, value: Value, weight: Value, bias: Value | None) -> _Three:
    """Query, key and value, each times its third of the weight; the same tensors are multiplied at once."""
    size = query.shape[-1]
    if key is value:
        if query is key:
            return tuple(chunk(linear(query, weight, bias), 3, -1))  # type: ignore[return-value]
        first, rest = split(weight, [size, 2 * size], 0)
        parts = (None, None) if bias is None else split(bias, [size, 2 * size], 0)
        return (linear(query, first, parts[0]), *chunk(linear(key, rest, parts[1]), 2, -1))
    weights = chunk(weight, 3, 0)
    biases = (None,) * 3 if bias is None else chunk(bias, 3, 0)
    return tuple(map(linear, (query, key, value), weights, biases))  # type: ignore[return-value]


def _with_row(values: Value, row: Value) -> Value:
    """`values` [n, batch, k], and one more row, the same for all of the batch."""
    return cat([values, expand_to(row, (1, *values.shape[1:]))], 0)


def _wider(*masks: Value | None) -> tuple[Value | None, ...]:
    """The masks with one more column, which takes part."""
    return tuple(None if each is None else pad(each, (0, 1)) for each in masks)


@surface
def multi_head_attention_forward(
    query: Value,
    key: Value,
    value: Value,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Value | None,
    in_proj_bias: Value | None,
    bias_k: Value | None,
    bias_v: Value | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Value,
    out_proj_bias: Value | None,
    training: bool = True,
    key_padding_mask: Value | None = None,
    need_weights: bool = True,
    attn_mask: Value | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Value | None = None,
    k_proj_weight: Value | None = None,
    v_proj_weight: Value | None = None,
    static_k: Value | None = None,
    static_v: Value | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Value, Value | None]:
    """Projections of query, key and value, attention of each head, and a projection of what all heads give together.

    Shapes: query [n, batch, k], key and value [m, batch, *], or all without the batch; key_padding_mask [batch, m];
        attn_mask [n, m] or [batch * num_heads, n, m] -> [n, batch, k], and the shares of attention [batch, n, m], with
        an axis of heads behind the batch unless they are averaged, None unless `need_weights`.
    key_padding_mask, attn_mask: bools say what is left out; floats are added to the scores.
    bias_k, bias_v: one more row of keys and values, [1, 1, k].   add_zero_attn: one more, of zeros.
    is_causal: a hint that `attn_mask` leaves out what lies behind; where it suffices, the mask itself is not read.
    Errors: AssertionError for sizes that do not fit, as PyTorch has it; RuntimeError for masks that do not.
    Source: Vaswani et al. 2017.
    """
    batched = _check_axes(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        same, keys = query is key, key is value
        query = unsqueeze(query, 1)
        key = query if same else unsqueeze(key, 1)
        value = key if keys else unsqueeze(value, 1)
        key_padding_mask = None if key_padding_mask is None else unsqueeze(key_padding_mask, 0)
    padding = _additive("key_padding_mask", key_padding_mask, query)
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    if is_causal and padding is None and not need_weights:
        mask = None
    else:
        mask, is_causal = _additive("attn_mask", attn_mask, query), is_causal and padding is None
    _check_sizes(query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight)
    if use_separate_proj_weight:
        biases = (None,) * 3 if in_proj_bias is None else chunk(in_proj_bias, 3, 0)
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        q, k, v = map(linear, (query, key, value), weights, biases)
    else:
        q, k, v = _projected(query, key, value, in_proj_weight, in_proj_bias)
    mask = _checked_mask(mask, query, key, num_heads)
    if bias_k is not None and bias_v is not None:
        k, v = _with_row(k, bias_k), _with_row(v, bias_v)
        mask, padding = _wider(mask, padding)
    length, batch, size = query.shape
    width = size // num_heads
    q = _heads(q, num_heads, width)
    k = _heads(k, num_heads, width) if static_k is None else _given("static_k", static_k, batch, num_heads, width)
    v = _heads(v, num_heads, width) if static_v is None else _given("static_v", static_v, batch, num_heads, width)
    if add_zero_attn:
        more = zeros(batch, num_heads, 1, width, dtype=k.dtype, device=k.device)
        k, v = cat([k, more], 2), cat([v, more], 2)
        mask, padding = _wider(mask, padding)
    mask = _with_padding(mask, padding, k, num_heads)
    rate = dropout_p if training else 0.0
    shares = None
    if need_weights:
        scores = matmul(mul(q, math.sqrt(1.0 / width)), transpose(k, -2, -1))
        shares = softmax(scores if mask is None else add(scores, mask), -1)
        shares = dropout(shares, rate) if rate > 0 else shares
        mixed = matmul(shares, v)
    else:
        mixed = scaled_dot_product_attention(q, k, v, mask, rate, is_causal)
    output = linear(reshape_to(permute(mixed, (2, 0, 1, 3)), (length, batch, size)), out_proj_weight, out_proj_bias)
    if shares is not None and average_attn_weights:
        shares = mean(shares, 1)
    if batched:
        return output, shares
    return output[:, 0], None if shares is None else shares[0]


def _heads(x: Value, heads: int, width: int) -> Value:
    """[n, batch, heads * width] -> [batch, heads, n, width]."""
    return permute(reshape_to(x, (*x.shape[:2], heads, width)), (1, 2, 0, 3))


def _given(name: str, x: Value, batch: int, heads: int, width: int) -> Value:
    if x.shape[0] != batch * heads or x.shape[2] != width:
        raise AttentionShapeError(
            f"expecting {name} of [{batch * heads}, *, {width}], a row of heads for each of the batch, got "
            f"{list(x.shape)}"
        )
    return reshape_to(x, (batch, heads, *x.shape[1:]))


def _with_padding(mask: Value | None, padding: Value | None, keys: Value, heads: int) -> Value | None:
    """One mask for all, whose shape broadcasts to [batch, heads, n, m]."""
    if mask is not None and mask.ndim == 3:
        mask = reshape_to(mask, (mask.shape[0] // heads, heads, *mask.shape[1:]))
    if padding is None:
        return mask
    batch, length = keys.shape[0], keys.shape[2]
    if tuple(padding.shape) != (batch, length):
        raise AttentionShapeError(
            f"expecting key_padding_mask shape of {(batch, length)}, but got {tuple(padding.shape)}"
        )
    padding = reshape_to(padding, (batch, 1, 1, length))
    return padding if mask is None else add(mask, padding)


def _checked_mask(mask: Value | None, query: Value, key: Value, heads: int) -> Value | None:
    if mask is None:
        return None
    expected: tuple[int, ...] = (query.shape[0], key.shape[0])
    if mask.ndim == 3:
        expected = (query.shape[1] * heads, *expected)
    if tuple(mask.shape) != expected:
        raise LayerShapeError(
            f"The shape of the {mask.ndim}D attn_mask is {tuple(mask.shape)}, but should be {expected}."
        )
    return mask


def _check_sizes(query: Value, key: Value, value: Value, size: int, heads: int, separate: bool) -> None:
    if query.shape[-1] != size:
        raise AttentionShapeError(f"was expecting embedding dimension of {size}, but got {query.shape[-1]}")
    if size % heads:
        raise AttentionShapeError(f"embed_dim {size} not divisible by num_heads {heads}")
    if separate:
        if tuple(key.shape[:2]) != tuple(value.shape[:2]):
            raise AttentionShapeError(
                f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
            )
    elif tuple(key.shape) != tuple(value.shape):
        raise AttentionShapeError(f"key shape {tuple(key.shape)} does not match value shape {tuple(value.shape)}")
    if key.shape[1] != query.shape[1]:
        raise LayerShapeError(f"key has a batch of {key.shape[1]}, and query one of {query.shape[1]}")
