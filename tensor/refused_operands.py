"""Operands that NumPy refuses: turned into some that it takes, or answered with an error in PyTorch's words."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.devices.arrays import ARRAY_TYPES
from ..ops.registry import OpDef, broadcasts
from .shapes import broadcast_shapes
from .tensor import Tensor

Array = np.ndarray[Any, Any]


def wrapped_around(arrays: list[Any]) -> list[Any]:
    """`arrays` with Python integers that do not fit the dtype of the others wrapped around, as they are in PyTorch."""
    dtype = next((each.dtype for each in arrays if isinstance(each, ARRAY_TYPES)), None)
    if dtype is None or dtype.kind not in "iu":
        return arrays
    return [int(np.int64(each).astype(dtype)) if type(each) is int else each for each in arrays]


def explained(error: ValueError, op: OpDef, operands: tuple[Any, ...], written: bool = False) -> Exception:
    """The error in PyTorch's words where the operands do not broadcast, or not to the first, if that is `written`."""
    if "negative integer powers" in str(error):
        return RuntimeError("Integers to negative integer powers are not allowed.")
    if not broadcasts(op):
        return error
    try:
        shape = broadcast_shapes(*(each.shape for each in operands if isinstance(each, Tensor)))
        if written:
            check_covers(operands[0].shape, shape)
    except RuntimeError as better:
        return better
    return error


def check_covers(shape: tuple[int, ...], result: tuple[int, ...]) -> None:
    """Errors: RuntimeError when a result of another shape is to be written to a tensor of `shape`."""
    if result != shape:
        raise RuntimeError(f"output with shape {list(shape)} doesn't match the broadcast shape {list(result)}")


def writable_array(x: Tensor, repeats: bool = False) -> Array:
    """The array of `x`, of which NumPy allows no write, as one that may be written: a part of an expanded tensor is.

    repeats: elements may share memory, and a write to one of them is then a write to all of those.
    Errors: RuntimeError for memory that is read-only, or where writing one element would write others.
    """
    array = x._array
    if any(step == 0 and size > 1 for step, size in zip(array.strides, array.shape)):
        if x.requires_grad or not repeats:
            raise RuntimeError(
                "unsupported operation: more than one element of the written-to tensor refers to a single memory "
                "location. Please clone() the tensor before performing the operation."
            )
    if x._storage.flags.writeable:
        from .storage import over_memory  # which has methods of Tensor

        return over_memory(x._storage, array)
    raise RuntimeError(
        "the memory of this tensor is read-only: it is that of a read-only NumPy array; clone() it before writing to it"
    )
