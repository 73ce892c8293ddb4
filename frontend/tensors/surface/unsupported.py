"""Functions of autograd that break a trace by name: gradient checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....autograd.gradcheck import gradcheck, gradgradcheck
from ...breaks import RUN_AGAIN
from ...tracing.rules import traces
from ...values.base import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...tracing.trace import Trace


def _break_at(function: Callable[..., Any], feature: str) -> None:
    @traces(function)
    def stop(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        raise RUN_AGAIN.stop(name=feature)


_break_at(gradcheck, "autograd.gradcheck")
_break_at(gradgradcheck, "autograd.gradgradcheck")
