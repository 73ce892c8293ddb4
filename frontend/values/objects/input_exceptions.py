"""Exception objects from outside: read like other objects. Raising one writes into it, and is left to Python."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ....guards.guard import TypeIs
from ....guards.sources import Source
from ...breaks import SIDE_EFFECT
from ..base import Value, wrap, wraps_when
from ..containers.sequences import TupleValue
from .classes import SlotMember, class_attribute, reads_ordinarily
from .exceptions import text_by_class
from .objects import Instance, dict_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_TEXT = (BaseException.__str__, KeyError.__str__, BaseException.__repr__)
"""The methods that make a text of nothing but `args`."""


class OutsideException(Instance):
    """An exception from outside. Its fields are read through the descriptors of its built-in class."""

    __slots__ = ()

    def attribute(self, trace: Trace, name: str) -> Value:
        found = class_attribute(trace, self.python_type, name)[0]
        if type(found) is types.GetSetDescriptorType and issubclass(found.__objclass__, BaseException):
            if name != "__dict__":
                return wrap(trace, found.__get__(self.value), SlotMember(self.source, found, name))
        return super().attribute(trace, name)

    def put_slot(self, trace: Trace, descriptor: Any, name: str, value: Value | None) -> None:
        raise SIDE_EFFECT.stop(name=f"{self.describe()}.{name}")

    def special(self, trace: Trace, name: str, *args: Value) -> Value | None:
        found = class_attribute(trace, self.python_type, name)[0]
        if name in ("__str__", "__repr__") and found in _TEXT:
            given = self.attribute(trace, "args")
            assert isinstance(given, TupleValue)
            return text_by_class(trace, self, self.python_type, given, name)
        return super().special(trace, name, *args)


def _reads_plainly(value: Any) -> bool:
    cls = type(value)
    known = issubclass(type(value), BaseException) and type(cls) is type and reads_ordinarily(cls)
    return known and type(vars(value)) is dict


@wraps_when(_reads_plainly)
def wrap_exception(trace: Trace, value: Any, source: Source) -> Value:
    """An exception from outside."""
    trace.guard(TypeIs, source, expected=type(value))
    trace.guard(TypeIs, dict_of(source), expected=dict)
    class_attribute(trace, type(value), "__getattribute__")  # guards that no class comes to define one
    return OutsideException(value, source)
