"""Ufuncs and operators: promotion by NumPy's own resolver, broadcasting, `out=`, Python numbers out of range."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.config import config
from ...core.dtypes import DType
from ...core.sized_shapes import broadcast_shapes
from ...core.sizes import float_of
from ...graph.node import Node
from ...guards.computed_sources import Computed
from ...guards.guard import Outcome
from ...ops.pointwise import WHERE
from ..breaks import DTYPE, NUMPY_ARGUMENT, RAISES
from ..regions.arrays import views
from ..regions.numbers.complex_ufuncs import plain_multiply
from ..regions.numbers.python_or_numpy import as_numpy_numbers
from ..tracing import half_floats
from ..tracing.complex_numbers import joined
from ..tracing.nodes import cast, constant_node
from ..tracing.rules import Rule, numpy_errors, traces_family
from ..tracing.speculation import unsupported_in_region
from ..values.arrays.array import ArrayValue, result
from ..values.arrays.operand import is_array
from ..values.arrays.view_steps import FakeArray, Ints, expand
from ..values.base import Value
from ..values.constant import Constant, is_none
from ..values.containers.ranges import RangeValue
from ..values.containers.sequences import ListValue, Sequence, TupleValue
from ..values.numbers.computed import ComputedNumber
from ..values.numbers.input_complex import InputComplex
from ..values.numbers.input_scalar import InputNumber, rely_on_types
from ..values.numbers.symbolic_int import SymInt, size_of
from .memory_order import kept_order
from .powers import complex_power, power_form, power_operands
from .ufunc_table import UFUNCS, WARNS_OF_OUT, Lowered, scalar_power

if TYPE_CHECKING:
    from ..tracing.trace import Trace

OPERATORS: dict[str, np.ufunc] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.true_divide, "//": np.floor_divide, "%": np.remainder,
    "**": np.power, "<<": np.left_shift, ">>": np.right_shift, "&": np.bitwise_and, "|": np.bitwise_or,
    "^": np.bitwise_xor, "<": np.less, "<=": np.less_equal, "==": np.equal, "!=": np.not_equal, ">": np.greater,
    ">=": np.greater_equal,
}  # fmt: skip


def supported(dtype: Any) -> DType:
    """The kernel dtype of a NumPy dtype. Errors: a break when kernels do not compute with it."""
    found = dtypes.in_memory(dtype)
    if found is None:
        raise DTYPE.stop(dtype=dtype)
    return found


def as_operand(trace: Trace, value: Value) -> Value:
    """An operand of array arithmetic: arrays and numbers as they are, sequences of them as arrays."""
    if isinstance(value, (ArrayValue, InputNumber, ComputedNumber, SymInt)) or (
        isinstance(value, Constant) and value.python_type in (bool, int, float)
    ):
        return value
    if isinstance(value, Constant) and value.python_type is complex:
        return value
    if isinstance(value, RangeValue) and len(value.range) <= config.unroll_limit:
        value = ListValue(value.elements(trace))
    if isinstance(value, Sequence):
        from .creation import array_of

        return array_of(trace, value)
    raise value.unsupported("array arithmetic")


def promotion_type(value: Value) -> Any:
    """The type that the operand counts as in promotion: a dtype, or the Python type of a weak number."""
    if isinstance(value, ArrayValue):
        return value.fake.dtype
    kind = value.python_type
    return np.dtype(bool) if kind is bool else kind


def operand_node(trace: Trace, value: Value, dtype: DType, shape: Ints) -> Node:
    """The operand as a node of this dtype, broadcast to this shape."""
    if isinstance(value, InputComplex):
        return expand(trace, cast(trace, joined(trace, *value.parts(trace)), dtype), shape)
    if isinstance(value, SymInt) and not dtype.is_bool and not dtype.is_complex:
        return constant_node(trace, float_of(value.size) if dtype.is_float else value.size, shape, dtype)
    if isinstance(value, Constant):
        return constant_node(trace, value.value, shape, dtype)
    if isinstance(value, InputNumber):
        if type(value.example) is bool:
            return constant_node(trace, value.truth(trace), shape, dtype)
        if type(value.example) is int and dtype.is_integer:
            _fits(trace, value, dtype)
        return expand(trace, cast(trace, value.node(trace), dtype), shape)
    if isinstance(value, ComputedNumber):
        if value.python_type is complex and not dtype.is_complex:
            raise NUMPY_ARGUMENT.stop(name="a conversion", argument=f"a complex number to {dtype}")
        from ..regions.numbers.arithmetic import as_operand_of

        return expand(trace, as_operand_of(trace, value, dtype), shape)
    assert isinstance(value, ArrayValue)
    return expand(trace, cast(trace, value.read(trace), dtype), shape)


def _fits(trace: Trace, value: InputNumber, dtype: DType) -> None:
    """Guards that a Python int stays in the range of a dtype. Errors: a break where NumPy raises OverflowError."""
    info = np.iinfo(dtype.numpy)
    if not info.min <= value.example <= info.max:
        raise RAISES.stop(error=f"OverflowError: {value.example} does not fit {dtype}")
    if dtype is not dtypes.int64:
        rely_on_types(trace, value.source)
        trace.guard(Outcome, Computed("{} <= {} <= {}", (int(info.min), value.source, int(info.max))), expected=True)


def operand_fake(value: Value) -> FakeArray:
    return value.fake if isinstance(value, ArrayValue) else np.zeros(())


def call_ufunc(
    trace: Trace,
    ufunc: np.ufunc,
    operands: list[Value],
    *,
    out: Value | None = None,
    dtype: Any = None,
    lowered: Lowered | None = None,
    where: Value | None = None,
) -> Value:
    """`ufunc(*operands, out=…, where=…)`. `lowered` replaces what the table says the ufunc becomes.

    Errors: a break for dtypes without kernels, or where NumPy raises.
    """
    if trace.region is not None:
        operands = as_numpy_numbers(operands)
        if where is not None:
            raise unsupported_in_region("a ufunc with the argument 'where'")
        if views.concerns(trace, *operands):
            return _call_in_region(trace, ufunc, operands, out, dtype, lowered)
    operands = [as_operand(trace, each) for each in operands]
    target = target_array(out)
    loop, shape = _resolved(ufunc, operands, target, dtype)
    inputs = [supported(kind) for kind in loop[:-1]]
    outcome_dtype = supported(loop[-1])
    if target is not None and not fits(shape, target.shape):
        raise RAISES.stop(error="ValueError: the output does not have the broadcast shape")
    into = shape if target is None else target.shape
    mask = None if where is None else _mask(trace, ufunc, where, target, inputs)
    operands, lowered = _lowering(trace, ufunc, operands, inputs, target, into, lowered)
    if any(kind.is_half for kind in inputs):
        lowered = half_floats.rounding(lowered, outcome_dtype)
    outcome = _beyond_range(trace, ufunc, operands)
    if outcome is not None:
        node = constant_node(trace, outcome, into, dtypes.bool_)
    else:
        nodes = (operand_node(trace, value, kind, into) for value, kind in zip(operands, inputs, strict=True))
        node = lowered(trace, *nodes)
    if target is not None:
        node = cast(trace, node, target.dtype)
        target.write(trace, node if mask is None else trace.add(WHERE, mask, node, target.read(trace)))
        return target
    strides = kept_order(shape, [operand_fake(each) for each in operands])
    return result(trace, node, strides, is_numpy_scalar=not shape)


def _call_in_region(
    trace: Trace, ufunc: np.ufunc, operands: list[Value], out: Value | None, dtype: Any, lowered: Lowered | None
) -> Value:
    """The ufunc over views of a region, element by element."""
    if out is not None and not (isinstance(out, Constant) and out.value is None):
        raise unsupported_in_region("an output array")
    from ..regions.arrays.elementwise import elementwise

    return elementwise(trace, ufunc, operands, dtype, lowered)


def _lowering(
    trace: Trace,
    ufunc: np.ufunc,
    operands: list[Value],
    inputs: list[DType],
    target: ArrayValue | None,
    into: Ints,
    given: Lowered | None,
) -> tuple[list[Value], Lowered]:
    """The ops that a ufunc becomes for operands of these dtypes, and the operands as they are to be.

    given: what the caller wants it to become.
    """
    lowered = given
    if any(kind.is_complex for kind in inputs):
        lowered = _complex_form(trace, ufunc, operands, target, lowered)
    if lowered is None and ufunc is np.power and inputs[0].is_half:
        if trace.region is not None:  # by one exponent its result is another than that of the `**` operator
            raise unsupported_in_region("a power of float16 arrays")
        lowered = scalar_power  # its loop for float16 has no short cut
    lowered = lowered or UFUNCS[ufunc]
    if ufunc in (np.power, np.float_power):
        return power_operands(trace, operands, into, lowered)
    return operands, lowered


def _mask(trace: Trace, ufunc: np.ufunc, where: Value, target: ArrayValue | None, inputs: list[DType]) -> Node | None:
    """The places where an output array is written; None for all. Errors: a break for what NumPy does not take."""
    if isinstance(where, Constant) and where.value is True:
        return None
    name, mask = f"np.{ufunc.__name__}", as_operand(trace, where)
    if target is None:
        raise NUMPY_ARGUMENT.stop(name=name, argument="the argument 'where', and no output array")
    if not isinstance(mask, ArrayValue) or not mask.dtype.is_bool or not fits(mask.shape, target.shape):
        raise NUMPY_ARGUMENT.stop(name=name, argument="the argument 'where', which is no array of bools of that shape")
    if ufunc is np.power and inputs[0].is_integer:  # which raises for a negative exponent, where it computes one
        raise NUMPY_ARGUMENT.stop(name=name, argument="the argument 'where', and integers")
    return operand_node(trace, mask, dtypes.bool_, target.shape)


def _complex_form(
    trace: Trace, ufunc: np.ufunc, operands: list[Value], target: ArrayValue | None, lowered: Lowered | None
) -> Lowered:
    """The lowering of a ufunc over complex numbers. Errors: a break for those without a form."""
    from ..regions.numbers.complex_ufuncs import COMPLEX_UFUNCS

    if ufunc is np.power:
        found = complex_power(trace, operands)
    else:
        found = lowered if lowered is not None and lowered is not scalar_power else COMPLEX_UFUNCS.get(ufunc)
    if found is None:
        raise DTYPE.stop(dtype=f"complex in np.{ufunc.__name__}")
    for each in operands if target is not None else ():
        if isinstance(each, ArrayValue) and each is not target and each.storage is target.storage:  # type: ignore[union-attr]
            raise NUMPY_ARGUMENT.stop(name=f"np.{ufunc.__name__}", argument="complex numbers in an overlapping output")
    return found


def fits(shape: Ints, target: Ints) -> bool:
    """Whether something of this shape broadcasts to the target shape."""
    with numpy_errors():
        return broadcast_shapes(shape, target) == target


def _resolved(
    ufunc: np.ufunc, operands: list[Value], target: ArrayValue | None, dtype: Any
) -> tuple[tuple[np.dtype[Any], ...], Ints]:
    """The dtypes of NumPy's loop for these operands, and their broadcast shape."""
    wanted = [promotion_type(each) for each in operands]
    if all(kind in (int, float, complex) for kind in wanted):
        wanted = [np.dtype(kind) for kind in wanted]
    given: dict[str, Any] = {"casting": "same_kind"}
    if dtype is not None:
        given["signature"] = (*[None] * len(operands), np.dtype(dtype))
    with numpy_errors():
        loop = ufunc.resolve_dtypes((*wanted, target.fake.dtype if target is not None else None), **given)
        return loop, broadcast_shapes(*(operand_fake(each).shape for each in operands))


