"""Every composite: an op with a derivative and a NumPy form of its own that expands into primitives.

They stay whole in traced graphs, so that differentiation uses their stable rules; `expand_composites` then rewrites
them, and fusion sees only primitives. The declarations stand by family in the modules named here.
"""

from __future__ import annotations

from .activations import ALIAS, GELU, POW_SCALAR, RELU, ROOT, SIGMOID, SILU, SOFTPLUS
from .elementary import ARCCOSH, ARCSINH, ARCTANH, FMOD, HYPOT, LOGADDEXP
from .layers import LAYER_NORM, LINEAR, NLL_LOSS
from .registry import Composite
from .scans import CUMPROD, CUMSUM
from .statistics import LOG_SOFTMAX, MEAN, SOFTMAX, VAR

__all__ = [
    "ALIAS",
    "ARCCOSH",
    "ARCSINH",
    "ARCTANH",
    "CUMPROD",
    "CUMSUM",
    "FMOD",
    "GELU",
    "HYPOT",
    "LAYER_NORM",
    "LINEAR",
    "LOGADDEXP",
    "LOG_SOFTMAX",
    "MEAN",
    "NLL_LOSS",
    "POW_SCALAR",
    "RELU",
    "ROOT",
    "SIGMOID",
    "SILU",
    "SOFTMAX",
    "SOFTPLUS",
    "VAR",
    "Composite",
]
