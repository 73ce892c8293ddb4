"""Numbers that may be NumPy's or, before a loop has come round, still Python's.

``total = 0.0`` and then ``total += x[i]``: after a round it is a NumPy number, after none a Python one. What is done
with it here is what gives the same number for both; a bool beside it says at run time whose it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.dtypes import DType
from ....graph.node import Node
from ....ops import pointwise as p
from ...breaks import LOOP_TWO_KINDS
from ...tracing.nodes import constant_node
from ...values import protocols
from ...values.arrays.array import ArrayValue, result
from ...values.arrays.operand import is_array
from ...values.base import Value
from ...values.constant import Constant
from ...values.python_operators import OperatorRank

if TYPE_CHECKING:
    from ...breaks import GraphBreak
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class PythonOrNumpyNumber(Value):
    """A number of which the value is known as `array`, a NumPy scalar, and not whether it is NumPy's.

    python: the type it has if it is Python's. numpy: a bool of the region, and of the graph behind it.
    """

    __slots__ = ("array", "numpy", "python")
    operator_rank = OperatorRank.PYTHON_OR_NUMPY_NUMBER

    def __init__(self, array: ArrayValue, python: type, numpy: Node) -> None:
        self.array = array
        self.python = python
        self.numpy = numpy

    @property
    def python_type(self) -> type:
        raise LOOP_TWO_KINDS.stop(what="the type of a variable that may be a Python number or a NumPy one")

    def describe(self) -> str:
        return "a number that may be Python's or NumPy's"

    def unsupported(self, operation: str) -> GraphBreak:
        return LOOP_TWO_KINDS.stop(what=f"{operation} of a variable that may be a Python number or a NumPy one")

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        if trace.region is None or is_array(left) or is_array(right):
            return None
        return operate(trace, name, left, right)

    def rebuild(self, writer: EntryWriter) -> str:
        number = writer.array(self.array)
        whose = writer.array(result(writer.trace, self.numpy, is_numpy_scalar=True))
        plain = f"{number}.item()"
        if self.python is int and not self.array.dtype.is_integer:
            plain = f"{writer.pool.add(int)}({plain})"
        return f"({number} if {whose} else {plain})"


def operate(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right` where one is Python's or NumPy's: beside a NumPy number of its dtype it counts as one
    itself."""
    from .arithmetic import is_python_number

    either = left if isinstance(left, PythonOrNumpyNumber) else right
    assert isinstance(either, PythonOrNumpyNumber)
    other = right if either is left else left
    dtype = either.array.dtype
    strong = [each.array if isinstance(each, PythonOrNumpyNumber) else each for each in (left, right)]
    if isinstance(other, ArrayValue) and other.is_numpy_scalar and name != "**" and _makes_numpys(either, other.dtype):
        return protocols.array_operator(trace, name, strong[0], strong[1])
    if dtype is dtypes.complex128:
        from .complex import operate_python_or_numpy

        return operate_python_or_numpy(trace, name, left, right)
    python = [each.python if isinstance(each, PythonOrNumpyNumber) else each.python_type for each in (left, right)]
    if name not in _SAME or dtype is not dtypes.float64 or bool in python:
        raise either.unsupported(f"the operator `{name}`")
    if not (isinstance(other, PythonOrNumpyNumber) and other.array.dtype is dtype or is_python_number(other)):
        raise either.unsupported(f"the operator `{name}`")
    strong = [_exactly(trace, each) for each in strong]
    made = protocols.array_operator(trace, name, strong[0], strong[1])
    assert isinstance(made, ArrayValue)
    numpys = [each.numpy for each in (left, right) if isinstance(each, PythonOrNumpyNumber)]
    whose = numpys[0] if len(numpys) == 1 else trace.add(p.BITWISE_OR, *numpys)
    kind = bool if made.dtype.is_bool else float if float in python else int
    if kind is int:
        made = _as_an_int(trace, made, whose)
    return PythonOrNumpyNumber(made, kind, whose)


def _makes_numpys(either: PythonOrNumpyNumber, dtype: DType) -> bool:
    """Whether NumPy's number of this dtype makes the same of such a number whosever it is: a Python float beside an
    integer is a float64 too."""
    if dtype is either.array.dtype:
        return True
    return either.python is float and either.array.dtype is dtypes.float64 and (dtype.is_integer or dtype.is_bool)


def as_numpy_numbers(operands: list[Value]) -> list[Value]:
    """The operands of a ufunc; float64 ones that are Python's or NumPy's become NumPy's, where it takes a Python float
    for the same.

    Errors: a break beside numbers of another dtype, which a Python float would take over.
    """
    if not any(isinstance(each, PythonOrNumpyNumber) for each in operands):
        return operands
    for each in operands:
        dtype = each.array.dtype if isinstance(each, PythonOrNumpyNumber) else getattr(each, "dtype", dtypes.float64)
        if dtype is not dtypes.float64:
            raise LOOP_TWO_KINDS.stop(what="an operation with a variable that may be a Python number or a NumPy one")
    return [each.array if isinstance(each, PythonOrNumpyNumber) else each for each in operands]


def _exactly(trace: Trace, value: Value) -> Value:
    """A Python int as a float64 that is the same number; others as they are. The region is left for a large one."""
    from .arithmetic import EXACT, as_float, is_python_number

    assert trace.region is not None
    if not is_python_number(value) or value.python_type is not int:
        return value
    if isinstance(value, Constant):
        if abs(value.value) > EXACT:
            raise LOOP_TWO_KINDS.stop(what="a large int beside a variable that may be a Python number or a NumPy one")
        return value
    return result(trace, as_float(trace, trace.region, value), is_numpy_scalar=True)


def _as_an_int(trace: Trace, made: ArrayValue, numpys: Node) -> ArrayValue:
    """A sum or product as a float64 that is right for ints too: none too large for that, and no zero of -0.0."""
    from .arithmetic import EXACT

    region = trace.region
    assert region is not None
    node, numpys = region.let_of(made.read(trace)), region.let_of(numpys)
    limit = constant_node(trace, float(EXACT), (), dtypes.float64)
    large = trace.add(p.LESS_EQUAL, limit, trace.add(p.ABSOLUTE, node))
    region.leave_if(trace.add(p.BITWISE_AND, large, trace.add(p.INVERT, numpys)))
    without_sign = trace.add(p.ADD, node, constant_node(trace, 0.0, (), dtypes.float64))
    return result(trace, trace.add(p.WHERE, numpys, node, without_sign), is_numpy_scalar=True)


_SAME = ("+", "-", "*", "<", "<=", ">", ">=", "==", "!=")
"""Operators that give the same number for a Python float and a float64, and for ints that a float64 holds."""
