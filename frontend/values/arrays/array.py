"""Arrays while tracing: memory (`Storage`), and views of it (`ArrayValue`).

An in-place write replaces the graph value of the storage; every view then reads through to the new value. Nothing in
the graph itself is ever changed.
"""

# Note [Twins]
# Each traced array has a twin: a real ndarray of the same dtype, shape and strides over a few bytes, never read.
# Views are taken of the twin by NumPy itself, so shapes, strides, flags and the errors of bad indices are NumPy's own.

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core import dtypes
from ....core.device_arrays import device_of
from ....core.dtypes import DType
from ....core.sizes import Size, is_symbolic, same_sizes, structure
from ....core.strided import strided
from ....core.types import TensorType, contiguous_strides
from ....graph.node import Node
from ....guards.arrays import is_writeable
from ....guards.guard import Same
from ....guards.sources import Source
from ....ops.indexing import SLICE_STORE
from ....ops.movement import EXPAND, PERMUTE, RESHAPE, SLICE
from ...breaks import ARRAY_BRANCH, ARRAY_VALUE, BROADCAST_WRITE, DTYPE, OVERLAP, RAISES, ProgramRaised
from ...tracing.complex_numbers import joined, parts
from ...tracing.dynamic_sizes import sized_layout
from ...tracing.trace import LIFTED
from .. import protocols
from ..base import Value, wraps, wraps_when
from ..constant import Constant
from ..numbers.input_complex import scalar_parts
from .bit_views import Bits
from .operand import ArrayOperand
from .symbolic_fake import GROUND, SymbolicFakeArray

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Input, Trace

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


@dataclass(eq=False)
class Storage:
    """One piece of memory during a trace.

    node:  the graph value of the whole of it, row-major over `fake.shape`; replaced at each write.
    twin:  shape and strides of the array that owns it.
    input: the plan argument it came in by, if it existed before the call.
    roots: for tensors, who on the tape shares the memory.
    handed_on: it stands for a gradient that a walk back carries; which memory that is in eager mode is not known.
    may_be: other memory, with its versions then, that it may be: only the run knows.   merged: which may be this one.
    """

    node: Node
    fake: FakeArray
    input: Input | None = None
    version: int = 0
    reads: dict[Any, Node] = field(default_factory=dict)
    roots: list[Any] = field(default_factory=list)
    handed_on: bool = False
    may_be: tuple[tuple[Storage, int], ...] = ()
    merged: list[Storage] = field(default_factory=list)

    @property
    def known_node(self) -> Node | None:
        """`node`, where that is known without adding to the graph."""
        return self.node

    def check(self) -> None:
        """Errors: `Restart` where its value must not be read any more (see `tensors.merged`)."""

    def refuse(self, what: str) -> None:
        """Errors: `Restart` where only the run knows which memory this is."""


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
        """The same region of what is broadcast; None where it sees an element twice, or that is not known."""
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


Step = SliceStep | Reshaped | Broadcast | PartStep | Bits


def reshape(trace: Trace, node: Node, shape: Ints) -> Node:
    """`node` in another shape; itself when it has it."""
    return node if same_sizes(node.shape, shape) else trace.add(RESHAPE, node, shape=shape)


def expand(trace: Trace, node: Node, shape: Ints) -> Node:
    """`node` broadcast to `shape`; itself when it has it."""
    return node if same_sizes(node.shape, shape) else trace.add(EXPAND, node, shape=shape)


