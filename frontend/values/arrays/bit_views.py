"""Views of memory as elements of another dtype: `array.view(dtype)`, `tensor.view(dtype)`."""

# Note [Views of another dtype]
# Such a view is one more step on the way from a storage to what an array shows, read and written by bit casts; so what
# is written under one dtype is read under the other. Where the sizes of elements differ, the last axis is taken apart,
# or put together, by shifts of unsigned integers: the first part in memory is the lowest.
# Kernels hold a bool as one bit. A byte that is neither 0 nor 1 is True to NumPy too, and only stays what it is where
# NumPy copies it. So nothing is written by way of a view from or to bools; a bool that was made of a byte is not copied
# and not seen as a byte again before something has computed with it. Where bools from outside are seen as bytes, a
# guard looks at each of these.

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core import dtypes
from ....core.dtypes import DType
from ....core.records import dataclass
from ....graph.node import Node
from ....guards.arrays import BoolBytes, are_0_and_1
from ....ops.bitcasts import BITCAST
from ....ops.creation import FULL
from ....ops.indexing import CAT
from ....ops.movement import RESHAPE, SLICE
from ....ops.pointwise import BITWISE_AND, BITWISE_OR, BITWISE_XOR, CAST, LEFT_SHIFT, RIGHT_SHIFT
from ....ops.registry import PLACEHOLDER, Creation, Movement, Pointwise, Reduction
from ...breaks import BROADCAST_WRITE, NUMPY_ARGUMENT, OTHER_BYTES
from ...tracing.complex_numbers import joined, parts
from ...tracing.restarts import StaticSizes
from ...tracing.rules import asked
from .symbolic_fake import SymbolicFakeArray

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from .array import ArrayValue

_UNSIGNED = {each.itemsize: each for each in (dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64)}


@dataclass(frozen=True)
class Bits:
    """A view step from the array `below`, of dtype `before`, to the same bytes as elements of dtype `after`."""

    before: DType
    after: DType
    below: ArrayValue = field(compare=False, repr=False)

    @property
    def keeps_sizes(self) -> bool:
        """Whether elements are as large as before."""
        return self.before.itemsize == self.after.itemsize

    def read(self, trace: Trace, node: Node) -> Node:
        """The graph value of the view of `node`."""
        return bits_as(trace, node, self.after)

    def write(self, trace: Trace, node: Node, value: Node) -> Node:
        """`node` with the bytes of `value`."""
        if self.before.is_bool or self.after.is_bool:
            raise BROADCAST_WRITE.stop(name=f"a view of {self.before} as {self.after}")
        return bits_as(trace, value, self.before)


def seen_as(array: ArrayValue, dtype: DType) -> ArrayValue:
    """The bytes of an array as elements of another dtype. Errors: a break where NumPy raises."""
    if dtype.itemsize != array.dtype.itemsize:
        _check_sizes(array, dtype)
    fake = asked(array.fake.view, dtype.numpy)
    step = Bits(array.dtype, dtype, array)
    if array.path and isinstance(array.path[-1], Bits) and array.path[-1].before is dtype and step.keeps_sizes:
        below = array.path[-1].below  # there and back again
        path = below.path or (Bits(dtype, dtype, below),)  # without a step it would be the array itself
        return type(array)(below.storage, path, fake)
    return array.view(step, fake)


def shows_bits(array: ArrayValue) -> bool:
    """Whether it is a view of memory as another dtype."""
    return not array.is_numpy_scalar and any(isinstance(step, Bits) for step in array.path)


def _check_sizes(array: ArrayValue, dtype: DType) -> None:
    """Errors: `StaticSizes`, or a break, where elements of another size have no rule."""
    if isinstance(array.fake, SymbolicFakeArray):
        raise StaticSizes(f"a view of {array.dtype} as {dtype} has no form with symbolic ones")
    if array.dtype.is_bool or dtype.is_bool or sys.byteorder != "little":
        raise NUMPY_ARGUMENT.stop(name="the method view", argument=f"{dtype}, of {array.dtype}")


def bits_as(trace: Trace, node: Node, dtype: DType) -> Node:
    """The bytes of a node as elements of another dtype, along the last axis where their sizes differ."""
    own = node.type.dtype
    if own is dtype:
        return node
    if own.is_complex:
        return bits_as(trace, _interleaved(trace, parts(trace, node)), dtype)
    if dtype.is_complex:
        found = bits_as(trace, node, dtypes.PART[dtype])
        return joined(trace, _every(trace, found, 0, 2), _every(trace, found, 1, 2))
    if own.itemsize == dtype.itemsize:
        _note_bytes(trace, node, dtype)
        return trace.add(BITCAST, node, dtype=dtype)
    whole, part = (bits_as(trace, node, _UNSIGNED[own.itemsize]), _UNSIGNED[dtype.itemsize])
    if own.itemsize > dtype.itemsize:
        return bits_as(trace, _taken_apart(trace, whole, part), dtype)
    return bits_as(trace, _put_together(trace, whole, part), dtype)


