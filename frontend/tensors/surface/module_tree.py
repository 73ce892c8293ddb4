"""Walks over a traced module's tree, and the clearing of gradients."""

from __future__ import annotations

import types
from collections.abc import Iterator as Iterating
from typing import TYPE_CHECKING

from ....autograd.clearing import clear_gradient
from ....nn.module import Module
from ...breaks import TENSOR_FEATURE
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import NONE, TRUE, Constant
from ...values.containers.dicts import DictValue
from ...values.containers.iterators import Iterator
from ...values.containers.sequences import TupleValue
from ...values.tensors.sparse_tensor import SparseTensorValue
from ...values.tensors.tensor import TensorValue
from ...values.tensors.watched_modules import LayerValue
from ..autograd.leaf_gradients import grad_of, set_grad
from .dispatch import assign
from .sparse_methods import zero

if TYPE_CHECKING:
    from ...tracing.trace import Trace

EMPTY = Constant("")


def _table(trace: Trace, module: LayerValue, name: str) -> dict[str, Value]:
    table = module.attribute(trace, name)
    assert isinstance(table, DictValue)
    return table.items


def _walk(trace: Trace, module: LayerValue, prefix: str, seen: set[int] | None) -> Iterating[tuple[str, LayerValue]]:
    if seen is not None:
        if id(module.value) in seen:
            return
        seen.add(id(module.value))
    yield prefix, module
    for name, child in _table(trace, module, "_modules").items():
        if isinstance(child, LayerValue):
            yield from _walk(trace, child, f"{prefix}.{name}" if prefix else name, seen)


def layers_of(trace: Trace, module: LayerValue) -> list[LayerValue]:
    """A module and all below it, whose tables the trace relies on from here on."""
    found = [each for _, each in _walk(trace, module, "", set())]
    for each in found:
        _table(trace, each, "_parameters"), _table(trace, each, "_buffers")
    return found


def _members(
    trace: Trace, module: Value, table: str, prefix: Value, recurse: Value, remove_duplicate: Value
) -> list[tuple[str, Value]]:
    if not isinstance(module, LayerValue):
        raise TENSOR_FEATURE.stop(feature="a method of Module called on something else")
    start, unique = prefix.constant(trace), bool(remove_duplicate.constant(trace))
    places = (
        _walk(trace, module, start, set() if unique else None) if recurse.constant(trace) else iter([(start, module)])
    )
    seen: set[int] = set()
    found: list[tuple[str, Value]] = []
    for path, place in places:
        for name, tensor in _table(trace, place, table).items():
            if not isinstance(tensor, TensorValue) or id(tensor) in seen:
                continue
            if unique:
                seen.add(id(tensor))
            found.append((f"{path}.{name}" if path else name, tensor))
    return found


def _named(found: list[tuple[str, Value]]) -> Value:
    return _generator([TupleValue([Constant(name), tensor]) for name, tensor in found])


def _generator(values: list[Value]) -> Value:
    return Iterator(iter(values), types.GeneratorType)


@traces(Module.parameters)
def parameters(trace: Trace, self: Value, recurse: Value = TRUE) -> Value:
    """`module.parameters()`."""
    return _generator([each for _, each in _members(trace, self, "_parameters", EMPTY, recurse, TRUE)])


@traces(Module.buffers)
def buffers(trace: Trace, self: Value, recurse: Value = TRUE) -> Value:
    """`module.buffers()`."""
    return _generator([each for _, each in _members(trace, self, "_buffers", EMPTY, recurse, TRUE)])


@traces(Module.named_parameters)
def named_parameters(
    trace: Trace, self: Value, prefix: Value = EMPTY, recurse: Value = TRUE, remove_duplicate: Value = TRUE
) -> Value:
    """`module.named_parameters()`."""
    return _named(_members(trace, self, "_parameters", prefix, recurse, remove_duplicate))


@traces(Module.named_buffers)
def named_buffers(
    trace: Trace, self: Value, prefix: Value = EMPTY, recurse: Value = TRUE, remove_duplicate: Value = TRUE
) -> Value:
    """`module.named_buffers()`."""
    return _named(_members(trace, self, "_buffers", prefix, recurse, remove_duplicate))


@traces(Module.modules)
def modules(trace: Trace, self: Value) -> Value:
    """`module.modules()`."""
    if not isinstance(self, LayerValue):
        raise self.unsupported("modules()")
    return _generator([each for _, each in _walk(trace, self, "", set())])


@traces(clear_gradient)
def trace_clear_gradient(trace: Trace, param: Value, set_to_none: Value) -> Value:
    """Whatever the gradient was, it is gone; so nobody has to look."""
    if not isinstance(param, TensorValue) or not param.root.leaf or param.array.path:
        raise TENSOR_FEATURE.stop(feature="zero_grad() of something else than a leaf")
    if set_to_none.constant(trace):
        set_grad(trace, param.root, NONE)
        return NONE
    known = grad_of(trace, param.root)
    if isinstance(known, SparseTensorValue):
        zero(trace, known)
    if isinstance(known, TensorValue):
        if known.requires_grad:
            raise TENSOR_FEATURE.stop(feature="zero_grad() of a gradient with a history")
        with trace.no_grad():
            assign(known, 0.0)
    return NONE
