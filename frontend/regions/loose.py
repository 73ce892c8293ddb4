"""Numbers that may be NumPy's or, before a loop has come round, still Python's.

``total = 0.0`` and then ``total += x[i]``: after a round it is a NumPy number, after none a Python one. What is done
with it here is what gives the same result for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..values.array import ArrayValue
from ..values.base import Value
from .knowledge import refused

if TYPE_CHECKING:
    from ..breaks import GraphBreak
    from ..trace import Trace


class Loose(Value):
    """A number of which the value is known as `array`, a NumPy scalar, and the type is not."""

    __slots__ = ("array",)

    def __init__(self, array: ArrayValue) -> None:
        self.array = array

    @property
    def python_type(self) -> type:
        raise refused("the type of a variable that may be a Python number or a NumPy one")

    def unsupported(self, operation: str) -> GraphBreak:
        return refused(f"{operation} of a variable that may be a Python number or a NumPy one")


def operate(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right` where one is loose: beside a NumPy number of its dtype it counts as one itself."""
    from ..numpy.ufuncs import array_operator
    from .numbers import is_python_number

    loose = left if isinstance(left, Loose) else right
    assert isinstance(loose, Loose)
    other = right if loose is left else left
    dtype = loose.array.dtype
    strong = [each.array if isinstance(each, Loose) else each for each in (left, right)]
    if isinstance(other, ArrayValue) and other.dtype is dtype and name != "**":
        return array_operator(trace, name, strong[0], strong[1])
    if name not in _SAME or not dtype.is_float or dtype.itemsize != 8:
        raise loose.unsupported(f"the operator `{name}`")
    if isinstance(other, Loose) and other.array.dtype is dtype or is_python_number(other):
        made = array_operator(trace, name, strong[0], strong[1])
        assert isinstance(made, ArrayValue)
        return Loose(made)
    raise loose.unsupported(f"the operator `{name}`")


_SAME = ("+", "-", "*", "<", "<=", ">", ">=", "==", "!=")
"""Operators that give the same number for a Python float and a float64."""
