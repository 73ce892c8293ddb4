"""Callables that are known by identity and are no Python functions: built-in functions, classes, ufuncs."""

from __future__ import annotations

import types
from collections import deque
from typing import TYPE_CHECKING, Any

from ...guards.guard import Equals, Is, TypeIs
from ...guards.sources import Attribute, Pinned, Source
from ..breaks import UNKNOWN_CALL, GraphBreak
from .base import Value, wrap, wraps
from .constant import Constant
from .type_flags import HEAP_TYPE, IMMUTABLE_TYPE

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace


class Known(Value):
    """A callable that is not a Python function and has a rule of its own (`np.tanh`, `len`, `math.sqrt`), or none."""

    __slots__ = ("function", "source")

    def __init__(self, function: Any, source: Source | None = None) -> None:
        self.function = function
        self.source = source

    @property
    def python_type(self) -> type:
        return type(self.function)

    def describe(self) -> str:
        module = getattr(self.function, "__module__", None)
        name = getattr(self.function, "__name__", None) or type(self.function).__name__
        return f"{module}.{name}" if module and module != "builtins" else str(name)

    def truth(self, trace: Trace) -> bool:
        return True

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from ..builtin_errors import settle

        try:
            return self._called(trace, args, kwargs)
        except GraphBreak as stop:
            raise settle(stop, self.function, args, kwargs) from None

    def _called(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from ..callables import rule_for

        if trace.region is not None:
            from ..regions.array_functions import call, rule_of

            native = rule_of(trace, self.function, [*args, *kwargs.values()])
            if native is not None:
                return call(trace, native, args, kwargs)
        rule = rule_for(self.function)
        if rule is None and isinstance(self.function, type) and issubclass(self.function, BaseException):
            from ..raising import make

            return make(trace, self.function, args, kwargs)
        if rule is None and isinstance(self.function, type):
            from ..construction import construct

            return construct(trace, self, args, kwargs)
        if rule is None:
            raise UNKNOWN_CALL.stop(name=self.describe())
        return rule(trace, *args, **kwargs)

    def attribute(self, trace: Trace, name: str) -> Value:
        from ..callables import rule_for
        from .builtin_types import attribute_of_type
        from .classes import ORDINARY_METACLASSES

        found = attribute_of_type(self.function, name)
        if found is not None:
            return found
        made = _alternative_constructor(self.function, name)
        if made is not None and rule_for(made) is not None:
            return Known(made)
        if type(self.function) in ORDINARY_METACLASSES:
            from .objects import read_class

            return read_class(trace, self, name)
        if name in _WORDS and _is_fixed(self.function):
            return Constant(getattr(self.function, name))
        if _is_ufunc_method(self.function, name) and rule_for((self.function, name)) is not None:
            return Known((self.function, name))
        raise self.unsupported(f"the attribute {name!r}")

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        from .objects import set_on_class

        if type(self.function) is not type:
            super().set_attribute(trace, name, value)
        set_on_class(trace, self, name, value)

    def is_constant(self) -> bool:
        return isinstance(self.function, type)

    def constant(self, trace: Trace) -> Any:
        if isinstance(self.function, type):
            return self.function
        raise self.unsupported("the value of it as a constant")

    def rebuild(self, writer: Any) -> str:
        return self.source.text(writer.pool) if self.source else writer.pool.add(self.function)


_WORDS = ("__name__", "__qualname__", "__doc__")
"""What a function in C says of itself."""


def _is_fixed(function: Any) -> bool:
    """Whether nobody can change the words of a function: those of a class's own method name the class."""
    if type(function) in (types.WrapperDescriptorType, types.MethodDescriptorType):
        return not function.__objclass__.__flags__ & HEAP_TYPE
    return type(function) is types.BuiltinFunctionType and type(function.__self__) is types.ModuleType


def _alternative_constructor(kind: Any, name: str) -> Any:
    """A method of a built-in class itself (`itertools.chain.from_iterable`), which nobody can replace; else None."""
    if type(kind) is not type or not isinstance(vars(kind).get(name), types.ClassMethodDescriptorType):
        return None
    fixed = not kind.__flags__ & HEAP_TYPE or kind.__flags__ & IMMUTABLE_TYPE
    return getattr(kind, name) if fixed else None


def _is_ufunc_method(function: Any, name: str) -> bool:
    import numpy as np

    return isinstance(function, np.ufunc) and name in ("reduce", "accumulate", "outer", "at", "reduceat")


class BuiltinMethod(Value):
    """A method in C of something that the trace knows."""

    __slots__ = ("name", "receiver", "source")

    def __init__(self, receiver: Any, name: str, source: Source | None = None) -> None:
        self.receiver = receiver
        self.name = name
        self.source = source

    @property
    def python_type(self) -> type:
        found = getattr(self.receiver.python_type, self.name, None)
        return types.MethodWrapperType if isinstance(found, types.WrapperDescriptorType) else types.BuiltinMethodType

    def describe(self) -> str:
        return str(self.source) if self.source else f"{self.receiver.describe()}.{self.name}"

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in _WORDS:
            return Constant(getattr(getattr(self.receiver.python_type, self.name), name))
        if name == "__self__":
            return self.receiver  # type: ignore[no-any-return]
        raise self.unsupported(f"the attribute {name!r}")

    def rebuild(self, writer: Writer) -> str:
        if self.source is not None:
            return self.source.text(writer.pool)
        return writer.once(self, lambda: f"{self.receiver.rebuild(writer)}.{self.name}")


class ContainerMethod(BuiltinMethod):
    """A method of a traced container."""

    __slots__ = ()

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from ..builtin_errors import settle_method
        from ..callables import checked_call
        from ..container_methods import METHODS

        kind = self.receiver.python_type
        rule = METHODS.get((kind, self.name))
        if rule is None:
            raise UNKNOWN_CALL.stop(name=self.describe())
        try:
            return checked_call(self.describe(), rule, trace, self.receiver, *args, **kwargs)
        except GraphBreak as stop:
            raise settle_method(stop, kind, self.name, [self.receiver, *args], kwargs) from None


@wraps(types.BuiltinFunctionType)
def wrap_builtin(trace: Trace, value: Any, source: Source) -> Value:
    """A built-in function, as itself; a method of a container or a known text, as such."""
    bound = _of_container(trace, value, source)
    if bound is not None:
        return bound
    trace.guard(Is, source, expected=value)
    if type(value.__self__) in (str, bytes):
        method = wrap(trace, value.__self__, Pinned(value.__self__, f"{source}.__self__"))
        method = method.attribute(trace, value.__name__)
        method.source = source
        return method
    return Known(value, source)


def _of_container(trace: Trace, value: Any, source: Source) -> Value | None:
    """A method that is bound to a container, which is looked up at every call; None for anything else."""
    if type(value.__self__) not in _CONTAINERS:
        return None
    trace.guard(TypeIs, source, expected=types.BuiltinFunctionType)
    trace.guard(Equals, Attribute(source, "__name__"), expected=value.__name__)
    receiver = wrap(trace, value.__self__, Attribute(source, "__self__"))
    method = receiver.attribute(trace, value.__name__)
    if isinstance(method, BuiltinMethod):
        method.source = source
    return method


_CONTAINERS = (list, dict, set, deque)
