"""Derivatives of functions while tracing: each breaks the graph, so that the call runs plainly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...autograd import functional
from ...autograd.gradcheck import gradcheck, gradgradcheck
from ..breaks import TENSOR_FEATURE
from ..callables import traces
from ..values.base import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..trace import Trace


def _break_at(function: Callable[..., Any], name: str) -> None:
    @traces(function)
    def stop(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        raise TENSOR_FEATURE.stop(feature=f"autograd.{name}")


for _name in functional.__all__:
    _break_at(getattr(functional, _name), f"functional.{_name}")
_break_at(gradcheck, "gradcheck")
_break_at(gradgradcheck, "gradgradcheck")
