"""Functions of each element by itself, and comparison."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ml_dtypes import finfo

from ..core import dtypes
from ..ops import pointwise as ops
from ..ops.activations import ALIAS, POW_SCALAR, RELU, SGN, SIGMOID
from ..ops.complex_numbers import COMPLEX, IMAG, REAL
from ..ops.elementary import CLAMP, CLAMP_MAX, CLAMP_MIN
from ..ops.registry import OpDef
from .creation import full
from .dispatch import apply, apply_, check_tensors, is_tensor_like, number_kind
from .promotion import as_float, as_operand, can_cast, is_operand, pair, refuse, result_type, to_dtype
from .surface import method, surface

Value = Any


def _function(name: str, op: OpDef, gives: str, *, floats: bool = True) -> Callable[[Value], Value]:
    """The method that applies `op` to each element, and beside it the in-place form with an underscore."""

    def function(self: Value) -> Value:
        return apply(op, as_float(self) if floats else self)

    def in_place(self: Value) -> Value:
        if floats and not self.dtype.is_differentiable:
            raise RuntimeError(
                f"result type {as_float(self).dtype} can't be cast to the desired output type {self.dtype}"
            )
        return apply_(op, self)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives} of each element."
    in_place.__name__ = in_place.__qualname__ = name + "_"
    in_place.__doc__ = f"`self`, after each element became its {name}."
    method(name + "_")(in_place)
    return method(name)(function)


exp = _function("exp", ops.EXP, "e to the power")
expm1 = _function("expm1", ops.EXPM1, "e to the power, less 1,")
exp2 = _function("exp2", ops.EXP2, "2 to the power")
log = _function("log", ops.LOG, "The natural logarithm")
log1p = _function("log1p", ops.LOG1P, "The natural logarithm of 1 more than each element")
log2 = _function("log2", ops.LOG2, "The logarithm to base 2")
log10 = _function("log10", ops.LOG10, "The logarithm to base 10")
sin = _function("sin", ops.SIN, "The sine")
cos = _function("cos", ops.COS, "The cosine")
tan = _function("tan", ops.TAN, "The tangent")
asin = _function("asin", ops.ARCSIN, "The arc sine")
acos = _function("acos", ops.ARCCOS, "The arc cosine")
atan = _function("atan", ops.ARCTAN, "The arc tangent")
sinh = _function("sinh", ops.SINH, "The hyperbolic sine")
cosh = _function("cosh", ops.COSH, "The hyperbolic cosine")
tanh = _function("tanh", ops.TANH, "The hyperbolic tangent")
erf = _function("erf", ops.ERF, "The error function")
sqrt = _function("sqrt", ops.SQRT, "The square root")
sigmoid = _function("sigmoid", SIGMOID, "1 / (1 + exp(-x))")


@method("relu")
def relu(self: Value) -> Value:
    """max(x, 0) of each element. Errors: RuntimeError for bools."""
    if self.dtype.is_bool:
        raise RuntimeError("Boolean inputs not supported for relu")
    return apply(RELU, self)


@method("relu_")
def relu_(self: Value) -> Value:
    """`self`, after each element became max(x, 0)."""
    return apply_(RELU, self)


@method("sign")
def sign(self: Value) -> Value:
    """-1, 0 or 1: the sign of each element; 0 of a NaN. Errors: RuntimeError for complex numbers."""
    if self.dtype.is_complex:
        raise RuntimeError("sign is not defined for complex numbers; sgn() gives each over its length")
    return apply(ALIAS if self.dtype.is_bool else SGN, self)


def _rounding(name: str, op: OpDef, gives: str) -> Callable[[Value], Value]:
    def function(self: Value) -> Value:
        refuse(name, "bc", self)
        return apply(op if self.dtype.is_float else ALIAS, self)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives}; integers stay as they are."
    return method(name)(function)


floor = _rounding("floor", ops.FLOOR, "The next integer below each element")
ceil = _rounding("ceil", ops.CEIL, "The next integer above each element")
trunc = _rounding("trunc", ops.TRUNC, "Each element without its fraction")


@method("round")
def round(self: Value, *, decimals: int = 0) -> Value:
    """The nearest number with that many decimals, halves to the even one; integers stay as they are."""
    refuse("round", "biuc" if decimals else "bc", self)
    if not self.dtype.is_float:
        return apply(ALIAS, self)
    if decimals == 0:
        return apply(ops.RINT, self)
    scale = 10.0 ** (decimals if decimals > 0 else -decimals)
    if decimals > 0:
        return apply(ops.DIVIDE, apply(ops.RINT, apply(ops.MULTIPLY, self, scale)), scale)
    return apply(ops.MULTIPLY, apply(ops.RINT, apply(ops.DIVIDE, self, scale)), scale)


@method("rsqrt")
def rsqrt(self: Value) -> Value:
    """1 over the square root of each element."""
    return apply(ops.DIVIDE, 1.0, apply(ops.SQRT, as_float(self)))


@method("reciprocal")
def reciprocal(self: Value) -> Value:
    """1 over each element."""
    return apply(ops.DIVIDE, 1.0, as_float(self))


@method("square")
def square(self: Value) -> Value:
    """Each element times itself."""
    return apply(POW_SCALAR, self, exponent=2)


@method("clamp", "clip")
def clamp(self: Value, min: Value = None, max: Value = None) -> Value:
    """Each element, but at least `min` and at most `max` (numbers, or tensors that broadcast)."""
    if min is None and max is None:
        raise RuntimeError("clamp: At least one of 'min' or 'max' must not be None")
    if max is None:
        return apply(CLAMP_MIN, *pair(self, min))
    if min is None:
        return apply(CLAMP_MAX, *pair(self, max))
    x, low = pair(self, min)
    x, high = pair(x, max)
    return apply(CLAMP, x, to_dtype(low, x.dtype) if is_tensor_like(low) else low, high)


@method("where")
def _where_method(self: Value, condition: Value, other: Value) -> Value:
    """`self` where `condition` holds, `other` elsewhere."""
    return where(condition, self, other)


@surface
def where(condition: Value, input: Value = None, other: Value = None) -> Any:
    """`input` where `condition` holds, `other` elsewhere; all broadcast. Without both, the places where it holds.

    Errors: RuntimeError if it is not of bools.
    """
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    if not is_tensor_like(condition) or condition.dtype is not dtypes.bool_:
        check_tensors("where", condition=condition)
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {condition.dtype}"
        )
    if number_kind(input) is not None and number_kind(other) is not None:
        input = full((), input, dtype=result_type(input, other), device=condition.device)
    input, other = pair(input, other)
    return apply(ops.WHERE, condition, input, other)


@method("masked_fill")
def masked_fill(self: Value, mask: Value, value: Value) -> Value:
    """`self` with `value` where `mask` holds."""
    if is_tensor_like(value):
        if value.ndim:
            raise RuntimeError(
                "masked_fill only supports a 0-dimensional value tensor, but got tensor with "
                f"{value.ndim} dimension(s)."
            )
        if not can_cast(value.dtype, self.dtype) and value.dtype.is_differentiable:
            raise RuntimeError(f"result type {value.dtype} can't be cast to the desired output type {self.dtype}")
        value = to_dtype(value, self.dtype)
    elif number_kind(value) is complex and not self.dtype.is_complex:
        raise RuntimeError(f"value cannot be converted to type {self.dtype} without overflow: {value} is complex")
    elif number_kind(value) is float and not self.dtype.is_differentiable:
        value = full((), value, dtype=self.dtype, device=self.device)
    return where(mask, value, self)


@method("nan_to_num")
def nan_to_num(self: Value, nan: float | None = 0.0, posinf: float | None = None, neginf: float | None = None) -> Value:
    """`self` with `nan` for each NaN, and `posinf` and `neginf`, or the largest and lowest float, for infinities."""
    if self.dtype.is_complex:
        parts = (nan_to_num(apply(part, self), nan, posinf, neginf) for part in (REAL, IMAG))
        return apply(COMPLEX, *parts)
    if not self.dtype.is_float:
        return apply(ALIAS, self)
    info = finfo(self.dtype.numpy)  # type: ignore[no-untyped-call]
    result = where(isnan(self), 0.0 if nan is None else nan, self)
    result = where(eq(self, math.inf), float(info.max) if posinf is None else posinf, result)
    return where(eq(self, -math.inf), float(info.min) if neginf is None else neginf, result)


# Comparison.


def _comparison(name: str, op: OpDef, symbol: str, swapped: bool = False) -> Callable[[Value, Value], Value]:
    """The method that compares, and the operator; `swapped` asks the op about the operands in the other order."""

    def function(self: Value, other: Value) -> Value:
        left, right = pair(self, other)
        return apply(op, right, left) if swapped else apply(op, left, right)

    def operator(self: Value, other: Value) -> Value:
        return function(self, other) if is_operand(other) else NotImplemented

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Whether ``self {symbol} other``, element by element."
    operator.__name__ = operator.__qualname__ = f"__{name}__"
    operator.__doc__ = f"The operator ``{symbol}``."
    method(f"__{name}__")(operator)
    return method(name)(function)


eq = _comparison("eq", ops.EQUAL, "==")
ne = _comparison("ne", ops.NOT_EQUAL, "!=")
lt = _comparison("lt", ops.LESS, "<")
le = _comparison("le", ops.LESS_EQUAL, "<=")
gt = _comparison("gt", ops.LESS, ">", swapped=True)
ge = _comparison("ge", ops.LESS_EQUAL, ">=", swapped=True)


@method("isnan")
def isnan(self: Value) -> Value:
    """Whether each element is a NaN."""
    return apply(ops.ISNAN, self) if self.dtype.is_differentiable else apply(ops.NOT_EQUAL, self, self)


@method("isinf")
def isinf(self: Value) -> Value:
    """Whether each element is infinite."""
    return apply(ops.ISINF, self) if self.dtype.is_differentiable else apply(ops.NOT_EQUAL, self, self)


@method("isfinite")
def isfinite(self: Value) -> Value:
    """Whether each element is a finite number."""
    return apply(ops.ISFINITE, self) if self.dtype.is_differentiable else apply(ops.EQUAL, self, self)


# Logic. On integers &, | and ^ work bit by bit.


def _bitwise(name: str, op: OpDef, symbol: str) -> Callable[[Value, Value], Value]:
    def function(self: Value, other: Value) -> Value:
        left, right = pair(self, other)
        for each in (left, right):
            if is_tensor_like(each) and each.dtype.is_differentiable:
                raise NotImplementedError(f"{function.__name__} takes integers or bools, got {each.dtype}")
        return apply(op, left, right)

    def operator(self: Value, other: Value) -> Value:
        return function(self, other) if is_operand(other) else NotImplemented

    function.__name__ = function.__qualname__ = f"bitwise_{name}"
    function.__doc__ = f"``self {symbol} other``. Errors: NotImplementedError for floats."
    operator.__name__ = operator.__qualname__ = f"__{name}__"
    operator.__doc__ = f"The operator ``{symbol}``."
    method(f"__{name}__", f"__r{name}__")(operator)
    return method(f"bitwise_{name}")(function)


bitwise_and = _bitwise("and", ops.BITWISE_AND, "&")
bitwise_or = _bitwise("or", ops.BITWISE_OR, "|")
bitwise_xor = _bitwise("xor", ops.BITWISE_XOR, "^")


@method()
def __invert__(self: Value) -> Value:
    """``~self``. Errors: TypeError for floats."""
    if self.dtype.is_differentiable:
        raise TypeError(
            f"~ (operator.invert) is only implemented on integer and Boolean-type tensors, got {self.dtype}"
        )
    return apply(ops.INVERT, self)


@method("bitwise_not")
def bitwise_not(self: Value) -> Value:
    """``~self``. Errors: NotImplementedError for floats."""
    if self.dtype.is_differentiable:
        raise NotImplementedError(
            f"~ (operator.invert) is only implemented on integer and Boolean-type tensors, got {self.dtype}"
        )
    return apply(ops.INVERT, self)


def truth(x: Value) -> Value:
    """Whether each element is not 0."""
    x = as_operand(x)
    return x if x.dtype.is_bool else apply(ops.NOT_EQUAL, x, 0)


@method("logical_not")
def logical_not(self: Value) -> Value:
    """Whether each element is 0."""
    return apply(ops.INVERT, truth(self))


@method("logical_and")
def logical_and(self: Value, other: Value) -> Value:
    """Whether both elements are not 0."""
    return apply(ops.BITWISE_AND, truth(self), truth(other))


@method("logical_or")
def logical_or(self: Value, other: Value) -> Value:
    """Whether one of both elements is not 0."""
    return apply(ops.BITWISE_OR, truth(self), truth(other))
