"""Tensors that are written down: nested sequences of numbers, and of tensors of one element, whose values are taken."""

from __future__ import annotations

import math
from functools import reduce
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core import dtypes
from ....core.dtypes import DType
from ....core.sizes import Size
from ....graph.node import Node
from ....ops.indexing import CAT
from ....tensor.dispatch import number_kind
from ....tensor.promotion import can_cast, dtype_of_kind, get_default_dtype, promote_types
from ...breaks import TENSOR_OF_TENSORS, GraphBreak
from ...tracing.nodes import cast
from ...values.arrays.view_steps import expand, reshape
from ...values.tensors.tensor import TensorValue
from .numbers import NumberOperand, known, number_node

if TYPE_CHECKING:
    from ...tracing.trace import Trace

MOST = 64
"""The most pieces, in each of which one number repeats, that a graph is made of."""


def literal(trace: Trace, data: Any, dtype: DType | None) -> Node:
    """The elements of `data`, a number, an array or nested sequences. Errors: a break for what is not so plain."""
    shape, numbers = _taken_apart(data)
    if dtype is None:
        dtype = _dtype_held(data.dtype) if isinstance(data, np.ndarray) else _usual(numbers)
    if dtype is None:
        raise _not_plain()
    if dtype.is_integer:
        numbers = [known(each) if number_kind(each) is float else each for each in numbers]  # some have no integer
    if not shape:
        return number_node(trace, numbers[0], dtype, ())
    runs = [(next(run), 1 + sum(1 for _ in run)) for _, run in groupby(numbers, _identity)]
    if not runs or len(runs) > MOST:
        raise _not_plain()
    pieces = [_repeated(trace, number, dtype, count) for number, count in runs]
    return reshape(trace, pieces[0] if len(pieces) == 1 else trace.add(CAT, *pieces, axis=0), shape)


def _taken_apart(data: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The shape, and the numbers row by row. Errors: a break for rows of unequal lengths, and for other elements."""
    if isinstance(data, np.ndarray):
        return data.shape, data.ravel().tolist()
    if isinstance(data, (NumberOperand, Size)) or type(data) in (bool, int, float, complex):
        return (), [data]
    if type(data) is TensorValue and math.prod(data.shape) == 1:
        return (), [data]
    if not isinstance(data, (tuple, list)):
        raise _not_plain()
    parts = [_taken_apart(each) for each in data]
    if len({shape for shape, _ in parts}) > 1:
        raise _not_plain()
    inner = parts[0][0] if parts else ()
    return (len(parts), *inner), [number for _, numbers in parts for number in numbers]


def _dtype_held(dtype: np.dtype[Any]) -> DType | None:
    found = dtypes.in_memory(dtype)
    return None if found is None or found.is_narrow else found


def _repeated(trace: Trace, number: Any, dtype: DType, count: int) -> Node:
    """`number`, so many times. Errors: a break for a tensor of floats as an integer, which NaN is not."""
    if not isinstance(number, TensorValue):
        return number_node(trace, number, dtype, (count,))
    if number.dtype.is_differentiable and not can_cast(number.dtype, dtype):
        raise _not_plain()
    with trace.no_grad():
        held = reshape(trace, cast(trace, number.read(), dtype), (1,))
    return expand(trace, held, (count,))


def _identity(number: Any) -> Any:
    """A key that two numbers share only if they are one to the last bit; a comparison would be relied upon."""
    return id(number) if isinstance(number, (NumberOperand, Size, TensorValue)) else repr(number)


def _usual(numbers: list[Any]) -> DType:
    """The dtype that Python numbers and tensors have in common, by the rules of PyTorch."""
    return reduce(promote_types, dict.fromkeys(map(_dtype_of, numbers))) if numbers else get_default_dtype()


def _dtype_of(number: Any) -> DType:
    kind = number_kind(number)
    return number.dtype if kind is None else dtype_of_kind(kind)  # type: ignore[no-any-return]


def _not_plain() -> GraphBreak:
    return TENSOR_OF_TENSORS.stop()


__all__ = ["literal"]
