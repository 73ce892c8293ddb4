"""Windows for signals: weights that fall off to both ends of a stretch of time."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from ..core.dtypes import DType
from .creation import tensor
from .promotion import get_default_dtype
from .surface import surface

Value = Any
Array = np.ndarray[Any, Any]


def _made(
    name: str, shape: Callable[[int], Array], length: int, periodic: bool, dtype: DType | None, **place: Any
) -> Value:
    kind, length = get_default_dtype() if dtype is None else dtype, index(length)
    if length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={length}")
    if not kind.is_float:
        raise RuntimeError(f"{name} expects floating point dtypes, got: {kind}")
    found = np.ones(1) if length == 1 else shape(length + 1)[:-1] if periodic else shape(length)
    return tensor(found[:length], dtype=kind, **place)


def _cosines(*factors: float) -> Callable[[int], Array]:
    def shape(length: int) -> Array:
        angle = 2 * np.pi * np.arange(length) / max(length - 1, 1)
        return sum(  # type: ignore[return-value]
            factor * (-1) ** order * np.cos(order * angle) for order, factor in enumerate(factors)
        )

    return shape


@surface
def hann_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """``0.5 - 0.5 * cos(2 pi n / (N - 1))``, [window_length].

    periodic: N is one more than the length, so that windows one after the other add up.
    Errors: RuntimeError for a negative length, or a dtype that is no float.
    """
    place = {"device": device, "requires_grad": requires_grad}
    return _made("hann_window", _cosines(0.5, 0.5), window_length, periodic, dtype, **place)


@surface
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """``alpha - beta * cos(2 pi n / (N - 1))``, [window_length]; see `hann_window`."""
    place = {"device": device, "requires_grad": requires_grad}
    return _made("hamming_window", _cosines(alpha, beta), window_length, periodic, dtype, **place)


@surface
def blackman_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """``0.42 - 0.5 * cos(2 pi n / (N - 1)) + 0.08 * cos(4 pi n / (N - 1))``, [window_length]; see `hann_window`."""
    place = {"device": device, "requires_grad": requires_grad}
    return _made("blackman_window", _cosines(0.42, 0.5, 0.08), window_length, periodic, dtype, **place)


@surface
def bartlett_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """A triangle, from 0 to 1 in the middle and back, [window_length]; see `hann_window`."""
    place = {"device": device, "requires_grad": requires_grad}
    return _made("bartlett_window", np.bartlett, window_length, periodic, dtype, **place)


@surface
def kaiser_window(
    window_length: int,
    periodic: bool = True,
    beta: float = 12.0,
    *,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """Kaiser's window, the narrower the larger `beta`, [window_length]; see `hann_window`."""
    place = {"device": device, "requires_grad": requires_grad}
    return _made("kaiser_window", lambda size: np.kaiser(size, beta), window_length, periodic, dtype, **place)


__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"]
