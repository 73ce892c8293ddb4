"""Ops on complex numbers, in ops on their real and imaginary parts.

A *form* says what an op means where an operand is complex: ``form(f, *operands, **attrs)`` writes ops on floats through
the emitter `f`. Eager mode, traces, graphs and batches share the forms, and gradients need nothing more: those of the
parts make PyTorch's gradient of a complex operand, dL/da + i dL/db for a + ib, with no conjugation anywhere.
"""

# Note [Forms]
# An op is of one of three sorts. Memory holds complex numbers, and what only moves elements takes them as they are
# (`KEPT`). What is linear is done to both parts alike (`_each`). All else has a formula over pairs of parts; an
# imaginary part of None is that of a real operand. Composites whose parts all have forms are written out
# (`_written_out`). A condition chooses operands before a function meets them, and not only its results, since the
# gradient of a function at a place that nobody chose is to be finite.

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core.dtypes import PART, DType
from .complex_numbers import KEPT
from .emitter import Emitter
from .registry import OPS, Composite, OpDef

Value = Any
Pair = tuple[Value, Value | None]
Form = Callable[..., Value]

BY_NUMPY = KEPT | {"add", "subtract", "negative", "sum", "cast", "full"}
"""The ops that NumPy computes at once, and whose derivative rules hold for complex numbers too."""
PRODUCTS = frozenset({"multiply", "matmul"})
"""The ops that NumPy computes at once by the formula of parts; their rules are not those of complex numbers."""


def is_computed(op: OpDef, kept: frozenset[str], dtypes: Sequence[DType | None], attrs: Mapping[str, Any]) -> bool:
    """Whether `op` has to be written in ops on parts: it meets complex numbers, or makes them, and is not `kept`."""
    if op.name in kept:
        return False
    if any(each is not None and each.is_complex for each in dtypes):
        return True
    made = attrs.get("dtype")
    return isinstance(made, DType) and made.is_complex


def compute(f: Emitter, op: OpDef, operands: Sequence[Value], attrs: Mapping[str, Any]) -> Value:
    """The result of `op` on complex operands. Errors: NotImplementedError for an op that has no form."""
    form = FORMS.get(op.name)
    if form is None:
        dtype = next((f.dtype(each) for each in operands if _is_complex(f, each)), attrs.get("dtype"))
        name = op.name.removeprefix("shared_")
        raise NotImplementedError(
            f'"{name}" not implemented for {dtype}; take the parts with .real and .imag, or the length with abs()'
        )
    return form(f, *operands, **attrs)


# Pairs.


def _is_value(value: Value) -> bool:
    return hasattr(value, "shape")


def _is_complex(f: Emitter, value: Value) -> bool:
    return _is_value(value) and f.dtype(value).is_complex


def parts(f: Emitter, value: Value) -> Pair:
    """The real and the imaginary part; that of a real operand or a Python number is None."""
    return (f.real(value), f.imag(value)) if _is_complex(f, value) else (value, None)


def _whole(f: Emitter, value: Value) -> tuple[Value, Value]:
    """The parts, with 0.0 for the one that is not there."""
    real, imag = parts(f, value)
    return real, 0.0 if imag is None else imag


def _sum(f: Emitter, left: Value | None, right: Value | None) -> Value | None:
    if left is None or right is None:
        return right if left is None else left
    return f.add(left, right)


def _difference(f: Emitter, left: Value | None, right: Value | None) -> Value | None:
    if right is None:
        return left
    return f.negative(right) if left is None else f.subtract(left, right)


def _product(combine: Callable[[Value, Value], Value], left: Value | None, right: Value | None) -> Value | None:
    return None if left is None or right is None else combine(left, right)


def _joined(f: Emitter, pair: Pair) -> Value:
    real, imag = pair
    return f.complex(real, 0.0 if imag is None else imag)


def _turn(f: Emitter, pair: Pair) -> Pair:
    """A pair times i."""
    real, imag = pair
    return f.negative(imag), real


