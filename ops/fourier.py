"""Discrete Fourier transforms along one axis, which NumPy computes.

All are linear, so a cotangent goes back by the transform of the other sign; see each rule. `norm` says which of the two
signs is divided by the number of samples: "backward" the inverse, "forward" the forward one, "ortho" both by its root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .matrix_forms import laid_out
from .ordering import found_by_numpy
from .registry import Array, Sample

Value = Any
OTHER = {"backward": "forward", "forward": "backward", "ortho": "ortho"}
"""For each norm that by which the transform of the other sign has the same factor."""


def _check(name: str, x: TensorType, axis: int, norm: str, fits: bool) -> None:
    if not fits:
        raise OpError(f"{name} does not take {x.dtype}")
    if not 0 <= axis < x.rank or not x.shape[axis]:
        raise OpError(f"{name} has no samples along axis {axis} of {x}")
    if norm not in OTHER:
        raise OpError(f"{name} takes a norm of {', '.join(OTHER)}, got {norm!r}")


def _resized(x: TensorType, axis: int, size: int, dtype: dtypes.DType) -> TensorType:
    return x.with_shape((*x.shape[:axis], size, *x.shape[axis + 1 :])).with_dtype(dtype)


def _complex_samples(shape: tuple[int, ...], dtype: dtypes.DType) -> Array:
    part = dtypes.PART[dtype]
    return np.asarray(samples.uniform(-1, 1, shape, part, 1) + 1j * samples.uniform(-1, 1, shape, part, 2), dtype.numpy)


# fft: complex[*] -> complex[*]. Its matrix is symmetric, so the conjugate one is that of the other sign.
def _fft_meta(x: TensorType, *, axis: int, norm: str, inverse: bool) -> TensorType:
    _check("fft", x, axis, norm, x.dtype.is_complex)
    return x


def transformed(x: Array, *, axis: int, norm: str, inverse: bool) -> Array:
    """The transform of complex numbers, row-major."""
    function: Callable[..., Array] = np.fft.ifft if inverse else np.fft.fft
    return laid_out(function(x, axis=axis, norm=norm), x)


def _fft_samples() -> Iterable[Sample]:
    for dtype in dtypes.COMPLEX:
        for axis, norm, inverse in ((0, "backward", False), (1, "ortho", True), (1, "forward", False)):
            yield samples.with_attrs((_complex_samples((4, 5), dtype),), axis=axis, norm=norm, inverse=inverse)


FFT = found_by_numpy(
    "fft",
    _fft_meta,
    transformed,
    _fft_samples,
    vjp=(lambda f, g, *, axis, norm, inverse: f.fft(g, axis=axis, norm=OTHER[norm], inverse=not inverse),),
    grad_name="FftC2C",
    exact=False,
)


# rfft: the first half, n // 2 + 1, of the transform of n real samples.
def _rfft_meta(x: TensorType, *, axis: int, norm: str) -> TensorType:
    _check("rfft", x, axis, norm, x.dtype in dtypes.FLOATS)
    return _resized(x, axis, x.shape[axis] // 2 + 1, x.dtype.to_complex())


def transformed_reals(x: Array, *, axis: int, norm: Any) -> Array:
    """The first half of the transform of real numbers, row-major."""
    return laid_out(np.fft.rfft(x, axis=axis, norm=norm), np.empty(0, np.result_type(x, np.complex64)))


def _rfft_rule(f: Emitter, g: Value, shapes: Any, *, axis: int, norm: str) -> Value:
    """The real part of the transform back, of the cotangent with zeros for the half that was not given."""
    shape = f.shape(g)
    after = tuple(shapes[0][axis] - shape[axis] if k == axis else 0 for k in range(len(shape)))
    whole = f.pad(g, before=(0,) * len(shape), after=after, value=0)
    return f.real(f.fft(whole, axis=axis, norm=OTHER[norm], inverse=True))


def _rfft_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        for axis, norm in ((0, "backward"), (1, "ortho"), (1, "forward")):
            yield samples.with_attrs((samples.uniform(-1, 1, (4, 5), dtype),), axis=axis, norm=norm)


RFFT = found_by_numpy(
    "rfft", _rfft_meta, transformed_reals, _rfft_samples, vjp=(_rfft_rule,), grad_name="FftR2C", exact=False
)


# irfft: n real samples from the first half of their transform, of which the others are the conjugates.
def _irfft_meta(x: TensorType, *, axis: int, norm: str, size: int) -> TensorType:
    _check("irfft", x, axis, norm, x.dtype.is_complex)
    if size < 1 or x.shape[axis] != size // 2 + 1:
        raise OpError(f"irfft takes {size // 2 + 1} numbers for {size} samples, got {x} along axis {axis}")
    return _resized(x, axis, size, dtypes.PART[x.dtype])


def reals_of_transform(x: Array, *, axis: int, norm: Any, size: int) -> Array:
    """The real numbers of which this is the first half of the transform, row-major."""
    return laid_out(np.fft.irfft(x, size, axis=axis, norm=norm), x.real)


def _irfft_rule(f: Emitter, g: Value, *, axis: int, norm: str, size: int) -> Value:
    """The transform of the cotangent, twice where the conjugate is in the half that was not given."""
    made = f.rfft(g, axis=axis, norm=OTHER[norm])
    shape = f.shape(made)
    place = f.arange(start=0, step=1, size=shape[axis], dtype=dtypes.int64)
    place = f.reshape(place, shape=tuple(each if k == axis else 1 for k, each in enumerate(shape)))
    alone = f.bitwise_or(f.equal(place, 0), f.equal(f.multiply(place, 2), size))
    return f.where(alone, made, f.multiply(made, 2.0))


def _irfft_samples() -> Iterable[Sample]:
    for dtype in dtypes.COMPLEX:
        for axis, norm, size in ((0, "backward", 6), (1, "ortho", 9), (0, "forward", 7)):
            yield samples.with_attrs((_complex_samples((4, 5), dtype),), axis=axis, norm=norm, size=size)


IRFFT = found_by_numpy(
    "irfft", _irfft_meta, reals_of_transform, _irfft_samples, vjp=(_irfft_rule,), grad_name="FftC2R", exact=False
)

__all__ = ["FFT", "IRFFT", "RFFT"]
