"""The rules by which a region evaluates NumPy's functions, operators and methods over its arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...breaks import LOOP_ARRAY, LOOP_CALL, LOOP_SIZE, NO_FORM, GraphBreak
from ...tracing.rules import Rule, misfit
from ...tracing.speculation import unsupported_in_region
from ...values import protocols
from ...values.arrays.operand import is_array
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.sequences import TupleValue
from .arrangement import flip, fliplr, flipud, roll, swapaxes, transpose
from .creation import array_of, copy, filled, full, like
from .elementwise import absolute, elementwise, rounded, where
from .gather_scatter import Selection
from .inner_loops import store
from .reductions import matmul, mean, norm, reduction_rule, searched, square_product
from .sizes import as_value
from .ufunc_methods import cumulative, outer_product, rule_of_method
from .views import ArrayExpression, RegionView, array_with_axes, as_array, concerns, view_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def array_operator(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value:
    """`left <name> right`, of which one is an array of the region."""
    if name == "@" and not in_place:
        return matmul(trace, left, right)
    outcome: Value
    if name == "@":
        outcome = square_product(trace, left, right)
    elif name == "**" and isinstance(right, Constant) and right.value == 2 and type(right.value) is int:
        outcome = elementwise(trace, np.square, [left])
    elif name == "**":
        outcome = elementwise(trace, np.power, [left, right], lowered=protocols.power_of_elements(left, right))
    else:
        outcome = elementwise(trace, protocols.UFUNC_OPERATORS.load()[name], [left, right])
    if not in_place or as_array(trace, left) is None:
        return outcome
    assert isinstance(outcome, ArrayExpression)
    if isinstance(left, ArrayExpression):
        target = left.materialize(trace)
    else:
        target = left if isinstance(left, RegionView) else view_of(trace, left)  # type: ignore[arg-type]
    if not np.can_cast(outcome.dtype.numpy, target.dtype.numpy, "same_kind"):
        raise unsupported_in_region("an in-place operation whose result has another kind")
    store(trace, target, outcome, unnamed=True)
    return left


def unary(trace: Trace, name: str, value: Value) -> Value:
    """`-array`, `+array`, `~array`."""
    return elementwise(trace, {"-": np.negative, "+": np.positive, "~": np.invert}[name], [value])


def length(trace: Trace, a: Value) -> Value:
    """`len(a)`."""
    array = as_array(trace, a)
    if array is None or not array.shape:
        raise unsupported_in_region("len() of a number")
    return as_value(array.shape[0])


def or_called(function: Any, rule: Rule) -> Rule:
    """A rule that calls NumPy where it has no form for the arguments. It may write statements only if it has one."""

    def either(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        try:
            return call(trace, rule, [*args], kwargs)
        except GraphBreak as stop:
            other = protocols.find_called(function) if stop.kind in (NO_FORM, LOOP_ARRAY, LOOP_SIZE) else None
            if other is None:
                raise
            return other(trace, *args, **kwargs)

    return either


FUNCTIONS: dict[Any, Rule] = {
    np.sum: reduction_rule("sum", np.add),
    np.prod: reduction_rule("prod", np.multiply),
    np.max: reduction_rule("max", None),
    np.min: reduction_rule("min", None),
    np.any: reduction_rule("any", None),
    np.all: reduction_rule("all", None),
    np.mean: mean,
    np.argmin: searched("argmin"),
    np.argmax: searched("argmax"),
    np.dot: matmul,
    np.matmul: matmul,
    np.outer: outer_product,
    np.copy: copy,
    np.zeros_like: like(0.0),
    np.ones_like: like(1.0),
    np.empty_like: like(0.0),
    np.abs: absolute,
    np.round: rounded,
    np.roll: roll,
    np.flip: flip,
    np.flipud: flipud,
    np.fliplr: fliplr,
    np.transpose: transpose,
    np.swapaxes: swapaxes,
    np.cumsum: or_called(np.cumsum, cumulative(np.add)),
    np.cumprod: or_called(np.cumprod, cumulative(np.multiply)),
    round: rounded,
    np.linalg.norm: norm,
    np.where: where,
    abs: absolute,
    len: length,
}
"""The rules by which a region evaluates NumPy's functions over its arrays, by function."""

MAKERS: dict[Any, Rule] = {
    np.zeros: filled(0.0),
    np.ones: filled(1.0),
    np.empty: filled(0.0),
    np.full: full,
    np.array: array_of,
    **{each: FUNCTIONS[each] for each in (np.zeros_like, np.ones_like, np.empty_like, np.copy, np.cumsum, np.cumprod)},
}
"""Functions that make an array which the program may write; in a region they make it in every iteration."""

