"""NumPy's generators of random numbers: `numpy.random.Generator`, from outside or made by the call."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.types import TensorType
from ....graph.node import Node
from ....guards.guard import Is, TypeIs
from ....guards.sources import Attribute, Source
from ...breaks import UNKNOWN_CALL
from ...tracing.random_draws import GENERATOR
from ...tracing.rules import checked_call
from .. import protocols
from ..base import Value, wraps_when
from ..builtin_callable import BuiltinCallable
from .builtin_methods import BuiltinMethod

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def refuse_draws(trace: Trace) -> None:
    """Errors: a break where the graph is run by a backend that knows nothing of NumPy's generators."""
    if not trace.backend.is_native:
        raise UNKNOWN_CALL.stop(name=f"a NumPy generator, under the backend {trace.backend.name!r}")


class RandomGenerator(Value):
    """A generator. `address`: of its C functions, a run-time input of the plan. See Note [Drawing]."""

    __slots__ = ("address", "source")

    def __init__(self, address: Node, source: Source | None) -> None:
        self.address = address
        self.source = source

    @property
    def python_type(self) -> type:
        import numpy as np

        return np.random.Generator

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        if name not in protocols.RANDOM_METHODS.load():
            raise self.unsupported(f"the attribute {name!r}")
        refuse_draws(trace)
        return DrawingMethod(self, name)


class DrawingMethod(BuiltinMethod):
    """A method of a generator that draws."""

    __slots__ = ()

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return checked_call(
            f"Generator.{self.name}", protocols.RANDOM_METHODS.load()[self.name], trace, self.receiver, *args, **kwargs
        )


_BIT_GENERATORS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")


def _is_generator(value: Any) -> bool:
    """Whether an object is a generator over one of NumPy's own bit generators."""
    random = sys.modules.get("numpy.random")
    if random is None or type(value) is not random.Generator:
        return False
    return any(type(value.bit_generator) is getattr(random, name) for name in _BIT_GENERATORS)


@wraps_when(_is_generator, first=True)
def wrap_generator(trace: Trace, value: Any, source: Source) -> Value:
    """The generator read at `source`. Two names of one generator are two values; their draws are in order even so."""
    trace.guard(TypeIs, source, expected=type(value))
    trace.guard(TypeIs, Attribute(source, "bit_generator"), expected=type(value.bit_generator))
    return RandomGenerator(trace.scalar_input(GENERATOR, TensorType((), dtypes.int64), source, value), source)


def _makes_generators(value: Any) -> bool:
    random = sys.modules.get("numpy.random")
    return random is not None and value is random.default_rng


@wraps_when(_makes_generators, first=True)
def wrap_default_rng(trace: Trace, value: Any, source: Source) -> Value:
    """`np.random.default_rng`, which is no function of Python's own kinds."""
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)
