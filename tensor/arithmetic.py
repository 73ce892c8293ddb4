"""Arithmetic on tensors: the functions, their in-place forms, and the operators."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..core import dtypes
from ..core.devices.host_or_device import on_host
from ..ops.activations import ALIAS, POW_SCALAR
from ..ops.elementary import FMOD, TRUNC_DIVIDE
from ..ops.pointwise import (
    ABSOLUTE,
    ADD,
    DIVIDE,
    EQUAL,
    FLOOR_DIVIDE,
    LESS,
    MAXIMUM,
    MINIMUM,
    MULTIPLY,
    NEGATIVE,
    POWER,
    REMAINDER,
    SUBTRACT,
    WHERE,
)
from ..ops.registry import OpDef
from .dispatch import apply, apply_, assign_, is_tensor_like, number_kind
from .divisors import check_divisor
from .promotion import can_cast, float_pair, is_operand, pair, refuse, to_dtype
from .refused_operands import check_covers
from .surface import method
from .tensor import Tensor
from .tracing import all_elements

Value = Any


@method("add")
def add(self: Value, other: Value, *, alpha: Value = 1) -> Value:
    """``self + alpha * other``."""
    self, other = pair(self, _scaled(other, alpha, self))
    return apply(ADD, self, other)


@method("sub", "subtract")
def sub(self: Value, other: Value, *, alpha: Value = 1) -> Value:
    """``self - alpha * other``. Errors: RuntimeError for bools."""
    _no_bools("-", self, other)
    self, other = pair(self, _scaled(other, alpha, self))
    return apply(SUBTRACT, self, other)


@method("mul", "multiply")
def mul(self: Value, other: Value) -> Value:
    """``self * other``."""
    self, other = pair(self, other)
    return apply(MULTIPLY, self, other)


@method("div", "divide", "true_divide")
def div(self: Value, other: Value, *, rounding_mode: str | None = None) -> Value:
    """``self / other``; integers become floats. rounding_mode: None, ``"floor"`` or ``"trunc"``."""
    if rounding_mode == "floor":
        return floor_divide(self, other)
    if rounding_mode not in (None, "trunc"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found {rounding_mode!r}"
        )
    if rounding_mode is None:
        return apply(DIVIDE, *float_pair(self, other))
    self, other = pair(self, other)
    if (self if is_tensor_like(self) else other).dtype.is_float:
        return apply(TRUNC_DIVIDE, self, other)
    if type(other) is not int or not other:
        check_divisor(self, other)
    # The quotient of floats would lose digits of large integers.
    return apply(FLOOR_DIVIDE, sub(self, fmod(self, other)), other)


@method("floor_divide")
def floor_divide(self: Value, other: Value) -> Value:
    """``self // other``, rounded towards minus infinity. Errors: RuntimeError for integers over zero."""
    self, other = pair(self, other)
    if type(other) is not int or not other:
        check_divisor(self, other)
    return apply(FLOOR_DIVIDE, self, other)


@method("remainder")
def remainder(self: Value, other: Value) -> Value:
    """``self % other``, with the sign of `other`. Errors: RuntimeError for integers over zero."""
    self, other = pair(self, other)
    if type(other) is not int or not other:
        check_divisor(self, other)
    return apply(REMAINDER, self, other)


@method("fmod")
def fmod(self: Value, other: Value) -> Value:
    """The remainder of ``self / other``, with the sign of `self`. Errors: RuntimeError for integers over zero."""
    self, other = pair(self, other)
    if type(other) is not int or not other:
        check_divisor(self, other)
    return apply(FMOD, self, other)


@method("pow")
def pow(self: Value, exponent: Value) -> Value:
    """``self ** exponent``. Errors: RuntimeError for an integer tensor and a negative Python exponent."""
    if number_kind(exponent) is not None and number_kind(self) is None:
        self, exponent = pair(self, exponent)
        if type(exponent) is int and exponent < 0 and not self.dtype.is_differentiable:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        if type(exponent) in (int, float):
            return apply(POW_SCALAR, self, exponent=exponent)
        return apply(POWER, self, exponent)
    self, exponent = pair(self, exponent)
    beside = self if is_tensor_like(self) else exponent
    refuse("pow", "b", beside)
    return apply(POWER, self, exponent) if beside.dtype.is_differentiable else _integer_power(self, exponent)


def _integer_power(base: Value, exponent: Value) -> Value:
    """A power of integers; with a negative exponent 0, but for the bases 1 and -1."""
    if isinstance(exponent, Tensor) and not (on_host(all_elements(exponent)) < 0).any():
        return apply(POWER, base, exponent)
    negative = apply(LESS, exponent, 0)
    power = apply(POWER, base, apply(WHERE, negative, 0, exponent))
    sign = apply(SUBTRACT, 1, apply(MULTIPLY, apply(REMAINDER, exponent, 2), 2))
    if number_kind(base) is not None:
        base = apply(ADD, apply(MULTIPLY, exponent, 0), base)
    ones = apply(WHERE, apply(EQUAL, base, 1), base, 0)
    inverse = apply(WHERE, apply(EQUAL, base, -1), sign, ones)
    return apply(WHERE, negative, inverse, power)


