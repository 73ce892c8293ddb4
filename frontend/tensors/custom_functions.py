"""What the user's own code does in backward, while tracing: custom functions and checkpoints break the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...autograd.checkpointing import checkpoint
from ...autograd.function import apply_function
from ..breaks import TENSOR_FEATURE
from ..callables import traces
from ..values.base import Value

if TYPE_CHECKING:
    from ..trace import Trace


@traces(apply_function)
def trace_function(trace: Trace, *args: Value, **kwargs: Value) -> Value:
    """Errors: a break. The backward of a custom function may do anything, and runs when a graph is walked back."""
    raise TENSOR_FEATURE.stop(feature="a custom autograd.Function")


@traces(checkpoint)
def trace_checkpoint(trace: Trace, *args: Value, **kwargs: Value) -> Value:
    """Errors: a break. What a checkpoint runs again in backward is the function, and not a graph of it."""
    raise TENSOR_FEATURE.stop(feature="autograd.checkpoint")
