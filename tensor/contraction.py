"""Matrix products."""

from __future__ import annotations

import math
from typing import Any

from ..core.errors import NoArrayError
from ..ops.activations import WITH_HISTORY
from ..ops.contraction import MATMUL
from ..ops.layers import LINEAR
from .arithmetic import add, mul
from .dispatch import apply, check_tensors, is_tensor_like
from .shapes import broadcast_shapes
from .shaping import expand_to, reshape_to, result_in, reversed_axes
from .surface import method, surface
from .tensor import Tensor

Value = Any


@method("matmul")
def matmul(self: Value, other: Value) -> Value:
    """The matrix product; a vector counts as a row on the left and as a column on the right.

    Shapes: [*, n, k] x [*, k, m] -> [*, n, m]; leading axes broadcast.
    Errors: RuntimeError where the inner sizes, or the dtypes, differ.
    """
    if isinstance(self, Tensor) and isinstance(other, Tensor):
        # Two matrices at hand that fit, decided without looking anything up.
        try:
            left, right = self._array, other._array
            if left.ndim == right.ndim == 2 and left.dtype is right.dtype and left.shape[1] == right.shape[0]:
                return apply(MATMUL, self, other)
        except NoArrayError:
            pass
    if self.dtype is not other.dtype:
        check_tensors("matmul", input=self, other=other)
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {self.dtype} != {other.dtype}")
    if not self.ndim or not other.ndim:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {self.ndim}D and {other.ndim}D"
        )
    rows = self if self.ndim > 1 else reshape_to(self, (1, self.shape[0]))
    columns = other if other.ndim > 1 else reshape_to(other, (other.shape[0], 1))
    if rows.shape[-1] != columns.shape[-2]:
        raise _unfit(self, other)
    result = _product(rows, columns)
    if self.ndim > 1 and other.ndim > 1:
        return result
    *lead, height, width = result.shape
    kept = ((height,) if self.ndim > 1 else ()) + ((width,) if other.ndim > 1 else ())
    return result_in(result, (*lead, *kept))


def _product(left: Value, right: Value) -> Value:
    if left.ndim == right.ndim == 2:
        return apply(MATMUL, left, right)
    if right.ndim == 2:
        rows = reshape_to(left, (math.prod(left.shape[:-1]), left.shape[-1]))
        return result_in(apply(MATMUL, rows, right), (*left.shape[:-1], right.shape[-1]))
    lead = broadcast_shapes(left.shape[:-2], right.shape[:-2])
    return apply(MATMUL, expand_to(left, (*lead, *left.shape[-2:])), expand_to(right, (*lead, *right.shape[-2:])))


def _unfit(left: Value, right: Value) -> RuntimeError:
    if left.ndim == right.ndim == 2:
        return RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({left.shape[0]}x{left.shape[1]} and "
            f"{right.shape[0]}x{right.shape[1]})"
        )
    if left.ndim == right.ndim == 1:
        return RuntimeError(
            f"inconsistent tensor size, expected tensor {list(left.shape)} and src {list(right.shape)} to fit"
        )
    return RuntimeError(f"matmul: the sizes {list(left.shape)} and {list(right.shape)} cannot be multiplied")


@method("mm")
def mm(self: Value, mat2: Value) -> Value:
    """The product of two matrices. Errors: RuntimeError for anything else."""
    if self.ndim != 2 or mat2.ndim != 2:
        check_tensors("mm", input=self, mat2=mat2)
        raise RuntimeError(f"mm takes matrices, got {self.ndim}D and {mat2.ndim}D")
    return matmul(self, mat2)


@method("bmm")
def bmm(self: Value, mat2: Value) -> Value:
    """The products of two batches of matrices. Errors: RuntimeError for anything else."""
    if self.ndim != 3 or mat2.ndim != 3 or self.shape[0] != mat2.shape[0]:
        check_tensors("bmm", input=self, mat2=mat2)
        raise RuntimeError(f"bmm takes equal batches of matrices, got {list(self.shape)} and {list(mat2.shape)}")
    return matmul(self, mat2)


@method("mv")
def mv(self: Value, vec: Value) -> Value:
    """The product of a matrix and a vector. Errors: RuntimeError for anything else."""
    if self.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {self.ndim}, {vec.ndim}")
    return matmul(self, vec)


@method("dot")
def dot(self: Value, tensor: Value) -> Value:
    """The inner product of two vectors. Errors: RuntimeError for anything else."""
    if self.ndim != 1 or tensor.ndim != 1:
        check_tensors("dot", input=self, tensor=tensor)
        raise RuntimeError(f"1D tensors expected, but got {self.ndim}D and {tensor.ndim}D tensors")
    return matmul(self, tensor)


@method("outer")
def outer(self: Value, vec2: Value) -> Value:
    """Each element of one vector times each of the other. Errors: RuntimeError for what is no vector."""
    if self.ndim != 1 or vec2.ndim != 1:
        raise RuntimeError(f"outer: Expected 1-D arguments, but got {self.ndim}-D and {vec2.ndim}-D")
    return mul(reshape_to(self, (self.shape[0], 1)), vec2)


@method("addmm")
def addmm(self: Value, mat1: Value, mat2: Value, *, beta: Value = 1, alpha: Value = 1) -> Value:
    """``beta * self + alpha * mat1 @ mat2``."""
    return added(self, matmul(mat1, mat2), beta, alpha)


def added(x: Value, product: Value, beta: Value, alpha: Value) -> Value:
    """``beta * x + alpha * product``; for a `beta` of 0 nothing of `x` but its shape counts, not even a NaN."""
    whole = product if alpha == 1 else mul(product, alpha)
    if beta == 0:
        whole = expand_to(whole, broadcast_shapes(whole.shape, x.shape))
        tracked = x.requires_grad and x.dtype is whole.dtype
        return apply(WITH_HISTORY, whole, expand_to(x, whole.shape)) if tracked else whole
    return add(x if beta == 1 else mul(x, beta), whole)


@surface
def linear(input: Value, weight: Value, bias: Value = None) -> Value:
    """``input @ weight.T + bias``.

    Shapes: input [*, k], weight [m, k], bias [m] -> [*, m].
    Errors: RuntimeError where sizes or dtypes do not fit.
    """
    try:
        fits = weight.ndim == 2 and input.ndim and input.shape[-1] == weight.shape[1] and input.dtype is weight.dtype
    except AttributeError:
        check_tensors("linear", input=input, weight=weight)
        raise
    if fits:
        if bias is None:
            return apply(LINEAR, input, weight)
        if is_tensor_like(bias) and bias.shape == (weight.shape[0],) and bias.dtype is weight.dtype:
            return apply(LINEAR, input, weight, bias)
    check_tensors("linear", input=input, weight=weight)
    result = matmul(input, reversed_axes(weight))
    return result if bias is None else add(result, bias)


@method("__matmul__")
def _matmul_operator(self: Value, other: Value) -> Value:
    """The operator ``@``."""
    return matmul(self, other) if is_tensor_like(other) else NotImplemented