@method("neg", "negative", "__neg__")
def neg(self: Value) -> Value:
    """``-self``. Errors: RuntimeError for bools."""
    _no_bools("-", self)
    return apply(NEGATIVE, self)


@method("abs", "absolute", "__abs__")
def abs(self: Value) -> Value:
    """The distance of each element from 0. Errors: NotImplementedError for bools."""
    refuse("abs", "b", self)
    return apply(ABSOLUTE, self)


@method("__pos__", "positive")
def positive(self: Value) -> Value:
    """`self` as it is. Errors: RuntimeError for bools."""
    if self.dtype.is_bool:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return self


@method("maximum")
def maximum(self: Value, other: Value) -> Value:
    """The larger of both elements; a NaN wins."""
    self, other = pair(self, other)
    return apply(MAXIMUM, self, other)


@method("minimum")
def minimum(self: Value, other: Value) -> Value:
    """The smaller of both elements; a NaN wins."""
    self, other = pair(self, other)
    return apply(MINIMUM, self, other)


def _scaled(other: Value, alpha: Value, beside: Value) -> Value:
    """``alpha * other``. Errors: RuntimeError for an `alpha` with a fraction between integers."""
    if type(alpha) is int and alpha == 1:
        return other
    if number_kind(alpha) in (float, complex) and not (_has_fractions(other) or _has_fractions(beside)):
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if not is_tensor_like(other):
        return other * alpha
    scaled = mul(other, alpha)
    return to_dtype(scaled, dtypes.bool_) if other.dtype.is_bool and not _has_fractions(scaled) else scaled


def _has_fractions(value: Value) -> bool:
    return value.dtype.is_differentiable if is_tensor_like(value) else number_kind(value) in (float, complex)


def _no_bools(symbol: str, *operands: Value) -> None:
    for each in operands:
        if each.dtype is dtypes.bool_ if is_tensor_like(each) else number_kind(each) is bool:
            raise RuntimeError(
                f"the `{symbol}` operator with a bool tensor is not supported. If you are trying to invert a mask, use "
                "the `~` or `logical_not()` operator instead."
            )


# In place.


def _in_place(function: Callable[..., Value], op: OpDef, name: str) -> Callable[..., Value]:
    """The method that makes ``self`` what ``function(self, other)`` gives, in the dtype it has."""

    def in_place(self: Value, other: Value) -> Value:
        left, right = pair(self, other)
        if left is self:
            return apply_(op, self, right)
        return _write_result(self, function(self, other))

    in_place.__name__ = in_place.__qualname__ = name
    in_place.__doc__ = (
        f"`self`, after it became what `{function.__name__}` gives. Errors: RuntimeError if it cannot hold that."
    )
    return method(name)(in_place)


def _kept(self: Value, operands: Iterable[Value]) -> Value:
    """The value to compute from before `self` is written: `self`, or a copy of it if the operation may save it."""
    recorded = any(is_tensor_like(each) and each.requires_grad for each in (self, *operands))
    return apply(ALIAS, self) if recorded else self


def check_cast(self: Value, result: Value) -> None:
    """Errors: RuntimeError where `self` is of a kind of dtype that cannot hold `result`."""
    if not can_cast(result.dtype, self.dtype):
        raise RuntimeError(f"result type {result.dtype} can't be cast to the desired output type {self.dtype}")


def _write_result(self: Value, result: Value) -> Value:
    """`self` with the elements of `result`. Errors: RuntimeError for another kind of dtype, or another shape."""
    check_cast(self, result)
    check_covers(self.shape, result.shape)
    return assign_(self, result)


@method("add_")
def add_(self: Value, other: Value, *, alpha: Value = 1) -> Value:
    """`self`, after ``alpha * other`` was added to it. Errors: RuntimeError if it cannot hold that."""
    left, right = pair(self, _scaled(other, alpha, self))
    return apply_(ADD, self, right) if left is self else _write_result(self, add(self, right))


@method("sub_", "subtract_")
def sub_(self: Value, other: Value, *, alpha: Value = 1) -> Value:
    """`self`, after ``alpha * other`` was taken from it. Errors: RuntimeError if it cannot hold that."""
    _no_bools("-", self, other)
    left, right = pair(self, _scaled(other, alpha, self))
    return apply_(SUBTRACT, self, right) if left is self else _write_result(self, sub(self, right))


mul_ = _in_place(mul, MULTIPLY, "mul_")


