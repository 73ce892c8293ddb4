"""The operations that combine the elements of all processes."""

from __future__ import annotations

from enum import Enum

import numpy as np

from .backend import Array
from .errors import CollectiveArgumentError, CollectiveTypeError


class ReduceOp(Enum):
    """The ways to combine the elements of all processes into one, as in `torch.distributed`.

    AVG is the sum, divided by the number of processes; it takes floats and complex numbers.
    """

    SUM = "sum"
    AVG = "avg"
    MAX = "max"
    MIN = "min"
    PRODUCT = "product"


def reducible(array: Array, op: ReduceOp) -> tuple[Array, str]:
    """A row-major copy of elements, of a dtype that backends reduce, and the backend's word for the operation.

    Half floats become float32, bools bytes. Errors: TypeError where the elements have no such operation.
    """
    if not isinstance(op, ReduceOp):
        raise CollectiveArgumentError(f"op is {op!r}; it has to be one of {', '.join(map(str, ReduceOp))}")
    kind, dtype = array.dtype.kind, array.dtype.name
    if op is ReduceOp.AVG and kind in "iub":
        raise CollectiveTypeError(f"ReduceOp.AVG takes floats, got {dtype}: divide a sum, or convert first")
    if op is ReduceOp.SUM and kind == "b":
        raise CollectiveTypeError(
            "ReduceOp.SUM takes numbers, got bools: convert to int64 to count, or take MAX for any"
        )
    if op in (ReduceOp.MAX, ReduceOp.MIN) and kind == "c":
        raise CollectiveTypeError(f"complex numbers have no order, so {op} does not take {dtype}")
    is_half = kind == "V" or kind == "f" and array.dtype.itemsize == 2
    copy = np.array(array, np.uint8 if kind == "b" else np.float32 if is_half else None, order="C")
    return copy, "sum" if op is ReduceOp.AVG else op.value


def averaged(array: Array, op: ReduceOp, count: int) -> Array:
    """The result of a reduction: a sum is divided where the mean was asked for."""
    return array / array.dtype.type(count) if op is ReduceOp.AVG else array
