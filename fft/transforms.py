"""Discrete Fourier transforms, with the names and meanings of `torch.fft`; NumPy computes them, on the host.

In all of them `n` (or `s`, one for each axis) is the number of samples: more are cut off, fewer filled up with zeros.
norm: what divides by n: "backward" (or None) the inverse transform, "forward" the forward one, "ortho" both by sqrt(n).
A vector of float32 gives complex64, one of float64 complex128; integers count as floats of the default dtype.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.dtypes import DType
from ..ops.fourier import FFT, IRFFT, OTHER, RFFT
from ..ops.indexing import PAD
from ..tensor.arithmetic import div
from ..tensor.creation import arange
from ..tensor.dispatch import apply, check_tensors
from ..tensor.joining import cat, narrow
from ..tensor.out import takes_out
from ..tensor.promotion import as_float, complex_of, get_default_dtype, to_dtype
from ..tensor.rearranging import roll
from ..tensor.shapes import wrap_axes, wrap_axis
from ..tensor.surface import surface

Value = Any


def _norm(norm: str | None) -> str:
    if norm not in (None, *OTHER):
        raise RuntimeError(f'Invalid normalization mode: "{norm}"; it is one of {", ".join(OTHER)}')
    return norm or "backward"


def _checked(name: str, x: Value) -> Value:
    """The operand in a dtype that transforms take. Errors: TypeError for no tensor, NotImplementedError for halves."""
    check_tensors(name, input=x)
    x = as_float(x)
    if x.dtype.is_narrow:
        raise NotImplementedError(f"{name} is not implemented for {x.dtype}; convert it with .float()")
    return x


def _complex(name: str, x: Value) -> Value:
    x = _checked(name, x)
    return to_dtype(x, complex_of(x.dtype))


def _real(name: str, x: Value) -> Value:
    x = _checked(name, x)
    if x.dtype.is_complex:
        raise RuntimeError(f"{name} expects a real input tensor, but got {x.dtype}; take its real part, or fft")
    return x


def _axis(name: str, x: Value, dim: int) -> int:
    if not x.ndim:
        raise IndexError(f"{name} takes a tensor with axes, got one without")
    return wrap_axis(dim, x.ndim)


def _sized(x: Value, size: int | None, axis: int) -> Value:
    """`x` with that many samples along an axis. Errors: RuntimeError for none."""
    have = x.shape[axis]
    size = have if size is None else size
    if size < 1:
        raise RuntimeError(f"Invalid number of data points ({size}) specified; a transform takes at least one")
    if size < have:
        return narrow(x, axis, 0, size)
    if size == have:
        return x
    before = (0,) * x.ndim
    after = tuple(size - have if k == axis else 0 for k in range(x.ndim))
    return apply(PAD, x, before=before, after=after, value=0.0)


def _along(x: Value, n: int | None, axis: int, norm: str, inverse: bool) -> Value:
    return apply(FFT, _sized(x, n, axis), axis=axis, norm=norm, inverse=inverse)


def _half_along(x: Value, n: int | None, axis: int, norm: str) -> Value:
    return apply(RFFT, _sized(x, n, axis), axis=axis, norm=norm)


def _back_from_half(x: Value, n: int | None, axis: int, norm: str) -> Value:
    size = 2 * (x.shape[axis] - 1) if n is None else n
    if size < 1:
        raise RuntimeError(f"Invalid number of data points ({size}) specified; a transform takes at least one")
    return apply(IRFFT, _sized(x, size // 2 + 1, axis), axis=axis, norm=norm, size=size)


@takes_out
def fft(input: Value, n: int | None = None, dim: int = -1, norm: str | None = None) -> Value:
    """The transform of samples along `dim`.

    Shapes: [*, m] -> complex [*, n]. Errors: RuntimeError for no samples and an unknown norm.
    """
    x, norm = _complex("fft", input), _norm(norm)
    return _along(x, n, _axis("fft", x, dim), norm, False)


@takes_out
def ifft(input: Value, n: int | None = None, dim: int = -1, norm: str | None = None) -> Value:
    """The samples along `dim` of which this is the transform.

    Shapes: [*, m] -> complex [*, n]. Errors: RuntimeError for no samples and an unknown norm.
    """
    x, norm = _complex("ifft", input), _norm(norm)
    return _along(x, n, _axis("ifft", x, dim), norm, True)


@takes_out
def rfft(input: Value, n: int | None = None, dim: int = -1, norm: str | None = None) -> Value:
    """The first half of the transform of real samples along `dim`; the other half are conjugates of it.

    Shapes: [*, m] -> complex [*, n // 2 + 1]. Errors: RuntimeError for complex samples, none, and an unknown norm.
    """
    x, norm = _real("rfft", input), _norm(norm)
    return _half_along(x, n, _axis("rfft", x, dim), norm)


@takes_out
def irfft(input: Value, n: int | None = None, dim: int = -1, norm: str | None = None) -> Value:
    """The real samples along `dim` of which this is the first half of the transform.

    n: how many; without it an even number, 2 * (m - 1).
    Shapes: [*, m] -> float [*, n]. Errors: RuntimeError for no samples and an unknown norm.
    """
    x, norm = _complex("irfft", input), _norm(norm)
    return _back_from_half(x, n, _axis("irfft", x, dim), norm)


@takes_out
def hfft(input: Value, n: int | None = None, dim: int = -1, norm: str | None = None) -> Value:
    """The real transform of samples that are the conjugates of each other at opposite times, from the first half.

    Shapes: [*, m] -> float [*, n], by default 2 * (m - 1). Errors: those of `irfft`.
    """
    x, norm = _complex("hfft", input), _norm(norm)
    return _back_from_half(x.conj(), n, _axis("hfft", x, dim), OTHER[norm])


@takes_out
def ihfft(input: Value, n: int | None = None, dim: int = -1, norm: str | None = None) -> Value:
    """The first half of the samples along `dim` of which `hfft` gives these reals.

    Shapes: [*, m] -> complex [*, n // 2 + 1]. Errors: those of `rfft`.
    """
    x, norm = _real("ihfft", input), _norm(norm)
    return _half_along(x, n, _axis("ihfft", x, dim), OTHER[norm]).conj()


def _axes(name: str, x: Value, s: Any, dim: Any) -> list[tuple[int, int | None]]:
    """The axes, each with its number of samples. Errors: RuntimeError for repeated ones and another number of sizes."""
    if isinstance(s, int):
        s = (s,)
    if dim is None:
        count = x.ndim if s is None else len(s)
        if count > x.ndim:
            raise RuntimeError(f"Got shape with {count} values but input tensor only has {x.ndim} dimensions.")
        axes: Sequence[int] = range(x.ndim - count, x.ndim)
    else:
        axes = [wrap_axis(each, x.ndim) for each in ((dim,) if isinstance(dim, int) else dim)]
    if len(set(axes)) != len(axes):
        raise RuntimeError("FFT dims must be unique")
    lengths = [None] * len(axes) if s is None else [None if each == -1 else each for each in s]
    if len(lengths) != len(axes):
        raise RuntimeError("When given, dim and shape arguments must have the same length")
    if not axes:
        raise RuntimeError(f"{name} must transform at least one axis")
    return list(zip(axes, lengths))


def _all_along(x: Value, axes: Sequence[tuple[int, int | None]], norm: str, inverse: bool) -> Value:
    for axis, length in axes:
        x = _along(x, length, axis, norm, inverse)
    return x


@takes_out
def fftn(input: Value, s: Any = None, dim: Any = None, norm: str | None = None) -> Value:
    """The transform along several axes: those in `dim`, else the last ones that `s` has sizes for, else all.

    Shapes: [*] -> complex [*]. Errors: RuntimeError for repeated axes, no samples, and an unknown norm.
    """
    x, norm = _complex("fftn", input), _norm(norm)
    return _all_along(x, _axes("fftn", x, s, dim) if x.ndim else (), norm, False)


@takes_out
def ifftn(input: Value, s: Any = None, dim: Any = None, norm: str | None = None) -> Value:
    """The samples of which this is the transform along several axes, as `fftn` takes them.

    Shapes: [*] -> complex [*]. Errors: those of `fftn`.
    """
    x, norm = _complex("ifftn", input), _norm(norm)
    return _all_along(x, _axes("ifftn", x, s, dim) if x.ndim else (), norm, True)


@takes_out
def rfftn(input: Value, s: Any = None, dim: Any = None, norm: str | None = None) -> Value:
    """The transform of real samples along several axes, of the last of which only the first half is given.

    Shapes: [*, m] -> complex [*, n // 2 + 1]. Errors: those of `fftn`, and RuntimeError for complex samples.
    """
    x, norm = _real("rfftn", input), _norm(norm)
    *rest, (last, length) = _axes("rfftn", x, s, dim)
    return _all_along(_half_along(x, length, last, norm), rest, norm, False)


@takes_out
def irfftn(input: Value, s: Any = None, dim: Any = None, norm: str | None = None) -> Value:
    """The real samples of which this is the transform along several axes, the first half of it along the last one.

    Shapes: [*, m] -> float [*, n], by default 2 * (m - 1). Errors: those of `fftn`.
    """
    x, norm = _complex("irfftn", input), _norm(norm)
    *rest, (last, length) = _axes("irfftn", x, s, dim)
    return _back_from_half(_all_along(x, rest, norm, True), length, last, norm)


@takes_out
def fft2(input: Value, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Value:
    """The transform along two axes. Shapes: [*, h, w] -> complex [*, h, w]. Errors: those of `fftn`."""
    return fftn(input, s, dim, norm)


@takes_out
def ifft2(input: Value, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Value:
    """The samples of which this is the transform along two axes. Errors: those of `fftn`."""
    return ifftn(input, s, dim, norm)


@takes_out
def rfft2(input: Value, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Value:
    """The transform of real samples along two axes, the first half of the last. Errors: those of `rfftn`."""
    return rfftn(input, s, dim, norm)


@takes_out
def irfft2(input: Value, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Value:
    """The real samples of which this is the transform along two axes, as `rfft2` gives it. Errors: as `irfftn`."""
    return irfftn(input, s, dim, norm)


@takes_out
def hfftn(input: Value, s: Any = None, dim: Any = None, norm: str | None = None) -> Value:
    """The real transform along several axes, of the last of which only the first half of the samples is given.

    Shapes: [*, m] -> float [*, n], by default 2 * (m - 1). Errors: those of `fftn`.
    """
    x, norm = _complex("hfftn", input), _norm(norm)
    *rest, (last, length) = _axes("hfftn", x, s, dim)
    return _back_from_half(_all_along(x, rest, norm, False).conj(), length, last, OTHER[norm])


@takes_out
def ihfftn(input: Value, s: Any = None, dim: Any = None, norm: str | None = None) -> Value:
    """The samples of which `hfftn` gives these reals, the first half of them along the last axis.

    Shapes: [*, m] -> complex [*, n // 2 + 1]. Errors: those of `fftn`, and RuntimeError for complex numbers.
    """
    x, norm = _real("ihfftn", input), _norm(norm)
    *rest, (last, length) = _axes("ihfftn", x, s, dim)
    return _all_along(_half_along(x, length, last, OTHER[norm]).conj(), rest, norm, True)


@takes_out
def hfft2(input: Value, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Value:
    """The real transform along two axes, of half of the samples along the last. Errors: those of `hfftn`."""
    return hfftn(input, s, dim, norm)


@takes_out
def ihfft2(input: Value, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Value:
    """The samples of which `hfft2` gives these reals, half of them along the last axis. Errors: those of `ihfftn`."""
    return ihfftn(input, s, dim, norm)


# Frequencies.


def _steps(name: str, dtype: DType | None) -> DType:
    wanted = dtype or get_default_dtype()
    if not wanted.is_float:
        raise RuntimeError(f"{name} requires a floating point dtype, got {wanted}")
    return wanted


@surface
def fftfreq(
    n: int, d: float = 1.0, *, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Value:
    """The frequencies of the terms of a transform of `n` samples that are `d` apart, the negative ones last.

    Shapes: -> [n], in cycles per unit of `d`. Errors: RuntimeError for a dtype that is not of floats.
    """
    wanted = _steps("fftfreq", dtype)
    first = arange(0, (n - 1) // 2 + 1, dtype=wanted, device=device)
    found = div(cat([first, arange(-(n // 2), 0, dtype=wanted, device=device)]), n * d)
    return found.requires_grad_() if requires_grad else found


@surface
def rfftfreq(
    n: int, d: float = 1.0, *, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Value:
    """The frequencies of the terms of a transform of `n` real samples that are `d` apart.

    Shapes: -> [n // 2 + 1], in cycles per unit of `d`. Errors: RuntimeError for a dtype that is not of floats.
    """
    found = div(arange(0, n // 2 + 1, dtype=_steps("rfftfreq", dtype), device=device), n * d)
    return found.requires_grad_() if requires_grad else found


@surface
def fftshift(input: Value, dim: Any = None) -> Value:
    """A copy with the frequency 0 in the middle along `dim`: None for all axes, one, or several."""
    return _rolled(input, dim, lambda size: size // 2)


@surface
def ifftshift(input: Value, dim: Any = None) -> Value:
    """A copy with the frequency 0 in front again along `dim`: what undoes `fftshift`."""
    return _rolled(input, dim, lambda size: -(size // 2))


def _rolled(x: Value, dim: Any, moved: Any) -> Value:
    check_tensors("fftshift", input=x)
    places = wrap_axes(dim, x.ndim)
    return roll(x, tuple(moved(x.shape[each]) for each in places), places) if places else x