@method("remainder_")
def remainder_(self: Value, other: Value) -> Value:
    """`self`, after it became what `remainder` gives. Errors: RuntimeError for integers over zero."""
    left, right = pair(self, other)
    if left is not self:
        return _write_result(self, remainder(self, other))
    if type(right) is not int or not right:
        check_divisor(self, right)
    return apply_(REMAINDER, self, right)


@method("div_")
def div_(self: Value, other: Value, *, rounding_mode: str | None = None) -> Value:
    """`self`, after it became what `div` gives. Errors: RuntimeError if it cannot hold that."""
    left, right = float_pair(self, other)
    if left is self and rounding_mode is None:
        return apply_(DIVIDE, self, right)
    return _write_result(self, div(_kept(self, (other,)), other, rounding_mode=rounding_mode))


@method("pow_")
def pow_(self: Value, exponent: Value) -> Value:
    """`self`, after it was raised to `exponent`. Errors: RuntimeError if it cannot hold that."""
    left, right = pair(self, exponent)
    if left is not self:
        return _write_result(self, pow(self, exponent))
    if type(right) in (int, float):
        return apply_(POW_SCALAR, self, exponent=right)
    return apply_(POWER, self, right) if self.dtype.is_differentiable else _write_result(self, pow(self, right))


@method("floor_divide_")
def floor_divide_(self: Value, other: Value) -> Value:
    """`self`, after it became ``self // other``. Errors: RuntimeError if it cannot hold that."""
    return _write_result(self, floor_divide(_kept(self, (other,)), other))


@method("neg_")
def neg_(self: Value) -> Value:
    """`self`, after every element became its negative."""
    _no_bools("-", self)
    return apply_(NEGATIVE, self)


# Fused forms that optimizers are written in.


@method("addcmul")
def addcmul(self: Value, tensor1: Value, tensor2: Value, *, value: Value = 1) -> Value:
    """``self + value * tensor1 * tensor2``."""
    return add(self, mul(mul(tensor1, tensor2), value))


@method("addcdiv")
def addcdiv(self: Value, tensor1: Value, tensor2: Value, *, value: Value = 1) -> Value:
    """``self + value * tensor1 / tensor2``. Errors: RuntimeError for integers."""
    if not any(_has_fractions(each) for each in (tensor1, tensor2)):
        raise RuntimeError(
            "Integer division with addcdiv is not supported: convert to floats, or use div() with a rounding_mode"
        )
    return add(self, mul(div(tensor1, tensor2), value))


@method("addcmul_")
def addcmul_(self: Value, tensor1: Value, tensor2: Value, *, value: Value = 1) -> Value:
    """`self`, after ``value * tensor1 * tensor2`` was added to it."""
    return add_(self, mul(mul(tensor1, tensor2), value))


@method("addcdiv_")
def addcdiv_(self: Value, tensor1: Value, tensor2: Value, *, value: Value = 1) -> Value:
    """`self`, after ``value * tensor1 / tensor2`` was added to it."""
    return add_(self, mul(div(tensor1, tensor2), value))


@method("lerp")
def lerp(self: Value, end: Value, weight: Value) -> Value:
    """``self + weight * (end - self)``. Errors: NotImplementedError for integers."""
    refuse("lerp", "biu", self)
    return add(self, mul(sub(end, self), weight))


@method("lerp_")
def lerp_(self: Value, end: Value, weight: Value) -> Value:
    """`self`, after it moved towards `end` by that share of the distance."""
    return add_(self, mul(sub(end, self), weight))


# Operators. One that does not know its operand leaves it to the other operand's class.


def _operator(name: str, function: Callable[[Value, Value], Value], reflected: bool = False) -> None:
    if reflected:

        def operator(self: Value, other: Value) -> Value:
            known = isinstance(other, (float, int, complex)) or is_operand(other)
            return function(other, self) if known else NotImplemented

    else:

        def operator(self: Value, other: Value) -> Value:
            known = isinstance(other, (Tensor, float, int, complex)) or is_operand(other)
            return function(self, other) if known else NotImplemented

    operator.__name__ = operator.__qualname__ = name
    operator.__doc__ = f"The operator of `{function.__name__}`."
    method(name)(operator)


for _name, _function in (
    ("add", add),
    ("sub", sub),
    ("mul", mul),
    ("truediv", div),
    ("floordiv", floor_divide),
    ("mod", remainder),
    ("pow", pow),
):
    _operator(f"__{_name}__", _function)
    _operator(f"__r{_name}__", _function, reflected=True)
for _name, _function in (
    ("add", add_),
    ("sub", sub_),
    ("mul", mul_),
    ("truediv", div_),
    ("floordiv", floor_divide_),
    ("mod", remainder_),
    ("pow", pow_),
):
    _operator(f"__i{_name}__", _function)
