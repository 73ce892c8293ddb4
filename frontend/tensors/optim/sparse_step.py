"""Steps along sparse gradients while tracing: only the rows that have an entry change, as in eager mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....graph.node import Node
from ....optim.algorithms.sparse_adam import step_rows
from ....optim.formulas import adagrad_rate
from ....optim.sparse import adagrad_sparse, sgd_sparse
from ....optim.updates import Update
from ...breaks import TENSOR_FEATURE
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.tensors.sparse_tensor import Entries, SparseTensorValue
from ...values.tensors.tensor import TensorValue, fresh
from ..surface.sparse_entries import added_to_dense, coalesced, emitter, rows, value_of
from .numbers import number_of

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


@traces(step_rows)
def trace_step_rows(
    trace: Trace,
    param: Value,
    grad: Value,
    exp_avg: Value,
    exp_avg_sq: Value,
    rate: Value,
    betas: Value,
    eps: Value,
    maximize: Value,
) -> Value:
    """`sparse_adam.step_rows`."""
    tensors = [param, exp_avg, exp_avg_sq]
    if not isinstance(grad, SparseTensorValue) or not all(isinstance(each, TensorValue) for each in tensors):
        raise TENSOR_FEATURE.stop(feature="a step of SparseAdam along something else than a sparse gradient")
    table, first, second = (each for each in tensors if isinstance(each, TensorValue))
    if table.dtype.is_narrow or grad.dtype is not table.dtype or grad.size != table.shape:
        raise TENSOR_FEATURE.stop(feature=f"an optimizer step of {table.dtype} along a sparse gradient")
    shares = [_complement(trace, number_of(trace, betas.item(trace, Constant(k)))) for k in (0, 1)]
    numbers = number_of(trace, rate), number_of(trace, eps)
    with trace.no_grad():
        f, merged = emitter(trace), coalesced(trace, grad.entries, grad.size)
        slope = value_of(trace, merged.values)
        if maximize.truth(trace):
            slope = f.negative(slope)
        means = []
        for moment, share, given in ((first, shares[0], slope), (second, shares[1], f.multiply(slope, slope))):
            old = f.take(_table(trace, moment, merged), rows(trace, merged, grad.size), axis=0)
            change = f.multiply(f.subtract(given, old), _like(trace, share, slope))
            means.append(f.add(old, change))
            _add(trace, moment, merged, change)
        root = f.add(f.sqrt(means[1]), _like(trace, numbers[1], slope))
        way = f.multiply(f.divide(means[0], root), _like(trace, numbers[0], slope))
        _add(trace, table, merged, f.negative(way))
    return NONE


def _complement(trace: Trace, number: Any) -> Any:
    return emitter(trace).subtract(1.0, number) if isinstance(number, Node) else 1.0 - number


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
