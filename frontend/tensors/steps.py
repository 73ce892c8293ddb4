"""Optimizer steps: the real `_init_group` runs while tracing, and the functional forms become multi-tensor updates."""

# Note [Running _init_group]
# An optimizer's `_init_group` gathers parameters, gradients and state, and makes state that is missing. It runs for
# real, once, while the step is traced; the lists it fills are then read back, each tensor with its source. Gradients
# that the trace itself computes are not there yet: for the time of the run, stand-ins of the same type take the place
# of `.grad`, which our own optimizers only ask for being there. Only their `_init_group` is run so.

from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core.watched_containers import WatchedDict
from ...graph.aot.emitter import GraphEmitter
from ...graph.node import Node
from ...guards.sources import Alive, Item
from ...ops.pointwise import CAST
from ...ops.registry import OpDef, Pointwise
from ...ops.segments import JOIN, SEGMENT, SPREAD
from ...optim import SGD, Adam
from ...optim.adam import adam
from ...optim.formulas import adam_update, bias_corrections, is_nearer_to_new, next_step, sgd_update
from ...optim.sgd import sgd
from ...tensor import Tensor
from ..breaks import TENSOR_FEATURE
from ..callables import traces
from ..values import scalar
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers import DictValue, ListValue, constant_value
from ..values.functions import Named
from ..values.scalar import Scalar
from ..values.tensor import TensorValue, fresh
from ..values.watched import OptimizerValue, StateEntryValue
from .gradients import grad_of

if TYPE_CHECKING:
    from ..trace import Trace

from ...core import dtypes

OWN_INITS = frozenset(vars(cls)["_init_group"] for cls in (SGD, Adam))
"""The `_init_group` functions that ask of a gradient only whether it is there."""


class InitGroup(Value):
    """`optimizer._init_group`: called, it runs. See Note [Running _init_group]."""

    __slots__ = ("owner",)

    def __init__(self, owner: OptimizerValue) -> None:
        self.owner = owner

    @property
    def python_type(self) -> type:
        return types.MethodType

    def describe(self) -> str:
        return f"{self.owner.source}._init_group"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        optimizer: Any = self.owner.value
        group, *lists = args
        if kwargs or not isinstance(group, DictValue) or not all(map(_is_new_list, lists)):
            raise self.unsupported("a call with other arguments than a group and new lists")
        real = _real_group(optimizer, group)
        if real is None:
            raise self.unsupported("a call with a group that is not one of its param_groups")
        filled: list[list[Any]] = [[] for _ in lists]
        known = _Known(trace, self.owner)
        with known.gradients_in_place(real["params"]):
            returned = optimizer._init_group(real, *filled)
        known.find_state(real["params"])
        for target, source in zip(lists, filled, strict=True):
            assert isinstance(target, ListValue)
            target.items.extend(known.value(each) for each in source)
        return constant_value(returned) if returned is not None else Constant(None)


def _is_new_list(value: Value) -> bool:
    return isinstance(value, ListValue) and value.source is None and not value.items


def _real_group(optimizer: Any, group: DictValue) -> Any:
    source = group.source
    while isinstance(source, Named):
        source = source.base
    if not isinstance(source, Item) or not isinstance(source.key, int):
        return None
    owner = source.base
    groups: Any = owner.reference() if isinstance(owner, Alive) else None
    return groups[source.key] if groups is not None and groups is optimizer.param_groups else None


@dataclass
class _Known:
    """Which traced value stands for which tensor of an optimizer."""

    trace: Trace
    owner: OptimizerValue
    values: dict[int, Value] = field(default_factory=dict)
    _kept: list[Any] = field(default_factory=list)

    @contextmanager
    def gradients_in_place(self, params: Sequence[Any]) -> Iterator[None]:
        """A context in which every parameter's `.grad` is what the trace knows it to be by now."""
        before = [(param, param._grad) for param in params]
        try:
            for param in params:
                value = self._parameter(param)
                known = grad_of(self.trace, value.root)
                if isinstance(known, TensorValue):
                    stand_in = Tensor._wrap(known.array.twin)
                    self._kept.append(stand_in)
                    self.values[id(stand_in)] = known
                    param._grad = stand_in
                else:
                    param._grad = None
            yield
        finally:
            for param, grad in before:
                param._grad = grad

    def _parameter(self, param: Any) -> TensorValue:
        known = self.trace.tensors.get(id(param))
        assert known is not None, "the group's parameters are wrapped with it"
        self.values[id(param)] = known
        return known

    def find_state(self, params: Sequence[Any]) -> None:
        """Give every tensor in the parameters' state its traced value."""
        state = self.owner.state(self.trace)
        for param in params:
            if type(dict.get(state.state, param)) is not WatchedDict:
                continue
            entry = state.item(self.trace, self._parameter(param))
            assert isinstance(entry, StateEntryValue)
            entry.contains(self.trace, Constant("step"))  # relies on its keys
            for name, value in entry.entry.items():
                if isinstance(value, Tensor):
                    self.values[id(value)] = entry.item(self.trace, Constant(name))

    def value(self, real: Any) -> Value:
        """The traced value of an element of a list that `_init_group` filled."""
        found = self.values.get(id(real))
        if found is not None:
            return found
        if real is None or type(real) in (bool, str):
            return Constant(real)
        raise TENSOR_FEATURE.stop(feature=f"an optimizer whose _init_group gathers a {type(real).__name__}")


