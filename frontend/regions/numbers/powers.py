"""Powers of numbers in a region: those of Python's numbers as Python computes them, and those of NumPy's integers.

What Python raises for, and an int that int64 does not hold, gives the call back to Python. See Note [Leaving a region].
"""

# Note [Powers of ints]
# A power of ints is an int of any size, and one of them grows faster than anything else that a loop computes. Whether
# it fits is asked of the power of the two numbers as floats, which errs by a few parts in 2**52: what is above 2**62
# goes back to Python, so an error never lets a number through that wraps. Where bounds are known, as of
# `int(digits[i]) ** (i & 7)`, nothing is asked.

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.sizes import is_symbolic
from ....ops import pointwise as p
from ...breaks import LOOP_ARITHMETIC
from ...tracing.nodes import cast, constant_node
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.computed import INT64, Bounds
from .arithmetic import as_float, as_int, host_number, leave_unless_within, number_node, operate, reach_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace

FEW = 8
"""The largest known exponent up to which a power is a chain of products."""
LIMIT = 2**62
"""The size up to which a power of ints is computed. See Note [Powers of ints]."""


def power(trace: Trace, base: Value, exponent: Value) -> Value:
    """`base ** exponent` of Python numbers without complex ones, of which one at least is the region's."""
    kinds = {base.python_type, exponent.python_type}
    if kinds == {int}:
        return _of_ints(trace, base, exponent)
    if bool in kinds:
        raise LOOP_ARITHMETIC.stop(what="the operator `**` of bools")
    whole = isinstance(exponent, Constant) and exponent.value == int(exponent.value) and exponent.value >= 0
    region = trace.region
    assert region is not None
    one, other = as_float(trace, region, base), as_float(trace, region, exponent)
    if not whole and not (isinstance(base, Constant) and base.value > 0):
        # Python raises for a zero, and a negative base gives a complex number.
        positive = trace.add(p.LESS, constant_node(trace, 0.0, (), dtypes.float64), region.let_of(one))
        region.leave_if(trace.add(p.INVERT, positive))
    squared = isinstance(exponent, Constant) and exponent.value == 2
    made = region.let_of(trace.add(p.MULTIPLY, one, one) if squared else trace.add(p.POWER, one, other))
    region.leave_if(trace.add(p.ISINF, made))
    return host_number(trace, made)


def _of_ints(trace: Trace, base: Value, exponent: Value) -> Value:
    if isinstance(exponent, Constant) and 1 <= exponent.value <= FEW:
        made = base
        for _ in range(exponent.value - 1):
            made = operate(trace, "*", made, base)
        return made
    region = trace.region
    assert region is not None
    if isinstance(base, Constant) and base.value in (2, -1):
        return _of_two_or_minus_one(trace, base.value, exponent)
    bases, exponents = reach_of(region, base), reach_of(region, exponent)
    if exponents[1] < 0:
        raise LOOP_ARITHMETIC.stop(what="an int to a negative power, which is a float")
    one, other = (region.let_of(as_int(trace, region, each)) for each in (base, exponent))
    if exponents[0] < 0:
        leave_unless_within(trace, region, other, 0, INT64[1], exponents)  # it is a float then
    bounds = _bounds(bases, exponents)
    if bounds is None:
        size = trace.add(p.ABSOLUTE, region.let_of(cast(trace, one, dtypes.float64)))
        size = region.let_of(trace.add(p.POWER, size, cast(trace, other, dtypes.float64)))
        region.leave_if(trace.add(p.LESS, constant_node(trace, float(LIMIT), (), dtypes.float64), size))
        bounds = (0 if bases[0] >= 0 else -LIMIT - 2**16, LIMIT + 2**16)  # with room for the float's error
    return host_number(trace, trace.add(p.POWER, one, other), bounds)


def _of_two_or_minus_one(trace: Trace, base: int, exponent: Value) -> Value:
    region = trace.region
    assert region is not None
    node = region.let_of(number_node(trace, exponent))
    one = constant_node(trace, 1, (), dtypes.int64)
    if base == 2:
        leave_unless_within(trace, region, node, 0, 62)
        return host_number(trace, trace.add(p.LEFT_SHIFT, region.let_of(one), node), (1, 2**62))
    region.leave_if(trace.add(p.LESS, node, constant_node(trace, 0, (), dtypes.int64)))
    odd = trace.add(p.BITWISE_AND, node, one)
    twice = trace.add(p.ADD, odd, odd)
    return host_number(trace, trace.add(p.SUBTRACT, one, twice), (-1, 1))


def _bounds(bases: Bounds, exponents: Bounds) -> Bounds | None:
    """Between which ints such powers lie; None where they may be too large, or a bound is a symbol."""
    if is_symbolic((*bases, *exponents)):
        return None
    most, highest = max(abs(bases[0]), abs(bases[1]), 1), max(exponents[1], 0)
    if highest * (most.bit_length() - (most == 1)) > LIMIT.bit_length() - 1:
        return None
    size = most**highest
    return (0 if bases[0] >= 0 else -size), size
