"""Calls of C functions from kernel text: by their address, with a caller for each list of types.

``invoke_f64_of_i64_i64(address, a, b)`` calls the function there with two int64 and gives its double. Importing this
module does not import numba.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import Any

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


def callers_named_in(text: str) -> dict[str, object]:
    """The callers that occur by name in `text`, to be put among the globals of kernel text."""
    return {name: _caller(*codes) for name, codes in _named_in(text).items()}


def plain_callers_named_in(text: str) -> dict[str, object]:
    """The callers that occur by name in `text`, for text that CPython runs, over the addresses of arrays."""
    return {name: _plain_caller(*codes) for name, codes in _named_in(text).items()}


@cache
def _caller(result: str, arguments: tuple[str, ...]) -> object:
    from llvmlite import ir
    from numba import types
    from numba.core.extending import intrinsic

    def declared(code: str) -> Any:
        if code == "b1":
            return types.boolean
        return getattr(types, {"f": "float", "i": "int", "u": "uint"}[code[0]] + code[1:])

    given = tuple(map(declared, arguments))
    made = types.void if result == "void" else declared(result)

    @intrinsic  # type: ignore[untyped-decorator]
    def caller(typingctx: Any, address: Any, values: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, llvm_values: Any) -> Any:
            place, packed = llvm_values
            operands = [
                context.cast(builder, builder.extract_value(packed, k), found, wanted)
                for k, (found, wanted) in enumerate(zip(signature.args[1].types, given, strict=True))
            ]
            result_type = ir.VoidType() if result == "void" else context.get_value_type(made)
            function = ir.FunctionType(result_type, [context.get_value_type(each) for each in given])
            called = builder.call(builder.inttoptr(place, function.as_pointer()), operands)
            return context.get_dummy_value() if result == "void" else called

        return made(types.int64, values), codegen

    return caller


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
