"""More functions of each element, made of those in `pointwise` and `arithmetic`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices.host_or_device import as_array
from ..ops import elementary as ops
from ..ops.complex_numbers import IMAG
from ..ops.pointwise import ARCTAN2, COPYSIGN, LEFT_SHIFT, RIGHT_SHIFT
from ..ops.registry import OpDef
from .arithmetic import abs as absolute
from .arithmetic import add, div, mul, pow, sub
from .dispatch import apply, is_tensor_like, number_kind, tensor_of
from .pointwise import (
    clamp,
    eq,
    isinf,
    isnan,
    le,
    logical_and,
    logical_not,
    logical_or,
    lt,
    ne,
    sin,
    trunc,
    truth,
    where,
)
from .promotion import as_float, as_operand, float_pair, is_operand, pair, refuse, result_type, to_dtype
from .shapes import broadcast_shapes
from .surface import method
from .tensor import Tensor
from .tracing import values_of

Value = Any


def _one(name: str, op: OpDef, gives: str) -> Callable[[Value], Value]:
    def function(self: Value) -> Value:
        return apply(op, as_float(self))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives} of each element."
    return method(name)(function)


def _two(name: str, op: OpDef, gives: str, whole: bool = True) -> Callable[[Value, Value], Value]:
    def function(self: Value, other: Value) -> Value:
        left, right = pair(self, other)
        if not whole:
            refuse(name, "biu", left, right)
        return apply(op, *float_pair(left, right))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives}, element by element."
    return method(name)(function)


asinh = _one("asinh", ops.ARCSINH, "The inverse hyperbolic sine")
acosh = _one("acosh", ops.ARCCOSH, "The inverse hyperbolic cosine")
atanh = _one("atanh", ops.ARCTANH, "The inverse hyperbolic tangent")
atan2 = _two("atan2", ARCTAN2, "The angle of the point (other, self)")
hypot = _two("hypot", ops.HYPOT, "The length of the vector (self, other)", whole=False)
logaddexp = _two("logaddexp", ops.LOGADDEXP, "The logarithm of the sum of both powers of e", whole=False)
copysign = _two("copysign", COPYSIGN, "The size of `self` with the sign of `other`")


@method("logaddexp2")
def logaddexp2(self: Value, other: Value) -> Value:
    """The logarithm to base 2 of the sum of both powers of 2."""
    refuse("logaddexp2", "biu", *pair(self, other))
    factor = math.log(2.0)
    return div(logaddexp(mul(self, factor), mul(other, factor)), factor)


@method("frac")
def frac(self: Value) -> Value:
    """The fractional part, which `trunc` takes off. Errors: NotImplementedError for integers."""
    if not self.dtype.is_float:
        raise NotImplementedError(f"frac is not implemented for {self.dtype}")
    return sub(self, trunc(self))


@method("rsub")
def rsub(self: Value, other: Value, *, alpha: Value = 1) -> Value:
    """``other - alpha * self``."""
    return sub(other, self if alpha == 1 else mul(self, alpha))


@method("signbit")
def signbit(self: Value) -> Value:
    """Whether each element is negative, -0.0 and negative NaNs included."""
    if not self.dtype.is_float:
        return lt(self, 0)
    return lt(apply(COPYSIGN, 1.0, self), 0)


@method("xlogy")
def xlogy(self: Value, other: Value) -> Value:
    """``self * log(other)``, and 0 where `self` is 0, unless `other` is NaN."""
    return apply(ops.XLOGY, *float_pair(self, other))


@method("sinc")
def sinc(self: Value) -> Value:
    """sin(pi x) / (pi x), and 1 for 0."""
    x = mul(as_float(self), math.pi)
    safe = where(eq(x, 0), 1.0, x)
    return where(eq(x, 0), 1.0, div(sin(safe), safe))


@method("logit")
def logit(self: Value, eps: float | None = None) -> Value:
    """log(x / (1 - x)); x is first held between `eps` and 1 - `eps` where that is given."""
    x = as_float(self)
    return apply(ops.LOGIT, x if eps is None else clamp(x, eps, 1 - eps))


@method("deg2rad")
def deg2rad(self: Value) -> Value:
    """Degrees as radians."""
    return mul(as_float(self), math.pi / 180)


@method("rad2deg")
def rad2deg(self: Value) -> Value:
    """Radians as degrees."""
    return mul(as_float(self), 180 / math.pi)


@method("heaviside")
def heaviside(self: Value, values: Value) -> Value:
    """0 for negative elements and NaN, 1 for positive ones, `values` for 0. Errors: RuntimeError for unlike dtypes."""
    if not (is_tensor_like(self) and is_tensor_like(values)):
        raise TypeError("heaviside(): both arguments must be Tensors")
    if self.dtype is not values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return where(eq(self, 0), values, to_dtype(lt(0, self), self.dtype))


@method("float_power")
def float_power(self: Value, exponent: Value) -> Value:
    """``self ** exponent`` in float64, or complex128 where one of them is complex."""
    is_complex = any(
        each.dtype.is_complex if is_tensor_like(each) else number_kind(each) is complex for each in (self, exponent)
    )
    dtype = dtypes.complex128 if is_complex else dtypes.float64
    left, right = (
        to_dtype(each, dtype) if is_tensor_like(each) else complex(each) if is_complex else float(each)
        for each in (self, exponent)
    )
    return pow(left, right)


@method("ldexp")
def ldexp(self: Value, other: Value) -> Value:
    """``self * 2 ** other``."""
    return mul(self, pow(2.0, other))


def _extreme(name: str, op: OpDef, gives: str) -> Callable[[Value, Value], Value]:
    def function(self: Value, other: Value) -> Value:
        return apply(op, *pair(self, other))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The {gives} of both elements; the other one where one is NaN."
    return method(name)(function)


fmax = _extreme("fmax", ops.FMAX, "larger")
fmin = _extreme("fmin", ops.FMIN, "smaller")


@method("clamp_min")
def clamp_min(self: Value, min: Value) -> Value:
    """Each element, but at least `min`."""
    return clamp(self, min=min)


@method("clamp_max")
def clamp_max(self: Value, max: Value) -> Value:
    """Each element, but at most `max`."""
    return clamp(self, max=max)


@method("logical_xor")
def logical_xor(self: Value, other: Value) -> Value:
    """Whether one of both elements is not 0 and the other is."""
    return ne(truth(self), truth(other))


@method("isneginf")
def isneginf(self: Value) -> Value:
    """Whether each element is minus infinity. Errors: NotImplementedError for complex numbers."""
    refuse("isneginf", "c", self)
    return eq(self, -math.inf) if self.dtype.is_float else ne(self, self)


@method("isposinf")
def isposinf(self: Value) -> Value:
    """Whether each element is plus infinity. Errors: NotImplementedError for complex numbers."""
    refuse("isposinf", "c", self)
    return eq(self, math.inf) if self.dtype.is_float else ne(self, self)


@method("isreal")
def isreal(self: Value) -> Value:
    """Whether each element has no imaginary part; True for each that is not complex."""
    if self.dtype.is_complex:
        return eq(apply(IMAG, self), 0)
    return isnan(self) | ~isnan(self)


@method("isclose")
def isclose(self: Value, other: Value, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Value:
    """Whether ``|self - other| <= atol + rtol * |other|``, or both are equal. Errors: RuntimeError if dtypes differ."""
    if self.dtype is not other.dtype:
        raise RuntimeError(f"{self.dtype} did not match {other.dtype}")
    close = eq(self, other)
    if equal_nan:
        close = logical_or(close, logical_and(isnan(self), isnan(other)))
    if self.dtype.is_bool or (rtol == 0 and atol == 0):
        return close
    distance = absolute(sub(self, other))
    allowed = add(mul(absolute(other), rtol), atol)
    return logical_or(close, logical_and(le(distance, allowed), logical_not(isinf(distance))))


# Bits.


def _shift(name: str, op: OpDef, symbol: str) -> Callable[[Value, Value], Value]:
    def function(self: Value, other: Value) -> Value:
        left, right = pair(self, other)
        for each in (left, right):
            if is_tensor_like(each) and not each.dtype.is_integer:
                raise NotImplementedError(f"bitwise_{name}_shift takes integers, got {each.dtype}")
        return apply(op, left, right)

    def operator(self: Value, other: Value) -> Value:
        return function(self, other) if is_operand(other) else NotImplemented

    def reflected(self: Value, other: Value) -> Value:
        return function(other, self) if is_operand(other) else NotImplemented

    function.__name__ = function.__qualname__ = f"bitwise_{name}_shift"
    function.__doc__ = f"``self {symbol} other``. Errors: NotImplementedError for floats."
    operator.__name__ = operator.__qualname__ = f"__{name[0]}shift__"
    reflected.__name__ = reflected.__qualname__ = f"__r{name[0]}shift__"
    operator.__doc__ = reflected.__doc__ = f"The operator ``{symbol}``."
    method()(operator)
    method()(reflected)
    return method()(function)


bitwise_left_shift = _shift("left", LEFT_SHIFT, "<<")
bitwise_right_shift = _shift("right", RIGHT_SHIFT, ">>")


# These compute with NumPy alone and have no derivative.


def _whole(name: str, ufunc: np.ufunc, gives: str, kinds: str) -> Callable[[Value, Value], Value]:
    def function(self: Value, other: Value) -> Value:
        dtype = result_type(self, other)
        if dtype.kind not in kinds:
            raise NotImplementedError(f"{name} is not implemented for {dtype}")
        for each in (self, other):
            call_by_call = getattr(type(each), "__guardlift_call_by_call__", None)
            if call_by_call is not None:
                return call_by_call(lambda given: [function(*given)], (self, other))[0]
        given = [to_dtype(as_operand(each), dtype) for each in (self, other)]
        left, right = (values_of(name, each).astype(dtype.numpy, copy=False) for each in given)
        broadcast_shapes(left.shape, right.shape)
        return tensor_of(as_array(ufunc(left, right)), given[0])

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives} of both elements. It has no derivative."
    return method(name)(function)


gcd = _whole("gcd", np.gcd, "The greatest common divisor", "iu")
lcm = _whole("lcm", np.lcm, "The least common multiple", "iu")
nextafter = _whole("nextafter", np.nextafter, "The float next to the first in the direction of the second", "f")


@method("equal")
def equal(self: Value, other: Value) -> bool:
    """Whether both have one shape and equal elements."""
    if not is_tensor_like(other):
        raise TypeError(f"equal(): argument 'other' must be Tensor, not {type(other).__name__}")
    left, right = (each._array if isinstance(each, Tensor) else values_of("equal", each) for each in (self, other))
    return left.shape == right.shape and bool((left == right).all())


@method("allclose")
def allclose(self: Value, other: Value, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements are close, as `isclose` has it."""
    return bool(values_of("allclose", isclose(self, other, rtol, atol, equal_nan)).all())
