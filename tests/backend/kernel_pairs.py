"""Graphs in which each way of making a value meets each way of using one, by name, and arguments for them.

A producer makes a matrix, a consumer uses it. A consumer that gives a matrix again is a producer to the next, so chains
of any length are made of the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from backend.graph_cases import Array, Program

from guardlift.core import dtypes
from guardlift.core.dtypes import DType
from guardlift.core.types import contiguous_strides
from guardlift.graph.node import Graph, Node, Write
from guardlift.graph.passes.expand import expand_composites
from guardlift.graph.verifier import verify
from guardlift.loop_ir.encoding import encode
from guardlift.loop_ir.ir import Access, Count, Kernel, Let, Literal, Load, Store

Shape = tuple[int, ...]
FLOATS = [0.0, -0.0, 1.0, 1.0, -1.0, 2.0, -2.0]
"""Sums and products of a few of these are exact in any order."""
SPECIAL = [*FLOATS, np.inf, -np.inf, np.nan]


@dataclass
class Case:
    """A graph under construction, over matrices of `shape` and `dtype`."""

    shape: Shape
    dtype: DType
    program: Program = field(default_factory=Program)
    below: dict[Node, int] = field(default_factory=dict)
    """The bound below which an input of indices lies."""
    writes: list[Write] = field(default_factory=list)

    def input(self, *shape: int, dtype: DType | None = None) -> Node:
        return self.program.input(shape, dtype or self.dtype)

    def matrix(self) -> Node:
        return self.input(*self.shape)

    def index(self, *shape: int, below: int) -> Node:
        node = self.input(*shape, dtype=dtypes.int64)
        self.below[node] = below
        return node

    def zeros(self, *shape: int) -> Node:
        return self.program.full(value=False if self.dtype.is_bool else 0, shape=shape, dtype=self.dtype)

    def pad(self, y: Node, low: Shape, high: Shape) -> Node:
        shape = tuple(a + n + b for a, n, b in zip(low, y.shape, high, strict=True))
        return self.program.slice_store(self.zeros(*shape), y, starts=low, sizes=y.shape, steps=(1,) * len(shape))

    def part(self, y: Node, starts: Shape, sizes: Shape, steps: Shape) -> Node:
        return self.program.slice(y, starts=starts, sizes=sizes, steps=steps)

    def combined(self, a: Node, b: Node) -> Node:
        return self.program.bitwise_xor(a, b) if self.dtype.is_bool else self.program.add(a, b)


Producer = Callable[[Case], Node]
Mover = Callable[[Case, Node], Node]
Consumer = Callable[[Case, Node], Sequence[Node]]


def _reversed(c: Case, y: Node) -> Node:
    if 0 in y.shape:
        return y
    return c.part(y, tuple(size - 1 for size in y.shape), y.shape, (-1,) * len(y.shape))


def _whole_numbers(c: Case) -> bool:
    return not c.dtype.is_bool


def _cumulated(c: Case, y: Node, axis: int) -> Node:
    return c.program.cumsum(y, axis=axis) if _whole_numbers(c) else c.program.bitwise_xor(y, _reversed(c, y))


def _product(c: Case, y: Node) -> Node:
    """A matrix product; of bools, which have none, the like of it."""
    turned = c.program.permute(y, axes=(1, 0))
    if c.dtype.is_bool:
        return c.combined(y, y)
    return c.program.matmul(c.program.matmul(y, turned), c.matrix())


def _scattered(c: Case, base: Node, values: Node) -> Node:
    if c.dtype.is_bool or not base.type.size:
        return c.combined(base, values)
    return c.program.scatter_add(base, c.index(values.shape[0], below=base.shape[0]), values, axis=0)


def _by_column(c: Case, y: Node) -> Node:
    return c.program.gather(y, c.index(*y.shape, below=y.shape[1]), axis=1) if y.type.size else y


def _by_row(c: Case, y: Node) -> Node:
    """Not of an array without elements: that its indices are in range is checked by plain NumPy."""
    return c.program.take(y, c.index(y.shape[0], below=y.shape[0]), axis=0) if y.type.size else y


def _stored(c: Case, y: Node) -> Node:
    """The left column is that of another matrix."""
    rows, columns = y.shape
    left = c.part(c.matrix(), (0, 0), (rows, min(columns, 1)), (1, 1))
    return c.program.slice_store(y, left, starts=(0, 0), sizes=left.shape, steps=(1, 1))


def _joined(c: Case, y: Node) -> Node:
    """The upper rows of one matrix and the lower ones of another."""
    half = y.shape[0] // 2
    upper = c.part(c.matrix(), (0, 0), (half, y.shape[1]), (1, 1))
    lower = c.part(y, (half if y.shape[0] - half else 0, 0), (y.shape[0] - half, y.shape[1]), (1, 1))
    return c.program.cat(upper, lower, axis=0)


def _padded(c: Case, y: Node) -> Node:
    """One more row and column of zeros, of which as many are cut off on the other side."""
    return c.part(c.pad(y, (1, 0), (0, 1)), (0, 1) if y.shape[1] else (0, 0), y.shape, (1, 1))


def _where_it_is(c: Case, y: Node, axis: int) -> Node:
    """For each element, where the extreme of its row or column is, as a number of the dtype."""
    if not y.shape[axis]:
        return y
    place = c.program.argmax(y, axes=(axis,))
    kept = tuple(1 if k == axis else size for k, size in enumerate(y.shape))
    wide = c.program.expand(c.program.reshape(place, shape=kept), shape=y.shape)
    return c.program.cast(wide, dtype=c.dtype) if c.dtype is not dtypes.int64 else wide


def _less_its_extreme(c: Case, y: Node) -> Node:
    if not y.shape[1]:
        return y
    most = c.program.reshape(c.program.max(y, axes=(1,)), shape=(y.shape[0], 1))
    return c.combined(c.program.expand(most, shape=y.shape), y)


def _with_sign(c: Case, y: Node) -> Node:
    """The signs of another matrix, put there as bits; of bools, where two differ, found as bytes."""
    bits, other = (c.program.bitcast(each, dtype=_UNSIGNED[c.dtype.itemsize]) for each in (y, c.matrix()))
    if c.dtype.is_bool:
        return c.program.bitcast(c.program.bitwise_xor(bits, other), dtype=c.dtype)
    top = 1 << (8 * c.dtype.itemsize - 1)
    sign, rest = (c.program.full(value=each, shape=y.shape, dtype=bits.type.dtype) for each in (top, top - 1))
    joint = c.program.bitwise_or(c.program.bitwise_and(bits, rest), c.program.bitwise_and(other, sign))
    return c.program.bitcast(joint, dtype=c.dtype)


def _called_out(c: Case, y: Node) -> Node:
    """The rows in another order, which NumPy gives."""
    strides = contiguous_strides(y.shape)
    form = ("array", c.dtype, y.shape, strides)
    call = c.program.call_out(
        y, function="numpy.roll", module="__main__", arguments=(("array", 0, strides), ("constant", 1)),
        keywords=(("axis", ("constant", 0)),), results=form,
    )  # fmt: skip
    return c.program.call_result(call, index=0, shape=y.shape, dtype=c.dtype)


def _in_a_region(c: Case, y: Node) -> Node:
    """Another matrix, whose first column has become that of this one, element by element."""
    if 0 in y.shape:
        return y
    sizes = (("shape", 0, 0), ("stride", 0, 0), ("stride", 0, 1), ("stride", 1, 0), ("stride", 1, 1))
    body = (
        Let("first", dtypes.int64, Literal(0)),
        Count("i0", 0, "s0", 1, (
            Let("t0", c.dtype, Load(Access(0, (("i0", "s1"), ("first", "s2"))))),
            Store(Access(1, (("i0", "s3"), ("first", "s4"))), "t0", c.dtype),
        )),
    )  # fmt: skip
    kernel = Kernel((c.dtype, c.dtype), len(sizes), body)
    region = c.program.region(
        y, c.matrix(), program=encode(kernel), sizes=sizes, written=(1,), results=(), leaves=False
    )
    return c.program.region_result(region, index=0, shape=y.shape, dtype=c.dtype)


_UNSIGNED = {1: dtypes.uint8, 2: dtypes.uint16, 4: dtypes.uint32, 8: dtypes.uint64}

MOVERS: dict[str, Mover] = {
    "bits": _with_sign,
    "row by index": _by_row,
    "column by index": _by_column,
    "scatter": lambda c, y: _scattered(c, c.matrix(), y),
    "cat": _joined,
    "pad": _padded,
    "in-place write": _stored,
    "in-place value": lambda c, y: _stored(c, c.combined(y, c.matrix())),
    "transposed": lambda c, y: c.program.permute(
        c.program.reshape(c.program.permute(y, axes=(1, 0)), shape=y.shape[::-1]), axes=(1, 0)
    ),
    "reshaped": lambda c, y: c.program.reshape(
        c.program.reshape(c.program.permute(y, axes=(1, 0)), shape=(y.type.size,)), shape=y.shape
    ),
    "reversed": _reversed,
    "arithmetic": lambda c, y: c.combined(y, c.matrix()),
    "choice": lambda c, y: c.program.where(c.program.less(y, c.matrix()), y, c.matrix()),
    "reduction": _less_its_extreme,
    "scan": lambda c, y: _cumulated(c, y, 1),
    "scan of columns": lambda c, y: _cumulated(c, y, 0),
    "place in a row": lambda c, y: _where_it_is(c, y, 1),
    "place in a column": lambda c, y: _where_it_is(c, y, 0),
    "product": _product,
    "call-out": _called_out,
    "region": _in_a_region,
}
"""A matrix into a matrix of the same type."""


def _strided(c: Case) -> Node:
    rows, columns = c.shape
    return c.part(c.input(2 * rows, 3 * columns + 1), (0, 1), c.shape, (2, 3))


def _expanded(c: Case) -> Node:
    return c.program.expand(c.combined(c.input(1, c.shape[1]), c.input(1, c.shape[1])), shape=c.shape)


def _reduced(c: Case) -> Node:
    return c.program.max(c.input(3, *c.shape), axes=(0,))


PRODUCERS: dict[str, Producer] = {
    "memory": Case.matrix,
    "strided memory": _strided,
    "expanded": _expanded,
    "fold": _reduced,
    "fold of many": lambda c: c.program.max(c.input(*c.shape, 5), axes=(2,)),
    **{name: lambda c, mover=mover: mover(c, c.matrix()) for name, mover in MOVERS.items()},
}


def _fold_consumer(name: str, axes: Shape) -> Consumer:
    def use(c: Case, y: Node) -> Sequence[Node]:
        empty = any(y.shape[axis] == 0 for axis in axes)
        if name in ("argmax", "argmin", "max", "min") and empty or (name in ("sum", "prod") and c.dtype.is_bool):
            return [y]
        value = c.program.cast(y, dtype=dtypes.bool_) if name in ("any", "all") and not c.dtype.is_bool else y
        return [getattr(c.program, name)(value, axes=axes)]

    return use


def _written(c: Case, y: Node) -> Sequence[Node]:
    """Back into memory that it may have been made of."""
    target = next((node for node in c.program.builder.inputs if node.type == y.type), None) or c.matrix()
    c.writes.append(Write(target, y))
    return [c.combined(target, y)]


def _picked_twice(c: Case, y: Node) -> Sequence[Node]:
    return [_by_row(c, _by_column(c, y)), y]


CONSUMERS: dict[str, Consumer] = {
    **{name: lambda c, y, mover=mover: [mover(c, y)] for name, mover in MOVERS.items()},
    **{
        f"{name} {axes}": _fold_consumer(name, axes)
        for name in ("argmax", "argmin")
        for axes in ((0,), (1,))
    },
    **{
        f"{name} {axes}": _fold_consumer(name, axes)
        for name in ("sum", "prod", "max", "min", "any", "all")
        for axes in ((0,), (1,), (0, 1))
    },
    "result": lambda c, y: [y],
    "written back": _written,
    "several places": lambda c, y: [
        *(made for name in ("argmax", "argmin", "max") for made in _fold_consumer(name, (1,))(c, y)), y
    ],
    "picked twice": _picked_twice,
}  # fmt: skip


def graph_of(case: Case, producer: str, consumer: str, *movers: str) -> Graph:
    """The verified graph in which `consumer` uses what `producer`, and then each of `movers`, has made."""
    value = PRODUCERS[producer](case)
    for mover in movers:
        value = MOVERS[mover](case, value)
    outputs = CONSUMERS[consumer](case, value)
    graph = expand_composites(case.program.builder.finish(outputs, case.writes))
    verify(graph)
    return graph


def arguments(case: Case, graph: Graph, rng: np.random.Generator, special: bool = True) -> list[Array]:
    """Arrays for the graph's inputs: ties, zeros of both signs and, with `special`, infinities and NaNs."""
    found = []
    for node, original in zip(graph.inputs, case.program.builder.inputs, strict=True):
        dtype: Any = node.type.dtype.numpy
        if original in case.below:
            size = case.below[original]
            found.append(rng.integers(-size, size, node.shape))
        elif node.type.dtype.is_float:
            found.append(rng.choice(SPECIAL if special else FLOATS, node.shape).astype(dtype))
        else:
            found.append(rng.integers(0, 2 if node.type.dtype.is_bool else 5, node.shape).astype(dtype))
    return found
