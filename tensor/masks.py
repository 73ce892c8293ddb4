"""The places where a mask holds: of a tensor at hand from its elements, of a traced one as far as the call can know."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.devices.arrays import kernels_for
from ..core.devices.host_or_device import on_host
from .arithmetic import div, remainder
from .dispatch import is_tensor_like, tensor_of
from .joining import stack
from .pointwise import ne
from .surface import method
from .tensor import Tensor
from .tracing import ValuesNeeded, places_in

Value = Any


def axis_of_mask(entries: tuple[Any, ...]) -> int | None:
    """The first axis of a mask that is the only index among whole slices; None where there are others."""
    others = [axis for axis, entry in enumerate(entries) if not (isinstance(entry, slice) and entry == slice(None))]
    if len(others) != 1 or not is_tensor_like(mask := entries[others[0]]):
        return None
    return others[0] if mask.dtype.is_bool and mask.ndim else None


def check_mask(mask: Value, x: Value, axis: int) -> None:
    """Errors: IndexError for a mask whose shape is not that of the axes of `x` from `axis` on."""
    for own, size in enumerate(mask.shape):
        if size != x.shape[axis + own]:
            raise IndexError(
                f"The shape of the mask {list(mask.shape)} at index {own} does not match the shape of the indexed "
                f"tensor {list(x.shape)} at index {axis + own}"
            )


def positions_of(mask: Value, x: Value, axis: int) -> list[Value]:
    """The places at which a mask holds, as one integer tensor for each of its axes."""
    check_mask(mask, x, axis)
    if not isinstance(mask, Tensor):
        return list(_places_in_trace(mask, "a boolean index"))
    return list(nonzero(mask, as_tuple=True))


@method("nonzero")
def nonzero(self: Value, *, as_tuple: bool = False) -> Any:
    """The places of the elements that are not 0: a row for each, or with `as_tuple` a tensor for each axis.

    How many there are depends on values: in a trace, these follow from what the call is given.
    """
    if not isinstance(self, Tensor):
        found = _places_in_trace(self, "nonzero()")
        return found if as_tuple else stack(found, 1)
    kernels = kernels_for((self._array,)) if self.ndim else None
    found = NotImplemented if kernels is None else kernels.nonzero(self._array, as_tuple)
    if found is not NotImplemented:
        return tuple(Tensor._wrap(found[axis]) for axis in range(self.ndim)) if as_tuple else Tensor._wrap(found)
    array = on_host(self._array)
    places = np.nonzero(array if self.ndim else array.reshape(1))
    if as_tuple:
        return tuple(tensor_of(each, self) for each in places)
    rows = np.stack(places, axis=1) if self.ndim else np.empty((len(places[0]), 0), np.int64)
    return tensor_of(rows, self)


def _places_in_trace(x: Value, name: str) -> tuple[Value, ...]:
    """The places of the elements of a traced tensor that are not 0, one tensor for each axis; `name` asks for them."""
    if not x.ndim:
        raise ValuesNeeded(name, for_shape=True)
    rest = places_in(name, x if x.dtype.is_bool else ne(x, 0))
    found: list[Value] = []
    for size in x.shape[:0:-1]:
        found.append(remainder(rest, size))
        rest = div(rest, size, rounding_mode="floor")
    return (rest, *reversed(found))
