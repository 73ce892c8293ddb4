"""Classes registered with optree while tracing: the functions that were registered are followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....func.trees import putting_together, taking_apart
from ....guards.computed_sources import CallSource
from ....guards.guard import Is
from ....guards.sources import ConstantSource
from ...tracing.rules import traces
from ...values.base import Value, wrap
from ...values.builtin_callable import BuiltinCallable
from ...values.constant import NONE

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@traces(taking_apart)
def trace_taking_apart(trace: Trace, kind: Value) -> Value:
    """The function that takes objects of a class apart, or None."""
    return _registered(trace, taking_apart, kind, "optree's way to take a {} apart")


@traces(putting_together)
def trace_putting_together(trace: Trace, kind: Value) -> Value:
    """The function that puts objects of a class together."""
    return _registered(trace, putting_together, kind, "optree's way to put a {} together")


def _registered(trace: Trace, asked: Callable[[type], Any], kind: Value, label: str) -> Value:
    """The function that is registered now, which the next call asks for again."""
    if not isinstance(kind, BuiltinCallable) or not isinstance(kind.function, type):
        raise kind.unsupported("a node of a tree")
    cls = kind.function
    name = cls.__qualname__
    found, source = asked(cls), CallSource(asked, label.format(name), (ConstantSource(cls, name),), is_read=True)
    if found is None:
        trace.guard(Is, source, expected=None)
        return NONE
    return wrap(trace, found, source)
