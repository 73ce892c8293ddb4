"""The layout in memory of the results of operations, which is that of eager mode."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....core.asynchronous import is_asynchronous
from ....core.devices.arrays import ARRAY_TYPES
from ....core.sizes import hinted
from ....graph.node import Node
from ....ops.registry import OpDef, Pointwise
from ...numpy.memory_order import kept_order, strides_in_order
from ...values.arrays.symbolic_fake import SymbolicFakeArray
from ...values.arrays.view_steps import FakeArray, Ints
from ...values.tensors.tensor import TensorValue
from .numbers import NumberOperand


def eager_strides(op: OpDef, operands: Sequence[Any], node: Node, attrs: Mapping[str, Any]) -> Ints | None:
    """Strides of what eager mode gives, in elements; None for row-major.

    NumPy's own loops follow a rule. What else computes an operation is tried out, where an operand is not row-major.
    """
    return strides_from(op, [_layout(each) for each in operands], node, attrs)


def _layout(operand: Any) -> Any:
    if isinstance(operand, TensorValue):
        return operand.array.fake
    return operand.scalar.example if isinstance(operand, NumberOperand) else operand


def strides_from(op: OpDef, operands: Sequence[Any], node: Node, attrs: Mapping[str, Any]) -> Ints | None:
    """Strides that eager mode gives for fake arrays and numbers as operands, in elements; None for row-major."""
    fakes: list[Any] = [each for each in operands if isinstance(each, (np.ndarray, SymbolicFakeArray))]
    if isinstance(op.lower, Pointwise) and isinstance(getattr(np, op.name, None), np.ufunc):
        return kept_order(node.shape, fakes)
    if len(node.shape) < 2 or all(fake.flags.c_contiguous for fake in fakes):
        return None
    # Sizes of 2 and more say nothing about the order of axes, so any will do.
    shape, attrs = hinted(node.shape), {name: hinted(value) for name, value in attrs.items()}
    seen = [each.hinted() if isinstance(each, SymbolicFakeArray) else hinted(each) for each in operands]
    arrays = [_zeros_like(each) if isinstance(each, np.ndarray) else each for each in seen]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = op.eager(*arrays, **attrs)
    except Exception as error:
        if is_asynchronous(error):
            raise
        return None  # it raises on these values, not on the program's
    if not isinstance(made, ARRAY_TYPES) or made.shape != shape:
        return None
    if any(isinstance(each, np.ndarray) and np.may_share_memory(made, each) for each in arrays):
        return None  # eager copies such a result, row-major
    strides = tuple(step // made.itemsize for step in made.strides)
    by_stride = sorted(range(made.ndim), key=lambda axis: (strides[axis], -axis))
    return strides_in_order(node.shape, by_stride) if strides == strides_in_order(shape, by_stride) else None


def _zeros_like(fake: FakeArray) -> FakeArray:
    """Zeros with the axes of `fake` in its order, a repeated axis repeated."""
    order = sorted(range(fake.ndim), key=lambda axis: -abs(fake.strides[axis]))
    sizes = [1 if fake.strides[axis] == 0 else fake.shape[axis] for axis in order]
    zeros = np.zeros(sizes, fake.dtype).transpose(np.argsort(order)) if order else np.zeros((), fake.dtype)
    return np.broadcast_to(zeros, fake.shape)


__all__ = ["eager_strides", "strides_from"]