COMPARISONS: dict[np.ufunc, Callable[[int, int], bool]] = {
    np.equal: operator.eq, np.not_equal: operator.ne, np.less: operator.lt, np.less_equal: operator.le,
    np.greater: operator.gt, np.greater_equal: operator.ge,
}  # fmt: skip


def _beyond_range(trace: Trace, ufunc: np.ufunc, operands: list[Value]) -> bool | None:
    """The result, alike for all elements, of comparing integers with a Python int beyond their range; else None."""
    if ufunc not in COMPARISONS:
        return None
    for number, other, place in ((operands[0], operands[1], 0), (operands[1], operands[0], 1)):
        if (
            isinstance(other, ArrayValue)
            and other.dtype.is_integer
            and not isinstance(number, ArrayValue)
            and number.python_type is int
        ):
            side = side_of_range(trace, number, other.dtype)
            if side:
                return COMPARISONS[ufunc](side, 0) if place == 0 else COMPARISONS[ufunc](0, side)
    return None


def side_of_range(trace: Trace, number: Value, dtype: DType) -> int:
    """-1 for a Python int below the range of a dtype, 1 above it, 0 within."""
    info = np.iinfo(dtype.numpy)
    if isinstance(number, ComputedNumber):
        return 0  # as an operand it is checked to fit
    value = number.example if isinstance(number, InputNumber) else size_of(trace, number)
    if info.min <= value <= info.max:
        if isinstance(number, InputNumber):
            _fits(trace, number, dtype)
        return 0
    if isinstance(number, InputNumber):
        form, bound = ("{} < {}", info.min) if value < info.min else ("{} > {}", info.max)
        rely_on_types(trace, number.source)
        trace.guard(Outcome, Computed(form, (number.source, int(bound))), expected=True)
    return -1 if value < info.min else 1