# -- the functional forms ----------------------------------------------------------------------------------------------
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


def _tensors(value: Value) -> list[TensorValue]:
    items = value.items if isinstance(value, ListValue) else []
    if any(not isinstance(each, TensorValue) for each in items):
        raise TENSOR_FEATURE.stop(feature="a first step that makes state: it runs as plain Python")
    return items  # type: ignore[return-value]


def _picked(column: Sequence[TensorValue], batch: list[int]) -> list[TensorValue]:
    return [column[k] for k in batch]


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
    beta1: Value,
    beta2: Value,
    lr: Value,
    weight_decay: Value,
    eps: Value,
    maximize: Value,
    decoupled_weight_decay: Value,
) -> Value:
    """`optim.adam`, all parameters of one dtype at once."""
    largest = bool(amsgrad.constant(trace))
    lists = [params, grads, exp_avgs, exp_avg_sqs, *([max_exp_avg_sqs] if largest else [])]
    columns = [_tensors(each) for each in lists]
    steps = _tensors(state_steps)
    scalars = {"lr": lr, "beta1": beta1, "beta2": beta2, "eps": eps, "weight_decay": weight_decay}
    numbers = {name: _number(trace, value) for name, value in scalars.items()}
    flags = {
        "decays": _holds(trace, weight_decay, "!=", 0),
        "decoupled": bool(decoupled_weight_decay.constant(trace)),
        "maximize": bool(maximize.constant(trace)),
        "nearer_to_new": _nearer_to_new(trace, beta1),
    }
    with trace.no_grad():
        for batch in _batches(columns):
            mine = [_picked(column, batch) for column in columns]
            f = _Segmented(trace, tuple(each.array.type.size for each in mine[0]))
            counted = next_step(f, _joined(f, _picked(steps, batch)))
            _write_back(f, counted, _picked(steps, batch))
            bias1, sqrt_bias2 = bias_corrections(f, counted, numbers["beta1"], numbers["beta2"])
            param, grad, exp_avg, exp_avg_sq, *rest = (_joined(f, column) for column in mine)
            updated = adam_update(
                f,
                param,
                grad,
                exp_avg,
                exp_avg_sq,
                bias1,
                sqrt_bias2,
                max_exp_avg_sq=rest[0] if rest else None,
                **numbers,
                **flags,
            )
            for column, flat in zip((mine[0], *mine[2:]), (each for each in updated if each is not None), strict=True):
                _write_back(f, flat, column)
    return Constant(None)


@traces(sgd)
def sgd_step(
    trace: Trace,
    params: Value,
    grads: Value,
    momentum_buffers: Value,
    *,
    weight_decay: Value,
    momentum: Value,
    lr: Value,
    dampening: Value,
    nesterov: Value,
    maximize: Value,
) -> Value:
    """`optim.sgd`, all parameters of one dtype at once."""
    has_momentum = _holds(trace, momentum, "!=", 0)
    assert isinstance(momentum_buffers, ListValue)
    first = has_momentum and all(isinstance(each, Constant) for each in momentum_buffers.items)
    with_buffers = has_momentum and not first
    columns = [_tensors(each) for each in (params, grads, *([momentum_buffers] if with_buffers else []))]
    scalars = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
    numbers = {name: _number(trace, value) for name, value in scalars.items()}
    flags = {
        "decays": _holds(trace, weight_decay, "!=", 0),
        "has_momentum": has_momentum,
        "nesterov": bool(nesterov.constant(trace)),
        "maximize": bool(maximize.constant(trace)),
    }
    with trace.no_grad():
        for batch in _batches(columns):
            mine = [_picked(column, batch) for column in columns]
            f = _Segmented(trace, tuple(each.array.type.size for each in mine[0]))
            param, grad, *rest = (_joined(f, column) for column in mine)
            moved, buffer = sgd_update(f, param, grad, rest[0] if rest else None, **numbers, **flags)
            _write_back(f, moved, mine[0])
            if buffer is not None and with_buffers:
                _write_back(f, buffer, mine[2])
            elif buffer is not None:
                for k, made in zip(batch, _pieces(f, buffer, mine[0]), strict=True):
                    momentum_buffers.items[k] = fresh(trace, made)
    return Constant(None)
