"""Transforms of short pieces of signals: `stft`, and `istft`, which puts the signal together again."""

from __future__ import annotations

from typing import Any

from ..ops.fourier import FFT, IRFFT, RFFT
from ..ops.indexing import PAD
from .complex_parts import real, view_as_real
from .creation import arange, ones, zeros
from .dispatch import apply, check_tensors
from .indexing import index_add
from .joining import cat, narrow
from .promotion import complex_of, to_dtype
from .rearranging import flip, unfold
from .shaping import expand, reshape_to, transpose, unsqueeze
from .surface import method
from .tracing import all_hold

Value = Any
LEAST = 1e-11
"""The least sum of squares of a window by which a signal is divided."""


def _padded(x: Value, before: int, after: int) -> Value:
    """`x` with zeros along its last axis."""
    lead = (0,) * (x.ndim - 1)
    return apply(PAD, x, before=(*lead, before), after=(*lead, after), value=0.0) if before or after else x


def _window(name: str, window: Value, win_length: int, n_fft: int, like: Value) -> Value:
    """The window, in the middle of `n_fft` samples. Errors: RuntimeError for one of another length."""
    if not 0 < win_length <= n_fft:
        raise RuntimeError(f"{name}: expected 0 < win_length <= n_fft, but got win_length={win_length}")
    if window is None:
        window = ones(win_length, dtype=like.dtype.to_real(), device=like.device)
    if tuple(window.shape) != (win_length,):
        raise RuntimeError(
            f"{name}: expected a 1D window tensor of size equal to win_length={win_length}, but got window with size "
            f"{list(window.shape)}"
        )
    left = (n_fft - win_length) // 2
    return _padded(window, left, n_fft - win_length - left)


def _extended(x: Value, width: int, mode: str) -> Value:
    """A signal with `width` more samples at each end. Errors: RuntimeError for a signal that is too short."""
    if mode == "constant":
        return _padded(x, width, width)
    if mode != "reflect":
        raise NotImplementedError(
            f"stft pads by reflect or constant, got {mode!r}; pad the signal, and give center=False"
        )
    size = x.shape[-1]
    if width >= size:
        raise RuntimeError(f"stft: padding of {width} samples at each end takes a longer signal than {size}")
    left, right = narrow(x, -1, 1, width), narrow(x, -1, size - width - 1, width)
    return cat([flip(left, (-1,)), x, flip(right, (-1,))], -1)


@method("stft")
def stft(
    self: Value,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Value = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Value:
    """The transforms of pieces of `n_fft` samples, `hop_length` (n_fft / 4) apart, times a window.

    center: pieces lie around their time, and the signal is padded by half a piece at each end, by `pad_mode`.
    normalized: by sqrt(n_fft).   onesided: the first half alone, as is usual for real signals.
    Shapes: [L] or [B, L] -> complex [*, n_fft // 2 + 1, frames], both parts along a last axis for return_complex=False.
    Errors: RuntimeError for sizes that do not fit, and where `return_complex` is not said of a real signal.
    """
    check_tensors("stft", input=self)
    hop, width = n_fft // 4 if hop_length is None else hop_length, n_fft if win_length is None else win_length
    if not self.dtype.is_differentiable or self.ndim not in (1, 2):
        raise RuntimeError(
            f"stft: expected a 1D or 2D tensor of floats or complex values, got {self.dtype} {self.ndim}D"
        )
    is_complex = self.dtype.is_complex or (window is not None and window.dtype.is_complex)
    if return_complex is None and not is_complex:
        raise RuntimeError("stft requires the return_complex parameter be given for real inputs; give True")
    if hop <= 0 or n_fft <= 0:
        raise RuntimeError(f"stft: expected n_fft and hop_length > 0, but got {n_fft} and {hop}")
    half = not is_complex if onesided is None else onesided
    if half and is_complex:
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    shown = _window("stft", window, width, n_fft, self)
    signal = _extended(self, n_fft // 2, pad_mode) if center else self
    if not n_fft <= signal.shape[-1]:
        raise RuntimeError(f"stft: expected 0 < n_fft <= {signal.shape[-1]}, but got n_fft={n_fft}")
    pieces = unfold(signal, -1, n_fft, hop) * shown
    norm, axis = "ortho" if normalized else "backward", pieces.ndim - 1
    if half:
        found = apply(RFFT, pieces, axis=axis, norm=norm)
    else:
        found = apply(FFT, to_dtype(pieces, complex_of(pieces.dtype)), axis=axis, norm=norm, inverse=False)
    found = transpose(found, -1, -2)
    return view_as_real(found) if return_complex is False else found


def _added(pieces: Value, hop: int, size: int) -> Value:
    """The signals of which these are pieces, added where they overlap: [B, frames, n] -> [B, size]."""
    batch, frames, width = pieces.shape
    starts = reshape_to(arange(0, frames * hop, hop, device=pieces.device), (frames, 1))
    places = reshape_to(starts + arange(width, device=pieces.device), (frames * width,))
    empty = zeros(batch, size, dtype=pieces.dtype, device=pieces.device)
    return index_add(empty, 1, places, reshape_to(pieces, (batch, frames * width)))


@method("istft")
def istft(
    self: Value,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Value = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Value:
    """The signal of which `stft` gives these transforms: their samples, added where pieces overlap.

    length: how many samples to give.   Shapes: complex [frequencies, frames] or [B, *, *] -> [length] or [B, length].
    Errors: RuntimeError for sizes that do not fit, and where windows leave a sample out.
    """
    check_tensors("istft", input=self)
    hop, width = n_fft // 4 if hop_length is None else hop_length, n_fft if win_length is None else win_length
    if not self.dtype.is_complex or self.ndim not in (2, 3):
        raise RuntimeError(
            f"istft requires a complex-valued input tensor of 2 or 3 axes, got {self.dtype} {self.ndim}D"
        )
    batched = self if self.ndim == 3 else unsqueeze(self, 0)
    half = batched.shape[1] != n_fft if onesided is None else onesided
    wanted = n_fft // 2 + 1 if half else n_fft
    if batched.shape[1] != wanted or not batched.shape[2] or not 0 < hop <= width:
        raise RuntimeError(
            f"istft: expected {wanted} frequencies, some frames and 0 < hop_length <= win_length, but got shape "
            f"{list(self.shape)} and hop_length={hop}"
        )
    if half and return_complex:
        raise RuntimeError("cannot have onesided output if window or input is complex")
    shown = _window("istft", window, width, n_fft, self)
    norm, spectra = "ortho" if normalized else "backward", transpose(batched, 1, 2)
    if half:
        pieces = apply(IRFFT, spectra, axis=2, norm=norm, size=n_fft)
    else:
        pieces = apply(FFT, spectra, axis=2, norm=norm, inverse=True)
        pieces = pieces if return_complex else real(pieces)
    frames = batched.shape[2]
    size = n_fft + hop * (frames - 1)
    weights = expand(reshape_to(shown * shown, (1, 1, n_fft)), (1, frames, n_fft))
    start = n_fft // 2 if center else 0
    end = size - start if length is None else min(start + length, size)
    signal = narrow(_added(pieces * shown, hop, size), 1, start, end - start)
    under = narrow(_added(weights, hop, size), 1, start, end - start)
    if not all_hold(under.abs() > LEAST):
        raise RuntimeError(
            "istft: the windows leave out a sample (window overlap add min: 0); take a shorter hop_length"
        )
    signal = signal / under
    if length is not None:
        signal = _padded(signal, 0, start + length - end)
    return signal if self.ndim == 3 else signal[0]
