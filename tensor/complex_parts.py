"""Complex tensors taken apart and put together: parts, conjugates, angles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core import dtypes
from ..ops.activations import ALIAS, SGN
from ..ops.complex_numbers import COMPLEX, IMAG, IMAG_VIEW, REAL, REAL_VIEW, VIEW_AS_COMPLEX, VIEW_AS_REAL
from .creation import full_like
from .dispatch import apply, assign_, is_tensor_like
from .pointwise import cos, isnan, lt, sign, sin, where
from .promotion import as_float
from .surface import attribute, method, surface
from .tensor import Tensor

Value = Any


@surface
def complex(real: Value, imag: Value) -> Value:
    """Complex numbers with these parts, which broadcast.

    Shapes: real f32[*], imag f32[*] -> c64[*]; of float64 complex128.
    Errors: RuntimeError for parts of different dtypes, and for others than float32 and float64.
    """
    _check_parts("complex", "real", "imag", real, imag)
    return apply(COMPLEX, real, imag)


@surface
def polar(abs: Value, angle: Value) -> Value:
    """Complex numbers of these lengths at these angles, in radians; both broadcast.

    Shapes: abs f32[*], angle f32[*] -> c64[*]; of float64 complex128.
    Errors: RuntimeError for operands of different dtypes, and for others than float32 and float64.
    """
    _check_parts("polar", "abs", "angle", abs, angle)
    return apply(COMPLEX, abs * cos(angle), abs * sin(angle))


def _check_parts(name: str, first: str, second: str, left: Value, right: Value) -> None:
    if left.dtype is not right.dtype or left.dtype not in dtypes.FLOATS:
        raise RuntimeError(
            f"{name}() expects {first} and {second} of one dtype, float32 or float64, but got {left.dtype} and "
            f"{right.dtype}; convert them with .to()"
        )


def _set_real(self: Value, value: Value) -> None:
    assign_(real(self), value)


def _set_imag(self: Value, value: Value) -> None:
    assign_(imag(self), value)


@attribute("real", setter=_set_real)
def real(self: Value) -> Value:
    """The real part: a view of floats, two apart in memory; a real tensor itself."""
    return apply(REAL_VIEW, self) if self.dtype.is_complex else self


@attribute("imag", setter=_set_imag)
def imag(self: Value) -> Value:
    """The imaginary part: a view of floats, two apart in memory. Errors: RuntimeError for real tensors."""
    if not self.dtype.is_complex:
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return apply(IMAG_VIEW, self)


@surface
def view_as_real(input: Value) -> Value:
    """Both parts along a new last axis: a view of floats.

    Shapes: c64[*] -> f32[*, 2]. Errors: RuntimeError for real tensors.
    """
    if not input.dtype.is_complex:
        raise RuntimeError("view_as_real is only supported for complex tensors")
    return apply(VIEW_AS_REAL, input)


@surface
def view_as_complex(input: Value) -> Value:
    """Complex numbers of whose parts the last axis holds two: a view.

    Shapes: f32[*, 2] -> c64[*].
    Errors: RuntimeError for other dtypes, for a last axis of another size, and where the elements do not lie in memory
        as complex numbers do: both parts side by side, each pair a whole number of pairs from the first.
    """
    if input.dtype not in dtypes.FLOATS:
        raise RuntimeError(f"view_as_complex is only supported for floating point tensors, but got {input.dtype}")
    if not input.ndim or input.shape[-1] != 2:
        raise RuntimeError(f"Tensor must have a last dimension of size 2, got shape {list(input.shape)}")
    return as_complex(input)


def as_complex(x: Value) -> Value:
    """The view of `view_as_complex`. Errors: RuntimeError for elements that do not lie so."""
    if isinstance(x, Tensor) and x.numel():
        check_pairs(x.stride(), x.storage_offset())
    return apply(VIEW_AS_COMPLEX, x)


def check_pairs(strides: Sequence[int], offset: int) -> None:
    """Errors: RuntimeError where floats, so many apart and from the first on, do not lie in memory as complex numbers.

    Units: both count floats; the last axis is that of the parts.
    """
    if offset % 2:
        raise RuntimeError("Tensor must have a storage_offset divisible by 2")
    if strides[-1] != 1:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    if any(step % 2 for step in strides[:-1]):
        raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")


@method("conj")
def conj(self: Value) -> Value:
    """The complex conjugates: a fresh tensor; a real tensor itself."""
    return _conjugate(self) if self.dtype.is_complex else self


@method("conj_physical")
def conj_physical(self: Value) -> Value:
    """The complex conjugates, as `conj` gives them; a copy of a real tensor."""
    return _conjugate(self) if self.dtype.is_complex else apply(ALIAS, self)


@method("conj_physical_")
def conj_physical_(self: Value) -> Value:
    """`self`, after each element became its complex conjugate."""
    return assign_(self, _conjugate(self)) if self.dtype.is_complex else self


def _conjugate(x: Value) -> Value:
    return apply(COMPLEX, apply(REAL, x), -apply(IMAG, x))


@method("resolve_conj")
def resolve_conj(self: Value) -> Value:
    """`self`: conjugates are computed when they are asked for."""
    return self


@method("resolve_neg")
def resolve_neg(self: Value) -> Value:
    """`self`: negatives are computed when they are asked for."""
    return self


@method("is_conj")
def is_conj(self: Value) -> bool:
    """False: conjugates are computed when they are asked for, and not marked as such."""
    return False


@method("is_neg")
def is_neg(self: Value) -> bool:
    """False: negatives are computed when they are asked for, and not marked as such."""
    return False


@method("angle")
def angle(self: Value) -> Value:
    """The angle of each element in the complex plane, in radians; of a negative number pi, of other real ones 0."""
    if self.dtype.is_complex:
        return apply(IMAG, self).atan2(apply(REAL, self))
    floats = as_float(self)
    return where(isnan(floats), floats, where(lt(floats, 0), math.pi, full_like(floats, 0)))


@method("sgn")
def sgn(self: Value) -> Value:
    """Each element over its length: of a complex number one of length 1, of others the sign; 0 of 0."""
    return apply(SGN, self) if self.dtype.is_complex else sign(self)


@method("sgn_")
def sgn_(self: Value) -> Value:
    """`self`, after each element became its `sgn`."""
    return assign_(self, sgn(self))


def is_complex_like(value: object) -> bool:
    """Whether `value` is a complex tensor, or stands for one."""
    return is_tensor_like(value) and value.dtype.is_complex  # type: ignore[attr-defined]
