"""Views of traced tensors: movements, diagonals, given strides, bytes as another dtype, parts of complex numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....core import dtypes
from ....core.devices import CPU
from ....core.dtypes import DType
from ....core.records import dataclass
from ....core.sizes import is_symbolic, same_sizes
from ....core.strided import strided
from ....core.types import TensorType
from ....graph.node import Node
from ....ops.bitcasts import BITCAST
from ....ops.complex_numbers import IMAG_VIEW, VIEW_AS_COMPLEX, VIEW_AS_REAL
from ....ops.creation import ARANGE
from ....ops.diagonals import DIAGONAL
from ....ops.indexing import CAT
from ....ops.movement import AS_STRIDED, EXPAND, PERMUTE, RESHAPE, SLICE, region
from ....ops.pointwise import EQUAL, WHERE
from ....ops.registry import Composite, OpDef
from ....tensor.complex_parts import check_pairs
from ...breaks import RAISES, TENSOR_FEATURE
from ...numpy.indexing import basic_view
from ...numpy.shaping import permuted, reshaped_view
from ...values.arrays.array import ArrayValue
from ...values.arrays.bit_views import seen_as
from ...values.arrays.symbolic_fake import SymbolicFakeArray, as_sized, offset_of
from ...values.arrays.view_steps import Broadcast, Ints, RetypedStep, expand, reshape
from ...values.tensors.tensor import Made, TensorValue, detached, fresh, view_of
from .numbers import number_node

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def moved(trace: Trace, op: OpDef, value: Any, attrs: dict[str, Any]) -> TensorValue:
    """The view of a tensor that an operation of movement takes; a tensor of its own where eager mode copies."""
    if not isinstance(value, TensorValue):
        raise TENSOR_FEATURE.stop(feature="a view of a tensor of unknown origin")
    seen = moved_array(op, value.array, attrs)
    if seen is not None:
        view = view_of(value, seen)
        view.made_by = Made(value, op, attrs, trace.grad_enabled)
        return view
    node = reshape(trace, value.read(), attrs["shape"])
    tracked = trace.grad_enabled and value.requires_grad
    return fresh(trace, node, requires_grad=tracked, leaf=not tracked)


def bits_seen_as(value: Any, dtype: DType) -> TensorValue:
    """The bytes of a tensor as elements of another dtype, a view that no gradient goes through."""
    if not isinstance(value, TensorValue):
        raise TENSOR_FEATURE.stop(feature="a view of a tensor of unknown origin")
    if value.device != CPU and dtype.itemsize != value.dtype.itemsize:
        raise TENSOR_FEATURE.stop(feature="a view of elements of another size on a device")
    view = detached(value)
    view.array = seen_as(value.array, dtype)
    view.made_by = Made(value, BITCAST, {"dtype": dtype}, value.trace.grad_enabled)
    view.blind = value.is_viewed = value.root.viewed_blindly = True  # to eager mode it is a view without a history
    return view


@dataclass(frozen=True)
class Diagonals(Broadcast):
    """A view step to the diagonals of matrices along the last two axes."""

    offset: int = 0

    def read(self, trace: Trace, node: Node) -> Node:
        return trace.add(DIAGONAL, node, offset=self.offset)

    def write(self, trace: Trace, node: Node, value: Node) -> Node:
        """`node` with the elements of `value` where a row's number, plus the offset, is that of the column."""
        *lead, height, width = node.shape
        if is_symbolic((*lead, height, width)) or not value.type.size or node.type.device != CPU:
            return super().write(trace, node, value)
        first = trace.add(ARANGE, start=self.offset, step=1, size=height, dtype=dtypes.int64)
        rows = expand(trace, reshape(trace, first, (height, 1)), (height, width))
        columns = expand(trace, trace.add(ARANGE, start=0, step=1, size=width, dtype=dtypes.int64), (height, width))
        start, count = max(self.offset, 0), value.shape[-1]
        before, after = start, width - start - count
        parts = [number_node(trace, 0, value.type.dtype, (*lead, each)) for each in (before, after)]
        whole = [each for each in (parts[0], value, parts[1]) if each.shape[-1]]
        row = trace.add(CAT, *whole, axis=len(lead)) if len(whole) > 1 else value
        spread = expand(trace, reshape(trace, row, (*lead, 1, width)), node.shape)
        on = expand(trace, trace.add(EQUAL, rows, columns), node.shape)
        return trace.add(WHERE, on, spread, node)


