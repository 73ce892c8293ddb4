"""Joins of parts of one value that lie side by side in it: the parts are one part.

::

    %0 = slice(%a, sizes=(1, 4), starts=(0, 0), steps=(1, 1)) : f64[1, 4]
    %1 = slice(%a, sizes=(1, 4), starts=(1, 0), steps=(1, 1)) : f64[1, 4]     =>     %2 = slice(%a, sizes=(2, 4), ...)
    %2 = cat(%0, %1, axis=0) : f64[2, 4]

Loops over the rows of a value that stack what they made are such joins, and so are their gradients, where a constant is
added to every part. Parts may follow one another forwards, backwards or in steps.
"""

from __future__ import annotations

from typing import Any

from ...core.records import dataclass, replace
from ...ops.creation import FULL
from ...ops.indexing import CAT
from ...ops.movement import SLICE
from ...ops.pointwise import ADD
from ..node import Graph, Node
from .rewrite import rewrite
from .rule import apply_as, constant, same_bits

Ints = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _SlicedPart:
    """`count` entries of an axis of `source`, from `start` on in steps of `step`; of the other axes `rest`.

    step: 0 where one entry leaves it open. added: what is added to each element; None for nothing."""

    source: Node
    start: int
    step: int
    count: int
    rest: tuple[Ints, ...]
    added: Node | None


def join_slices(graph: Graph) -> Graph:
    """The graph in which joins of parts that lie side by side in one value take them as one."""
    if not any(node.op is CAT for node in graph.nodes):
        return graph
    return rewrite(graph, _joined)


def _joined(node: Node) -> Node:
    if node.op is not CAT:
        return node
    axis = node.attr("axis")
    assert isinstance(axis, int)
    pieces: list[Node | _SlicedPart] = []
    for operand in node.inputs:
        piece: Node | _SlicedPart = _part(operand, axis) or operand
        before = pieces[-1] if pieces else None
        whole = _both(before, piece) if isinstance(before, _SlicedPart) and isinstance(piece, _SlicedPart) else None
        if whole is None:
            pieces.append(piece)
        else:
            pieces[-1] = whole
    if len(pieces) == len(node.inputs):
        return node
    made = [each if isinstance(each, Node) else _node(node, each, axis) for each in pieces]
    return made[0] if len(made) == 1 else apply_as(node, CAT, *made, axis=axis)


def _part(node: Node, axis: int) -> _SlicedPart | None:
    """A node as a part of a value, with a constant added to it perhaps; None for any other."""
    if node.op is ADD and node.inputs[1].op is FULL:
        found = _part(node.inputs[0], axis)
        return None if found is None or found.added is not None else replace(found, added=node.inputs[1])
    if node.op is not SLICE:
        return None
    starts, sizes, steps = (node.attr(name) for name in ("starts", "sizes", "steps"))
    assert isinstance(starts, tuple) and isinstance(sizes, tuple) and isinstance(steps, tuple)
    entries: tuple[Any, ...] = (*starts, *sizes, *steps)
    if any(type(each) is not int for each in entries) or not sizes[axis]:
        return None
    rest = tuple((*each[:axis], *each[axis + 1 :]) for each in (starts, sizes, steps))
    return _SlicedPart(node.inputs[0], starts[axis], steps[axis] if sizes[axis] > 1 else 0, sizes[axis], rest, None)


def _both(one: _SlicedPart, other: _SlicedPart) -> _SlicedPart | None:
    """Two parts as one, where the second goes on behind the first; else None."""
    step = other.start - (one.start + (one.count - 1) * one.step)
    if one.source is not other.source or one.rest != other.rest or not step or not {one.step, other.step} <= {0, step}:
        return None
    if (one.added is None) != (other.added is None):
        return None
    if one.added is not None and other.added is not None:
        first, second = constant(one.added), constant(other.added)
        if first is None or second is None or not same_bits(first, second):
            return None
    return replace(one, step=step, count=one.count + other.count)


def _node(node: Node, part: _SlicedPart, axis: int) -> Node:
    starts, sizes, steps = (
        (*each[:axis], own, *each[axis:])
        for each, own in zip(part.rest, (part.start, part.count, part.step or 1), strict=True)
    )
    made = apply_as(node, SLICE, part.source, starts=starts, sizes=sizes, steps=steps)
    if part.added is None:
        return made
    dtype, value = made.type.dtype, part.added.attr("value")
    return apply_as(node, ADD, made, apply_as(node, FULL, dtype=dtype, shape=made.shape, value=value))
