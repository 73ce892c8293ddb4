"""`_init_group` of an optimizer while tracing: it runs for real, once, and what it gathered gets its traced values."""

# Note [Running _init_group]
# An optimizer's `_init_group` gathers parameters, gradients and state, and makes state that is missing. It runs for
# real, once, while the step is traced; the lists it fills are then read back, each tensor with its source. Gradients
# that the trace itself computes are not there yet: for the time of the run, stand-ins of the same type take the place
# of `.grad`, which our own optimizers only ask for being there. Only their `_init_group` is run so. State that the
# trace has made so far it does not find: there the graph breaks. Where the trace has changed the group, as a learning
# rate that is written by hand, it gets a dict of what the group holds by then; entries that are no constants may be
# there, but not be read.

from __future__ import annotations

import collections
import itertools
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from ....autograd.inference import under_modes
from ....core.records import dataclass
from ....core.watched_containers import WatchedDict
from ....core.watched_slots import told
from ....guards.sources import Item, Named, WeakSource
from ....optim.errors import StepError
from ....optim.placing import place_counters
from ....optim.stepped import SteppedOptimizer
from ....tensor import Tensor
from ....tensor.sparse_tensor import SparseTensor
from ...breaks import RAISES, TENSOR_FEATURE
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.containers.dicts import DictValue
from ...values.containers.element_protocol import constant_value
from ...values.containers.sequences import ListValue
from ...values.tensors.optimizers import OptimizerValue, StateEntryValue
from ...values.tensors.sparse_tensor import SparseTensorValue
from ...values.tensors.tensor import TensorValue
from ..autograd.leaf_gradients import grad_of
from ..surface.grad_modes import Modes

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def _stand_in(gradient: TensorValue | SparseTensorValue) -> Tensor:
    """A tensor of the same layout, shape and dtype."""
    if isinstance(gradient, TensorValue):
        return Tensor._wrap(gradient.array.fake)
    size, dense = gradient.size, gradient.dense_dim()
    dims = len(size) - dense
    values = np.empty((0, *size[dims:]), gradient.dtype.numpy)
    return SparseTensor(Tensor._wrap(np.empty((dims, 0), np.int64)), Tensor._wrap(values), size)


OWN_INITS = frozenset((SteppedOptimizer._init_group,))
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
        _read_through(trace, group)
        if (id(group.items.get("params")), "") in trace.effects.pending:
            raise TENSOR_FEATURE.stop(feature="a step after a change of the group's parameters")
        seen = _ChangedGroup(group, real) if (id(group), "") in trace.effects.pending else real
        if self.owner.state(trace).has_new_values(trace, real["params"]):
            raise TENSOR_FEATURE.stop(feature="a second step after one that makes state")
        filled: list[list[Any]] = [[] for _ in lists]
        known, modes = _Known(trace, self.owner), Modes.of(trace.tape)
        with under_modes(modes.inference, modes.grad), known.gradients_in_place(real["params"]):
            place_counters(optimizer)
            try:
                returned = optimizer._init_group(seen, *filled)
            except StepError as error:
                raise RAISES.stop(error=f"StepError: {error}") from None
        known.find_state(real["params"])
        for target, source in zip(lists, filled, strict=True):
            assert isinstance(target, ListValue)
            target.items.extend(known.value(each) for each in source)
        return constant_value(returned) if returned is not None else NONE


def _is_new_list(value: Value) -> bool:
    return isinstance(value, ListValue) and value.source is None and not value.items


def _read_through(trace: Trace, group: DictValue) -> None:
    """Make sure that everything in the group has its traced value."""
    for each in group.items.values():
        if isinstance(each, (ListValue, DictValue)):
            each.length(trace)


def _real_group(optimizer: Any, group: DictValue) -> Any:
    source = group.source
    while isinstance(source, Named):
        source = source.base
    if not isinstance(source, Item) or not isinstance(source.key, int):
        return None
    owner = source.base
    groups: Any = owner.reference() if isinstance(owner, WeakSource) else None
    return groups[source.key] if groups is not None and groups is optimizer.param_groups else None


class _ChangedGroup(dict[str, Any]):
    """The entries of a group that the trace has changed, as they are by now.

    Errors: a break where an entry is read that is no constant.
    """

    def __init__(self, group: DictValue, real: dict[str, Any]) -> None:
        for key, each in group.items.items():
            if group.holds_as_before(key):
                self[key] = real[key]
            else:
                self[key] = each.value if isinstance(each, Constant) else _UNKNOWN

    def __getitem__(self, key: str) -> Any:
        found = super().__getitem__(key)
        if found is _UNKNOWN:
            raise TENSOR_FEATURE.stop(feature=f"a step after a change of the group's {key!r}")
        return found

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self else default


_UNKNOWN = object()
"""Stands for an entry that is no constant."""


@dataclass
class _Known:
    """The traced value of each tensor of an optimizer."""

    trace: Trace
    owner: OptimizerValue
    values: dict[int, Value] = field(default_factory=dict)
    _kept: list[Any] = field(default_factory=list)

    @contextmanager
    def gradients_in_place(self, params: Sequence[Any]) -> Iterator[None]:
        """A context in which every parameter's `.grad` is what the trace knows it to be by now."""
        owners = list(params)
        put_back = map(setattr, owners, itertools.repeat("_grad"), [param._grad for param in owners])
        try:
            for param in owners:
                value = self._parameter(param)
                known = grad_of(self.trace, value.root)
                if isinstance(known, (TensorValue, SparseTensorValue)):
                    stand_in = _stand_in(known)
                    self._kept.append(stand_in)
                    self.values[id(stand_in)] = known
                    param._grad = stand_in
                else:
                    param._grad = None
            yield
        finally:
            collections.deque(put_back, maxlen=0)  # one call, so that an interrupt finds all of them back, or none
            for param in owners:
                told(param)  # of what other threads may have set meanwhile

    def _parameter(self, param: Any) -> TensorValue:
        known = self.trace.inputs.tensors.get(id(param))
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
