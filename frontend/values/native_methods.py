"""Methods of built-in types, bound to objects of subclasses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...guards.sources import Source
from .base import Value
from .functions import BoundMethod
from .known import BuiltinMethod, Known

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace
    from .holders import Holder
    from .user_object import UserObject


class NativeMethod(BuiltinMethod):
    """A method in C that a built-in type defines, bound to an object of a subclass."""

    __slots__ = ("found",)

    def __init__(self, receiver: Holder, found: Any) -> None:
        super().__init__(receiver, found.__name__)
        self.found = found

    @property
    def python_type(self) -> type:
        return type(self.found.__get__(self.found.__objclass__()))

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from ..held_methods import call_native

        return call_native(trace, self.found, self.receiver, args, kwargs)

    def rebuild(self, writer: Writer) -> str:
        return writer.once(self, lambda: f"{writer.pool.add(self.found)}.__get__({self.receiver.rebuild(writer)})")


def bound(found: Any, source: Source, owner: UserObject) -> Value:
    """What reading a method in C on an object gives."""
    from .holders import PLAIN, Holder

    if isinstance(owner, Holder) and found.__objclass__ in PLAIN:
        return NativeMethod(owner, found)
    return BoundMethod(Known(found, source), owner)
