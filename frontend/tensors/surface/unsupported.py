"""Functions of autograd that break a trace by name: gradient checks, and forward mode by levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....autograd.forward_ad import enter_dual_level, exit_dual_level, make_dual, unpack_dual
from ....autograd.gradcheck import gradcheck, gradgradcheck
from ...breaks import RUN_AGAIN, TENSOR_FEATURE, BreakKind
from ...tracing.rules import traces
from ...values.base import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...tracing.trace import Trace


def _break_at(function: Callable[..., Any], kind: BreakKind, **details: str) -> None:
    @traces(function)
    def stop(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        raise kind.stop(**details)


for _function in (enter_dual_level, exit_dual_level, make_dual, unpack_dual):
    _break_at(_function, TENSOR_FEATURE, feature=f"autograd.forward_ad.{_function.__name__}")
_break_at(gradcheck, RUN_AGAIN, name="autograd.gradcheck")
_break_at(gradgradcheck, RUN_AGAIN, name="autograd.gradgradcheck")
