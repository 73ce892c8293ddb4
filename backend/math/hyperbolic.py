"""Hyperbolic functions: a series in x**2 near 0, exponentials elsewhere; both are computed, a select takes one."""

from __future__ import annotations

from .coefficients import SINH_F64, TANH_F32, TANH_F64
from .declare import FLOATS, T, Value, per_float, scalar_function
from .exponential import exp_of_reduced, reduced, scaled, whole
from .primitives import absolute_value, copy_sign, polynomial

TANH = per_float(TANH_F32, TANH_F64)
SINH = per_float(SINH_F64[:5], SINH_F64)
TANH_SERIES_UP_TO = 0.5625
TANH_IS_ONE_FROM = per_float(10.0, 20.0)
HALF_EXP_HIGH = per_float(90.0, 711.0)


def half_exp(a: Value) -> Value:
    """e**a / 2 for a >= 0, without overflow before the result overflows."""
    shifted, r = reduced(T(HALF_EXP_HIGH) if a > HALF_EXP_HIGH else a)
    return scaled(exp_of_reduced(r), whole(shifted) - 1)


@scalar_function(FLOATS, contract=True)
def tanh(x: Value) -> Value:
    """The hyperbolic tangent: 1 - 2 / (e**2x + 1) away from 0."""
    a = absolute_value(x)
    z = x * x
    near = x + x * z * polynomial(z, TANH)
    bounded = T(TANH_IS_ONE_FROM) if a > TANH_IS_ONE_FROM else a
    shifted, r = reduced(bounded + bounded)
    far = 1.0 - 2.0 / (scaled(exp_of_reduced(r), whole(shifted)) + 1.0)
    return copy_sign(near if a < TANH_SERIES_UP_TO else far, x)


@scalar_function(FLOATS, contract=True)
def sinh(x: Value) -> Value:
    """The hyperbolic sine."""
    a = absolute_value(x)
    z = x * x
    near = x + x * z * polynomial(z, SINH)
    h = half_exp(a)
    return near if a < 1.0 else copy_sign(h - 0.25 / h, x)


@scalar_function(FLOATS, contract=True)
def cosh(x: Value) -> Value:
    """The hyperbolic cosine."""
    h = half_exp(absolute_value(x))
    return h + 0.25 / h
