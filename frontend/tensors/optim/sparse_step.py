"""Steps along sparse gradients while tracing: only the rows that have an entry change, as in eager mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....graph.node import Node
from ....optim.formulas import adagrad_rate
from ....optim.sparse import adagrad_sparse, sgd_sparse
from ....optim.updates import Update
from ...breaks import TENSOR_FEATURE
from ...values.tensors.sparse_tensor import Entries, SparseTensorValue
from ...values.tensors.tensor import TensorValue, fresh
from ..surface.sparse_entries import added_to_dense, coalesced, emitter, rows, value_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace

State = Mapping[str, TensorValue | None]


def sparse_step(
    trace: Trace,
    update: Update,
    param: TensorValue,
    grad: SparseTensorValue,
    state: State,
    numbers: dict[str, Any],
    booleans: dict[str, bool],
) -> None:
    """Steps one parameter. Errors: a break for an optimizer, or settings of it, without a rule here."""
    if param.dtype.is_narrow or grad.dtype is not param.dtype or grad.size != param.shape:
        raise TENSOR_FEATURE.stop(feature=f"an optimizer step of {param.dtype} along a sparse gradient")
    if update.along_sparse is sgd_sparse and not booleans["has_momentum"]:
        _sgd(trace, param, grad, numbers, booleans)
    elif update.along_sparse is adagrad_sparse:
        _adagrad(trace, param, grad, state, numbers, booleans)
    else:
        raise TENSOR_FEATURE.stop(feature="an optimizer step with momentum along a sparse gradient")


def _slope(trace: Trace, entries: Entries, booleans: dict[str, bool]) -> Entries:
    """The entries of the gradient, turned around to climb."""
    if not booleans["maximize"]:
        return entries
    turned = emitter(trace).negative(value_of(trace, entries.values))
    return Entries(entries.places, fresh(trace, turned), entries.kept, entries.merged)


def _add(trace: Trace, target: TensorValue, entries: Entries, values: Node) -> None:
    """Adds one of `values` for each entry to the rows of `target`, in place."""
    summed = added_to_dense(trace, value_of(trace, target), entries, target.shape, values)
    target.write(summed, requires_grad=False)


def _sgd(
    trace: Trace, param: TensorValue, grad: SparseTensorValue, numbers: dict[str, Any], booleans: dict[str, bool]
) -> None:
    f, slope = emitter(trace), value_of(trace, _slope(trace, grad.entries, booleans).values)
    _add(trace, param, grad.entries, f.multiply(slope, _like(trace, numbers["lr"], slope, negative=True)))


def _adagrad(
    trace: Trace,
    param: TensorValue,
    grad: SparseTensorValue,
    state: State,
    numbers: dict[str, Any],
    booleans: dict[str, bool],
) -> None:
    f, (step, sums) = emitter(trace), (state["step"], state["sum"])
    if step is None or sums is None:
        raise TENSOR_FEATURE.stop(feature="a first step along a sparse gradient")
    counted = f.add(f.cast(value_of(trace, step), dtype=dtypes.float64), 1.0)
    counted = counted if step.dtype is dtypes.float64 else f.cast(counted, dtype=step.dtype)
    rate = adagrad_rate(f, counted, numbers["lr"], numbers["lr_decay"])
    merged = coalesced(trace, _slope(trace, grad.entries, booleans), grad.size)
    slope = value_of(trace, merged.values)
    squares = f.multiply(slope, slope)
    grown = f.add(f.take(_table(trace, sums, merged), rows(trace, merged, grad.size), axis=0), squares)
    _add(trace, sums, merged, squares)
    step.write(counted, requires_grad=False)
    root = f.add(f.sqrt(grown), _like(trace, numbers["eps"], slope))
    _add(trace, param, merged, f.multiply(f.divide(slope, root), _like(trace, rate, slope, negative=True)))


def _table(trace: Trace, tensor: TensorValue, entries: Entries) -> Node:
    """The rows of a tensor that entries name."""
    value, dims = value_of(trace, tensor), entries.places.shape[0]
    if dims != 1:
        raise TENSOR_FEATURE.stop(feature="an optimizer step along a sparse gradient of several sparse axes")
    return value


def _like(trace: Trace, number: Any, like: Node, *, negative: bool = False) -> Any:
    """A number as NumPy computes with it beside an array: in the dtype of that."""
    if not isinstance(number, Node):
        return -number if negative else number
    f, dtype = emitter(trace), like.type.dtype
    number = f.negative(number) if negative else number
    return number if number.type.dtype is dtype else f.cast(number, dtype=dtype)
