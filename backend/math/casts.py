"""Conversions between dtypes, `cast_<from>_<to>`, and bits seen as another dtype of the size, `bits_<from>_<to>`.

A float beyond the integer type becomes what NumPy makes of it on x86-64, by way of a signed register: int32 for types
of up to 32 bits, int64 for uint32, int64 and uint64. What the register cannot hold becomes its smallest value, which
then is cut to the type. (NumPy's vector loops for uint32 answer otherwise, and not alike on all machines.)
"""

from __future__ import annotations

from collections.abc import Callable

from ...core import dtypes
from .declare import SCALAR_TYPES, ScalarFunction, T, Value, declare
from .primitives import as_float, as_integer, as_unsigned, i32, i64, u64

TWO_31, TWO_63 = 2.0**31, 2.0**63
INT32_MIN, INT64_MIN = -(2**31), -(2**63)


def to_bool(x: Value) -> Value:
    """Whether x is not zero; True for NaN."""
    return x != 0


def same(x: Value) -> Value:
    """x."""
    return x


def converted(x: Value) -> Value:
    """x in the target type: integers wrap, floats round."""
    return T(x)


def through_int32(x: Value) -> Value:
    """The integer part of a float, by way of int32."""
    return T(i32(x) if x > -TWO_31 - 1.0 and x < TWO_31 else i32(INT32_MIN))


def through_int64(x: Value) -> Value:
    """The integer part of a float, by way of int64."""
    return T(i64(x) if x >= -TWO_63 and x < TWO_63 else i64(INT64_MIN))


def through_uint64(x: Value) -> Value:
    """The integer part of a float as uint64: from 2**63 on less that, which then comes back as the top bit."""
    above = x >= TWO_63
    low = x - TWO_63 if above else x
    whole = i64(low) if low >= -TWO_63 and low < TWO_63 else i64(INT64_MIN)
    return u64(whole ^ (INT64_MIN if above else i64(0)))


def _body(source: str, target: str) -> Callable[..., Value]:
    if source == target:
        return same
    if target == "b1":
        return to_bool
    if source[0] == "f" and target[0] != "f":
        return {"u32": through_int64, "i64": through_int64, "u64": through_uint64}.get(target, through_int32)
    return converted


for _source in SCALAR_TYPES:
    for _target in SCALAR_TYPES:
        declare(ScalarFunction(f"cast_{_source}_{_target}", _body(_source, _target), _target, (_source,), _target))


def bits_as_integer(x: Value) -> Value:
    """The bits of a float as a signed integer."""
    return as_integer(x)


def bits_as_unsigned(x: Value) -> Value:
    """The bits of a float as an unsigned integer."""
    return as_unsigned(x)


def bits_as_float(x: Value) -> Value:
    """The float with these bits."""
    return as_float(x)


_IN_MEMORY = {dtype.code: dtype.bits.code for dtype in dtypes.NARROW}


def _bits_body(source: str, target: str) -> Callable[..., Value]:
    if source[0] == "f":
        return bits_as_integer if target[0] == "i" else bits_as_unsigned
    return bits_as_float if target[0] == "f" else to_bool if target == "b1" else converted


for _from in (*dtypes.ALL, *dtypes.NARROW):
    for _to in (*dtypes.ALL, *dtypes.NARROW):
        if _from.itemsize == _to.itemsize:
            _held, _made = (_IN_MEMORY.get(each.code, each.code) for each in (_from, _to))
            _bits = same if _held == _made else _bits_body(_held, _made)
            _name = f"bits_{_from.code}_{_to.code}"
            declare(ScalarFunction(_name, _bits, _made, (_held,), _made))
