"""The error function: a series in x**2 up to 1, and beyond it 1 - exp(P(x)), where P fits log(1 - erf(x))."""

from __future__ import annotations

from .coefficients import ERF_F32, ERF_F64, ERFC_F32, ERFC_F64
from .declare import FLOATS, T, Value, per_float, scalar_function
from .exponential import exp_of_reduced, power_of_two, reduced, whole
from .primitives import absolute_value, copy_sign, polynomial

ERF, ERFC = per_float(ERF_F32, ERF_F64), per_float(ERFC_F32, ERFC_F64)
ERF_IS_ONE_FROM = per_float(4.0, 6.0)


@scalar_function(FLOATS, contract=True)
def erf(x: Value) -> Value:
    """2/sqrt(pi) times the integral of exp(-t**2) from 0 to x."""
    a = absolute_value(x)
    near = x + x * polynomial(x * x, ERF)
    shifted, r = reduced(polynomial(T(ERF_IS_ONE_FROM) if a > ERF_IS_ONE_FROM else a, ERFC))
    far = 1.0 - exp_of_reduced(r) * power_of_two(whole(shifted))
    return near if a < 1.0 else copy_sign(far, x)