class ArrayValue(ArrayOperand):
    """An ndarray, or with `generic` a NumPy scalar, that reads `storage` through `path`."""

    __slots__ = ("generic", "path", "source", "storage", "fake")

    def __init__(
        self,
        storage: Storage,
        path: tuple[Step, ...],
        fake: FakeArray,
        *,
        generic: bool = False,
        source: Source | None = None,
    ) -> None:
        self.storage = storage
        self.path = path
        self.fake = fake
        self.generic = generic
        self.source = source

    @property
    def python_type(self) -> type:
        return self.fake.dtype.type if self.generic else np.ndarray

    @property
    def shape(self) -> Ints:
        return self.fake.shape

    @property
    def dtype(self) -> dtypes.DType:
        found = dtypes.held(self.fake.dtype)
        assert found is not None
        return found

    @property
    def type(self) -> TensorType:
        return TensorType(self.shape, self.dtype, self.storage.node.type.device)

    def describe(self) -> str:
        kind = "the number" if self.generic else "the array"
        return f"{kind} {self.source}" if self.source else f"an intermediate {self.type}"

    # Reading and writing.
    def read(self, trace: Trace) -> Node:
        """The graph value of the array now."""
        if trace.region is not None:
            trace.region.note_read(self.storage)
        key = (self.storage.version, self.path)
        if isinstance(self.fake, SymbolicFakeArray) or isinstance(self.storage.fake, SymbolicFakeArray):
            key = structure(key)
        if key not in self.storage.reads:
            node = self.storage.node
            for step in self.path:
                node = step.read(trace, node)
            self.storage.reads[key] = node
        return self.storage.reads[key]

    def write(self, trace: Trace, value: Node) -> None:
        """Replace the array's elements by `value`, of the same type."""
        storage = self.storage
        if self.generic:
            raise self.unsupported("a write")
        if trace.region is not None:
            raise self.unsupported("a write by other code than stores")  # it would happen once, before the region
        if not self.fake.flags.writeable:
            raise RAISES.stop(error="ValueError: the array is read-only")
        bases = [storage.node] if self.path else []
        for step in self.path[:-1]:
            bases.append(step.read(trace, bases[-1]))
        for step, base in zip(reversed(self.path), reversed(bases), strict=True):
            value = step.write(trace, base, value)
        if storage.input is not None:
            note_write(trace, storage)
        storage.node = value
        storage.version += 1
        storage.reads.clear()

    # Views.
    def view(self, step: Step, fake: FakeArray, *, generic: bool = False) -> ArrayValue:
        """A view of this one by one more step."""
        path = self.path
        if isinstance(step, Reshaped) and path and isinstance(path[-1], Reshaped):
            step, path = Reshaped(path[-1].before, step.after), path[:-1]
        return ArrayValue(self.storage, (*path, step), fake, generic=generic)

    def subview(self, region: SliceStep, fake: FakeArray) -> ArrayValue:
        """A view whose last step, which must be a region, is replaced by a narrower one."""
        path = self.path[:-1] if self.path and isinstance(self.path[-1], SliceStep) else self.path
        below = path[-1].below(region) if path and isinstance(path[-1], Broadcast) else None
        if below is not None:
            path, region = path[:-1], below
        return ArrayValue(self.storage, (*path, region), fake)

    def region(self) -> SliceStep:
        """The region this array shows of what lies below its last step."""
        if self.path and isinstance(self.path[-1], SliceStep):
            return self.path[-1]
        return SliceStep.whole(self.shape)

    # Python's protocols.
    def truth(self, trace: Trace) -> bool:
        raise ARRAY_BRANCH.stop(name=self.describe())

    def constant(self, trace: Trace) -> Any:
        raise ARRAY_VALUE.stop(wanted="constant")

    def length(self, trace: Trace) -> int:
        if not self.shape:
            raise (
                RAISES.stop(error="TypeError: len()")
                if self.generic
                else ProgramRaised(TypeError("len() of unsized object"))
            )
        return self.shape[0]

    def elements(self, trace: Trace) -> list[Value]:
        return [protocols.get_array_item(trace, self, Constant(index)) for index in range(self.length(trace))]

    def iterate(self, trace: Trace) -> Iterator[Value]:
        length = self.length(trace)

        def items() -> Iterator[Value]:
            # A number is read when the loop comes to it: the body may have written it. No size is relied on before.
            for index in range(length):
                yield self.item(trace, Constant(index))

        return items()

    def item(self, trace: Trace, key: Value) -> Value:
        return protocols.get_array_item(trace, self, key)

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        protocols.set_array_item(trace, self, key, value)

    def attribute(self, trace: Trace, name: str) -> Value:
        if trace.region is not None and (trace.region.owns(self.storage) or name == "copy" and not self.generic):
            return protocols.region_array_attribute(trace, self, name)
        return protocols.array_attribute(trace, self, name)

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.array(self)


def result(trace: Trace, node: Node, strides: Ints | None = None, *, generic: bool = False) -> ArrayValue:
    """A new array that owns its memory, holding `node`."""
    fake = fake_of(node.type, strides)
    storage = Storage(node, fake)
    trace.storages.append(storage)
    return ArrayValue(storage, (), fake, generic=generic)


