"""Sums and products that may be reordered: how a reduction's loop becomes vector code.

Only this one operation carries the licence. Inlined into a kernel, it may be reordered with others of its kind;
everything else in the kernel stays as written.
"""

from __future__ import annotations

from .declare import FLOATS, Value, scalar_function


@scalar_function(FLOATS, reassociate=True)
def reassociated_add(a: Value, b: Value) -> Value:
    """a + b, in any order with other reassociated sums."""
    return a + b


@scalar_function(FLOATS, reassociate=True)
def reassociated_multiply(a: Value, b: Value) -> Value:
    """a * b, in any order with other reassociated products."""
    return a * b


@scalar_function(FLOATS, contract=True)
def multiplied_add(a: Value, b: Value, c: Value) -> Value:
    """a * b + c, rounded once where the processor does that: a step of a library's product."""
    return a * b + c
