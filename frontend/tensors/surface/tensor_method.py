"""Bound methods of traced tensors, dense and sparse, that the tracer has rules for."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...tracing.rules import Rule, checked_call
from ...values.base import Value

if TYPE_CHECKING:
    from ...tracing.trace import Trace


class TensorMethod(Value):
    """A bound method of a traced tensor.   rules: those of such methods, by name."""

    __slots__ = ("name", "receiver", "rules")

    def __init__(self, receiver: Value, name: str, rules: Mapping[str, Rule]) -> None:
        self.receiver = receiver
        self.name = name
        self.rules = rules

    @property
    def python_type(self) -> type:
        return types.MethodType

    def describe(self) -> str:
        return f"{self.receiver.describe()}.{self.name}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return checked_call(self.describe(), self.rules[self.name], trace, self.receiver, *args, **kwargs)
