"""Signals that arrive while a kernel runs: kernel text asks from time to time, and ends where a handler raised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...llvm.native_functions import NativeFunction, called

NAME = "interrupted"
ASKING_NAME = "ends_early"


def interrupted_named(name: str) -> NativeFunction | None:
    """The function `interrupted()`: runs the handlers of signals that have arrived; whether one raised.

    `ends_early(address)` is that of a chunk of a kernel: it is also true where the word at the address is not 0, since
    another chunk has failed. Threads of the team look at that word alone: they have nothing to do with Python.
    """
    if name == ASKING_NAME:
        return NativeFunction(ASKING_NAME, ("i64",), "b1", _generate_asking)
    return NativeFunction(NAME, (), "b1", _generate) if name == NAME else None


def _generate_asking(builder: Any, operands: Sequence[Any]) -> Any:
    from llvmlite import ir

    word = ir.IntType(64)
    failed = builder.load_atomic(builder.inttoptr(operands[0], word.as_pointer()), "monotonic", 8)
    state = _seldom_called(builder, "PyGILState_GetThisThreadState", word)
    others = builder.icmp_unsigned("!=", failed, word(0))
    with builder.goto_entry_block():
        answer = builder.alloca(ir.IntType(1))
    builder.store(others, answer)
    alone = builder.and_(builder.not_(others), builder.icmp_unsigned("!=", state, word(0)))
    with builder.if_then(alone, likely=False):
        builder.store(_generate(builder, ()), answer)
    return builder.load(answer)


def _generate(builder: Any, operands: Sequence[Any]) -> Any:
    from llvmlite import ir

    number = ir.IntType(32)
    held = _seldom_called(builder, "PyGILState_Ensure", number)  # a plan may have let go of it
    raised = _seldom_called(builder, "PyErr_CheckSignals", number)
    _seldom_called(builder, "PyGILState_Release", ir.VoidType(), held)
    return builder.icmp_signed("!=", raised, number(0))


def _seldom_called(builder: Any, name: str, result: Any, *given: Any) -> Any:
    """A call of a C function that LLVM is told is rare. Else it keeps what a loop computes with in memory, because the
    call would overwrite registers."""
    call = called(builder, name, result, *given)
    call.callee.attributes.add("cold")
    return call
