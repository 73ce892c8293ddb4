"""Views of memory as steps: what is taken of the memory, one step after the other."""

# Note [Fake arrays]
# Each traced array has a fake one: a real ndarray of the same dtype, shape and strides over a few bytes, never read.
# Views are taken of the fake array by NumPy itself: shapes, strides, flags and the errors of bad indices are NumPy's.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ....core.records import dataclass
from ....core.sizes import Size, is_symbolic, same_sizes, structure
from ....core.strided import strided
from ....core.types import TensorType, contiguous_strides
from ....graph.aot.emitter import GraphEmitter
from ....graph.node import Node
from ....ops.indexing import SLICE_STORE
from ....ops.movement import EXPAND, PERMUTE, RESHAPE, SLICE
from ....ops.registry import Composite, OpDef
from ...breaks import BROADCAST_WRITE
from ...tracing.complex_numbers import joined, parts
from .bit_views import Bits
from .symbolic_fake import GROUND, SymbolicFakeArray

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from .array import ArrayValue


FakeArray = np.ndarray[Any, Any]


Ints = tuple[int, ...]


def fake_of(type: TensorType, strides: Ints | None = None) -> FakeArray:
    """An array of this type and these strides (in elements; row-major by default) whose elements are never touched."""
    itemsize = type.dtype.itemsize
    steps = contiguous_strides(type.shape) if strides is None else strides
    if is_symbolic((*type.shape, *steps)):
        return SymbolicFakeArray(type.dtype.numpy, type.shape, tuple(step * itemsize for step in steps))  # type: ignore[return-value]
    ground = GROUND[:itemsize].view(type.dtype.numpy)
    return strided(ground, type.shape, tuple(step * itemsize for step in steps))


@dataclass(frozen=True)
class SliceStep:
    """A view step by slicing and transposition. `dims[k]` is the base axis of view axis k, or -1 for a new one."""

    starts: Ints
    sizes: Ints
    steps: Ints
    dims: Ints

    def shape(self) -> Ints:
        return tuple(1 if dim < 0 else self.sizes[dim] for dim in self.dims)

    def read(self, trace: Trace, node: Node) -> Node:
        """The graph value of the region of `node`."""
        if not self._is_whole(node.shape):
            node = trace.add(SLICE, node, starts=self.starts, sizes=self.sizes, steps=self.steps)
        kept, order = self._order()
        node = reshape(trace, node, tuple(self.sizes[dim] for dim in kept))
        if order != tuple(range(len(order))):
            node = trace.add(PERMUTE, node, axes=order)
        return reshape(trace, node, self.shape())

    def write(self, trace: Trace, node: Node, value: Node) -> Node:
        """`node` with its region replaced by `value`."""
        kept, order = self._order()
        value = reshape(trace, value, tuple(self.sizes[dim] for dim in self.dims if dim >= 0))
        if order != tuple(range(len(order))):
            value = trace.add(PERMUTE, value, axes=tuple(order.index(axis) for axis in range(len(order))))
        value = reshape(trace, value, self.sizes)
        if self._is_whole(node.shape):
            return value
        return trace.add(SLICE_STORE, node, value, starts=self.starts, sizes=self.sizes, steps=self.steps)

    def _is_whole(self, shape: Ints) -> bool:
        """Whether it is all of a base of this shape in any case: a bound that is so by chance is not relied on."""
        if any(isinstance(start, Size) or start != 0 for start in self.starts) or any(s != 1 for s in self.steps):
            return False
        return structure(self.sizes) == structure(shape)

    def _order(self) -> tuple[Ints, Ints]:
        """The base axes kept, ascending, and where each view axis (new ones left out) lies among them."""
        used = [dim for dim in self.dims if dim >= 0]
        kept = tuple(sorted(used))
        return kept, tuple(kept.index(dim) for dim in used)

    @staticmethod
    def whole(shape: Ints) -> SliceStep:
        return SliceStep((0,) * len(shape), shape, (1,) * len(shape), tuple(range(len(shape))))


@dataclass(frozen=True)
class Reshaped:
    """A view step by reshape: the same elements in row-major order."""

    before: Ints
    after: Ints

    def read(self, trace: Trace, node: Node) -> Node:
        return reshape(trace, node, self.after)

    def write(self, trace: Trace, node: Node, value: Node) -> Node:
        return reshape(trace, value, self.before)


@dataclass(frozen=True)
class Broadcast:
    """A view step that only reads, by broadcasting.

    text:   how to make such a view outside the trace.
    before: of one that may be written where no element is seen twice, the shape of what it shows.
    """

    has_address: ClassVar[bool] = True
    """Whether the place of its elements in memory is known when the plan is made."""
    after: Ints
    text: Callable[[EntryWriter], str] | None = field(default=None, compare=False)
    before: Ints | None = field(default=None, kw_only=True)

    def read(self, trace: Trace, node: Node) -> Node:
        return expand(trace, node, self.after)

    def write(self, trace: Trace, node: Node, value: Node) -> Node:
        if self.below(SliceStep.whole(self.after)) is not None:
            return reshape(trace, value, node.shape)
        raise BROADCAST_WRITE.stop(name="a view by broadcasting or of a diagonal")

    def below(self, region: SliceStep) -> SliceStep | None:
        """`region` as a region of the broadcast array; None where it sees an element twice, or that is not known."""
        if self.before is None:
            return None
        new = len(self.after) - len(self.before)
        shape = (*(1 for _ in range(new)), *self.before)
        starts, steps = list(region.starts), list(region.steps)
        for axis, size in enumerate(shape):
            if axis >= new and structure(size) == structure(self.after[axis]):
                continue
            if not all(type(each) is int and each == 1 for each in (size, region.sizes[axis])):
                return None
            starts[axis], steps[axis] = 0, 1
        dims = tuple(dim - new if dim >= new else -1 for dim in region.dims)
        return SliceStep(tuple(starts[new:]), region.sizes[new:], tuple(steps[new:]), dims)


@dataclass(frozen=True)
class PartStep:
    """A view step from complex numbers, the array `below`, to their `real` or `imag` parts."""

    name: str
    below: ArrayValue

    def read(self, trace: Trace, node: Node) -> Node:
        return parts(trace, node)[self.name == "imag"]

    def write(self, trace: Trace, node: Node, value: Node) -> Node:
        real, imag = parts(trace, node)
        return joined(trace, real, value) if self.name == "imag" else joined(trace, value, imag)


@dataclass(frozen=True)
class RetypedStep:
    """A view step of tensors by an op with `put_back`: to the parts of complex numbers, or to pairs of floats as such.

    It is an operation of its own in the graph, whatever it shows: gradients for the view are not those of the parts
    that a complex tensor was made of.
    """

    op: OpDef

    def read(self, trace: Trace, node: Node) -> Node:
        return trace.add(self.op, node)

    def write(self, trace: Trace, node: Node, value: Node) -> Node:
        lower = self.op.lower
        assert isinstance(lower, Composite) and lower.put_back is not None
        emitter = GraphEmitter(trace.builder, trace.progress.location)
        written: Node = lower.put_back(emitter, node, value)
        return written


Step = SliceStep | Reshaped | Broadcast | PartStep | RetypedStep | Bits


def reshape(trace: Trace, node: Node, shape: Ints) -> Node:
    """`node` in another shape; itself when it has it."""
    return node if same_sizes(node.shape, shape) else trace.add(RESHAPE, node, shape=shape)


def expand(trace: Trace, node: Node, shape: Ints) -> Node:
    """`node` broadcast to `shape`; itself when it has it."""
    return node if same_sizes(node.shape, shape) else trace.add(EXPAND, node, shape=shape)
