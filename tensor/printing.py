"""`repr` of a tensor, as PyTorch lays it out: aligned columns, four digits, long axes cut in the middle."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices import HOST
from ..core.devices.host_or_device import on_host
from .html import table_html, text_html
from .narrow import widened
from .parameter import Buffer
from .promotion import get_default_dtype
from .surface import value_method
from .tensor import Array, Tensor

PRECISION = 4
EDGE = 3
"""Entries shown at each end of an axis that is cut."""
THRESHOLD: float = 1000
"""Elements beyond which axes are cut."""
LINE_WIDTH = 80

Format = Callable[[Any], str]
_USUAL = {"default": (4, 1000, 3, 80), "short": (2, 1000, 2, 80), "full": (4, math.inf, 3, 80)}
_sci_mode: bool | None = None
"""Whether floats have an exponent; None to decide by their sizes."""


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Sets how tensors are printed from now on; what is not given stays, unless a `profile` resets all.

    profile: default, short or full. Errors: ValueError for another one.
    """
    global PRECISION, THRESHOLD, EDGE, LINE_WIDTH, _sci_mode
    if profile is not None:
        if profile not in _USUAL:
            raise ValueError(f"a profile is one of {', '.join(_USUAL)}, got {profile!r}")
        PRECISION, THRESHOLD, EDGE, LINE_WIDTH = _USUAL[profile]
    PRECISION = PRECISION if precision is None else precision
    THRESHOLD = THRESHOLD if threshold is None else threshold
    EDGE = EDGE if edgeitems is None else edgeitems
    LINE_WIDTH = LINE_WIDTH if linewidth is None else linewidth
    _sci_mode = sci_mode


@value_method("__repr__")
def tensor_repr(self: Tensor) -> str:
    """The tensor as PyTorch prints it, with dtype where it is not the usual one, and what autograd knows."""
    prefix = "tensor("
    if not self._array.size:
        body = "[]"
    else:
        array = widened(on_host(self._array))
        body = _layout(array, len(prefix), _formatter(_shown(array)))
    suffixes = []
    if not self._array.size and self._array.ndim != 1:
        suffixes.append(f"size={self.shape}")
    usual = get_default_dtype()
    if self.dtype not in (usual, usual.to_complex(), dtypes.int64, dtypes.bool_) or (
        not self._array.size and self.dtype is not get_default_dtype()
    ):
        suffixes.append(f"dtype=gl.{self.dtype.name}")
    if self.device != HOST:
        suffixes.insert(0, f"device='{self.device}'")
    history = _history(self)
    if history:
        suffixes.append(history)
    text = _with_suffixes(prefix + body, suffixes, len(prefix)) + ")"
    return text if type(self) in (Tensor, Buffer) else f"{type(self).__name__} containing:\n{text}"


@value_method("_repr_html_")
def tensor_html(self: Tensor) -> str:
    """HTML for a notebook: shape, dtype, device and what autograd knows, above the values as `repr` has them."""
    known = [type(self).__name__, tuple(self.shape), self.dtype.name, self.device, _history(self) or "no gradient"]
    head = ["", "shape", "dtype", "device", "autograd"]
    return f"<div>{table_html(head, [known])}{text_html(repr(self))}</div>"


def _history(self: Tensor) -> str:
    """The text that names where its gradient goes; empty for a tensor that requires none."""
    try:
        node = self.grad_fn
    except RuntimeError:  # a view that a custom function returned, whose base was written
        return "grad_fn=<Invalid>"
    if node is not None:
        return f"grad_fn=<{node.name()}>"
    return "requires_grad=True" if self.requires_grad else ""


def _with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    last = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if last + len(suffix) + 2 > LINE_WIDTH:
            text += ",\n" + " " * indent + suffix
            last = indent + len(suffix)
        else:
            text += ", " + suffix
            last += len(suffix) + 2
    return text


def _shown(array: Array) -> Array:
    """The elements that are printed, in a row."""
    if array.size <= THRESHOLD:
        return array.reshape(-1)
    for axis, size in enumerate(array.shape):
        if size > 2 * EDGE:
            array = np.take(array, [*range(EDGE), *range(size - EDGE, size)], axis)
    return array.reshape(-1)


def _formatter(shown: Array) -> Format:
    """A function that writes one element, in the widest's width; of floats only finite ones that are not 0 count."""
    if shown.dtype.kind == "c":
        return _complex_format(_formatter(shown.real), _formatter(shown.imag))
    counted = shown
    write: Format = str
    if shown.dtype.kind == "f":
        counted = shown[np.isfinite(shown) & (shown != 0)]
        write = _float_format(np.abs(counted.astype(np.float64)))
    width = max((len(write(value)) for value in counted.tolist()), default=1)
    return lambda value: write(value).rjust(width)


def _complex_format(real: Format, imag: Format) -> Format:
    def write(value: complex) -> str:
        last = imag(value.imag).lstrip()
        return f"{real(value.real)}{'' if last.startswith('-') else '+'}{last}j"

    return write


def _float_format(sizes: Array) -> Format:
    """A function that writes floats of these sizes, none of them 0: with digits, whole, or with an exponent."""
    if not sizes.size:
        return _whole
    if _sci_mode is not None:
        exponent = f".{PRECISION}{'e' if _sci_mode else 'f'}"
        return (lambda value: format(value, exponent)) if _sci_mode or (np.ceil(sizes) != sizes).any() else _whole
    low, high = float(sizes.min()), float(sizes.max())
    integral = bool((np.ceil(sizes) == sizes).all())
    if high / low > 1000 or high > 1e8 or (not integral and low < 1e-4):
        return lambda value: f"{value:.{PRECISION}e}"
    return _whole if integral else lambda value: f"{value:.{PRECISION}f}"


def _whole(value: float) -> str:
    return f"{value:.0f}." if math.isfinite(value) else f"{value:.0f}"


def _layout(array: Array, indent: int, write: Format) -> str:
    """The nested brackets of `array`, whose lines after the first begin at column `indent`."""
    if not array.ndim:
        return write(array.item())
    cut = array.size > THRESHOLD
    return _nested(array, indent, write, cut)


def _nested(array: Array, indent: int, write: Format, cut: bool) -> str:
    middle = cut and len(array) > 2 * EDGE
    if array.ndim == 1:
        return _row(array, indent, write, middle)
    parts = [_nested(each, indent + 1, write, cut) for each in (array[:EDGE] if middle else array)]
    if middle:
        parts += ["...", *(_nested(each, indent + 1, write, cut) for each in array[-EDGE:])]
    separator = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return "[" + separator.join(parts) + "]"


def _row(array: Array, indent: int, write: Format, middle: bool) -> str:
    if middle:
        entries = [write(value) for value in array[:EDGE].tolist()]
        entries += [" ...", *(write(value) for value in array[-EDGE:].tolist())]
    else:
        entries = [write(value) for value in array.tolist()]
    width = len(entries[0]) + 2 if entries else 2
    per_line = max(1, (LINE_WIDTH - indent) // width)
    lines = [", ".join(entries[start : start + per_line]) for start in range(0, len(entries), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


@value_method("__format__")
def _format(self: Tensor, spec: str) -> str:
    """A tensor without axes formats as its number; any other takes no format. Errors: TypeError for one."""
    if not self._array.ndim:
        return format(self._array.item(), spec)
    if spec:
        raise TypeError(f"unsupported format string passed to {type(self).__name__}.__format__")
    return repr(self)
