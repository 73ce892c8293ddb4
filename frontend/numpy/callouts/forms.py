"""Call-outs while tracing: the arguments of a call of NumPy as forms, and the form of what it will give.

See `ops.call_outs` for forms. What a function gives is found by calling it on arrays of ones, and of ascending numbers,
of the same dtypes and shapes: NumPy's code runs then, and none of the user.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core import dtypes
from ....core.config import config
from ....core.dtypes import DType
from ....core.errors import OpError
from ....core.records import dataclass, replace
from ....core.sizes import Size, is_whole
from ....core.types import contiguous_strides
from ....ops import call_outs as forms
from ....ops.call_outs import Form
from ...breaks import DATA_SHAPE, LOOP_CALL, NUMPY_ARGUMENT, UNKNOWN_VALUE
from ...regions.arrays.views import ArrayExpression, RegionArray, as_array
from ...values.arrays.array import ArrayValue
from ...values.base import Value
from ...values.containers.dicts import DictValue
from ...values.containers.named_tuples import NamedTupleValue
from ...values.containers.ranges import RangeValue, SliceValue
from ...values.containers.sequences import ListValue
from ...values.containers.sequences import Sequence as SequenceValue
from ...values.numbers.computed import ComputedNumber
from ...values.numbers.input_scalar import InputNumber
from ...values.numbers.symbolic_int import size_of
from ...values.objects.random_generators import RandomGenerator
from .symbolic_forms import form_for_sizes

if TYPE_CHECKING:
    from ...tracing.trace import Trace

MOST = 2**22
"""Elements of the largest array that a call in a native loop is given: trying the function takes as long as a call."""


@dataclass(frozen=True, slots=True)
class CallOperand:
    """An array, number or generator that a call is given.

    example: of a number or a generator, one that stands in for it. any_layout: whether nobody knows how an array
    lies."""

    value: Value
    dtype: DType = dtypes.int64
    shape: tuple[int, ...] = ()
    example: Any = None
    any_layout: bool = False


@dataclass(frozen=True, slots=True)
class CalledForm:
    """A call of NumPy: what the plan or the kernel needs to know of it, and its operands."""

    function: str
    arguments: tuple[Form, ...]
    keywords: tuple[tuple[str, Form], ...]
    results: Form
    module: str
    operands: tuple[CallOperand, ...]

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes that a node of `ops.call_outs.CALL_OUT` has for this call."""
        names = ("function", "arguments", "keywords", "results", "module")
        return {name: getattr(self, name) for name in names}


def shown(name: str) -> str:
    """A function's name as people write it."""
    name = name.split(" ", 2)[2] if name.startswith(forms.UNDER) else name
    return name.removeprefix(forms.INTO).replace("numpy", "np", 1)


def described(trace: Trace, name: str, args: list[Value], kwargs: dict[str, Value]) -> CalledForm:
    """The call of the function of that name.

    Errors: a break for arguments that have no form, results of unknown kinds, and where NumPy raises.
    """
    taken = _Arguments(trace)
    arguments = tuple(taken.form(each) for each in args)
    keywords = tuple((key, taken.form(each)) for key, each in kwargs.items())
    results = _results(trace, name, arguments, keywords, taken.operands)
    return CalledForm(name, arguments, keywords, results, _module(trace), tuple(taken.operands))


def _module(trace: Trace) -> str:
    name = trace.progress.frames[-1].scope.globals().get("__name__") if trace.progress.frames else None
    return name if type(name) is str else "__main__"


