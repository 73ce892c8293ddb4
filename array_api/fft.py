"""The part of the extension `fft` that has no complex numbers in it. The transforms themselves are not there."""

from __future__ import annotations

from typing import Any

from ..core.dtypes import DType
from ..tensor.arithmetic import div
from ..tensor.creation import arange
from ..tensor.joining import cat
from ..tensor.promotion import get_default_dtype
from ..tensor.rearranging import roll
from ..tensor.shapes import wrap_axes
from .declare import array, given_dtype, named, standard

Value = Any


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

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def __getattr__(name: str) -> Any:
    if name in "fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft".split():
        raise AttributeError(
            f"guardlift.array_api.fft has no {name}: its numbers are complex, and there are no complex tensors. Take "
            f"numpy.fft.{name} on x.detach().numpy(), which a jitted function calls as it stands"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
