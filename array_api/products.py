"""Products of matrices and vectors that stand in the main namespace of the standard."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..tensor import contraction, products
from ..tensor.arithmetic import mul
from ..tensor.promotion import to_dtype
from ..tensor.reductions import sum as _sum
from ..tensor.shapes import broadcast_shapes
from ..tensor.shaping import expand_to, movedim, transpose
from .declare import array, operands, standard

Value = Any


def _two(name: str, x1: Value, x2: Value) -> tuple[Value, Value]:
    return operands(name, "numeric", array(name, x1, "numeric", "x1"), array(name, x2, "numeric", "x2"))


@standard
def matmul(x1: Value, x2: Value, /) -> Value:
    """The product of matrices; a vector stands for a row on the left, for a column on the right.

    Shapes: x1 numeric [*, n, k], x2 [*, k, m] -> [*, n, m]; the leading axes broadcast.
    Errors: ValueError for an array without axes, RuntimeError where sizes do not fit, TypeError for unlike kinds.
    """
    left, right = _two("matmul", x1, x2)
    if not left.ndim or not right.ndim:
        raise ValueError("matmul(): takes vectors and matrices, got an array without axes; use xp.multiply")
    return contraction.matmul(left, right)


@standard
def matrix_transpose(x: Value, /) -> Value:
    """A view whose last two axes are swapped. Shapes: x [*, n, m] -> [*, m, n]. Errors: ValueError for fewer axes."""
    if array("matrix_transpose", x).ndim < 2:
        raise ValueError(f"matrix_transpose(): takes matrices, got an array of shape {tuple(x.shape)}")
    return transpose(x, -1, -2)


@standard
def tensordot(x1: Value, x2: Value, /, *, axes: Any = 2) -> Value:
    """The products summed over axes: the last `axes` of `x1` with the first of `x2`, or those two lists of axes."""
    return products.tensordot(*_two("tensordot", x1, x2), axes)


@standard
def vecdot(x1: Value, x2: Value, /, *, axis: int = -1) -> Value:
    """The products summed over one axis, the first conjugated; the axis is the same from the back, others broadcast.

    Shapes: x1 numeric [*, n], x2 [*, n] -> [*].
    Errors: ValueError where the axis is not counted from the back or the sizes differ along it.
    """
    left, right = _two("vecdot", x1, x2)
    if not -min(left.ndim, right.ndim) <= axis < 0:
        raise ValueError(f"vecdot(): the axis is counted from the back, -1 to -n for n axes, got {axis}")
    left, right = movedim(left, axis, -1), movedim(right, axis, -1)
    if left.shape[-1] != right.shape[-1]:
        raise ValueError(f"vecdot(): the axes have the sizes {left.shape[-1]} and {right.shape[-1]}")
    shape = broadcast_shapes(left.shape, right.shape)
    return total(mul(expand_to(left.conj(), shape), expand_to(right, shape)))


def total(x: Value) -> Value:
    """The sum along the last axis, in the dtype of `x`."""
    return to_dtype(_sum(x, -1, dtype=x.dtype if x.dtype.is_differentiable else dtypes.int64), x.dtype)
