"""Calls of C functions from kernel text: by their address, with a caller for each list of types.

``invoke_f64_of_i64_i64(address, (a, b))`` calls the function there with two int64 and gives its double.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from ...llvm.native_functions import VOID, NativeFunction
from ...llvm.values import llvm_type

_CALLER = re.compile(r"\binvoke_([a-z]+[0-9]*)_of((?:_[a-z]+[0-9]+)*)\b")
_C_TYPES: dict[str, Any] = {
    "void": None,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64,
    "b1": ctypes.c_bool,
}


def _named_in(text: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The callers that occur in `text`: the codes of their results and of their arguments."""
    return {found.group(0): (found.group(1), tuple(found.group(2).split("_")[1:])) for found in _CALLER.finditer(text)}


def plain_callers_named_in(text: str) -> dict[str, object]:
    """The callers that occur by name in `text`, for text that CPython runs, over the addresses of arrays."""
    return {name: _plain_caller(*codes) for name, codes in _named_in(text).items()}


def c_caller_named(name: str) -> NativeFunction | None:
    """The caller of this name."""
    found = _CALLER.fullmatch(name)
    if found is None:
        return None
    codes = tuple(found[2].split("_")[1:])
    result = VOID if found[1] == "void" else found[1]
    return NativeFunction(name, ("i64", *codes), result, partial(_generate, result), packed=True)


def _generate(result: str, builder: Any, operands: Sequence[Any]) -> Any:
    from llvmlite import ir

    place, *given = operands
    result_type = ir.VoidType() if result == VOID else llvm_type(result)
    function = ir.FunctionType(result_type, [each.type for each in given])
    return builder.call(builder.inttoptr(place, function.as_pointer()), given)


@cache
def _plain_caller(result: str, arguments: tuple[str, ...]) -> object:
    function = ctypes.CFUNCTYPE(_C_TYPES[result], *(_C_TYPES[code] for code in arguments))
    kinds = [float if code[0] == "f" else int for code in arguments]
    numpy = {"f32": "float32", "f64": "float64", "i32": "int32", "i64": "int64", "u64": "uint64", "u32": "uint32"}

    def caller(address: int, values: tuple[Any, ...]) -> Any:
        import numpy as np

        found = function(address)(*(kind(each) for kind, each in zip(kinds, values, strict=True)))
        return getattr(np, numpy[result])(found) if result in numpy else found

    return caller
