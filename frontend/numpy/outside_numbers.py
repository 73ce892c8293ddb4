"""NumPy numbers that a call begins with, and numbers computed from such alone, as Python numbers.

A NumPy integer among the arguments is an operand of the graph. Where Python structure needs its value (`range(n)`,
`x[:n + 1]`, `if n > 2`), it is the Python number that it converts to, which Python computes from the argument before
the plan runs: so it is a size, an index or a guarded outcome as a Python int is. See `values.numbers.input_scalar`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...graph.node import Node
from ...guards.computed_sources import CallSource, Computed
from ...guards.guard import Outcome
from ...ops import pointwise as p
from ...ops.creation import FULL
from ..values.constant import Constant
from ..values.numbers.input_scalar import InputNumber, apply, is_number, operate, rely_on_types

if TYPE_CHECKING:
    from ..tracing.inputs import Input
    from ..tracing.trace import Trace
    from ..values.base import Value

_OPERATORS: dict[Any, str] = {
    p.ADD: "+",
    p.SUBTRACT: "-",
    p.MULTIPLY: "*",
    p.FLOOR_DIVIDE: "//",
    p.REMAINDER: "%",
    p.EQUAL: "==",
    p.NOT_EQUAL: "!=",
    p.LESS: "<",
    p.LESS_EQUAL: "<=",
    p.BITWISE_AND: "&",
    p.BITWISE_OR: "|",
    p.BITWISE_XOR: "^",
}
"""Python's operators that compute of integers what the op does, unless the result leaves the dtype."""
_COMPARISONS = frozenset(("==", "!=", "<", "<="))
_BITS = frozenset("&|^")
_MOST_NODES = 24


def outside_number(trace: Trace, node: Node) -> InputNumber | None:
    """The Python number equal to a node of rank 0; None where a kernel alone knows it, or NumPy's rules differ."""
    if trace.region is not None or trace.deferred is not None:
        return None
    found = _WayBack(trace).number(node)
    return found if isinstance(found, InputNumber) else None


class _WayBack:
    """One way back from a node to the numbers that the call begins with."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.left = _MOST_NODES

    def number(self, node: Node) -> Value | None:
        """The number, known or not. Nothing is guarded before all of it is found."""
        steps = self._steps(node)
        return None if steps is None else steps()

    def _steps(self, node: Node) -> Callable[[], Value | None] | None:
        self.left -= 1
        if self.left < 0 or node.shape or node.type.dtype.is_complex or node.type.dtype is dtypes.uint64:
            return None  # with a uint64 NumPy promotes otherwise than with a Python int
        entry = next((each for each in self.trace.inputs.entries if each.node is node), None)
        if entry is not None:
            return lambda: _given(self.trace, entry) if entry.kind in _KINDS else None
        if node.op is FULL:
            value: Any = node.kwargs["value"]
            return lambda: Constant(_python(node.type.dtype, value))
        wanted = node.type.dtype
        if node.op not in _OPERATORS and node.op is not p.CAST:
            return None
        parts = [self._steps(each) for each in node.inputs]
        before = node.inputs[0].type.dtype
        name = _OPERATORS.get(node.op, "")
        if any(each is None for each in parts) or not _is_exact(name, before, wanted):
            return None
        return lambda: self._computed(name, [each() for each in parts if each is not None], wanted)

    def _computed(self, name: str, values: list[Value | None], wanted: DType) -> Value | None:
        known = [each for each in values if each is not None]
        if len(known) < len(values) or not all(map(is_number, known)):
            return None
        if name:
            if name in ("//", "%") and isinstance(known[1], InputNumber):
                return None  # by 0 it is 0, and an error in Python
            if name in ("//", "%") and not known[1].constant(self.trace):
                return None
            result = operate(self.trace, name, *known)
        else:
            result = self._cast(known[0], wanted)
        if isinstance(result, InputNumber) and wanted.is_integer and not self._fits(result, wanted):
            return None
        return result

    def _cast(self, value: Value, wanted: DType) -> Value:
        kind: type = float if wanted.is_float else int
        if value.python_type is kind:
            return value
        if isinstance(value, Constant):
            return Constant(kind(value.value))
        return apply(self.trace, kind, kind.__name__, [value])

    def _fits(self, value: InputNumber, dtype: DType) -> bool:
        """Whether an int is one of the dtype's, which is guarded: NumPy's wraps around."""
        info = np.iinfo(dtype.numpy)
        least, most = int(info.min), int(info.max)
        if not least <= value.example <= most:
            return False
        if value.source.is_computed:
            rely_on_types(self.trace, value.source)
            self.trace.guard(Outcome, Computed("{} <= {} <= {}", (least, value.source, most)), expected=True)
        return True


_KINDS = frozenset(("numpy_scalar", "int", "float", "bool"))


def _given(trace: Trace, entry: Input) -> Value | None:
    """The Python number that an argument is or converts to."""
    example: Any = entry.example
    if entry.kind != "numpy_scalar":
        return InputNumber(entry.source, example)
    if entry.source not in trace.inputs.scalar_types:
        return None
    value = _python(entry.node.type.dtype, example)
    source = CallSource(type(value), type(value).__name__, (entry.source,))
    trace.inputs.scalar_examples[source] = value
    return InputNumber(source, value)


def _python(dtype: DType, value: Any) -> bool | int | float:
    """The number that a value is once it has the dtype: 0.6 as a float32 is another one than 0.6."""
    number: bool | int | float = np.asarray(value).astype(dtype.numpy).item()
    return number


def _is_exact(name: str, before: DType, wanted: DType) -> bool:
    """Whether Python gives what NumPy gives, but for integers that leave their dtype."""
    if name in _COMPARISONS:
        return True
    if name:
        return before.is_integer or name in _BITS
    if wanted.is_integer:
        return not before.is_float
    return wanted is dtypes.float64 or before.is_float and before.itemsize <= wanted.itemsize
