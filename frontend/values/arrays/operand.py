"""The values whose operators are NumPy's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import protocols
from ..base import Value
from ..python_operators import OperatorRank

if TYPE_CHECKING:
    from ...tracing.trace import Trace


class ArrayOperand(Value):
    """An array, a NumPy scalar, or an array of a region: NumPy's rules say what an operator gives."""

    __slots__ = ()
    operator_rank = OperatorRank.ARRAY
    is_numpy_scalar: bool = False
    """Whether it is a NumPy scalar."""

    def unary(self, trace: Trace, name: str) -> Value:
        return protocols.array_unary(trace, name, self)

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        return protocols.array_operator(trace, name, left, right, in_place=in_place)


def is_array(value: Value) -> bool:
    """Whether a value is an array, and no number."""
    return isinstance(value, ArrayOperand) and not value.is_numpy_scalar