def _turn_back(f: Emitter, pair: Pair) -> Pair:
    """A pair times -i."""
    real, imag = pair
    return imag, f.negative(real)


def _function(formula: Callable[[Emitter, Pair], Pair]) -> Form:
    """The form of a function of one number."""
    return lambda f, x: _joined(f, formula(f, parts(f, x)))


def _written_out(name: str) -> Form:
    """The form of a composite whose parts have forms."""

    def form(f: Emitter, *operands: Value, **attrs: Any) -> Value:
        lower = OPS[name].lower
        assert isinstance(lower, Composite)
        return lower.expand(f, *operands, **attrs)

    return form


def _each(name: str) -> Form:
    """The form of an op that is linear in its complex operands; others, such as indices, are given to both parts."""

    def form(f: Emitter, *operands: Value, **attrs: Any) -> Value:
        op = OPS[name]
        pairs = [parts(f, each) for each in operands]
        real = f.apply(op, *(one for one, _ in pairs), **attrs)
        imag = f.apply(op, *(one if other is None else other for one, other in pairs), **attrs)
        return f.complex(real, imag)

    return form


# Arithmetic.


def _add(f: Emitter, left: Value, right: Value) -> Value:
    (a, b), (c, d) = parts(f, left), parts(f, right)
    return _joined(f, (f.add(a, c), _sum(f, b, d)))


def _subtract(f: Emitter, left: Value, right: Value) -> Value:
    (a, b), (c, d) = parts(f, left), parts(f, right)
    return _joined(f, (f.subtract(a, c), _difference(f, b, d)))


def _times(f: Emitter, left: Pair, right: Pair, combine: Callable[[Value, Value], Value] | None = None) -> Pair:
    """The product of two pairs, by a product of floats."""
    (a, b), (c, d), by = left, right, combine or f.multiply
    return (
        _difference(f, by(a, c), _product(by, b, d)),
        _sum(f, _product(by, a, d), _product(by, b, c)),
    )


def _multiply(f: Emitter, left: Value, right: Value) -> Value:
    return _joined(f, _times(f, parts(f, left), parts(f, right)))


def _bilinear(name: str) -> Form:
    """The form of an op that is linear in each of its first two operands; a third is added to what they give."""

    def form(f: Emitter, left: Value, right: Value, *added: Value, **attrs: Any) -> Value:
        op = OPS[name]
        made = _joined(f, _times(f, parts(f, left), parts(f, right), lambda a, b: f.apply(op, a, b, **attrs)))
        return made if not added else _add(f, made, added[0])

    return form


def _over(f: Emitter, left: Pair, right: Pair) -> Pair:
    """The quotient of two pairs. Source: Smith 1962, Algorithm 116."""
    (a, b), (c, d) = left, right
    if d is None:
        return f.divide(a, c), None if b is None else f.divide(b, c)
    flat = f.less_equal(f.absolute(d), f.absolute(c))
    large, small = f.where(flat, c, d), f.where(flat, d, c)
    ratio = f.divide(small, large)
    under = f.add(large, f.multiply(small, ratio))
    along = f.multiply(ratio, a)
    if b is None:
        real, imag = f.where(flat, a, along), f.negative(f.where(flat, along, a))
    else:
        across = f.multiply(ratio, b)
        real = f.where(flat, f.add(across, a), f.add(along, b))
        imag = f.where(flat, f.subtract(b, along), f.subtract(across, a))
    return f.divide(real, under), f.divide(imag, under)


def _divide(f: Emitter, left: Value, right: Value) -> Value:
    return _joined(f, _over(f, parts(f, left), parts(f, right)))


def _length(f: Emitter, pair: Pair) -> Value:
    real, imag = pair
    return f.modulus(real, imag)


def _sgn(f: Emitter, x: Value) -> Value:
    a, b = parts(f, x)
    length = f.modulus(a, b)
    none = f.equal(length, 0.0)
    under = f.where(none, 1.0, length)
    return f.complex(*(f.where(none, 0.0, f.divide(each, under)) for each in (a, b)))


