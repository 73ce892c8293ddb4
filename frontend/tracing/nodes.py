"""Nodes that every surface makes: casts, constants and ramps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.dtypes import DType
from ...core.sizes import FloatOf, Size, float_of
from ...graph.node import Node
from ...ops import pointwise as p
from ...ops.creation import ARANGE, FULL
from ..breaks import NUMPY_ARGUMENT, RAISES
from . import complex_numbers

if TYPE_CHECKING:
    from .trace import Trace


def cast(trace: Trace, node: Node, dtype: DType) -> Node:
    """`node` in another dtype; itself when it has it."""
    source = node.type.dtype
    if source is dtype:
        return node
    if dtype.is_complex:
        return complex_numbers.cast_to_complex(trace, node, dtype)
    if source.is_complex:
        if not dtype.is_bool:
            raise NUMPY_ARGUMENT.stop(name="a conversion", argument=f"{source} to {dtype}, of which NumPy warns")
        return complex_numbers.cast_to_bool(trace, node)
    return trace.add(p.CAST, node, dtype=dtype)


def constant_node(trace: Trace, value: Any, shape: tuple[int, ...], dtype: DType) -> Node:
    """A constant of this dtype. Errors: a break where NumPy raises OverflowError."""
    if dtype.is_complex:
        return complex_numbers.constant(trace, complex(value), shape, dtype)
    if type(value) is complex:
        raise NUMPY_ARGUMENT.stop(name="a conversion", argument=f"a complex number to {dtype}")
    if dtype.is_float:
        value = value if isinstance(value, FloatOf) else float(value)
    elif dtype.is_bool:
        value = bool(value)
    else:
        value = value if isinstance(value, Size) else int(value)
        info = np.iinfo(dtype.numpy)
        if not info.min <= value <= info.max:
            raise RAISES.stop(error=f"OverflowError: {value} does not fit {dtype}")
    return trace.add(FULL, value=value, shape=shape, dtype=dtype)


def ramp(trace: Trace, *, start: Any, step: Any, size: int, dtype: DType) -> Node:
    """The numbers from `start`, `step` apart, as an arange has them; a start that other calls have another of is added.

    Kernels are written for the start of an arange, and take a number that is added as an argument.
    """
    if isinstance(start, Size) and not _is_exact(start, step, dtype):
        start = int(start)
    if not isinstance(start, Size):
        return trace.add(ARANGE, start=start, step=step, size=size, dtype=dtype)
    from_zero = trace.add(ARANGE, start=0, step=step, size=size, dtype=dtype)
    first = constant_node(trace, float_of(start) if dtype.is_float else start, (size,), dtype)
    return trace.add(p.ADD, from_zero, first)


def _is_exact(start: Size, step: Any, dtype: DType) -> bool:
    """Whether the first two elements are whole numbers that a dtype holds, so that they are `step` apart."""
    if type(step) is not int:
        return False
    if dtype.is_integer:
        return True
    most = 2 ** (np.finfo(dtype.numpy).nmant + 1)
    return -most <= start <= most and -most <= start + step <= most
