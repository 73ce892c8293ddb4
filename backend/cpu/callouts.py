"""Functions of NumPy that kernels call: C functions around Python ones, which take and fill the kernel's memory.

A *call-out* is known by its description, plain data written as text: the function's name, its operands, its results.
Operands are ``("array", dtype, shape)``, ``("number", dtype)``, ``("generator",)`` or ``("value", literal)``, with the
name of a keyword in front, or ""; results are ``(dtype, shape)``. The C function takes an int64 or a double for a
number, the address of a generator's C functions, and for an array its address and its strides in elements, those of
results last. It gives 1; where the function raised, or gave something else than it was to give, 0.
"""

# Note [What a call-out does not do]
# What Python raises must come from the user's line, so it ends in status 0: the kernel leaves and CPython runs the call
# from its start. Zero is also what ctypes gives when something goes wrong in the callback itself.

from __future__ import annotations

import ast
import ctypes
import threading
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ...core import dtypes
from .functions import finds

Operand = tuple[Any, ...]
Result = tuple[str, tuple[int, ...]]

GENERATORS: dict[int, Any] = {}
"""The generators of calls that are running, by the address of their C functions."""
_KEPT: dict[str, Any] = {}
"""The callbacks, which live as long as the process: any kernel may hold their addresses."""


def called_out(function: str, operands: tuple[Operand, ...], results: tuple[Result, ...]) -> str:
    """The name under which kernels find a call-out. `function` is one of NumPy's, ``linalg.inv``, or ``rng.choice``."""
    return f"python {(function, operands, results)!r}"


@finds("python")
def _address(description: str) -> int | None:
    function, operands, results = ast.literal_eval(description)
    known = _KEPT.get(description)
    if known is None:
        given = [code for operand in operands for code in _codes(operand)]
        filled = [ctypes.c_int64 for _, shape in results for _ in range(1 + len(shape))]
        known = _KEPT[description] = ctypes.CFUNCTYPE(ctypes.c_int64, *given, *filled)(
            _callback(function, operands, results)
        )
    return ctypes.cast(known, ctypes.c_void_p).value


def _codes(operand: Operand) -> list[Any]:
    """The C types of the arguments that an operand is passed as."""
    match operand[1:]:
        case ("array", _, shape):
            return [ctypes.c_int64] * (1 + len(shape))
        case ("number", "f64"):
            return [ctypes.c_double]
        case ("value", _):
            return []
    return [ctypes.c_int64]


def _callback(function: str, operands: tuple[Operand, ...], results: tuple[Result, ...]) -> Callable[..., int]:
    wanted = [(dtypes.from_code(code).numpy, shape) for code, shape in results]
    last: list[tuple[tuple[Any, ...], _Arguments]] = []
    """What the last call made of its words: in a loop the memory is the same in every round."""

    def call(*words: Any) -> int:
        try:
            known = last[0] if last else None
            if known is None or known[0] != words:
                known = words, _arguments(operands, results, words)
                last[:] = [known] if _may_be_kept(operands) else []
            positional, named, rooms = known[1]
            found = apply(function, positional, named)
            parts = found if isinstance(found, tuple) else (found,)
            if len(parts) != len(rooms):
                return 0
            for part, room, (dtype, shape) in zip(parts, rooms, wanted, strict=True):
                made = part if type(part) is np.ndarray else np.asarray(part)
                if made.shape != shape or made.dtype != dtype:
                    return 0
                room[...] = made
        except KeyboardInterrupt:
            threading.Timer(0.01, _interrupt).start()
            return 0
        except Exception:
            return 0
        return 1

    return call


_Arguments = tuple[list[Any], dict[str, Any], list[np.ndarray[Any, Any]]]


def _arguments(operands: tuple[Operand, ...], results: tuple[Result, ...], words: tuple[Any, ...]) -> _Arguments:
    """The operands, by position and by keyword, and the memory of the results."""
    left = iter(words)
    positional, named = [], {}
    for keyword, *operand in operands:
        value = _operand(operand, left)
        if keyword:
            named[keyword] = value
        else:
            positional.append(value)
    return positional, named, [_array(left, code, shape) for code, shape in results]


def _may_be_kept(operands: tuple[Operand, ...]) -> bool:
    """Whether operands belong to no object: of a generator only the address is known, which another one may get."""
    return all(operand[1] != "generator" for operand in operands)


def _interrupt() -> None:
    import _thread

    _thread.interrupt_main()


def _operand(operand: list[Any], left: Any) -> Any:
    match operand:
        case ["array", code, shape]:
            array = _array(left, code, shape)
            array.flags.writeable = False  # nobody would know that it was written
            return array
        case ["value", literal]:
            return literal
        case ["generator"]:
            return GENERATORS[next(left)]
    return next(left)


def _array(left: Any, code: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """The kernel's memory as an array; the next words are its address and strides."""
    dtype, address = dtypes.from_code(code).numpy, next(left)
    strides = tuple(next(left) * dtype.itemsize for _ in shape)
    if not prod(shape):
        return np.empty(shape, dtype)
    low = sum(min(0, (size - 1) * step) for size, step in zip(shape, strides, strict=True))
    high = sum(max(0, (size - 1) * step) for size, step in zip(shape, strides, strict=True)) + dtype.itemsize
    memory = (ctypes.c_char * (high - low)).from_address(address + low)
    return np.ndarray(shape, dtype, memory, -low, strides)


def apply(function: str, positional: list[Any], named: dict[str, Any]) -> Any:
    """What the function gives: for these operands, the generator first; a shuffle gives the shuffled copy."""
    owner, _, name = function.partition(".")
    if owner == "linalg":
        return getattr(np.linalg, name)(*positional, **named)
    generator, *rest = positional
    if name == "shuffle":
        copy = rest[0].copy()
        generator.shuffle(copy, *rest[1:], **named)
        return copy
    return getattr(generator, name)(*rest, **named)
