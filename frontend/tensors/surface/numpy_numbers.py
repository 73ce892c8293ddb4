"""NumPy's scalars as operands of tensors, to which they are the Python numbers that they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....guards.computed_sources import Computed
from ....guards.guard import Outcome
from ....ops.creation import FULL
from ...breaks import ARRAY_VALUE
from ...python.operators import compare, operate, operate_unary
from ...values.arrays.array import ArrayValue
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.loop_varying import LoopVaryingNumber

if TYPE_CHECKING:
    from ...tracing.trace import Trace


class NumpyNumber(LoopVaryingNumber):
    """The Python number in a scalar of NumPy's: a value of the graph, on which the trace relies where it must be known.

    array: the scalar, of bools, integers or floats.
    """

    __slots__ = ("array",)

    def __init__(self, trace: Trace, array: ArrayValue) -> None:
        node = array.read(trace)
        super().__init__(lambda trace: node, array.fake.dtype.type(0).item(), 1)
        self.array = array

    def describe(self) -> str:
        return self.array.describe()

    def constant(self, trace: Trace) -> object:
        """The number, which is guarded. Errors: a break for a computed one, NaN, and zeros, of which there are two."""
        node = self.array.read(trace)
        given = next((entry.example for entry in trace.inputs.entries if entry.node is node), None)
        if self.array.source is None or given is None or given != given or given.dtype.kind == "f" and not given:
            raise ARRAY_VALUE.stop(wanted=type(self.example).__name__)
        number = given.item()
        trace.guard(Outcome, Computed("{} == {}", (self.array.source, number)), expected=True)
        return number

    def truth(self, trace: Trace) -> bool:
        return bool(self.constant(trace))

    def unary(self, trace: Trace, name: str) -> Value:
        return operate_unary(trace, name, Constant(self.constant(trace)))

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        return operate(trace, name, *(_known(trace, each) for each in (left, right)))

    def compare(self, trace: Trace, name: str, left: Value, right: Value) -> Value | None:
        return compare(trace, name, *(_known(trace, each) for each in (left, right)))


def _known(trace: Trace, number: Value) -> Value:
    return Constant(number.constant(trace)) if isinstance(number, NumpyNumber) else number


def numpy_number(trace: Trace, array: ArrayValue) -> Value:
    """The number in a traced scalar. Errors: a break for a complex one, or one of 64 bits without a sign."""
    node = array.read(trace)
    if node.op is FULL:
        return Constant(array.fake.dtype.type(node.kwargs["value"]).item())
    if array.dtype.is_complex or array.dtype.kind == "u" and array.dtype.itemsize == 8:
        raise ARRAY_VALUE.stop(wanted="number")
    known = array.outside_number(trace)
    return NumpyNumber(trace, array) if known is None else known
