"""Dataclasses as containers: which fields are parts is a fact about the class, which CPython says while tracing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.dataclass_parts import part_names
from ....guards.guard import Is
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.sequences import TupleValue
from ...values.objects.classes import class_attribute

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@traces(part_names)
def trace_part_names(trace: Trace, kind: Value) -> Value:
    """The names, as long as the class has these fields."""
    cls = kind.constant(trace)
    found, source = class_attribute(trace, cls, "__dataclass_fields__")
    trace.guard(Is, source, expected=found)
    return TupleValue([Constant(name) for name in part_names(cls)])
