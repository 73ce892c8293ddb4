"""`np.pad`: by a constant, or by elements of the array, whose order NumPy itself tells."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.sizes import is_symbolic, is_whole
from ...graph.node import Node
from ...ops.indexing import CAT, PAD
from ...ops.movement import SLICE
from ..breaks import NUMPY_ARGUMENT
from ..tracing.rules import asked, traces
from ..values.arrays.array import result
from ..values.arrays.view_steps import Ints, expand
from ..values.base import Value
from ..values.constant import Constant
from ..values.numbers.symbolic_int import size_of
from .memory_order import strides_in_order
from .shaping import ZERO, array_operand

if TYPE_CHECKING:
    from ..tracing.trace import Trace

PICKING = ("edge", "reflect", "symmetric", "wrap")
"""Modes that repeat elements of the array, along one axis after the other."""


@traces(np.pad)
def pad(
    trace: Trace,
    array: Value,
    pad_width: Value,
    mode: Value = Constant("constant"),  # noqa: B008
    *,
    constant_values: Value = ZERO,
    reflect_type: Value = Constant("even"),  # noqa: B008
) -> Value:
    source = array_operand(trace, array)
    how, value = mode.constant(trace), constant_values.constant(trace)
    if how in PICKING and (reflect_type.constant(trace) != "even" or constant_values is not ZERO):
        raise NUMPY_ARGUMENT.stop(name="np.pad", argument="arguments that do not go with the mode, or odd reflection")
    if how not in PICKING and (how != "constant" or type(value) not in (int, float, bool)):
        raise NUMPY_ARGUMENT.stop(name="np.pad", argument="a mode or value other than one constant")
    before, after = _widths(size_of(trace, pad_width), len(source.shape))
    if any(each < 0 for each in (*before, *after)):
        raise ValueError("index can't contain negative values")
    if how in PICKING and is_symbolic((*before, *after, *source.shape)):
        raise NUMPY_ARGUMENT.stop(name="np.pad", argument="symbolic sizes, and another mode than one constant")
    node = source.read(trace)
    if how == "constant":
        if source.dtype.is_complex:
            raise NUMPY_ARGUMENT.stop(name="np.pad", argument="complex numbers")
        fill = source.fake.dtype.type(value).item()
        node = trace.add(PAD, node, before=before, after=after, value=fill)
    else:
        for axis, (low, high, size) in enumerate(zip(before, after, source.shape, strict=True)):
            picked = np.pad(np.arange(int(size)), (low, high), how)  # the numbers of the elements along the axis
            node = _picked(trace, node, axis, [int(each) for each in picked])
    order = "F" if source.fake.flags.fnc else "C"
    rank = len(node.shape)
    return result(trace, node, strides_in_order(node.shape, range(rank) if order == "F" else range(rank - 1, -1, -1)))


def _widths(given: Any, rank: int) -> tuple[Ints, Ints]:
    """The numbers of elements before and behind, by axis."""
    if is_whole(given):
        return (given,) * rank, (given,) * rank
    widths = np.broadcast_to(np.asarray(given, object), (rank, 2))
    whole = [[each if is_whole(each) else asked(operator.index, each) for each in pair] for pair in widths.tolist()]
    return tuple(low for low, _ in whole), tuple(high for _, high in whole)


def _picked(trace: Trace, node: Node, axis: int, places: list[int]) -> Node:
    """The elements at known places along an axis, joined from parts that lie one after the other."""
    runs = _runs(places)
    if runs == [(0, 1, node.shape[axis])]:
        return node
    parts = [_run(trace, node, axis, *each) for each in runs]
    return parts[0] if len(parts) == 1 else trace.add(CAT, *parts, axis=axis)


def _runs(places: list[int]) -> list[tuple[int, int, int]]:
    """The places cut in pieces of one step between -1 and 1: where each starts, its step, its length."""
    runs: list[tuple[int, int, int]] = []
    for place in places:
        if runs:
            start, step, length = runs[-1]
            moved = place - (start + step * (length - 1))
            if abs(moved) <= 1 and (length == 1 or moved == step):
                runs[-1] = start, moved, length + 1
                continue
        runs.append((place, 1, 1))
    return runs


def _run(trace: Trace, node: Node, axis: int, start: int, step: int, length: int) -> Node:
    rank = len(node.shape)
    sizes = tuple((length if step else 1) if k == axis else size for k, size in enumerate(node.shape))
    part = trace.add(
        SLICE,
        node,
        starts=tuple(start if k == axis else 0 for k in range(rank)),
        sizes=sizes,
        steps=tuple((step or 1) if k == axis else 1 for k in range(rank)),
    )
    return part if step else expand(trace, part, tuple(length if k == axis else size for k, size in enumerate(sizes)))
