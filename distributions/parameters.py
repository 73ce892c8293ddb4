"""Parameters of distributions: brought to one shape, checked, and turned from probabilities to logits and back."""

from __future__ import annotations

from typing import Any

from ..core.dtypes import DType
from ..nn.functional import softmax
from ..tensor.arithmetic import neg
from ..tensor.creation import full
from ..tensor.dispatch import is_tensor_like, number_kind
from ..tensor.pointwise import clamp, log, log1p, sigmoid
from ..tensor.promotion import get_default_dtype
from ..tensor.shapes import broadcast_shapes
from ..tensor.shaping import expand_to
from ..tensor.surface import surface
from ..tensor.tracing import all_hold

Value = Any
ROUNDING = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}
"""The distance from 1 to the number after it, by the name of the dtype."""
SMALLEST = {"float64": 2.0**-1022, "float32": 2.0**-126, "float16": 2.0**-14, "bfloat16": 2.0**-126}
"""The smallest normal number, by the name of the dtype."""

LOWEST = {
    "float64": -1.7976931348623157e308,
    "float32": -3.4028234663852886e38,
    "float16": -65504.0,
    "bfloat16": -3.3895313892515355e38,
}
"""The lowest finite number, by the name of the dtype."""


@surface
def rounding(dtype: DType) -> float:
    """The distance from 1 to the number after it."""
    return ROUNDING[dtype.name]


@surface
def smallest(dtype: DType) -> float:
    """The smallest normal number."""
    return SMALLEST[dtype.name]


@surface
def lowest(dtype: DType) -> float:
    """The lowest finite number."""
    return LOWEST[dtype.name]


@surface
def broadcast_all(*values: Any) -> tuple[Any, ...]:
    """Tensors and numbers as tensors of one shape. Numbers get the dtype and device of the first tensor.

    Errors: ValueError for what is neither, RuntimeError for shapes that do not broadcast.
    """
    for each in values:
        if not is_tensor_like(each) and number_kind(each) is None:
            raise ValueError("Input arguments must all be instances of Number or Tensor, got " + type(each).__name__)
    tensors = [each for each in values if is_tensor_like(each)]
    dtype = tensors[0].dtype if tensors else get_default_dtype()
    device = tensors[0].device if tensors else None
    made = [each if is_tensor_like(each) else full((), each, dtype=dtype, device=device) for each in values]
    shape = broadcast_shapes(*(each.shape for each in made))
    return tuple(expand_to(each, shape) for each in made)


@surface
def is_number(value: Any) -> bool:
    """Whether `value` is a Python number, known or not."""
    return number_kind(value) is not None


@surface
def is_tensor(value: Any) -> bool:
    """Whether `value` is a tensor."""
    return is_tensor_like(value)


@surface
def all_valid(condition: Value) -> bool:
    """Whether all elements of a tensor of bools are True. Compiled code leaves a call with another one to Python."""
    return all_hold(condition)


@surface
def clamp_probs(probs: Value) -> Value:
    """Probabilities away from 0 and 1 by the rounding of their dtype, so that their logits are finite."""
    margin = rounding(probs.dtype)
    return clamp(probs, margin, 1 - margin)


@surface
def probs_to_logits(probs: Value, is_binary: bool = False) -> Value:
    """The logits of probabilities: those of 1 beside 0, or logarithms of ones along the last axis."""
    held = clamp_probs(probs)
    return log(held) - log1p(neg(held)) if is_binary else log(held)


@surface
def logits_to_probs(logits: Value, is_binary: bool = False) -> Value:
    """The probabilities of logits: of 1 beside 0, or of places along the last axis."""
    return sigmoid(logits) if is_binary else softmax(logits, -1)


__all__ = [
    "all_valid",
    "broadcast_all",
    "clamp_probs",
    "is_number",
    "is_tensor",
    "logits_to_probs",
    "lowest",
    "probs_to_logits",
    "rounding",
    "smallest",
]
