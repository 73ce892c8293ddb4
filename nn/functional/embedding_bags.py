"""Bags of rows that are looked up in a table: their sums, means or maxima."""

from __future__ import annotations

import math
from typing import Any

from ...core import dtypes
from ...tensor.arithmetic import div, mul, sub
from ...tensor.creation import arange, full, ones, tensor, zeros
from ...tensor.dispatch import is_tensor_like
from ...tensor.indexing import index_add, index_select
from ...tensor.joining import cat
from ...tensor.ordering import cumsum
from ...tensor.pointwise import clamp, eq, ge, le, logical_and, ne, where
from ...tensor.promotion import to_dtype
from ...tensor.reductions import max as largest
from ...tensor.reductions import sum as total
from ...tensor.shaping import reshape_to, unsqueeze
from ...tensor.surface import surface
from ...tensor.tracing import all_hold, values_of
from ..errors import LayerArgumentError, LayerDtypeError, LayerShapeError
from .embeddings import checked_padding, embedding

Value = Any


@surface
def embedding_bag(
    input: Value,
    weight: Value,
    offsets: Value | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Value | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Value:
    """For each bag of numbers the sum, the mean or the maximum of the rows of `weight` that it names; else zeros.

    Shapes: input integers [bags, n], or [n] with offsets [bags], weight [rows, k] -> [bags, k].
    offsets: where each bag begins; with `include_last_offset` the last one says where the last bag ends.
    per_sample_weights: like the input; of mode "sum", each row is multiplied by its entry.
    padding_idx: a row that counts in no bag.   max_norm, norm_type, scale_grad_by_freq, sparse: see `embedding`.
    Errors: ValueError for arguments that do not go together, RuntimeError for offsets out of order.
    """
    _check_bags(input, weight, offsets, mode, sparse, scale_grad_by_freq, per_sample_weights)
    padding = None if padding_idx is None else checked_padding(padding_idx, weight.shape[0])
    rows = embedding(input, weight, padding, max_norm, norm_type, scale_grad_by_freq, sparse)
    counts = None if padding is None else ne(input, padding)
    if mode == "max":
        if offsets is not None:
            rows, counts = _in_rows(rows, counts, offsets, include_last_offset)
        return _maxima(rows, counts)
    if counts is not None:
        rows = where(unsqueeze(counts, -1), rows, 0.0)
    if per_sample_weights is not None:
        rows = mul(rows, unsqueeze(per_sample_weights, -1))
    if offsets is None:
        sums = total(rows, 1)
        number: Value = input.shape[1] if counts is None else total(to_dtype(counts, rows.dtype), 1)
    else:
        bags, number = _bags(input, offsets, include_last_offset)
        sums = _added(rows, bags, number)
        number = _added(ones(input.shape[0], dtype=rows.dtype) if counts is None else counts, bags, number)
    if mode == "sum":
        return sums
    return div(sums, unsqueeze(clamp(number, min=1), -1) if is_tensor_like(number) else max(number, 1))


def _bags(input: Value, offsets: Value, include_last: bool) -> tuple[Value, int]:
    """The bag of each place, and how many there are; places behind the last one get their number.

    Errors: RuntimeError for offsets that do not begin with 0, descend, or go beyond the input.
    """
    count, places = offsets.shape[0], input.shape[0]
    offsets = to_dtype(offsets, dtypes.int64)
    if include_last and not count:
        raise RuntimeError("include_last_offset: number of offset should be at least 1")
    if count:
        if not all_hold(eq(offsets[:1], 0)):
            raise RuntimeError(
                "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. "
                f"However, got {values_of('embedding_bag', offsets)[0]}"
            )
        if not all_hold(logical_and(le(offsets, places), ge(offsets, 0))):
            raise RuntimeError(
                f"offsets[-1] can not be greater than input's length {places} but got offsets[-1] of "
                f"{values_of('embedding_bag', offsets).max()}"
            )
        if not all_hold(ge(offsets[1:], offsets[:-1])):
            raise RuntimeError(
                f"offsets have to ascend, got {values_of('embedding_bag', offsets).tolist()}; sort the bags"
            )
    marks = zeros(places + 1, dtype=dtypes.int64, device=offsets.device)
    marks = index_add(marks, 0, offsets, ones(count, dtype=dtypes.int64, device=offsets.device))
    return sub(cumsum(marks, 0)[:places], 1), count - 1 if include_last else count


def _added(rows: Value, bags: Value, count: int) -> Value:
    """The sums of the rows of each bag; those behind the last one go nowhere."""
    dtype = rows.dtype if rows.dtype.is_float else dtypes.float32
    blank = zeros(count + 1, *rows.shape[1:], dtype=dtype, device=rows.device)
    return index_add(blank, 0, bags, to_dtype(rows, dtype))[:count] if rows.shape[0] else blank[:count]


def _in_rows(rows: Value, counts: Value | None, offsets: Value, include_last: bool) -> tuple[Value, Value]:
    """The rows of each bag, [bags, longest, k], and which of them count."""
    begins = [int(each) for each in values_of("embedding_bag", offsets)]
    _bags(rows, offsets, include_last)
    ends = begins[1:] if include_last else [*begins[1:], rows.shape[0]]
    lengths = [end - begin for begin, end in zip(begins, ends)]
    longest = max(lengths, default=0)
    steps = arange(longest, device=rows.device)
    starts = offsets[: len(lengths)].long()
    valid = unsqueeze(steps, 0) < unsqueeze(_vector(lengths, rows), 1)
    places = where(valid, unsqueeze(starts, 1) + unsqueeze(steps, 0), rows.shape[0])
    flat = reshape_to(places, (len(lengths) * longest,))
    blank = full((1, rows.shape[1]), 0.0, dtype=rows.dtype, device=rows.device)
    found = reshape_to(index_select(cat([rows, blank], 0), 0, flat), (len(lengths), longest, rows.shape[1]))
    if counts is not None:
        nothing = zeros(1, dtype=dtypes.bool_, device=rows.device)
        valid = reshape_to(index_select(cat([counts, nothing], 0), 0, flat), (len(lengths), longest))
    return found, valid


def _vector(numbers: list[int], like: Value) -> Value:
    return tensor(numbers, dtype=dtypes.int64, device=like.device)


def _maxima(rows: Value, counts: Value | None) -> Value:
    """The maxima of rows [bags, n, k] over those that count; zeros where none does."""
    bags, number, width = rows.shape
    if not bags or not number:
        return zeros(bags, width, dtype=rows.dtype, device=rows.device)
    if counts is None:
        return largest(rows, 1)[0]
    kept = unsqueeze(counts, -1)
    found = largest(where(kept, rows, -math.inf), 1)[0]
    some = total(to_dtype(counts, dtypes.int64), 1, keepdim=True)
    return where(ne(some, 0), found, 0.0)


def _check_bags(
    input: Value,
    weight: Value,
    offsets: Value | None,
    mode: str,
    sparse: bool,
    by_frequency: bool,
    factors: Value | None,
) -> None:
    if input.ndim not in (1, 2):
        raise LayerArgumentError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}")
    if input.ndim == 2 and offsets is not None:
        raise LayerArgumentError(
            "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
            f"sequences. However, found offsets of type {type(offsets).__name__}"
        )
    if input.ndim == 1:
        if offsets is None:
            raise LayerArgumentError("offsets has to be a 1D Tensor but got None")
        if offsets.ndim != 1:
            raise LayerArgumentError("offsets has to be a 1D Tensor")
        if offsets.dtype not in (dtypes.int32, dtypes.int64):
            raise LayerDtypeError(f"embedding_bag: offsets have dtype {offsets.dtype}, expected int32 or int64")
    if mode not in ("sum", "mean", "max"):
        raise LayerArgumentError(f"mode has to be one of sum, mean or max, got {mode!r}")
    if mode == "max" and by_frequency:
        raise LayerArgumentError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise LayerArgumentError("max mode does not support sparse weights")
    if factors is None:
        return
    if mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
            f"(got mode={mode!r})"
        )
    if tuple(factors.shape) != tuple(input.shape):
        raise LayerArgumentError(
            f"embedding_bag: If per_sample_weights ({list(factors.shape)}) is not None, then it must have the same "
            f"shape as the input ({list(input.shape)})"
        )
    if factors.dtype is not weight.dtype:
        raise LayerShapeError(
            f"embedding_bag: per_sample_weights have dtype {factors.dtype}, expected {weight.dtype} like the weight"
        )
