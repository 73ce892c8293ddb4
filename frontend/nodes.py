"""Nodes that every surface makes: casts and constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.dtypes import DType
from ..core.sizes import FloatOf, Size
from ..graph.node import Node
from ..ops import pointwise as p
from ..ops.creation import FULL
from .breaks import RAISES

if TYPE_CHECKING:
    from .trace import Trace


def cast(trace: Trace, node: Node, dtype: DType) -> Node:
    """`node` in another dtype; itself when it has it."""
    return node if node.type.dtype is dtype else trace.add(p.CAST, node, dtype=dtype)


def constant_node(trace: Trace, value: Any, shape: tuple[int, ...], dtype: DType) -> Node:
    """A constant of this dtype. Errors: a break where NumPy raises OverflowError."""
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
