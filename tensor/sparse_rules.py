"""The rules of operations on sparse tensors: by op, a rule that is written in operations on places and values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..core.errors import SparseError
from ..ops.activations import ALIAS
from ..ops.contraction import MATMUL
from ..ops.indexing import CAT, SCATTER_ADD, TAKE
from ..ops.movement import PERMUTE
from ..ops.pointwise import ADD, CAST, DIVIDE, MULTIPLY, NEGATIVE, SUBTRACT
from ..ops.reduction import SUM
from ..ops.registry import OpDef
from .arithmetic import check_cast, div_, mul_
from .dispatch import apply, assign_
from .promotion import pair, to_dtype
from .shaping import reshape_to, reversed_axes
from .sparse_tensor import SparseTensor
from .tensor import Tensor

Value = Any
Rule = Callable[..., Any]
RULES: dict[OpDef, Rule] = {}


def _rule(op: OpDef) -> Callable[[Rule], Rule]:
    def register(function: Rule) -> Rule:
        RULES[op] = function
        return function

    return register


def apply_sparse(op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
    """The result of `op`, of whose operands one is sparse. Errors: SparseError for an op without a rule."""
    rule = RULES.get(op)
    if rule is None:
        raise SparseError(f"{op.name} is not implemented for sparse tensors; call to_dense() first")
    try:
        return rule(*operands, **attrs)
    except RuntimeError as error:
        raise error from None  # that the operand has no array, which led here, is no news


def apply_sparse_in_place(op: OpDef, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
    """The first operand, after it became ``op(*operands)``."""
    x = operands[0]
    result = apply_sparse(op, operands, attrs)
    if not isinstance(x, SparseTensor):
        return assign_(x, result)
    if not isinstance(result, SparseTensor):
        raise SparseError(f"{op.name} in place would make a sparse tensor dense; compute out of place")
    return x._become(result)


def _same_shape(name: str, left: Value, right: Value) -> None:
    if left.shape != right.shape:
        raise RuntimeError(
            f"{name}: expected sizes of 'self' and 'other' to match, but {list(left.shape)} != {list(right.shape)}"
        )


def _is_number(value: Value) -> bool:
    """Whether `value` is one number for all entries."""
    return not isinstance(value, Tensor) or (not value.is_sparse and not value.ndim)


@_rule(ADD)
def _add(left: Value, right: Value) -> Value:
    for each in (left, right):
        if not isinstance(each, Tensor):
            raise RuntimeError(
                "a number cannot be added to a sparse tensor, whose elements are mostly 0; to_dense() first"
            )
    _same_shape("add", left, right)
    if not left.is_sparse:
        return _add_to_dense(left, right)
    return _add_sparse(left, right) if right.is_sparse else _add_to_dense(right, left)


def _add_to_dense(dense: Tensor, sparse: SparseTensor) -> Tensor:
    rows = reshape_to(dense, (math.prod(dense.shape[: sparse.sparse_dim()]), *sparse._held.shape[1:]))
    held = to_dtype(sparse._held, dense.dtype)
    return reshape_to(apply(SCATTER_ADD, rows, _flat(sparse), held, axis=0), dense.shape)


def _add_sparse(left: SparseTensor, right: SparseTensor) -> SparseTensor:
    """The entries of both, one after the other; coalesced if both are."""
    if left.sparse_dim() != right.sparse_dim():
        raise RuntimeError(
            f"add: sparse tensors of sparse_dim {left.sparse_dim()} and {right.sparse_dim()} cannot be added; "
            "make one of them dense"
        )
    places = np.concatenate((left._places._array, right._places._array), axis=1)
    held = apply(CAT, left._held, to_dtype(right._held, left.dtype), axis=0)
    result = SparseTensor(Tensor._wrap(places), held, left.shape)
    return result.coalesce() if left._merged and right._merged else result


def _flat(sparse: SparseTensor) -> Tensor:
    return Tensor._wrap(sparse._flat_places())


@_rule(SUBTRACT)
def _subtract(left: Value, right: Value) -> Value:
    return _add(left, apply(NEGATIVE, right) if isinstance(right, Tensor) else right)


@_rule(NEGATIVE)
def _negative(x: SparseTensor) -> SparseTensor:
    return x._with(apply(NEGATIVE, x._held))


@_rule(MULTIPLY)
def _multiply(left: Value, right: Value) -> SparseTensor:
    if not (isinstance(left, Tensor) and left.is_sparse):
        left, right = right, left
    if _is_number(right):
        return left._with(apply(MULTIPLY, left._held, right))
    _same_shape("mul", left, right)
    if right.is_sparse:
        return _multiply_sparse(left.coalesce(), right.coalesce())
    rows = reshape_to(right, (math.prod(right.shape[: left.sparse_dim()]), *left._held.shape[1:]))
    return left._with(apply(MULTIPLY, left._held, apply(TAKE, rows, _flat(left), axis=0)))


def _multiply_sparse(left: SparseTensor, right: SparseTensor) -> SparseTensor:
    """The product where both have an entry."""
    if left.sparse_dim() != right.sparse_dim():
        raise SparseError("mul of sparse tensors whose sparse_dim differs; make one of them dense")
    common = np.intersect1d(left._flat_places(), right._flat_places(), assume_unique=True, return_indices=True)
    one, other = (Tensor._wrap(each) for each in common[1:])
    held = apply(MULTIPLY, apply(TAKE, left._held, one, axis=0), apply(TAKE, right._held, other, axis=0))
    return SparseTensor(Tensor._wrap(left._places._array[:, common[1]]), held, left.shape, True)


@_rule(DIVIDE)
def _divide(left: Value, right: Value) -> SparseTensor:
    if not _is_number(right) or not isinstance(left, SparseTensor):
        raise SparseError("a sparse tensor can be divided by a number only; call to_dense() first")
    return left._with(apply(DIVIDE, left._held, right))


@_rule(ALIAS)
def _clone(x: SparseTensor) -> SparseTensor:
    return SparseTensor(apply(ALIAS, x._places), apply(ALIAS, x._held), x.shape, x._merged)


@_rule(CAST)
def _cast(x: SparseTensor, *, dtype: Any) -> SparseTensor:
    return x._with(to_dtype(x._held, dtype))


@_rule(PERMUTE)
def _permute(x: SparseTensor, *, axes: tuple[int, ...]) -> SparseTensor:
    if x.dense_dim():
        raise SparseError("the axes of a sparse tensor that has dense ones cannot be permuted; call to_dense() first")
    places = np.ascontiguousarray(x._places._array[list(axes)])
    return SparseTensor(Tensor._wrap(places), x._held, tuple(x.shape[axis] for axis in axes))


@_rule(SUM)
def _sum(x: SparseTensor, *, axes: tuple[int, ...]) -> Tensor:
    if len(axes) != x.ndim:
        raise SparseError("sum over some axes is not implemented for sparse tensors; call to_dense() first")
    return apply(SUM, x._held, axes=tuple(range(x._held.ndim)))


@_rule(MATMUL)
def matmul(left: Value, right: Value) -> Tensor:
    """The product of two matrices, or of a matrix and a vector, one of them sparse; it is dense.

    Errors: RuntimeError where sizes or dtypes do not fit, SparseError for two sparse ones and for dense axes.
    """
    if left.ndim == 1:
        return reshape_to(matmul(reshape_to(left, (1, *left.shape)), right), right.shape[1:])
    if right.ndim == 1:
        return reshape_to(matmul(left, reshape_to(right, (*right.shape, 1))), left.shape[:1])
    if left.ndim != 2 or right.ndim != 2:
        raise RuntimeError(f"a product with a sparse tensor takes matrices, got {left.ndim}D and {right.ndim}D")
    if left.shape[1] != right.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({left.shape[0]}x{left.shape[1]} and "
            f"{right.shape[0]}x{right.shape[1]})"
        )
    if left.dtype is not right.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {left.dtype} != {right.dtype}")
    if not left.is_sparse:
        return reversed_axes(matmul(reversed_axes(right), reversed_axes(left)))
    if right.is_sparse or left.dense_dim():
        raise SparseError("a product takes a sparse matrix, without dense axes, and a dense one; call to_dense()")
    return _times_dense(left, right)


def _times_dense(sparse: SparseTensor, dense: Tensor) -> Tensor:
    row, column = (Tensor._wrap(np.ascontiguousarray(each)) for each in sparse._places._array)
    weights = reshape_to(sparse._held, (sparse._nnz(), 1))
    products = apply(MULTIPLY, apply(TAKE, dense, column, axis=0), weights)
    zeros = Tensor._wrap(np.zeros((sparse.shape[0], dense.shape[1]), dense.dtype.numpy))
    return apply(SCATTER_ADD, zeros, row, products, axis=0)


def _at(self: Value, other: Value) -> Value:
    return matmul(self, other) if isinstance(other, Tensor) else NotImplemented


def _at_reflected(self: Value, other: Value) -> Value:
    return matmul(other, self) if isinstance(other, Tensor) else NotImplemented


def _copy(self: SparseTensor, src: Value, non_blocking: bool = False) -> SparseTensor:
    """`self`, with the entries of `src`, a sparse tensor of its shape."""
    if not isinstance(src, SparseTensor) or src.shape != self.shape:
        raise SparseError("copy_ into a sparse tensor takes a sparse tensor of the same shape")
    return self._become(to_dtype(apply(ALIAS, src), self.dtype))


def _scaled_in_place(op: OpDef, of_values: Rule) -> Rule:
    """In place: what `of_values` does with a number, and what `op` makes of a tensor."""

    def scale(self: SparseTensor, other: Value) -> SparseTensor:
        if not _is_number(other):
            result = apply(op, *pair(self, other))
            check_cast(self, result)
            return self._become(to_dtype(result, self.dtype))
        version = self._counter.value  # an error for an inference tensor, before anything is written
        of_values(self._held, other)
        self._counter.value = version + 1
        return self

    return scale


for _name, _method in {
    "__guardlift_apply__": staticmethod(apply_sparse),
    "__guardlift_apply_in_place__": staticmethod(apply_sparse_in_place),
    "__matmul__": _at,
    "__rmatmul__": _at_reflected,
    "matmul": matmul,
    "mm": matmul,
    "mv": matmul,
    "copy_": _copy,
    "mul_": _scaled_in_place(MULTIPLY, mul_),
    "div_": _scaled_in_place(DIVIDE, div_),
    "__imul__": _scaled_in_place(MULTIPLY, mul_),
    "__itruediv__": _scaled_in_place(DIVIDE, div_),
}.items():
    setattr(SparseTensor, _name, _method)
