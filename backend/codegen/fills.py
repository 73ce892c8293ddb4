"""Fills of slices with a step in kernel text: `p[q] = value; q += step`.

A vectoriser makes of ``p[j * step + start] = value`` a vector of addresses, takes it apart and stores element by
element, which is slower than adding up one address. With a step of 1 it is a block of memory and wants to be a vector.
"""

from __future__ import annotations

from ...loop_ir.ir import Apply, InnerLoop, Let, Store
from ...loop_ir.passes.dce import names_read
from ...loop_ir.printer import print_terms
from ...loop_ir.source_text import Lines, expression_text, stored

LINEAR = ("({0} + {1})", "({0} - {1})")
SCALED = "({0} * {1})"


def is_strided_fill(inner_loop: InnerLoop) -> bool:
    """Whether all that an inner loop does is to give elements that lie a computed step apart one value."""
    *lets, last = inner_loop.body or (None,)
    if len(inner_loop.loops) != 1 or inner_loop.reductions or not isinstance(last, Store):
        return False
    moving, scaled = {inner_loop.loops[0][0]}, False
    for each in lets:
        if not isinstance(each, Let):
            return False
        if moving.isdisjoint(names_read(each)):
            continue
        made = each.expression
        if not isinstance(made, Apply) or made.widens or made.text not in (*LINEAR, SCALED):
            return False
        if made.text == SCALED:
            if moving.issuperset(made.operands):
                return False
            scaled = True
        moving.add(each.name)
    strides = {amount for _, amount in last.access.terms}
    return scaled and last.value not in moving and not moving.intersection(strides)


def put_strided_fill(writer: Lines, inner_loop: InnerLoop) -> None:
    """Writes the fill for steps other than 1, up to an `else:` under which the plain loop is to stand."""
    ((var, extent),) = inner_loop.loops
    *lets, last = inner_loop.body
    assert isinstance(last, Store)
    place, step = f"{var}_place", f"{var}_step"
    for value, name in ((0, place), (1, step)):
        writer.put(f"{var} = {value}")
        for each in lets:
            assert isinstance(each, Let)
            writer.put(f"{each.name} = {expression_text(each.expression, each.dtype)}")
        writer.put(f"{name} = {print_terms(last.access.terms)}")
    writer.put(f"{step} -= {place}")
    writer.put(f"if {step} != 1:")
    writer.put(f"    for {var} in range({extent}):")
    writer.put(f"        p{last.access.pointer}[{place}] = {stored(last.value, last.dtype)}")
    writer.put(f"        {place} += {step}")
    writer.put("else:")