def target_array(out: Value | None) -> ArrayValue | None:
    """The array that an `out` argument names; None without one."""
    if isinstance(out, TupleValue) and len(out.items) == 1:
        out = out.items[0]
    if out is None or (isinstance(out, Constant) and out.value is None):
        return None
    if not isinstance(out, ArrayValue) or out.is_numpy_scalar:
        raise NUMPY_ARGUMENT.stop(name="a ufunc", argument="an output that is not an array")
    return out


def array_operator(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool = False) -> Value:
    """`left <name> right` where one side is an array or a NumPy scalar."""
    if trace.region is not None and (views.concerns(trace, left, right) or in_place and is_array(left)):
        from ..regions.arrays.functions import array_operator as region_operator

        return region_operator(trace, name, left, right, in_place=in_place)
    if (
        is_pythons_complex(left)
        and isinstance(right, ArrayValue)
        and right.is_numpy_scalar
        and right.dtype is dtypes.float64
    ):
        from ..regions.numbers.complex import operate_beside_float

        return operate_beside_float(trace, name, left, right)
    if name == "@":
        from .linear import matmul

        if in_place:
            raise NUMPY_ARGUMENT.stop(name="@=", argument="an in-place matrix product")
        return matmul(trace, left, right)
    if is_none(left) or is_none(right):
        raise left.unsupported(f"the operator `{name}` with None")
    if name == "*" and (_repeats(left, right) or _repeats(right, left)):
        raise left.unsupported("the operator `*` with a NumPy scalar")
    target = left if in_place and isinstance(left, ArrayValue) and not left.is_numpy_scalar else None
    ufunc: np.ufunc = OPERATORS[name]
    lowered: Lowered | None = None
    if name == "**" and isinstance(left, ArrayValue):
        ufunc, lowered = power_form(trace, left, right, in_place=target is not None)
    if name == "*" and not any(isinstance(each, ArrayValue) and not each.is_numpy_scalar for each in (left, right)):
        if any(_is_complex(each) for each in (left, right)):
            lowered = plain_multiply
    return call_ufunc(trace, ufunc, [left, right][: ufunc.nin], out=target, lowered=lowered)


