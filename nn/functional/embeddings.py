"""Looking rows up in a table, with a dense gradient for the table or a sparse one."""

from __future__ import annotations

import math
from typing import Any

from ...autograd.sparse_lookup import sparse_lookup
from ...core import dtypes
from ...tensor.creation import arange
from ...tensor.dispatch import is_tensor_like, not_a_tensor
from ...tensor.indexing import _in_range, index_select
from ...tensor.pointwise import eq, ne, where
from ...tensor.promotion import to_dtype
from ...tensor.shaping import reshape_to, unsqueeze
from ...tensor.surface import surface
from ...tensor.tracing import values_of
from ..checks import shape_text
from ..errors import EmbeddingTypeError, LayerArgumentError, LayerDtypeError, LayerShapeError, PaddingIndexError

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
    sparse: the gradient of `weight` is sparse, with an entry for each lookup.
    Errors: IndexError for a row that is not there, RuntimeError for a wrong dtype or shape.
    """
    _check(input, weight, max_norm, scale_grad_by_freq)
    padding = checked_padding(padding_idx, weight.shape[0])
    if sparse:
        return sparse_lookup(input, weight, padding)
    flat = reshape_to(input, (math.prod(input.shape),))
    rows = reshape_to(index_select(weight, 0, flat), (*input.shape, weight.shape[1]))
    if padding is None:
        return rows
    counts = reshape_to(ne(input, padding), (*input.shape, 1))
    return where(counts, rows, rows.detach())


def _check(input: Value, weight: Value, max_norm: float | None, scale_grad_by_freq: bool) -> None:
    if max_norm is not None:
        raise LayerArgumentError("embedding: max_norm is not supported; renormalise the weight before the lookup")
    if scale_grad_by_freq:
        raise LayerArgumentError("embedding: scale_grad_by_freq is not supported; leave it False")
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
