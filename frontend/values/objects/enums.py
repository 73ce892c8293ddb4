"""Enumerations: classes that are asked for members, and members, which are known by identity."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from ....guards.guard import Is
from ....guards.sources import ConstantSource, Source
from ...breaks import UNKNOWN_CALL, ProgramRaised
from ..base import Value, wraps, wraps_when
from ..builtin_callable import BuiltinCallable
from ..constant import LITERALS
from ..containers.element_protocol import constant_value
from .classes import SLOT_WRAPPERS, class_attribute, reads_ordinarily
from .descriptors import read_class
from .objects import Instance

if TYPE_CHECKING:
    from ...tracing.trace import Trace


_MIXED_IN = (int, str, float)
"""The built-in types of which members may be as well, as those of `IntEnum` are ints."""


class EnumMember(Instance):
    """A member. What it holds is read like any instance's."""

    __slots__ = ()

    def constant(self, trace: Trace) -> Any:
        """The member itself, as a key of a dict: hashed by its name, and equal to itself alone."""
        for name, usual in (("__hash__", enum.Enum), ("__eq__", object)):
            found, source = class_attribute(trace, self.python_type, name)
            if found is not vars(usual)[name]:
                raise self.unsupported("the value of it as a constant")
            trace.guard(Is, source, expected=found)
        return self.value

    def special(self, trace: Trace, name: str, *args: Value) -> Value | None:
        found, source = class_attribute(trace, self.python_type, name)
        if type(found) not in SLOT_WRAPPERS or found.__objclass__ not in _MIXED_IN:
            return super().special(trace, name, *args)
        known = [each.value if isinstance(each, EnumMember) else each.constant(trace) for each in args]
        if not all(isinstance(each, _MIXED_IN) or type(each) in LITERALS for each in known):
            raise self.unsupported(f"the method {name}")
        trace.guard(Is, source, expected=found)
        try:
            return constant_value(found(self.value, *known))
        except (TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise ProgramRaised(error) from None


def member(value: enum.Enum) -> EnumMember:
    """A member that is reached through its class."""
    return EnumMember(value, ConstantSource(value, f"{type(value).__qualname__}.{value._name_}"))


class EnumClass(BuiltinCallable):
    """An enumeration. Its members are fixed when the class is made."""

    __slots__ = ()

    def members(self) -> dict[str, enum.Enum]:
        """The members by name, aliases included."""
        found: dict[str, enum.Enum] = vars(self.function)["_member_map_"]
        return found

    def attribute(self, trace: Trace, name: str) -> Value:
        found = self.members().get(name)
        if found is None:
            return read_class(trace, self, name)
        return member(found)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if len(args) == 1 and isinstance(args[0], EnumMember) and args[0].python_type is self.function:
            return args[0]
        if len(args) != 1 or kwargs or isinstance(args[0], Instance):
            raise UNKNOWN_CALL.stop(name=self.describe())
        wanted = args[0].constant(trace)
        known = vars(self.function)["_value2member_map_"]
        if type(wanted) not in LITERALS or wanted not in known:
            raise UNKNOWN_CALL.stop(name=f"{self.describe()} of a value without a member")
        return member(known[wanted])

    def item(self, trace: Trace, key: Value) -> Value:
        name = key.constant(trace)
        if type(name) is not str or name not in self.members():
            raise ProgramRaised(KeyError(name))
        return member(self.members()[name])

    def elements(self, trace: Trace) -> list[Value]:
        return [member(self.members()[name]) for name in vars(self.function)["_member_names_"]]

    def length(self, trace: Trace) -> int:
        return len(vars(self.function)["_member_names_"])


@wraps(enum.EnumMeta)
def wrap_enum(trace: Trace, value: Any, source: Source) -> Value:
    """An enumeration; `Enum` and its like, which have no members, too."""
    trace.guard(Is, source, expected=value)
    return EnumClass(value, source)


@wraps_when(lambda value: type(type(value)) is enum.EnumMeta and reads_ordinarily(type(value)), first=True)
def wrap_member(trace: Trace, value: Any, source: Source) -> Value:
    """A member, by identity."""
    trace.guard(Is, source, expected=value)
    return EnumMember(value, source)
