"""Optimizers that call a closure as often as its results ask for, while tracing: Python runs the step.

The closure is compiled for itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....optim.algorithms.lbfgs import LBFGS
from ...breaks import CLOSURE_AGAIN
from ...tracing.rules import traces
from ...values.base import Value

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@traces(vars(LBFGS)["step"])
def trace_step(trace: Trace, optimizer: Value, *args: Value, **kwargs: Value) -> Value:
    """`step(closure)`. Errors: a break, always."""
    raise CLOSURE_AGAIN.stop(name="LBFGS.step")
