"""The functions of each element: one line each, of what computes it and which dtypes the standard lets it take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.activations import ALIAS
from ..tensor import arithmetic, complex_parts, elementary, pointwise
from ..tensor.creation import full
from ..tensor.dispatch import apply, is_tensor_like, number_kind
from ..tensor.promotion import to_dtype
from ..tensor.shapes import broadcast_shapes
from ..tensor.shaping import expand_to
from .declare import ANY, array, check_scalar, named, operands, promoted, standard

Value = Any
One = Callable[[Value], Value]
Two = Callable[[Value, Value], Value]


def _copy(x: Value) -> Value:
    return apply(ALIAS, x)


def _unary(name: str, accepted: str, compute: One, gives: str, result: str = "as x") -> Callable[..., Any]:
    def function(x: Value, /) -> Value:
        return compute(array(name, x, accepted))

    text = f"{gives} of each element.\n\n    Shapes: x {accepted} [*] -> [*], {result}.\n"
    return named(function, name, f"{text}    Errors: TypeError for other dtypes, and for what is no Tensor.\n    ")


def _binary(name: str, accepted: str, compute: Two, gives: str, result: str = "") -> Callable[..., Any]:
    def function(x1: Value, x2: Value, /) -> Value:
        return compute(*operands(name, accepted, x1, x2))

    result = result or "in the dtype that both have in common"
    text = f"{gives}, element by element.\n\n    Shapes: x1 and x2 {accepted}, one of them perhaps a Python number; "
    text += f"they broadcast -> {result}.\n    Errors: TypeError for dtypes that the standard does not promote.\n    "
    return named(function, name, text)


def _sign(x: Value) -> Value:
    """The sign, of complex numbers each over its length; that of a NaN is a NaN here, and 0 in PyTorch."""
    if x.dtype.is_complex:
        return complex_parts.sgn(x)
    return pointwise.where(pointwise.isnan(x), x, pointwise.sign(x)) if x.dtype.is_float else pointwise.sign(x)


def _of_arrays(compute: Two) -> Two:
    """The function, which takes no Python numbers."""

    def function(x1: Value, x2: Value) -> Value:
        dtype = next(each.dtype for each in (x1, x2) if is_tensor_like(each))
        return compute(*(each if is_tensor_like(each) else full((), each, dtype=dtype) for each in (x1, x2)))

    return function


def _absolute(x: Value) -> Value:
    return _copy(x) if x.dtype.kind == "u" else arithmetic.abs(x)


def _real(x: Value) -> Value:
    return complex_parts.real(x) if x.dtype.is_complex else _copy(x)


def _of_parts(compute: One) -> One:
    """The function, which takes both parts of complex numbers, one by one."""

    def function(x: Value) -> Value:
        if not x.dtype.is_complex:
            return compute(x)
        return complex_parts.complex(compute(complex_parts.real(x)), compute(complex_parts.imag(x)))

    return function


def _whole_or(compute: One) -> One:
    """The function of floats; integers stay as they are."""
    return lambda x: compute(x) if x.dtype.is_float else _copy(x)


NUMERIC, FLOATS, WHOLE, BITS = "numeric", "floating-point", "integer", "integer or bool"
REALS, REAL_FLOATS, COMPLEX = "real numeric", "real floating-point", "complex floating-point"
ASKED = "bool"

abs = _unary("abs", NUMERIC, _absolute, "The absolute value")
acos = _unary("acos", FLOATS, pointwise.acos, "The arc cosine, in radians,")
acosh = _unary("acosh", FLOATS, elementary.acosh, "The inverse hyperbolic cosine")
asin = _unary("asin", FLOATS, pointwise.asin, "The arc sine, in radians,")
asinh = _unary("asinh", FLOATS, elementary.asinh, "The inverse hyperbolic sine")
atan = _unary("atan", FLOATS, pointwise.atan, "The arc tangent, in radians,")
atanh = _unary("atanh", FLOATS, elementary.atanh, "The inverse hyperbolic tangent")
bitwise_invert = _unary("bitwise_invert", BITS, pointwise.bitwise_not, "The opposite of every bit")
ceil = _unary("ceil", REALS, _whole_or(pointwise.ceil), "The next integer above")
conj = _unary("conj", NUMERIC, complex_parts.conj_physical, "The complex conjugate")
cos = _unary("cos", FLOATS, pointwise.cos, "The cosine")
cosh = _unary("cosh", FLOATS, pointwise.cosh, "The hyperbolic cosine")
exp = _unary("exp", FLOATS, pointwise.exp, "e to the power")
expm1 = _unary("expm1", FLOATS, pointwise.expm1, "e to the power, less 1,")
floor = _unary("floor", REALS, _whole_or(pointwise.floor), "The next integer below")
isfinite = _unary("isfinite", NUMERIC, pointwise.isfinite, "Whether it is a finite number,", ASKED)
isinf = _unary("isinf", NUMERIC, pointwise.isinf, "Whether it is infinite,", ASKED)
isnan = _unary("isnan", NUMERIC, pointwise.isnan, "Whether it is a NaN,", ASKED)
log = _unary("log", FLOATS, pointwise.log, "The natural logarithm")
log1p = _unary("log1p", FLOATS, pointwise.log1p, "The natural logarithm of 1 more than the value")
log2 = _unary("log2", FLOATS, pointwise.log2, "The logarithm to base 2")
log10 = _unary("log10", FLOATS, pointwise.log10, "The logarithm to base 10")
logical_not = _unary("logical_not", "bool", pointwise.logical_not, "The opposite")
negative = _unary("negative", NUMERIC, arithmetic.neg, "The negative")
positive = _unary("positive", NUMERIC, _copy, "A copy")
imag = _unary("imag", COMPLEX, complex_parts.imag, "The imaginary part", "in the dtype of the parts of x")
real = _unary("real", NUMERIC, _real, "The real part", "in the dtype of x, or that of its parts")
reciprocal = _unary("reciprocal", FLOATS, pointwise.reciprocal, "1 over the value")
round = _unary("round", NUMERIC, _of_parts(_whole_or(pointwise.round)), "The nearest integer, halves to the even one,")
sign = _unary("sign", NUMERIC, _sign, "-1, 0 or 1: the sign")
signbit = _unary("signbit", REAL_FLOATS, elementary.signbit, "Whether it is negative, -0.0 included,", ASKED)
sin = _unary("sin", FLOATS, pointwise.sin, "The sine")
sinh = _unary("sinh", FLOATS, pointwise.sinh, "The hyperbolic sine")
sqrt = _unary("sqrt", FLOATS, pointwise.sqrt, "The square root")
square = _unary("square", NUMERIC, pointwise.square, "The square")
tan = _unary("tan", FLOATS, pointwise.tan, "The tangent")
tanh = _unary("tanh", FLOATS, pointwise.tanh, "The hyperbolic tangent")
trunc = _unary("trunc", REALS, _whole_or(pointwise.trunc), "The integer part")

add = _binary("add", NUMERIC, arithmetic.add, "The sum")
atan2 = _binary("atan2", REAL_FLOATS, elementary.atan2, "The angle of the point (x2, x1), in radians")
bitwise_and = _binary("bitwise_and", BITS, pointwise.bitwise_and, "The bits that both have")
bitwise_or = _binary("bitwise_or", BITS, pointwise.bitwise_or, "The bits that one of both has")
bitwise_xor = _binary("bitwise_xor", BITS, pointwise.bitwise_xor, "The bits in which both differ")
bitwise_left_shift = _binary("bitwise_left_shift", WHOLE, elementary.bitwise_left_shift, "x1 times 2 to the power x2")
bitwise_right_shift = _binary(
    "bitwise_right_shift", WHOLE, elementary.bitwise_right_shift, "x1 over 2 to the power x2, rounded down"
)
copysign = _binary("copysign", REAL_FLOATS, elementary.copysign, "The size of x1 with the sign of x2")
divide = _binary("divide", FLOATS, arithmetic.div, "The quotient")
equal = _binary("equal", ANY, pointwise.eq, "Whether both are equal", ASKED)
floor_divide = _binary("floor_divide", REALS, arithmetic.floor_divide, "The quotient, rounded down")
greater = _binary("greater", REALS, pointwise.gt, "Whether x1 is greater than x2", ASKED)
greater_equal = _binary("greater_equal", REALS, pointwise.ge, "Whether x1 is not less than x2", ASKED)
hypot = _binary("hypot", REAL_FLOATS, elementary.hypot, "The length of the vector (x1, x2)")
less = _binary("less", REALS, pointwise.lt, "Whether x1 is less than x2", ASKED)
less_equal = _binary("less_equal", REALS, pointwise.le, "Whether x1 is not greater than x2", ASKED)
logaddexp = _binary("logaddexp", REAL_FLOATS, elementary.logaddexp, "The logarithm of the sum of both powers of e")
logical_and = _binary("logical_and", "bool", _of_arrays(pointwise.logical_and), "Whether both hold", ASKED)
logical_or = _binary("logical_or", "bool", _of_arrays(pointwise.logical_or), "Whether one of both holds", ASKED)
logical_xor = _binary(
    "logical_xor", "bool", _of_arrays(elementary.logical_xor), "Whether exactly one of both holds", ASKED
)
maximum = _binary("maximum", REALS, arithmetic.maximum, "The larger of both, or a NaN if one is")
minimum = _binary("minimum", REALS, arithmetic.minimum, "The smaller of both, or a NaN if one is")
multiply = _binary("multiply", NUMERIC, arithmetic.mul, "The product")
nextafter = _binary("nextafter", REAL_FLOATS, _of_arrays(elementary.nextafter), "The next float after x1 towards x2")
not_equal = _binary("not_equal", ANY, pointwise.ne, "Whether both differ", ASKED)
pow = _binary("pow", NUMERIC, arithmetic.pow, "x1 to the power x2")
remainder = _binary("remainder", REALS, arithmetic.remainder, "The remainder of x1 over x2, with the sign of x2")
subtract = _binary("subtract", NUMERIC, arithmetic.sub, "The difference")


@standard
def clip(x: Value, /, min: Value = None, max: Value = None) -> Value:
    """Each element, but at least `min` and at most `max`: numbers, or arrays that broadcast; None for no limit.

    Shapes: x real numeric [*] -> that of all three broadcast, in the dtype of x.
    Errors: TypeError for limits of another kind than `x`.
    """
    array("clip", x, "real numeric")
    limits = [_limit(each, x) for each in (min, max)]
    result: Value = _copy(x) if limits == [None, None] else x
    if limits[0] is not None:
        result = arithmetic.maximum(*_spread(result, limits[0]))
    if limits[1] is not None:
        result = arithmetic.minimum(*_spread(result, limits[1]))
    return result


def _limit(limit: Value, x: Value) -> Value:
    """A limit as an array of the dtype of `x`; None for none."""
    if limit is None:
        return None
    if number_kind(limit) is not None:
        check_scalar("clip", limit, x.dtype)
        return limit
    promoted(array("clip", limit, "real numeric", "min and max").dtype, x.dtype)
    return to_dtype(limit, x.dtype)


def _spread(x: Value, limit: Value) -> tuple[Value, Value]:
    if not is_tensor_like(limit):
        return x, limit
    shape = broadcast_shapes(x.shape, limit.shape)
    return expand_to(x, shape), expand_to(limit, shape)


@standard
def where(condition: Value, x1: Value, x2: Value, /) -> Value:
    """`x1` where `condition` holds, `x2` elsewhere.

    Shapes: condition bool, x1 and x2 of any dtype, one of them perhaps a Python number; all broadcast -> that shape,
        in the dtype that x1 and x2 have in common.
    Errors: TypeError for a condition that is not of bools, and dtypes that the standard does not promote.
    """
    array("where", condition, "bool", "condition")
    return pointwise.where(condition, *operands("where", ANY, x1, x2))
