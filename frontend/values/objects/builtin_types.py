"""Attributes of built-in types: methods without a receiver (`str.upper`), and functions like `dict.fromkeys`."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ....guards.guard import Is
from ....guards.sources import Source
from ...breaks import UNKNOWN_CALL, ProgramRaised
from ...tracing.rules import checked_call
from .. import protocols, text
from ..base import Value, wraps
from ..builtin_callable import BuiltinCallable
from ..constant import NONE, Constant
from ..containers.dicts import DictValue
from .classes import ORDINARY_METACLASSES
from .user_object import UserObject

if TYPE_CHECKING:
    from ...tracing.trace import Trace

PURE = frozenset(
    {(str, "maketrans"), (bytes, "maketrans"), (bytes, "fromhex"), (float, "fromhex"), (int, "from_bytes")}
)
"""Functions of a type that depend on their arguments alone."""


class TypeFunction(Value):
    """A function that a built-in type has: of a receiver, or of the type itself."""

    __slots__ = ("kind", "name", "source")

    def __init__(self, kind: type, name: str) -> None:
        self.kind = kind
        self.name = name
        self.source: Source | None = None

    @property
    def python_type(self) -> type:
        return type(getattr(self.kind, self.name))

    def describe(self) -> str:
        return f"{self.kind.__name__}.{self.name}"

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in ("__name__", "__qualname__", "__doc__"):
            return Constant(getattr(getattr(self.kind, self.name), name))
        if not hasattr(self.python_type, name):
            raise ProgramRaised(AttributeError(f"{self.python_type.__name__!r} object has no attribute {name!r}"))
        raise self.unsupported(f"the attribute {name!r}")

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if (self.kind, self.name) in PURE:
            named = {key: each.constant(trace) for key, each in kwargs.items()}
            return text.pure(getattr(self.kind, self.name), [each.constant(trace) for each in args], named)
        if self.name == "fromkeys":
            return checked_call(self.describe(), _from_keys, trace, *args, **kwargs)
        if not args or not issubclass(args[0].python_type, self.kind):
            stop = UNKNOWN_CALL.stop(name=f"{self.describe()} without an object of that type")
            raise protocols.resolve_method_error(stop, self.kind, self.name, args, kwargs)
        if isinstance(args[0], UserObject):  # whose class may have such a method of its own
            return BuiltinCallable(getattr(self.kind, self.name)).call(trace, args, kwargs)
        return args[0].attribute(trace, self.name).call(trace, args[1:], kwargs)

    def rebuild(self, writer: Any) -> str:
        if self.source is not None:
            return self.source.text(writer.pool)
        return writer.once(self, lambda: f"{writer.pool.add(self.kind)}.{self.name}")


def _from_keys(trace: Trace, keys: Value, value: Value = NONE) -> Value:
    made = DictValue({})
    for key in keys.iterate(trace):
        made.set_item(trace, key, value)
    return made


def attribute_of_type(kind: Any, name: str) -> Value | None:
    """The attribute of a built-in type; None where there is no rule."""
    if not isinstance(kind, type):
        return None
    known = (
        (kind, name) in protocols.SEQUENCE_METHODS.load() or name in text.METHODS.get(kind, ()) or (kind, name) in PURE
    )
    if (known or (kind, name) == (dict, "fromkeys")) and hasattr(kind, name):
        return TypeFunction(kind, name)
    return None


def union(left: Value, right: Value) -> Value:
    """`left | right` of classes, unions and None. Errors: a break for anything else."""
    parts = [_member(left), _member(right)]
    return BuiltinCallable(parts[0] | parts[1])


def _member(value: Value) -> Any:
    found = (
        value.function if isinstance(value, BuiltinCallable) else value.value if isinstance(value, Constant) else ...
    )
    if (
        found is None
        or isinstance(found, types.UnionType)
        or isinstance(found, type)
        and _joins_as_classes_do(type(found))
    ):
        return found
    raise value.unsupported("the operator `|`")


def _joins_as_classes_do(metaclass: Any) -> bool:
    """Whether `|` of classes of a metaclass is that of all classes."""
    return metaclass in ORDINARY_METACLASSES or metaclass.__or__ is type.__or__ and metaclass.__ror__ is type.__ror__


@wraps(types.UnionType)
def wrap_union(trace: Trace, value: Any, source: Source) -> Value:
    """A union from outside, as itself."""
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)
