"""Initial values of parameters; each function fills its tensor in place and gives it back.

Source: Glorot & Bengio 2010 (xavier); He et al. 2015 (kaiming).
"""

from __future__ import annotations

import math
import warnings

from ..autograd.modes import no_grad
from ..tensor import Tensor, random
from ..tensor.random import Generator
from ..tensor.writing import fill_
from .errors import LayerArgumentError

_GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By how much to scale weights before that nonlinearity; `param` is the negative slope of "leaky_relu"."""
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in _GAINS:
        raise LayerArgumentError(f"no gain is known for {nonlinearity!r}; known: leaky_relu, {', '.join(_GAINS)}")
    return _GAINS[nonlinearity]


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """`tensor`, uniform from `a` up to `b`."""
    with no_grad():
        return random.uniform_(tensor, a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """`tensor`, normal around `mean`."""
    with no_grad():
        return random.normal_(tensor, mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """`tensor`, full of `val`."""
    with no_grad():
        return fill_(tensor, val)


def zeros_(tensor: Tensor) -> Tensor:
    """`tensor`, full of zeros."""
    return constant_(tensor, 0.0)


def ones_(tensor: Tensor) -> Tensor:
    """`tensor`, full of ones."""
    return constant_(tensor, 1.0)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """`tensor`, uniform, with a variance that keeps that of the signal; `a` is leaky_relu's negative slope."""
    if 0 in tensor.shape:
        warnings.warn("a tensor without elements is initialised; nothing is done", stacklevel=2)
        return tensor
    fans = dict(zip(("fan_in", "fan_out"), _fans(tensor)))
    if mode not in fans:
        raise LayerArgumentError(f"mode is 'fan_in' or 'fan_out', got {mode!r}")
    bound = math.sqrt(3.0) * calculate_gain(nonlinearity, a) / math.sqrt(fans[mode])
    return uniform_(tensor, -bound, bound, generator)


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """`tensor`, uniform, with a variance between those that keep the signal forward and backward."""
    fan_in, fan_out = _fans(tensor)
    bound = gain * math.sqrt(6.0 / (fan_in + fan_out))
    return uniform_(tensor, -bound, bound, generator)


def _fans(tensor: Tensor) -> tuple[int, int]:
    """The number of inputs that feed one output, and the number of outputs that one input feeds."""
    shape = tuple(tensor.shape)
    if len(shape) < 2:
        raise LayerArgumentError(f"fan in and fan out need a tensor of 2 axes or more, got shape {list(shape)}")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field
