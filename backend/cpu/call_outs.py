"""A call-out as a step of a plan: a C function, made by ctypes, that calls a NumPy function on the plan's memory.

It takes the GIL itself. Whatever goes wrong in it ends the plan with a status, so that Python runs the whole call and
raises what there is to raise. Warnings name the user's line: the frame that calls NumPy says it stands there.
"""

from __future__ import annotations

import _thread
import ctypes
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ...core.dtypes import DType
from ...graph.node import Location
from ...ops import call_outs

Array = np.ndarray[Any, Any]
_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


@dataclass(frozen=True, slots=True)
class CallOut:
    """What a step calls: in place of a kernel that was compiled."""

    address: int
    symbol: str
    source: str
    keep: Any
    """What the address lives on."""


@dataclass(frozen=True, slots=True)
class Memory:
    """How an operand or a result lies where its address points. Units: strides count elements."""

    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def call_out(
    attrs: Mapping[str, Any], operands: Sequence[Memory], results: Sequence[Memory], place: Location | None
) -> CallOut:
    """The step's function: it takes the addresses of the operands, then of the results."""
    taken, given = [_reader(each) for each in operands], [_reader(each) for each in results]
    count = len(taken) + len(given)
    table = ctypes.c_size_t * count
    function, arguments, keywords = call_outs.found(attrs["function"]), attrs["arguments"], attrs["keywords"]
    call = _caller(place, attrs["module"])

    def run(addresses: int, sizes: int, start: int, stop: int) -> int:
        try:
            at = table.from_address(addresses)
            arrays = [read(at[k]) for k, read in enumerate(taken)]
            args = [call_outs.argument(each, arrays) for each in arguments]
            named = {key: call_outs.argument(form, arrays) for key, form in keywords}
            result = call_outs.described(call(function, args, named))
            if result.form != attrs["results"]:
                return 1
            for k, leaf in enumerate(result.leaves, len(taken)):
                given[k - len(taken)](at[k])[...] = leaf
        except KeyboardInterrupt:
            _thread.start_new_thread(_thread.interrupt_main, ())  # for Python, which runs the call next
            return 1
        except BaseException:
            return 1  # Python runs the call, and raises it
        return 0

    callback = _PROTOTYPE(run)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert address is not None
    return CallOut(address, f"call-out of {attrs['function']}", "", callback)


def _reader(memory: Memory) -> Callable[[int], Array]:
    """A function from an address to the array there."""
    dtype, shape, size = memory.dtype.numpy, memory.shape, memory.dtype.itemsize
    strides = tuple(step * size for step in memory.strides)
    if not prod(shape):
        return lambda address: np.empty(shape, dtype)
    ends = [(n - 1) * step for n, step in zip(shape, strides, strict=True)]
    low, high = sum(min(each, 0) for each in ends), sum(max(each, 0) for each in ends) + size
    block = ctypes.c_char * (high - low)
    return lambda address: np.ndarray(shape, dtype, block.from_address(address + low), -low, strides)  # type: ignore[arg-type]


_CALL: Any = lambda function, args, keywords: function(*args, **keywords)  # noqa: E731


def _caller(place: Location | None, module: str) -> Callable[..., Any]:
    """A function that calls another, and that warnings take for the user's code at that place."""
    if place is None:
        return _CALL  # type: ignore[no-any-return]
    code = _CALL.__code__.replace(co_filename=place.file, co_firstlineno=place.line, co_name=place.function)
    known = sys.modules.get(module)
    return types.FunctionType(code, {"__name__": module} if known is None else vars(known))
