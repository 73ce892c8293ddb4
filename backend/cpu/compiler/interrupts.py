"""Signals that arrive while a kernel runs: kernel text asks from time to time, and ends where a handler raised.

Importing this module does not import numba.
"""

from __future__ import annotations

from functools import cache
from typing import Any

NAME = "interrupted"


def functions_named_in(text: str) -> dict[str, object]:
    """The function that asks, if `text` names it."""
    return {NAME: _asks()} if f"{NAME}()" in text else {}


@cache
def _asks() -> object:
    """The intrinsic `interrupted()`: runs the handlers of signals that have arrived; whether one raised."""
    from llvmlite import ir
    from numba import types
    from numba.core.cgutils import get_or_insert_function
    from numba.core.extending import intrinsic

    number = ir.IntType(32)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def call(name: str, result: Any, *given: Any) -> Any:
            kind = ir.FunctionType(result, [each.type for each in given])
            return builder.call(get_or_insert_function(builder.module, kind, name), given)

        held = call("PyGILState_Ensure", number)  # a plan may have let go of it
        raised = call("PyErr_CheckSignals", number)
        call("PyGILState_Release", ir.VoidType(), held)
        return builder.icmp_signed("!=", raised, number(0))

    def interrupted(typingctx: Any) -> Any:
        return types.boolean(), codegen

    return intrinsic(interrupted)  # type: ignore[no-any-return]
