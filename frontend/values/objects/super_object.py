"""`super()`: attributes looked up behind one class of an object's MRO, and bound to the object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...breaks import ProgramRaised
from ..base import Value
from ..builtin_callable import BuiltinCallable
from .classes import ABSENT, attribute_among
from .descriptors import get
from .user_object import UserObject

if TYPE_CHECKING:
    from ...tracing.trace import Trace


class SuperValue(Value):
    """`super(start, owner)`, where `owner` is an object or, in a class method, a class."""

    __slots__ = ("owner", "start")

    def __init__(self, start: type, owner: UserObject | BuiltinCallable) -> None:
        self.start = start
        self.owner = owner

    @property
    def python_type(self) -> type:
        return super

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        instance = self.owner if isinstance(self.owner, UserObject) else None
        cls: type = self.owner.function if isinstance(self.owner, BuiltinCallable) else self.owner.python_type
        if name == "__class__":
            raise self.unsupported(f"the attribute {name!r}")
        behind = cls.__mro__[cls.__mro__.index(self.start) + 1 :]
        found, source = attribute_among(trace, cls, behind, name)
        if found is ABSENT:
            raise ProgramRaised(AttributeError(f"'super' object has no attribute {name!r}"))
        return get(trace, found, source, instance, cls, name)


def super_of(start: Value, owner: Value) -> SuperValue:
    """The two-argument form. Errors: a break for anything but a class and an object or subclass of it."""
    if isinstance(start, BuiltinCallable) and isinstance(start.function, type):
        if isinstance(owner, UserObject) and issubclass(owner.python_type, start.function.__mro__[0]):
            return SuperValue(start.function, owner)
        if (
            isinstance(owner, BuiltinCallable)
            and isinstance(owner.function, type)
            and start.function in owner.function.__mro__
        ):
            return SuperValue(start.function, owner)
    raise start.unsupported("super()")
