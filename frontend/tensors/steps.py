"""Optimizer steps while tracing: the functional forms become updates of all parameters of one dtype at once.

The parameters are joined to one vector, updated by the formula that eager mode follows too, and cut apart again. The
back end makes one kernel over a table of addresses of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...graph.aot.emitter import GraphEmitter
from ...graph.node import Node
from ...ops.pointwise import CAST
from ...ops.registry import OpDef, Pointwise
from ...ops.segments import JOIN, SEGMENT, SPREAD
from ...optim.adam import adam
from ...optim.formulas import adam_update, bias_corrections, is_nearer_to_new, next_step, sgd_update
from ...optim.sgd import sgd
from ..breaks import TENSOR_FEATURE
from ..callables import traces
from ..values import scalar
from ..values.base import Value
from ..values.constant import NONE, Constant
from ..values.scalar import Scalar
from ..values.sequences import ListValue
from ..values.tensor import TensorValue, fresh

if TYPE_CHECKING:
    from ..trace import Trace

Column = list[TensorValue]
"""One tensor of each parameter: the parameters themselves, their gradients, one kind of state."""


class _Segmented(GraphEmitter):
    """An emitter over joined tensors: a value per tensor, met by one per element, is spread over its segment."""

    __slots__ = ("sizes",)

    def __init__(self, trace: Trace, sizes: tuple[int, ...]) -> None:
        super().__init__(trace.builder, trace.location)
        self.sizes = sizes

    def apply(self, op: OpDef, *operands: Any, **attrs: object) -> Node:
        """As any emitter's, after spreading."""
        total, count = (sum(self.sizes),), (len(self.sizes),)
        shapes = {each.shape for each in operands if isinstance(each, Node)}
        if isinstance(op.lower, Pointwise) and total in shapes and count in shapes and total != count:
            operands = tuple(
                super(_Segmented, self).apply(SPREAD, each, sizes=self.sizes)
                if isinstance(each, Node) and each.shape == count
                else each
                for each in operands
            )
        return super().apply(op, *operands, **attrs)


def _can_join(tensors: Sequence[TensorValue]) -> bool:
    """Whether these tensors of one parameter lie alike in memory, densely and row-major."""
    return all(not each.array.path and each.array.twin.flags.c_contiguous and each.array.twin.size for each in tensors)


def _batches(columns: Sequence[Sequence[TensorValue]]) -> Iterator[list[int]]:
    """The parameters' numbers, those that one multi-tensor update may take together in one list."""
    together: dict[Any, list[int]] = {}
    for k, row in enumerate(zip(*columns, strict=True)):
        if not _can_join(row):
            together[k] = [k]
        else:
            together.setdefault(tuple(each.dtype for each in row), []).append(k)
    yield from together.values()


def _joined(f: GraphEmitter, tensors: Sequence[TensorValue]) -> Node:
    return f.apply(JOIN, *(each.read() for each in tensors))


def _pieces(f: GraphEmitter, flat: Node, like: Sequence[TensorValue]) -> Iterator[Node]:
    start = 0
    for each in like:
        yield f.apply(SEGMENT, flat, start=start, shape=each.shape)
        start += each.array.type.size


def _write_back(f: GraphEmitter, flat: Node, tensors: Sequence[TensorValue]) -> None:
    for each, piece in zip(tensors, _pieces(f, flat, tensors), strict=True):
        each.write(piece, requires_grad=False)


def _number(trace: Trace, value: Value) -> Any:
    """A hyper-parameter for a formula: a Python number, or a 0-d float64 node."""
    if isinstance(value, Scalar):
        node = value.node(trace)
        return node if node.type.dtype is dtypes.float64 else trace.add(CAST, node, dtype=dtypes.float64)
    if isinstance(value, TensorValue):
        node = value.read()
        if node.shape != ():
            raise TENSOR_FEATURE.stop(feature="a tensor of more than one element as a hyper-parameter")
        return node if node.type.dtype is dtypes.float64 else trace.add(CAST, node, dtype=dtypes.float64)
    number = value.constant(trace)
    if type(number) not in (bool, int, float):
        raise TENSOR_FEATURE.stop(feature=f"a {type(number).__name__} as a hyper-parameter")
    return float(number)


def _holds(trace: Trace, value: Value, name: str, number: float) -> bool:
    """The outcome of a comparison of a hyper-parameter, guarded."""
    if isinstance(value, Scalar):
        return scalar.binary(trace, name, value, Constant(number)).truth(trace)
    known = value.constant(trace)
    return bool(scalar.SCALAR_OPERATORS[name][0](known, number))


def _nearer_to_new(trace: Trace, beta: Value) -> bool:
    if not isinstance(beta, Scalar):
        return is_nearer_to_new(beta.constant(trace))
    outcome = is_nearer_to_new(beta.example)
    distance = scalar.apply(trace, abs, "abs", [scalar.binary(trace, "-", Constant(1.0), beta)])
    if _holds(trace, distance, ">=", 0.5) is not outcome:
        raise TENSOR_FEATURE.stop(feature="this beta1")
    return outcome


