"""Functions that are made of others: attention, norms, padding, classes as vectors, losses of distances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core import dtypes
from ..ops.indexing import PAD
from ..ops.piecewise import HUBER
from ..ops.statistics import SOFTMAX
from ..tensor.arithmetic import abs as absolute
from ..tensor.arithmetic import add, div, mul, sub
from ..tensor.contraction import matmul
from ..tensor.creation import arange, ones
from ..tensor.diagonals import tril
from ..tensor.dispatch import apply
from ..tensor.elementary import xlogy
from ..tensor.indexing import _in_range
from ..tensor.joining import narrow
from ..tensor.pointwise import clamp, eq, exp, logical_and, masked_fill, rsqrt, where
from ..tensor.promotion import to_dtype
from ..tensor.reductions import along, mean, norm
from ..tensor.reductions import sum as total
from ..tensor.shaping import transpose, unsqueeze
from ..tensor.surface import surface
from ..tensor.tracing import values_of
from .dropout_functions import dropout
from .errors import LayerArgumentError, LayerShapeError
from .loss_functions import _difference, _reduced, _weighted, reduction_of

Value = Any


@surface
def normalize(input: Value, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Value:
    """`input` divided by its p-norm over `dim`, or by `eps` where that is larger."""
    return div(input, clamp(norm(input, p, dim, keepdim=True), min=eps))


@surface
def cosine_similarity(x1: Value, x2: Value, dim: int = 1, eps: float = 1e-8) -> Value:
    """The cosine of the angle between two tensors along `dim`; norms count as `eps` at least."""
    lengths = [clamp(norm(each, 2, dim, keepdim=True), min=eps) for each in (x1, x2)]
    return total(mul(div(x1, lengths[0]), div(x2, lengths[1])), dim)


@surface
def one_hot(tensor: Value, num_classes: int = -1) -> Value:
    """For each class its vector: 1 at its own place, 0 elsewhere, in int64.

    num_classes: -1 for one more than the largest, which has to be known.
    Errors: RuntimeError for a class out of range, where the classes are known.
    """
    if tensor.dtype is not dtypes.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if num_classes == -1:
        classes = values_of("one_hot", tensor, for_shape=True)
        if not classes.size:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        num_classes = int(classes.max()) + 1
    tensor = _in_range(tensor, num_classes, "a class is at least 0 and below num_classes, {}", RuntimeError)
    return to_dtype(eq(unsqueeze(tensor, -1), arange(num_classes, device=tensor.device)), dtypes.int64)


@surface
def pad(input: Value, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Value:
    """`input` with `value` (or 0) around it: pairs of widths, from the last axis on; negative ones cut.

    Errors: LayerArgumentError for another mode, RuntimeError for an odd number of widths or too many.
    """
    if mode != "constant":
        raise LayerArgumentError(f"pad: mode is 'constant', got {mode!r}; others are not supported")
    if len(pad) % 2 or len(pad) > 2 * input.ndim:
        raise RuntimeError(f"Padding length should be two for each of at most {input.ndim} axes, got {len(pad)}")
    before, after = [0] * input.ndim, [0] * input.ndim
    for k in range(len(pad) // 2):
        axis = input.ndim - 1 - k
        low, high = pad[2 * k], pad[2 * k + 1]
        size = input.shape[axis] + min(low, 0) + min(high, 0)
        if size != input.shape[axis]:
            input = narrow(input, axis, max(-low, 0), size)
        before[axis], after[axis] = max(low, 0), max(high, 0)
    return apply(PAD, input, before=tuple(before), after=tuple(after), value=0 if value is None else value)


@surface
def rms_norm(
    input: Value, normalized_shape: Sequence[int], weight: Value | None = None, eps: float | None = None
) -> Value:
    """`input` over the root of the mean of its squares over the last axes, times weight.   eps: that of the dtype."""
    shape = tuple(normalized_shape)
    if not shape or tuple(input.shape[-len(shape) :]) != shape:
        raise LayerShapeError(f"rms_norm: the last axes of {list(input.shape)} are not {list(shape)}")
    least = _EPSILON[input.dtype] if eps is None else eps
    squares = mean(mul(input, input), tuple(range(-len(shape), 0)), keepdim=True)
    result = mul(input, rsqrt(add(squares, least)))
    return result if weight is None else mul(result, weight)


_EPSILON = {dtypes.float16: 2.0**-10, dtypes.bfloat16: 2.0**-7, dtypes.float32: 2.0**-23, dtypes.float64: 2.0**-52}


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


# Losses.


@surface
def smooth_l1_loss(
    input: Value,
    target: Value,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Value:
    """Half the squared difference over `beta` below `beta`, the absolute one less half of `beta` above."""
    difference = _difference("smooth_l1_loss", input, target)
    size = div(apply(HUBER, difference, delta=float(beta)), beta) if beta else absolute(difference)
    return _reduced("smooth_l1_loss", size, reduction_of(size_average, reduce, reduction))


@surface
def huber_loss(
    input: Value, target: Value, reduction: str = "mean", delta: float = 1.0, weight: Value | None = None
) -> Value:
    """Half the squared difference below `delta`; above, `delta` times the absolute one less half of `delta`."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    difference = _difference("huber_loss", input, target)
    loss = apply(HUBER, difference, delta=float(delta))
    if weight is not None:
        return _weighted("huber_loss", loss, weight, reduction)
    return _reduced("huber_loss", loss, reduction)


@surface
def kl_div(
    input: Value,
    target: Value,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Value:
    """``target * (log(target) - input)``, for log-probabilities `input`; "batchmean" divides by the first size."""
    reduction = reduction_of(size_average, reduce, reduction)
    if log_target:
        loss = mul(exp(target), sub(target, input))
    else:
        loss = sub(xlogy(target, target), mul(target, input))
    if reduction == "batchmean":
        return div(_reduced("kl_div", loss, "sum"), input.shape[0])
    return _reduced("kl_div", loss, reduction)
