"""Comparisons of Python numbers that kernels compute, outside of native loops: exactly as Python compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core import dtypes
from ....graph.node import Node
from ....ops import pointwise as p
from ...tracing.nodes import cast, constant_node
from ...values.arrays.array import result
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.computed import ComputedNumber
from ...values.numbers.input_scalar import InputNumber

if TYPE_CHECKING:
    from ...tracing.trace import Trace

EXACT = 2**53
"""Up to here every int is a float64."""
_OPS = {"<": p.LESS, "<=": p.LESS_EQUAL, "==": p.EQUAL, "!=": p.NOT_EQUAL}
_MIRRORED = {">": "<", ">=": "<="}


def compared(trace: Trace, name: str, left: Value, right: Value) -> Value | None:
    """`left <name> right` where one is computed; None where no kernel compares as Python does."""
    if name in _MIRRORED:
        return compared(trace, _MIRRORED[name], right, left)
    kinds = {_kind(left), _kind(right)}
    if not kinds <= {float, int}:
        return None
    if kinds == {float, int} and not any(_is_small(each) for each in (left, right)):
        return None
    dtype = dtypes.float64 if float in kinds else dtypes.int64
    one, other = (cast(trace, _node(trace, each), dtype) for each in (left, right))
    return ComputedNumber(result(trace, trace.add(_OPS[name], one, other), generic=True))


def _kind(value: Value) -> type | None:
    """The type of a number that has a node of 64 bits; None for all else."""
    if isinstance(value, Constant):
        fits = type(value.value) is not int or -(2**63) <= value.value < 2**63
        return type(value.value) if fits else None
    if type(value) is ComputedNumber and value.array.dtype not in (dtypes.float64, dtypes.int64):
        return None
    return value.python_type if type(value) in (ComputedNumber, InputNumber) else None


def _is_small(value: Value) -> bool:
    """Whether it is an int that float64 holds exactly."""
    return isinstance(value, Constant) and type(value.value) is int and abs(value.value) <= EXACT


def _node(trace: Trace, value: Value) -> Node:
    if isinstance(value, Constant):
        return constant_node(trace, value.value, (), dtypes.float64 if type(value.value) is float else dtypes.int64)
    assert isinstance(value, (ComputedNumber, InputNumber))
    return value.node(trace)
