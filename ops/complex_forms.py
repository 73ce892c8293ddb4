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
from . import complex_functions as functions
from .complex_numbers import KEPT
from .complex_pairs import (
    Pair,
    Value,
    difference,
    is_complex,
    is_value,
    is_zero,
    joined,
    length_of,
    over,
    parts,
    scaled,
    squared,
    sum_of,
    times,
    turned,
    whole_parts,
    with_imag,
)
from .emitter import Emitter
from .registry import OPS, Composite, OpDef

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
        dtype = next((f.dtype(each) for each in operands if is_complex(f, each)), attrs.get("dtype"))
        name = op.name.removeprefix("shared_")
        raise NotImplementedError(
            f'"{name}" not implemented for {dtype}; take the parts with .real and .imag, or the length with abs()'
        )
    return form(f, *operands, **attrs)


# Forms of more than one op.


def _function(formula: Callable[[Emitter, Pair], Pair]) -> Form:
    """The form of a function of one number."""
    return lambda f, x: joined(f, formula(f, parts(f, x)))


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
    return joined(f, (f.add(a, c), sum_of(f, b, d)))


def _subtract(f: Emitter, left: Value, right: Value) -> Value:
    (a, b), (c, d) = parts(f, left), parts(f, right)
    return joined(f, (f.subtract(a, c), difference(f, b, d)))


def _multiply(f: Emitter, left: Value, right: Value) -> Value:
    return joined(f, times(f, parts(f, left), parts(f, right)))


def _bilinear(name: str) -> Form:
    """The form of an op that is linear in each of its first two operands; a third is added to what they give."""

    def form(f: Emitter, left: Value, right: Value, *added: Value, **attrs: Any) -> Value:
        op = OPS[name]
        made = joined(f, times(f, parts(f, left), parts(f, right), lambda a, b: f.apply(op, a, b, **attrs)))
        return made if not added else _add(f, made, added[0])

    return form


def _divide(f: Emitter, left: Value, right: Value) -> Value:
    return joined(f, over(f, parts(f, left), parts(f, right)))


def _sgn(f: Emitter, x: Value) -> Value:
    a, b = parts(f, x)
    length = f.modulus(a, b)
    none = f.equal(length, 0.0)
    under = f.where(none, 1.0, length)
    return f.complex(*(f.where(none, 0.0, f.divide(each, under)) for each in (a, b)))


def _compared(name: str, together: str) -> Form:
    def form(f: Emitter, left: Value, right: Value) -> Value:
        op, both = OPS[name], OPS[together]
        (a, b), (c, d) = whole_parts(f, left), whole_parts(f, right)
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
        return joined(f, (_part_as(f, a, part), None if b is None else _part_as(f, b, part)))
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
            made = base if made is None else times(f, made, base)
        exponent >>= 1
        if not exponent:
            assert made is not None
            return made
        base = squared(f, base)


def _pow_scalar(f: Emitter, x: Value, *, exponent: int | float) -> Value:
    pair = parts(f, x)
    if exponent == 0:
        return f.with_history(_full(f, value=1.0, shape=f.shape(x), dtype=f.dtype(x)), x)
    if exponent == 0.5:
        return joined(f, functions.sqrt(f, pair))
    if abs(exponent) <= MOST and exponent == int(exponent):
        made = _power_of(f, pair, abs(int(exponent)))
        return joined(f, made if exponent > 0 else over(f, (1.0, None), made))
    return _power(f, x, exponent)


def _power(f: Emitter, base: Value, exponent: Value) -> Value:
    """exp(exponent * log(base)); 0 to the power of a number with a positive real part is 0, to that of 0 is 1."""
    if not is_value(base):
        if base > 0:
            return joined(f, functions.exp(f, times(f, parts(f, exponent), (math.log(base), None))))
        a, _ = parts(f, exponent)
        base = f.add(f.multiply(a, 0.0), float(base))
    pair, power = parts(f, base), parts(f, exponent)
    none = is_zero(f, pair)
    a, b = pair
    safe = f.where(none, 1.0, a), b
    logarithm = functions.log(f, safe if b is not None else with_imag(f, safe))
    made = functions.exp(f, times(f, logarithm, power))
    if is_value(exponent):
        nothing = f.multiply(power[0], 0.0)
        one, small = is_zero(f, power), f.less(0.0, power[0])
        real = f.where(one, 1.0, f.where(small, nothing, math.inf))
        imag = f.where(f.bitwise_or(one, small), nothing, math.nan)
        return f.complex(f.where(none, real, made[0]), f.where(none, imag, made[1]))
    return f.complex(f.where(none, 0.0 if exponent > 0 else math.inf, made[0]), f.where(none, 0.0, made[1]))


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
        a, b = with_imag(f, parts(f, matrix))
        rank = len(f.shape(matrix))
        rows, columns = rank - 2, rank - 1
        size = f.shape(matrix)[rows]
        whole = f.cat(f.cat(a, f.negative(b), axis=columns), f.cat(b, a, axis=columns), axis=rows)
        if right:
            given = right[0]
            below = f.cat(*with_imag(f, parts(f, given)), axis=len(f.shape(given)) - 2)
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
    "absolute": lambda f, x: length_of(f, parts(f, x)),
    "sgn": _sgn,
    "sign": _sgn,
    "cast": _cast,
    "full": _full,
    "equal": _compared("equal", "bitwise_and"),
    "not_equal": _compared("not_equal", "bitwise_or"),
    "isnan": _classified("isnan", "bitwise_or"),
    "isinf": _classified("isinf", "bitwise_or"),
    "isfinite": _classified("isfinite", "bitwise_and"),
    "exp": _function(functions.exp),
    "exp2": _function(lambda f, pair: functions.exp(f, scaled(f, pair, math.log(2.0)))),
    "expm1": _function(functions.expm1),
    "log": _function(functions.log),
    "log1p": _function(functions.log1p),
    "log2": _function(lambda f, pair: scaled(f, functions.log(f, pair), 1.0 / math.log(2.0))),
    "log10": _function(lambda f, pair: scaled(f, functions.log(f, pair), 1.0 / math.log(10.0))),
    "sqrt": _function(functions.sqrt),
    "sinh": _function(functions.sinh),
    "cosh": _function(functions.cosh),
    "tanh": _function(functions.tanh),
    "sin": _function(functions.beside(functions.sinh)),
    "cos": _function(lambda f, pair: functions.cosh(f, turned(f, pair))),
    "tan": _function(functions.beside(functions.tanh)),
    "arcsin": _function(functions.arcsin),
    "arccos": _function(functions.arccos),
    "arctan": _function(functions.beside(functions.arctanh)),
    "arcsinh": _function(functions.beside(functions.arcsin)),
    "arccosh": _function(functions.arccosh),
    "arctanh": _function(functions.arctanh),
    "sigmoid": _function(functions.sigmoid),
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
