"""`functools.lru_cache` around a function, made in the trace. One from outside is shared, and left to Python."""

# Note [A real cache over traced values]
# What a cache holds, which entry goes first, and what its counters say is CPython's to decide. So the cache is a real
# one. It is called with the arguments themselves, which have to be known, and holds the traced values that the function
# gave: while tracing, whatever is cached is not evaluated again.

from __future__ import annotations

import functools
import types
import weakref
from typing import TYPE_CHECKING, Any

from ...breaks import SIDE_EFFECT, UNKNOWN_CALL, ProgramRaised
from ...tracing.rules import checked_call, traces
from ..base import Value
from ..builtin_callable import BuiltinCallable
from ..constant import LITERALS, NONE, Constant
from ..containers.sequences import TupleValue
from ..functions.functions import COPIED, FunctionValue
from .builtin_methods import BuiltinMethod
from .classes import class_attribute
from .new_instance import NewInstance

if TYPE_CHECKING:
    from ...tracing.trace import Trace

WRAPPER: Any = functools._lru_cache_wrapper
"""The class of such functions."""


class CachedFunction(Value):
    """A function behind a cache. `real` is the cache; `wrapped` is what `update_wrapper` was told that it wraps."""

    is_one_object = True

    def __init__(self, trace: Trace, function: Value, maxsize: Any, typed: Any, info: Value) -> None:
        self.function = function
        self.info = info
        self.typed = bool(typed)
        self.wrapped: FunctionValue | None = None
        self._attributes: dict[str, Value] = {}
        self._trace = trace
        self._given: tuple[list[Value], dict[str, Value]] = [], {}
        this: Any = weakref.ref(self)  # no cycle: what the function refers to is freed without the collector
        try:
            self.real = WRAPPER(lambda *_, **__: this()._evaluated(), maxsize, typed, lambda *counts: counts)
        except TypeError as error:
            raise ProgramRaised(error.with_traceback(None)) from None

    @property
    def python_type(self) -> type:
        return WRAPPER  # type: ignore[no-any-return]

    def describe(self) -> str:
        return f"the cache of {self.function.describe()}"

    def truth(self, trace: Trace) -> bool:
        return True

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        positional = [self._key(each) for each in args]
        named = {name: self._key(each) for name, each in kwargs.items()}
        self._check_hashable([*positional, *named.values()])
        self._given = args, kwargs
        return self.real(*positional, **named)  # type: ignore[no-any-return]

    def _evaluated(self) -> Value:
        return self.function.call(self._trace, *self._given)

    def _key(self, value: Value) -> Any:
        """The object that stands for an argument in the cache."""
        if type(value) is TupleValue:
            return tuple(self._key(each) for each in value.items)
        if isinstance(value, BuiltinCallable):
            if type(value.function) in (type, types.BuiltinFunctionType):
                return value.function
        elif isinstance(value, NewInstance):
            found = [class_attribute(self._trace, value.cls, name)[0] for name in ("__eq__", "__hash__")]
            if found == [object.__eq__, object.__hash__] and not self.typed:
                return value
        elif value.python_type in (list, dict, set):
            return value.python_type()
        else:
            known = value.constant(self._trace)
            if type(known) in LITERALS and known == known:  # a NaN equals itself where it is one object
                return known
        raise value.unsupported("a cached call")

    def _check_hashable(self, keys: list[Any]) -> None:
        if len(keys) > 1 or not keys or type(keys[0]) not in (int, str):
            try:
                hash(tuple(keys))
            except TypeError as error:
                raise ProgramRaised(error.with_traceback(None)) from None

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in ("cache_info", "cache_clear"):
            return CacheMethod(self, name)
        if name in self._attributes:
            return self._attributes[name]
        if self.wrapped is not None and name == "__wrapped__":
            return self.wrapped
        if self.wrapped is not None and name in COPIED:
            return self.wrapped.attribute(trace, name)
        raise self.unsupported(f"the attribute {name!r}")

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        if name.startswith("__") or hasattr(WRAPPER, name):
            raise SIDE_EFFECT.stop(name=f"{self.describe()}.{name}")
        self._attributes[name] = value

    def rebuild(self, writer: Any) -> str:
        raise self.unsupported("a return")  # with what it holds and has counted


class CacheMethod(BuiltinMethod):
    """`cache_info` or `cache_clear` of such a function."""

    __slots__ = ()
    receiver: CachedFunction

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        rule = _info if self.name == "cache_info" else _clear
        return checked_call(self.describe(), rule, trace, self.receiver, *args, **kwargs)


def _info(trace: Trace, owner: CachedFunction) -> Value:
    counts = [Constant(each) for each in owner.real.cache_info()]
    return owner.info.call(trace, list[Value](counts), {})


def _clear(trace: Trace, owner: CachedFunction) -> Value:
    owner.real.cache_clear()
    return NONE


@traces(WRAPPER)
def make_cache(trace: Trace, function: Value, maxsize: Value, typed: Value, info: Value, /) -> Value:
    """The wrapper that `functools.lru_cache` puts around a function."""
    if not isinstance(function, FunctionValue):
        raise UNKNOWN_CALL.stop(name="functools.lru_cache of what is no Python function")
    return CachedFunction(trace, function, maxsize.constant(trace), typed.constant(trace), info)
