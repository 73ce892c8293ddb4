"""The choice of arguments with symbolic sizes, and of when a trace has to go back to static ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.config import config
from ...core.devices.host_or_device import kind_of
from ...core.records import dataclass, replace
from ...core.sizes import LARGEST, symbol
from ...core.types import TensorType
from ...guards.arrays import ArrayLayout
from ...guards.computed_sources import Computed
from ...guards.guard import Equals, Guard
from ...guards.places import Places
from ...guards.sizes import SizesFit
from ...guards.sources import Source, WeakSource
from .control import marked_axes

if TYPE_CHECKING:
    from ..codegen.frame_state import FrameState
    from ..dispatch.state import FunctionState
    from .trace import Trace


@dataclass(frozen=True)
class FreeSizes:
    """Whether the sizes of the array at a place are symbolic.

    places: of arrays that came with several sizes, and of ints whose values were relied on and changed.
    everywhere: it is so at every place.
    strides: the places of arrays whose strides are symbolic as well, where they do not follow from sizes.
    names:  the places that are read through an object known by identity, to which each trace has its own reference.
    """

    places: Container[Source] = ()
    everywhere: bool = False
    strides: Container[Source] = ()
    names: Container[str] = ()

    def __call__(self, source: Source) -> bool:
        return self.everywhere or source in self.strides or self.counts(source)

    def counts(self, source: Source) -> bool:
        """Whether the int at a place has been one whose value is relied on; any other is a number like a float."""
        if source in self.places:
            return True
        return bool(self.names) and _is_found_by_identity(source) and str(source) in self.names


def free_sizes(state: FunctionState, at: FrameState) -> FreeSizes | None:
    """Whether the sizes of the array at a place are to be symbolic in the entry that is about to be compiled.

    Automatically, those of an array that has come to this point with other sizes before, or that is marked.
    None: of no array, and nothing whose size only a call knows has a place in the graph.
    """
    if state.dynamic is False or not state.dynamic and (not config.dynamic_sizes or state.on_limit == "eager"):
        return None
    sizes, strides = at.point.changed_sizes, at.point.changed_strides
    _note_changes(state, at)
    names = frozenset(str(each) for each in sizes if _is_found_by_identity(each))
    return FreeSizes(sizes, bool(state.dynamic), strides, names)


def _is_found_by_identity(source: Source) -> bool:
    return any(isinstance(each, WeakSource) for each in (source, *source.below()))


MOST_STRIDES = 3
"""Entries that one place gets for arrays of other strides, before it gets one for arrays of any strides."""


def _note_changes(state: FunctionState, at: FrameState) -> None:
    """Notes the places whose arrays differ from those of an entry in sizes, or from those of several in strides."""
    namespace = state.namespace(at)
    sizes, strides = at.point.changed_sizes, Counter[Source]()
    array: Any
    for entry in at.point.entries:
        for guard, array in entry.failed_guards(namespace, state.pool) if not entry.plain else ():
            if type(guard) is ArrayLayout and _is_alike(guard, array):
                if array.shape != guard.type.shape:
                    sizes.add(guard.source)
                else:
                    strides[guard.source] += array.strides != tuple(step * array.itemsize for step in guard.strides)
            elif type(guard) is SizesFit:
                strides.update(guard.laid_out_otherwise(array))
            elif type(guard) is Equals and type(guard.expected) is int:
                sizes.update(each for each in (guard.source, *guard.source.below()) if not isinstance(each, Computed))
    at.point.changed_strides.update(source for source, times in strides.items() if times >= MOST_STRIDES)


def _is_alike(guard: ArrayLayout, array: Any) -> bool:
    """Whether an array is of the same device, dtype and rank."""
    known = guard.type
    return type(array) is kind_of(known.device) and array.dtype == known.dtype.numpy and array.ndim == known.rank


def with_reason(guards: Sequence[Guard], is_free: Callable[[Source], bool], why: str) -> tuple[Guard, ...]:
    """The guards of an entry whose sizes are static after all; those on layouts say why."""
    return tuple(
        replace(each, static=why) if type(each) is ArrayLayout and is_free(each.source) else each for each in guards
    )


def sized_layout(
    trace: Trace, array: np.ndarray[Any, Any], type: TensorType, source: Source
) -> tuple[TensorType, tuple[int, ...]]:
    """Type and strides (in elements) of an argument; symbolic where its sizes are to be free.

    Of an array that is dense along some axes these strides follow from sizes; other strides are what they are, or
    symbols of their own. Those of 1 and 0 are known: an axis is a row, or broadcast.
    """
    strides = tuple(step // array.itemsize for step in array.strides)
    is_free = isinstance(source, Places) or trace.facts.has_free_sizes(source)
    free_axes = range(array.ndim) if is_free else marked_axes(array)
    if not free_axes or trace.deferred is not None:  # what is read later has sizes of its own
        return type, strides
    shape: Any = tuple(
        symbol(trace.facts.sizes, f"{source}.shape[{axis}]", size)
        if axis in free_axes and 1 < size <= LARGEST
        else size
        for axis, size in enumerate(array.shape)
    )
    free: list[Any] = list(strides)
    step, span = 1, 1
    order = [axis for axis in range(array.ndim) if array.shape[axis] > 1]
    order.sort(key=lambda axis: (abs(strides[axis]), -axis))
    for number, axis in enumerate(order):
        if abs(strides[axis]) != span:
            if source in trace.facts.has_free_sizes.strides:
                for other in order[number:]:
                    free[other] = _free_stride(trace, f"{source}.strides[{other}]", strides[other], array.itemsize)
            break
        free[axis] = step if strides[axis] > 0 else -step
        step, span = step * shape[axis], span * array.shape[axis]
    return type.with_shape(shape), tuple(free)


def _free_stride(trace: Trace, name: str, step: int, itemsize: int) -> Any:
    """The symbol for a stride, which counts elements; the stride itself where it is no such."""
    if not 2 <= abs(step) <= LARGEST:
        return step
    made = symbol(trace.facts.sizes, f"{name} // {itemsize if step > 0 else -itemsize}", abs(step))
    return made if step > 0 else -made
