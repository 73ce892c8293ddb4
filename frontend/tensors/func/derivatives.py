"""Derivatives of functions while tracing: their names, and from where to where they are carried forward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....func.differentiate import begin_tangents, end_tangents
from ....func.gradients import named
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import NONE

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@traces(named)
def trace_named(trace: Trace, transformed: Value, func: Value) -> Value:
    """The function, whose name nobody outside of the call sees."""
    return transformed


@traces(begin_tangents)
def trace_begin_tangents(trace: Trace) -> Value:
    """From here on, derivatives are carried forward."""
    trace.batches.tangents += 1
    return NONE


@traces(end_tangents)
def trace_end_tangents(trace: Trace) -> Value:
    """They are not any more."""
    trace.batches.tangents -= 1
    return NONE
