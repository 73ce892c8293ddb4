"""Calls of Python from native code: an object by its address, with the address of words. What it raises stays raised.

Kernel text writes ``ask_python_of_i64_f64(address, (a, b))``: the numbers are laid out one after the other, and the
object there is called with the address of the first. Plans do the same with a table that they have laid out
themselves. Importing this module does not import numba.
"""

# Note [What Python raises in native code]
# The answer is 1 where the object gave True. It is 0 where it gave False, and where it raised: then the error indicator
# is set, and whoever called the kernel or the plan's step sees it there (see `runner.executed`). A callback of ctypes
# would print the error and go on with a status that nobody set. Signals that have arrived by then are looked at too.

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import Any

_CALLER = re.compile(r"\bask_python_of((?:_[a-z]+[0-9]+)*)\b")


def _named_in(text: str) -> dict[str, tuple[str, ...]]:
    """The callers that occur in `text`, with the codes of what they take."""
    return {found.group(0): tuple(found.group(1).split("_")[1:]) for found in _CALLER.finditer(text)}


def callers_named_in(text: str) -> dict[str, object]:
    """The callers that occur by name in `text`, to be put among the globals of kernel text."""
    return {name: _caller(codes) for name, codes in _named_in(text).items()}


def plain_callers_named_in(text: str) -> dict[str, object]:
    """The callers that occur by name in `text`, for text that CPython runs."""
    return {name: _plain_caller(codes) for name, codes in _named_in(text).items()}


def _asked(builder: Any, callable_address: Any, words: Any) -> Any:
    """The LLVM value of the answer: see Note [What Python raises in native code]."""
    from llvmlite import ir
    from numba.core.cgutils import get_or_insert_function

    wide, number = ir.IntType(64), ir.IntType(32)

    def call(name: str, result: Any, *given: Any) -> Any:
        kind = ir.FunctionType(result, [each.type for each in given])
        return builder.call(get_or_insert_function(builder.module, kind, name), given)

    with builder.goto_entry_block():
        answer = builder.alloca(number)
    builder.store(number(0), answer)
    held = call("PyGILState_Ensure", number)  # a plan may have let go of it
    argument = call("PyLong_FromLongLong", wide, words)
    with builder.if_then(builder.icmp_unsigned("!=", argument, wide(0))):
        given = call("PyObject_CallOneArg", wide, callable_address, argument)
        call("Py_DecRef", ir.VoidType(), argument)
        with builder.if_then(builder.icmp_unsigned("!=", given, wide(0))):
            is_done = call("PyObject_IsTrue", number, given)
            call("Py_DecRef", ir.VoidType(), given)
            quiet = builder.icmp_signed("==", call("PyErr_CheckSignals", number), number(0))
            builder.store(builder.select(quiet, is_done, number(0)), answer)
    call("PyGILState_Release", ir.VoidType(), held)
    return builder.zext(builder.load(answer), wide)


@cache
def ask_python() -> object:
    """The intrinsic `(object's address, address of words) -> int64`, for the runner."""
    from numba import types
    from numba.core.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def ask(typingctx: Any, address: Any, words: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return _asked(builder, *values)

        return types.int64(types.int64, types.int64), codegen

    return ask  # type: ignore[no-any-return]


@cache
def _caller(codes: tuple[str, ...]) -> object:
    from llvmlite import ir
    from numba import types
    from numba.core.extending import intrinsic

    given = [types.float64 if code == "f64" else types.int64 for code in codes]

    @intrinsic  # type: ignore[untyped-decorator]
    def caller(typingctx: Any, address: Any, values: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, llvm_values: Any) -> Any:
            place, packed = llvm_values
            wide = ir.IntType(64)
            with builder.goto_entry_block():
                block = builder.alloca(ir.ArrayType(wide, max(len(codes), 1)))
            for k, (found, wanted) in enumerate(zip(signature.args[1].types, given, strict=True)):
                word = context.cast(builder, builder.extract_value(packed, k), found, wanted)
                word = builder.bitcast(word, wide) if wanted is types.float64 else word
                builder.store(word, builder.gep(block, [ir.IntType(32)(0), ir.IntType(32)(k)]))
            return _asked(builder, place, builder.ptrtoint(block, wide))

        return types.int64(types.int64, values), codegen

    return caller  # type: ignore[no-any-return]


@cache
def _plain_caller(codes: tuple[str, ...]) -> object:
    def caller(address: int, values: tuple[Any, ...]) -> Any:
        import numpy as np

        words = np.array([_word(code, each) for code, each in zip(codes, values, strict=True)], np.int64)
        asked: Any = ctypes.cast(int(address), ctypes.py_object).value
        return np.int64(bool(asked(words.ctypes.data)))

    return caller


def _word(code: str, value: Any) -> int:
    if code != "f64":
        return int(value)
    return ctypes.c_int64.from_buffer(ctypes.c_double(float(value))).value
