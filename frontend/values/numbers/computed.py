"""Python numbers that kernels compute."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core import dtypes
from ...breaks import ARRAY_VALUE
from .. import protocols
from ..arrays.array import ArrayValue
from ..base import Value
from ..constant import Constant
from ..late_text import number_text
from ..python_operators import OperatorRank

if TYPE_CHECKING:
    from ....graph.node import Node
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

Bounds = tuple[int, int]
INT64: Bounds = (-(2**63), 2**63 - 1)


class ComputedNumber(Value):
    """A Python number that is the value of a NumPy scalar of the trace.

    It can be returned and stored, and computed with by the rules of regions (see `regions`).
    array: a bool, int64, float64 or complex128; or a uint64, with which nothing can be computed.
    bounds: of an int, between which numbers it lies, both included.
    beyond: another int, and how much more than that it is by the program's own addition; None for any other number.
    """

    __slots__ = ("array", "beyond", "bounds")
    operator_rank = OperatorRank.COMPUTED_NUMBER

    def __init__(self, array: ArrayValue, bounds: Bounds = INT64) -> None:
        self.array = array
        self.bounds = bounds
        self.beyond: tuple[ComputedNumber, int] | None = None

    @property
    def python_type(self) -> type:
        return type(np.zeros((), self.array.fake.dtype).item())

    def node(self, trace: Trace) -> Node:
        """The number in the graph. Errors: a break for a uint64, which int64 may not hold."""
        if self.array.dtype is dtypes.uint64:
            raise ARRAY_VALUE.stop(wanted="int, which 64 bits and a sign may not hold")
        return self.array.read(trace)

    def describe(self) -> str:
        return "the value of an array element"

    def truth(self, trace: Trace) -> bool:
        raise ARRAY_VALUE.stop(wanted="condition")

    def constant(self, trace: Trace) -> object:
        raise ARRAY_VALUE.stop(wanted="number")

    def formatted(self, trace: Trace, spec: Value) -> Value:
        return number_text(trace, self, spec) or super().formatted(trace, spec)

    def unary(self, trace: Trace, name: str) -> Value:
        return protocols.computed_unary(trace, name, self)

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        made = protocols.computed_operator(trace, name, left, right)
        if name == "+" and type(made) is ComputedNumber and self.python_type is made.python_type is int:
            other = right if left is self else left
            if isinstance(other, Constant) and type(other.value) is int:
                made.beyond = self, other.value
        return made

    def compare(self, trace: Trace, name: str, left: Value, right: Value) -> Value | None:
        return protocols.computed_comparison(trace, name, left, right)

    def rebuild(self, writer: EntryWriter) -> str:
        return f"{writer.array(self.array)}.item()"
