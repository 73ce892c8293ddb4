"""The operator `**` of arrays: the ufunc that NumPy calls for it, and what that becomes.

NumPy takes short cuts by the exponent. Up to version 2.2 the operator looks at the value of an exponent without axes,
whatever its dtype: a float32 array to the power of `np.float64(2)` is squared, and so float32, to that of
`np.float64(3)` it is float64; an array of integers, squared in place by 2.0, holds integers. From 2.3 on it looks at
Python numbers, and the dtypes are those of `np.power`. What the value decides is left to NumPy where it is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..breaks import NUMPY_ARGUMENT
from ..python.operators import compare
from ..regions.numbers.complex_ufuncs import numpys_power, whole_exponent
from ..tracing.numpy_versions import NUMPY
from ..tracing.speculation import unsupported_in_region
from ..values.arrays.array import ArrayValue
from ..values.arrays.operand import is_array
from ..values.arrays.view_steps import Ints
from ..values.base import Value
from ..values.constant import Constant
from ..values.numbers.computed import ComputedNumber
from ..values.numbers.input_scalar import InputNumber, is_number
from ..values.numbers.symbolic_int import SymInt
from .ufunc_table import Lowered, power, scalar_power, selecting_power

if TYPE_CHECKING:
    from ..breaks import GraphBreak
    from ..tracing.trace import Trace

TWO = Constant(2)
Form = tuple[np.ufunc, Lowered | None]


def power_form(trace: Trace, base: ArrayValue, exponent: Value, *, in_place: bool) -> Form:
    """The ufunc for `base ** exponent`, `np.power` or `np.square`, and its lowering if not that of the table."""
    if not NUMPY.power_loop_knows_roots:
        return _form_by_value(trace, base, exponent, in_place=in_place)
    if base.is_numpy_scalar:
        return np.power, None if is_array(exponent) else scalar_power
    if _is_two(trace, base, exponent):
        return np.square, None
    return np.power, power if base.dtype.is_half and not isinstance(exponent, ArrayValue) else None


def _is_two(trace: Trace, base: ArrayValue, exponent: Value) -> bool:
    """Whether `**` squares. A number from outside is looked at only where a square is another number than a power."""
    if isinstance(exponent, InputNumber):
        return (
            (base.dtype.is_bool or base.dtype.is_complex)
            and exponent.python_type is int
            and compare(trace, "==", exponent, TWO).truth(trace)
        )
    return isinstance(exponent, Constant) and type(exponent.value) is int and exponent.value == 2


def _form_by_value(trace: Trace, base: ArrayValue, exponent: Value, *, in_place: bool) -> Form:
    """The form of `**` up to NumPy 2.2. Errors: a break where the value decides on the dtype, and is not known."""
    if base.is_numpy_scalar or isinstance(exponent, ArrayValue) and exponent.shape:
        return np.power, scalar_power
    if isinstance(exponent, ArrayValue):
        if exponent.is_numpy_scalar and exponent.dtype.is_bool:
            raise NUMPY_ARGUMENT.stop(name="a power", argument="a NumPy bool, of which NumPy warns")
        if base.dtype.is_bool or np.result_type(base.fake.dtype, exponent.fake.dtype) != base.fake.dtype:
            raise _value_decides()
        return np.power, power if base.dtype.is_float else scalar_power
    if not isinstance(exponent, (Constant, InputNumber, ComputedNumber, SymInt)):
        return np.power, scalar_power
    if base.dtype.is_complex and is_number(exponent):
        for known, ufunc in ((TWO, np.square), (Constant(1), np.positive)):
            if compare(trace, "==", exponent, known).truth(trace):
                return ufunc, None
        return np.power, None
    if not (base.dtype.is_bool or base.dtype.is_integer and exponent.python_type is float):
        return (np.square, None) if _is_two(trace, base, exponent) else (np.power, power)
    if not is_number(exponent):
        raise _value_decides()
    if not compare(trace, "==", exponent, TWO).truth(trace):
        return np.power, scalar_power
    if base.dtype.is_bool or in_place:
        return np.square, None
    if not base.shape:
        raise NUMPY_ARGUMENT.stop(name="a power", argument="2.0, of an integer array without axes")
    return np.power, scalar_power


def power_of_elements(base: Any, exponent: Any) -> Lowered | None:
    """The lowering of `base ** exponent` over arrays of a native loop, if not that of the table.

    Errors: leaves the loop to Python where the value decides on what NumPy computes, and is not known: of complex
    numbers, and up to NumPy 2.2 of others, whose dtype it decides on.
    """
    if is_array(base) and base.dtype.is_complex and not isinstance(exponent, Constant):
        raise unsupported_in_region("an array of complex numbers to a power that is not known")
    if NUMPY.power_loop_knows_roots or not is_array(base):
        return None
    if is_array(exponent) and exponent.shape:
        return None
    if isinstance(exponent, Constant) and base.dtype.is_float:
        return None if base.dtype.is_half else power
    if isinstance(exponent, Constant) and exponent.value not in ((1, 2) if base.dtype.is_complex else (2,)):
        return None
    raise unsupported_in_region("an array to a power whose value decides on the dtype")


def complex_power(trace: Trace, operands: list[Value]) -> Lowered | None:
    """The lowering of a power of complex numbers; None for one that NumPy leaves to the C library."""
    times = whole_exponent(trace, operands[1])
    return None if times is None else lambda trace, node, _: numpys_power(trace, node, times)


def power_operands(trace: Trace, operands: list[Value], shape: Ints, lowered: Lowered) -> tuple[list[Value], Lowered]:
    """The operands of a power, and its lowering where the exponent is not known. See Note [Uniform exponents]."""
    base, exponent = operands
    if lowered is scalar_power:
        return operands, lowered
    if isinstance(exponent, InputNumber) and exponent.python_type is float:
        half = compare(trace, "==", exponent, Constant(0.5)).truth(trace)
        return [base, Constant(0.5) if half else exponent], lowered
    if isinstance(exponent, ComputedNumber) and exponent.python_type is float:
        if isinstance(base, ArrayValue) and base.dtype.is_half:  # what rounds to 0.5 takes no square root there
            raise NUMPY_ARGUMENT.stop(name="a power", argument="float16, and an exponent that is computed")
        return operands, selecting_power
    if not isinstance(exponent, ArrayValue) or not exponent.dtype.is_float:
        return operands, lowered
    if exponent.type.size == 1 and (not exponent.shape or np.prod(shape) != 1):
        return operands, selecting_power
    if exponent.shape != shape or any(
        step == 0 and size > 1 for step, size in zip(exponent.fake.strides, shape, strict=True)
    ):
        raise NUMPY_ARGUMENT.stop(name="a power", argument="an array of exponents that is broadcast")
    return operands, lowered


def _value_decides() -> GraphBreak:
    return NUMPY_ARGUMENT.stop(name="a power", argument="an exponent whose value decides on the dtype")
