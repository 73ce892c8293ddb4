"""Draws of random tensors while tracing: the seed and the offset are inputs of the plan, which each call takes anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.types import TensorType, contiguous_strides
from ....graph.node import Node
from ....guards.guard import TypeIs
from ....guards.sources import ConstantSource, Source
from ....ops.random import blocks
from ....ops.registry import OpDef
from ....tensor.generator import STATE_BYTES, Generator, default_generator
from ...breaks import BACKWARD_DRAW, PART_DRAW
from ...tracing.inputs import Input
from ...tracing.random_draws import TENSOR_OFFSET, TENSOR_SEED, TENSOR_STATE, StateCall
from ...tracing.round_draws import NUMBER, next_place, reader, unrecorded
from ...tracing.rules import Rule, checked_call
from ...values.base import Value, wraps
from ...values.numbers.input_scalar import InputNumber
from ...values.objects.builtin_methods import BuiltinMethod
from ...values.objects.objects import class_attribute
from ...values.tensors.tensor import TensorValue, fresh

if TYPE_CHECKING:
    from ...tracing.trace import Trace

DEFAULT = ConstantSource(default_generator, "the default generator of random tensors")


class TensorGeneratorValue(Value):
    """A generator of random tensors, from outside. What draws from it reads its seed and its offset at each call."""

    __guardlift_generator__ = True
    __slots__ = ("real", "source")

    def __init__(self, real: Generator, source: Source) -> None:
        self.real = real
        self.source = source

    @property
    def python_type(self) -> type:
        return Generator

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        if name not in ("manual_seed", "get_state", "set_state"):
            raise self.unsupported(f"the attribute {name!r}")
        class_attribute(trace, Generator, name)
        return _StateMethod(self, name)


class _StateMethod(BuiltinMethod):
    """A method that asks or changes where a generator of random tensors stands: the call does so before its plan."""

    __slots__ = ()

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return checked_call(f"Generator.{self.name}", _STATE_RULES[self.name], trace, self.receiver, *args, **kwargs)


def _manual_seed(trace: Trace, generator: TensorGeneratorValue, seed: Value) -> Value:
    if isinstance(seed, InputNumber) and seed.python_type is int:
        given: Any = seed.node(trace)
        if all(each.node is not given for each in trace.inputs.entries):
            raise seed.unsupported("a seed")
    else:
        given = seed.constant(trace)
        if type(given) is not int or not -(2**63) <= given < 2**64:
            raise seed.unsupported("a seed")
    _call_state(trace, generator, StateCall("manual_seed", given))
    return generator


def _get_state(trace: Trace, generator: TensorGeneratorValue) -> Value:
    return fresh(trace, _call_state(trace, generator, StateCall("get_state")), requires_grad=False)


def _set_state(trace: Trace, generator: TensorGeneratorValue, state: Value) -> Value:
    node = state.read() if isinstance(state, TensorValue) and state.dtype is dtypes.uint8 else None
    known = next((each for each in trace.inputs.entries if each.node is node and each.argument is not None), None)
    if known is None or known.node.type.shape != (STATE_BYTES,):
        raise state.unsupported("the state of a generator")
    _call_state(trace, generator, StateCall("set_state", known.node))
    return generator


_STATE_RULES: dict[str, Rule] = {"manual_seed": _manual_seed, "get_state": _get_state, "set_state": _set_state}


def _call_state(trace: Trace, generator: TensorGeneratorValue, call: StateCall) -> Node:
    """The input that a call of one of the methods above is. Errors: those of draws."""
    if trace.iterations:
        raise PART_DRAW.stop(what="a generator that is seeded, or whose state is asked for or put back,")
    _refuse_elsewhere(trace)
    assert generator.source is not None
    of_state = TensorType((STATE_BYTES,), dtypes.uint8)
    type = of_state if call.method == "get_state" else TensorType((), dtypes.int64)
    entry = _input(trace, TENSOR_STATE, generator.source, generator.real, type)
    entry.draw, entry.strides = call, contiguous_strides(type.shape)
    trace.draws.last = None
    trace.draws.calls += 1
    trace.draws.states += 1
    return entry.node


def _refuse_elsewhere(trace: Trace) -> None:
    if trace.region is not None:
        raise PART_DRAW.stop(what="random numbers drawn")
    if trace.deferred is not None:
        raise BACKWARD_DRAW.stop()


@wraps(Generator)
def wrap_generator(trace: Trace, value: Any, source: Source) -> Value:
    """The generator read at `source`."""
    trace.guard(TypeIs, source, expected=Generator)
    return TensorGeneratorValue(value, source)


def drawn(trace: Trace, op: OpDef, generator: Any, attrs: Mapping[str, Any]) -> Node:
    """A draw with an op of `ops.random`. See Note [Draws of tensors] and Note [Draws in rounds].

    Errors: a break where how much is drawn would depend on more than the call does, or where somebody else draws.
    """
    _refuse_elsewhere(trace)
    seed, offset = _inputs(trace, generator)
    where = reader(trace, offset)
    with unrecorded(trace):
        node = trace.add(op, seed.node, next_place(trace, where), **attrs)
    where.blocks += blocks(op, attrs["shape"], attrs["dtype"])
    return node


def _inputs(trace: Trace, generator: Any) -> tuple[Input, Input]:
    """The inputs for the seed and the offset of the next draw."""
    source: Source = DEFAULT
    if isinstance(generator, TensorGeneratorValue):
        assert generator.source is not None
        source, generator = generator.source, generator.real
    if trace.draws.last is None or trace.draws.last[1].source != source:
        trace.draws.last = (
            _input(trace, TENSOR_SEED, source, generator),
            _input(trace, TENSOR_OFFSET, source, generator),
        )
    return trace.draws.last


def _input(trace: Trace, kind: str, source: Source, real: Generator, type: TensorType = NUMBER) -> Input:
    name = f"{kind.partition(' ')[0]}_{len(trace.inputs.entries)}"
    made = Input(kind, source, trace.builder.input(type, name, trace.progress.location), example=real)
    trace.inputs.entries.append(made)
    return made
