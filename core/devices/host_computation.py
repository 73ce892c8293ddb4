"""NumPy's functions of arrays on a device: computed by the host of copies, and the results brought to the device."""

# Note [Computing by the host]
# A function gets, for each array on a device, a copy of the bytes that it spans, laid out alike. Results that are views
# of such a copy become views of the array. Copies of what the function is known to write (its `out`, the target of
# `copyto`) are written back; all others are read-only, so that a write nobody knew of is an error and not lost.
# Functions that look at layouts alone get an array that has no elements, and nothing is copied.

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..config import config
from ..floors import LOG, asked
from ..user_line import user_line
from . import arrays
from .host_or_device import on_host, overlap
from .layout import layout_of, same_view
from .memory import store

Array = np.ndarray[Any, Any]
HOST_COMPUTATIONS: Counter[str] = Counter()
"""The number of times that the host computed something of arrays on a device, by the function's name."""
_TOLD = frozenset(10**power for power in range(19))
"""The numbers of times at which the log says so."""

_WRITES: dict[Any, int] = {
    np.copyto: 0,
    np.put: 0,
    np.place: 0,
    np.putmask: 0,
    np.fill_diagonal: 0,
    np.put_along_axis: 0,
}
"""The functions that write into an argument, and its position."""
_OF_LAYOUT: frozenset[Any] = frozenset(
    (
        *(np.transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.expand_dims, np.squeeze, np.diagonal),
        *(np.broadcast_to, np.broadcast_arrays, np.flip, np.fliplr, np.flipud, np.rot90, np.atleast_1d),
        *(np.atleast_2d, np.atleast_3d, np.split, np.array_split, np.hsplit, np.vsplit, np.dsplit),
        *(np.lib.stride_tricks.sliding_window_view, np.ndim, np.shape, np.size, np.result_type, np.can_cast),
        *(np.iscomplexobj, np.isrealobj),
    )
)
"""The functions that read no elements of their arguments."""


_FILLED: dict[Any, int | None] = {np.empty_like: None, np.zeros_like: 0, np.ones_like: 1}
"""The functions that make an array like another one, and what they fill it with."""


def note(name: str) -> None:
    """Counts a computation that the host does for arrays on a device."""
    HOST_COMPUTATIONS[name] += 1
    count = HOST_COMPUTATIONS[name]
    if "hints" in config.logs and count in _TOLD:
        often = "" if count == 1 else f", {count} times by now"
        asked(LOG)("hints", [f"{user_line()}: the host computes {name} for a tensor on a GPU, by copies{often}"])


class _Copies:
    """The host's arrays that stand for arrays on a device in one call."""

    def __init__(self, written: Sequence[Any], layouts: bool = False) -> None:
        self.written = {id(each): each for each in written if type(each) is arrays.DeviceArray}
        self.layouts = layouts
        self.made: dict[int, tuple[Any, Array]] = {}

    def of(self, value: Any) -> Any:
        """`value` with host arrays in place of device arrays, in lists, tuples, dicts and slices too."""
        kind = type(value)
        if kind is arrays.DeviceArray:
            if id(value) not in self.made:
                self.made[id(value)] = value, self._copy(value)
            return self.made[id(value)][1]
        if kind is list or kind is tuple:
            return kind([self.of(each) for each in value])
        if kind is dict:
            return {key: self.of(each) for key, each in value.items()}
        return value

    def _copy(self, array: Any) -> Array:
        if self.layouts:
            return layout_of(array)
        low, high = array.span
        window = np.empty(high - low, np.uint8)
        if window.size:
            array.memory.copies.download(low, window)
        found: Array = np.ndarray(array.shape, array.dtype, window, array.address - low, array.strides)
        if id(array) not in self.written or not array.writeable:
            found.flags.writeable = False
        return found

    def write_back(self) -> None:
        """Stores the elements of what was written on the device."""
        for key, array in self.written.items():
            if key in self.made and array.size:
                store(array.memory.copies, array.address, array.strides, self.made[key][1])

    def placed(self, value: Any) -> Any:
        """A result on the device: views of copies as views of the arrays, others copied. Scalars become arrays."""
        kind = type(value)
        if kind is tuple or kind is list:
            return kind([self.placed(each) for each in value])
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return kind(*map(self.placed, value))
        if isinstance(value, np.generic):
            return arrays.moved(np.asarray(value))
        if kind is not np.ndarray:
            return value
        for array, copy in self.made.values():
            if value is copy:
                return array
            if value.size and value.base is not None and np.may_share_memory(value, copy):
                view = same_view(array, copy.__array_interface__["data"][0], value)
                view.writeable = array.writeable and (value.flags.writeable or not self.layouts)
                return view
        return arrays.moved(value)


