"""Draws of Python's module `random` while tracing. See Note [Draws of Python's module]."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.types import TensorType
from ....guards.guard import Is
from ....guards.sources import ConstantSource, Source
from ...breaks import BACKWARD_DRAW, PART_DRAW
from ...tracing.inputs import Input
from ...tracing.random_draws import PYTHON_DRAW
from ...tracing.rules import Rule, traces_family
from ...values.arrays.array import result
from ...values.base import Value, wraps_when
from ...values.builtin_callable import BuiltinCallable
from ...values.numbers.computed import ComputedNumber
from ..operators import operate

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@traces_family
def _rule_of(function: Any) -> Rule | None:
    """The rule of a function of the module, which is there only where somebody has imported it."""
    module: Any = sys.modules.get("random")
    if module is None:
        return None
    return next((rule for name, rule in RULES.items() if getattr(module, name, None) is function), None)


@wraps_when(lambda value: _rule_of(value) is not None, before_types=True)
def wrap_draw(trace: Trace, value: Any, source: Source) -> Value:
    """A function of the module, which is a method of the generator that it has."""
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)


def random(trace: Trace) -> Value:
    """A float that the call draws. Errors: a break where how many are drawn would depend on data."""
    if trace.iterations or trace.region is not None:
        raise PART_DRAW.stop()
    if trace.deferred is not None:
        raise BACKWARD_DRAW.stop()
    draw = sys.modules["random"].random
    name = f"random_{len(trace.inputs.entries)}"
    node = trace.builder.input(TensorType((), dtypes.float64), name, trace.progress.location)
    trace.inputs.entries.append(Input(PYTHON_DRAW, ConstantSource(draw, "random.random"), node, example=draw))
    return ComputedNumber(result(trace, node, is_numpy_scalar=True))


def uniform(trace: Trace, a: Value, b: Value) -> Value:
    """`random.uniform`, which is ``a + (b - a) * random()``."""
    return operate(trace, "+", a, operate(trace, "*", operate(trace, "-", b, a), random(trace)))


RULES: dict[str, Rule] = {"random": random, "uniform": uniform}
"""The rule of each function, by its name in the module."""
