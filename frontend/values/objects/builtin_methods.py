"""Methods in C that are bound to something: what reading `owner.name` gives where no Python function is behind it."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ....guards.guard import Equals, Is, TypeIs
from ....guards.sources import Attribute, Source
from ...breaks import UNKNOWN_CALL, GraphBreak, ProgramRaised, Unwinding
from ...tracing.rules import checked_call
from .. import protocols
from ..base import OpaqueValue, Value, wrap
from ..constant import Constant
from .type_flags import HEAP_TYPE, IMMUTABLE_TYPE

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

# Note [Bound methods in C]
# CPython makes a new object each time such a method is read, so its identity says nothing. A traced one is what it is
# bound to, and a name. Outside of the trace it is made by reading the name again; one from outside is taken apart into
# the two, where the object's type is one that nobody can give another method of that name.


def is_fixed(kind: type) -> bool:
    """Whether nobody can set the attributes of a class."""
    return not kind.__flags__ & HEAP_TYPE or bool(kind.__flags__ & IMMUTABLE_TYPE)


def defined(kind: type, name: str) -> Any:
    """The entry of a class or a base under this name; None where none has one."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


def bound_type(found: Any) -> type:
    """The type of what reading an entry of a class on an instance gives, where that entry is no Python function."""
    if isinstance(found, types.WrapperDescriptorType):
        return types.MethodWrapperType
    of_c = types.MethodDescriptorType, types.ClassMethodDescriptorType, types.BuiltinFunctionType
    if found is None or isinstance(found, of_c):
        return types.BuiltinMethodType
    return types.MethodType  # functions that Cython compiles bind as Python's do


class BuiltinMethod(Value):
    """A method in C of something that the trace knows. See Note [Bound methods in C]."""

    __slots__ = ("name", "receiver", "source")

    def __init__(self, receiver: Any, name: str, source: Source | None = None) -> None:
        self.receiver = receiver
        self.name = name
        self.source = source

    @property
    def definition(self) -> Any:
        """The entry of the receiver's class."""
        return defined(self.receiver.python_type, self.name)

    @property
    def python_type(self) -> type:
        return bound_type(self.definition)

    def describe(self) -> str:
        return str(self.source) if self.source else f"{self.receiver.describe()}.{self.name}"

    def truth(self, trace: Trace) -> bool:
        return True

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        raise UNKNOWN_CALL.stop(name=self.describe())

    def attribute(self, trace: Trace, name: str) -> Value:
        kind = self.python_type
        if name == "__self__":
            return self.receiver  # type: ignore[no-any-return]
        if name == "__name__":
            return Constant(self.name)
        if name == "__qualname__" and is_fixed(self.receiver.python_type):
            return Constant(self._qualified_name())
        if name == "__doc__" and not self.receiver.python_type.__flags__ & HEAP_TYPE:
            # Methods of heap types may be of CPython's type `builtin_method`, which has no texts of its methods.
            return Constant(self.definition.__doc__)
        if kind is not types.MethodType and not hasattr(kind, name):  # of the others, the function is asked as well
            raise ProgramRaised(AttributeError(f"{kind.__name__!r} object has no attribute {name!r}"))
        raise self.unsupported(f"the attribute {name!r}")

    def _qualified_name(self) -> str:
        if isinstance(self.definition, types.ClassMethodDescriptorType):
            return f"{self.receiver.function.__qualname__}.{self.name}"
        if self.python_type is types.BuiltinMethodType:
            return f"{self.receiver.python_type.__qualname__}.{self.name}"
        return str(self.definition.__qualname__)

    def rebuild(self, writer: EntryWriter) -> str:
        if self.source is not None:
            return self.source.text(writer.pool)
        return writer.once(self, lambda: f"{self.receiver.rebuild(writer)}.{self.name}")


class ContainerMethod(BuiltinMethod):
    """A method of a traced container."""

    __slots__ = ()

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        kind = self.receiver.python_type
        rule = protocols.SEQUENCE_METHODS.load().get((kind, self.name))
        if rule is None:
            raise UNKNOWN_CALL.stop(name=self.describe())
        try:
            return checked_call(self.describe(), rule, trace, self.receiver, *args, **kwargs)
        except GraphBreak as stop:
            raise protocols.resolve_method_error(stop, kind, self.name, [self.receiver, *args], kwargs) from None


def read_bound(trace: Trace, value: Any, source: Source) -> Value:
    """A bound method from outside."""
    trace.guard(TypeIs, source, expected=type(value))
    name = name_of_bound(value)
    if name is None:
        return OpaqueValue(type(value), source)
    if type(value) is types.MethodType:
        trace.guard(Is, Attribute(source, "__func__"), expected=value.__func__)
    else:
        trace.guard(Equals, Attribute(source, "__name__"), expected=name)
    receiver = wrap(trace, value.__self__, Attribute(source, "__self__"))
    try:
        method = receiver.attribute(trace, name)
    except Unwinding:
        return BuiltinMethod(receiver, name, source)
    if isinstance(method, BuiltinMethod) or getattr(method, "source", source) is None:
        method.source = source
    return method


def is_kept(value: Any) -> bool:
    """Whether a function in C is one object however it is read: of a module, or one that a class has as it is."""
    owner = value.__self__
    if owner is None or isinstance(owner, types.ModuleType):
        return True
    found = defined(owner, value.__name__) if isinstance(owner, type) else None
    return found is value or isinstance(found, staticmethod) and found.__func__ is value


def name_of_bound(value: Any) -> str | None:
    """Under which name a bound method is read on what it is bound to, now and at all times; None where it may not be.

    No code of the user's is asked.
    """
    owner = value.__self__
    if isinstance(owner, type):
        of_class = isinstance(defined(owner, value.__name__), types.ClassMethodDescriptorType) and is_fixed(owner)
        return value.__name__ if of_class and getattr(owner, value.__name__) == value else None
    if not is_fixed(type(owner)):
        return None
    if type(value) is types.MethodType:
        listed = ((name, each) for base in type(owner).__mro__ for name, each in vars(base).items())
        return next((name for name, each in listed if each is value.__func__), None)
    found = defined(type(owner), value.__name__)
    bound = found.__get__(owner, type(owner)) if hasattr(type(found), "__get__") else None
    return value.__name__ if bound == value else None