def computed(
    name: str, function: Callable[..., Any], args: Any, keywords: dict[str, Any], written: Sequence[Any] = ()
) -> Any:
    """The result that the host computes from arrays on a device, on the device. written: the arguments it writes."""
    note(name)
    copies = _Copies(written)
    result = function(*copies.of(args), **copies.of(keywords))
    copies.write_back()
    return copies.placed(result)


def of_function(function: Callable[..., Any], args: Any, keywords: dict[str, Any]) -> Any:
    """The result of one of NumPy's functions, some of whose arguments are arrays on a device."""
    if function is np.may_share_memory or function is np.shares_memory:
        return overlap(args[0], args[1])
    if function is np.reshape and not keywords:
        return args[0].reshape(*args[1:])
    if function is np.copyto and type(args[0]) is arrays.DeviceArray and _is_plain_copy(args, keywords):
        return assign(args[0], args[1])
    if function in _FILLED and type(args[0]) is arrays.DeviceArray and len(args) == 1 and keywords.keys() <= {"dtype"}:
        made = arrays.empty_like(args[0], keywords.get("dtype"))
        value = _FILLED[function]
        if value is not None:
            made.fill(value)
        return made
    if function in _OF_LAYOUT:
        copies = _Copies((), layouts=True)
        return copies.placed(function(*copies.of(args), **copies.of(keywords)))
    out = keywords.get("out")
    written = [] if out is None else list(out) if isinstance(out, tuple) else [out]
    if function in _WRITES:
        written.append(args[_WRITES[function]])
    return computed(function.__name__, function, args, keywords, written)


def _without_repeats(target: arrays.DeviceArray, value: Any) -> arrays.DeviceArray:
    """`target`, of elements that share memory one alone, where all become one number."""
    if type(value) is arrays.DeviceArray or 0 not in target.strides:
        return target
    sizes = zip(target.shape, target.strides)
    return target.seen(0, tuple(size if step else min(size, 1) for size, step in sizes), target.strides)


def _is_plain_copy(args: Any, keywords: dict[str, Any]) -> bool:
    """Whether `np.copyto` copies everything, with whatever cast."""
    if len(args) != 2 or not keywords.keys() <= {"casting"}:
        return False
    source = args[1]
    casting = keywords.get("casting", "same_kind")
    return casting == "unsafe" or (hasattr(source, "dtype") and np.can_cast(source.dtype, args[0].dtype, casting))


def placed(value: Any) -> Any:
    """A result of NumPy on the device: arrays copied, scalars as arrays."""
    return _Copies(()).placed(value)


def assign(target: arrays.DeviceArray, value: Any) -> None:
    """Makes the elements of `target` those of `value`, broadcast and cast.

    Errors: ValueError for a value of another shape, or a target that is read-only.
    """
    if not target.writeable:
        raise ValueError("assignment destination is read-only")
    if type(value) is arrays.DeviceArray and value.dtype == target.dtype and value.shape == target.shape:
        alike = value.strides == target.strides and target.flags.forc
        if alike or (value.flags.c_contiguous and target.flags.c_contiguous):
            if target.nbytes and target.address != value.address:
                if overlap(target, value):
                    value = value.copy("K")
                target.memory.copies.copy(target.address, value.address, target.nbytes)
            return
    kernels = target.memory.copies.kernels
    if kernels is not None and kernels.assign(_without_repeats(target, value), value) is not NotImplemented:
        return
    if type(value) is arrays.DeviceArray:
        note("assignment")
    host = np.empty(target.shape, target.dtype)
    host[...] = on_host(value)
    if host.nbytes:
        store(target.memory.copies, target.address, target.strides, host)
