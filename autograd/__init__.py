"""Eager differentiation: the tape that tensor operations are recorded on, and the engine that runs it backwards."""

from . import forward_ad, functional, graph
from .anomaly import detect_anomaly, is_anomaly_check_nan_enabled, is_anomaly_enabled, set_detect_anomaly
from .checkpointing import CheckpointError, checkpoint, checkpoint_sequential
from .compiled_backward import compiled_autograd
from .differentiate import backward, grad
from .edges import edges_of
from .function import Function
from .gradcheck import GradcheckError, gradcheck, gradgradcheck
from .history import attach, current_node
from .inference import inference_mode, is_inference_mode_enabled
from .methods import METHODS  # noqa: F401  (makes them methods of Tensor)
from .modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from .node import Node

__all__ = [
    "CheckpointError",
    "Function",
    "GradcheckError",
    "Node",
    "attach",
    "backward",
    "checkpoint",
    "checkpoint_sequential",
    "compiled_autograd",
    "current_node",
    "detect_anomaly",
    "edges_of",
    "enable_grad",
    "forward_ad",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]
