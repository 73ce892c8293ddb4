"""Every composite: an op with a derivative and a NumPy form of its own that expands into primitives.

They stay whole in traced graphs, so that differentiation uses their stable rules; `expand_composites` then rewrites
them, and fusion sees only primitives. The declarations stand by family in the modules named here.
"""

from __future__ import annotations

from .activations import ALIAS, GELU, POW_SCALAR, RELU, ROOT, SGN, SIGMOID, SILU, SOFTPLUS, WITH_HISTORY
from .elementary import (
    ARCCOSH,
    ARCSINH,
    ARCTANH,
    CLAMP,
    CLAMP_MAX,
    CLAMP_MIN,
    FMAX,
    FMIN,
    FMOD,
    HYPOT,
    LOGADDEXP,
    LOGIT,
    TRUNC_DIVIDE,
    XLOGY,
)
from .layers import LAYER_NORM, LINEAR, NLL_LOSS
from .ordering import (
    ARGSORT,
    HISTC,
    ISIN,
    PLACE_OF_EXTREME,
    PLACE_OF_RANK,
    PLACE_OF_SHARE,
    SEARCHSORTED,
    WEIGHT_OF_SHARE,
)
from .piecewise import HARDTANH, HUBER, LEAKY_RELU
from .registry import Composite
from .rounding import ROUNDED
from .scans import CUMPROD, CUMSUM
from .statistics import LOG_SOFTMAX, MEAN, SHARED_MAX, SHARED_MIN, SOFTMAX, TIED, VAR

__all__ = [
    "ROUNDED",
    "WEIGHT_OF_SHARE",
    "PLACE_OF_SHARE",
    "SEARCHSORTED",
    "PLACE_OF_RANK",
    "PLACE_OF_EXTREME",
    "ISIN",
    "HISTC",
    "ARGSORT",
    "ALIAS",
    "ARCCOSH",
    "ARCSINH",
    "ARCTANH",
    "CLAMP",
    "CLAMP_MAX",
    "CLAMP_MIN",
    "CUMPROD",
    "CUMSUM",
    "FMAX",
    "FMIN",
    "FMOD",
    "GELU",
    "HARDTANH",
    "HUBER",
    "HYPOT",
    "LEAKY_RELU",
    "LAYER_NORM",
    "LINEAR",
    "LOGADDEXP",
    "LOGIT",
    "LOG_SOFTMAX",
    "MEAN",
    "NLL_LOSS",
    "POW_SCALAR",
    "RELU",
    "ROOT",
    "SGN",
    "SHARED_MAX",
    "SHARED_MIN",
    "SIGMOID",
    "SILU",
    "SOFTMAX",
    "SOFTPLUS",
    "TIED",
    "TRUNC_DIVIDE",
    "VAR",
    "WITH_HISTORY",
    "XLOGY",
    "Composite",
]