_NAMES = ("sum", "prod", "max", "min", "any", "all", "mean", "dot", "argmin", "argmax", "cumsum", "cumprod", "swapaxes")
_METHODS = {name: FUNCTIONS[getattr(np, name)] for name in _NAMES}
_METHODS["copy"] = copy


class RegionMethod(Value):
    """A method of an array of the region."""

    def __init__(self, owner: Value, name: str) -> None:
        self.owner = owner
        self.name = name

    @property
    def python_type(self) -> type:
        return type(len)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        rule = _METHODS.get(self.name) or protocols.called_method(self.name)
        assert rule is not None
        return call(trace, rule, [self.owner, *args], kwargs)


def call(trace: Trace, rule: Rule, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """`rule(trace, *args, **kwargs)`. Errors: a break for arguments that the rule does not take."""
    try:
        return rule(trace, *args, **kwargs)
    except TypeError as error:
        raise unsupported_in_region(misfit(error)) from None


def attribute(trace: Trace, owner: Value, name: str) -> Value:
    """`array.name`."""
    if isinstance(owner, Selection) and name in _METHODS:
        return RegionMethod(owner, name)  # what a mask picks need not be copied to be reduced
    array = array_with_axes(trace, owner)
    if name in _METHODS or protocols.called_method(name) is not None:
        return RegionMethod(owner, name)
    if name == "shape":
        return TupleValue([as_value(size) for size in array.shape])
    if name == "ndim":
        return Constant(len(array.shape))
    if name == "size" and len(array.shape) == 1:
        return as_value(array.shape[0])
    if name == "dtype":
        return Constant(array.dtype.numpy)
    if name == "T" and isinstance(array, RegionView):
        return RegionView(
            array.storage, array.base, tuple(reversed(array.dims)), writeable=array.writeable, half=array.half
        )
    if name in ("real", "imag") and array.dtype.is_complex and not array.shape:
        raise unsupported_in_region(f"the attribute {name!r} of an array without axes")
    if name in ("real", "imag") and array.dtype.is_complex:
        view = array if isinstance(array, RegionView) else array.materialize(trace)  # type: ignore[attr-defined]
        return RegionView(view.storage, view.base, view.dims, writeable=view.writeable, half=name)
    raise unsupported_in_region(f"the attribute {name!r} of an array")


_PURE = frozenset(
    {abs, min, max, int, float, bool, len, range, round, divmod, pow, sum, tuple, slice, isinstance, type, complex}
    | {enumerate, zip, reversed, iter, all, any}
)
_ITERATING = frozenset({enumerate, zip, reversed, iter})
"""Functions that ask an array for nothing but an iterator."""


def _is_ufunc_method(function: Any) -> bool:
    """Whether what is called is a method of a ufunc: the table of rules has it under that and the name."""
    return type(function) is tuple and len(function) == 2 and isinstance(function[0], np.ufunc)


def _is_pure(function: Any) -> bool:
    """Whether a function that is no Python function changes nothing."""
    if _is_ufunc_method(function):
        return bool(function[1] != "at")
    try:
        known = function in _PURE
    except TypeError:
        return False
    module = str(getattr(function, "__module__", None) or "").partition(".")[0]
    return known or isinstance(function, np.ufunc) or module in ("numpy", "math")


def _name_of(function: Any) -> str:
    if _is_ufunc_method(function):
        return f"{function[0].__name__}.{function[1]}"
    return str(getattr(function, "__name__", function))


def rule_of(trace: Trace, function: Any, args: list[Value]) -> Rule | None:
    """The rule of a function over these arguments, where it is one of the region's; None where it is not.

    Errors: a break for a function of the region's arrays without a rule.
    """
    try:
        known, maker = FUNCTIONS.get(function), MAKERS.get(function)
        native = rule_of_method(*function) if _is_ufunc_method(function) else None
        if native is not None:
            known = maker = or_called(function, native)
        if known is None and not isinstance(function, np.ufunc):
            known = protocols.find_called(function)
    except TypeError:
        known = maker = None
    if not _is_pure(function):
        raise LOOP_CALL.stop(what=f"a call of {_name_of(function)}")
    numbers = [part for each in args if type(each) is TupleValue for part in each.items if not is_array(part)]
    if concerns(trace, *args, *numbers):
        if known is None and not isinstance(function, np.ufunc) and function not in _ITERATING:
            raise LOOP_CALL.stop(what=f"a call of {_name_of(function)}")
        return known
    return maker