def note_write(trace: Trace, storage: Storage) -> None:
    """Make sure the input's memory may be written: it overlaps no other array the trace has seen."""
    entry = storage.input
    assert entry is not None
    if entry.writeable:
        return
    entry.writeable = True
    if storage.roots:
        protocols.check_unobserved(trace, entry.source)
    if _spans_itself(storage.fake):
        raise OVERLAP.stop(name=entry.source, other="itself")
    if entry.kind == LIFTED:
        return  # the plan itself sees to it that no argument shares this memory
    for other in trace.input_spans.meeting(entry.example, trace.inputs):
        if other is not entry and other.kind == "array":
            raise OVERLAP.stop(name=entry.source, other=other.source)
    trace.written_arrays.append(entry)


def _spans_itself(array: FakeArray) -> bool:
    """Whether two indices of the array may name one element."""
    if not array.size:
        return False
    steps = sorted((abs(step), size) for step, size in zip(array.strides, array.shape, strict=True) if size > 1)
    reach = array.itemsize
    for step, size in steps:
        if step < reach:
            return True
        reach += step * (size - 1)
    return False


@wraps(np.ndarray)
def wrap_array(trace: Trace, value: Any, source: Source) -> Value:
    """The traced array; one met before under another name is the same. Errors: a break for one no kernel reads."""
    if dtypes.in_memory(value.dtype) is None:
        raise DTYPE.stop(dtype=value.dtype)
    return wrap_memory(trace, value, source)


def _refuse_other_name(value: Any, dtype: DType) -> None:
    """Errors: a break for a C type as long as the dtype's own: NumPy calls them equal, but results keep it."""
    if value.dtype.num != dtype.numpy.num:
        raise DTYPE.stop(dtype=f"{value.dtype} that is np.{value.dtype.type.__name__}")


def wrap_memory(trace: Trace, value: Any, source: Source, *, sized: bool = True) -> ArrayValue:
    """The same for the elements of a tensor, whose dtype may be one that NumPy has no rules for.

    sized: its sizes may be symbolic.
    """
    dtype = dtypes.held(value.dtype)
    if dtype is None or not value.dtype.isnative:
        raise DTYPE.stop(dtype=value.dtype)
    _refuse_other_name(value, dtype)
    if not value.flags.aligned or any(step % value.itemsize for step in value.strides):
        raise DTYPE.stop(dtype=f"{value.dtype}, not aligned")
    known = trace.arrays.get(id(value))
    if known is not None:
        if trace.deferred is not None:
            trace.deferred.refuse_known(known.storage)
        trace.guard(Same, source, other=known.source)
        return known
    for other in trace.written_spans.meeting(value, trace.written_arrays):
        raise OVERLAP.stop(name=other.source, other=source)
    type = TensorType(value.shape, dtype, device_of(value))
    type, strides = sized_layout(trace, value, type, source) if sized else (type, None)
    entry = trace.array_input(value, type, source, strides)
    fake = fake_of(type, entry.strides)
    if not is_writeable(value):
        fake.flags.writeable = False
    storage = Storage(entry.node, fake, entry)
    trace.storages.append(storage)
    trace.arrays[id(value)] = array = ArrayValue(storage, (), fake, source=source)
    return array


@wraps_when(lambda value: issubclass(type(value), np.generic))
def wrap_numpy_scalar(trace: Trace, value: Any, source: Source) -> Value:
    dtype = dtypes.in_memory(value.dtype)
    if dtype is None:
        raise DTYPE.stop(dtype=value.dtype)
    _refuse_other_name(value, dtype)
    type = TensorType((), dtype)
    if dtype.is_complex:
        node = joined(trace, *scalar_parts(trace, value, source, np.dtype(value.dtype).type))
    else:
        node = trace.scalar_input("numpy_scalar", type, source, value)
    fake = fake_of(type)
    fake.flags.writeable = False
    storage = Storage(node, fake)
    return ArrayValue(storage, (), fake, generic=True, source=source)


__all__ = [
    "ArrayValue",
    "Broadcast",
    "SliceStep",
    "Reshaped",
    "Storage",
    "expand",
    "reshape",
    "result",
    "fake_of",
    "wrap_array",
    "wrap_memory",
]
