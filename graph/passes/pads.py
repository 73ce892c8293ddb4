"""Sums of parts that lie side by side: each was padded with zeros to the size of the whole.

::

    %0 = pad(%a, after=(2,), before=(0,), value=0.0) : f64[5]
    %1 = pad(%b, after=(0,), before=(3,), value=0.0) : f64[5]      =>      %0 = cat(add(%a, 0.0), add(%b, 0.0), axis=0)
    %2 = add(%0, %1) : f64[5]

Gradients of slices are such sums. The zeros that are added keep the bits: the sum makes 0.0 of -0.0.
"""

from __future__ import annotations

from typing import Any

from ...ops.creation import FULL
from ...ops.indexing import CAT, PAD
from ...ops.pointwise import ADD
from ..node import Graph, Node
from .rewrite import rewrite
from .rule import apply_as

_Parts = tuple[int, dict[tuple[int, int], Node]]
"""An axis, and what lies on it from where to where."""


def join_pads(graph: Graph) -> Graph:
    """The graph in which sums of padded parts that do not overlap are the parts, one behind the other."""
    known: dict[Node, _Parts] = {}

    def step(node: Node) -> Node:
        if node.op is PAD:
            found = _padded(node)
            if found is not None:
                known[node] = found
        if node.op is not ADD:
            return node
        left, right = (known.get(each) for each in node.inputs)
        if left is None or right is None or left[0] != right[0]:
            return node
        parts = left[1] | right[1]
        places = sorted(parts)
        if len(parts) < len(left[1]) + len(right[1]) or any(
            one[1] > other[0] for one, other in zip(places, places[1:])
        ):
            return node
        joined = _joined(node, left[0], parts)
        known[joined] = left[0], parts
        return joined

    if not any(node.op is PAD for node in graph.nodes):
        return graph
    return rewrite(graph, step)


def _padded(node: Node) -> _Parts | None:
    """The part that is padded with zeros along one axis; None for any other pad."""
    before, after = node.attr("before"), node.attr("after")
    assert isinstance(before, tuple) and isinstance(after, tuple)
    dtype, (part,) = node.type.dtype, node.inputs
    widths: tuple[Any, ...] = (*before, *after, *node.shape)
    if (
        node.attr("value") != 0
        or not (dtype.is_float or dtype.is_integer)
        or any(type(each) is not int for each in widths)
    ):
        return None
    axes = [axis for axis, pair in enumerate(zip(before, after)) if any(pair)]
    if len(axes) != 1 or not part.type.size:
        return None
    (axis,) = axes
    return axis, {(before[axis], node.shape[axis] - after[axis]): part}


def _joined(node: Node, axis: int, parts: dict[tuple[int, int], Node]) -> Node:
    pieces = []
    end = 0
    for start, stop in sorted(parts):
        if start > end:
            pieces.append(_zeros(node, axis, start - end))
        part = parts[start, stop]
        zeros = _zeros(node, axis, stop - start)
        pieces.append(apply_as(node, ADD, part, zeros) if node.type.dtype.is_float else part)
        end = stop
    if end < node.shape[axis]:
        pieces.append(_zeros(node, axis, node.shape[axis] - end))
    return apply_as(node, CAT, *pieces, axis=axis)


def _zeros(node: Node, axis: int, width: int) -> Node:
    dtype = node.type.dtype
    shape = (*node.shape[:axis], width, *node.shape[axis + 1 :])
    return apply_as(node, FULL, dtype=dtype, shape=shape, value=0.0 if dtype.is_float else 0)
