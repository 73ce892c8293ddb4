"""Attributes and methods of sparse tensors while tracing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....guards.guard import Is
from ....ops.activations import ALIAS
from ....ops.movement import RESHAPE
from ....tensor.arithmetic import div_, mul_
from ....tensor.layouts import sparse_coo
from ....tensor.sparse_tensor import SparseTensor
from ...breaks import RAISES, TENSOR_FEATURE
from ...values.base import Value
from ...values.constant import FALSE, NONE, TRUE, Constant
from ...values.containers.element_protocol import constant_value
from ...values.numbers.symbolic_int import number
from ...values.objects.objects import class_attribute
from ...values.tensors.sparse_tensor import COUNTED_LATE, Entries, SparseTensorValue
from ...values.tensors.tensor import TensorValue, detached, fresh
from .attributes import is_own
from .dispatch import apply
from .functions import native, natively
from .sparse_entries import coalesced, dense, emitter, new_entries, value_of
from .tensor_method import TensorMethod

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_UNMERGED = "RuntimeError: Cannot get {} on an uncoalesced tensor, please call .coalesce() first"


def _with(sparse: SparseTensorValue, values: TensorValue) -> SparseTensorValue:
    """A sparse tensor with the same places and other values."""
    known = sparse.entries
    return SparseTensorValue(
        sparse.trace, sparse.size, sparse.dtype, Entries(known.places, values, known.kept, known.merged)
    )


def _whole(sparse: SparseTensorValue, name: str) -> Entries:
    """The entries, all of which are there. Errors: a break where it is known only later which are."""
    if sparse.entries.kept is not None:
        raise TENSOR_FEATURE.stop(feature=COUNTED_LATE.format(name))
    return sparse.entries


def _coalesce(trace: Trace, self: SparseTensorValue) -> Value:
    if self.entries.merged is True:
        return self
    if self.entries.merged is not False:
        raise TENSOR_FEATURE.stop(feature=COUNTED_LATE.format("coalesce"))  # it may be the tensor itself
    return SparseTensorValue(trace, self.size, self.dtype, coalesced(trace, self.entries, self.size))


def _to_dense(trace: Trace, self: SparseTensorValue) -> Value:
    with trace.no_grad():
        return fresh(trace, dense(trace, self.entries, self.size))


def _detach(trace: Trace, self: SparseTensorValue) -> Value:
    return _with(self, detached(self.entries.values))


def _clone(trace: Trace, self: SparseTensorValue) -> Value:
    places, values = (trace.add(ALIAS, value_of(trace, each)) for each in (self.entries.places, self.entries.values))
    made = new_entries(trace, places, values, self.entries.kept, self.entries.merged)
    return SparseTensorValue(trace, self.size, self.dtype, made)


def _zero_(trace: Trace, self: SparseTensorValue) -> Value:
    zero(trace, self)
    return self


def zero(trace: Trace, sparse: SparseTensorValue) -> None:
    """Leaves it without entries, in place."""
    f, dims = emitter(trace), _sparse_dim(sparse)
    places = f.full(value=0, shape=(dims, 0), dtype=dtypes.int64)
    values = f.full(value=0, shape=(0, *sparse.size[dims:]), dtype=sparse.dtype)
    sparse.become(new_entries(trace, places, values, None, True))


def _scaled(of_values: Callable[..., Any]) -> Callable[..., Value]:
    """In place: what `of_values` does with a number. Errors: a break for a tensor that is no number."""

    def scale(trace: Trace, self: SparseTensorValue, other: Value) -> Value:
        if isinstance(other, TensorValue) and other.ndim or isinstance(other, SparseTensorValue):
            raise TENSOR_FEATURE.stop(feature="a product in place of a sparse tensor and another one")
        values, factor = self.entries.values, native(trace, other)
        with natively(trace):
            of_values(values, factor)
        self.note_write()
        return self

    return scale


def _sparse_dim(sparse: SparseTensorValue) -> int:
    return len(sparse.size) - sparse.dense_dim()


def _is_coalesced(trace: Trace, self: SparseTensorValue) -> Value:
    return Constant(self.known_merged())


def _part(name: str, *, checked: bool) -> Callable[..., Value]:
    """The method that gives the places or the values, as tensors over their memory."""

    def part(trace: Trace, self: SparseTensorValue) -> Value:
        if checked and not self.known_merged():
            raise RAISES.stop(error=_UNMERGED.format(name))
        entries = _whole(self, name)
        return detached(entries.places if name.endswith("indices") else entries.values)

    return part


def _values(trace: Trace, self: SparseTensorValue) -> Value:
    if not self.known_merged():
        raise RAISES.stop(error=_UNMERGED.format("values"))
    values = _whole(self, "values").values
    return apply(RESHAPE, (values,), {"shape": values.shape})


def _nnz(trace: Trace, self: SparseTensorValue) -> Value:
    return number(_whole(self, "_nnz").places.shape[1])


def _size(trace: Trace, self: SparseTensorValue, dim: Value = NONE) -> Value:
    axis = dim.constant(trace)
    return constant_value(self.size if axis is None else self.size[axis])


PROPERTIES: dict[str, Callable[[SparseTensorValue], Value]] = {
    "shape": lambda value: constant_value(value.size),
    "dtype": lambda value: Constant(value.dtype),
    "device": lambda value: Constant(value.device),
    "layout": lambda value: Constant(sparse_coo),
    "ndim": lambda value: Constant(len(value.size)),
    "is_sparse": lambda value: TRUE,
    "requires_grad": lambda value: FALSE,
    "is_leaf": lambda value: TRUE,
}
"""The getters of attributes that are not methods, by name."""

METHODS: dict[str, Any] = {
    "coalesce": _coalesce,
    "is_coalesced": _is_coalesced,
    "to_dense": _to_dense,
    "indices": _part("indices", checked=True),
    "values": _values,
    "_indices": _part("_indices", checked=False),
    "_values": _part("_values", checked=False),
    "_nnz": _nnz,
    "sparse_dim": lambda trace, self: Constant(_sparse_dim(self)),
    "dense_dim": lambda trace, self: Constant(self.dense_dim()),
    "dim": lambda trace, self: Constant(len(self.size)),
    "size": _size,
    "detach": _detach,
    "clone": _clone,
    "zero_": _zero_,
    "mul_": _scaled(mul_),
    "div_": _scaled(div_),
}
"""The methods, by name."""


def attribute(trace: Trace, value: SparseTensorValue, name: str) -> Value:
    """`value.name` of a sparse tensor."""
    if (name not in PROPERTIES and name not in METHODS) or trace.tape.inference:
        raise TENSOR_FEATURE.stop(feature=f"{name} of a sparse tensor")
    found, source = class_attribute(trace, SparseTensor, name)
    trace.guard(Is, source, expected=found)
    if not is_own(found):
        raise TENSOR_FEATURE.stop(feature=f"Tensor.{name}, which is not guardlift's own")
    return PROPERTIES[name](value) if name in PROPERTIES else TensorMethod(value, name, METHODS)


__all__ = ["attribute", "zero"]
