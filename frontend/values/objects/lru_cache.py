"""`functools.lru_cache` around a function: made in the trace, or from outside around what has no effects."""

# Note [A real cache over traced values]
# What a cache holds, which entry goes first, and what its counters say is CPython's to decide. So the cache is a real
# one. It is called with the arguments themselves, which have to be known, and holds the traced values that the function
# gave: while tracing, whatever is cached is not evaluated again.

# Note [A cache from outside]
# One that existed before is shared with everybody: what it holds, may be dropped or filled by others. So what it would
# give is evaluated, as if there were no cache, and all that this reads is guarded: as long as it is so, the function
# gives the same again, whether the cache still knows it or not. That holds for a function without effects whose result
# is known and never changes (a class, a module, a number, a text). What the cache gives now may be of an earlier time,
# when what the function reads was different; then the call is left to Python. What cannot be told apart is when the
# cache was asked: `cache_info()` does not count the calls of compiled code.
#
# A cache without bounds is a dict from arguments to results, in the order of the first calls. Where it has the result
# for literals, that is read from there, whatever it is, and guarded as anything that is read; nothing is followed.

from __future__ import annotations

import enum
import functools
import gc
import types
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from ....guards.containers import LacksKey
from ....guards.guard import Is
from ....guards.sources import Attribute, ConstantSource, Item, Named, Source
from ...breaks import SIDE_EFFECT, UNKNOWN_CALL, UNKNOWN_VALUE, GraphBreak, ProgramRaised, Unwinding
from ...tracing.rules import checked_call, traces
from ..base import MutableValue, Value, wrap, wraps
from ..builtin_callable import BuiltinCallable
from ..constant import LITERALS, NONE, Constant
from ..containers.sequences import TupleValue
from ..functions.functions import COPIED, FunctionValue
from .builtin_methods import BuiltinMethod
from .classes import ORDINARY_METACLASSES, class_attribute
from .enums import EnumMember
from .new_instance import NewInstance
from .objects import ModuleValue

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


class OutsideCache(Value):
    """A cache that existed before the call. See Note [A cache from outside]."""

    is_one_object = True

    def __init__(self, real: Any, source: Source) -> None:
        self.real = real
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return WRAPPER  # type: ignore[no-any-return]

    def describe(self) -> str:
        return str(self.source)

    def unsupported(self, operation: str) -> GraphBreak:
        return UNKNOWN_VALUE.stop(operation=operation, name=f"{self.source} (a {WRAPPER.__name__})")

    def truth(self, trace: Trace) -> bool:
        return True

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        function = self.real.__wrapped__ if type(vars(self.real).get("__wrapped__")) is types.FunctionType else None
        if trace.region is not None or not any(each is function for each in gc.get_referents(self.real)):
            raise self.unsupported("a call")
        given = [known_object(trace, each) for each in args]
        named = {name: known_object(trace, each) for name, each in kwargs.items()}
        if any(each is UNKNOWN for each in (*given, *named.values())):
            raise self.unsupported("a call with these arguments")
        place = self._place(given) if not named else None
        if place is not None and isinstance(table := place.base, ConstantSource) and place.key in table.value:
            return wrap(trace, table.value[place.key], Named(place, f"{self.source}(...)"))
        try:
            return self._followed(trace, function, args, kwargs, given, named)
        except Unwinding:
            if place is not None:  # once it is kept, the call is traced anew
                trace.guard(LacksKey, place.base, key=place.key)
            raise

    def _place(self, given: list[Any]) -> Item | None:
        """The place of a result for literals in a cache without bounds; None for other caches and arguments."""
        if self.real.cache_parameters() != {"maxsize": None, "typed": False}:
            return None
        tables = [each for each in gc.get_referents(self.real) if type(each) is dict and each is not vars(self.real)]
        if len(tables) != 1 or not all(type(each) in LITERALS for each in given):
            return None
        key = given[0] if len(given) == 1 and type(given[0]) in (int, str) else tuple(given)
        return Item(ConstantSource(tables[0], f"what {self.source} keeps"), key)

    def _followed(
        self, trace: Trace, function: Any, args: list[Value], kwargs: dict[str, Value], given: list[Any], named: Any
    ) -> Value:
        before = _state(trace)
        place = Named(Attribute(self.source, "__wrapped__"), f"{self.source}.__wrapped__")
        found = wrap(trace, function, place).call(trace, args, kwargs)
        made = known_object(trace, found)
        if made is UNKNOWN or _state(trace) != before:
            raise self.unsupported("a call")
        kept = self.real(*given, **named)
        if not _is_same(kept, made):
            raise self.unsupported("a call whose result is that of an earlier time")
        return found

    def attribute(self, trace: Trace, name: str) -> Value:
        if name == "__wrapped__" or name in COPIED:
            return wrap(trace, getattr(self.real, name), Attribute(self.source, name))
        raise self.unsupported(f"the attribute {name!r}")

    def rebuild(self, writer: Any) -> str:
        return self.source.text(writer.pool)


UNKNOWN = object()
_CLASSES = (*ORDINARY_METACLASSES, enum.EnumMeta, type(np.dtype))
"""The classes of classes, which are hashed by identity."""


def known_object(trace: Trace, value: Value) -> Any:
    """The object that a traced value stands for, where that is known and never changes; else `UNKNOWN`."""
    if type(value) is TupleValue:
        items = [known_object(trace, each) for each in value.items]
        return UNKNOWN if UNKNOWN in items else tuple(items)
    if isinstance(value, ModuleValue):
        return value.module
    if isinstance(value, EnumMember):
        return value.value
    if isinstance(value, BuiltinCallable):
        return value.function if type(value.function) in _CLASSES else UNKNOWN
    if not value.is_constant():
        return UNKNOWN
    known = value.constant(trace)
    return known if type(known) in LITERALS and known == known else UNKNOWN


def _state(trace: Trace) -> tuple[Any, ...]:
    """A state of the trace that differs once the call has done anything besides finding a result."""
    pending = trace.effects.pending
    return len(trace.builder.nodes), MutableValue.changes_outside(), [(key, id(each)) for key, each in pending.items()]


def _is_same(kept: Any, made: Any) -> bool:
    if type(kept) is not type(made):
        return False
    if type(kept) is tuple:
        return len(kept) == len(made) and all(map(_is_same, kept, made))
    return kept is made or (type(kept) in LITERALS and kept == made and repr(kept) == repr(made))


@wraps(WRAPPER)
def wrap_cache(trace: Trace, value: Any, source: Source) -> Value:
    """A cache from outside, by identity."""
    trace.guard(Is, source, expected=value)
    return OutsideCache(value, source)
