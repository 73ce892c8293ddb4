"""Operands that stand for Python numbers known at run time only, in surface functions that run natively.

Passed on to an operation, the number becomes an input of the plan. Where the function wants to know it (a size, an
axis, a branch), the trace specialises: on the outcome of a comparison, else on the value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ....core.dtypes import DType
from ....core.records import dataclass
from ....core.sizes import Size
from ....graph.node import Node
from ...breaks import TENSOR_FEATURE
from ...numpy.ufuncs import operand_node
from ...python.operators import compare, operate, operate_unary
from ...values.arrays.view_steps import Ints
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.input_scalar import InputNumber
from ...values.numbers.symbolic_int import SymInt

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@dataclass(frozen=True, eq=False)
class NumberOperand:
    """A number of the trace; arithmetic gives another one, as it does on `InputNumber`."""

    trace: Trace
    scalar: InputNumber

    def __index__(self) -> int:
        return self._known().__index__()  # type: ignore[no-any-return]

    def __int__(self) -> int:
        return int(self._known())

    def __float__(self) -> float:
        return float(self._known())

    def __bool__(self) -> bool:
        return self.scalar.truth(self.trace)

    def __hash__(self) -> int:
        return hash(self._known())

    def __repr__(self) -> str:
        return repr(self._known())

    def _known(self) -> Any:
        """The value, on which the trace relies from now on."""
        return self.scalar.constant(self.trace)

    def _with(self, name: str, left: Any, right: Any) -> Any:
        if isinstance(left, NumberOperand) and isinstance(right, (bool, int, float, NumberOperand)):
            return number(self.trace, operate(self.trace, name, left.scalar, _value(right)))
        if isinstance(left, (bool, int, float)) and isinstance(right, NumberOperand):
            return number(self.trace, operate(self.trace, name, Constant(left), right.scalar))
        return NotImplemented

    def _compared(self, name: str, other: Any) -> Any:
        if not isinstance(other, (bool, int, float, NumberOperand)):
            return NotImplemented
        return compare(self.trace, name, self.scalar, _value(other)).truth(self.trace)

    def __add__(self, other: Any) -> Any:
        return self._with("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return self._with("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return self._with("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self._with("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return self._with("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self._with("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self._with("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with("/", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return self._with("//", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._with("//", other, self)

    def __mod__(self, other: Any) -> Any:
        return self._with("%", self, other)

    def __rmod__(self, other: Any) -> Any:
        return self._with("%", other, self)

    def __neg__(self) -> Any:
        return number(self.trace, operate_unary(self.trace, "-", self.scalar))

    def __eq__(self, other: object) -> Any:
        return self._compared("==", other)

    def __ne__(self, other: object) -> Any:
        return self._compared("!=", other)

    def __lt__(self, other: Any) -> Any:
        return self._compared("<", other)

    def __le__(self, other: Any) -> Any:
        return self._compared("<=", other)

    def __gt__(self, other: Any) -> Any:
        return self._compared(">", other)

    def __ge__(self, other: Any) -> Any:
        return self._compared(">=", other)


def known(value: Any) -> Any:
    """`value`, with the numbers in it, and in its tuples, made known; the trace relies on them from now on."""
    if isinstance(value, NumberOperand):
        return value._known()
    return tuple(known(each) for each in value) if type(value) is tuple else value


def known_attributes(attrs: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of an operation, all known: what stands in a graph is no number of a trace."""
    return {name: known(value) for name, value in attrs.items()}


def _value(operand: Any) -> Value:
    return operand.scalar if isinstance(operand, NumberOperand) else Constant(operand)


class FloatNumber(NumberOperand):
    """A float."""

    __guardlift_number__ = float


class IntNumber(NumberOperand):
    """An int."""

    __guardlift_number__ = int


class BoolNumber(NumberOperand):
    """A bool."""

    __guardlift_number__ = bool


_KINDS: dict[type, type[NumberOperand]] = {float: FloatNumber, int: IntNumber, bool: BoolNumber}


def number(trace: Trace, value: Value) -> Any:
    """The object that stands for a traced number: the number itself where it is known."""
    if isinstance(value, InputNumber):
        return _KINDS[type(value.example)](trace, value)
    return value.constant(trace)


def number_node(trace: Trace, number: Any, dtype: DType, shape: Ints) -> Node:
    """A Python number, known or not, as a constant or an input of this type."""
    if isinstance(number, NumberOperand):
        number = number.scalar
    if isinstance(number, Size):
        number = SymInt(number)
    elif not isinstance(number, InputNumber):
        if type(number) not in (bool, int, float, complex):
            raise TENSOR_FEATURE.stop(feature=f"a {type(number).__name__} as an operand of a tensor operation")
        number = Constant(number)
    return operand_node(trace, number, dtype, shape)
