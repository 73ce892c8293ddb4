"""Draws of random tensors while tracing: the seed and the offset are inputs of the plan, which each call takes anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.types import TensorType
from ....graph.node import Node
from ....guards.guard import TypeIs
from ....guards.sources import ConstantSource, Source
from ....ops.pointwise import ADD
from ....ops.random import blocks
from ....ops.registry import OpDef
from ....tensor.random import Generator, default_generator
from ...breaks import BACKWARD_DRAW, PART_DRAW
from ...tracing.inputs import Input
from ...tracing.random_draws import TENSOR_OFFSET, TENSOR_SEED
from ...values.base import Value, wraps
from .dispatch import number_node

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


@wraps(Generator)
def wrap_generator(trace: Trace, value: Any, source: Source) -> Value:
    """The generator read at `source`."""
    trace.guard(TypeIs, source, expected=Generator)
    return TensorGeneratorValue(value, source)


def drawn(trace: Trace, op: OpDef, generator: Any, attrs: Mapping[str, Any]) -> Node:
    """A draw with an op of `ops.random`. See Note [Draws of tensors].

    Errors: a break where how much is drawn would depend on more than the call does, or where somebody else draws.
    """
    if trace.iterations or trace.region is not None:
        raise PART_DRAW.stop()
    if trace.deferred is not None:
        raise BACKWARD_DRAW.stop()
    seed, offset = _inputs(trace, generator)
    start = offset.node
    with trace.no_grad():
        if offset.blocks != 0:
            start = trace.add(ADD, start, number_node(trace, offset.blocks, dtypes.int64, ()))
        node = trace.add(op, seed.node, start, **attrs)
    offset.blocks += blocks(op, attrs["shape"], attrs["dtype"])
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


def _input(trace: Trace, kind: str, source: Source, real: Generator) -> Input:
    name = f"{kind.partition(' ')[0]}_{len(trace.inputs.entries)}"
    made = Input(
        kind, source, trace.builder.input(TensorType((), dtypes.int64), name, trace.progress.location), example=real
    )
    trace.inputs.entries.append(made)
    return made