class _Arguments:
    """The arguments of a call, as forms over the arrays and numbers among them."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.operands: list[CallOperand] = []

    def form(self, value: Value) -> Form:
        """See Note [Forms of arguments] in `ops.call_outs`. Errors: a break for what has none."""
        if isinstance(value, RandomGenerator):
            return "generator", self._operand(CallOperand(value, example=value.stand_in()))
        if isinstance(value, RegionArray):
            return self._of_region(value)
        if isinstance(value, ArrayValue):
            return self._of_array(value)
        if isinstance(value, ComputedNumber):
            return "number", self._operand(CallOperand(value, value.array.dtype))
        if isinstance(value, InputNumber) and value.python_type is float:
            return "number", self._operand(CallOperand(value, dtypes.float64, example=value.example))
        if isinstance(value, RangeValue) and len(value.range) <= config.unroll_limit:
            value = ListValue(value.elements(self.trace))
        if isinstance(value, SequenceValue) and not isinstance(value, NamedTupleValue):
            kind = "list" if isinstance(value, ListValue) else "tuple"
            return kind, *(self.form(each) for each in value.items)
        if isinstance(value, SliceValue):
            return "slice", *(size_of(self.trace, each) for each in value.parts)
        known = size_of(self.trace, value) if not isinstance(value, DictValue) else value
        if type(known) is Size and self.trace.region is not None:
            known = int(known)
        return _constant_form(value, known)

    def _of_array(self, array: ArrayValue) -> Form:
        if array.is_numpy_scalar:
            return "scalar", self._operand(CallOperand(array, array.dtype))
        region = self.trace.region
        if region is not None and array.shape and region.memory.owns(array.storage):
            known = as_array(self.trace, array)
            assert known is not None
            return self._of_region(known)
        strides = tuple(step // array.fake.itemsize for step in array.fake.strides)
        return "array", self._operand(CallOperand(array, array.dtype, array.shape)), strides

    def _of_region(self, value: RegionArray) -> Form:
        array = as_array(self.trace, value)
        assert array is not None
        shape = tuple(int(size) for size in array.shape if is_whole(size))
        if len(shape) != len(array.shape) or prod(shape) > MOST:
            raise LOOP_CALL.stop(what="a call of NumPy's with an array of a size that changes, or is large")
        if isinstance(array, ArrayExpression):  # which is settled row by row
            return "array", self._operand(CallOperand(array, array.dtype, shape)), contiguous_strides(shape)
        return "array", self._operand(CallOperand(array, array.dtype, shape, any_layout=True)), None

    def _operand(self, operand: CallOperand) -> int:
        self.operands.append(operand)
        return len(self.operands) - 1


def _constant_form(value: Value, known: Any) -> Form:
    if known is None or type(known) in (bool, int, float, str, Size):
        return "constant", known
    if type(known) is complex:
        return "complex", known.real, known.imag
    if isinstance(known, np.dtype) and known.kind in "biufc" and known.isnative:
        return "dtype", known.str
    if isinstance(known, type) and (known in (bool, int, float, complex) or issubclass(known, np.number | np.bool)):
        return "type", "bool_" if known is np.bool else known.__name__
    raise UNKNOWN_VALUE.stop(operation="a call of NumPy", name=value.describe())


def _results(trace: Trace, name: str, arguments: Form, keywords: Form, operands: list[CallOperand]) -> Form:
    """The form of what the function gives for such operands. Errors: a break where it has none."""
    called, function = shown(name), forms.found(name)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = form_for_sizes(
                trace.facts.sizes,
                (arguments, keywords, tuple(each.shape for each in operands)),
                lambda args, named, shapes: _form_for_stand_ins(
                    function,
                    args,
                    named,
                    [replace(each, shape=shape) for each, shape in zip(operands, shapes, strict=True)],
                ),
            )
    except Exception as error:
        raise NUMPY_ARGUMENT.stop(name=called, argument=f"these arguments ({error})") from None
    if found is None:
        raise DATA_SHAPE.stop(name=called)
    return found


def _form_for_stand_ins(
    function: Callable[..., Any], arguments: Form, keywords: Form, operands: list[CallOperand]
) -> Form | None:
    """The form of what the function gives for ones, for ascending numbers and for zeros; None where it gives several.

    Examples, unit matrices and vectors of the sum one take the place of those that it refuses. Arrays of which nobody
    knows how they lie do so by rows at first, then by columns.
    Errors: what the function raises for all of them; OpError where a result has no form.
    """
    found: list[Form] = []
    refusals: list[Exception] = []
    for make in (_ones, _ascending, _zeros, _fitting):
        if make is _fitting and len(found) > 1:
            break
        template_values = [_stand_in(make, each) for each in operands]
        args = [forms.argument(each, template_values) for each in arguments]
        named = {key: forms.argument(form, template_values) for key, form in keywords}
        try:
            value = function(*args, **named)
        except (ValueError, IndexError, ArithmeticError, np.linalg.LinAlgError) as error:
            refusals.append(error)
            continue
        given = forms.described(value)
        found.append(given.form)
        arrays = [each for each in (*args, *named.values(), *template_values) if isinstance(each, np.ndarray)]
        if any(np.may_share_memory(part, each) for part in given.leaves for each in arrays):
            raise OpError("it gives one of them, or a view")
    if not found:
        raise refusals[0]
    return found[0] if all(each == found[0] for each in found) else None


def _stand_in(make: Callable[[CallOperand], Any], operand: CallOperand) -> Any:
    return operand.example if isinstance(operand.value, RandomGenerator) else make(operand)


def _ones(operand: CallOperand) -> Any:
    return np.ones(operand.shape, operand.dtype.numpy)


def _zeros(operand: CallOperand) -> Any:
    return np.zeros(operand.shape, operand.dtype.numpy)


def _ascending(operand: CallOperand) -> Any:
    numbers = np.arange(prod(operand.shape)).astype(operand.dtype.numpy).reshape(operand.shape)
    if operand.dtype.is_complex:
        numbers = numbers + 1j * (numbers + 1)  # what looks for numbers that are real finds none
    numbers = numbers.astype(operand.dtype.numpy)
    return np.asfortranarray(numbers) if operand.any_layout else numbers


def _fitting(operand: CallOperand) -> Any:
    shape, dtype = operand.shape, operand.dtype.numpy
    if operand.example is not None:
        return np.asarray(operand.example, dtype)
    if len(shape) < 2:
        return np.ones(shape, dtype) / (shape[0] or 1) if shape and dtype.kind == "f" else np.ones(shape, dtype)
    return np.broadcast_to(np.eye(*shape[-2:], dtype=dtype), shape).copy()
