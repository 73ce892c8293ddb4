"""Arrays while tracing: memory (`Storage`), and views of it (`ArrayValue`).

An in-place write replaces the graph value of the storage; every view then reads through to the new value. Nothing in
the graph itself is ever changed.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core import dtypes
from ....core.devices.host_or_device import device_of
from ....core.dtypes import DType
from ....core.records import dataclass
from ....core.sizes import structure
from ....core.types import TensorType
from ....graph.node import Node
from ....guards.arrays import is_writeable, lies_at_multiples
from ....guards.computed_sources import CallSource
from ....guards.guard import Is, Same
from ....guards.sources import Source
from ...breaks import ALIGNMENT, ARRAY_BRANCH, ARRAY_VALUE, DTYPE, OVERLAP, RAISES, ProgramRaised
from ...tracing.complex_numbers import joined
from ...tracing.dynamic_sizes import sized_layout
from ...tracing.inputs import LIFTED
from .. import protocols
from ..base import Value, wraps, wraps_when
from ..constant import Constant
from ..numbers.input_complex import scalar_parts
from .operand import ArrayOperand
from .symbolic_fake import SymbolicFakeArray
from .view_steps import Broadcast, FakeArray, Ints, Reshaped, SliceStep, Step, fake_of

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.inputs import Input
    from ...tracing.trace import Trace
    from ..numbers.input_scalar import InputNumber


@dataclass(eq=False)
class Storage:
    """One piece of memory during a trace.

    node:  the graph value of the whole of it, row-major over `fake.shape`; replaced at each write.
    fake:  shape and strides of the array that owns it.
    input: the plan argument it came in by, if it existed before the call.
    roots: for tensors, who on the tape shares the memory.
    handed_on: it stands for a gradient that a walk back carries; which memory that is in eager mode is not known.
        The custom function whose backward was given it, if it was one.
    views: the traced arrays, other than its owner, that lead to it.   is_read_late: NumPy reads it behind the plan.
    may_be: other memory, with its versions then, that it may be: only the run knows.   merged: which may be this one.
    """

    node: Node
    fake: FakeArray
    input: Input | None = None
    version: int = 0
    reads: dict[Any, Node] = field(default_factory=dict)
    roots: list[Any] = field(default_factory=list)
    handed_on: bool | type = False
    may_be: tuple[tuple[Storage, int], ...] = ()
    merged: list[Storage] = field(default_factory=list)
    views: weakref.WeakSet[ArrayValue] | None = None
    is_read_late: bool = False

    @property
    def known_node(self) -> Node | None:
        """`node`, where that is known without adding to the graph."""
        return self.node

    def check(self) -> None:
        """Errors: `Restart` where its value must not be read any more (see `tensors.branch_merge`)."""

    def refuse(self, what: str) -> None:
        """Errors: `Restart` where only the run knows which memory this is."""


class ArrayValue(ArrayOperand):
    """An ndarray, or with `is_numpy_scalar` a NumPy scalar, that reads `storage` through `path`."""

    __slots__ = ("is_numpy_scalar", "path", "source", "storage", "fake")

    def __init__(
        self,
        storage: Storage,
        path: tuple[Step, ...],
        fake: FakeArray,
        *,
        is_numpy_scalar: bool = False,
        source: Source | None = None,
    ) -> None:
        self.storage = storage
        self.path = path
        self.fake = fake
        self.is_numpy_scalar = is_numpy_scalar
        self.source = source
        if path:
            if storage.views is None:
                storage.views = weakref.WeakSet()
            storage.views.add(self)

    @property
    def python_type(self) -> type:
        return self.fake.dtype.type if self.is_numpy_scalar else np.ndarray

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
        kind = "the number" if self.is_numpy_scalar else "the array"
        return f"{kind} {self.source}" if self.source else f"an intermediate {self.type}"

    # Reading and writing.
    def read(self, trace: Trace) -> Node:
        """The graph value of the array now."""
        if trace.region is not None:
            trace.region.memory.note_read(self.storage)
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
        if self.is_numpy_scalar:
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
    def view(self, step: Step, fake: FakeArray, *, is_numpy_scalar: bool = False) -> ArrayValue:
        """A view of this one by one more step."""
        path = self.path
        if isinstance(step, Reshaped) and path and isinstance(path[-1], Reshaped):
            step, path = Reshaped(path[-1].before, step.after), path[:-1]
        return ArrayValue(self.storage, (*path, step), fake, is_numpy_scalar=is_numpy_scalar)

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
        known = self.outside_number(trace)
        if known is None:
            raise ARRAY_BRANCH.stop(name=self.describe())
        return known.truth(trace)

    def constant(self, trace: Trace) -> Any:
        known = self.outside_number(trace) if self.dtype.is_float or self.dtype is dtypes.int64 else None
        if known is None:
            raise ARRAY_VALUE.stop(wanted="constant")
        number = known.constant(trace)
        return self.fake.dtype.type(number) if self.dtype.is_float else number

    def formatted(self, trace: Trace, spec: Value) -> Value:
        whole = self.index_number(trace)
        if whole is self:
            raise ARRAY_VALUE.stop(wanted="text")
        return whole.formatted(trace, spec)

    def spelled(self, trace: Trace, conversion: Callable[[Any], Any]) -> Value:
        raise ARRAY_VALUE.stop(wanted="text")

    def whole_number(self, trace: Trace) -> Value:
        return self.index_number(trace) if self.dtype is dtypes.int64 else self

    def index_number(self, trace: Trace) -> Value:
        known = self.outside_number(trace) if self.dtype.is_integer else None
        return self if known is None else known

    def outside_number(self, trace: Trace) -> InputNumber | None:
        """The Python number that a NumPy one converts to, where Python computes it from arguments; None elsewhere."""
        return protocols.outside_number(trace, self.read(trace)) if self.is_numpy_scalar else None

    def length(self, trace: Trace) -> int:
        if not self.shape:
            raise (
                RAISES.stop(error="TypeError: len()")
                if self.is_numpy_scalar
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

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        if name != "shape" or not protocols.set_shape(trace, self, value):
            super().set_attribute(trace, name, value)

    def attribute(self, trace: Trace, name: str) -> Value:
        if trace.region is not None and (
            trace.region.memory.owns(self.storage) or name == "copy" and not self.is_numpy_scalar
        ):
            return protocols.region_array_attribute(trace, self, name)
        return protocols.array_attribute(trace, self, name)

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.array(self)


def result(trace: Trace, node: Node, strides: Ints | None = None, *, is_numpy_scalar: bool = False) -> ArrayValue:
    """A new array that owns its memory, holding `node`."""
    fake = fake_of(node.type, strides)
    storage = Storage(node, fake)
    trace.inputs.storages.append(storage)
    return ArrayValue(storage, (), fake, is_numpy_scalar=is_numpy_scalar)


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
    for other in trace.inputs.spans.meeting(entry.example, trace.inputs.entries):
        if other is not entry and other.kind == "array":
            raise OVERLAP.stop(name=entry.source, other=other.source)
    trace.inputs.written.append(entry)


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
    """The traced array over the memory of an array or a tensor, whose dtype may be one that NumPy has no rules for.

    One met before under another name is the same. Errors: a break for one no kernel reads.
    sized: its sizes may be symbolic.
    """
    dtype = dtypes.held(value.dtype)
    if dtype is None or not value.dtype.isnative:
        raise DTYPE.stop(dtype=value.dtype)
    _refuse_other_name(value, dtype)
    if not lies_at_multiples(value):
        label = f"whether the elements of {source} lie at multiples of their size"
        trace.guard(Is, CallSource(lies_at_multiples, label, (source,), is_read=True), expected=False)
        raise ALIGNMENT.stop(name=source)
    known = trace.inputs.arrays.get(id(value))
    if known is not None:
        if trace.deferred is not None:
            trace.deferred.refuse_known(known.storage)
        trace.guard(Same, source, other=known.source)
        return known
    for other in trace.inputs.written_spans.meeting(value, trace.inputs.written):
        raise OVERLAP.stop(name=other.source, other=source)
    type = TensorType(value.shape, dtype, device_of(value))
    type, strides = sized_layout(trace, value, type, source) if sized else (type, None)
    entry = trace.array_input(value, type, source, strides)
    fake = fake_of(type, entry.strides)
    if not is_writeable(value):
        fake.flags.writeable = False
    storage = Storage(entry.node, fake, entry)
    trace.inputs.storages.append(storage)
    trace.inputs.arrays[id(value)] = array = ArrayValue(storage, (), fake, source=source)
    return array


@wraps_when(lambda value: issubclass(type(value), np.generic))
def wrap_numpy_scalar(trace: Trace, value: Any, source: Source) -> Value:
    """The traced value of a NumPy scalar from outside. Errors: a break for a dtype that kernels do not have."""
    dtype = dtypes.in_memory(value.dtype)
    if dtype is None:
        raise DTYPE.stop(dtype=value.dtype)
    _refuse_other_name(value, dtype)
    type = TensorType((), dtype)
    if dtype.is_complex:
        node = joined(trace, *scalar_parts(trace, value, source, np.dtype(value.dtype).type))
    else:
        trace.inputs.scalar_types[source] = value.__class__
        node = trace.scalar_input("numpy_scalar", type, source, value)
    fake = fake_of(type)
    fake.flags.writeable = False
    storage = Storage(node, fake)
    return ArrayValue(storage, (), fake, is_numpy_scalar=True, source=source)
