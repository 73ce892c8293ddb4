"""Initial values of parameters; each function fills its tensor in place and gives it back.

Source: Glorot & Bengio 2010 (xavier); He et al. 2015 (kaiming); Saxe, McClelland & Ganguli 2013 (orthogonal); Martens
2010 (sparse).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any

import numpy as np

from ..autograd.modes import no_grad
from ..core import dtypes
from ..ops.pointwise import ERF
from ..tensor import Tensor, random
from ..tensor.creation import from_numpy
from ..tensor.generator import Generator
from ..tensor.writing import fill_
from .errors import LayerArgumentError

_LINEAR = "linear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d sigmoid".split()
_GAINS = {**dict.fromkeys(_LINEAR, 1.0), "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}


_SKIPPING: set[int] = set()
"""The threads in which parameters are left as they are; see `skipped`."""


@contextmanager
def skipped() -> Iterator[None]:
    """A context in which, for this thread, the functions that modules begin with leave their tensors as they are."""
    thread = get_ident()
    outermost = thread not in _SKIPPING
    _SKIPPING.add(thread)
    try:
        yield
    finally:
        if outermost:
            _SKIPPING.discard(thread)


def _is_skipped() -> bool:
    return bool(_SKIPPING) and get_ident() in _SKIPPING


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By how much to scale weights before that nonlinearity; `param` is the negative slope of "leaky_relu"."""
    if nonlinearity == "leaky_relu":
        if param is not None and (isinstance(param, bool) or not isinstance(param, (int, float))):
            raise LayerArgumentError(f"negative_slope {param} not a valid number")
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in _GAINS:
        raise LayerArgumentError(f"no gain is known for {nonlinearity!r}; known: leaky_relu, {', '.join(_GAINS)}")
    return _GAINS[nonlinearity]


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """`tensor`, uniform from `a` up to `b`."""
    if _is_skipped():
        return tensor
    with no_grad():
        return random.uniform_(tensor, a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """`tensor`, normal around `mean`."""
    if _is_skipped():
        return tensor
    with no_grad():
        return random.normal_(tensor, mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """`tensor`, full of `val`."""
    if _is_skipped():
        return tensor
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
    std = _kaiming(tensor, a, mode, nonlinearity)
    return tensor if std is None else uniform_(tensor, -math.sqrt(3.0) * std, math.sqrt(3.0) * std, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """`tensor`, normal, with a variance that keeps that of the signal; `a` is leaky_relu's negative slope."""
    std = _kaiming(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0.0, std, generator)


def _kaiming(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float | None:
    """The standard deviation; None for a tensor without elements, with a warning."""
    if 0 in tensor.shape:
        warnings.warn("a tensor without elements is initialised; nothing is done", stacklevel=3)
        return None
    return calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    """The one of the two numbers of `_fans` that `mode` names: "fan_in" or "fan_out", in any letters."""
    fans = dict(zip(("fan_in", "fan_out"), _fans(tensor)))
    if mode.lower() not in fans:
        raise LayerArgumentError(f"mode is 'fan_in' or 'fan_out', got {mode!r}")
    return fans[mode.lower()]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """`tensor`, uniform, with a variance between those that keep the signal forward and backward."""
    fan_in, fan_out = _fans(tensor)
    bound = gain * math.sqrt(6.0 / (fan_in + fan_out))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """`tensor`, normal, with a variance between those that keep the signal forward and backward."""
    fan_in, fan_out = _fans(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / (fan_in + fan_out)), generator)


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Tensor:
    """`tensor`, normal around `mean`, of what lies between `a` and `b`. A mean far outside of them gives a warning.

    The inverse of the distribution function of even numbers.
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect.",
            stacklevel=2,
        )
    low, high = (math.erf((bound - mean) / std / math.sqrt(2.0)) for bound in (a, b))
    drawn = random.rand(tuple(tensor.shape), dtype=dtypes.float64, generator=generator).numpy()
    values = mean + std * math.sqrt(2.0) * _inverse_erf(low + (high - low) * drawn)
    with no_grad():
        return tensor.copy_(from_numpy(np.clip(values, a, b)))


def _inverse_erf(x: Any) -> Any:
    """The inverse of the error function: an approximation, made exact by three steps of Halley's.

    Source: Winitzki 2008, A handy approximation for the error function and its inverse.
    """
    with np.errstate(all="ignore"):
        log = np.log1p(-x * x)
        half = 2.0 / (math.pi * 0.147) + log / 2
        found = np.sign(x) * np.sqrt(np.sqrt(half * half - log / 0.147) - half)
        for _ in range(3):
            error = (ERF.eager(found) - x) * np.exp(found * found) * (math.sqrt(math.pi) / 2)
            step = error / (1 + found * error)
            found = np.where(np.isfinite(step), found - step, found)
    return found


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Generator | None = None) -> Tensor:
    """`tensor`, whose rows or columns (whichever are fewer) are orthogonal and of length `gain`.

    Axes behind the first count as one. Errors: ValueError for fewer than two axes.
    """
    if tensor.ndim < 2:
        raise LayerArgumentError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel():
        return tensor
    rows = tensor.shape[0]
    columns = tensor.numel() // rows
    drawn = random.randn((rows, columns), dtype=dtypes.float64, generator=generator).numpy()
    q, r = np.linalg.qr(drawn.T if rows < columns else drawn)
    q = q * np.where(np.diagonal(r) < 0, -1.0, 1.0)
    found = np.ascontiguousarray(q.T if rows < columns else q) * gain
    with no_grad():
        return tensor.copy_(from_numpy(found.reshape(tuple(tensor.shape))))


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """`tensor`, normal around 0, with that share of each column 0. Errors: ValueError unless it has two axes."""
    if tensor.ndim != 2:
        raise LayerArgumentError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    normal_(tensor, 0.0, std, generator)
    with no_grad():
        for column in range(columns):
            tensor[random.randperm(rows, generator=generator)[:zeros], column] = 0
    return tensor


def eye_(tensor: Tensor) -> Tensor:
    """`tensor`, as the identity, as far as it is square. Errors: ValueError unless it has two axes."""
    if tensor.ndim != 2:
        raise LayerArgumentError("Only tensors with 2 dimensions are supported")
    with no_grad():
        return tensor.copy_(from_numpy(np.eye(tensor.shape[0], tensor.shape[1])))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """`tensor`, as the weight of a convolution that gives its input, as far as there are channels in each group.

    Errors: ValueError for fewer than three axes or more than five, or channels that the groups do not divide.
    """
    if tensor.ndim not in (3, 4, 5):
        raise LayerArgumentError("Only tensors with 3, 4, or 5 dimensions are supported")
    shape = tuple(tensor.shape)
    if shape[0] % groups:
        raise LayerArgumentError("dim 0 must be divisible by groups")
    size = shape[0] // groups
    found = np.zeros(shape)
    for group in range(groups):
        for place in range(min(size, shape[1])):
            found[(group * size + place, place, *(extent // 2 for extent in shape[2:]))] = 1
    with no_grad():
        return tensor.copy_(from_numpy(found))


def _fans(tensor: Tensor) -> tuple[int, int]:
    """The number of inputs that feed one output, and the number of outputs that one input feeds."""
    shape = tuple(tensor.shape)
    if len(shape) < 2:
        raise LayerArgumentError(f"fan in and fan out need a tensor of 2 axes or more, got shape {list(shape)}")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


_calculate_fan_in_and_fan_out = _fans
"""The name that PyTorch has for it, which scripts use."""
