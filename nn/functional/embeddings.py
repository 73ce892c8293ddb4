"""Looking rows up in a table, with a dense gradient for the table or a sparse one."""

from __future__ import annotations

import math
from typing import Any

from ...autograd.sparse_lookup import sparse_lookup
from ...core import dtypes
from ...tensor import Tensor
from ...tensor.arithmetic import add, div, mul, sub
from ...tensor.creation import arange, ones, zeros
from ...tensor.dispatch import is_tensor_like, not_a_tensor
from ...tensor.indexing import _in_range, index_add, index_select
from ...tensor.pointwise import eq, gt, isfinite, ne, where
from ...tensor.promotion import to_dtype
from ...tensor.reductions import norm
from ...tensor.shaping import reshape_to, result_in, unsqueeze
from ...tensor.surface import surface
from ...tensor.tracing import values_of
from ..checks import shape_text
from ..errors import EmbeddingTypeError, LayerDtypeError, LayerShapeError, PaddingIndexError

Value = Any


@surface
def embedding(
    input: Value,
    weight: Value,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Value:
    """The row of `weight` that each element of `input` names.

    Shapes: input integers [*], weight [n, k] -> [*, k].
    padding_idx: looking up this row gives it no gradient.
    max_norm: rows that are looked up and have a larger norm, of the order `norm_type`, are scaled to it in `weight`
        first, in place.
    scale_grad_by_freq: the gradient of a row is divided by how often it is looked up.
    sparse: the gradient of `weight` is sparse, with an entry for each lookup.
    Errors: IndexError for a row that is not there, RuntimeError for a wrong dtype or shape.
    """
    _check(input, weight)
    padding = checked_padding(padding_idx, weight.shape[0])
    flat = reshape_to(input, (math.prod(input.shape),))
    if max_norm is not None:
        _renormalise(weight, flat, max_norm, norm_type)
    if sparse:
        if scale_grad_by_freq:
            raise RuntimeError("embedding_backward: scale_grad_by_freq not supported with sparse gradients")
        return sparse_lookup(input, weight, padding)
    rows = index_select(weight, 0, flat)
    if scale_grad_by_freq:
        rows = _by_frequency(rows, flat, weight.shape[0])
    rows = result_in(rows, (*input.shape, weight.shape[1]))
    if padding is None:
        return rows
    counts = reshape_to(ne(input, padding), (*input.shape, 1))
    return where(counts, rows, rows.detach())


def _renormalise(weight: Value, flat: Value, max_norm: float, order: float) -> None:
    """Scales the rows of `weight` that are looked up, in place, to a norm of at most `max_norm`; no history is kept."""
    held = weight.detach()
    if isinstance(held, Tensor):
        held.index_copy_(0, flat, _shortened(index_select(held, 0, flat), max_norm, order))
        return
    # In a trace no kernel writes rows by number, but one goes over all of them.
    asked = index_add(zeros(held.shape[0], device=held.device), 0, flat, ones(flat.shape[0], device=held.device))
    held.copy_(where(unsqueeze(gt(asked, 0), 1), _shortened(held, max_norm, order), held))


def _shortened(rows: Value, max_norm: float, order: float) -> Value:
    norms = norm(rows, order, 1, True)
    return where(gt(norms, max_norm), mul(rows, div(max_norm, add(norms, 1e-7))), rows)


def _by_frequency(rows: Value, flat: Value, count: int) -> Value:
    """`rows`, whose gradients are divided by how often each of them is there."""
    ones_ = ones(flat.shape[0], dtype=rows.dtype, device=rows.device)
    counts = index_add(zeros(count, dtype=rows.dtype, device=rows.device), 0, flat, ones_)
    scaled = div(rows, unsqueeze(index_select(counts, 0, flat), 1))
    # The difference is 0, but for its history; where it is not, the row is infinite or no number at all.
    return where(isfinite(rows), add(rows.detach(), sub(scaled, scaled.detach())), rows)


def _check(input: Value, weight: Value) -> None:
    for place, (name, each) in enumerate((("input", input), ("weight", weight))):
        if not is_tensor_like(each):
            raise EmbeddingTypeError(str(not_a_tensor("embedding", name, place + 1, each)))
    if input.dtype not in (dtypes.int32, dtypes.int64):
        raise LayerDtypeError(f"embedding: input has dtype {input.dtype}, expected int32 or int64; use .long()")
    if weight.ndim != 2:
        raise LayerShapeError(f"embedding: weight must be 2-D, got {shape_text(weight)}")


def checked_padding(padding_idx: int | None, rows: int) -> int | None:
    """`padding_idx` counted from the front. Errors: PaddingIndexError where there is no such row."""
    if padding_idx is None:
        return None
    if not -rows <= padding_idx < rows:
        raise PaddingIndexError(f"padding_idx must be within num_embeddings: got {padding_idx}, there are {rows} rows")
    return padding_idx % rows if padding_idx < 0 else padding_idx


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
