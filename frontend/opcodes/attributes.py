"""Deletion of attributes, and `super().name`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..bytecode.opcode_table import opcode
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.objects.super_object import super_of
from .loads import callable_slots, push_callable

if TYPE_CHECKING:
    from ..interpreter.frame import Frame


@opcode("DELETE_ATTR", stack="owner --")
def delete_attr(frame: Frame, arg: str, owner: Value) -> None:
    """`del owner.name`."""
    frame.trace.refuse_in_iterations(f"the deletion of the attribute {arg!r}")
    owner.delete_attribute(frame.trace, arg)


@opcode("LOAD_SUPER_ATTR", stack="*callable cls owner -- " + callable_slots("maybe[arg[0]]"))
def load_super_attr(frame: Frame, arg: Any) -> None:
    """`super(cls, owner).name`, where the name `super` may be somebody else's."""
    as_method, _, name = arg
    owner, cls, callable = frame.pop(), frame.pop(), frame.pop()
    if not isinstance(callable, BuiltinCallable) or callable.function is not super:
        raise callable.unsupported("super()")
    value = super_of(cls, owner).attribute(frame.trace, name)
    if as_method:
        push_callable(frame, value, None)
    else:
        frame.push(value)