def _interleaved(trace: Trace, nodes: Iterable[Node]) -> Node:
    """The elements of several nodes of one type by turns, along the last axis; of numbers, an axis of them."""
    given = list(nodes)
    shape = given[0].shape
    columns = [trace.add(RESHAPE, each, shape=(*shape, 1)) for each in given]
    joint = trace.add(CAT, *columns, axis=len(shape))
    return trace.add(RESHAPE, joint, shape=(*shape[:-1], shape[-1] * len(given)))


def _every(trace: Trace, node: Node, start: int, step: int) -> Node:
    """Every so many elements along the last axis."""
    *lead, size = node.shape
    starts = (*(0 for _ in lead), start if size else 0)
    return trace.add(SLICE, node, starts=starts, sizes=(*lead, size // step), steps=(*(1 for _ in lead), step))


def _shifted(trace: Trace, op: Any, node: Node, bits: int) -> Node:
    dtype = node.type.dtype
    return trace.add(op, node, trace.add(FULL, value=bits, shape=node.shape, dtype=dtype)) if bits else node


def _taken_apart(trace: Trace, node: Node, part: DType) -> Node:
    """Unsigned integers as several smaller ones each."""
    count = node.type.dtype.itemsize // part.itemsize
    shifted = (_shifted(trace, RIGHT_SHIFT, node, 8 * part.itemsize * place) for place in range(count))
    return _interleaved(trace, (trace.add(CAST, each, dtype=part) for each in shifted))


def _put_together(trace: Trace, node: Node, whole: DType) -> Node:
    """Several neighbours along the last axis as one larger unsigned integer each."""
    count = whole.itemsize // node.type.dtype.itemsize
    wide = trace.add(CAST, node, dtype=whole)
    pieces = (
        _shifted(trace, LEFT_SHIFT, _every(trace, wide, place, count), 8 * node.type.dtype.itemsize * place)
        for place in range(count)
    )
    return functools.reduce(lambda one, other: trace.add(BITWISE_OR, one, other), pieces)


# -- bools ------------------------------------------------------------------------------------------------------------
_PASSED_ON = frozenset(
    {"alias", "cat", "gather", "join", "pad", "segment", "slice_store", "take", "to_device", "where"}
)
"""The ops, besides movements, of which a bool that they give is one that they are given."""
_FAR = 8
"""The number of operations back that are asked whether an integer is 0 or 1."""


def refuse_other_bytes(trace: Trace, nodes: Iterable[Node]) -> None:
    """Errors: a break where bools that the call made of bytes are to lie in memory, and may not be 0 and 1 there.

    Bools that come from outside are copied as 0 and 1, whatever their bytes are.
    """
    if trace.has_other_bytes:
        _refuse(nodes)


def _refuse(nodes: Iterable[Node], shown_by: Trace | None = None) -> None:
    """Errors: a break where a bool may have another byte than 0 or 1.

    shown_by: the trace, if the bytes are to be seen: it relies on those of arrays from outside.
    """
    waiting = list(nodes)
    seen: set[Node] = set()
    while waiting:
        node = waiting.pop()
        if node in seen or not node.type.dtype.is_bool:
            continue
        seen.add(node)
        if isinstance(node.op.lower, Movement) or node.op.name in _PASSED_ON:
            waiting.extend(node.inputs)
        elif isinstance(node.op.lower, Pointwise | Reduction | Creation):
            if _is_seen_byte(node):
                raise OTHER_BYTES.stop()
        elif node.op is not PLACEHOLDER:
            raise OTHER_BYTES.stop()
        elif shown_by is not None:
            _rely_on_bytes(shown_by, node)


def _rely_on_bytes(trace: Trace, node: Node) -> None:
    """Guards on the bytes of bools from outside. Errors: a break where they are other ones, or no array's."""
    entry = next((each for each in trace.inputs.entries if each.node is node), None)
    found = entry is not None and entry.kind == "array" and not entry.static_address and entry.owner is None
    if entry is None or not found or type(entry.example) is not np.ndarray or not are_0_and_1(entry.example):
        raise OTHER_BYTES.stop()
    trace.guard(BoolBytes, entry.source)


def _note_bytes(trace: Trace, node: Node, dtype: DType) -> None:
    """Notes a bit cast that makes bools of bytes, or bytes of bools. Errors: a break where they may differ."""
    if node.type.dtype.is_bool:
        _refuse([node], trace)
    elif dtype.is_bool and not _is_0_or_1(node):
        if trace.region is not None:
            raise OTHER_BYTES.stop()
        trace.has_other_bytes = True


def _is_seen_byte(node: Node) -> bool:
    return node.op is BITCAST and not node.inputs[0].type.dtype.is_bool and not _is_0_or_1(node.inputs[0])


def _is_0_or_1(node: Node, far: int = _FAR) -> bool:
    """Whether every element of an integer node is 0 or 1, as far as its making tells."""
    known = (_is_0_or_1(each, far - 1) for each in node.inputs) if far else ()
    if node.op is CAST or node.op is BITCAST:
        source = node.inputs[0].type.dtype
        return source.is_bool or source.is_integer and any(known)
    if node.op is FULL:
        value = node.kwargs["value"]
        return isinstance(value, int) and value in (0, 1)
    if node.op is BITWISE_AND:
        return any(known)
    if node.op in (BITWISE_OR, BITWISE_XOR) or isinstance(node.op.lower, Movement):
        return bool(far) and all(known)
    return False