def _is_zero(f: Emitter, pair: Pair) -> Value:
    a, b = pair
    zero = f.equal(a, 0.0)
    return zero if b is None else f.bitwise_and(zero, f.equal(b, 0.0))


def _compared(name: str, together: str) -> Form:
    def form(f: Emitter, left: Value, right: Value) -> Value:
        op, both = OPS[name], OPS[together]
        (a, b), (c, d) = _whole(f, left), _whole(f, right)
        return f.apply(both, f.apply(op, a, c), f.apply(op, b, d))

    return form


def _classified(name: str, together: str) -> Form:
    def form(f: Emitter, x: Value) -> Value:
        a, b = parts(f, x)
        return f.apply(OPS[together], f.apply(OPS[name], a), f.apply(OPS[name], b))

    return form


def _cast(f: Emitter, x: Value, *, dtype: DType) -> Value:
    """Numbers as complex ones or back: the real part, or for bools whether they are not zero."""
    a, b = parts(f, x)
    if dtype.is_complex:
        part = PART[dtype]
        return _joined(f, (_part_as(f, a, part), None if b is None else _part_as(f, b, part)))
    if dtype.is_bool:
        return f.bitwise_or(f.not_equal(a, 0.0), f.not_equal(b, 0.0))
    return _part_as(f, a, dtype)


def _part_as(f: Emitter, x: Value, dtype: DType) -> Value:
    return x if f.dtype(x) is dtype else f.cast(x, dtype=dtype)


def _full(f: Emitter, *, value: complex, shape: tuple[int, ...], dtype: DType) -> Value:
    number, part = complex(value), PART[dtype]
    return f.complex(*(f.full(value=each, shape=shape, dtype=part) for each in (number.real, number.imag)))


# Powers.
MOST = 64
"""The largest whole exponent of which products are made."""


def _power_of(f: Emitter, base: Pair, exponent: int) -> Pair:
    """A pair to the power of a whole number from 1, by squaring."""
    made: Pair | None = None
    while True:
        if exponent & 1:
            made = base if made is None else _times(f, made, base)
        exponent >>= 1
        if not exponent:
            assert made is not None
            return made
        base = _squared(f, base)