def _column(value: Value) -> Column:
    items = value.items if isinstance(value, ListValue) else []
    if any(not isinstance(each, TensorValue) for each in items):
        raise TENSOR_FEATURE.stop(feature="a first step that makes state: it runs as plain Python")
    return items  # type: ignore[return-value]


def _update_all(
    trace: Trace, columns: Sequence[Column], written: Sequence[Column], update: Callable[..., Sequence[Node]]
) -> None:
    """Writes to the columns `written` what `update` makes of `columns`, for all parameters that can be taken together.

    `update(f, *vectors)` gives a vector for each column that is written, in their order. Errors: a break where one
    tensor stands in two places: the order of writes is the eager form's to decide.
    """
    _check_apart(columns, written)
    _check_alike(columns)
    with trace.no_grad():
        for batch in _batches(columns):
            mine = [[column[k] for k in batch] for column in columns]
            # A parameter's step counter is one element; everything else has the parameter's size.
            f = _Segmented(trace, tuple(max(each.array.type.size for each in row) for row in zip(*mine, strict=True)))
            vectors = update(f, *(_joined(f, column) for column in mine))
            for column, vector in zip(written, vectors, strict=True):
                _write_back(f, vector, [column[k] for k in batch])


def _check_alike(columns: Sequence[Column]) -> None:
    """Errors: a break where what belongs to one parameter has several shapes or dtypes, which eager mode refuses."""
    for row in zip(*columns, strict=True):
        if len({(each.shape, each.dtype) for each in row if each.shape}) > 1:  # counters have no axes
            raise TENSOR_FEATURE.stop(feature="an optimizer step of a parameter whose gradient or state is unlike it")


def _check_apart(columns: Sequence[Column], written: Sequence[Column]) -> None:
    places = [id(each.array.storage) for each in chain(*written)]
    only_read = [each for column in columns if column not in written for each in column]
    if len(set(places)) < len(places) or not set(places).isdisjoint(id(each.array.storage) for each in only_read):
        raise TENSOR_FEATURE.stop(feature="an optimizer step in which one tensor has two parts to play")


@traces(adam)
def adam_step(
    trace: Trace,
    params: Value,
    grads: Value,
    exp_avgs: Value,
    exp_avg_sqs: Value,
    max_exp_avg_sqs: Value,
    state_steps: Value,
    *,
    amsgrad: Value,
    maximize: Value,
    decoupled_weight_decay: Value,
    **scalars: Value,
) -> Value:
    """`optim.adam`."""
    numbers = {name: _number(trace, scalars[name]) for name in ("lr", "beta1", "beta2", "eps", "weight_decay")}
    flags = {
        "decays": _holds(trace, scalars["weight_decay"], "!=", 0),
        "decoupled": bool(decoupled_weight_decay.constant(trace)),
        "maximize": bool(maximize.constant(trace)),
        "nearer_to_new": _nearer_to_new(trace, scalars["beta1"]),
    }

    def update(f: Any, steps: Node, param: Node, grad: Node, first: Node, second: Node, *largest: Node) -> list[Node]:
        counted = next_step(f, steps)
        bias1, sqrt_bias2 = bias_corrections(f, counted, numbers["beta1"], numbers["beta2"])
        most = largest[0] if largest else None
        updated = adam_update(f, param, grad, first, second, bias1, sqrt_bias2, max_exp_avg_sq=most, **numbers, **flags)
        return [counted, *(each for each in updated if each is not None)]

    lists = [state_steps, params, grads, exp_avgs, exp_avg_sqs, *([max_exp_avg_sqs] if amsgrad.constant(trace) else [])]
    columns = [_column(each) for each in lists]
    _update_all(trace, columns, [*columns[:2], *columns[3:]], update)
    return NONE


@traces(sgd)
def sgd_step(
    trace: Trace,
    params: Value,
    grads: Value,
    momentum_buffers: Value,
    *,
    nesterov: Value,
    maximize: Value,
    **scalars: Value,
) -> Value:
    """`optim.sgd`. Buffers that are not there yet are made, and take their places in the list."""
    numbers = {name: _number(trace, scalars[name]) for name in ("lr", "momentum", "dampening", "weight_decay")}
    flags = {
        "decays": _holds(trace, scalars["weight_decay"], "!=", 0),
        "has_momentum": _holds(trace, scalars["momentum"], "!=", 0),
        "nesterov": bool(nesterov.constant(trace)),
        "maximize": bool(maximize.constant(trace)),
    }
    assert isinstance(momentum_buffers, ListValue)
    missing = flags["has_momentum"] and all(isinstance(each, Constant) for each in momentum_buffers.items)
    columns = [_column(params), _column(grads)]
    if missing:
        momentum_buffers.items[:] = [fresh(trace, each.read()) for each in columns[1]]
    if flags["has_momentum"]:
        columns.append(_column(momentum_buffers))

    def update(f: Any, param: Node, grad: Node, *buffer: Node) -> list[Node]:
        moved, made = sgd_update(f, param, grad, buffer[0] if buffer and not missing else None, **numbers, **flags)
        return [moved] if made is None else [moved, made]

    _update_all(trace, columns, [columns[0], *columns[2:]], update)
    if missing:
        for made in columns[2]:
            made.root.bumps = 0  # eager mode makes these buffers as they are, and writes nothing into them
    return NONE
