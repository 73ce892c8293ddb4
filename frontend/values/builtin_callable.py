"""Callables that are known by identity and are no Python functions: built-in functions, classes, ufuncs."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ...guards.guard import Is
from ...guards.sources import Source
from ..breaks import UNKNOWN_CALL, GraphBreak
from ..tracing.rules import rule_for
from . import protocols
from .base import Value, wraps
from .constant import Constant
from .objects.builtin_methods import BuiltinMethod, defined, is_fixed, is_kept, read_bound

if TYPE_CHECKING:
    from ..tracing.trace import Trace


class BuiltinCallable(Value):
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
        try:
            found = called_by_rule(trace, self.function, args, kwargs)
            return self._called(trace, args, kwargs) if found is None else found
        except GraphBreak as stop:
            raise protocols.resolve_call_error(stop, self.function, args, kwargs) from None

    def _called(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A call of what has no rule of its own."""
        if isinstance(self.function, type) and issubclass(self.function, BaseException):
            from .objects.raise_exception import make

            return make(trace, self.function, args, kwargs)
        if isinstance(self.function, type):
            return protocols.construct(trace, self, args, kwargs)
        raise UNKNOWN_CALL.stop(name=self.describe())

    def attribute(self, trace: Trace, name: str) -> Value:
        from .objects.builtin_types import attribute_of_type
        from .objects.classes import ORDINARY_METACLASSES

        found = attribute_of_type(self.function, name)
        if found is not None:
            return found
        made = _alternative_constructor(self.function, name)
        if made is not None and rule_for(made) is not None:
            return RuledMethod(self, name, made)
        if type(self.function) in ORDINARY_METACLASSES:
            from .objects.objects import read_class

            return read_class(trace, self, name)
        if name in _WORDS and _is_fixed(self.function):
            return Constant(getattr(self.function, name))
        if isinstance(self.function, np.ufunc) and name in UFUNC_METHODS:
            return RuledMethod(self, name, (self.function, name))
        raise self.unsupported(f"the attribute {name!r}")

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        from .objects.objects import set_on_class

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
"""The attributes by which a function in C describes itself."""


def _is_fixed(function: Any) -> bool:
    """Whether nobody can change the words of a function: those of a class's own method name the class."""
    if type(function) in (types.WrapperDescriptorType, types.MethodDescriptorType):
        return is_fixed(function.__objclass__)
    return type(function) is types.BuiltinFunctionType and type(function.__self__) is types.ModuleType


def _alternative_constructor(kind: Any, name: str) -> Any:
    """A method of a built-in class itself (`itertools.chain.from_iterable`), which nobody can replace; else None."""
    if type(kind) is not type or not isinstance(vars(kind).get(name), types.ClassMethodDescriptorType):
        return None
    return getattr(kind, name) if is_fixed(kind) else None


def called_by_rule(trace: Trace, key: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The result of a call by the callable's rule; None without one. `key`: what the table of rules has it under."""
    if trace.region is not None:
        native = protocols.region_rule_of(trace, key, [*args, *kwargs.values()])
        if native is not None:
            return protocols.call_in_region(trace, native, args, kwargs)
    rule = rule_for(key)
    return None if rule is None else rule(trace, *args, **kwargs)


class RuledMethod(BuiltinMethod):
    """A method of a ufunc (`np.add.reduce`) or of a built-in class itself, for which the table of rules is asked.

    key: what the table has it under: of a ufunc, that and the name, which together are no object.
    """

    __slots__ = ("key",)

    def __init__(self, receiver: BuiltinCallable, name: str, key: Any) -> None:
        super().__init__(receiver, name)
        self.key = key

    @property
    def definition(self) -> Any:
        owner = self.receiver.function
        return defined(owner if isinstance(owner, type) else type(owner), self.name)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        found = called_by_rule(trace, self.key, args, kwargs)
        if found is None:
            raise UNKNOWN_CALL.stop(name=self.describe())
        return found


UFUNC_METHODS = frozenset("accumulate at outer reduce reduceat".split())


@wraps(types.BuiltinFunctionType)
def wrap_builtin(trace: Trace, value: Any, source: Source) -> Value:
    """A function of a module, as itself; a bound method by what it is bound to."""
    if not is_kept(value):
        return read_bound(trace, value, source)
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)


@wraps(types.MethodWrapperType)
def wrap_method_wrapper(trace: Trace, value: Any, source: Source) -> Value:
    """A special method in C, bound to an object."""
    return read_bound(trace, value, source)