def _squared(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    return f.multiply(f.subtract(a, b), f.add(a, b)), f.multiply(f.multiply(a, b), 2.0)


def _pow_scalar(f: Emitter, x: Value, *, exponent: int | float) -> Value:
    pair = parts(f, x)
    if exponent == 0:
        return f.with_history(_full(f, value=1.0, shape=f.shape(x), dtype=f.dtype(x)), x)
    if exponent == 0.5:
        return _joined(f, _sqrt(f, pair))
    if abs(exponent) <= MOST and exponent == int(exponent):
        made = _power_of(f, pair, abs(int(exponent)))
        return _joined(f, made if exponent > 0 else _over(f, (1.0, None), made))
    return _power(f, x, exponent)


def _power(f: Emitter, base: Value, exponent: Value) -> Value:
    """exp(exponent * log(base)); 0 to the power of a number with a positive real part is 0, to that of 0 is 1."""
    if not _is_value(base):
        if base > 0:
            scaled = _times(f, parts(f, exponent), (math.log(base), None))
            return _joined(f, _exp(f, scaled))
        a, _ = parts(f, exponent)
        base = f.add(f.multiply(a, 0.0), float(base))
    pair, power = parts(f, base), parts(f, exponent)
    none = _is_zero(f, pair)
    a, b = pair
    safe = f.where(none, 1.0, a), b
    logarithm = _log(f, safe if b is not None else _with_imag(f, safe))
    made = _exp(f, _times(f, logarithm, power))
    if _is_value(exponent):
        nothing = f.multiply(power[0], 0.0)
        one, small = _is_zero(f, power), f.less(0.0, power[0])
        real = f.where(one, 1.0, f.where(small, nothing, math.inf))
        imag = f.where(f.bitwise_or(one, small), nothing, math.nan)
        return f.complex(f.where(none, real, made[0]), f.where(none, imag, made[1]))
    return f.complex(f.where(none, 0.0 if exponent > 0 else math.inf, made[0]), f.where(none, 0.0, made[1]))


def _with_imag(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    return (a, f.multiply(a, 0.0)) if b is None else pair


# Functions. Source of those with branch cuts: Kahan 1987, Branch cuts for complex elementary functions.


def _exp(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    size = f.exp(a)
    return f.multiply(size, f.cos(b)), f.multiply(size, f.sin(b))


def _expm1(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    half = f.sin(f.multiply(b, 0.5))
    real = f.subtract(f.multiply(f.expm1(a), f.cos(b)), f.multiply(f.multiply(half, half), 2.0))
    return real, f.multiply(f.exp(a), f.sin(b))


def _scaled(pair: Pair, f: Emitter, factor: float) -> Pair:
    a, b = pair
    return f.multiply(a, factor), f.multiply(b, factor)


def _log(f: Emitter, pair: Pair) -> Pair:
    """The logarithm; where the length is near 1, its own is made of what it is more than 1."""
    a, b = pair
    length = _length(f, pair)
    near = f.bitwise_and(f.less(0.5, length), f.less(length, 2.0))
    flat = f.less_equal(f.absolute(b), f.absolute(a))
    large, small = f.where(near, f.where(flat, a, b), 1.0), f.where(near, f.where(flat, b, a), 0.0)
    more = f.add(f.multiply(f.subtract(large, 1.0), f.add(large, 1.0)), f.multiply(small, small))
    return f.where(near, f.multiply(f.log1p(more), 0.5), f.log(f.where(near, 1.0, length))), f.arctan2(b, a)


def _log1p(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    small = f.less(_length(f, pair), 0.5)
    x, y = f.where(small, a, 0.0), f.where(small, b, 0.0)
    near = f.multiply(f.log1p(f.add(f.multiply(x, f.add(x, 2.0)), f.multiply(y, y))), 0.5)
    far, angle = _log(f, (f.where(small, 1.0, f.add(a, 1.0)), f.where(small, 0.0, b)))
    return f.where(small, near, far), f.where(small, f.arctan2(y, f.add(x, 1.0)), angle)


def _sqrt(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    left = f.less(a, 0.0)
    size = f.where(left, f.negative(a), a)  # not `absolute`, which has no slope at 0
    long = f.sqrt(f.add(f.multiply(size, 0.5), f.multiply(_length(f, pair), 0.5)))
    short = f.divide(f.multiply(b, 0.5), f.where(f.equal(long, 0.0), 1.0, long))
    upright = f.multiply(short, f.copysign(1.0, b))  # not `absolute`: on the cut, the slope is that of a side
    return f.where(left, upright, long), f.where(left, f.copysign(long, b), short)


def _sinh(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    return f.multiply(f.sinh(a), f.cos(b)), f.multiply(f.cosh(a), f.sin(b))


def _cosh(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    return f.multiply(f.cosh(a), f.cos(b)), f.multiply(f.sinh(a), f.sin(b))


FLAT_FROM = 20.0
"""The real part from which the hyperbolic tangent is 1 to the last bit."""


def _tanh(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    flat = f.less(FLAT_FROM, f.absolute(a))
    near, far = f.where(flat, 0.0, a), f.where(flat, a, FLAT_FROM)
    sinh, cos, sin = f.sinh(near), f.cos(b), f.sin(b)
    turn = f.multiply(sin, cos)
    under = f.add(f.multiply(sinh, sinh), f.multiply(cos, cos))
    little = f.multiply(f.multiply(turn, 4.0), f.exp(f.multiply(f.absolute(far), -2.0)))
    real = f.where(flat, f.sgn(far), f.divide(f.multiply(sinh, f.cosh(near)), under))
    return real, f.where(flat, little, f.divide(turn, f.where(flat, 1.0, under)))


def _sigmoid(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    left = f.less(a, 0.0)
    small = _exp(f, (f.where(left, a, f.negative(a)), f.where(left, b, f.negative(b))))
    top = f.where(left, small[0], 1.0), f.where(left, small[1], 0.0)
    return _over(f, top, (f.add(small[0], 1.0), small[1]))


def _roots_beside_one(f: Emitter, pair: Pair) -> tuple[Pair, Pair]:
    """sqrt(1 - z) and sqrt(1 + z)."""
    a, b = pair
    return _sqrt(f, (f.subtract(1.0, a), f.negative(b))), _sqrt(f, (f.add(a, 1.0), b))


def _cross(f: Emitter, left: Pair, right: Pair) -> Value:
    """The imaginary part of the conjugate of one pair times another."""
    (a, b), (c, d) = left, right
    return f.subtract(f.multiply(a, d), f.multiply(b, c))


def _arcsin(f: Emitter, pair: Pair) -> Pair:
    below, above = _roots_beside_one(f, pair)
    under = f.subtract(f.multiply(below[0], above[0]), f.multiply(below[1], above[1]))
    return f.arctan2(pair[0], under), f.arcsinh(_cross(f, below, above))


def _arccos(f: Emitter, pair: Pair) -> Pair:
    below, above = _roots_beside_one(f, pair)
    return f.multiply(f.arctan2(below[0], above[0]), 2.0), f.arcsinh(_cross(f, above, below))


def _arccosh(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    below, above = _sqrt(f, (f.subtract(a, 1.0), b)), _sqrt(f, (f.add(a, 1.0), b))
    real = f.arcsinh(f.add(f.multiply(below[0], above[0]), f.multiply(below[1], above[1])))
    return real, f.multiply(f.arctan2(below[1], above[0]), 2.0)


def _arctanh(f: Emitter, pair: Pair) -> Pair:
    a, b = pair
    left = f.less(a, 0.0)
    size = f.where(left, f.negative(a), a)
    rest, square = f.subtract(1.0, size), f.multiply(b, b)
    real = f.multiply(f.log1p(f.divide(f.multiply(size, 4.0), f.add(f.multiply(rest, rest), square))), 0.25)
    imag = f.arctan2(f.multiply(b, 2.0), f.subtract(f.multiply(rest, f.add(size, 1.0)), square))
    return f.where(left, f.negative(real), real), f.multiply(imag, 0.5)


def _beside(function: Callable[[Emitter, Pair], Pair]) -> Callable[[Emitter, Pair], Pair]:
    """-i times the function of i times the number: the tangent of the hyperbolic tangent, and its like."""
    return lambda f, pair: _turn_back(f, function(f, _turn(f, pair)))


# Reductions.


def _prod(f: Emitter, x: Value, *, axes: tuple[int, ...]) -> Value:
    """The product over axes: one half of the numbers times the other, until one is left."""
    shape = f.shape(x)
    rest = tuple(axis for axis in range(len(shape)) if axis not in axes)
    lead = tuple(shape[axis] for axis in rest)
    size = math.prod(shape[axis] for axis in axes)
    if not size:
        return _full(f, value=1.0, shape=lead, dtype=f.dtype(x))
    x = f.reshape(f.permute(x, axes=(*rest, *axes)), shape=(*lead, size))
    while size > 1:
        half = size // 2
        made = f.multiply(_piece(f, x, 0, half), _piece(f, x, half, half))
        x = f.cat(made, _piece(f, x, 2 * half, 1), axis=len(lead)) if size % 2 else made
        size -= half
    return f.reshape(x, shape=lead)


def _piece(f: Emitter, x: Value, start: int, size: int) -> Value:
    *lead, _ = f.shape(x)
    return f.slice(x, starts=(*(0 for _ in lead), start), sizes=(*lead, size), steps=(1,) * (len(lead) + 1))


def _variance(f: Emitter, x: Value, **attrs: Any) -> Value:
    a, b = parts(f, x)
    return f.add(f.var(a, **attrs), f.var(b, **attrs))


def _solve(name: str) -> Form:
    """A system of complex equations as one of floats, of twice the size."""

    def form(f: Emitter, matrix: Value, *right: Value, **attrs: Any) -> Value:
        a, b = _with_imag(f, parts(f, matrix))
        rank = len(f.shape(matrix))
        rows, columns = rank - 2, rank - 1
        size = f.shape(matrix)[rows]
        whole = f.cat(f.cat(a, f.negative(b), axis=columns), f.cat(b, a, axis=columns), axis=rows)
        if right:
            given = right[0]
            below = f.cat(*_with_imag(f, parts(f, given)), axis=len(f.shape(given)) - 2)
            made, width = f.apply(OPS[name], whole, below, **attrs), f.shape(given)[-1]
        else:
            made, width = f.apply(OPS[name], whole, **attrs), size
        return f.complex(_block(f, made, 0, (size, width)), _block(f, made, size, (size, width)))

    return form


def _block(f: Emitter, x: Value, start: int, shape: tuple[int, int]) -> Value:
    """A part of matrices, from the first column and row `start` on."""
    *lead, _, _ = f.shape(x)
    starts = (*(0 for _ in lead), start, 0)
    return f.slice(x, starts=starts, sizes=(*lead, *shape), steps=(1,) * len(starts))


FORMS: dict[str, Form] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": _divide,
    "power": _power,
    "pow_scalar": _pow_scalar,
    "absolute": lambda f, x: _length(f, parts(f, x)),
    "sgn": _sgn,
    "sign": _sgn,
    "cast": _cast,
    "full": _full,
    "equal": _compared("equal", "bitwise_and"),
    "not_equal": _compared("not_equal", "bitwise_or"),
    "isnan": _classified("isnan", "bitwise_or"),
    "isinf": _classified("isinf", "bitwise_or"),
    "isfinite": _classified("isfinite", "bitwise_and"),
    "exp": _function(_exp),
    "exp2": _function(lambda f, pair: _exp(f, _scaled(pair, f, math.log(2.0)))),
    "expm1": _function(_expm1),
    "log": _function(_log),
    "log1p": _function(_log1p),
    "log2": _function(lambda f, pair: _scaled(_log(f, pair), f, 1.0 / math.log(2.0))),
    "log10": _function(lambda f, pair: _scaled(_log(f, pair), f, 1.0 / math.log(10.0))),
    "sqrt": _function(_sqrt),
    "sinh": _function(_sinh),
    "cosh": _function(_cosh),
    "tanh": _function(_tanh),
    "sin": _function(_beside(_sinh)),
    "cos": _function(lambda f, pair: _cosh(f, _turn(f, pair))),
    "tan": _function(_beside(_tanh)),
    "arcsin": _function(_arcsin),
    "arccos": _function(_arccos),
    "arctan": _function(_beside(_arctanh)),
    "arcsinh": _function(_beside(_arcsin)),
    "arccosh": _function(_arccosh),
    "arctanh": _function(_arctanh),
    "sigmoid": _function(_sigmoid),
    "silu": lambda f, x: f.multiply(x, f.sigmoid(x)),
    "prod": _prod,
    "cumprod": _written_out("cumprod"),
    "var": _variance,
    "solve": _solve("solve"),
    "inverse": _solve("inverse"),
    **{name: _bilinear(name) for name in ("matmul", "linear", "convolution")},
    **{
        name: _each(name)
        for name in ("negative", "sum", "mean", "cumsum", "scatter_add", "scatter", "spread", "fold", "patches")
    },
}
"""The form of each op that computes with complex numbers, by its name."""

__all__ = ["BY_NUMPY", "FORMS", "KEPT", "PRODUCTS", "compute", "is_computed", "parts"]
