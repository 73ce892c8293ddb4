"""Pairs of a real and an imaginary part: complex numbers taken apart, and arithmetic with what they are made of.

All write ops on floats through an emitter `f`. An imaginary part of None is that of a real operand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .emitter import Emitter

Value = Any
Pair = tuple[Value, Value | None]


def is_value(value: Value) -> bool:
    """Whether `value` is no Python number."""
    return hasattr(value, "shape")


def is_complex(f: Emitter, value: Value) -> bool:
    """Whether `value` is of a complex dtype; a Python number is not."""
    return is_value(value) and f.dtype(value).is_complex


def parts(f: Emitter, value: Value) -> Pair:
    """The real and the imaginary part; that of a real operand or a Python number is None."""
    return (f.real(value), f.imag(value)) if is_complex(f, value) else (value, None)


def whole_parts(f: Emitter, value: Value) -> tuple[Value, Value]:
    """The parts, with 0.0 for the one that is not there."""
    real, imag = parts(f, value)
    return real, 0.0 if imag is None else imag


def joined(f: Emitter, pair: Pair) -> Value:
    """A pair as one complex value."""
    real, imag = pair
    return f.complex(real, 0.0 if imag is None else imag)


def with_imag(f: Emitter, pair: Pair) -> Pair:
    """A pair with zeros for the imaginary part that is not there."""
    a, b = pair
    return (a, f.multiply(a, 0.0)) if b is None else pair


def sum_of(f: Emitter, left: Value | None, right: Value | None) -> Value | None:
    """left + right, where None is 0."""
    if left is None or right is None:
        return right if left is None else left
    return f.add(left, right)


def difference(f: Emitter, left: Value | None, right: Value | None) -> Value | None:
    """left - right, where None is 0."""
    if right is None:
        return left
    return f.negative(right) if left is None else f.subtract(left, right)


def product(combine: Callable[[Value, Value], Value], left: Value | None, right: Value | None) -> Value | None:
    """The product by `combine`, where None is 0."""
    return None if left is None or right is None else combine(left, right)


def times(f: Emitter, left: Pair, right: Pair, combine: Callable[[Value, Value], Value] | None = None) -> Pair:
    """The product of two pairs, by a product of floats."""
    (a, b), (c, d), by = left, right, combine or f.multiply
    return (
        difference(f, by(a, c), product(by, b, d)),
        sum_of(f, product(by, a, d), product(by, b, c)),
    )


def squared(f: Emitter, pair: Pair) -> Pair:
    """A pair times itself."""
    a, b = pair
    return f.multiply(f.subtract(a, b), f.add(a, b)), f.multiply(f.multiply(a, b), 2.0)


def over(f: Emitter, left: Pair, right: Pair) -> Pair:
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


def scaled(f: Emitter, pair: Pair, factor: float) -> Pair:
    """A pair times a real number."""
    a, b = pair
    return f.multiply(a, factor), f.multiply(b, factor)


def turned(f: Emitter, pair: Pair) -> Pair:
    """A pair times i."""
    real, imag = pair
    return f.negative(imag), real


def turned_back(f: Emitter, pair: Pair) -> Pair:
    """A pair times -i."""
    real, imag = pair
    return imag, f.negative(real)


def length_of(f: Emitter, pair: Pair) -> Value:
    """The distance from 0."""
    real, imag = pair
    return f.modulus(real, imag)


def is_zero(f: Emitter, pair: Pair) -> Value:
    """Whether both parts are zero."""
    a, b = pair
    zero = f.equal(a, 0.0)
    return zero if b is None else f.bitwise_and(zero, f.equal(b, 0.0))