@dataclass(frozen=True)
class StridedOperand(Broadcast):
    """A view step that only reads, to elements that lie so many apart; they may be seen several times."""

    strides: Ints = ()
    offset: int = 0

    def read(self, trace: Trace, node: Node) -> Node:
        return trace.add(AS_STRIDED, node, shape=self.after, strides=self.strides, offset=self.offset)


def moved_array(op: OpDef, array: ArrayValue, attrs: dict[str, Any]) -> ArrayValue | None:
    """The view of `array` that a movement is; None where eager mode has to copy."""
    if op is PERMUTE:
        return permuted(array, attrs["axes"])
    if op is SLICE:
        return basic_view(array, list(region(attrs["starts"], attrs["sizes"], attrs["steps"])))
    if op is EXPAND:
        return _expanded(array, attrs["shape"])
    if op is DIAGONAL:
        fake = op.eager(array.fake, **attrs)
        return array.view(Diagonals(fake.shape, offset=attrs["offset"]), fake)
    if op is AS_STRIDED:
        fake = op.eager(array.fake, **attrs)
        return array.view(StridedOperand(fake.shape, strides=attrs["strides"], offset=attrs["offset"]), fake)
    if isinstance(op.lower, Composite):
        return array.view(RetypedStep(op), _retyped(op, array))
    if op is not RESHAPE:
        raise TENSOR_FEATURE.stop(feature=f"the view that {op.name} takes")
    return reshaped_view(array, attrs["shape"])


def _retyped(op: OpDef, array: ArrayValue) -> Any:
    """The fake array of a view of parts, or of pairs as complex numbers. Errors: a break for what lies otherwise."""
    fake, made = array.fake, op.meta(array.type)
    refuse_complex(made)
    item = made.dtype.itemsize
    if op is VIEW_AS_COMPLEX and (is_symbolic(array.shape) or array.type.size):
        start = (offset_of(fake) - offset_of(array.storage.fake)) // fake.itemsize
        try:
            check_pairs([step // fake.itemsize for step in fake.strides], start)
        except RuntimeError as error:
            raise RAISES.stop(error=f"RuntimeError: {error}") from None
    if not isinstance(fake, SymbolicFakeArray):
        return op.eager(fake)
    strides = (*fake.strides, item) if op is VIEW_AS_REAL else fake.strides[: len(made.shape)]
    return fake.retyped(made.dtype.numpy, made.shape, strides, item if op is IMAG_VIEW else 0)


def _expanded(array: ArrayValue, shape: Ints) -> ArrayValue:
    """The view that eager's `expand` makes; what it says of a write is not that the memory is read-only."""
    if same_sizes(array.shape, shape):
        return basic_view(array, [])
    shown = as_sized(array.fake) if is_symbolic(shape) else array.fake
    seen = np.broadcast_to(shown, shape)
    if isinstance(seen, SymbolicFakeArray):
        seen.is_writeable = shown.flags.writeable
        return array.view(Broadcast(shape, before=array.shape), seen)  # type: ignore[arg-type]
    return array.view(Broadcast(shape, before=array.shape), strided(array.fake, shape, seen.strides))


def refuse_complex(made: TensorType) -> None:
    """Errors: a break for complex numbers on a device, of which Python raises an error."""
    if made.dtype.is_complex and made.device != CPU:
        raise RAISES.stop(error="NotImplementedError: complex tensors are on the CPU alone")
