"""Calls of Python from native code: an object by its address, with the address of words. What it raises stays raised.

Kernel text writes ``ask_python_of_i64_f64(address, (a, b))``: the numbers are laid out one after the other, and the
object there is called with the address of the first. Plans do the same with a table that they have laid out
themselves.
"""

# Note [What Python raises in native code]
# The answer is 1 where the object gave True. It is 0 where it gave False, and where it raised: then the error indicator
# is set, and whoever called the kernel or the plan's step sees it there (see `runner.executed`). A callback of ctypes
# would print the error and go on with a status that nobody set. Signals that have arrived by then are looked at too.

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from ...llvm.native_functions import NativeFunction, called

_CALLER = re.compile(r"\bask_python_of((?:_[a-z]+[0-9]+)*)\b")


def _named_in(text: str) -> dict[str, tuple[str, ...]]:
    """The callers that occur in `text`, with the codes of what they take."""
    return {found.group(0): tuple(found.group(1).split("_")[1:]) for found in _CALLER.finditer(text)}


def plain_callers_named_in(text: str) -> dict[str, object]:
    """The callers that occur by name in `text`, for text that CPython runs."""
    return {name: _plain_caller(codes) for name, codes in _named_in(text).items()}


def _asked(builder: Any, callable_address: Any, words: Any) -> Any:
    """The LLVM value of the answer: see Note [What Python raises in native code]."""
    from llvmlite import ir

    wide, number = ir.IntType(64), ir.IntType(32)
    with builder.goto_entry_block():
        answer = builder.alloca(number)
    builder.store(number(0), answer)
    held = called(builder, "PyGILState_Ensure", number)  # a plan may have let go of it
    argument = called(builder, "PyLong_FromLongLong", wide, words)
    with builder.if_then(builder.icmp_unsigned("!=", argument, wide(0))):
        given = called(builder, "PyObject_CallOneArg", wide, callable_address, argument)
        called(builder, "Py_DecRef", ir.VoidType(), argument)
        with builder.if_then(builder.icmp_unsigned("!=", given, wide(0))):
            is_done = called(builder, "PyObject_IsTrue", number, given)
            called(builder, "Py_DecRef", ir.VoidType(), given)
            quiet = builder.icmp_signed("==", called(builder, "PyErr_CheckSignals", number), number(0))
            builder.store(builder.select(quiet, is_done, number(0)), answer)
    called(builder, "PyGILState_Release", ir.VoidType(), held)
    return builder.zext(builder.load(answer), wide)


@cache
def ask_python() -> object:
    """The Numba intrinsic `(object's address, address of words) -> int64`, for the runner. Imports numba."""
    from .numba_functions import call_intrinsic

    return call_intrinsic("i64", ("i64", "i64"), lambda builder, operands: _asked(builder, *operands))


def python_caller_named(name: str) -> NativeFunction | None:
    """The caller of this name."""
    found = _CALLER.fullmatch(name)
    if found is None:
        return None
    codes = ["f64" if code == "f64" else "i64" for code in found[1].split("_")[1:]]
    return NativeFunction(name, ("i64", *codes), "i64", _generate, packed=True)


def _generate(builder: Any, operands: Sequence[Any]) -> Any:
    from llvmlite import ir

    wide = ir.IntType(64)
    place, *given = operands
    with builder.goto_entry_block():
        block = builder.alloca(ir.ArrayType(wide, max(len(given), 1)))
    for k, each in enumerate(given):
        word = each if each.type == wide else builder.bitcast(each, wide)
        builder.store(word, builder.gep(block, [ir.IntType(32)(0), ir.IntType(32)(k)]))
    return _asked(builder, place, builder.ptrtoint(block, wide))


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
