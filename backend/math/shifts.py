"""Shifts with NumPy's answers for counts that a machine would take modulo the width."""

from __future__ import annotations

from .declare import SIGNED, UNSIGNED, WIDTH, Value, scalar_function


@scalar_function(SIGNED, name="left_shift")
def left_shift_signed(x: Value, count: Value) -> Value:
    """x << count; 0 when the count is negative or not below the width."""
    return x << count if count >= 0 and count < WIDTH else 0


@scalar_function(UNSIGNED, name="left_shift")
def left_shift_unsigned(x: Value, count: Value) -> Value:
    """x << count; 0 when the count is not below the width."""
    return x << count if count < WIDTH else 0


@scalar_function(SIGNED, name="right_shift")
def right_shift_signed(x: Value, count: Value) -> Value:
    """x >> count; 0 or -1, by the sign of x, when the count is negative or not below the width."""
    return x >> (count if count >= 0 and count < WIDTH else WIDTH - 1)


@scalar_function(UNSIGNED, name="right_shift")
def right_shift_unsigned(x: Value, count: Value) -> Value:
    """x >> count; 0 when the count is not below the width."""
    return x >> count if count < WIDTH else 0
