"""Draws that NumPy makes itself: for the call, before its plan runs, or called by the plan or a native loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core import dtypes
from ...breaks import TENSOR_FEATURE
from ...tracing.generator_states import is_legacy
from ...tracing.nodes import constant_node
from ...tracing.rules import Rule
from ...values.arrays.array import Storage, result
from ...values.base import Value
from ...values.objects.random_generators import RandomGenerator
from .before_plan import drawn_before_plan
from .rule import call_out, write_out

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def draws_token(trace: Trace) -> Storage:
    """The storage that every draw of the plan's changes. Errors: a break beside tensors."""
    if trace.inputs.tensors:
        raise TENSOR_FEATURE.stop(feature="a draw from a NumPy generator, with computed arguments, beside tensors")
    if trace.draws.token is None:
        node = constant_node(trace, 0, (1,), dtypes.int64)
        trace.draws.token = result(trace, node).storage
    return trace.draws.token


def before_plan(
    trace: Trace, called: str, generator: RandomGenerator, args: Sequence[Value], kwargs: dict[str, Value]
) -> Value | None:
    """The result of a draw that the call makes before its plan; None where the plan has to."""
    is_later = trace.draws.token is not None or trace.region is not None or trace.error_states
    if is_later or generator.source is None or not (is_legacy(generator.real) or trace.inputs.tensors):
        return None
    return drawn_before_plan(trace, called, generator, args, kwargs)


def by_numpy(called: str) -> Rule:
    """The rule of a method that NumPy itself runs. called: its name from the top module."""

    def rule(trace: Trace, generator: RandomGenerator, /, *args: Value, **kwargs: Value) -> Value:
        drawn = before_plan(trace, called, generator, args, kwargs)
        return (
            call_out(trace, called, [generator, *args], kwargs, changes=draws_token(trace)) if drawn is None else drawn
        )

    return rule


def shuffled_by_numpy(called: str) -> Rule:
    """The rule of a method that shuffles an array in place: a shuffled copy is stored."""

    def rule(trace: Trace, generator: RandomGenerator, x: Value, axis: Value | None = None) -> Value:
        arguments = [generator, x, *([] if axis is None else [axis])]
        return write_out(trace, called, x, arguments, {}, changes=draws_token(trace))

    return rule
