"""The layout of results: the one that the CPU's eager mode gives for operands in that order of axes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.devices.layout import layout_of, lies_in_rows
from ...core.errors import GuardliftError
from ...core.types import contiguous_strides
from ...ops.emitter import ufunc_of
from ...ops.narrow import KEEPING
from ...ops.ordering import FOUND_BY_NUMPY
from ...ops.registry import Contraction, OpDef
from .operands import EagerOperand, Ints

Array = np.ndarray[Any, Any]


def eager_strides(op: OpDef, given: Sequence[EagerOperand], shape: Ints, attrs: Mapping[str, Any]) -> Ints:
    """The strides of the result of an op over such operands, in elements.

    NumPy's own loops say it before they run. What else computes an op is tried out, where an operand is not row-major.
    """
    rows = contiguous_strides(shape)
    arrays = [each for each in given if each.kind == "array"]
    if len(shape) < 2 or 0 in shape or isinstance(op.lower, Contraction) or op in FOUND_BY_NUMPY:
        return rows
    if all(lies_in_rows(each.type.shape, each.strides, 1) for each in arrays):
        return rows
    ufunc = ufunc_of(op)
    if ufunc is not None and getattr(op.eager, "__wrapped__", ufunc) is ufunc:
        found: Array | None = _of_loop([layout_of(each.array) for each in arrays])
    else:
        found = _tried(op, given, attrs)
    if found is None or found.shape != shape or not found.flags.forc and not _fills_its_memory(found):
        return rows
    return tuple(stride // found.itemsize for stride in found.strides)


def _of_loop(operands: list[Array]) -> Array:
    """An array that NumPy's loops would fill, for operands whose elements are not to be looked at."""
    flags = [["readonly"]] * len(operands) + [["writeonly", "allocate"]]
    kinds = [*(each.dtype for each in operands), np.dtype(np.int8)]
    loop = np.nditer([*operands, None], ["refs_ok"], flags, op_dtypes=kinds)  # type: ignore[arg-type]
    return loop.operands[-1]


def _tried(op: OpDef, given: Sequence[EagerOperand], attrs: Mapping[str, Any]) -> Array | None:
    """An array that an op makes of zeros that lie so; None where it shares their memory, and is copied row by row."""
    wide = op.name not in KEEPING
    zeros: list[Any] = [1 if each.kind != "array" else _zeros_like(each.array, wide) for each in given]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = op.eager(*zeros, **attrs)
    except (ArithmeticError, GuardliftError, IndexError, TypeError, ValueError, np.linalg.LinAlgError):
        return None  # it raises on these values, not on the program's
    if not isinstance(found, np.ndarray) or any(
        np.may_share_memory(found, each) for each in zeros if isinstance(each, np.ndarray)
    ):
        return None
    return found


def _zeros_like(array: Any, wide: bool) -> Array:
    """Zeros with the axes of an array in its order, a repeated axis repeated; floats in float32 if `wide`."""
    order = sorted(range(array.ndim), key=lambda axis: (-abs(array.strides[axis]), axis))
    sizes = [1 if array.strides[axis] == 0 else array.shape[axis] for axis in order]
    narrow = wide and array.dtype.itemsize < 4 and array.dtype.kind in "fV"
    zeros = np.zeros(sizes, np.float32 if narrow else array.dtype)
    turned = zeros.transpose([order.index(axis) for axis in range(array.ndim)])
    return np.broadcast_to(turned, array.shape)


def _fills_its_memory(array: Array) -> bool:
    """Whether the elements of an array lie without gaps, in whatever order of the axes."""
    step = array.itemsize
    for stride, size in sorted(zip(array.strides, array.shape)):
        if size != 1 and stride != step:
            return False
        step *= size
    return True
