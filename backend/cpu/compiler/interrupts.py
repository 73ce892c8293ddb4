"""Signals that arrive while a kernel runs: kernel text asks from time to time, and ends where a handler raised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...llvm.native_functions import NativeFunction, called

NAME = "interrupted"


def interrupted_named(name: str) -> NativeFunction | None:
    """The function `interrupted()`: runs the handlers of signals that have arrived; whether one raised."""
    return NativeFunction(NAME, (), "b1", _generate) if name == NAME else None


def _generate(builder: Any, operands: Sequence[Any]) -> Any:
    from llvmlite import ir

    number = ir.IntType(32)
    held = called(builder, "PyGILState_Ensure", number)  # a plan may have let go of it
    raised = called(builder, "PyErr_CheckSignals", number)
    called(builder, "PyGILState_Release", ir.VoidType(), held)
    return builder.icmp_signed("!=", raised, number(0))
