"""Settings of optimizers while tracing, as numbers that a formula takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....ops.movement import RESHAPE
from ....ops.pointwise import CAST
from ...breaks import TENSOR_FEATURE
from ...values.base import Value
from ...values.numbers.computed import ComputedNumber
from ...values.numbers.input_scalar import InputNumber
from ...values.tensors.tensor import TensorValue

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def number_of(trace: Trace, value: Value) -> Any:
    """A hyper-parameter for a formula: a Python number, or a 0-d float64 node."""
    if isinstance(value, (ComputedNumber, InputNumber)) and value.python_type is not complex:
        node = value.node(trace)
        return node if node.type.dtype is dtypes.float64 else trace.add(CAST, node, dtype=dtypes.float64)
    if isinstance(value, TensorValue):
        node = value.read()
        if node.shape == (1,):
            node = trace.add(RESHAPE, node, shape=())
        if node.shape != ():
            raise TENSOR_FEATURE.stop(feature="a tensor of more than one element as a hyper-parameter")
        return node if node.type.dtype is dtypes.float64 else trace.add(CAST, node, dtype=dtypes.float64)
    number = value.constant(trace)
    if type(number) not in (bool, int, float):
        raise TENSOR_FEATURE.stop(feature=f"a {type(number).__name__} as a hyper-parameter")
    return float(number)
