"""Distances and angles between vectors, and products of two of them."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...tensor.arithmetic import add, div, mul, sub
from ...tensor.contraction import matmul
from ...tensor.creation import tensor
from ...tensor.dispatch import check_tensors
from ...tensor.indexing import index_select
from ...tensor.pointwise import clamp
from ...tensor.promotion import refuse
from ...tensor.reductions import norm
from ...tensor.reductions import sum as total
from ...tensor.shaping import permute, reshape_to, unsqueeze
from ...tensor.surface import surface
from ..checks import shape_text
from ..errors import LayerDtypeError, LayerShapeError

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


@surface
def cosine_similarity(x1: Value, x2: Value, dim: int = 1, eps: float = 1e-8) -> Value:
    """The cosine of the angle between two tensors along `dim`; norms count as `eps` at least.

    Errors: NotImplementedError for complex numbers.
    """
    refuse("cosine_similarity", "c", x1, x2)
    lengths = [clamp(norm(each, 2, dim, keepdim=True), min=eps) for each in (x1, x2)]
    return total(mul(div(x1, lengths[0]), div(x2, lengths[1])), dim)


@surface
def pairwise_distance(x1: Value, x2: Value, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Value:
    """The p-norm of ``x1 - x2 + eps`` along the last axis.

    Shapes: [N, D] or [D] each, which broadcast; the result is without the last axis, or with 1 in its place.
    """
    check_tensors("pairwise_distance", x1=x1, x2=x2)
    return norm(add(sub(x1, x2), eps), p, -1, keepdim)


@surface
def pdist(input: Value, p: float = 2) -> Value:
    """The p-norms of the differences of all pairs of rows: those of row 0 with later rows, then those of row 1, …

    Shapes: floats [N, D] -> [N * (N - 1) / 2].   Errors: RuntimeError for other axes, or a negative `p`.
    """
    check_tensors("pdist", input=input)
    if input.ndim != 2:
        raise LayerShapeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if p < 0:
        raise LayerShapeError(f"pdist only supports non-negative p values, got {p}")
    count = int(input.shape[0])
    pairs = [(first, second) for first in range(count) for second in range(first + 1, count)]
    first, second = (tensor([pair[k] for pair in pairs], dtype=dtypes.int64, device=input.device) for k in (0, 1))
    return norm(sub(index_select(input, 0, first), index_select(input, 0, second)), p, 1)


@surface
def bilinear(input1: Value, input2: Value, weight: Value, bias: Value | None = None) -> Value:
    """``sum_ij input1[i] * weight[k, i, j] * input2[j] + bias[k]``.

    Shapes: input1 [*, I], input2 [*, J], weight [K, I, J], bias [K] -> [*, K].
    Errors: RuntimeError for sizes that do not fit, or several dtypes.
    """
    check_tensors("bilinear", input1=input1, input2=input2, weight=weight)
    _check_bilinear(input1, input2, weight, bias)
    lead = tuple(input1.shape[:-1])
    k, i, j = weight.shape
    halves = matmul(input1, reshape_to(permute(weight, 1, 0, 2), (i, k * j)))
    result = total(mul(reshape_to(halves, (*lead, k, j)), unsqueeze(input2, -2)), -1)
    return result if bias is None else add(result, bias)


def _check_bilinear(input1: Value, input2: Value, weight: Value, bias: Value | None) -> None:
    if input1.ndim != input2.ndim:
        raise LayerShapeError(f"bilinear(): input dimensions do not match: got {input1.ndim} and {input2.ndim}")
    for place, (one, other) in enumerate(zip(input1.shape[:-1], input2.shape[:-1])):
        if one != other:
            raise LayerShapeError(
                f"bilinear(): input batch dimensions do not match at dim {place}: got {one} and {other}"
            )
    if weight.ndim != 3:
        raise LayerShapeError(f"bilinear(): weight is [K, I, J], got {shape_text(weight)}")
    for place, each in ((1, input1), (2, input2)):
        if each.shape[-1] != weight.shape[place]:
            raise LayerShapeError(
                f"bilinear(): input{place} size does not match weight size: got {each.shape[-1]} but expected "
                f"{weight.shape[place]}"
            )
    if bias is not None and tuple(bias.shape) != (weight.shape[0],):
        raise LayerShapeError(
            f"bilinear(): bias size does not match weight size: got {shape_text(bias)} but expected [{weight.shape[0]}]"
        )
    found = {each.dtype for each in (input1, input2, weight, bias) if each is not None}
    if len(found) > 1:
        names = ", ".join(sorted(map(str, found)))
        raise LayerDtypeError(f"bilinear(): All tensors must have the same dtype, got {names}; use .to()")
