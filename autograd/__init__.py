"""Eager differentiation: the tape that tensor operations are recorded on, and the engine that runs it backwards."""

from . import graph
from .checkpointing import CheckpointError, checkpoint, checkpoint_sequential
from .differentiate import backward, grad
from .edges import edges_of
from .function import Function
from .history import attach, current_node
from .methods import METHODS  # noqa: F401  (makes them methods of Tensor)
from .modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from .node import Node

__all__ = [
    "CheckpointError",
    "Function",
    "Node",
    "attach",
    "backward",
    "checkpoint",
    "checkpoint_sequential",
    "current_node",
    "edges_of",
    "enable_grad",
    "grad",
    "graph",
    "is_grad_enabled",
    "no_grad",
    "set_grad_enabled",
]
