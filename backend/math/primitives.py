"""Primitives of scalar functions, besides Python's operators: each has one machine instruction or so behind it.

A `Primitive` runs on NumPy scalars here; how it is written in LLVM IR stands in `emit_primitives.py` under its name.
A scalar type that is called (`f32(x)`, `i64(x)`) converts as C does; outside the range of the type that is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.records import dataclass
from ...ops.exact import fused_multiply_add
from .declare import Value

b1 = np.bool_
i8 = np.int8
i16 = np.int16
i32 = np.int32
i64 = np.int64
u8 = np.uint8
u16 = np.uint16
u32 = np.uint32
u64 = np.uint64
f32 = np.float32
f64 = np.float64


@dataclass(frozen=True, slots=True)
class Primitive:
    """An operation that both readers of a body know by name."""

    name: str
    python: Callable[..., Value]

    def __call__(self, *operands: Any) -> Value:
        return self.python(*operands)


def _quotient(a: Value, b: Value) -> Value:
    magnitude = abs(int(a)) // abs(int(b))
    return type(a)(-magnitude if (int(a) < 0) != (int(b) < 0) else magnitude)


def _repeated_product(base: Value, exponent: Value) -> Value:
    scalar_type = type(base) if isinstance(base, np.generic) else np.int64  # the variable of a loop is a Python int
    wrapped = pow(int(base), int(exponent), 2 ** (8 * np.dtype(scalar_type).itemsize))
    return np.asarray(wrapped, np.uint64).astype(scalar_type)[()]


def _polynomial(x: Value, coefficients: Sequence[float]) -> Value:
    value = type(x)(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        value = value * x + coefficient
    return value


_C_LIBRARY: dict[str, Callable[..., Value]] = {"sin": np.sin, "cos": np.cos, "tan": np.tan, "fmod": np.fmod}


absolute_value = Primitive("absolute_value", np.fabs)
square_root = Primitive("square_root", np.sqrt)
round_down = Primitive("round_down", np.floor)
round_up = Primitive("round_up", np.ceil)
round_to_zero = Primitive("round_to_zero", np.trunc)
round_half_even = Primitive("round_half_even", np.rint)
copy_sign = Primitive("copy_sign", np.copysign)
larger = Primitive("larger", np.maximum)
"""The larger of two floats; NaN when either is NaN."""
smaller = Primitive("smaller", np.minimum)
multiply_add = Primitive("multiply_add", fused_multiply_add)
"""a * b + c of floats, rounded once."""
repeated_product = Primitive("repeated_product", _repeated_product)
"""base ** exponent of integers, wrapping; a loop over the bits of the exponent, which is not negative."""
quotient = Primitive("quotient", _quotient)
"""a / b of integers, rounded to zero; undefined for b == 0 and where the result does not fit."""
polynomial = Primitive("polynomial", _polynomial)
"""c[0] + c[1]*x + c[2]*x**2 + ... by Horner's rule; a multiply and an add may become one fma."""
usually = Primitive("usually", lambda holds, usual, name, *operands: usual if holds else _C_LIBRARY[name](*operands))
"""`usual` where the condition holds, else the C library's function `name` of float64 operands: for what is rare."""
as_integer = Primitive("as_integer", lambda x: x.view(np.int32 if type(x) is np.float32 else np.int64))
"""The bits of a float as a signed integer."""
as_unsigned = Primitive("as_unsigned", lambda x: x.view(np.uint32 if type(x) is np.float32 else np.uint64))
as_float = Primitive("as_float", lambda x: x.view(np.float32 if x.itemsize == 4 else np.float64))
"""The float with these bits."""
