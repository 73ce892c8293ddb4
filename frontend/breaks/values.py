"""Breaks at values without a rule, and at memory that several of them share."""

from __future__ import annotations

from .graph_break import BreakKind

UNKNOWN_VALUE = BreakKind(
    "B401",
    "{operation} on {name}",
    "Guardlift has no compiled form for values of this kind",
    "compute this before the jitted function, and pass in arrays (of pandas, `s.to_numpy()`), tensors and numbers",
)
DTYPE = BreakKind(
    "B402",
    "arrays of dtype {dtype}",
    "Kernels do not compute with this dtype, or not this function of it",
    "convert with astype to a bool, integer or float dtype",
)
OVERLAP = BreakKind(
    "B403",
    "a write into {name}, which shares memory with {other}",
    "The order of reads and writes in shared memory is Python's to decide",
    "pass a copy of one of them",
)
BROADCAST_WRITE = BreakKind(
    "B404",
    "a write through {name}",
    "This form of write has no rule",
    "write into the array itself, or into a slice of it",
)
ALIGNMENT = BreakKind(
    "B429",
    "{name}, whose elements do not lie at multiples of their size",
    "Kernels load elements from multiples of their size alone",
    "pass in a copy of it, as `x.copy()` is",
)
