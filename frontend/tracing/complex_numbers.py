"""Complex numbers in the graph: taken apart where they are computed with, put together where they are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core import dtypes
from ...core.dtypes import DType
from ...graph.node import Node
from ...ops import pointwise as p
from ...ops.complex_numbers import COMPLEX, IMAG, KEPT, REAL
from ...ops.creation import FULL

if TYPE_CHECKING:
    from .trace import Trace

Parts = tuple[Node, Node]
KEEPING = KEPT
"""The ops that take complex numbers as they are."""


def parts(trace: Trace, node: Node) -> Parts:
    """The real and the imaginary part."""
    if node.op is COMPLEX:
        real, imag = node.inputs
        return real, imag
    known = trace.region.parts.get(node) if trace.region is not None else None
    return known or (trace.add(REAL, node), trace.add(IMAG, node))


def joined(trace: Trace, real: Node, imag: Node) -> Node:
    """The complex numbers with these parts."""
    made = trace.add(COMPLEX, real, imag)
    if trace.region is not None and trace.region.depends(made):
        trace.region.parts[made] = real, imag
    return made


def cast_to_complex(trace: Trace, node: Node, dtype: DType) -> Node:
    """Numbers of any dtype as complex ones."""
    part, source = dtypes.PART[dtype], node.type.dtype
    if source.is_complex:
        return joined(trace, *(_cast(trace, each, part) for each in parts(trace, node)))
    return joined(trace, _cast(trace, node, part), zero(trace, node.shape, part))


def cast_to_bool(trace: Trace, node: Node) -> Node:
    """Whether complex numbers are not zero."""
    return trace.add(
        p.BITWISE_OR,
        *(trace.add(p.NOT_EQUAL, each, zero(trace, each.shape, each.type.dtype)) for each in parts(trace, node)),
    )


def constant(trace: Trace, value: complex, shape: tuple[int, ...], dtype: DType) -> Node:
    """A known complex number, everywhere."""
    part = dtypes.PART[dtype]
    halves = (trace.add(FULL, value=each, shape=shape, dtype=part) for each in (value.real, value.imag))
    return joined(trace, *halves)


def zero(trace: Trace, shape: tuple[int, ...], dtype: DType) -> Node:
    """Zeros of a float dtype."""
    return trace.add(FULL, value=0.0, shape=shape, dtype=dtype)


def _cast(trace: Trace, node: Node, dtype: DType) -> Node:
    return node if node.type.dtype is dtype else trace.add(p.CAST, node, dtype=dtype)
