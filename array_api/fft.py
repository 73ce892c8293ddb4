"""The extension `fft` of the standard: discrete Fourier transforms, which NumPy computes.

`n` (or `s`, one for each axis) is the number of samples: more are cut off, fewer filled up with zeros. `norm` says what
is divided by that number: "backward" the inverse transform, "forward" the forward one, "ortho" both by its root.
"""

from __future__ import annotations

from typing import Any

from ..core.dtypes import DType
from ..fft import transforms
from ..tensor.arithmetic import div
from ..tensor.creation import arange
from ..tensor.joining import cat
from ..tensor.promotion import get_default_dtype
from ..tensor.rearranging import roll
from ..tensor.shapes import wrap_axes
from .declare import array, given_dtype, named, standard

Value = Any


def _along_one(name: str, accepted: str, compute: Any, gives: str, shapes: str) -> Any:
    def function(x: Value, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Value:
        return compute(array(name, x, accepted), n, axis, norm)

    text = f"{gives} along `axis`.\n\n    Shapes: x {accepted} {shapes}.\n"
    return named(function, name, f"{text}    Errors: TypeError for other dtypes, RuntimeError for no samples.\n    ")


def _along_several(name: str, accepted: str, compute: Any, gives: str, shapes: str) -> Any:
    def function(x: Value, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Value:
        return compute(array(name, x, accepted), s, axes, norm)

    text = f"{gives} along `axes`: the last ones that `s` has sizes for where it is None, or all.\n\n"
    text += f"    Shapes: x {accepted} {shapes}.\n"
    return named(function, name, f"{text}    Errors: TypeError for other dtypes, RuntimeError for no samples.\n    ")


COMPLEX, REALS = "complex floating-point", "real floating-point"
HALF = "[*, m, *] -> complex [*, n // 2 + 1, *]"
BACK = "[*, m, *] -> real [*, n, *], by default 2 * (m - 1)"

fft = _along_one("fft", COMPLEX, transforms.fft, "The transform", "[*, m, *] -> [*, n, *]")
ifft = _along_one(
    "ifft", COMPLEX, transforms.ifft, "The samples of which this is the transform", "[*, m, *] -> [*, n, *]"
)
rfft = _along_one("rfft", REALS, transforms.rfft, "The first half of the transform of real samples", HALF)
irfft = _along_one("irfft", COMPLEX, transforms.irfft, "The real samples with this first half of a transform", BACK)
hfft = _along_one(
    "hfft", COMPLEX, transforms.hfft, "The real transform of samples of which this is the first half", BACK
)
ihfft = _along_one("ihfft", REALS, transforms.ihfft, "The first half of the samples with this real transform", HALF)
fftn = _along_several("fftn", COMPLEX, transforms.fftn, "The transform", "[*] -> [*]")
ifftn = _along_several("ifftn", COMPLEX, transforms.ifftn, "The samples of which this is the transform", "[*] -> [*]")
rfftn = _along_several("rfftn", REALS, transforms.rfftn, "The transform of real samples", "[*, m] -> [*, n // 2 + 1]")
irfftn = _along_several(
    "irfftn", COMPLEX, transforms.irfftn, "The real samples with this half of a transform", "[*, m] -> real [*, n]"
)


def _steps(name: str, dtype: DType | None) -> DType:
    wanted = given_dtype(name, dtype) or get_default_dtype()
    if not wanted.is_float:
        raise TypeError(f"{name}(): gives floats, got {wanted}")
    return wanted


@standard
def fftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Any = None) -> Value:
    """The frequencies of the terms of a transform of `n` samples that are `d` apart, the negative ones last.

    Shapes: -> [n], in cycles per unit of `d`; in the default dtype of floats unless told otherwise.
    """
    wanted = _steps("fftfreq", dtype)
    first = arange(0, (n - 1) // 2 + 1, dtype=wanted, device=device)
    return div(cat([first, arange(-(n // 2), 0, dtype=wanted, device=device)]), n * d)


@standard
def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Any = None) -> Value:
    """The frequencies of the terms of a transform of `n` real samples that are `d` apart.

    Shapes: -> [n // 2 + 1], in cycles per unit of `d`; in the default dtype of floats unless told otherwise.
    """
    return div(arange(0, n // 2 + 1, dtype=_steps("rfftfreq", dtype), device=device), n * d)


def _shift(name: str, moved: Any, gives: str) -> Any:
    def function(x: Value, /, *, axes: Any = None) -> Value:
        places = wrap_axes(axes, array(name, x, "floating-point").ndim)
        return roll(x, tuple(moved(x.shape[each]) for each in places), places) if places else x

    text = f"{gives} along `axes`: None for all, one, or several.\n\n    Shapes: x floating-point [*] -> [*].\n"
    return named(function, name, f"{text}    Errors: TypeError for other dtypes.\n    ")


fftshift = _shift("fftshift", lambda size: size // 2, "A copy with the frequency 0 in the middle")
ifftshift = _shift("ifftshift", lambda size: -(size // 2), "A copy with the frequency 0 in front again")

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]