def _repeats(number: Value, sequence: Value) -> bool:
    """Whether NumPy leaves a product to the sequence, which a NumPy integer repeats and another number does not."""
    if not (isinstance(number, ArrayValue) and number.is_numpy_scalar):
        return False
    return isinstance(sequence, Sequence) or isinstance(sequence, Constant) and type(sequence.value) in (str, bytes)


def is_pythons_complex(value: Value) -> bool:
    """Whether a value is a complex number of Python's."""
    return isinstance(value, (Constant, ComputedNumber)) and value.python_type is complex


def _is_complex(value: Value) -> bool:
    return is_pythons_complex(value) or isinstance(value, ArrayValue) and value.dtype.is_complex


def array_unary(trace: Trace, name: str, value: Value) -> Value:
    """`-array`, `+array`, `~array`."""
    return call_ufunc(trace, {"-": np.negative, "+": np.positive, "~": np.invert}[name], [value])


def _rule(ufunc: np.ufunc) -> Rule:
    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        operands, extra = list(args[: ufunc.nin]), args[ufunc.nin :]
        if len(operands) != ufunc.nin or len(extra) > 1:
            raise RAISES.stop(error=f"TypeError: {ufunc.__name__}() takes {ufunc.nin} operands")
        if extra and ufunc in WARNS_OF_OUT:
            raise NUMPY_ARGUMENT.stop(
                name=f"np.{ufunc.__name__}", argument="an output by position, which NumPy warns of"
            )
        out = kwargs.pop("out", extra[0] if extra else None)
        dtype, where = kwargs.pop("dtype", None), kwargs.pop("where", None)
        if kwargs:
            raise NUMPY_ARGUMENT.stop(name=f"np.{ufunc.__name__}", argument=f"the argument {next(iter(kwargs))!r}")
        wanted = None if dtype is None else dtype.constant(trace)
        return call_ufunc(trace, ufunc, operands, out=out, dtype=wanted, where=where)

    return rule


@traces_family
def find_ufunc(function: Any) -> Rule | None:
    """The rule for a ufunc in the table."""
    return _rule(function) if isinstance(function, np.ufunc) and function in UFUNCS else None
