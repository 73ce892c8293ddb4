"""`disable`, `graph_break` and `is_compiling`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..breaks import ASKED, DISABLED
from ..tracing.control import graph_break, is_compiling, why_disabled
from ..tracing.rules import Rule, traces, traces_family
from ..values.constant import Constant

if TYPE_CHECKING:
    from ..tracing.trace import Trace
    from ..values.base import Value


@traces(is_compiling)
def trace_is_compiling(trace: Trace) -> Value:
    """`is_compiling()`."""
    return Constant(True)


@traces(graph_break)
def trace_graph_break(trace: Trace, msg: Value | None = None) -> Value:
    """`graph_break()`."""
    text = "" if msg is None else str(msg.constant(trace))
    raise ASKED.stop(said=f": {text}" if text else "")


@traces_family
def rule_of_disabled(function: Any) -> Rule | None:
    """The rule of a function that `disable` gave back."""
    reason = why_disabled(function)
    if reason is None:
        return None

    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        raise DISABLED.stop(name=function.__qualname__, said=f" ({reason})" if reason else "")

    return rule
