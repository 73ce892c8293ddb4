"""A call-out as a step of a plan: a C function, made by ctypes, that calls a NumPy function on the plan's memory.

It takes the GIL itself. Whatever goes wrong in it ends the plan with a status, so that Python runs the whole call and
raises what there is to raise. Warnings name the user's line: the frame that calls NumPy says it stands there.
"""

from __future__ import annotations

import _thread
import ctypes
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


Addresses = Any  # what ctypes makes of a table of addresses
Made = Callable[[Addresses], Any]
"""What makes an argument from the addresses of a call."""


def call_out(
    attrs: Mapping[str, Any], operands: Sequence[Memory], results: Sequence[Memory], place: Location | None
) -> CallOut:
    """The step's function: it takes the addresses of the operands, then of the results."""
    taken = len(operands)
    table = ctypes.c_size_t * (taken + len(results))
    function, expected = call_outs.found(attrs["function"]), attrs["results"]
    arguments = [_argument(each, operands) for each in attrs["arguments"]]
    keywords = [(key, _argument(form, operands)) for key, form in attrs["keywords"]]
    homes = [_reader(each, taken + k) for k, each in enumerate(results)]
    call = call_outs.caller(place, attrs["module"])

    def run(addresses: int, sizes: int, start: int, stop: int) -> int:
        try:
            at = table.from_address(addresses)
            value = call(function, [make(at) for make in arguments], {key: make(at) for key, make in keywords})
            given = call_outs.described(value)
            if given.form != expected:
                return 1
            for home, leaf in zip(homes, given.leaves, strict=True):
                home(at)[...] = leaf
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


def _argument(form: call_outs.Form, operands: Sequence[Memory]) -> Made:
    """What makes the argument of a form: Note [Forms of arguments]."""
    match form:
        case ("array", place, strides):
            read, memory = _reader(operands[place], place), operands[place]
            same = all(n < 2 or a == b for n, a, b in zip(memory.shape, memory.strides, strides, strict=True))
            return read if same else lambda at: call_outs.in_layout(read(at), strides)
        case ("scalar", place):
            number = _reader(operands[place], place)
            return lambda at: number(at)[()]
        case ("number", place):
            number = _reader(operands[place], place)
            return lambda at: number(at).item()
        case ("tuple" | "list" as kind, *parts):
            makers = [_argument(each, operands) for each in parts]
            collect: Any = tuple if kind == "tuple" else list
            return lambda at: collect(make(at) for make in makers)
    constant = call_outs.argument(form, ())
    return lambda at: constant


def _reader(memory: Memory, place: int) -> Callable[[Addresses], Array]:
    """What gives the array at address number `place`."""
    dtype, shape, size = memory.dtype.numpy, memory.shape, memory.dtype.itemsize
    strides = tuple(step * size for step in memory.strides)
    if not prod(shape):
        return lambda at: np.empty(shape, dtype)
    ends = [(n - 1) * step for n, step in zip(shape, strides, strict=True)]
    low, high = sum(min(each, 0) for each in ends), sum(max(each, 0) for each in ends) + size
    block, array = (ctypes.c_char * (high - low)).from_address, np.ndarray
    if low == 0:
        return lambda at: array(shape, dtype, block(at[place]), 0, strides)  # type: ignore[arg-type]
    return lambda at: array(shape, dtype, block(at[place] + low), -low, strides)  # type: ignore[arg-type]
